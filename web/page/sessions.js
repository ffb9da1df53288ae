// Shows the list of stored sessions, in which the user opens, names, duplicates and deletes sessions.

import { openDialog } from "./focus.js";
import { button, newElement } from "./parts.js";
import { forget, keep, newKey, reasonOf, rename, storedEntries, storedSessions } from "./storage.js";
import { openSession, own } from "./tab.js";

/** @typedef {import("./storage.js").StoredSession} StoredSession */

const FOR_GOOD = "Delete for good";

/** The title of a session: its name, or its first statement. @param {{ name?: string, title: string }} record */
export const titleOf = ({ name, title }) => name || title;

/** @param {StoredSession} record @param {() => void} update */
const rowOf = (record, update) => {
  const isOwn = record.key === own.key;
  const day = new Date(record.time).toLocaleString();
  const field = newElement("input", { value: record.name ?? "", placeholder: titleOf(record), ariaLabel: `Name of the session of ${day}` });
  field.onchange = async () => {
    const name = field.value.trim();
    await rename(record.key, name);
    if (isOwn) own.name = name;
    update();
  };
  const duplicate = async () => {
    const entries = await storedEntries(record.key);
    await keep({ ...record, key: newKey(), name: `${titleOf(record)} (copy)`, time: Date.now() }, new Map(entries.entries()));
    update();
  };
  const remove = async () => {
    // There is no way back, so it needs a second click.
    if (erase.textContent !== FOR_GOOD) return void (erase.textContent = FOR_GOOD);
    await forget(record.key);
    if (isOwn) openSession("");
    else update();
  };
  const open = button(isOwn ? "Here" : "Open", () => openSession(record.key));
  open.disabled = isOwn;
  const erase = button("Delete", remove);
  return newElement("li", {}, field, newElement("span", { textContent: day }), open, button("Duplicate", duplicate), erase);
};

/** Shows the list. */
export const showSessions = async () => {
  const list = newElement("ul", {});
  const update = async () => {
    try {
      list.replaceChildren(...(await storedSessions()).map((record) => rowOf(record, update)));
    } catch (fault) {
      list.replaceChildren(newElement("li", { textContent: `There are no sessions: ${reasonOf(fault)}.` }));
    }
  };
  const close = button("Close", () => dialog.close());
  const begin = button("New session", () => openSession(""));
  const words = newElement("p", { className: "note", textContent: "Stored in this browser. Sessions with names stay; of the others, the newest twenty stay." });
  await update();
  const dialog = openDialog({ ariaLabel: "Sessions", className: "sessions" }, words, list, newElement("p", { className: "choices" }, begin, close));
};
