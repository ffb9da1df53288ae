// Makes the sliders that move leaves between two numbers, and moves all sliders of a leaf together.

import { gesture } from "./gesture.js";
import { newElement } from "./parts.js";

/** @typedef {import("./gesture.js").Move} Move */
/** Follows leaves while they move, and when the hand releases them, and keeps the ends that were typed. */
/** @typedef {{ move: (moves: Move[], point?: import("./places.js").Point) => void, release: (moves: Move[]) => void, enter?: (typed: Record<string, string>) => void, keep?: () => void }} Follower */
/** @typedef {{ name: string, now: number }} Setting */

/** The name that is bound: that of the leaf, or for `w[0]` that of its list. @param {string} leaf */
export const boundName = (leaf) => leaf.split("[")[0];

/** The numbers of leaves by their names. @param {Setting[]} leaves */
export const numbersOf = (leaves) => Object.fromEntries(leaves.map(({ name, now }) => [name, Number(now)]));

/** The number that a text is, as the calculator writes it; nothing for another text. @param {string} text */
const numberIn = (text) => (/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? +text : undefined);

/** Rounds a length to 1, 2 or 5 times a power of ten. @param {number} length */
const rounded = (length) => {
  const power = 10 ** Math.floor(Math.log10(length));
  const distance = (/** @type {number} */ digit) => Math.abs(Math.log(digit * power / length));
  const [nearest] = [1, 2, 5, 10].sort((one, other) => distance(one) - distance(other));
  return +(nearest * power).toPrecision(1);
};

/** The step of a slider with this length and at least this many steps. @param {number} length @param {number} least */
const stepFor = (length, least) => 10 ** Math.floor(Math.log10(length / least));

/**
 * The ends of a slider for a leaf with this number: two times its size beyond 0, and three times its size on its own side.
 * @param {number} now
 */
export const rangeAround = (now) => {
  // A leaf of 0 has no size.
  if (!now) return { low: -1, high: 1 };
  const [beyond, own] = [rounded(2 * Math.abs(now)), rounded(3 * Math.abs(now))];
  return now > 0 ? { low: -beyond, high: own } : { low: -own, high: beyond };
};

/** The ends that the user has typed for sliders, by the names of their leaves. @type {Map<string, { low: number, high: number }>} */
export const typedEnds = new Map();
/** The leaves whose sliders end at 0, because an answer has no value beyond it. @type {Set<string>} */
const endingAtZero = new Set();

/** Forgets the ends of leaves whose names mean something else now. @param {Set<string>} names */
export const forgetEnds = (names) => {
  for (const leaves of [typedEnds, endingAtZero]) {
    for (const leaf of leaves.keys()) if (names.has(boundName(leaf))) leaves.delete(leaf);
  }
};

/**
 * A leaf that a slider moves, and the range that was typed with its number.
 * @typedef {{ name: string, value: number, low?: number, high?: number, step?: number }} Leaf
 */

/** The ends that the user has chosen for the slider of a leaf. @param {Leaf} leaf */
const chosenEnds = ({ name, low, high }) => {
  const typed = typedEnds.get(name);
  return typed ?? (low === undefined || high === undefined ? undefined : { low, high });
};

/** The ends and the step of the slider of a leaf. @param {Leaf} leaf */
export const endsOf = (leaf) => {
  const chosen = chosenEnds(leaf);
  if (chosen) return { step: leaf.step ?? stepFor(chosen.high - chosen.low, 100), min: `${chosen.low}`, max: `${chosen.high}` };
  const { low, high } = rangeAround(leaf.value);
  const isCut = endingAtZero.has(leaf.name);
  const min = isCut && leaf.value > 0 ? 0 : low;
  const max = isCut && leaf.value < 0 ? 0 : high;
  return { step: stepFor(high - low, 200), min: `${min}`, max: `${max}` };
};

/** Ends the sliders of leaves at 0. @param {Leaf[]} leaves */
export const endAtZero = (leaves) => leaves.forEach((leaf) => {
  endingAtZero.add(leaf.name);
  slidersOf(leaf.name).forEach((slider) => setEnds(slider, leaf));
});

/** Gives a slider its ends, and shows them. @param {HTMLElement} slider @param {Leaf} leaf */
const setEnds = (slider, leaf) => {
  const [range, , low, high] = slider.querySelectorAll("input");
  Object.assign(range, endsOf(leaf));
  [low.value, high.value] = [range.min, range.max];
};

/** The sliders of a leaf, or of all leaves. Those of a session that is put aside do not count. @param {string} [name] @returns {HTMLElement[]} */
export const slidersOf = (name) => {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".slider:not([inert] *)")]);
  return all.filter((slider) => name === undefined || slider.dataset.name === name);
};

/** Puts the sliders of each list into one row that opens. @param {HTMLElement[]} sliders */
export const rowsOf = (sliders) => {
  /** @type {Map<string, HTMLElement[]>} */
  const rows = new Map();
  for (const slider of sliders) {
    const name = boundName(slider.dataset.name ?? "");
    rows.set(name, [...(rows.get(name) ?? []), slider]);
  }
  return [...rows].map(([name, row]) => (row.length > 1 ? rowOf(name, row) : row[0]));
};

/** @param {string} list @param {HTMLElement[]} sliders */
const rowOf = (list, sliders) => newElement("details", {},
  newElement("summary", { textContent: `${list}: ${sliders.length} sliders` }),
  newElement("div", { className: "sliders" }, ...sliders));

/** Moves a slider to the number of its leaf. @param {HTMLElement} slider @param {Leaf} leaf */
export const moveSlider = (slider, leaf) => {
  const now = leaf.value;
  const [range, number] = slider.querySelectorAll("input");
  // A number that is right is left alone, because there may be very many sliders.
  const isOther = document.activeElement !== number && number.value !== `${now}`;
  if (isOther || numberIn(number.value) !== now) number.value = `${now}`;
  const isWithin = now > +range.min && now < +range.max && range.step !== "";
  // The ends of a slider stay while it moves.
  if (!gesture.holds(leaf.name) && (chosenEnds(leaf) || !isWithin)) setEnds(slider, leaf);
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

/** Takes the ends that the user has typed at a slider, for all sliders of its leaf. Returns false if they are none. @param {HTMLElement} slider @param {string} name @param {number} now */
const takeEnds = (slider, name, now) => {
  const [, , low, high] = [...slider.querySelectorAll("input")].map((input) => numberIn(input.value));
  const isRange = low !== undefined && high !== undefined && low < high;
  if (isRange) typedEnds.set(name, { low, high });
  slidersOf(name).forEach((it) => setEnds(it, { name, value: now }));
  return isRange;
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
  const ends = ["low", "high"].map((end) => newElement("input", { className: `end ${end}`, inputMode: "decimal", ariaLabel: `${end} end of ${name}` }));
  const slider = newElement("p", { className: "slider" }, newElement("b", { textContent: name }), range, number, ...ends);
  slider.dataset.name = name;
  for (const end of ends) end.onchange = () => takeEnds(slider, name, value() ?? +number.value) && follower.keep?.();
  const release = () => follower.release(gesture.moves);
  for (const input of [range, number]) {
    input.oninput = () => {
      const now = numberIn(input.value);
      if (now !== undefined) moveLeaves([{ name, from: value() ?? now, now }], follower);
    };
    input.onchange = () => {
      const typed = input.value.trim();
      // The session reads what is no plain number, such as `pi/2`, or says what is wrong with it.
      if (typed && numberIn(typed) === undefined) follower.enter?.({ [name]: typed });
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
