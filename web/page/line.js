// Edits the line: its text and colours, its completions, and its keys.

import { history } from "./history.js";
import { announce, CLICKABLE_WORDS, newElement, part } from "./parts.js";

/**
 * The services of the page for the line.
 * @typedef {object} LineHelp
 * @property {() => void} look asks for the colours of the line, which come later
 * @property {(line: string, cursor: number) => Promise<{ start: number, entries: Completion[] }>} complete
 * @property {() => void} submit runs the line, after all that waits
 * @property {() => void} stopOrClear stops the statement that runs, or else clears the line
 */
/** @typedef {{ text: string, shown: string, about: string }} Completion */

/** @type {LineHelp} */
let help;

/** The texts that a lesson has put into the line, before and after its gap or the cursor. */
let lesson = { before: "", after: "" };

export const lineText = () => part("entry").value;

/** What the user has typed: nothing as long as the line is as a lesson has filled it. */
export const draft = () => (lineText() === lesson.before + lesson.after ? "" : lineText());

/** What stands in the gap of a lesson's line, such as `:guess a  of L`; nothing if the line has no gap. */
const gapText = () => {
  const { before, after } = lesson;
  const line = lineText();
  const hasGap = before.endsWith(" ") && line.startsWith(before) && line.slice(before.length).endsWith(after);
  return hasGap ? line.slice(before.length, line.length - after.length) : undefined;
};

/** Draws the gap as a box, with a button that shows the answer. */
const showGap = () => {
  const text = gapText();
  const box = newElement("mark", { textContent: ` ${text} ` });
  part("gap").replaceChildren(...(text === undefined ? [] : [lesson.before.slice(0, -1), box]));
  part("solve").hidden = text === undefined;
};

/** Asks for the colours of the line and its live result. */
export const look = () => help.look();

/** Fills the line with two texts, and puts the cursor between them. @param {string} text @param {string} rest */
export const type = (text, rest = "") => {
  part("entry").value = text + rest;
  part("entry").setSelectionRange(text.length, text.length);
  changed();
};

/** Puts the statement of a lesson into the line, unless the user has typed something there. @param {{ line: [string, string] | null }} answer */
export const fillLine = ({ line }) => {
  const [before, after] = line ?? ["", ""];
  if (draft() || lineText() === before + after) return;
  lesson = { before, after };
  type(before, after);
};

/** Puts words of an answer into the line: a command replaces the line, and other words replace the selection. @param {string} words */
const typeWords = (words) => {
  if (words.startsWith(":")) {
    clearLine();
    type(words);
  } else insert(words);
  part("entry").focus();
};

/** Empties the line, and returns its text. */
export const takeLine = () => {
  const text = lineText();
  part("choices").hidden = true;
  type("");
  return text;
};

/** Clears the line, and keeps its text in the history. */
export const clearLine = () => {
  const text = takeLine();
  if (text.trim() && !history.lines.includes(text)) history.add(text);
  history.leave();
};

const changed = () => {
  const line = part("entry");
  line.style.height = "auto";
  line.style.height = `${line.scrollHeight}px`;
  part("field").classList.remove("painted");
  showGap();
  look();
};

/** Shows the colours of the line and its live result. @param {{ html: string, hint: string | null }} looks */
export const showLooks = (looks) => {
  part("paint").innerHTML = looks.html;
  part("paint").scrollTop = part("entry").scrollTop;
  part("hint").textContent = looks.hint ?? "";
  part("field").classList.add("painted");
};

/** Puts the common beginning of all candidates into the line, and lists them if there are several. */
const complete = async () => {
  const line = lineText();
  const { start, entries } = await help.complete(line, part("entry").selectionEnd);
  if (line !== lineText()) return;
  const texts = entries.map(({ text }) => text);
  part("choices").hidden = true;
  if (!texts.length) return;
  let common = texts[0];
  while (!texts.every((text) => text.startsWith(common))) common = common.slice(0, -1);
  if (common.length > part("entry").selectionEnd - start) putIn(start, common);
  if (texts.length > 1) list(start, entries);
};

/** Lists the completions of the word that is being typed. */
const suggest = async () => {
  const line = lineText();
  const { start, entries } = await help.complete(line, part("entry").selectionEnd);
  const word = line.slice(start, part("entry").selectionEnd);
  if (line === lineText() && word && entries.some(({ text }) => text !== word)) list(start, entries);
};

/** @param {number} start @param {Completion[]} entries */
const list = (start, entries) => {
  part("choices").replaceChildren(...entries.map((completion, at) => choice(start, completion, at)));
  part("choices").hidden = false;
  announce(`${entries.length} completions`);
};

