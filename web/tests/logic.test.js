// The logic of the page that needs no browser: `node --test web/tests/logic.test.js`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { changedBlocks, putBlocks } from "../page/blocks.js";
import { Gesture } from "../page/gesture.js";
import { History } from "../page/history.js";
import { linkedEntries, linkIn, pack } from "../page/link.js";
import { axesIn, numberAt } from "../page/places.js";
import { endsOf, rangeAround } from "../page/sliders.js";
import { statementsTo } from "../page/state.js";
import { keysAbove } from "../page/tracing.js";

test("only blocks of memory that have changed are copied, and bring all of it back", () => {
  const begun = () => {
    const memory = new WebAssembly.Memory({ initial: 3 });
    new Uint8Array(memory.buffer).set([1, 2, 3], 65_530);
    return memory;
  };
  const memory = begun();
  const copies = new Map();
  changedBlocks(memory.buffer, 0, copies);
  const kept = new Map();
  const numbersOfChanged = () => {
    const changed = changedBlocks(memory.buffer, 0, copies);
    // They go to another thread as copies.
    for (const [at, block] of structuredClone(changed)) kept.set(at, block);
    return [...changed.keys()];
  };
  assert.deepEqual(numbersOfChanged(), []);
  new Uint8Array(memory.buffer)[2 * 65_536] = 7;
  assert.deepEqual(numbersOfChanged(), [2]);
  // The last byte of a block, a number that has the bits of no number, and blocks that are new.
  memory.grow(2);
  new Uint8Array(memory.buffer)[65_535] = 9;
  new Float64Array(memory.buffer)[4 * 8_192 + 1] = NaN;
  assert.deepEqual(numbersOfChanged(), [0, 3, 4]);
  new Uint8Array(memory.buffer)[2 * 65_536] = 0;
  assert.deepEqual(numbersOfChanged(), [2]);
  assert.deepEqual(numbersOfChanged(), []);
  // What changes before the data, in the stack, is no part of it.
  new Uint8Array(memory.buffer)[70_000] = 5;
  assert.deepEqual([...changedBlocks(memory.buffer, 2 * 65_536 + 8, copies).keys()], []);
  new Uint8Array(memory.buffer)[70_000] = 0;
  const again = begun();
  putBlocks(again, kept);
  assert.ok(Buffer.from(again.buffer).equals(Buffer.from(memory.buffer)));
});

test("a walk goes to a stop by statements, in both directions", () => {
  const to = (direction, made) => statementsTo({ backward: ":walk L", forward: ":walk L forward", direction: "backward", made: 2, of: 5, asks: false }, { direction, made });
  assert.deepEqual([to("backward", 5), to("backward", 1), to("backward", 2)], [[":next 3"], [":prev 1"], []]);
  assert.deepEqual([to("forward", 0), to("forward", 4)], [[":walk L forward"], [":walk L forward", ":next 4"]]);
});

test("a slider that is dragged is let go once", () => {
  const gesture = new Gesture();
  gesture.move([{ name: "a", from: 2, now: 2.5 }]);
  gesture.move([{ name: "a", from: 2.5, now: 3 }]);
  assert.equal(gesture.state, "dragging");
  assert.ok(gesture.isMoving("a") && !gesture.isMoving("b"));
  assert.ok(gesture.change());
  assert.equal(gesture.state, "settling");
  assert.deepEqual(gesture.moves, [{ name: "a", from: 2, now: 3 }]);
  assert.ok(!gesture.change() && !gesture.cancel());
  gesture.end(gesture.moves);
  assert.equal(gesture.state, "idle");
});

test("a key that is held sets the leaf when it goes up", () => {
  const gesture = new Gesture();
  for (const now of [2.1, 2.2, 2.3]) {
    gesture.hold("a", 2);
    gesture.move([{ name: "a", from: 2, now }]);
    assert.ok(!gesture.change());
  }
  assert.equal(gesture.state, "held");
  assert.ok(gesture.lift());
  assert.deepEqual(gesture.moves, [{ name: "a", from: 2, now: 2.3 }]);
});

