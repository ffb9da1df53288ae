// Shows details of a picture at the pointer. On a curve or a map, the entry is answered as if its leaves were at that point.
// On a graph, the paths from a node to the root are shown. The arrow keys move along a picture, too. A click opens the large
// view, and `dragging.js` drags the present point.

import { listenToHandles } from "./dragging.js";
import { follower, slidersOfPicture } from "./enter.js";
import { enlarge } from "./large.js";
import { announce, part } from "./parts.js";
import { fractionsAt, pictureOf, pointAt } from "./places.js";
import { fadeNothing, fadeOthers } from "./tracing.js";
import { hidePoint, showPoint } from "./trials.js";

/** @typedef {import("./places.js").Point} Point */
/** The point or the node that is shown now. @type {{ point?: Point, node?: Element }} */
const pointed = {};

const hideAll = () => {
  if (pointed.node) part("hint").textContent = "";
  fadeNothing();
  const last = pointed.point;
  pointed.node = pointed.point = undefined;
  if (last) hidePoint(last);
};

/** Shows a point of a curve or a map. @param {Element} picture @param {number[]} fractions */
const pointTo = (picture, fractions) => {
  pointed.point = pointAt(picture, fractions);
  showPoint(pointed.point);
};

/** Shows the paths from a node to the root, and the tooltip of the node. @param {Element} picture @param {Element} node */
const traceTo = (picture, node) => {
  if (pointed.point) hideAll();
  pointed.node = node;
  fadeOthers(picture, node);
  part("hint").textContent = node.querySelector("title")?.textContent?.replaceAll("\n", "   ") ?? "";
};

/** @param {MouseEvent} event */
const followPointer = (event) => {
  const picture = pictureOf(event.target);
  const node = /** @type {Element} */ (event.target).closest(".node, .operation");
  const fractions = fractionsAt(picture, event);
  if (picture && fractions[0] >= 0 && fractions[0] <= 1) pointTo(picture, fractions);
  else if (!picture || !node) hideAll();
  else if (node !== pointed.node) traceTo(picture, node);
};

/** @param {SVGSVGElement} picture */
const openLarge = (picture) => {
  if (!picture.closest("dialog")) enlarge(picture, slidersOfPicture(picture));
};

/** Steps along the horizontal axis of a curve or a map, or from box to box around a graph. @param {Element} picture @param {number} step */
const stepAlong = (picture, step) => {
  if (picture.querySelector(".frame")) {
    const fraction = (pointed.point?.fractions[0] ?? 0.5) + step / 50;
    return pointTo(picture, [Math.min(Math.max(fraction, 0), 1)]);
  }
  const nodes = [...picture.querySelectorAll(".node")];
  if (!nodes.length) return;
  // The first step to the right enters the graph at its first box.
  const next = (pointed.node ? nodes.indexOf(pointed.node) : -1) + step;
  traceTo(picture, nodes[(next + nodes.length) % nodes.length]);
  pointed.node?.scrollIntoView({ block: "nearest", inline: "nearest" });
  announce(part("hint").textContent);
};

/** Listens to the pointer and the keys in pictures. */
export const listen = () => {
  const notebook = part("notebook");
  listenToHandles(notebook, follower);
  notebook.addEventListener("pointermove", followPointer);
  notebook.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const picture = pictureOf(event.target);
    // In the large view a tap points.
    if (picture?.closest("dialog")) followPointer(event);
    else if (picture) openLarge(picture);
  });
  for (const type of ["pointerleave", "pointercancel", "focusout"]) notebook.addEventListener(type, hideAll);
  notebook.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const picture = pictureOf(event.target);
    const step = { ArrowLeft: -1, ArrowRight: 1, Enter: 0 }[event.key];
    if (!picture || step === undefined) return;
    event.preventDefault();
    if (event.key === "Enter") openLarge(picture);
    else stepAlong(picture, step);
  });
};