/** @param {number} start @param {Completion} completion @param {number} at */
const choice = (start, { text, shown, about }, at) => {
  const accept = () => {
    putIn(start, text);
    part("choices").hidden = true;
    part("entry").removeAttribute("aria-activedescendant");
    part("entry").focus();
  };
  const words = [newElement("b", { textContent: shown }), newElement("span", { textContent: about })];
  const item = newElement("li", { role: "option", id: `choice${at}`, onclick: accept }, ...words);
  item.setAttribute("aria-selected", "false");
  return item;
};

/** @param {number} start @param {string} text */
const putIn = (start, text) => {
  part("entry").setRangeText(text, start, part("entry").selectionEnd, "end");
  changed();
};

/** @param {string} text */
const insert = (text) => putIn(part("entry").selectionStart, text);

/** @param {number} step */
const select = (step) => {
  const items = [...part("choices").children];
  const at = items.findIndex((item) => item.ariaSelected === "true");
  items[at]?.setAttribute("aria-selected", "false");
  const next = items[(at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length];
  next.setAttribute("aria-selected", "true");
  next.scrollIntoView({ block: "nearest" });
  part("entry").setAttribute("aria-activedescendant", next.id);
};

const selected = () => (part("choices").hidden ? null : part("choices").querySelector("[aria-selected=true]"));

/** @param {number} step */
const recall = (step) => {
  type(history.recall(step, lineText()));
};

const isOnFirst = () => !lineText().slice(0, part("entry").selectionStart).includes("\n");
const isOnLast = () => !lineText().slice(part("entry").selectionEnd).includes("\n");

// After Escape, Tab leaves the line.
let isEscaped = false;

/** Acts on a key. Returns false if the key has its usual effect. @param {KeyboardEvent} event */
const useKey = ({ key, shiftKey }) => {
  const isListed = !part("choices").hidden;
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (key === "Enter" && !shiftKey) {
    if (selected()) selected().click();
    else help.submit();
  } else if (key === "Tab" && !isEscaped && lineText().trim()) {
    if (isListed) select(shiftKey ? -1 : 1);
    else complete();
  } else if (step && isListed) select(step);
  else if (step && (step < 0 ? isOnFirst() : isOnLast())) recall(step);
  else if (key === "Escape") part("choices").hidden = true;
  else return false;
  return true;
};

/** Are there keys above the line, as on a telephone? */
export const hasKeys = () => part("keys").clientHeight > 0;

/** Updates the page after the user has typed. */
const followTyping = () => {
  part("choices").hidden = true;
  changed();
  if (hasKeys()) suggest();
};

/** The actions of the keys above the line. Any other key puts its sign into the line. @type {Record<string, () => void>} */
const keys = {
  "↑": () => recall(-1),
  "⇥": () => complete(),
  "✕": () => help.stopOrClear(),
};

/** Puts the words of an answer that were pressed into the line, unless the user is selecting them. @param {Event} event */
const useWords = (event) => {
  const words = event.target instanceof Element && event.target.closest(CLICKABLE_WORDS);
  if (!words || (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ")) return;
  const selection = getSelection();
  if (!selection?.isCollapsed && selection?.containsNode(words, true)) return;
  event.preventDefault();
  typeWords(words.textContent ?? "");
};

/** Listens to the line. @param {LineHelp} given */
export const beginLine = (given) => {
  help = given;
  const line = part("entry");
  line.addEventListener("input", followTyping);
  // What is typed first goes into the gap, wherever the cursor is.
  line.addEventListener("beforeinput", (/** @type {InputEvent} */ event) => {
    const { length } = lesson.before;
    if (event.inputType !== "insertText" || gapText() !== "" || line.selectionStart === length) return;
    event.preventDefault();
    line.setSelectionRange(length, length);
    insert(event.data ?? "");
  });
  // The line keeps the focus, so that a telephone keeps its keyboard open.
  for (const id of ["keys", "choices"]) part(id).onmousedown = (/** @type {Event} */ event) => event.preventDefault();
  part("keys").onclick = (/** @type {MouseEvent} */ { target }) => {
    const sign = /** @type {Element} */ (target).closest("button")?.textContent;
    if (!sign) return;
    if (keys[sign]) return keys[sign]();
    insert(sign);
    followTyping();
  };
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, useWords);
  line.addEventListener("scroll", () => (part("paint").scrollTop = line.scrollTop));
  document.addEventListener("selectionchange", () => document.activeElement === line && line.value && changed());
  line.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (useKey(event)) event.preventDefault();
    isEscaped = event.key === "Escape";
  });
};
