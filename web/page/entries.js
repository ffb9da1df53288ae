// @ts-check
// Shows the entries of the notebook: texts with their answers. While a slider moves, an answer changes many times a second,
// so only the words and attributes that differ are written into the page.

import { makeAccessible } from "./parts.js";

/** @typedef {import("./link.js").LinkedEntry} LinkedEntry */
/** @typedef {import("./state.js").SessionName} SessionName */
/**
 * The state of an answer:
 *
 * - `live`: the session would answer the same now;
 * - `faded`: leaves have moved or names are gone since. A slider or `:undo` can make it live again;
 * - `ended`: its names mean something else now, so the session does not answer it again; or it never could, as for an error;
 * - `past`: it ended after it had faded.
 * @typedef {"live" | "faded" | "ended" | "past"} EntryState
 */
/**
 * @typedef {object} Entry
 * @property {string} text the text that was entered
 * @property {string} html its answer
 * @property {LinkedEntry} sent its statements in a link; if they are empty, a link leaves the entry out
 * @property {EntryState} state
 * @property {SessionName} session the session that has answered it
 * @property {number | null} id its number in the module, unless it could never be answered again
 * @property {number} counted the number of results before it
 * @property {string | null} target the target that it took
 * @property {string | null} pass the root of the pass that it shows
 * @property {string[]} names the leaves that have sliders below it
 * @property {string[]} below the leaves on which its picture depends; they have sliders as long as the picture is live
 * @property {boolean} isMoved whether a slider has changed its answer
 * @property {{ names: string[], line: string } | null} lacking the names that it lacks numbers for, and the line that gives them
 * @property {string} kept its statements to store
 * @property {boolean} isAnew whether these replace the statements of all earlier entries
 * @property {Shown} shown
 */
/**
 * The part of the page that shows an entry: its answer, or the answer of a trial.
 * @typedef {object} Shown
 * @property {HTMLElement} answer the element that contains the answer
 * @property {string} html
 * @property {Place[]} [places] the places of the pieces of `html`; computed when the answer changes for the first time
 */
/** The place of a piece of an answer: the element that its tag opens, and the words after the tag. @typedef {{ element?: Element, words?: Text }} Place */

/** @type {Entry[]} */
export const entries = [];

/** The entries that have not changed since they were stored. @type {Set<Entry>} */
export const stored = new Set();

/** Changes an entry, which must then be stored again. @param {Entry} entry @param {Partial<Entry>} changes */
export const change = (entry, changes) => {
  Object.assign(entry, changes);
  stored.delete(entry);
};

/** Can the session answer an entry again? @param {Entry} entry @returns {entry is Entry & { id: number }} */
export const canBeAnswered = (entry) => entry.state === "live" || entry.state === "faded";

/** Is an answer as of before? @param {Pick<Entry, "state">} entry */
export const isFaded = ({ state }) => state === "faded" || state === "past";

/** The state of an entry that ends. @param {Entry} entry @returns {EntryState} */
export const stateAfterEnd = (entry) => (isFaded(entry) ? "past" : "ended");

/** The sliders below an entry. @param {Entry} entry */
export const slidersBelow = ({ shown }) =>
  /** @type {HTMLElement[]} */ ([...(shown.answer.closest("article")?.children ?? [])]).find((it) => it.classList.contains("sliders"));

/** The entry with this picture. @param {Element} picture */
export const entryOf = (picture) => entries.find(({ shown }) => shown.answer.contains(picture));

/**
 * Shows the answer of an entry in an element.
 * @param {Entry} entry
 * @param {HTMLElement} answer
 */
export const fill = ({ html, state }, answer) => {
  answer.innerHTML = html;
  for (const picture of /** @type {NodeListOf<SVGSVGElement>} */ (answer.querySelectorAll("figure > svg"))) {
    // The Tab key reaches the picture, and the arrow keys lead through its boxes. As an image, the picture has one label, and
    // a screen reader does not read all its boxes at once.
    setAttributes(picture, { tabindex: "0", role: "img" });
    picture.style.setProperty("--wide", `${picture.viewBox.baseVal.width}`);
  }
  // A screen reader can jump from heading to heading.
  answer.querySelectorAll("pre > kbd").forEach((statement) => setAttributes(statement, { role: "heading", "aria-level": "2" }));
  makeAccessible(answer);
  answer.classList.toggle("before", isFaded({ state }));
  return { answer, html };
};

