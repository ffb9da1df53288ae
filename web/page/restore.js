// @ts-check
// Brings back a stored session: its statements, its entries and its lesson.

import { address, keySlot } from "./address.js";
import { session } from "./calculator.js";
import { display, showEntry } from "./enter.js";
import { canBeAnswered, entries, isFaded, stateAfterEnd, stored } from "./entries.js";
import { put, quoted } from "./files.js";
import { history } from "./history.js";
import { fillLine } from "./line.js";
import { button, note } from "./parts.js";
import { titleOf } from "./sessions.js";
import { lock, updateState } from "./state.js";
import { claim, remembered, statementsIn, storedEntries, storedSessions } from "./storage.js";
import { leaveOwn, openSession, own } from "./tab.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("./storage.js").Lesson} Lesson */
/** @typedef {import("./storage.js").StoredSession} StoredSession */

/** Brings back the session of this tab, as a job of the queue. Returns false if it has none. */
export const bringBack = async () => {
  const key = remembered(keySlot);
  if (!key || address.shown) return false;
  const record = (await storedSessions().catch(() => [])).find((one) => one.key === key);
  if (!record) return false;
  // A duplicated tab cannot claim the session, and stores its own copy under a new key.
  if (await claim(key)) Object.assign(own, { key, name: record.name ?? "" });
  await restore(record);
  return true;
};

/** Offers the newest session. */
export const offerStored = async () => {
  const [last] = await storedSessions().catch(() => []);
  if (!last) return;
  const day = new Date(last.time).toLocaleString();
  note(`The session of ${day}, ${titleOf(last)}, is stored here. `, button("Bring it back", () => openSession(last.key)));
};

/** @param {StoredSession} record */
const restore = async (record) => {
  history.lines.push(...record.history);
  history.leave();
  const records = /** @type {Entry[]} */ (await storedEntries(record.key));
  if (await runAgain(records)) {
    await showAgain(records);
    note("The session from before is back.");
    if (record.lesson) await resume(record.lesson).catch((reason) => note(`The lesson does not go on (${reason}).`));
  }
  lock();
};

/** Runs the statements of stored entries. Returns false if they failed. @param {Entry[]} records */
const runAgain = async (records) => {
  /** @type {Answer | undefined} */
  const answer = await session.ask("restore", statementsIn(records)).catch((reason) => {
    note(`The statements from before do not run here (${reason}).`);
  });
  if (answer && !answer.failed) {
    updateState(answer);
    return true;
  }
  // The stored session stays, and further entries belong to another one.
  leaveOwn();
  if (answer) await showEntry(answer, "", "whole");
  return false;
};

/** Shows stored entries with the answers that they had. @param {Entry[]} records */
const showAgain = async (records) => {
  const open = records.filter(canBeAnswered);
  await renew(open).catch(() => open.forEach((entry) => (entry.state = stateAfterEnd(entry))));
  for (const entry of records) {
    entries.push(entry);
    if (own.key) stored.add(entry);
    display(entry);
  }
};

/** Gives entries of an earlier session their numbers in this one. @param {Entry[]} earlier */
const renew = async (earlier) => {
  const asked = earlier.map((entry) => {
    const { target, pass, text, counted } = entry;
    // `Page::renew` describes this record.
    const words = `${target ?? ""}\n${pass ?? ""}\n${text}`;
    return { words, counted, isOfBefore: isFaded(entry), isOfLesson: entry.session === "lesson" };
  });
  /** @type {number[]} */
  const numbers = await session.ask("renew", asked);
  numbers.forEach((id, at) => (earlier[at].id = id));
};

/** The statement that plays a lesson. A lesson of the user's own becomes a file first. @param {Pick<Lesson, "name" | "text">} lesson */
export const playing = async ({ name, text }) => {
  if (text === null) return `:play ${name}`;
  await put(name, new TextEncoder().encode(text));
  return `:play ${quoted(name)}`;
};

/** Goes on with the lesson of an earlier session. @param {Lesson} lesson */
const resume = async (lesson) => {
  /** @type {Answer} */
  const answer = await session.ask("resume", { statement: await playing(lesson), place: lesson.place });
  updateState(answer);
  fillLine(answer);
};
