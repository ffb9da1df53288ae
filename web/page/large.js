// @ts-check
// The large view of a picture, which scrolls and can be zoomed. It holds the answer itself and no copy, so a change of the
// answer changes the picture in the view.

import { button, newElement, part } from "./parts.js";
import { gesture } from "./sliders.js";

/** The largest scale, and the largest at which the view opens. */
const MOST = 4;
const MOST_FITTED = 2;
/** If the whole picture fits only at a smaller scale than this, it opens at its own size. */
const LEAST_FITTED = 0.33;
/** A button or a key changes the size by these factors. */
const LARGER = 1.25;
const SMALLER = 0.8;

/** The element in which the picture scrolls. */
class Stage {
  /** @type {HTMLElement} */
  element = newElement("div", { className: "stage" });
  scale = 1;
  isFitted = true;
  #picture;

  /** @param {() => SVGSVGElement} picture */
  constructor(picture) {
    this.#picture = picture;
  }

  fit() {
    this.#draw(Math.min(this.#whole(), MOST_FITTED), true);
  }

  open() {
    if (this.#whole() < LEAST_FITTED) this.#draw(1, false);
    else this.fit();
  }

  /** Makes the picture larger by this factor. The middle of the view stays in its place. @param {number} by */
  zoom(by) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    this.zoomAt(by, left + width / 2, top + height / 2);
  }

  /**
   * Makes the picture larger by this factor. The point at this place of the window stays there.
   * @param {number} by
   * @param {number} x
   * @param {number} y
   */
  zoomAt(by, x, y) {
    const before = this.#picture().getBoundingClientRect();
    this.#draw(Math.max(Math.min(this.#whole(), 1), Math.min(MOST, this.scale * by)), false);
    const after = this.#picture().getBoundingClientRect();
    const grown = after.width / before.width;
    this.element.scrollBy(after.left - x + (x - before.left) * grown, after.top - y + (y - before.top) * grown);
  }

  /** The scale at which the whole picture fits. */
  #whole() {
    const { width, height } = this.#picture().viewBox.baseVal;
    return Math.min((this.element.clientWidth - 1) / width, (this.element.clientHeight - 1) / height);
  }

  /** @param {number} scale @param {boolean} isFitted */
  #draw(scale, isFitted) {
    Object.assign(this, { scale, isFitted });
    this.element.style.setProperty("--scale", `${scale}`);
    this.element.classList.toggle("fitted", isFitted);
  }
}

/** Lets the mouse drag the picture, and the wheel and two fingers change its size. @param {Stage} stage */
const followHands = (stage) => {
  const { element } = stage;
  element.onpointermove = ({ pointerType, buttons, movementX, movementY }) => {
    if (pointerType === "mouse" && buttons === 1 && gesture.state === "idle") element.scrollBy(-movementX, -movementY);
  };
  // Browsers report two fingers on a pad as a wheel with Ctrl.
  const turn = (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    stage.zoomAt(Math.exp(Math.max(-25, Math.min(25, -event.deltaY)) / 100), event.clientX, event.clientY);
  };
  let apart = 0;
  const pinch = (/** @type {TouchEvent} */ event) => {
    const [one, other] = event.touches;
    if (!other) return;
    if (event.cancelable) event.preventDefault();
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (apart) stage.zoomAt(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  };
  element.addEventListener("wheel", turn, { passive: false });
  element.addEventListener("touchmove", pinch, { passive: false });
  for (const type of ["touchstart", "touchend"]) element.addEventListener(type, () => (apart = 0));
};

/** @param {string} sign @param {() => void} act @param {object} words */
const sizeButton = (sign, act, words) => Object.assign(button(sign, act), words);

/**
 * Opens a picture large.
 * @param {SVGSVGElement} picture
 * @param {HTMLElement[]} sliders the sliders below it
 */
export const enlarge = (picture, sliders) => {
  const answer = /** @type {HTMLElement} */ (picture.closest("figure")?.parentElement);
  const at = [...answer.querySelectorAll("figure > svg")].indexOf(picture);
  // The answer may be drawn anew while the view is open.
  const shown = () => /** @type {NodeListOf<SVGSVGElement>} */ (answer.querySelectorAll("figure > svg"))[at] ?? picture;
  // The page below keeps its length.
  document.body.style.minHeight = `${document.body.offsetHeight}px`;
  const stage = new Stage(shown);
  followHands(stage);
  const [smaller, larger, fit] = [() => stage.zoom(SMALLER), () => stage.zoom(LARGER), () => stage.fit()];
  const sizes = newElement("div", { role: "group", ariaLabel: "Size of the picture" },
    sizeButton("−", smaller, { title: "Smaller (-)", ariaLabel: "Smaller" }), " ",
    sizeButton("+", larger, { title: "Larger (+)", ariaLabel: "Larger" }), " ",
    sizeButton("Fit", fit, { title: "The whole picture (0)" }));
  const head = newElement("header", {}, sizes, button("Close", () => dialog.close()));
  // The hint shows the node under the pointer, in the view, too.
  const hint = part("hint");
  const { parentNode: home, nextSibling: next } = hint;
  const dialog = newElement("dialog", { className: "large", ariaLabel: picture.getAttribute("aria-label") },
    head, stage.element, newElement("div", { className: "sliders" }, ...sliders), hint);
  /** @type {Record<string, () => void>} */
  const keys = { "+": larger, "=": larger, "-": smaller, 0: fit };
  dialog.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const isTyped = /** @type {Element} */ (event.target).matches("[type=number]");
    if (event.ctrlKey || event.altKey || event.metaKey || isTyped || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
  dialog.onclose = () => {
    dialog.replaceWith(answer);
    document.body.style.minHeight = "";
    home.insertBefore(hint, next);
    shown().focus({ preventScroll: true });
  };

  answer.before(dialog);
  dialog.showModal();
  stage.element.append(answer);
  stage.open();
  new ResizeObserver(() => stage.isFitted && stage.fit()).observe(stage.element);
  shown().focus({ preventScroll: true });
  shown().scrollIntoView({ block: "nearest" });
};
