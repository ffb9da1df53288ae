// @ts-check
// The entries of the notebook: what was entered, and its answer, which is had again while a slider moves.

/** @typedef {import("./link.js").LinkedEntry} LinkedEntry */
/**
 * @typedef {object} Entry
 * @property {string} text what was entered
 * @property {string} html its answer
 * @property {LinkedEntry} sent what a link says of it; nothing if that is empty
 * @property {number} counted how many results there were before it
 * @property {string[]} names those that have sliders below it
 * @property {boolean} isLive whether it is answered again when a leaf moves
 * @property {boolean} [isCut] whether its pictures were too much to be stored
 * @property {HTMLElement} answer where its answer stands
 * @property {Element} tree its answer as it came
 * @property {boolean} [isFixed] whether boxes of a graph stay where they are, whatever the answer says
 */

/** @type {Entry[]} */
export const entries = [];

/** The elements of an answer. @param {string} html */
const treeOf = (html) => {
  const template = document.createElement("template");
  template.innerHTML = `<div>${html}</div>`;
  return /** @type {Element} */ (template.content.firstElementChild);
};

/** An answer without its pictures. @param {string} html */
export const withoutPictures = (html) => {
  const tree = treeOf(html);
  tree.querySelectorAll("figure, iframe").forEach((picture) => picture.remove());
  return tree.innerHTML;
};

/** Shows the answer of an entry. @param {Entry} entry @param {(answer: HTMLElement) => void} prepare */
export const fill = (entry, prepare) => {
  entry.tree = treeOf(entry.html);
  entry.answer.replaceChildren(...entry.tree.cloneNode(true).childNodes);
  prepare(entry.answer);
};

/**
 * Shows another answer of an entry. While `isFixed`, the boxes of a graph stay where they are.
 * @param {Entry} entry
 * @param {string} html
 * @param {boolean} isMoving
 * @param {(answer: HTMLElement) => void} prepare
 */
export const renew = (entry, html, isMoving, prepare) => {
  if (!html || (html === entry.html && !entry.isFixed)) return;
  const isFixed = isMoving && !!entry.answer.querySelector(".node");
  const fresh = treeOf(html);
  const isPatched = (isFixed || !entry.isFixed) && patch(entry.answer, entry.tree, fresh, isFixed);
  [entry.html, entry.isFixed] = [html, isFixed];
  if (isPatched) entry.tree = fresh;
  else fill(entry, prepare);
};

/** The nodes of a tree, each after the one that it is in. @param {Node} tree @returns {Node[]} */
const nodes = (tree) => {
  const walker = document.createTreeWalker(tree);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
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
export const patch = (shown, before, now, isFixed) => {
  const [places, old, fresh] = [shown, before, now].map(nodes);
  const isSame = (/** @type {Node} */ node, /** @type {number} */ at) =>
    node.nodeName === old[at].nodeName && node.childNodes.length === old[at].childNodes.length;
  if (old.length !== fresh.length || places.length !== old.length || !fresh.every(isSame)) return false;
  for (const [at, node] of fresh.entries()) {
    const place = places[at];
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.nodeValue !== old[at].nodeValue) place.nodeValue = node.nodeValue;
      continue;
    }
    copyAttributes(/** @type {Element} */ (place), /** @type {Element} */ (old[at]), /** @type {Element} */ (node), isFixed);
  }
  return true;
};

/** @param {Element} place @param {Element} old @param {Element} fresh @param {boolean} isFixed */
const copyAttributes = (place, old, fresh, isFixed) => {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && (!isFixed || name === "class")) place.setAttribute(name, value);
  }
  if (isFixed) return;
  for (const { name } of old.attributes) if (!fresh.hasAttribute(name)) place.removeAttribute(name);
};
