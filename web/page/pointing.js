// @ts-check
// Shows more of a picture under the pointer: the point of a curve or a map, as if its leaves were there, or the paths from a
// node to the root. The arrow keys move along a picture, too. The pointer can drag the present point of a curve or a map.

import { enlarge } from "./large.js";
import { announce, part } from "./parts.js";
import { cancelMoves, gesture, moveLeaves, slidersOf } from "./sliders.js";

/** @typedef {import("./sliders.js").Follower} Follower */
/** @typedef {import("./sliders.js").Move} Move */
/** The name of an axis and its ends, as numbers or logarithms. @typedef {{ name: string, low: number, high: number, isLog: boolean }} Axis */
/**
 * A point of a picture: the shares of its width and height, the leaves of its axes with their numbers there, and the ends of
 * the axis across.
 * @typedef {{ picture: Element, shares: number[], leaves: { name: string, now: number }[], ends: { low: number, high: number } }} Point
 */

/** @type {{ point?: Point, node?: Element }} */
const pointed = {};

/** The picture that contains an element. @param {EventTarget | null} target @returns {SVGSVGElement | null} */
const pictureOf = (target) => (target instanceof Element ? target.closest("figure > svg") : null);

/** Reads the axes of a curve or a map, across and up, from its frame: `-5 5 a, 0 2 b (log)`. @param {string} key @returns {Axis[]} */
export const axesIn = (key) => key.split(", ").map((axis) => {
  const [low, high, name, scale] = axis.split(" ");
  return { name, low: +low, high: +high, isLog: scale === "(log)" };
});

/** The number at a share of an axis, rounded to a 200th of its length or finer. @param {Axis} axis @param {number} share */
export const numberAt = ({ low, high, isLog }, share) => {
  const place = low + Math.min(Math.max(share, 0), 1) * (high - low);
  if (isLog) return +(10 ** place).toPrecision(3);
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  return +(Math.round(place / step) * step).toPrecision(12);
};

/** The point at shares of the width and the height of a curve or a map. @param {Element} picture @param {number[]} shares @returns {Point} */
const pointAt = (picture, shares) => {
  const axes = axesIn(picture.querySelector(".frame")?.getAttribute("data-key") ?? "");
  const leaves = axes.slice(0, shares.length).map((axis, at) => ({ name: axis.name, now: numberAt(axis, shares[at]) }));
  const [low, high] = [axes[0].low, axes[0].high].map((end) => (axes[0].isLog ? 10 ** end : end));
  return { picture, shares, leaves, ends: { low, high } };
};

/** The shares of the width and the height of a picture at the pointer; none if it is no curve or map. @param {Element | null} picture @param {{ clientX: number, clientY: number }} pointer */
const sharesAt = (picture, { clientX, clientY }) => {
  const frame = picture?.querySelector(".frame")?.getBoundingClientRect();
  return frame ? [(clientX - frame.left) / frame.width, (frame.bottom - clientY) / frame.height] : [];
};

/** The point follows the pointer after this many pixels. */
const LEAST_WAY = 4;

/** @typedef {{ from: string, to: string, part: number }} Edge */

/** The wires of a graph. @param {Element} picture @returns {Edge[]} */
const edgesOf = (picture) => [...picture.querySelectorAll(".edge[data-key*='-']")].map((edge) => {
  const [from, to] = (edge.getAttribute("data-key") ?? "").split("-");
  return { from, to, part: +(edge.getAttribute("data-part") ?? 0) };
});

/**
 * The keys of a node and of all on its paths to the root.
 * @param {Edge[]} edges
 * @param {string} key
 */
export const keysAbove = (edges, key) => {
  /** @type {Map<string, string[]>} */
  const users = new Map();
  for (const { from, to } of edges) users.set(from, [...(users.get(from) ?? []), to]);
  const above = new Set([key]);
  for (const one of above) for (const user of users.get(one) ?? []) above.add(user);
  return above;
};

