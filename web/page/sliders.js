// @ts-check
// Makes the sliders that move leaves between two numbers, and moves all sliders of a leaf together.

import { gesture } from "./gesture.js";
import { newElement } from "./parts.js";

/** @typedef {import("./gesture.js").Move} Move */
/** Follows leaves while they move, and when the hand releases them. */
/** @typedef {{ move: (moves: Move[], point?: import("./places.js").Point) => void, release: (moves: Move[]) => void, enter?: (statement: string) => void }} Follower */
/** @typedef {{ name: string, now: number }} Setting */

/** The numbers of leaves by their names, for a trial. @param {Setting[]} leaves */
export const numbersOf = (leaves) => Object.fromEntries(leaves.map(({ name, now }) => [name, Number(now)]));

/** The arguments of `:set`. @param {Setting[]} leaves */
export const settings = (leaves) => leaves.map(({ name, now }) => `${name} ${now}`).join(", ");

/** The number that a text is, as the calculator writes it; nothing for another text. @param {string} text */
const numberIn = (text) => (/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? +text : undefined);

/** The number of decimals of a number. @param {number} number */
const decimals = (number) => {
  const [digits, power] = number.toExponential().split("e");
  const count = (digits.split(".")[1] ?? "").length - +power;
  return Math.min(Math.max(count, 0), 100);
};

/**
 * The ends and the step of a slider for a leaf with this number. The slider reaches twice the size of the number to both
 * sides, but it stops before 0, where the sign would change. The number itself is on one of the steps.
 * @param {number} now
 */
export const rangeAround = (now) => {
  // A leaf of 0 has no size, so its slider goes from -1 to 1.
  const half = 2 * Math.abs(now) || 1;
  const step = 10 ** Math.floor(Math.log10(half / 50));
  const steps = Math.round(half / step);
  // Without 1e-9 a rounding error could add a step, which would reach 0.
  const stepsToZero = now ? Math.ceil(Math.abs(now) / step - 1e-9) - 1 : steps;
  const digits = Math.max(decimals(now), decimals(step));
  const end = (/** @type {number} */ count) => (now + count * step).toFixed(digits);
  return { step, min: end(now > 0 ? -stepsToZero : -steps), max: end(now < 0 ? stepsToZero : steps) };
};

/**
 * A leaf that a slider moves, and the range that was typed with its number.
 * @typedef {{ name: string, value: number, low?: number, high?: number, step?: number }} Leaf
 */

/** The ends and the step of the slider of a leaf. @param {Leaf} leaf */
export const endsOf = ({ value: now, low, high, step }) => {
  if (low === undefined || high === undefined) return rangeAround(now);
  return { step: step ?? 10 ** Math.floor(Math.log10((high - low) / 100)), min: `${low}`, max: `${high}` };
};

/** The sliders of a leaf, or of all leaves. Those of a session that is put aside do not count. @param {string} [name] @returns {HTMLElement[]} */
export const slidersOf = (name) => {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".slider:not([inert] *)")]);
  return all.filter((slider) => name === undefined || slider.dataset.name === name);
};

/** Moves a slider to the number of its leaf. @param {HTMLElement} slider @param {Leaf} leaf */
export const moveSlider = (slider, leaf) => {
  const now = leaf.value;
  const [range, number] = slider.querySelectorAll("input");
  // A number that is right is left alone, because there may be very many sliders.
  const isOther = document.activeElement !== number && number.value !== `${now}`;
  if (isOther || numberIn(number.value) !== now) number.value = `${now}`;
  const isWithin = now > +range.min && now < +range.max && range.step !== "";
  const isTyped = leaf.low !== undefined;
  // The ends of a slider stay while it moves.
  if (!gesture.holds(leaf.name) && (isTyped || !isWithin)) Object.assign(range, endsOf(leaf));
  if (+range.value !== now) range.value = `${now}`;
};

/** Moves leaves by hand. @param {Move[]} moves @param {Follower} follower @param {import("./places.js").Point} [point] */
export const moveLeaves = (moves, follower, point) => {
  gesture.move(moves);
  showMoves(follower, point);
};

/** Moves leaves back that a hand is moving. @param {Follower} follower */
export const cancelMoves = (follower) => {
  if (!gesture.cancel()) return;
  showMoves(follower);
  follower.release(gesture.moves);
};

/** @param {Follower} follower @param {import("./places.js").Point} [point] */
const showMoves = (follower, point) => {
  for (const { name, now } of gesture.moves) slidersOf(name).forEach((slider) => moveSlider(slider, { name, value: now }));
  follower.move(gesture.moves, point);
};

/**
 * A new slider for a leaf.
 * @param {string} name
 * @param {() => number | undefined} value the number of the leaf in the session
 * @param {Follower} follower
 */
export const sliderOf = (name, value, follower) => {
  const range = newElement("input", { type: "range", ariaLabel: name });
  const number = newElement("input", { className: "number", inputMode: "decimal", ariaLabel: `${name} as a number` });
  const slider = newElement("p", { className: "slider" }, newElement("b", { textContent: name }), range, number);
  slider.dataset.name = name;
  const release = () => follower.release(gesture.moves);
  for (const input of [range, number]) {
    input.oninput = () => {
      const now = numberIn(input.value);
      if (now !== undefined) moveLeaves([{ name, from: value() ?? now, now }], follower);
    };
    input.onchange = () => {
      const typed = input.value.trim();
      // The session reads what is no plain number, such as `pi/2`, or says what is wrong with it.
      if (typed && numberIn(typed) === undefined) follower.enter?.(`:set ${name} ${typed}`);
      else if (gesture.change()) release();
    };
    input.onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === "Tab") return;
      if (key !== "Escape") return gesture.hold(name, value() ?? +input.value);
      cancelMoves(follower);
      // The browser releases a slider that is switched off.
      input.disabled = true;
      input.disabled = false;
      input.focus();
    };
    input.onkeyup = input.onblur = () => gesture.lift() && release();
    // A touch that becomes a scroll must set nothing.
    input.onpointercancel = () => cancelMoves(follower);
  }
  return slider;
};
