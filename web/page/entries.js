// Shows the entries of the notebook: texts with their answers. While a slider moves, an answer changes many times a second.

import { makeAccessible } from "./parts.js";
import { markWent } from "./went.js";

/** @typedef {import("./link.js").LinkedEntry} LinkedEntry */
/** @typedef {import("./state.js").SessionName} SessionName */
/** The state of an entry: the session would answer it the same now, or another way, or not again. `Page::take_states` tells it. */
/** @typedef {"live" | "faded" | "ended"} EntryState */
/**
 * @typedef {object} Entry
 * @property {string} text the text that was entered
 * @property {string} html its answer
 * @property {string} [words] what a lesson says after it, which stays as it is
 * @property {LinkedEntry} sent its statements in a link; if they are empty, a link leaves the entry out
 * @property {EntryState} state
 * @property {string} reason why its answer is one of before, such as `a was 2`; empty if it is not
 * @property {SessionName} session the session that has answered it
 * @property {number | null} id its number in the module, unless it could never be answered again
 * @property {number} counted the number of results before it
 * @property {number} added the number of its own results
 * @property {string | null} target the target that it took
 * @property {string | null} pass the root of the pass that it shows
 * @property {string[]} names the leaves that have sliders below it
 * @property {string[]} below the leaves on which its picture depends; they have sliders as long as the picture is live
 * @property {{ names: string[], line: string } | null} lacking the names that it lacks numbers for, and the line that gives them
 * @property {string} kept its statements to store
 * @property {boolean} hasFailed
 * @property {boolean} [isWalk] whether it is the graph and the stop of the walk that the entry before it has begun
 * @property {boolean} isAnew whether these replace the statements of all earlier entries
 * @property {Shown} shown
 */
/**
 * The part of the page that shows an entry: its answer, or the answer of a trial.
 * @typedef {object} Shown
 * @property {HTMLElement} answer the element that contains the answer
 * @property {string} html
 * @property {DocumentFragment} [parsed] the elements of `html` as the module wrote them; read when the answer changes for the first time
 */

/** @type {Entry[]} */
export const entries = [];

/** The entries that have not changed since they were stored. @type {Set<Entry>} */
export const stored = new Set();

/** The entries that have changed since they were shown. @type {Set<Entry>} */
const unshown = new Set();

/** Changes an entry, which must then be shown and stored again. @param {Entry} entry @param {Partial<Entry>} changes */
export const change = (entry, changes) => {
  Object.assign(entry, changes);
  unshown.add(entry);
  stored.delete(entry);
};

/** Shows the entries that have changed. */
export const showChanged = () => {
  unshown.forEach((entry) => showAnswer(entry));
  unshown.clear();
};

/** Can the session answer an entry again? @param {Entry} entry @returns {entry is Entry & { id: number }} */
export const canBeAnswered = (entry) => entry.state !== "ended";

/** The sliders below an entry. @param {Entry} entry */
export const slidersBelow = ({ shown }) =>
  /** @type {HTMLElement[]} */ ([...(shown.answer.closest("article")?.children ?? [])]).find((it) => it.classList.contains("sliders"));

/** Shows the picture of an entry beside the statements, if the window is wide. @param {Entry | undefined} entry */
export const showBeside = (entry) => {
  if (entry) for (const { shown } of entries) shown.answer.classList.toggle("beside", shown === entry.shown);
};

/** The last entry with a picture that depends on a leaf. @param {string | undefined} name */
export const lastPictureOf = (name) => entries.findLast(({ below }) => below.some((leaf) => leaf === name));

/** The entry with this picture. @param {Element} picture */
export const entryOf = (picture) => entries.find(({ shown }) => shown.answer.contains(picture));

/**
 * Shows the answer of an entry in an element.
 * @param {Pick<Entry, "html" | "reason">} entry
 * @param {HTMLElement} answer
 */
export const fill = ({ html, reason }, answer) => {
  answer.innerHTML = html;
  dress(answer);
  fade(answer, reason);
  return { answer, html };
};

/** Makes new blocks of an answer usable. @param {Element} answer */
const dress = (answer) => {
  for (const picture of /** @type {NodeListOf<SVGSVGElement>} */ (answer.querySelectorAll("figure > svg"))) {
    // The Tab key reaches the picture, and the arrow keys lead through its boxes. As an image, the picture has one label, and
    // a screen reader does not read all its boxes at once.
    setAttributes(picture, { tabindex: "0", role: "img" });
    picture.style.setProperty("--wide", `${picture.viewBox.baseVal.width}`);
  }
  // A screen reader can jump from heading to heading.
  answer.querySelectorAll("pre > kbd").forEach((statement) => setAttributes(statement, { role: "heading", "aria-level": "2" }));
  makeAccessible(answer);
};

/** @param {Element} element @param {Record<string, string>} attributes */
const setAttributes = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

/** Fades an answer of before, and says why it is one. @param {HTMLElement} answer @param {string} reason empty if it is none */
const fade = (answer, reason) => {
  answer.classList.toggle("before", !!reason);
  answer.dataset.reason = reason;
};

/**
 * Shows the answer of an entry, or its answer in a trial with other numbers.
 * @param {Entry} entry
 * @param {Pick<Entry, "html" | "reason">} [answer]
 * @param {Record<string, number>} [tried] the numbers of the trial
 */
export const showAnswer = (entry, { html, reason } = entry, tried = {}) => {
  update(entry.shown, html);
  fade(entry.shown.answer, reason);
  markWent(entry, tried);
};

/** The elements of HTML. @param {string} html */
const parse = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

/** Shows another answer in the place of one. @param {Shown} shown @param {string} html */
const update = (shown, html) => {
  if (html === shown.html) return;
  const { answer, parsed = parse(shown.html) } = shown;
  const now = parse(html);
  Object.assign(shown, { html, parsed: now });
  writeChildren(answer, parsed, now);
  dress(answer);
};

/**
 * Changes what is shown below a node from one state into another one. A node stays unless its kind or its key is another:
 * it may have the focus, and the pointer may be on it.
 * @param {Node} shown
 * @param {Node} before
 * @param {Node} now
 */
const writeChildren = (shown, before, now) => {
  const [children, olds, news] = [shown, before, now].map((node) => [...node.childNodes]);
  if (children.length === olds.length && children.length === news.length) children.forEach((child, at) => write(child, olds[at], news[at]));
  else /** @type {Element} */ (shown).replaceChildren(...news.map((child) => child.cloneNode(true)));
};

/** @param {ChildNode} shown @param {Node} before @param {Node} now */
const write = (shown, before, now) => {
  if (before.isEqualNode(now)) return;
  if (!isSame(shown, now)) shown.replaceWith(now.cloneNode(true));
  else if (shown instanceof Element) {
    copyAttributes(shown, /** @type {Element} */ (before), /** @type {Element} */ (now));
    writeChildren(shown, before, now);
  } else shown.nodeValue = now.nodeValue;
};

/** Is a node, as it is shown, the same in a later state? @param {Node} shown @param {Node} now */
const isSame = (shown, now) =>
  shown.nodeName === now.nodeName && (!(shown instanceof Element) || shown.getAttribute("data-key") === /** @type {Element} */ (now).getAttribute("data-key"));

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