/** Shows the paths from a node to the root. @param {Element} picture @param {Element} node */
const trace = (picture, node) => {
  pointed.node = node;
  const edges = edgesOf(picture);
  const above = keysAbove(edges, node.getAttribute("data-key") ?? "");
  // For each value, the last piece that its wires share on these paths.
  /** @type {Map<string, number>} */
  const shared = new Map();
  for (const { from, to, part } of edges) {
    if (above.has(from) && above.has(to)) shared.set(from, Math.max(shared.get(from) ?? 0, part));
  }
  for (const piece of picture.querySelectorAll("[data-key]")) {
    const [from, to = from] = (piece.getAttribute("data-key") ?? "").split("-");
    const place = +(piece.getAttribute("data-part") ?? 0);
    const isOn = piece.matches(".trunk") ? place <= (shared.get(from) ?? -1) : above.has(from) && above.has(to);
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
  /** The picture whose point the pointer holds, the place where it was taken, and the distance from there to the point. @type {{ picture: Element, x: number, y: number, right: number, down: number } | undefined} */
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
    if (!isDragged && Math.hypot(event.clientX - x, event.clientY - y) < LEAST_WAY) return;
    const point = pointAt(picture, sharesAt(picture, { clientX: event.clientX - right, clientY: event.clientY - down }));
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
 * Listens to the pointer and the keys.
 * @param {(point: Point) => void} point shows a point
 * @param {(point: Point) => void} unpoint takes it back
 * @param {Follower} follower follows a point that is dragged
 * @param {(picture: Element) => HTMLElement[]} sliders makes new sliders for a picture
 */
export const listen = (point, unpoint, follower, sliders) => {
  const notebook = part("notebook");
  listenToHandles(notebook, follower);
  const leave = () => {
    if (pointed.node) part("hint").textContent = "";
    document.querySelectorAll(".off").forEach((piece) => piece.classList.remove("off"));
    const last = pointed.point;
    pointed.node = pointed.point = undefined;
    if (last) unpoint(last);
  };
  const pointTo = (/** @type {Element} */ picture, /** @type {number[]} */ shares) => {
    pointed.point = pointAt(picture, shares);
    point(pointed.point);
  };
  const traceTo = (/** @type {Element} */ picture, /** @type {Element} */ node) => {
    if (pointed.point) leave();
    trace(picture, node);
  };
  const pointAtPlace = (/** @type {MouseEvent} */ event) => {
    const picture = pictureOf(event.target);
    const node = /** @type {Element} */ (event.target).closest(".node, .operation");
    const shares = sharesAt(picture, event);
    if (picture && shares[0] >= 0 && shares[0] <= 1) pointTo(picture, shares);
    else if (!picture || !node) leave();
    else if (node !== pointed.node) traceTo(picture, node);
  };
  notebook.addEventListener("pointermove", pointAtPlace);
  notebook.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const picture = pictureOf(event.target);
    // In the large view a tap points.
    if (picture?.closest("dialog")) pointAtPlace(event);
    else if (picture) enlarge(picture, sliders(picture));
  });
  for (const type of ["pointerleave", "pointercancel", "focusout"]) notebook.addEventListener(type, leave);
  notebook.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const picture = pictureOf(event.target);
    const step = { ArrowLeft: -1, ArrowRight: 1, Enter: 0 }[event.key];
    if (!picture || step === undefined) return;
    event.preventDefault();
    if (!step) return picture.closest("dialog") ? undefined : enlarge(picture, sliders(picture));
    if (picture.querySelector(".frame")) {
      const share = (pointed.point?.shares[0] ?? 0.5) + step / 50;
      return pointTo(picture, [Math.min(Math.max(share, 0), 1)]);
    }
    const nodes = [...picture.querySelectorAll(".node")];
    const next = (pointed.node ? nodes.indexOf(pointed.node) : -1) + step;
    if (!nodes.length) return;
    traceTo(picture, nodes[(next + nodes.length) % nodes.length]);
    pointed.node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    announce(part("hint").textContent);
  });
};
