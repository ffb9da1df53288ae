// @ts-check
// Marks the numbers of statements whose leaves have moved since: `a = 2` shows `2 → 4.69`. The mark is on the screen only. CSS
// writes it, so it is no part of a text that the user copies or saves.

const NUMBER = String.raw`-?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
/** Names that are bound to numbers or a list, as in `a, b = 2, -3` and `w = [1, 2]`. An operation behind the last number would make it a part of a formula. */
const BINDING = new RegExp(String.raw`((?:\w+, *)*\w+) *= *(\[? *)((?:${NUMBER}, *)*${NUMBER})(?![\w.]| *[-+*/^(\[])`, "gid");

/** A number in a statement: the name that is bound to it, and where it ends. @typedef {{ name: string, typed: number, begin: number, end: number }} TypedNumber */

/** The numbers that a statement binds to names. @param {string} statement @returns {TypedNumber[]} */
export const typedNumbers = (statement) => [...statement.matchAll(BINDING)].flatMap((found) => {
  const [, bound, bracket, listed] = found;
  const [begin] = /** @type {number[][]} */ (found.indices)[3];
  const numbers = [...listed.matchAll(new RegExp(NUMBER, "gi"))];
  const names = bracket ? numbers.map((_, at) => `${bound}[${at}]`) : bound.split(/, */);
  if (names.length !== numbers.length) return [];
  return numbers.map(({ 0: text, index }, at) => ({
    name: names[at], typed: +text.replaceAll("_", ""), begin: begin + index, end: begin + index + text.length,
  }));
});

/** Marks in an answer the numbers of its statements that are others now. @param {Element} answer @param {Record<string, number>} now by the names of the leaves */
export const markWent = (answer, now) => {
  for (const mark of answer.querySelectorAll(".went")) {
    const { parentNode } = mark;
    mark.replaceWith(mark.textContent ?? "");
    parentNode?.normalize();
  }
  for (const statement of answer.querySelectorAll("pre > kbd")) {
    // From the last one to the first, so that the places of those before it stay right.
    for (const { name, typed, begin, end } of typedNumbers(statement.textContent ?? "").reverse()) {
      if (now[name] !== undefined && now[name] !== typed) mark(statement, begin, end, now[name]);
    }
  }
};

/** @param {Element} statement @param {number} begin @param {number} end @param {number} now */
const mark = (statement, begin, end, now) => {
  let place = 0;
  for (const node of statement.childNodes) {
    const length = node.textContent?.length ?? 0;
    if (node instanceof Text && place <= begin && end <= place + length) {
      const number = node.splitText(begin - place);
      number.splitText(end - begin);
      const wrapper = document.createElement("span");
      wrapper.className = "went";
      wrapper.dataset.now = `${+now.toPrecision(6)}`;
      number.replaceWith(wrapper);
      wrapper.append(number);
      return;
    }
    place += length;
  }
};
