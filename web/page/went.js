// Shows at the literals of statements where their leaves have gone: `a = 2` shows `2 → 4.69`. The mark is on the screen only.
// CSS writes it, so it is no part of a text that the user copies or saves.

import { isHere, value } from "./state.js";

/**
 * Marks the literals of an entry whose leaves have other numbers now. If a name means something else now, its mark stays.
 * @param {import("./entries.js").Entry} entry @param {Record<string, number>} [tried] the numbers of leaves in a trial
 */
export const markWent = (entry, tried = {}) => {
  for (const literal of /** @type {NodeListOf<HTMLElement>} */ (entry.shown.answer.querySelectorAll("[data-leaf]"))) {
    const { leaf = "", typed } = literal.dataset;
    const now = isHere(entry) && entry.names.includes(leaf) ? tried[leaf] ?? value(leaf) : undefined;
    if (now === undefined) continue;
    literal.classList.toggle("went", now !== Number(typed));
    literal.dataset.now = `${+now.toPrecision(6)}`;
  }
};
