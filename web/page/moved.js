// @ts-check
// Answers entries again after leaves have moved, and marks the answers that stay as they were.

import { session } from "./calculator.js";
import { entries, showAnswer, stored } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */

/** The entries that the call of `showMoved` has answered again so far. @type {Set<Entry>} */
const answeredNow = new Set();

/**
 * After leaves have moved, answers again every entry that follows the leaves, and marks the other outdated entries. When
 * a slider moves, all entries follow. After `:undo` or `:set`, only those follow that a slider has changed before
 * (`isMoved`). Work that was stopped changes no answer.
 * @param {import("./state.js").Answer} answer
 * @param {string[]} moved
 * @param {import("./link.js").Origin} from
 */
export const showMoved = async (answer, moved, from) => {
  const isSlider = from === "slider";
  const ofBefore = new Set(answer.of_before);
  const follows = (/** @type {Entry} */ entry) => {
    if (entry.id === undefined || answeredNow.has(entry)) return false;
    return ofBefore.has(entry.id) && (isSlider || entry.isMoved);
  };
  if (isSlider || (answer.follow && from !== "stopped")) {
    for (const name of moved) await answerAgain(name, entries.filter(follows), isSlider);
  }
  for (const entry of entries) {
    if (entry.id === undefined || !entry.html) continue;
    const isOfBefore = ofBefore.has(entry.id) && !answeredNow.has(entry);
    if (isOfBefore === !!entry.isOfBefore) continue;
    entry.isOfBefore = isOfBefore;
    stored.delete(entry);
    showAnswer(entry);
  }
  answeredNow.clear();
};

/**
 * Computes the answers of entries that depend on a leaf again.
 * @param {string} name
 * @param {Entry[]} asked
 * @param {boolean} isSlider
 */
const answerAgain = async (name, asked, isSlider) => {
  // If the session fails, the answers stay and are marked as of before.
  /** @type {string[]} */
  const answers = await session.ask("again", { name, entries: asked.map(({ id }) => id) }).catch(() => []);
  for (const [at, html] of answers.entries()) {
    // The session sends an empty text for an entry that it does not answer again.
    if (!html) continue;
    const entry = asked[at];
    Object.assign(entry, { html, isMoved: isSlider || entry.isMoved, isOfBefore: false });
    answeredNow.add(entry);
    stored.delete(entry);
    showAnswer(entry);
  }
};
