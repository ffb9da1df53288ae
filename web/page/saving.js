// Saves the session for people without the calculator: as a page with its answers, or as a worksheet.

import { queue, session } from "./calculator.js";
import { showRunning } from "./enter.js";
import { entries } from "./entries.js";
import { download } from "./files.js";
import { pack, textOf } from "./link.js";
import { button, newElement, note } from "./parts.js";
import { openDialog } from "./focus.js";
import { sentEntries } from "./sharing.js";
import { isHere, known } from "./state.js";
import { titleIn } from "./storage.js";
import { own } from "./tab.js";

/** Asks what to save, and saves it. */
export const showSaving = () => {
  const choice = (/** @type {string} */ words, /** @type {() => void} */ act) => button(words, () => {
    dialog.close();
    act();
  });
  const words = newElement("p", { className: "note", textContent: "A page has the answers as they stand. On a worksheet the grads and guesses are lines to fill in, and its answers are a file of their own. Both show the lesson that is open, or else the session." });
  const choices = [choice("Save page", savePage), choice("Save worksheet", () => saveWorksheet("worksheet", false)), choice("Save its answers", () => saveWorksheet("answers", true)), choice("Close", () => {})];
  const dialog = openDialog({ ariaLabel: "Save", className: "sessions" }, words, newElement("p", { className: "choices" }, ...choices));
};

const savePage = () => save("page", async () => {
  const signs = await pack(sentEntries());
  if (!signs) note("The session is too long for a link, so the page that is saved has none.");
  return session.ask("document", { title: title(), answers: answersOf(signs && `#run=${signs}`) });
});

/** @param {string} kind @param {boolean} isKey whether to save the answers of the worksheet */
const saveWorksheet = (kind, isKey) => save(kind, () => {
  const statements = sentEntries(entries.filter((entry) => isHere(entry) && !entry.hasFailed)).map(textOf);
  return session.ask("worksheet", { title: title(), statements: statements.join("\n\n"), key: isKey });
});

/** Downloads a page that `make` writes. @param {string} kind @param {() => Promise<string>} make */
const save = (kind, make) => queue.add("entry", async () => {
  showRunning(true);
  try {
    download(`${kind}.html`, await make());
    note(`${kind}.html is in the downloads.`);
  } catch (reason) {
    note(`${kind}.html was not written (${reason}).`);
  }
  showRunning(false);
});

/** The title of a page: the name of the session or of the open lesson, or else the first statement. */
const title = () => own.name || (known.lesson?.open && known.lesson.name) || titleIn(entries);

/** A text as HTML. @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The answers for a page of their own, with a link to open them in the calculator beside it. @param {string | undefined} hash */
const answersOf = (hash) => {
  const answered = entries.filter(({ html, words }) => html || words);
  const mark = (/** @type {string} */ reason) => (reason ? `<p><em>as of before: ${escaped(reason)}</em></p>\n` : "");
  const answers = answered.map(({ html, words = "", reason }) => `<section>\n${mark(reason)}${html}${words}</section>\n`).join("");
  if (!hash) return answers;
  const file = `${location.pathname.split("/").at(-1) || "chainrule.html"}${hash}`;
  return `${answers}<p><a href="${escaped(file)}">Open these answers in chainrule</a></p>\n`;
};
