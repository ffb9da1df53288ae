// Answers the questions of a lesson with the numbers with which they were asked, although leaves may have moved since.

import { session } from "./calculator.js";
import { enter } from "./enter.js";
import { entries } from "./entries.js";
import { newElement, reveal } from "./parts.js";
import { numbersOf } from "./sliders.js";
import { known, value } from "./state.js";

/** Enters a text in a lesson, as a job of the queue. If it is an answer, first moves leaves back that have moved since the question. @param {string} text @param {import("./link.js").Origin} [from] */
export const enterInLesson = async (text, from) => {
  const moved = isAnswer(text) ? movedSinceAsked() : [];
  if (!moved.length) return enter(text, from);
  await enter(await session.ask("setting", numbersOf(moved)), "slider");
  const isComplete = await enter(text, from);
  const numbers = moved.map(({ name, now }) => `${name} = ${now}`).join(", ");
  const answer = entries.at(-1)?.shown.answer;
  answer?.after(newElement("p", { className: "note", textContent: `The numbers of the question are back: ${numbers}.` }));
  const article = answer?.closest("article");
  if (article) reveal(article);
  return isComplete;
};

/** Does a text fill the gap of the present question, or ask for its answer? @param {string} text */
const isAnswer = (text) => {
  const [before, after] = known.line ?? ["", ""];
  return known.asks && (text.trim() === known.lesson?.show || (text !== before + after && text.startsWith(before.trim())));
};

const movedSinceAsked = () => [...known.asked].flatMap(([name, asked]) => {
  const now = value(name);
  return now === undefined || now === asked ? [] : { name, now: asked };
});
