// Takes the text of the line when the user presses Enter, and runs such texts in their order. While one runs, the others wait
// below the last entry, where the user can take them back into the line. While a lesson or a walk asks, those wait that were
// entered before it asked: they are no answers to its question.

import { draftSlot } from "./address.js";
import { queue } from "./calculator.js";
import { SLOW_MILLISECONDS } from "./enter.js";
import { enterInLesson } from "./lesson.js";
import { draft, lineText, takeLine, type } from "./line.js";
import { button, newElement, part } from "./parts.js";
import { known } from "./state.js";
import { remember } from "./storage.js";

/**
 * A text that the user has entered. The first one may run already, and the others wait.
 * @typedef {{ text: string, isRunning: boolean, isAnswer: boolean }} Submission `isAnswer`: it was entered while a lesson or
 *   a walk asked
 */

/** @type {Submission[]} */
let submissions = [];

/** Makes the tab remember the texts that have no answer yet, and what the user is typing. */
export const keepDraft = () => remember(draftSlot, joinTexts([...submissions, { text: draft() }]));

/** Runs the text of the line after those that wait. */
export const submit = () => {
  const submission = { text: takeLine(), isRunning: false, isAnswer: known.asks };
  submissions.push(submission);
  keepDraft();
  // Most texts wait only for a moment, and the page would flicker.
  setTimeout(showWaiting, SLOW_MILLISECONDS);
  return queue.add("submit", () => run(submission));
};

/** Takes all texts that wait back into the line. Returns whether there were any. */
export const takeBackAll = () => takeBack(submissions.filter(({ isRunning }) => !isRunning));

/** @param {Submission[]} taken */
const takeBack = (taken) => {
  remove(taken);
  if (taken.length) type(joinTexts([...taken, { text: draft() }]));
  showWaiting();
  return taken.length > 0;
};

/** @param {Submission[]} removed */
const remove = (removed) => (submissions = submissions.filter((submission) => !removed.includes(submission)));

/** Runs a text, as a job of the queue, unless it was taken back or waits for the end of a question. @param {Submission} submission */
const run = async (submission) => {
  if (!submissions.includes(submission)) return;
  if (known.asks && !submission.isAnswer) {
    // An empty line was meant for what was asked of the user before.
    if (!submission.text.trim()) remove([submission]);
    return showWaiting();
  }
  submission.isRunning = true;
  showWaiting();
  const wasAsked = known.asks;
  const isComplete = await enterInLesson(submission.text, "line").finally(() => remove([submission]));
  if (!isComplete) goOn(submission);
  if (wasAsked) runWaiting();
  keepDraft();
};

/** Runs the texts that have waited for the end of a question, if it has ended. */
export const runWaiting = () => {
  if (!known.asks) for (const waiting of submissions) queue.add("submit", () => run(waiting));
};

/** Continues an incomplete text with the next one, or else in the line. @param {Submission} submission */
const goOn = ({ text, isAnswer }) => {
  const next = submissions.find((it) => it.isAnswer === isAnswer);
  if (next) next.text = `${text}\n${next.text}`;
  else type(`${text}\n${lineText()}`);
};

/** Joins texts, one a line. @param {{ text: string }[]} parts */
const joinTexts = (parts) => parts.map(({ text }) => text).filter((text) => text.trim()).join("\n");

const showWaiting = () => {
  const waiting = submissions.filter(({ text, isRunning }) => !isRunning && text.trim());
  part("waiting").replaceChildren(...waiting.map((submission) => {
    const back = button("Take back", () => {
      takeBack([submission]);
      part("entry").focus();
    });
    return newElement("li", {}, newElement("code", { textContent: submission.text }), back);
  }));
  part("waiting").lastElementChild?.scrollIntoView({ block: "nearest" });
};