test("a number that is typed is set by Enter", () => {
  const gesture = new Gesture();
  for (const now of [4, 40]) {
    gesture.hold("a", 2);
    gesture.move([{ name: "a", from: 2, now }]);
    assert.ok(!gesture.lift());
    assert.equal(gesture.state, "dragging");
  }
  gesture.hold("a", 2);
  assert.ok(!gesture.change());
  assert.ok(gesture.lift());
  assert.deepEqual(gesture.moves, [{ name: "a", from: 2, now: 40 }]);
  gesture.end(gesture.moves);
  gesture.hold("a", 40);
  assert.ok(!gesture.lift());
  assert.equal(gesture.state, "idle");
});

test("a gesture that is broken off brings the leaf back", () => {
  const gesture = new Gesture();
  assert.ok(!gesture.cancel());
  gesture.move([{ name: "a", from: 4, now: -2.9 }]);
  assert.ok(gesture.cancel());
  assert.deepEqual(gesture.moves, [{ name: "a", from: 4, now: 4 }]);
  // One that begins while the leaf is being set is not ended with it.
  gesture.move([{ name: "b", from: 1, now: 1.5 }]);
  gesture.end(gesture.moves);
  assert.equal(gesture.state, "dragging");
  assert.deepEqual(gesture.moves, [{ name: "b", from: 1, now: 1.5 }]);
});

test("the point of a map moves two leaves", () => {
  const gesture = new Gesture();
  const at = (a, b) => [{ name: "a", from: 2, now: a }, { name: "b", from: -3, now: b }];
  gesture.move(at(2.5, -3));
  gesture.move(at(2.75, -1));
  assert.ok(gesture.isMoving("a") && gesture.isMoving("b"));
  assert.deepEqual(gesture.moves, at(2.75, -1));
  assert.ok(gesture.cancel());
  assert.deepEqual(gesture.moves, at(2, -3));
});

test("a slider goes beyond 0, and further on the side of its leaf", () => {
  for (const now of [2, -3, 40, 0.5, 1e-4, 6.674e-11, 123.456, -0.1, 1, 6e23]) {
    const { low, high } = rangeAround(now);
    const [own, beyond] = now > 0 ? [high, -low] : [-low, high];
    const told = `${now}: ${low} ${high}`;
    // Rounding to 1, 2 or 5 changes a length by at most the square root of 2.5.
    const isAbout = (length, expected) => Math.abs(Math.log(length / expected / Math.abs(now))) <= Math.log(2.5) / 2 + 1e-9;
    assert.ok(isAbout(own, 3) && isAbout(beyond, 2) && own > Math.abs(now), told);
    assert.ok([own, beyond].every((length) => /^[125]e/.test(length.toExponential())), told);
  }
  assert.deepEqual(rangeAround(0), { low: -1, high: 1 });
  assert.deepEqual(rangeAround(2), { low: -5, high: 5 });
  assert.deepEqual(rangeAround(-4), { low: -10, high: 10 });
  assert.deepEqual(rangeAround(0.5), { low: -1, high: 2 });
});

test("a typed range gives a slider its ends and its step", () => {
  const leaf = { name: "a", value: 2, low: 0, high: 10 };
  assert.deepEqual(endsOf({ ...leaf, step: 0.5 }), { step: 0.5, min: "0", max: "10" });
  assert.deepEqual(endsOf(leaf), { step: 0.1, min: "0", max: "10" });
  assert.deepEqual(endsOf({ name: "a", value: 2 }), { step: 0.01, min: "-5", max: "5" });
});

