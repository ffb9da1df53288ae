// @ts-check
// The entries of the notebook: what was entered, and its answer, which is had again while a slider moves.

import { reach } from "./parts.js";

/** @typedef {import("./link.js").LinkedEntry} LinkedEntry */
/**
 * @typedef {object} Entry
 * @property {string} text what was entered
 * @property {string} html what it answered
 * @property {LinkedEntry} sent what a link says of it; nothing if that is empty
 * @property {number} [id] its number in the module, if it can be answered again
 * @property {number} counted how many results there were before it
 * @property {string | null} target the target that it took
 * @property {string | null} pass the root of the pass that it shows
 * @property {string[]} names those that have sliders below it
 * @property {boolean} [isMoved] whether a slider has changed its answer
 * @property {boolean} [isOfBefore] whether leaves have moved since it was answered
 * @property {string} kept the statements that it has added to those that bring the session back
 * @property {boolean} isAnew whether these are all statements, in place of those before
 * @property {Shown} shown
 */
/**
 * What is seen of an entry: its answer, or what that would be where a slider is now.
 * @typedef {object} Shown
 * @property {HTMLElement} answer where it stands
 * @property {string} html
 * @property {Element} tree the same as elements
 * @property {boolean} isFixed whether boxes of a graph stay where they are, whatever it says
 */

/** @type {Entry[]} */
export const entries = [];

/** The elements of an answer. @param {string} html */
const treeOf = (html) => {
  const template = document.createElement("template");
  template.innerHTML = `<div>${html}</div>`;
  return /** @type {Element} */ (template.content.firstElementChild);
};

/**
 * Shows the answer of an entry in an element.
 * @param {Entry} entry
 * @param {HTMLElement} answer
 */
export const fill = ({ html, ...entry }, answer) => {
  const tree = treeOf(html);
  answer.replaceChildren(...tree.cloneNode(true).childNodes);
  answer.querySelectorAll("figure > svg").forEach((picture) => picture.setAttribute("tabindex", "0"));
  reach(answer);
  answer.classList.toggle("before", !!entry.isOfBefore);
  return { answer, html, tree, isFixed: false };
};

/** Shows what an entry would answer. The boxes of a graph stay where they are. @param {Entry} entry @param {string} html */
export const showTrial = ({ shown }, html) => {
  if (html === shown.html) return;
  const tree = treeOf(html);
  const isFixed = !!shown.answer.querySelector(".node");
  if (patch(shown.answer, shown.tree, tree, isFixed)) Object.assign(shown, { html, tree, isFixed });
};

/** Shows what an entry answered. @param {Entry} entry */
export const showAnswer = (entry) => {
  const { shown } = entry;
  shown.answer.classList.toggle("before", !!entry.isOfBefore);
  if (entry.html === shown.html && !shown.isFixed) return;
  const tree = treeOf(entry.html);
  const isPatched = !shown.isFixed && patch(shown.answer, shown.tree, tree, false);
  entry.shown = isPatched ? { ...shown, html: entry.html, tree } : fill(entry, shown.answer);
};

/**
 * A node of an answer as it is shown, as it was, and as it is now.
 * @typedef {{ place: Node, old: Node, fresh: Node }} Change
 */

/**
 * The nodes that differ between an answer and the next one; nothing if its elements do not stay.
 * @param {Change} whole
 */
const changesIn = (whole) => {
  const found = [];
  const rest = [whole];
  for (let change = rest.pop(); change; change = rest.pop()) {
    const { place, old, fresh } = change;
    if (old.isEqualNode(fresh)) continue;
    const { length } = fresh.childNodes;
    if (old.nodeName !== fresh.nodeName || old.childNodes.length !== length || place.childNodes.length !== length) return undefined;
    found.push(change);
    const [places, olds] = [place, old].map(({ childNodes }) => [...childNodes]);
    fresh.childNodes.forEach((child, at) => rest.push({ place: places[at], old: olds[at], fresh: child }));
  }
  return found;
};

/**
 * Makes what is shown of one answer the next one. Where the elements stay, only words and attributes that differ are
 * touched, so that large pictures follow; says no if they do not stay. If `isFixed`, only words and classes change.
 * @param {Element} shown
 * @param {Element} before
 * @param {Element} now
 * @param {boolean} isFixed
 */
const patch = (shown, before, now, isFixed) => {
  const changes = changesIn({ place: shown, old: before, fresh: now });
  for (const { place, old, fresh } of changes ?? []) {
    if (fresh instanceof Element) copyAttributes(/** @type {Element} */ (place), /** @type {Element} */ (old), fresh, isFixed);
    else place.nodeValue = fresh.nodeValue;
  }
  return !!changes;
};

/** @param {Element} place @param {Element} old @param {Element} fresh @param {boolean} isFixed */
const copyAttributes = (place, old, fresh, isFixed) => {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && (!isFixed || name === "class")) place.setAttribute(name, value);
  }
  if (isFixed) return;
  for (const { name } of old.attributes) if (!fresh.hasAttribute(name)) place.removeAttribute(name);
};
