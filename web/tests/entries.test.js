// The entries of the notebook and their answers: `node --test web/tests/entries.test.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { canBeAnswered, change, entries, entryOf, fill, isFaded, showAnswer, showTrial, stateAfterEnd, stored } = await import("../page/entries.js");

/** An entry with this answer, as the page shows it. */
const shownEntry = (html, state = "live") => {
  const entry = { html, state };
  entry.shown = fill(entry, document.createElement("div"));
  entries.push(entry);
  return entry;
};
const answerOf = ({ shown }) => shown.answer;

const GRAPH = '<figure><svg><circle r="1" class="node"/><text>a &lt; 2</text></svg></figure><p>= <b>4</b></p>';

test("an entry is live, faded, ended, or past", () => {
  const rows = ["live", "faded", "ended", "past"].map((state) => [state, canBeAnswered({ state }), isFaded({ state }), stateAfterEnd({ state })]);
  assert.deepEqual(rows, [
    ["live", true, false, "ended"],
    ["faded", true, true, "past"],
    ["ended", false, false, "ended"],
    ["past", false, true, "past"],
  ]);
});

test("an entry that changes is stored again", () => {
  const entry = shownEntry("<p>1</p>");
  stored.add(entry);
  change(entry, { state: "faded" });
  assert.equal(entry.state, "faded");
  assert.ok(!stored.has(entry));
});

test("only words and attributes that differ are written", () => {
  const entry = shownEntry(GRAPH);
  const [circle, text, number] = ["circle", "text", "b"].map((name) => answerOf(entry).querySelector(name));
  circle.setAttribute("tabindex", "0");
  showTrial(entry, GRAPH.replace('r="1" class="node"', 'r="2" data-key="7"').replace("a &lt; 2", "a &lt; 2.5").replace(">4<", ">6.25<"));
  assert.deepEqual(["circle", "text", "b"].map((name) => answerOf(entry).querySelector(name)), [circle, text, number]);
  // What the page has added stays.
  assert.deepEqual(circle.attributes, [{ name: "r", value: "2" }, { name: "tabindex", value: "0" }, { name: "data-key", value: "7" }]);
  assert.deepEqual([text.textContent, number.textContent], ["a < 2.5", "6.25"]);
  // The answer is still the one before the trial.
  assert.equal(entry.html, GRAPH);
  showAnswer(entry);
  assert.deepEqual([circle.getAttribute("r"), circle.getAttribute("class"), number.textContent], ["1", "node", "4"]);
});

test("an answer with other elements takes the place of the one before, and a trial of it is not shown", () => {
  const entry = shownEntry("<p>= <b>4</b></p>");
  const number = answerOf(entry).querySelector("b");
  for (const other of ["<p>= <i>4</i></p>", "<p>= <b>4</b></p><p>x</p>", "<p><b>4</b></p>", "<p>= <b></b></p>"]) showTrial(entry, other);
  assert.equal(answerOf(entry).textContent, "= 4");
  assert.equal(answerOf(entry).querySelector("b"), number);
  change(entry, { html: "<p>= <i>5</i></p>" });
  showAnswer(entry);
  assert.equal(answerOf(entry).querySelector("i").textContent, "5");
  showTrial(entry, "<p>= <i>6</i></p>");
  assert.equal(answerOf(entry).textContent, "= 6");
});

test("an answer of before is marked, and a picture has its entry", () => {
  const entry = shownEntry(GRAPH, "faded");
  const picture = answerOf(entry).querySelector("svg");
  assert.ok(answerOf(entry).classList.contains("before"));
  assert.deepEqual([picture.getAttribute("role"), picture.getAttribute("tabindex")], ["img", "0"]);
  assert.equal(entryOf(picture), entry);
  change(entry, { state: "live" });
  showAnswer(entry);
  assert.ok(!answerOf(entry).classList.contains("before"));
  change(entry, { state: "past" });
  showAnswer(entry);
  assert.ok(answerOf(entry).classList.contains("before"));
});