test("a link has the entries that were put into it", async () => {
  const entries = ["a = 2; s = \"ü→\"", [":set a 3"], ":plot a^2 a=-3..3\n"];
  const signs = await pack(entries);
  assert.match(signs, /^~[\w-]+$/);
  assert.deepEqual(await linkedEntries(signs), entries);
  assert.deepEqual(await linkedEntries("a%20%3D%202"), ["a = 2"]);
  const random = Array.from({ length: 40_000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90)));
  assert.equal(await pack([random.join("")]), undefined);
  for (const damaged of ["~", "~!", `~${"A".repeat(70_000)}`, await pack({}), await pack(5)]) {
    await assert.rejects(linkedEntries(damaged), Error, damaged);
  }
});

test("the page reads the links to a lesson that the manual makes with the shell", async () => {
  const manual = readFileSync(new URL("../../docs/guide/teachers.md", import.meta.url), "utf8");
  const [, lesson] = /```calc\n(.*?)```/s.exec(manual);
  const [, script] = /```sh\n(page=.*?)```/s.exec(manual);
  const folder = mkdtempSync(join(tmpdir(), "links-"));
  // The manual's lesson, and one with signs of more than one byte, a percent sign and no end of its last line.
  for (const text of [lesson, "# Über 5 %\na, b = 2, -3"]) {
    writeFileSync(join(folder, "chain.calc"), text);
    const links = execFileSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" }).trimEnd().split("\n");
    assert.equal(links.length, 30);
    for (const [at, link] of links.entries()) {
      const { action, argument } = linkIn(new URL(link).hash);
      assert.equal(action, "lesson");
      assert.deepEqual(await linkedEntries(argument), [text.replace("2, -3", `2, -${at + 3}`)]);
    }
  }
  rmSync(folder, { recursive: true });
});

test("an address says what to do", () => {
  assert.deepEqual(linkIn(""), { action: "", argument: "", shown: undefined });
  assert.deepEqual(linkIn("#play=slope"), { action: "play", argument: "slope", shown: undefined });
  assert.deepEqual(linkIn("#lesson=~abc"), { action: "lesson", argument: "~abc", shown: undefined });
  assert.deepEqual(linkIn("#run=~ab&show=3,5"), { action: "run", argument: "~ab", shown: ["3", "5"] });
});

test("the history goes back and forth, and keeps what was being typed", () => {
  const history = new History();
  for (const line of ["1", "2", "2", "3"]) history.add(line);
  assert.deepEqual(history.lines, ["1", "2", "3"]);
  assert.equal(history.recall(-1, "half"), "3");
  assert.equal(history.recall(-5, "3"), "1");
  assert.equal(history.recall(9, "1"), "half");
});

test("the frame of a picture says what stands at a place in it", () => {
  const [across, up] = axesIn("-5 5 a, 0 2 b (log)");
  assert.deepEqual(across, { name: "a", low: -5, high: 5, isLog: false });
  assert.deepEqual(up, { name: "b", low: 0, high: 2, isLog: true });
  assert.deepEqual([-0.1, 0.5, 0.7, 0.70312, 1].map((share) => numberAt(across, share)), [-5, 0, 2, 2.03, 5]);
  assert.deepEqual([0, 0.5, 1].map((share) => numberAt(up, share)), [1, 10, 100]);
  // As many digits as there are pixels, wherever that is.
  assert.equal(numberAt({ name: "h", low: 1e-6, high: 2e-6, isLog: false }, 0.123456), 1.123e-6);
  assert.equal(numberAt({ name: "t", low: 1e5, high: 1.001e5, isLog: false }, 0.3), 100030);
});

test("the keys above a node are those of its paths to the root", () => {
  const edges = ["1-3", "2-3", "2-4", "3-5", "4-5"].map((key) => ({ from: key[0], to: key[2], part: 0 }));
  assert.deepEqual([...keysAbove(edges, "1")], ["1", "3", "5"]);
  assert.deepEqual([...keysAbove(edges, "2")].sort(), ["2", "3", "4", "5"]);
});
