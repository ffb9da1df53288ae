// Shows entries as if leaves had other numbers: those of a slider that moves, or those of a curve or a map at the pointer.
// The leaves themselves stay as they are until the slider is released.

import { session, queue } from "./calculator.js";
import { canBeAnswered, entries, entryOf, showAnswer } from "./entries.js";
import { gesture } from "./gesture.js";
import { part } from "./parts.js";
import { endsOfAxis } from "./places.js";
import { numbersOf } from "./sliders.js";
import { value } from "./state.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./places.js").Point} Point */

/** Functions that show the answers of trials. Each runs after the next job has begun. @type {Set<() => void>} */
const pendingTrials = new Set();

/**
 * Answers entries as if leaves had other numbers, and shows these answers while the session does the next job.
 * @param {Record<string, number>} settings the numbers of the leaves
 * @param {Entry[]} tried
 */
const tryOut = async (settings, tried) => {
  const ids = tried.map(({ id }) => id);
  const axes = tried.map(({ shown }) => endsOfAxis(shown.answer));
  // After a trial that fails or is interrupted, the entries keep their answers.
  /** @type {(string | null)[]} */
  const answers = await session.ask("tryOut", { settings, entries: ids, axes }).catch(() => []);
  const showTried = () => answers.forEach((html, at) => {
    // An entry without an answer at these numbers fades.
    const answer = html ? { html, reason: "" } : { html: tried[at].shown.html, reason: "not of these numbers" };
    if (html !== null) showAnswer(tried[at], answer, settings);
  });
  pendingTrials.add(showTried);
  // Draws after the worker has got its next job, so that it computes while the page draws. In the meantime, `showAnswers`
  // may drop the trial.
  setTimeout(() => pendingTrials.delete(showTried) && showTried());
};

/** Shows the answers again, and drops the trials. */
export const showAnswers = () => {
  pendingTrials.clear();
  entries.forEach((entry) => showAnswer(entry));
  part("notebook").ariaLive = null;
};

/** Is the entry in the window? An entry that has ended has no answer in a trial, and fades. @param {Entry} entry */
const canFollow = ({ id, html, shown }) => {
  const { top, bottom } = shown.answer.getBoundingClientRect();
  const isSeen = shown.answer.matches(".beside") || (bottom > 0 && top < innerHeight);
  return id !== null && html && isSeen;
};

/** Shows the visible entries with the numbers of moving leaves. @type {import("./sliders.js").Follower["move"]} */
export const follow = (moves, point) => {
  part("notebook").ariaLive = "off";
  const settings = numbersOf(moves);
  queue.renew("follow", async () => {
    const dragged = point && entryOf(point.picture);
    // The dragged picture comes first, so that its point stays under the pointer.
    if (dragged) await tryOut(settings, [dragged]);
    await tryOut(settings, entries.filter((entry) => entry !== dragged && canFollow(entry)));
  });
};

/** Shows a point of a curve or a map, as if its leaves were there. @param {Point} point */
export const showPoint = ({ picture, leaves }) => {
  const entry = entryOf(picture);
  const free = leaves.filter(({ name }) => value(name) !== undefined);
  if (!entry || !canBeAnswered(entry) || gesture.state !== "idle" || !free.length) return;
  part("notebook").ariaLive = "off";
  queue.renew("point", () => tryOut(numbersOf(free), [entry]));
};

/** Shows the answers again after the pointer has left a point. @param {Point} point */
export const hidePoint = ({ picture }) => {
  if (!entryOf(picture) || gesture.state !== "idle") return;
  queue.renew("point", async () => showAnswers());
};

// An entry that comes into sight shows the numbers of a slider that a hand holds.
addEventListener("scroll", () => entries.length && gesture.moves.some(({ name }) => gesture.isMoving(name)) && follow(gesture.moves));
