// @ts-check
// What is under the pointer in a picture: on a curve the point, as if its leaf were there; of a node its paths to the
// root. The arrow keys go along a picture, too.

import { enlarge } from "./large.js";
import { announce, part } from "./parts.js";

/**
 * What a point of a picture is: the share of its width, its leaf, and the number that the leaf has there. The picture
 * goes from `low` to `high`.
 * @typedef {{ picture: Element, share: number, name: string, now: number, low: number, high: number, isLog: boolean }} Point
 */

/** @type {{ point?: Point, node?: Element }} */
const pointed = {};

/** The picture of an answer that an element is in. @param {EventTarget | null} target @returns {SVGSVGElement | null} */
const pictureOf = (target) => (target instanceof Element ? target.closest("figure > svg") : null);

/** The point at a share of the width of a curve or a map. @param {Element} picture @param {number} share @returns {Point} */
const pointAt = (picture, share) => {
  const key = picture.querySelector(".frame")?.getAttribute("data-key") ?? "";
  const [low, high, ...words] = key.split(" ");
  const isLog = words.at(-1) === "(log)";
  const place = +low + share * (+high - +low);
  const now = +(isLog ? 10 ** place : place).toPrecision(4);
  return { picture, share, name: words.slice(0, isLog ? -1 : undefined).join(" "), now, low: +low, high: +high, isLog };
};

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
  // How far the shared pieces of each value's wires are on these paths.
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

/**
 * Listens to the pointer and the keys.
 * @param {(point: Point) => void} point shows a point
 * @param {(point: Point) => void} unpoint takes it back
 * @param {(picture: Element) => HTMLElement[]} sliders new ones that move a picture
 */
export const listen = (point, unpoint, sliders) => {
  const notebook = part("notebook");
  const leave = () => {
    if (pointed.node) part("hint").textContent = "";
    document.querySelectorAll(".off").forEach((piece) => piece.classList.remove("off"));
    const last = pointed.point;
    pointed.node = pointed.point = undefined;
    if (last) unpoint(last);
  };
  const pointTo = (/** @type {Element} */ picture, /** @type {number} */ share) => {
    pointed.point = pointAt(picture, share);
    point(pointed.point);
  };
  const traceTo = (/** @type {Element} */ picture, /** @type {Element} */ node) => {
    if (pointed.point) leave();
    trace(picture, node);
  };
  const pointAtPlace = (/** @type {MouseEvent} */ { target, clientX }) => {
    const picture = pictureOf(target);
    const node = /** @type {Element} */ (target).closest(".node, .operation");
    const frame = picture?.querySelector(".frame")?.getBoundingClientRect();
    const share = frame ? (clientX - frame.left) / frame.width : -1;
    if (picture && share >= 0 && share <= 1) pointTo(picture, share);
    else if (!picture || !node) leave();
    else if (node !== pointed.node) traceTo(picture, node);
  };
  notebook.addEventListener("pointermove", pointAtPlace);
  notebook.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const picture = pictureOf(event.target);
    // In the large view a finger that taps points.
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
      const share = (pointed.point?.share ?? 0.5) + step / 50;
      return pointTo(picture, Math.min(Math.max(share, 0), 1));
    }
    const nodes = [...picture.querySelectorAll(".node")];
    const next = (pointed.node ? nodes.indexOf(pointed.node) : -1) + step;
    if (!nodes.length) return;
    traceTo(picture, nodes[(next + nodes.length) % nodes.length]);
    pointed.node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    announce(part("hint").textContent);
  });
};
