// Places in pictures: finds the picture at the pointer, and the numbers of its axes there.

/** The name of an axis and its ends, as numbers or logarithms. @typedef {{ name: string, low: number, high: number, isLog: boolean }} Axis */
/**
 * A point of a picture: its position as fractions of the width and the height, and the leaves of the axes with their
 * numbers there.
 * @typedef {{ picture: Element, fractions: number[], leaves: { name: string, now: number }[] }} Point
 */

/** The picture that contains an element. @param {EventTarget | null} target @returns {SVGSVGElement | null} */
export const pictureOf = (target) => (target instanceof Element ? target.closest("figure > svg") : null);

/** Reads the axes of a curve or a map, across and up, from its frame: `-5 5 a, 0 2 b (log)`. @param {string} key @returns {Axis[]} */
export const axesIn = (key) => key.split(", ").map((axis) => {
  const [low, high, name, scale] = axis.split(" ");
  return { name, low: +low, high: +high, isLog: scale === "(log)" };
});

/** The number at a fraction of an axis, rounded to a 200th of its length or finer. @param {Axis} axis @param {number} fraction */
export const numberAt = ({ low, high, isLog }, fraction) => {
  const onAxis = low + Math.min(Math.max(fraction, 0), 1) * (high - low);
  if (isLog) return +(10 ** onAxis).toPrecision(3);
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  // A product with a step such as 0.1 has rounding errors in its last digits.
  return +(Math.round(onAxis / step) * step).toPrecision(12);
};

/** The axes of the first curve or map in an element; none if it has no such picture. @param {Element} element */
const axesOf = (element) => axesIn(element.querySelector(".frame")?.getAttribute("data-key") ?? "");

/** The ends of the horizontal axis of the first curve or map in an answer; none if it has no such picture. @param {Element} answer */
export const endsOfAxis = (answer) => {
  const [{ name, low, high, isLog }] = axesOf(answer);
  return name ? [low, high].map((end) => (isLog ? 10 ** end : end)) : [];
};

/** The point at fractions of the width and the height of a curve or a map. @param {Element} picture @param {number[]} fractions @returns {Point} */
export const pointAt = (picture, fractions) => {
  const axes = axesOf(picture);
  // The arrow keys move only along the horizontal axis, and give one fraction.
  const leaves = axes.slice(0, fractions.length).map((axis, index) => ({ name: axis.name, now: numberAt(axis, fractions[index]) }));
  return { picture, fractions, leaves };
};

/** The position of the pointer as fractions of the width and the height of a curve or a map; empty for other pictures. @param {Element | null} picture @param {{ clientX: number, clientY: number }} pointer */
export const fractionsAt = (picture, { clientX, clientY }) => {
  const frame = picture?.querySelector(".frame")?.getBoundingClientRect();
  return frame ? [(clientX - frame.left) / frame.width, (frame.bottom - clientY) / frame.height] : [];
};
