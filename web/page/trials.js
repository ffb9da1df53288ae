// @ts-check
// Shows entries as if leaves had other numbers: those of a slider that moves, or those of a curve or a map at the pointer.
// The leaves themselves stay as they are until the slider is released.

import { session, queue } from "./calculator.js";
import { canBeAnswered, entries, entryOf, showAnswer, showTrial } from "./entries.js";
import { gesture } from "./gesture.js";
import { part } from "./parts.js";
import { numbersOf } from "./sliders.js";
import { value } from "./state.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./places.js").Point} Point */

/** Functions that show the answers of trials. Each runs after the next job has begun. @type {Set<() => void>} */
const pendingTrials = new Set();

/**
 * Answers entries as if leaves had other numbers, and shows these answers while the session does the next job. The axis of
 * a curve keeps these `ends`.
 * @param {Record<string, number>} settings the numbers of the leaves
 * @param {Entry[]} tried
 * @param {Point["ends"]} [ends]
 */
const tryOut = async (settings, tried, ends) => {
  const ids = tried.map(({ id }) => id);
  // After a trial that fails or is interrupted, the entries keep their answers.
  /** @type {string[]} */
  const answers = await session.ask("tryOut", { settings, entries: ids, ...ends }).catch(() => []);
  const showTried = () => answers.forEach((html, at) => html && showTrial(tried[at], html));
  pendingTrials.add(showTried);
  // Draws after the worker has got its next job, so that it computes while the page draws. In the meantime, `showAnswers`
  // may drop the trial.
  setTimeout(() => pendingTrials.delete(showTried) && showTried());
};

/** Shows the answers again, and drops the trials. */
export const showAnswers = () => {
  pendingTrials.clear();
  entries.forEach(showAnswer);
  part("notebook").ariaLive = null;
};

/** Is the entry in the window, and can it be answered again? @param {Entry} entry */
const canFollow = (entry) => {
  const { top, bottom } = entry.shown.answer.getBoundingClientRect();
  return canBeAnswered(entry) && bottom > 0 && top < innerHeight;
};

/** Shows the visible entries with the numbers of moving leaves. @type {import("./sliders.js").Follower["move"]} */
export const follow = (moves, point) => {
  part("notebook").ariaLive = "off";
  const settings = numbersOf(moves);
  queue.renew("follow", async () => {
    const dragged = point && entryOf(point.picture);
    // The axis of a dragged picture keeps its ends, or the point would not stay under the pointer.
    if (dragged) await tryOut(settings, [dragged], point.ends);
    await tryOut(settings, entries.filter((entry) => entry !== dragged && canFollow(entry)));
  });
};

/** Shows a point of a curve or a map, as if its leaves were there. @param {Point} point */
export const showPoint = ({ picture, leaves, ends }) => {
  const entry = entryOf(picture);
  const free = leaves.filter(({ name }) => value(name) !== undefined);
  if (!entry || !canBeAnswered(entry) || gesture.state !== "idle" || !free.length) return;
  part("notebook").ariaLive = "off";
  queue.renew("point", () => tryOut(numbersOf(free), [entry], ends));
};

/** Shows the answers again after the pointer has left a point. @param {Point} point */
export const hidePoint = ({ picture }) => {
  if (!entryOf(picture) || gesture.state !== "idle") return;
  queue.renew("point", async () => showAnswers());
};
