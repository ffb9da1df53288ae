// The entries of the notebook and their answers: `node --test web/tests/entries.test.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { change, entries, entryOf, fill, showAnswer, stored } = await import("../page/entries.js");

/** An entry with this answer, as the page shows it. */
const shownEntry = (html, reason = "") => {
  const entry = { html, reason, names: [] };
  entry.shown = fill(entry, document.createElement("div"));
  entries.push(entry);
  return entry;
};
const answerOf = ({ shown }) => shown.answer;
/** The answer of a trial. */
const trial = (html) => ({ html, reason: "" });

const GRAPH = '<figure><svg><circle r="1" class="node"/><text>a &lt; 2</text></svg></figure><p>= <b>4</b></p>';

test("an entry that changes is stored again", () => {
  const entry = shownEntry("<p>1</p>");
  stored.add(entry);
  change(entry, { state: "faded" });
  assert.equal(entry.state, "faded");
  assert.ok(!stored.has(entry));
});

test("a picture with the same elements stays, and gets only words and attributes that differ", () => {
  const entry = shownEntry(GRAPH);
  const [circle, text] = ["circle", "text"].map((name) => answerOf(entry).querySelector(name));
  const number = () => answerOf(entry).querySelector("b").textContent;
  circle.setAttribute("tabindex", "0");
  showAnswer(entry, trial(GRAPH.replace('r="1" class="node"', 'r="2" cx="7"').replace("a &lt; 2", "a &lt; 2.5").replace(">4<", ">6.25<")));
  assert.deepEqual(["circle", "text"].map((name) => answerOf(entry).querySelector(name)), [circle, text]);
  // What the page has added stays.
  assert.deepEqual(circle.attributes, [{ name: "r", value: "2" }, { name: "tabindex", value: "0" }, { name: "cx", value: "7" }]);
  assert.deepEqual([text.textContent, number()], ["a < 2.5", "6.25"]);
  // The answer is still the one before the trial.
  assert.equal(entry.html, GRAPH);
  showAnswer(entry);
  assert.deepEqual([circle.getAttribute("r"), circle.getAttribute("class"), number()], ["1", "node", "4"]);
});

test("an element of a picture with another key is another one", () => {
  const edges = (...keys) => `<figure><svg>${keys.map((key) => `<g data-key="${key}"><path/></g>`).join("")}</svg></figure>`;
  const entry = shownEntry(edges("1-2", "1-3", "2-4"));
  const shown = () => answerOf(entry).querySelectorAll("g");
  const [first, , last] = shown();
  showAnswer(entry, trial(edges("1-2", "2-3", "2-4")));
  assert.deepEqual([...shown()].map((edge) => edge.getAttribute("data-key")), ["1-2", "2-3", "2-4"]);
  const [one, other, another] = shown();
  assert.deepEqual([one === first, other === first, another === last], [true, false, true]);
});

test("every trial is shown: what has other elements is filled anew, beside a picture that stays", () => {
  const entry = shownEntry(GRAPH);
  const picture = answerOf(entry).querySelector("svg");
  const shows = (html, words, isSame) => {
    showAnswer(entry, trial(html));
    assert.deepEqual([answerOf(entry).textContent, answerOf(entry).querySelector("svg") === picture], [words, isSame], html);
  };
  shows(GRAPH.replace("= <b>4</b>", "<i>5</i>"), "a < 25", true);
  shows(GRAPH.replace("= <b>4</b>", "<i></i>"), "a < 2", true);
  // A picture with another element, and one more block.
  shows(GRAPH.replace("</svg>", "<text>6</text></svg>"), "a < 26= 4", true);
  shows(`${GRAPH}<p>x</p>`, "a < 2= 4x", false);
  showAnswer(entry);
  assert.equal(answerOf(entry).textContent, "a < 2= 4");
  assert.equal(answerOf(entry).querySelector("svg").getAttribute("tabindex"), "0");
});

test("an answer of before is marked, as is one without an answer in a trial, and a picture has its entry", () => {
  const entry = shownEntry(GRAPH, "a was 2");
  const isBefore = () => answerOf(entry).classList.contains("before");
  const picture = answerOf(entry).querySelector("svg");
  assert.deepEqual([isBefore(), answerOf(entry).dataset.reason], [true, "a was 2"]);
  assert.deepEqual([picture.getAttribute("role"), picture.getAttribute("tabindex")], ["img", "0"]);
  assert.equal(entryOf(picture), entry);
  change(entry, { reason: "" });
  showAnswer(entry);
  assert.ok(!isBefore());
  showAnswer(entry, { html: entry.html, reason: "not of these numbers" });
  assert.deepEqual([isBefore(), answerOf(entry).querySelector("svg")], [true, picture]);
  showAnswer(entry);
  assert.ok(!isBefore());
});