/** @param {Element} element @param {Record<string, string>} attributes */
const setAttributes = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

/** Shows the answer of a trial. @param {Entry} entry @param {string} html */
export const showTrial = ({ shown }, html) => {
  patch(shown, html);
};

/** Shows the answer of an entry. @param {Entry} entry */
export const showAnswer = (entry) => {
  entry.shown.answer.classList.toggle("before", isFaded(entry));
  if (!patch(entry.shown, entry.html)) entry.shown = fill(entry, entry.shown.answer);
};

// The module writes `<` only at the beginning of tags, so the pieces between these signs can be compared as texts.

/**
 * Changes the answer that is shown into another one. Only words and attributes that differ are touched, which is fast even
 * for large pictures. Returns false if the elements differ.
 * @param {Shown} shown
 * @param {string} html
 */
const patch = (shown, html) => {
  if (html === shown.html) return true;
  const [before, now] = [shown.html.split("<"), html.split("<")];
  shown.places ??= placesOf(shown.answer, before);
  if (before.length !== now.length || before.length !== shown.places.length) return false;
  const changed = [...now.keys()].filter((index) => now[index] !== before[index]);
  const keepsElement = (/** @type {number} */ index) => {
    const [old, fresh] = [cut(before[index]), cut(now[index])];
    // A text node for words is neither added nor removed.
    return old.name === fresh.name && !old.words === !fresh.words;
  };
  if (!changed.every(keepsElement)) return false;
  for (const index of changed) {
    const { element, words } = shown.places[index];
    const [old, fresh] = [cut(before[index]), cut(now[index])];
    if (element && old.tag !== fresh.tag) copyAttributes(element, elementOf(old.tag, element), elementOf(fresh.tag, element));
    if (words && old.words !== fresh.words) words.data = wordsIn(fresh.words);
  }
  shown.html = html;
  return true;
};

/** The tag of a piece, the name of its element, and the words after the tag. The first piece has no tag. @param {string} piece */
const cut = (piece) => {
  const end = piece.indexOf(">");
  const tag = piece.slice(0, end + 1);
  return { tag, name: tag.split(/[ >]/, 1)[0], words: piece.slice(end + 1) };
};

/**
 * The places of the pieces of an answer. Empty if the elements of the answer do not match the pieces, for example because
 * the browser has corrected the HTML.
 * @param {Element} answer
 * @param {string[]} pieces
 */
const placesOf = (answer, pieces) => {
  /** @type {Place[]} */
  const places = [];
  /** @type {Node | null} */
  let parent = answer;
  let next = answer.firstChild;
  for (const piece of pieces) {
    const { tag, name, words } = cut(piece);
    /** @type {Place} */
    const place = {};
    if (tag.startsWith("/")) [parent, next] = [parent?.parentNode ?? null, parent?.nextSibling ?? null];
    else if (tag) {
      if (!(next instanceof Element) || next.localName !== name) return [];
      place.element = next;
      if (tag.endsWith("/>")) next = next.nextSibling;
      else [parent, next] = [next, next.firstChild];
    }
    if (words) {
      if (!(next instanceof Text)) return [];
      place.words = next;
      next = next.nextSibling;
    }
    places.push(place);
  }
  return parent === answer && !next ? places : [];
};

const template = document.createElement("template");

/** The text of words in HTML, in which signs such as `&lt;` stand for others. @param {string} words */
const wordsIn = (words) => {
  if (!words.includes("&")) return words;
  template.innerHTML = words;
  return template.content.textContent ?? "";
};

/** A new element with this tag, in the namespace of another element. @param {string} tag @param {Element} other */
const elementOf = (tag, other) => {
  // Only inside `<svg>` does the browser make elements of SVG.
  const isInPicture = other instanceof SVGElement && other.localName !== "svg";
  template.innerHTML = isInPicture ? `<svg><${tag}` : `<${tag}`;
  const first = /** @type {Element} */ (template.content.firstElementChild);
  return isInPicture ? /** @type {Element} */ (first.firstElementChild) : first;
};

/**
 * Changes the attributes in which two elements differ. Attributes that the page has added to the element stay.
 * @param {Element} element
 * @param {Element} before
 * @param {Element} now
 */
const copyAttributes = (element, before, now) => {
  for (const { name, value } of now.attributes) if (before.getAttribute(name) !== value) element.setAttribute(name, value);
  for (const { name } of before.attributes) if (!now.hasAttribute(name)) element.removeAttribute(name);
};
