// @ts-check
// Saves the session for people without the calculator: as a page with its answers, or as a worksheet.

import { button, newElement } from "./parts.js";

/**
 * The answers of entries for a page of their own, with a link that opens them in the calculator beside it.
 * @param {{ html: string, isOfBefore?: boolean }[]} entries
 * @param {string | undefined} hash
 */
export const answersOf = (entries, hash) => {
  const answered = entries.filter(({ html }) => html);
  const mark = "<p><em>as of before:</em></p>\n";
  const answers = answered.map(({ html, isOfBefore }) => `<section>\n${isOfBefore ? mark : ""}${html}</section>\n`).join("");
  if (!hash) return answers;
  const address = `${location.pathname.split("/").at(-1) || "chainrule.html"}${hash}`;
  const link = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${answers}<p><a href="${link}">Open these answers in chainrule</a></p>\n`;
};

/** Asks what to save. @param {{ page: () => void, worksheet: () => void }} kinds */
export const showSaving = (kinds) => {
  const choice = (/** @type {string} */ words, /** @type {() => void} */ save) => button(words, () => {
    dialog.close();
    save();
  });
  const words = newElement("p", { className: "note", textContent: "A page has the answers as they stand. On a worksheet the grads and guesses are lines to fill in, with the answers on its last page; it shows the lesson that is open, or else the session." });
  const choices = [choice("Save page", kinds.page), " ", choice("Save worksheet", kinds.worksheet), " ", choice("Close", () => {})];
  const dialog = newElement("dialog", { ariaLabel: "Save", className: "sessions", onclose: () => dialog.remove() }, words, ...choices);
  document.body.append(dialog);
  dialog.showModal();
};
