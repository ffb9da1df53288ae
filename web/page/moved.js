// @ts-check
// Answers entries again after leaves have moved, and marks the answers that stay as they were.

import { session } from "./calculator.js";
import { canBeAnswered, change, entries, showAnswer } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */

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
  /** The numbers of the outdated entries. */
  const outdated = new Set(answer.of_before);
  const follows = (/** @type {Entry} */ entry) =>
    canBeAnswered(entry) && outdated.has(entry.id) && (isSlider || entry.isMoved);
  if (isSlider || (answer.follow && from !== "stopped")) {
    for (const name of moved) {
      const answered = await answerAgain(name, entries.filter(follows), isSlider);
      answered.forEach(({ id }) => id !== null && outdated.delete(id));
    }
  }
  for (const entry of entries) {
    if (!canBeAnswered(entry)) continue;
    const state = outdated.has(entry.id) ? "faded" : "live";
    if (state === entry.state) continue;
    change(entry, { state });
    showAnswer(entry);
  }
};

/**
 * Answers again those of the asked entries that depend on a leaf, and returns them.
 * @param {string} name
 * @param {Entry[]} asked
 * @param {boolean} isSlider
 */
const answerAgain = async (name, asked, isSlider) => {
  // If the session fails, the answers stay and are marked as of before.
  /** @type {string[]} */
  const answers = await session.ask("again", { name, entries: asked.map(({ id }) => id) }).catch(() => []);
  // The session sends an empty text for an entry that it does not answer again.
  const answered = asked.filter((_, at) => answers[at]);
  const htmls = answers.filter((html) => html);
  for (const [at, entry] of answered.entries()) {
    change(entry, { html: htmls[at], isMoved: isSlider || entry.isMoved, state: "live" });
    showAnswer(entry);
  }
  return answered;
};
