// How entries run and what happens to them: `node --test web/tests/enter.test.js`.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { answers, answerWith, calls, part, until } from "./browser.js";

const { enter, follower } = await import("../page/enter.js");
const { entries } = await import("../page/entries.js");
const { gesture } = await import("../page/gesture.js");
const { history } = await import("../page/history.js");
const { beginLine, lineText, type } = await import("../page/line.js");
const { queue, session } = await import("../page/calculator.js");
const { enterInLesson } = await import("../page/lesson.js");
const { isHere, known } = await import("../page/state.js");

beginLine({ look() {}, submit() {}, stopOrClear() {}, complete: async () => ({ start: 0, entries: [] }) });

beforeEach(() => {
  entries.length = history.lines.length = calls.length = 0;
  answers.setting = (numbers) => `:set ${Object.entries(numbers).map((setting) => setting.join(" ")).join(", ")}`;
  // No answer is given again.
  answers.again = () => ({ answers: [], states: [] });
  part("notebook").replaceChildren();
  part("entry").value = "";
  Object.assign(known, { inUse: "own", isKept: false, leaves: new Map(), lesson: null });
});

const LESSON = { name: "chain", place: "1", text: null, open: true, show: ":play show" };

/** Enters a text that the session answers with these facts. */
const answered = async (text, facts, from = "line") => {
  answers.enter = () => answerWith({ html: `<p>${text}</p>`, ...facts });
  assert.ok(await enter(text, from));
  return entries.at(-1);
};

const leaf = (name, value) => ({ name, value });
/** States of entries, as the module tells them. */
const faded = (entry, reason = "a was 2") => ({ entry, state: "faded", reason });
const live = (entry) => ({ entry, state: "live", reason: "" });
const ended = (entry, reason = "") => ({ entry, state: "ended", reason });
const words = () => part("notebook").textContent;
const sliders = () => part("notebook").querySelectorAll(".slider").map(({ dataset }) => dataset.name).join("");

test("an entry is shown with its answer and its sliders", async () => {
  const entry = await answered("a = 2", { entry: 0, leaves: [leaf("a", 2)], sliders: ["a"], kept: "a = 2;\n", link: "a = 2" });
  assert.deepEqual([entry.state, entry.session, entry.id, entry.names, entry.sent], ["live", "own", 0, ["a"], "a = 2"]);
  assert.deepEqual([words(), sliders(), history.lines, known.isKept], ["a = 2a", "a", ["a = 2"], true]);
  const [range, number] = part("notebook").querySelectorAll("input");
  assert.deepEqual([range.value, number.value, range.disabled], ["2", "2", false]);
  // A name that is bound again has no slider below the first entry.
  await answered("a = 3", { entry: 1, bound: ["a"], leaves: [leaf("a", 3)], sliders: ["a"], states: [ended(0)] });
  assert.deepEqual([entry.state, entry.names, sliders()], ["ended", [], "a"]);
});

test("an incomplete line runs nothing, and an error can never be answered again", async () => {
  answers.enter = () => ({ more: true });
  assert.equal(await enter("s = (1 +", "line"), false);
  assert.deepEqual([entries, history.lines, words()], [[], [], ""]);
  const failed = await answered("2 + x", { failed: true, entry: null });
  assert.equal(failed.state, "ended");
});

test("answers fade when leaves move, come back, and end for good", async () => {
  const value = await answered("a^2", { entry: 0, leaves: [leaf("a", 2)] });
  const plot = await answered(":plot a^2", { entry: 1, leaves: [leaf("a", 2)], picture: ["a"] });
  const states = () => [value.state, plot.state];
  const step = (facts) => answered(":step", { leaves: [leaf("a", 1)], ...facts });
  const isBefore = ({ shown }) => shown.answer.classList.contains("before");
  await step({ states: [faded(0), faded(1)] });
  assert.deepEqual([states(), value.reason, value.shown.answer.dataset.reason], [["faded", "faded"], "a was 2", "a was 2"]);
  assert.ok(isBefore(value));
  await step({ states: [live(1)] });
  assert.deepEqual([states(), isBefore(value), isBefore(plot)], [["faded", "live"], true, false]);
  await step({ states: [ended(0, "a was 2"), ended(1)] });
  assert.deepEqual([states(), isBefore(value), isBefore(plot)], [["ended", "ended"], true, false]);
  // The sliders of a picture go with it.
  assert.deepEqual([plot.below, sliders()], [[], ""]);
});

