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
 * The drag of a present point. `held`: the pointer is down on the point. `dragging`: it has moved. `over`: it was released.
 * @typedef {object} Drag
 * @property {"held" | "dragging" | "over"} state
 * @property {Element} article the entry of the picture, and which of its pictures it is: a drag may replace the picture
 * @property {number} index
 * @property {number} x the position of the pointer when it went down
 * @property {number} y
 * @property {number} right its distance from the middle of the point
 * @property {number} down
 */

/** The pictures of an entry. @param {Element} article */
const picturesOf = (article) => [...article.querySelectorAll("figure > svg")];

/** The drag that begins at the pointer. @param {PointerEvent} event @returns {Drag | undefined} */
const dragAt = ({ target, isPrimary, button, clientX: x, clientY: y }) => {
  const picture = pictureOf(target);
  const article = picture?.closest("article");
  if (!picture || !article || !isPrimary || button || !(/** @type {Element} */ (target).matches(".present > circle + circle"))) return undefined;
  const { left, top, width, height } = /** @type {Element} */ (target).getBoundingClientRect();
  const index = picturesOf(article).indexOf(picture);
  return { state: "held", article, index, x, y, right: x - left - width / 2, down: y - top - height / 2 };
};

/** Lets the pointer drag the present points of pictures. @param {HTMLElement} notebook @param {import("./sliders.js").Follower} follower */
export const listenToHandles = (notebook, follower) => {
  /** @type {Drag | undefined} */
  let drag;
  const end = () => {
    if (drag?.state === "held") drag = undefined;
    else if (drag) drag.state = "over";
  };
  const cancel = () => {
    if (drag && drag.state !== "over") cancelMoves(follower);
    end();
  };
  notebook.addEventListener("pointerdown", (event) => (drag = dragAt(event)));
  // A drag does not point, and the click after it opens no picture.
  notebook.addEventListener("pointermove", (event) => {
    if (!event.buttons) end();
    if (!drag || drag.state === "over" || !event.isPrimary) return;
    event.stopImmediatePropagation();
    const { state, article, index, x, y, right, down } = drag;
    if (state === "held" && Math.hypot(event.clientX - x, event.clientY - y) < MIN_DRAG_PIXELS) return;
    const picture = picturesOf(article)[index];
    if (!picture) return;
    const middle = { clientX: event.clientX - right, clientY: event.clientY - down };
    const point = pointAt(picture, fractionsAt(picture, middle));
    const moves = movesTo(point);
    if (!moves.length) return;
    drag.state = "dragging";
    notebook.setPointerCapture(event.pointerId);
    moveLeaves(moves, follower, point);
  });
  notebook.addEventListener("pointerup", () => {
    if (drag?.state === "dragging" && gesture.change()) follower.release(gesture.moves);
    end();
  });
  notebook.addEventListener("pointercancel", cancel);
  notebook.addEventListener("keydown", ({ key }) => key === "Escape" && cancel());
  notebook.addEventListener("click", (event) => drag && event.stopImmediatePropagation());
};
