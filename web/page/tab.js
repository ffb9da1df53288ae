// The session of this tab in the store of the browser: stores it after each change, and opens another one in its place.

import { address, isTouched, keySlot } from "./address.js";
import { entries, stored } from "./entries.js";
import { history } from "./history.js";
import { button, clickableWords, note, part } from "./parts.js";
import { typedEnds } from "./sliders.js";
import { known } from "./state.js";
import { claim, forget, forgetOldest, isStored, keep, newKey, reasonOf, remember, remembered, titleIn } from "./storage.js";

/** The statement that a note offers if the browser does not store the session. */
export const SAVE_STATEMENT = ":save session.calc";

/**
 * The session of this tab in the store.
 * @typedef {object} OwnSession
 * @property {string | undefined} key undefined until the session is stored
 * @property {string} name the name that the user gave
 * @property {boolean} isUnstored whether it is not stored: a link shows only a part of it, or the browser has refused
 */

/** @type {OwnSession} */
export const own = { key: undefined, name: "", isUnstored: address.shown !== undefined };

/** Stores the session. */
export const store = async () => {
  if (!isTouched() || own.isUnstored || part("nothing").checked) return;
  try {
    if (!known.isKept) return await forgetOwn();
    const isNew = !own.key;
    const key = (own.key ??= newKey());
    remember(keySlot, key);
    // Another tab may have deleted it.
    if (!(await isStored(key))) stored.clear();
    const changed = takeChanged();
    const { lesson, asked } = known;
    const walk = known.walk && known.walk.made < known.walk.of ? known.walk[known.walk.direction] : null;
    await keep({ key, name: own.name, time: Date.now(), title: titleIn(entries), lesson, asked, walk, ends: typedEnds, history: history.lines }, changed);
    if (!isNew) return;
    await claim(key);
    await forgetOldest();
  } catch (error) {
    // The note appears only once.
    if (!own.isUnstored) note(`The session is not stored any more: ${reasonOf(error)}. `, clickableWords(SAVE_STATEMENT), " writes it into a file.");
    own.isUnstored = true;
  }
};

/** The records of the entries that must be stored, by their places. The entries count as stored from now on. */
const takeChanged = () => {
  const changed = new Map();
  for (const [at, entry] of entries.entries()) {
    const { shown, ...record } = entry;
    if (!stored.has(entry)) changed.set(at, record);
    stored.add(entry);
  }
  return changed;
};

/** Deletes the stored session. A session with a name stays as it was, and another one begins. */
const forgetOwn = async () => {
  stored.clear();
  if (own.key && !own.name) await forget(own.key);
  else leaveOwn();
};

/** Leaves the stored session as it is. The next entry begins another one. */
export const leaveOwn = () => Object.assign(own, { key: undefined, name: "" });

/** Opens another session in this tab. An empty key opens a new session. @param {string} key */
export const openSession = (key) => {
  remember("tab", key);
  if (location.hash) location.href = location.href.split("#")[0];
  else location.reload();
};

/** Reads from the tab whether the user wants no session to be stored. */
export const showStoresNothing = () => (part("nothing").checked = !!remembered("nothing"));

/** Follows the choice of the user to store no session, or to store it again. What is stored already stays until the user deletes it. */
export const changeStoresNothing = () => {
  const isChecked = part("nothing").checked;
  remember("nothing", isChecked ? "yes" : "");
  if (!isChecked) return store();
  const { key } = own;
  if (!key) return;
  const erase = button("Delete it", async () => {
    await forget(key);
    erase.replaceWith("It is deleted.");
  });
  note("Nothing further is stored. What is stored of this session stays. ", erase);
};
