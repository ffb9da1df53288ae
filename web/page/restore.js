// Brings back a stored session: its statements, its entries and its lesson.

import { address, keySlot } from "./address.js";
import { session } from "./calculator.js";
import { display, showEntry } from "./enter.js";
import { canBeAnswered, entries, stored } from "./entries.js";
import { put } from "./files.js";
import { history } from "./history.js";
import { fillLine } from "./line.js";
import { button, clickableWords, note, part } from "./parts.js";
import { titleOf } from "./sessions.js";
import { typedEnds } from "./sliders.js";
import { known, lock, updateState } from "./state.js";
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

/** Offers the newest session, above the start. */
export const offerStored = async () => {
  const [last] = await storedSessions().catch(() => []);
  if (!last || !part("offer")) return;
  const day = new Date(last.time).toLocaleString();
  part("offer").replaceChildren(`The session of ${day}, ${titleOf(last)}, is stored here. `, button("Bring it back", () => openSession(last.key)));
  part("offer").hidden = false;
};

/** @param {StoredSession} record */
const restore = async (record) => {
  history.lines.push(...record.history);
  history.leave();
  const records = /** @type {Entry[]} */ (await storedEntries(record.key));
  const answer = await runAgain(records, record.lesson);
  if (answer) {
    known.asked = record.asked ?? known.asked;
    for (const [name, ends] of record.ends ?? []) typedEnds.set(name, ends);
    await showAgain(records);
    note("The session from before is back.");
    if (record.walk) note("The walk is closed. ", clickableWords(record.walk), " begins it again.");
    fillLine(answer);
  }
  lock();
};

/**
 * Runs the statements of stored entries, and goes on with their lesson. Returns nothing if they failed.
 * @param {Entry[]} records
 * @param {Lesson | null} [lesson]
 */
const runAgain = async (records, lesson) => {
  const play = lesson ? await playing(lesson) : undefined;
  /** @type {Answer | undefined} */
  const answer = await session.ask("restore", { statements: statementsIn(records), play, place: lesson?.place }).catch((reason) => {
    note(`The statements from before do not run here (${reason}).`);
  });
  if (answer && !answer.failed) {
    updateState(answer);
    return answer;
  }
  // The stored session stays, and further entries belong to another one.
  leaveOwn();
  if (answer) await showEntry(answer, "", "whole");
};

/** Shows stored entries with the answers that they had. @param {Entry[]} records */
const showAgain = async (records) => {
  const open = records.filter(canBeAnswered);
  // This session has given no numbers yet.
  for (const entry of records) entry.id = null;
  await renew(open).catch(() => open.forEach((entry) => (entry.state = "ended")));
  for (const entry of records) {
    entries.push(entry);
    if (own.key) stored.add(entry);
    display(entry);
  }
};

/** Gives entries of an earlier session their numbers in this one. @param {Entry[]} earlier */
const renew = async (earlier) => {
  const asked = earlier.map(({ text, target, pass, counted, added, reason, session: name }) => (
    { text, target, pass, counted, added, reason, isOfLesson: name === "lesson" }));
  /** @type {number[]} */
  const numbers = await session.ask("renew", asked);
  numbers.forEach((id, at) => (earlier[at].id = id));
};

/** The statement that plays a lesson. A lesson of the user's own becomes a file first. @param {Pick<Lesson, "name" | "text">} lesson */
export const playing = async ({ name, text }) => {
  if (text === null) return `:play ${name}`;
  const { play } = await put(name, new TextEncoder().encode(text));
  return play ?? "";
};
