// @ts-check
// The large view of a picture: it scrolls, and has a size of its own. It holds the answer itself and no copy, so what
// changes the answer changes the picture in it.

import { button, made, part } from "./parts.js";
import { gesture } from "./sliders.js";

/** The largest scale, and the largest of a picture that is seen whole. */
const MOST = 4;
const MOST_FITTED = 2;
/** A picture that would have to be smaller than this to be seen whole is opened at its own size. */
const LEAST_FITTED = 0.33;

/**
 * Opens a picture large.
 * @param {SVGSVGElement} picture
 * @param {HTMLElement[]} sliders those that move it there
 */
export const enlarge = (picture, sliders) => {
  const answer = /** @type {HTMLElement} */ (picture.closest("figure")?.parentElement);
  const article = /** @type {HTMLElement} */ (answer.parentElement);
  const at = [...answer.querySelectorAll("figure > svg")].indexOf(picture);
  // The answer may be drawn anew while it is seen.
  const shown = () => /** @type {NodeListOf<SVGSVGElement>} */ (answer.querySelectorAll("figure > svg"))[at] ?? picture;
  const stage = made("div", { className: "stage" });
  let scale = 1;
  let isFitted = true;

  const whole = () => {
    const { width, height } = shown().viewBox.baseVal;
    return Math.min((stage.clientWidth - 1) / width, (stage.clientHeight - 1) / height);
  };
  const draw = (/** @type {number} */ next, /** @type {boolean} */ isWhole) => {
    [scale, isFitted] = [next, isWhole];
    stage.style.setProperty("--scale", `${scale}`);
    stage.classList.toggle("fitted", isFitted);
  };
  const fit = () => draw(Math.min(whole(), MOST_FITTED), true);
  // What is at a place of the window stays there.
  const zoomAt = (/** @type {number} */ by, /** @type {number} */ x, /** @type {number} */ y) => {
    const before = shown().getBoundingClientRect();
    draw(Math.max(Math.min(whole(), 1), Math.min(MOST, scale * by)), false);
    const after = shown().getBoundingClientRect();
    const grown = after.width / before.width;
    stage.scrollBy(after.left - x + (x - before.left) * grown, after.top - y + (y - before.top) * grown);
  };
  const zoom = (/** @type {number} */ by) => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    zoomAt(by, left + width / 2, top + height / 2);
  };

  const smaller = Object.assign(button("−", () => zoom(0.8)), { title: "Smaller (-)", ariaLabel: "Smaller" });
  const larger = Object.assign(button("+", () => zoom(1.25)), { title: "Larger (+)", ariaLabel: "Larger" });
  const fitting = Object.assign(button("Fit", fit), { title: "The whole picture (0)" });
  const sizes = made("div", { role: "group", ariaLabel: "Size of the picture" }, smaller, " ", larger, " ", fitting);
  const head = made("header", {}, sizes, button("Close", () => dialog.close()));
  // What is under the pointer is said there, too.
  const hint = part("hint");
  const { parentNode: home, nextSibling: next } = hint;
  const dialog = made("dialog", { className: "large", ariaLabel: picture.getAttribute("aria-label") },
    head, stage, made("div", { className: "sliders" }, ...sliders), hint);

  dialog.onclose = () => {
    dialog.replaceWith(answer);
    article.style.minHeight = "";
    home.insertBefore(hint, next);
    shown().focus({ preventScroll: true });
  };
  /** @type {Record<string, () => void>} */
  const keys = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit };
  dialog.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const isTyped = /** @type {Element} */ (event.target).matches("[type=number]");
    if (event.ctrlKey || event.altKey || event.metaKey || isTyped || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
  stage.onpointermove = (/** @type {PointerEvent} */ { pointerType, buttons, movementX, movementY }) => {
    if (pointerType === "mouse" && buttons === 1 && gesture.state === "idle") stage.scrollBy(-movementX, -movementY);
  };
  const prompt = { passive: false };
  // Two fingers on a pad are a wheel with Ctrl.
  stage.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomAt(Math.exp(Math.max(-25, Math.min(25, -event.deltaY)) / 100), event.clientX, event.clientY);
  }, prompt);
  let apart = 0;
  stage.ontouchstart = stage.ontouchend = () => (apart = 0);
  stage.addEventListener("touchmove", (/** @type {TouchEvent} */ event) => {
    const [one, other] = event.touches;
    if (!other) return;
    if (event.cancelable) event.preventDefault();
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (apart) zoomAt(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  }, prompt);

  // The page below stays as long as it is.
  article.style.minHeight = `${article.offsetHeight}px`;
  answer.before(dialog);
  dialog.showModal();
  stage.append(answer);
  if (whole() < LEAST_FITTED) draw(1, false);
  else fit();
  new ResizeObserver(() => isFitted && fit()).observe(stage);
  shown().focus({ preventScroll: true });
  shown().scrollIntoView({ block: "nearest" });
};
