// @ts-check
// Takes the text of the line when the user presses Enter, and runs such texts in their order. While one runs, the others wait
// below the last entry, where the user can take them back into the line.

import { draftSlot } from "./address.js";
import { queue } from "./calculator.js";
import { enter, SLOW_MILLISECONDS } from "./enter.js";
import { draft, lineText, takeLine, type } from "./line.js";
import { button, newElement, part } from "./parts.js";
import { remember } from "./storage.js";

/** A text that the user has entered. The first one may run already, and the others wait. @typedef {{ text: string, isRunning: boolean }} Submission */

/** @type {Submission[]} */
let submissions = [];

/** Makes the tab remember the texts that have no answer yet, and what the user is typing. */
export const keepDraft = () => remember(draftSlot, joinTexts([...submissions, { text: draft() }]));

/** Runs the text of the line after those that wait. While a lesson asks, they are its answers, as in a terminal. */
export const submit = () => {
  const submission = { text: takeLine(), isRunning: false };
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

/** Runs a text, as a job of the queue, unless it was taken back. @param {Submission} submission */
const run = async (submission) => {
  if (!submissions.includes(submission)) return;
  submission.isRunning = true;
  showWaiting();
  const isComplete = await enter(submission.text, "line").finally(() => remove([submission]));
  if (!isComplete) goOn(submission.text);
  keepDraft();
};

/** Continues an incomplete text with the next one, or else in the line. @param {string} text */
const goOn = (text) => {
  const [next] = submissions;
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