test("answers follow whatever moves their leaves", async () => {
  const one = await answered("a^2", { entry: 0, leaves: [leaf("a", 2)] });
  const moved = async (text, number, from, states = [faded(0)]) => {
    answers.again = ({ entries: asked }) => ({ answers: asked.map((id) => `<p>${number} ${id}</p>`), states: asked.map(live) });
    await answered(text, { leaves: number ? [leaf("a", number)] : [], states }, from);
    return [one.html, one.state];
  };
  assert.deepEqual(await moved(":step", 3), ["<p>3 0</p>", "live"]);
  assert.deepEqual(await moved(":set a 4", 4, "slider"), ["<p>4 0</p>", "live"]);
  assert.deepEqual(await moved(":set a 5", 5, "stopped"), ["<p>5 0</p>", "live"]);
  // The leaves of a long list have no sliders.
  assert.deepEqual(await moved("for u in w: u.data = 1", 0), ["<p>0 0</p>", "live"]);
  // If the session fails, they stay faded until leaves move once more.
  answers.again = () => Promise.reject(new Error("a fault"));
  await answered(":undo", { leaves: [leaf("a", 6)], states: [faded(0)] });
  assert.deepEqual([one.html, one.state], ["<p>0 0</p>", "faded"]);
  assert.deepEqual(await moved("1 + 1", 6, "line", []), ["<p>0 0</p>", "faded"]);
  assert.deepEqual(await moved(":set a 7", 7, "line", []), ["<p>7 0</p>", "live"]);
});

test("the words of a lesson are no part of the answer above them", async () => {
  const one = await answered("a = 2", { entry: 0, leaves: [leaf("a", 2)], sliders: ["a"], words: "<p>So what is a^2?</p>" });
  answers.again = () => ({ answers: ["<p>a = 3</p>"], states: [live(0)] });
  await answered(":set a 3", { leaves: [leaf("a", 3)], states: [faded(0)] }, "slider");
  assert.deepEqual([one.html, words()], ["<p>a = 3</p>", "a = 3aSo what is a^2?"]);
});

test("the buttons of a file stand below the entry that has written it last, and give the file of now", async () => {
  const buttons = () => part("notebook").querySelectorAll("button").map(({ textContent }) => textContent);
  answers.file = () => "of then";
  await answered(":plot y p.svg", { entry: 0, files: ["p.svg"] });
  await answered(":graph y g.svg", { entry: 1, files: ["g.svg"] });
  assert.deepEqual(buttons(), ["Download p.svg", "Download as PNG", "Download g.svg", "Download as PNG"]);
  await answered(":plot z p.svg", { entry: 2, files: ["p.svg"] });
  assert.deepEqual(buttons(), ["Download g.svg", "Download as PNG", "Download p.svg", "Download as PNG"]);
  let asked = "";
  answers.file = (name) => {
    asked += name;
    return "of now";
  };
  part("notebook").querySelectorAll("button")[2].onclick();
  await queue.add("entry", async () => {});
  assert.equal(asked, "p.svg");
});

test("a number that was typed shows where its leaf has gone", async () => {
  const html = `<pre><kbd>∂&gt; a, b = <span data-leaf="a" data-typed="2">2</span>, <span data-leaf="b" data-typed="-3">-3</span>; c = 2*a\n</kbd></pre><p>a = 2, b = -3</p>`;
  const entry = await answered("a, b = 2, -3; c = 2*a", { entry: 0, html, leaves: [leaf("a", 2), leaf("b", -3)], sliders: ["a", "b"] });
  const marks = () => entry.shown.answer.querySelectorAll(".went").map(({ textContent, dataset }) => `${textContent} → ${dataset.now}`);
  assert.deepEqual(marks(), []);
  await answered(":step", { leaves: [leaf("a", 2), leaf("b", 4.69)] });
  assert.deepEqual(marks(), ["-3 → 4.69"]);
  await answered(":step", { leaves: [leaf("a", 5), leaf("b", 4.5)] });
  assert.deepEqual(marks(), ["2 → 5", "-3 → 4.5"]);
  // What is copied or saved has no such mark, and a name that means something else leaves the mark as it is.
  assert.ok(entry.shown.answer.textContent.includes("= 2, -3; c"));
  await answered("b = 1", { bound: ["b"], leaves: [leaf("a", 2), leaf("b", 1)] });
  assert.deepEqual(marks(), ["-3 → 4.5"]);
});

test("while a lesson is open, the sliders outside of it rest", async () => {
  const own = await answered("a = 2", { entry: 0, leaves: [leaf("a", 2)], sliders: ["a"] });
  const inert = () => part("notebook").querySelectorAll(".sliders").map((it) => it.hasAttribute("inert"));
  await answered(":play chain", { lesson: LESSON, leaves: [] });
  const asked = await answered("a = 5", { of_lesson: true, lesson: LESSON, entry: 1, bound: ["a"], leaves: [leaf("a", 5)], sliders: ["a"] });
  assert.deepEqual([known.inUse, isHere(own), isHere(asked), inert()], ["lesson", false, true, [true, false]]);
  // The name of the lesson is another one.
  assert.deepEqual(own.names, ["a"]);
  await answered(":play stop", { lesson: { ...LESSON, open: false }, leaves: [leaf("a", 2)] });
  assert.deepEqual([known.inUse, inert()], ["own", [false, true]]);
  // A lesson of the user's own runs in the user's session.
  await answered(":play mine.calc", { lesson: { ...LESSON, text: "a = 7" }, leaves: [] });
  assert.equal(known.inUse, "own");
});

