// @ts-check
// Shows details of a picture at the pointer. On a curve or a map, the entry is answered as if its leaves were at that point.
// On a graph, the paths from a node to the root are shown. The arrow keys move along a picture, too. The pointer can drag the
// present point of a curve or a map, and a click opens the large view.

import { enlarge } from "./large.js";
import { announce, part } from "./parts.js";
import { cancelMoves, gesture, moveLeaves, slidersOf } from "./sliders.js";

/** @typedef {import("./sliders.js").Follower} Follower */
/** @typedef {import("./sliders.js").Move} Move */
/** The name of an axis and its ends, as numbers or logarithms. @typedef {{ name: string, low: number, high: number, isLog: boolean }} Axis */
/**
 * A point of a picture: its position as fractions of the width and the height, the leaves of the axes with their numbers
 * there, and the ends of the horizontal axis.
 * @typedef {{ picture: Element, fractions: number[], leaves: { name: string, now: number }[], ends: { low: number, high: number } }} Point
 */

/** The point or the node that is shown now. @type {{ point?: Point, node?: Element }} */
const pointed = {};

/** The picture that contains an element. @param {EventTarget | null} target @returns {SVGSVGElement | null} */
const pictureOf = (target) => (target instanceof Element ? target.closest("figure > svg") : null);

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

/** The point at fractions of the width and the height of a curve or a map. @param {Element} picture @param {number[]} fractions @returns {Point} */
const pointAt = (picture, fractions) => {
  const axes = axesIn(picture.querySelector(".frame")?.getAttribute("data-key") ?? "");
  // The arrow keys move only along the horizontal axis, and give one fraction.
  const leaves = axes.slice(0, fractions.length).map((axis, index) => ({ name: axis.name, now: numberAt(axis, fractions[index]) }));
  const [low, high] = [axes[0].low, axes[0].high].map((end) => (axes[0].isLog ? 10 ** end : end));
  return { picture, fractions, leaves, ends: { low, high } };
};

/** The position of the pointer as fractions of the width and the height of a curve or a map; empty for other pictures. @param {Element | null} picture @param {{ clientX: number, clientY: number }} pointer */
const fractionsAt = (picture, { clientX, clientY }) => {
  const frame = picture?.querySelector(".frame")?.getBoundingClientRect();
  return frame ? [(clientX - frame.left) / frame.width, (frame.bottom - clientY) / frame.height] : [];
};

/** A drag begins after this many pixels, because a hand moves a little during a click. */
const MIN_DRAG_PIXELS = 4;

/** A wire from an operand to its user, and the number of the piece that it shares with other wires. @typedef {{ from: string, to: string, part: number }} Edge */

/** The wires of a graph. @param {Element} picture @returns {Edge[]} */
const edgesOf = (picture) => [...picture.querySelectorAll(".edge[data-key*='-']")].map((edge) => {
  const [from, to] = (edge.getAttribute("data-key") ?? "").split("-");
  return { from, to, part: +(edge.getAttribute("data-part") ?? 0) };
});

/**
 * The keys of a node and of all nodes on its paths to the root.
 * @param {Edge[]} edges
 * @param {string} key
 */
export const keysAbove = (edges, key) => {
  /** @type {Map<string, string[]>} */
  const users = new Map();
  for (const { from, to } of edges) users.set(from, [...(users.get(from) ?? []), to]);
  const above = new Set([key]);
  // The loop also visits the keys that it adds.
  for (const visited of above) for (const user of users.get(visited) ?? []) above.add(user);
  return above;
};

