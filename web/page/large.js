// Opens a picture in a large view, where it scrolls and can be zoomed. The view moves the answer itself into a dialog instead
// of copying it, so a change of the answer also changes the picture in the view.

import { focusLine } from "./focus.js";
import { gesture } from "./gesture.js";
import { button, newElement, part } from "./parts.js";

const MAX_SCALE = 4;
/** A small picture opens at most at this scale. */
const MAX_FITTED_SCALE = 2;
/** If the whole picture fits only at a smaller scale than this, its text is unreadable. It then opens at its own size. */
const MIN_FITTED_SCALE = 0.33;
/** The factors by which a button or a key changes the scale. */
const ZOOM_IN = 1.25;
const ZOOM_OUT = 0.8;
/** A wheel that turns by this many pixels changes the scale by the factor e. */
const WHEEL_PIXELS = 100;
/** One event of a wheel counts at most as this many pixels: a mouse reports about 100 at once, a touch pad only a few. */
const MAX_WHEEL_PIXELS = 25;

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

  /** Shows the whole picture. */
  fit() {
    this.#draw(Math.min(this.#fittingScale(), MAX_FITTED_SCALE), true);
  }

  /** Shows the whole picture if it is readable then. */
  open() {
    if (this.#fittingScale() < MIN_FITTED_SCALE) this.#draw(1, false);
    else this.fit();
  }

  /** Zooms by a factor. The middle of the view stays in its place. @param {number} factor */
  zoom(factor) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    this.zoomAt(factor, left + width / 2, top + height / 2);
  }

  /** Zooms by a factor. The point of the picture at this position in the window stays there. @param {number} factor @param {number} x @param {number} y */
  zoomAt(factor, x, y) {
    const before = this.#picture().getBoundingClientRect();
    const minScale = Math.min(this.#fittingScale(), 1);
    this.#draw(Math.max(minScale, Math.min(MAX_SCALE, this.scale * factor)), false);
    const after = this.#picture().getBoundingClientRect();
    const growth = after.width / before.width;
    // Scroll by how far the point under the pointer has moved.
    const movedRight = after.left + (x - before.left) * growth - x;
    const movedDown = after.top + (y - before.top) * growth - y;
    this.element.scrollBy(movedRight, movedDown);
  }

  /** The scale at which the whole picture fits. A pixel is left free, so that rounding shows no scroll bars. */
  #fittingScale() {
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

/** Lets the mouse drag the picture, and the wheel and two fingers zoom it. @param {Stage} stage */
const addPointerGestures = (stage) => {
  const { element } = stage;
  element.onpointermove = ({ pointerType, buttons, movementX, movementY }) => {
    // While the pointer drags the point of a curve, the picture stays.
    if (pointerType === "mouse" && buttons === 1 && gesture.state === "idle") element.scrollBy(-movementX, -movementY);
  };
  const onWheel = (/** @type {WheelEvent} */ event) => {
    // Browsers report two fingers on a touch pad as a wheel with Ctrl. A wheel without Ctrl scrolls.
    if (!event.ctrlKey) return;
    event.preventDefault();
    const pixels = Math.max(-MAX_WHEEL_PIXELS, Math.min(MAX_WHEEL_PIXELS, -event.deltaY));
    stage.zoomAt(Math.exp(pixels / WHEEL_PIXELS), event.clientX, event.clientY);
  };
  /** The distance of the two fingers at the last event; 0 before the first. */
  let lastDistance = 0;
  const onTouchMove = (/** @type {TouchEvent} */ event) => {
    const [first, second] = event.touches;
    if (!second) return;
    if (event.cancelable) event.preventDefault();
    const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
    const [x, y] = [(first.clientX + second.clientX) / 2, (first.clientY + second.clientY) / 2];
    if (lastDistance) stage.zoomAt(distance / lastDistance, x, y);
    lastDistance = distance;
  };
  // Only a listener that is not passive may prevent the browser from zooming the whole page.
  element.addEventListener("wheel", onWheel, { passive: false });
  element.addEventListener("touchmove", onTouchMove, { passive: false });
  for (const type of ["touchstart", "touchend"]) element.addEventListener(type, () => (lastDistance = 0));
};

/** The buttons that change the size of the picture. @param {Stage} stage */
const sizeButtons = (stage) => {
  const smaller = Object.assign(button("−", () => stage.zoom(ZOOM_OUT)), { title: "Smaller (-)", ariaLabel: "Smaller" });
  const larger = Object.assign(button("+", () => stage.zoom(ZOOM_IN)), { title: "Larger (+)", ariaLabel: "Larger" });
  const fit = Object.assign(button("Fit", () => stage.fit()), { title: "The whole picture (0)" });
  return newElement("div", { role: "group", ariaLabel: "Size of the picture" }, smaller, " ", larger, " ", fit);
};

/** Lets keys change the size of the picture. @param {HTMLDialogElement} dialog @param {Stage} stage */
const bindSizeKeys = (dialog, stage) => {
  const larger = () => stage.zoom(ZOOM_IN);
  // On many keyboards `=` is the key of `+` without Shift.
  /** @type {Record<string, () => void>} */
  const actionsOfKeys = { "+": larger, "=": larger, "-": () => stage.zoom(ZOOM_OUT), 0: () => stage.fit() };
  dialog.onkeydown = (event) => {
    const isTyped = /** @type {Element} */ (event.target).matches(".slider :not([type=range])");
    const action = actionsOfKeys[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey || isTyped || !action) return;
    event.preventDefault();
    action();
  };
};

/** Opens a picture in the large view. @param {SVGSVGElement} picture @param {HTMLElement[]} sliders the sliders below the picture */
export const enlarge = (picture, sliders) => {
  const answer = /** @type {HTMLElement} */ (picture.closest("figure")?.parentElement);
  const pictures = () => /** @type {NodeListOf<SVGSVGElement>} */ (answer.querySelectorAll("figure > svg"));
  const index = [...pictures()].indexOf(picture);
  // While the view is open, a new answer may replace the picture.
  const currentPicture = () => pictures()[index] ?? picture;
  // The page below keeps its length, and so its scroll position, while the answer is in the dialog.
  document.body.style.minHeight = `${document.body.offsetHeight}px`;
  const stage = new Stage(currentPicture);
  addPointerGestures(stage);
  // The hint shows the node under the pointer, in the view, too.
  const hint = part("hint");
  const { parentNode: hintParent, nextSibling: hintSuccessor } = hint;
  // The buttons of a walk stand above its answer.
  const steps = [answer.previousElementSibling ?? ""].filter((it) => it instanceof Element && it.matches(".steps"));
  const head = newElement("header", {}, sizeButtons(stage), ...steps, button("Close", () => dialog.close()));
  const dialog = newElement("dialog", { className: "large", ariaLabel: picture.getAttribute("aria-label") },
    head, stage.element, newElement("div", { className: "sliders" }, ...sliders), hint);
  bindSizeKeys(dialog, stage);
  const resizing = new ResizeObserver(() => stage.isFitted && stage.fit());
  dialog.onclose = () => {
    resizing.disconnect();
    dialog.replaceWith(...steps, answer);
    document.body.style.minHeight = "";
    hintParent.insertBefore(hint, hintSuccessor);
    focusLine();
  };

  // The dialog takes the place of the answer, and the answer moves into the dialog.
  answer.before(dialog);
  dialog.showModal();
  stage.element.append(answer);
  stage.open();
  resizing.observe(stage.element);
  currentPicture().focus({ preventScroll: true });
  currentPicture().scrollIntoView({ block: "nearest" });
};
