// @ts-check
// Lets the pointer drag the present point of a curve or a map, which moves the leaves of its axes.

import { gesture } from "./gesture.js";
import { fractionsAt, pictureOf, pointAt } from "./places.js";
import { cancelMoves, moveLeaves, slidersOf } from "./sliders.js";

/** @typedef {import("./places.js").Point} Point */
/** @typedef {import("./gesture.js").Move} Move */

/** A drag begins after this many pixels, because a hand moves a little during a click. */
const MIN_DRAG_PIXELS = 4;

/** The leaves of a point that a hand can move, because they have sliders at its picture. @param {Point} point @returns {Move[]} */
const movesTo = ({ picture, leaves }) => leaves.flatMap((leaf) => {
  const docked = picture.closest("article")?.querySelector(".docked");
  const slider = slidersOf(leaf.name).find((it) => docked?.contains(it));
  const number = slider?.querySelectorAll("input")[1];
  return number && !number.disabled ? [{ ...leaf, from: +number.value }] : [];
});

/**
 * A present point that the pointer holds: its picture, the position of the pointer when it went down, and its distance from
 * the middle of the point.
 * @typedef {{ picture: Element, x: number, y: number, right: number, down: number }} Hold
 */

/** @param {PointerEvent} event @returns {Hold | undefined} */
const holdAt = ({ target, isPrimary, button, clientX: x, clientY: y }) => {
  const picture = pictureOf(target);
  if (!picture || !isPrimary || button || !(/** @type {Element} */ (target).matches(".present > circle + circle"))) return undefined;
  const { left, top, width, height } = /** @type {Element} */ (target).getBoundingClientRect();
  return { picture, x, y, right: x - left - width / 2, down: y - top - height / 2 };
};

/** Lets the pointer drag the present points of pictures. @param {HTMLElement} notebook @param {import("./sliders.js").Follower} follower */
export const listenToHandles = (notebook, follower) => {
  /** @type {Hold | undefined} */
  let held;
  let isDragged = false;
  const cancel = () => {
    if (held) cancelMoves(follower);
    held = undefined;
  };
  notebook.addEventListener("pointerdown", (event) => {
    held = holdAt(event);
    isDragged = false;
  });
  // A drag does not point, and the click after it opens no picture.
  notebook.addEventListener("pointermove", (event) => {
    if (!event.buttons) held = undefined;
    if (!held || !event.isPrimary) return;
    event.stopImmediatePropagation();
    const { picture, x, y, right, down } = held;
    if (!isDragged && Math.hypot(event.clientX - x, event.clientY - y) < MIN_DRAG_PIXELS) return;
    const middle = { clientX: event.clientX - right, clientY: event.clientY - down };
    const point = pointAt(picture, fractionsAt(picture, middle));
    const moves = movesTo(point);
    if (!moves.length) return;
    isDragged = true;
    notebook.setPointerCapture(event.pointerId);
    moveLeaves(moves, follower, point);
  });
  notebook.addEventListener("pointerup", () => {
    if (held && isDragged && gesture.change()) follower.release(gesture.moves);
    held = undefined;
  });
  notebook.addEventListener("pointercancel", cancel);
  notebook.addEventListener("keydown", ({ key }) => key === "Escape" && cancel());
  notebook.addEventListener("click", (event) => isDragged && event.stopImmediatePropagation());
};