/** Shows the paths from a node to the root. @param {Element} picture @param {Element} node */
const trace = (picture, node) => {
  pointed.node = node;
  const edges = edgesOf(picture);
  const above = keysAbove(edges, node.getAttribute("data-key") ?? "");
  const isOnPath = (/** @type {{ from: string, to: string }} */ { from, to }) => above.has(from) && above.has(to);
  // For each operand, the last piece that its wires share on these paths.
  /** @type {Map<string, number>} */
  const lastShared = new Map();
  for (const edge of edges.filter(isOnPath)) {
    lastShared.set(edge.from, Math.max(lastShared.get(edge.from) ?? 0, edge.part));
  }
  for (const piece of picture.querySelectorAll("[data-key]")) {
    // The key of a node has no second part.
    const [from, to = from] = (piece.getAttribute("data-key") ?? "").split("-");
    const number = +(piece.getAttribute("data-part") ?? 0);
    const isOn = piece.matches(".trunk") ? number <= (lastShared.get(from) ?? -1) : isOnPath({ from, to });
    piece.classList.toggle("off", !isOn);
  }
  part("hint").textContent = node.querySelector("title")?.textContent?.replaceAll("\n", "   ") ?? "";
};

/** The leaves of a point that a hand can move, because they have sliders at its picture. @param {Point} point @returns {Move[]} */
const movesTo = ({ picture, leaves }) => leaves.flatMap((leaf) => {
  const docked = picture.closest("article")?.querySelector(".docked");
  const slider = slidersOf(leaf.name).find((it) => docked?.contains(it));
  const number = slider?.querySelectorAll("input")[1];
  return number && !number.disabled ? [{ ...leaf, from: +number.value }] : [];
});

/** Lets the pointer drag the present points of pictures. @param {HTMLElement} notebook @param {Follower} follower */
const listenToHandles = (notebook, follower) => {
  /** The picture whose point the pointer holds, the position of the pointer when it went down, and its distance from the middle of the point. @type {{ picture: Element, x: number, y: number, right: number, down: number } | undefined} */
  let held;
  let isDragged = false;
  const cancel = () => {
    if (held) cancelMoves(follower);
    held = undefined;
  };
  notebook.addEventListener("pointerdown", ({ target, isPrimary, button, clientX: x, clientY: y }) => {
    const picture = pictureOf(target);
    [held, isDragged] = [undefined, false];
    if (!picture || !isPrimary || button || !(/** @type {Element} */ (target).matches(".present > circle + circle"))) return;
    const { left, top, width, height } = /** @type {Element} */ (target).getBoundingClientRect();
    held = { picture, x, y, right: x - left - width / 2, down: y - top - height / 2 };
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

/**
 * Listens to the pointer and the keys in pictures.
 * @param {(point: Point) => void} showPoint
 * @param {(point: Point) => void} hidePoint
 * @param {Follower} follower follows a point that is dragged
 * @param {(picture: Element) => HTMLElement[]} newSliders makes new sliders for a picture
 */
export const listen = (showPoint, hidePoint, follower, newSliders) => {
  const notebook = part("notebook");
  listenToHandles(notebook, follower);
  const hideAll = () => {
    if (pointed.node) part("hint").textContent = "";
    document.querySelectorAll(".off").forEach((piece) => piece.classList.remove("off"));
    const last = pointed.point;
    pointed.node = pointed.point = undefined;
    if (last) hidePoint(last);
  };
  const pointTo = (/** @type {Element} */ picture, /** @type {number[]} */ fractions) => {
    pointed.point = pointAt(picture, fractions);
    showPoint(pointed.point);
  };
  const traceTo = (/** @type {Element} */ picture, /** @type {Element} */ node) => {
    if (pointed.point) hideAll();
    trace(picture, node);
  };
  const followPointer = (/** @type {MouseEvent} */ event) => {
    const picture = pictureOf(event.target);
    const node = /** @type {Element} */ (event.target).closest(".node, .operation");
    const fractions = fractionsAt(picture, event);
    if (picture && fractions[0] >= 0 && fractions[0] <= 1) pointTo(picture, fractions);
    else if (!picture || !node) hideAll();
    else if (node !== pointed.node) traceTo(picture, node);
  };
  const openLarge = (/** @type {SVGSVGElement} */ picture) => {
    if (!picture.closest("dialog")) enlarge(picture, newSliders(picture));
  };
  // The arrow keys move along an axis, or from box to box around a graph.
  const stepAlong = (/** @type {SVGSVGElement} */ picture, /** @type {number} */ step) => {
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