test("a question is answered with the numbers with which it was asked", async () => {
  const ask = (step, a, facts = {}) => ({
    lesson: { ...LESSON, place: `${step} ...` }, asks: true, line: [":guess a ", " of L"], leaves: [leaf("a", a), leaf("b", 5)], of_lesson: true, ...facts,
  });
  /** What is entered with a text, after a slider has moved a. */
  const entered = async (text, after = {}) => {
    await answered(":set a 7", ask(1, 7, after), "slider");
    let a = 7;
    const all = [];
    answers.enter = ({ text: statement }) => {
      all.push(statement);
      if (statement.startsWith(":set a")) a = +statement.split(" ")[2];
      return answerWith({ html: "<p>it is judged</p>", ...ask(1, a) });
    };
    await enterInLesson(text, "line");
    return all.join("; ");
  };
  await answered("L = a^2", ask(1, 2, { bound: ["a"] }));
  assert.equal(await entered(":guess a 4 of L"), ":set a 2; :guess a 4 of L");
  assert.match(words(), /The numbers of the question are back: a = 2\.$/);
  assert.equal(await entered(":guess a ? of L"), ":set a 2; :guess a ? of L");
  assert.equal(await entered(":play show"), ":set a 2; :play show");
  // What is no answer leaves the numbers.
  assert.equal(await entered(":guess a  of L"), ":guess a  of L");
  assert.equal(await entered(":grad L"), ":grad L");
  assert.equal(await entered(":guess a 4 of L", { asks: false }), ":guess a 4 of L");
  await answered(":play next", ask(2, 7));
  assert.equal(await entered(":guess a 4 of L", ask(2, 7)), ":guess a 4 of L");
  // A leaf that was bound since is another one.
  await answered("a = 7", ask(1, 2));
  assert.equal(await entered(":guess a 4 of L", { bound: ["a"] }), ":guess a 4 of L");
});

test("a lesson fills a line that is free, and no other", async () => {
  await answered(":play chain", { lesson: LESSON, line: ["b = ", "3"] });
  assert.deepEqual([lineText(), part("entry").selectionEnd], ["b = 3", 4]);
  await answered(":vars", { lesson: LESSON, line: ["c = ", ""] });
  assert.equal(lineText(), "c = ");
  type("my own");
  await answered(":vars", { lesson: LESSON, line: ["d = ", ""] });
  assert.equal(lineText(), "my own");
});

test("an entry that is stopped says so, and is typed again", async () => {
  answers.enter = () => new Promise(() => {});
  const call = enter(":step 1 1000000", "line");
  await until(() => calls.some(({ call }) => call === "enter"));
  session.stop("stopped");
  assert.ok(await call);
  assert.match(words(), /∂> :step 1 1000000Stopped, and not kept\./);
  assert.deepEqual([lineText(), entries, history.lines], [":step 1 1000000", [], [":step 1 1000000"]]);
  // What it had reached is set, and the user sees its effect without an answer.
  session.reached = ":set a 1";
  answers.enter = ({ text }) => (text === "x" ? Promise.reject(new Error("a fault")) : answerWith({ html: "<p/>", kept: ":set a 1;\n" }));
  await enter("x", "line");
  assert.deepEqual(entries.map(({ text, html, sent }) => [text, html, sent]), [[":set a 1", "", ["", "stopped"]]]);
  assert.equal(session.reached, "");
});

test("a slider that is released sets its leaf once, unless another session is in use by then", async () => {
  await answered("a = 2", { entry: 0, leaves: [leaf("a", 2)], sliders: ["a"] });
  calls.length = 0;
  answers.enter = () => answerWith({ leaves: [leaf("a", 3)] });
  const release = async (now) => {
    gesture.move([{ name: "a", from: 2, now }]);
    assert.ok(gesture.change());
    follower.release(gesture.moves);
    await queue.add("entry", async () => {});
    assert.equal(gesture.state, "idle");
    return calls.filter(({ call }) => call === "enter").map(({ argument }) => argument.text).join();
  };
  assert.equal(await release(3), ":set a 3");
  // A leaf that is there already is not set.
  assert.equal(await release(3), ":set a 3");
  queue.add("entry", async () => {
    await Promise.resolve();
    known.inUse = "lesson";
  });
  assert.equal(await release(4), ":set a 3");
});

test("a slider that moves asks with the numbers of the moment", async () => {
  await answered("a^2", { entry: 0, leaves: [leaf("a", 2)] });
  answers.tryOut = ({ settings }) => [`<p>${settings.a}</p>`];
  calls.length = 0;
  let end;
  queue.add("entry", () => new Promise((resolve) => (end = resolve)));
  gesture.move([{ name: "a", from: 2, now: 3 }]);
  follower.move(gesture.moves);
  gesture.move([{ name: "a", from: 2, now: 4 }]);
  end();
  await queue.add("entry", async () => {});
  assert.deepEqual(calls.filter(({ call }) => call === "tryOut").map(({ argument }) => argument.settings), [{ a: 3 }]);
  assert.equal(entries[0].html, "<p>a^2</p>");
  gesture.cancel();
  gesture.end(gesture.moves);
});
