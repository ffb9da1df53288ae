// Stores sessions in the browser, each by its key.

/** @typedef {Omit<import("./entries.js").Entry, "shown">} StoredEntry */
/**
 * A lesson that is open, or was left. A lesson of the user's own has a text; a built-in one has a session of its own.
 * @typedef {{ name: string, place: string, text: string | null, open: boolean, show: string }} Lesson
 */
/**
 * The record of a session. Each of its entries has a record of its own.
 * @typedef {{ key: string, name?: string, time: number, title: string, lesson?: Lesson | null, asked?: Map<string, number>, walk?: string | null, ends?: Map<string, { low: number, high: number }>, history: string[] }} StoredSession
 */

const MAX_UNNAMED = 20;

/** Sessions of other pages from the same server have other keys. */
const area = () => `chainrule ${location.pathname} `;

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const resultOf = (request) => new Promise((answer, refuse) => {
  request.onsuccess = () => answer(request.result);
  request.onerror = () => refuse(request.error);
});

/** Why the browser does not store sessions, in words for the user. @param {unknown} fault */
export const reasonOf = (fault) => {
  const { name, message } = /** @type {Error} */ (fault);
  if (name === "QuotaExceededError") return "the storage of the browser is full";
  // This module has made it. Others are about scripts or end with a full stop.
  return name === "Error" ? message : "the browser lets this page store nothing";
};

/** @type {Promise<IDBDatabase> | undefined} */
let base;

/** @type {() => Promise<IDBDatabase>} */
const openBase = () => new Promise((answer, refuse) => {
  const opening = indexedDB.open("chainrule", 2);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("sessions", { keyPath: "key" });
    opening.result.createObjectStore("entries");
  };
  opening.onblocked = () => refuse(new Error("another tab has an earlier version of this page"));
  resultOf(opening).then((opened) => {
    opened.onversionchange = () => opened.close();
    answer(opened);
  }, refuse);
});

/** @param {IDBTransactionMode} mode */
const stores = async (mode) => {
  const transaction = (await (base ??= openBase())).transaction(["sessions", "entries"], mode);
  return { sessions: transaction.objectStore("sessions"), entries: transaction.objectStore("entries") };
};

/** The keys of the entries of a session. Each consists of the key of the session and the index of the entry. @param {string} key */
const entriesOf = (key) => IDBKeyRange.bound([key], [key, []]);

/** The title of a session: its first statement. @param {{ text: string }[]} entries */
export const titleIn = (entries) => entries.find(({ text }) => text.trim())?.text.trim().split("\n")[0] ?? "";

/** The statements that bring a session back. @param {Pick<StoredEntry, "kept" | "isAnew">[]} entries */
export const statementsIn = (entries) => {
  const first = entries.findLastIndex(({ isAnew }) => isAnew);
  return entries.slice(Math.max(first, 0)).map(({ kept }) => kept).join("");
};

/** The sessions of this page, the newest first. @returns {Promise<StoredSession[]>} */
export const storedSessions = async () => {
  const { sessions } = await stores("readonly");
  const found = await resultOf(sessions.getAll(IDBKeyRange.bound(area(), `${area()}~`)));
  return found.sort((one, other) => other.time - one.time);
};

/** @param {string} key */
export const isStored = async (key) => (await resultOf((await stores("readonly")).sessions.getKey(key))) !== undefined;

/** @param {string} key @returns {Promise<StoredEntry[]>} */
export const storedEntries = async (key) => resultOf((await stores("readonly")).entries.getAll(entriesOf(key)));

/** The key of a new session. */
export const newKey = () => `${area()}${Date.now()}`;

/** A text that the tab remembers after a reload; empty if the browser stores nothing. @param {string} slot */
export const remembered = (slot) => {
  try {
    return sessionStorage.getItem(slot) ?? "";
  } catch {
    return "";
  }
};

/** @param {string} slot @param {string} text */
export const remember = (slot, text) => {
  try {
    if (text) sessionStorage.setItem(slot, text);
    else sessionStorage.removeItem(slot);
  } catch { /* The browser stores nothing. */ }
};

/**
 * Claims a session for this tab, as long as the tab is open. Answers false if another tab has it, such as the one that
 * was duplicated.
 * @param {string} key
 * @returns {Promise<boolean>}
 */
export const claim = (key) => new Promise((answer) => {
  if (!navigator.locks) return answer(true);
  const untilClosed = () => {
    answer(true);
    return new Promise(() => {});
  };
  // When a page is reloaded, its claim ends a moment later.
  navigator.locks.request(key, { signal: AbortSignal.timeout(500) }, untilClosed).catch(() => answer(false));
});

/** Forgets the oldest sessions without a name. */
export const forgetOldest = async () => {
  const unnamed = (await storedSessions()).filter(({ name }) => !name);
  for (const { key } of unnamed.slice(MAX_UNNAMED)) await forget(key);
};

/** Gives a stored session another name. @param {string} key @param {string} name */
export const rename = async (key, name) => {
  const { sessions } = await stores("readwrite");
  const record = await resultOf(sessions.get(key));
  if (record) await resultOf(sessions.put({ ...record, name }));
};

/** Stores a session, and the entries that have changed, by their places. @param {StoredSession} record @param {Map<number, StoredEntry>} changed */
export const keep = async (record, changed) => {
  const { sessions, entries } = await stores("readwrite");
  const requests = [...changed].map(([at, entry]) => resultOf(entries.put(entry, [record.key, at])));
  await Promise.all([...requests, resultOf(sessions.put(record))]);
};

/** @param {string} key */
export const forget = async (key) => {
  const { sessions, entries } = await stores("readwrite");
  await Promise.all([resultOf(entries.delete(entriesOf(key))), resultOf(sessions.delete(key))]);
};
