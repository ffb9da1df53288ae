// What the user enters while a statement runs: `node --test web/tests/waiting.test.js`.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { answers, answerWith, part, remembered, until } from "./browser.js";

const { queue } = await import("../page/calculator.js");
const { entries } = await import("../page/entries.js");
const { beginLine, fillLine, lineText, type } = await import("../page/line.js");
const { keepDraft, submit, takeBackAll } = await import("../page/waiting.js");

beginLine({ look: keepDraft, submit, stopOrClear() {}, complete: async () => ({ start: 0, entries: [] }) });

/** The texts that run, in their order, each with the function that lets the session answer it. */
const running = [];
answers.enter = ({ text }) => new Promise((answer) => running.push({ text, end: (facts) => answer(answerWith(facts)), more: () => answer({ more: true }) }));

beforeEach(() => {
  entries.length = running.length = 0;
  type("");
});

const enterLine = (text) => {
  type(text);
  return submit();
};
const waiting = () => part("waiting").children.map((item) => item.querySelector("code").textContent);
const draft = () => remembered.get("draft");
/** What waits is shown after a moment. */
const untilShown = () => new Promise((resolve) => setTimeout(resolve, 200));
const nextRuns = (count) => until(() => running.length === count);

test("what is typed ahead waits, and runs in its order", async () => {
  enterLine("a = 2");
  assert.equal(draft(), "a = 2");
  await nextRuns(1);
  enterLine("a*2");
  const last = enterLine("b*2");
  type("half a li");
  await untilShown();
  assert.deepEqual(waiting(), ["a*2", "b*2"]);
  assert.equal(draft(), "a = 2\na*2\nb*2\nhalf a li");
  running[0].end();
  await nextRuns(2);
  assert.deepEqual(waiting(), ["b*2"]);
  assert.equal(draft(), "a*2\nb*2\nhalf a li");
  running[1].end();
  await nextRuns(3);
  running[2].end();
  await last;
  assert.deepEqual(running.map(({ text }) => text), ["a = 2", "a*2", "b*2"]);
  assert.deepEqual(entries.map(({ text }) => text), ["a = 2", "a*2", "b*2"]);
  assert.deepEqual([waiting(), lineText(), draft()], [[], "half a li", "half a li"]);
});

test("a text that waits is taken back into the line, before what is typed there", async () => {
  const first = enterLine("1");
  await nextRuns(1);
  enterLine("2");
  enterLine("3");
  type("4");
  await untilShown();
  part("waiting").children[0].querySelector("button").click();
  assert.deepEqual([waiting(), lineText(), draft()], [["3"], "2\n4", "1\n3\n2\n4"]);
  assert.ok(takeBackAll());
  assert.deepEqual([waiting(), lineText()], [[], "3\n2\n4"]);
  // What runs cannot be taken back.
  assert.ok(!takeBackAll());
  running[0].end();
  await first;
  await queue.add("entry", async () => {});
  assert.deepEqual(running.map(({ text }) => text), ["1"]);
});

test("an incomplete text goes on with the next one, or in the line", async () => {
  enterLine("s = (1 +");
  await nextRuns(1);
  const second = enterLine("2 +");
  running[0].more();
  await nextRuns(2);
  assert.equal(running[1].text, "s = (1 +\n2 +");
  type("3)");
  running[1].more();
  await second;
  assert.deepEqual([lineText(), draft()], ["s = (1 +\n2 +\n3)", "s = (1 +\n2 +\n3)"]);
});

test("Enter on an empty line runs, but is not shown and not remembered", async () => {
  const first = enterLine("1");
  await nextRuns(1);
  const second = enterLine("");
  await untilShown();
  assert.deepEqual([waiting(), draft()], [[], "1"]);
  running[0].end();
  await first;
  await nextRuns(2);
  running[1].end();
  await second;
  assert.deepEqual([running.map(({ text }) => text), draft()], [["1", ""], undefined]);
});

test("what a lesson has put into the line is not a draft, until the user changes it", () => {
  fillLine({ line: ["b = ", "3"] });
  assert.deepEqual([lineText(), draft()], ["b = 3", undefined]);
  type("b = 34");
  assert.equal(draft(), "b = 34");
});

test("while a walk asks, what was entered before it asked waits, and an empty line is dropped", async () => {
  enterLine(":walk L ask");
  await nextRuns(1);
  enterLine("a*2");
  enterLine("");
  const last = enterLine("b*2");
  running[0].end({ asks: true, walk: ":walk L ask" });
  await last;
  await untilShown();
  assert.deepEqual([waiting(), running.length], [["a*2", "b*2"], 1]);
  // An answer to the question runs before them, and after the last one they run.
  enterLine("1");
  await nextRuns(2);
  assert.equal(running[1].text, "1");
  running[1].end({ asks: true });
  const answer = enterLine("4");
  await nextRuns(3);
  running[2].end();
  await answer;
  await nextRuns(4);
  running[3].end();
  await nextRuns(5);
  running[4].end();
  await queue.add("entry", async () => {});
  assert.deepEqual(running.map(({ text }) => text), [":walk L ask", "1", "4", "a*2", "b*2"]);
  assert.deepEqual([waiting(), draft()], [[], undefined]);
});
