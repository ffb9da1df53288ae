// Shows at the literals of statements where their leaves have gone: `a = 2` shows `2 → 4.69`. The mark is on the screen only.
// CSS writes it, so it is no part of a text that the user copies or saves.

/** Marks in an answer the literals whose leaves have other numbers now. @param {Element} answer @param {Record<string, number>} now by the names of the leaves */
export const markWent = (answer, now) => {
  for (const literal of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-leaf]"))) {
    const { leaf = "", typed } = literal.dataset;
    const number = now[leaf] ?? NaN;
    literal.classList.toggle("went", !Number.isNaN(number) && number !== Number(typed));
    literal.dataset.now = `${+number.toPrecision(6)}`;
  }
};
