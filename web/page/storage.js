// @ts-check
// What the browser keeps: records of sessions, each by its key.

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {Omit<Entry, "shown">} StoredEntry */
/** @typedef {{ key: string, name?: string, time: number, kept: string, history: string[], entries: StoredEntry[] }} StoredSession */

const MOST_SIGNS = 5_000_000;
const MOST_UNNAMED = 20;

/** Sessions of other pages from the same server have other keys. */
const area = () => `chainrule ${location.pathname} `;

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((answer, refuse) => {
  request.onsuccess = () => answer(request.result);
  request.onerror = () => refuse(request.error);
});

/** @type {Promise<IDBDatabase> | undefined} */
let base;

/** @param {IDBTransactionMode} mode */
const sessions = async (mode) => {
  if (!base) {
    const opening = indexedDB.open("chainrule");
    opening.onupgradeneeded = () => opening.result.createObjectStore("sessions", { keyPath: "key" });
    base = done(opening);
  }
  return (await base).transaction("sessions", mode).objectStore("sessions");
};

/** The sessions of this page, the newest first. @returns {Promise<StoredSession[]>} */
export const storedSessions = async () => {
  const found = await done((await sessions("readonly")).getAll(IDBKeyRange.bound(area(), `${area()}~`)));
  return found.sort((one, other) => other.time - one.time);
};

/** The key of a new session. */
export const newKey = () => `${area()}${Date.now()}`;

/** What a tab remembers, beyond a reload; nothing where the browser stores nothing. @param {string} slot */
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
  } catch { /* A browser that stores nothing. */ }
};

/**
 * Makes a session that of this tab, as long as the tab is open. Says no if another tab has it, as where one was duplicated.
 * @param {string} key
 * @returns {Promise<boolean>}
 */
export const claim = (key) => new Promise((answer) => {
  if (!navigator.locks) return answer(true);
  const untilClosed = () => {
    answer(true);
    return new Promise(() => {});
  };
  // A page that is loaded again gives it back a moment later.
  navigator.locks.request(key, { signal: AbortSignal.timeout(500) }, untilClosed).catch(() => answer(false));
});

/** Forgets the oldest sessions; none that has a name. */
export const forgetOldest = async () => {
  const unnamed = (await storedSessions()).filter(({ name }) => !name);
  for (const { key } of unnamed.slice(MOST_UNNAMED)) await forget(key);
};

/** Gives a session another name, as it is stored now. @param {string} key @param {string} name */
export const rename = async (key, name) => {
  const store = await sessions("readwrite");
  const record = await done(store.get(key));
  if (record) await done(store.put({ ...record, name }));
};

/** @param {StoredSession} record */
export const keep = async (record) => done((await sessions("readwrite")).put(record));

/** @param {string} key */
export const forget = async (key) => done((await sessions("readwrite")).delete(key));

/**
 * The entries as they are stored. Where they are too much, the largest pictures are left out.
 * @param {StoredEntry[]} entries
 * @param {number} size of what is stored beside them
 * @param {(html: string) => string} withoutPictures
 */
export const slim = (entries, size, withoutPictures) => {
  let all = entries.reduce((sum, { html, text }) => sum + html.length + text.length, size);
  for (const entry of [...entries].sort((one, other) => other.html.length - one.html.length)) {
    if (all <= MOST_SIGNS) break;
    const rest = withoutPictures(entry.html);
    all -= entry.html.length - rest.length;
    entry.isCut ||= rest !== entry.html;
    entry.html = rest;
  }
  return entries;
};
