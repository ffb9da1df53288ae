// Shows the start of a visit: a graph that moves, and three ways to begin. The graph has a session of its own, which ends with
// the first entry, so the user can use its names for other values.

import { beginWorker } from "./calculator.js";
import { run } from "./enter.js";
import { fill, showAnswer } from "./entries.js";
import { offer, pick } from "./files.js";
import { hasKeys } from "./line.js";
import { button, clickableWords, newElement, note, part } from "./parts.js";
import { Queue } from "./queue.js";
import { Session } from "./session.js";

/** @typedef {import("./entries.js").Entry} Entry */
const BEGINNING = "a, b = 2, -1; L = (a*b)^2; :config table-digits 3";
/** A complete backward pass: its products stay on the wires. */
const PASS = ":grad L; :walk L; :next 2";
/** The same pass, stop by stop. */
const STOPS = [":grad L; :walk L", ":next", ":next"];
const STOP_MILLISECONDS = 1200;
/** A step is as long as if L were straight and fell by this share. */
const DESCENT = 0.3;
/** A leaf goes from minus this number to this number. */
const END = 10;
/** A hand moves this many pixels for a tenth. */
const TENTH_PIXELS = 4;
/** The keys that move a leaf, and by how much. @type {Record<string, number>} */
const KEYS = { ArrowRight: 0.1, ArrowUp: 0.1, ArrowLeft: -0.1, ArrowDown: -0.1, PageUp: 1, PageDown: -1 };
/** In a narrower page, in pixels, the graph runs down. */
const MIN_WIDTH_ACROSS = 760;
/** Beside the graph is room for words, in pixels. */
const WORDS_WIDTH = 160;
/** The graph is at most this much larger than other pictures. */
const MAX_SCALE = 1.25;

/** @type {Worker | undefined} */
let worker;

/** Removes the start. */
export const endStart = () => {
  if (!part("start")) return;
  worker?.terminate();
  part("start").remove();
};

/** The graph of the start, whose leaves a hand drags on their boxes. */
class MovingGraph {
  #session;
  #queue = new Queue();
  #entry = /** @type {Entry} */ ({ html: "", state: "live" });
  /** The numbers of the leaves. @type {Record<string, number>} */
  #now = { a: 2, b: -1 };
  /** The leaf whose derivative is shown. */
  #leaf = "a";
  /** The width of the widest picture so far. All have the same scale, so that nothing jumps while a pass runs. */
  #widest = 0;
  #runsDown = part("start").clientWidth < MIN_WIDTH_ACROSS;
  /** How many motions have begun. A new one ends the motion before. */
  #motions = 0;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#entry.shown = fill(this.#entry, part("graph").firstElementChild);
  }

  /** Shows the graph, and plays its pass once. */
  async begin() {
    await this.#do(`${BEGINNING}\n${PASS}`);
    part("graph").append(...Object.keys(this.#now).map((name) => this.#handle(name)));
    this.#place();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await this.play();
  }

  /** Plays the backward pass, stop by stop. */
  async play() {
    const motion = ++this.#motions;
    for (const stop of STOPS) {
      await this.#do(stop);
      await new Promise((resolve) => setTimeout(resolve, STOP_MILLISECONDS));
      if (motion !== this.#motions) return;
    }
  }

  /** Moves the leaves against their grads. */
  step() {
    this.#motions++;
    const numbers = (/** @type {string} */ selector) =>
      [...part("graph").querySelectorAll(selector)].map((words) => +words.textContent);
    const squares = numbers(".leaf .grad").reduce((sum, grad) => sum + grad * grad, 0);
    const [root] = numbers(".root .data");
    // At the bottom there is no way down.
    if (squares) this.#do(`:step ${(DESCENT * root / squares).toPrecision(2)} of L\n${PASS}`);
  }

  /** Moves a leaf to a number. @param {string} name @param {number} number */
  #move(name, number) {
    this.#motions++;
    this.#leaf = name;
    this.#now[name] = Math.min(Math.max(Math.round(number * 10) / 10, -END), END);
    const { a, b } = this.#now;
    this.#queue.renew("move", () => this.#show(`:set a ${a}, b ${b}\n${PASS}`));
  }

  /** @param {string} statements */
  #do(statements) {
    return this.#queue.add("entry", () => this.#show(statements));
  }

  /** Runs statements, and shows the graph after them. @param {string} statements */
  async #show(statements) {
    const text = `${statements}\n:graph L locals ${this.#runsDown ? "down" : "right"}\n:formula L wrt ${this.#leaf}`;
    /** @type {import("./state.js").Answer} */
    const { html, leaves } = await this.#session.ask("enter", { text, whole: true });
    const shown = newElement("div", { innerHTML: html });
    this.#entry.html = shown.querySelector("figure").outerHTML;
    showAnswer(this.#entry);
    part("derivative").replaceChildren(...[...shown.querySelectorAll(".line")].at(-1).childNodes);
    part("value").textContent = part("graph").querySelector(".root .data").textContent;
    // While the pass is under way, no leaf is free. A leaf that a hand moves is where the hand is.
    if (!this.#isHeld()) for (const { name, value } of leaves) this.#now[name] = value;
    this.#place();
  }

  #isHeld = () => part("graph").querySelector(".held") !== null;

  /** Scales the picture, and places the handles on the boxes of their leaves. */
  #place() {
    const graph = part("graph");
    /** @type {SVGSVGElement} */
    const picture = graph.querySelector("svg");
    // The ground and the caption of the picture are hidden, and would leave room.
    const { x, y, width, height } = picture.getBBox();
    picture.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
    this.#widest = Math.max(this.#widest, width + 4);
    const scale = Math.min(this.#runsDown ? 1 : MAX_SCALE, (part("start").clientWidth - WORDS_WIDTH) / this.#widest);
    Object.assign(picture.style, { width: `${scale * (width + 4)}px`, height: `${scale * (height + 4)}px` });
    graph.style.minWidth = `${scale * this.#widest}px`;
    const { left, top } = graph.getBoundingClientRect();
    for (const handle of graph.querySelectorAll("[role=slider]")) {
      const isOfHandle = (/** @type {Element} */ leaf) => leaf.querySelector(".label")?.textContent === handle.ariaLabel;
      const box = [...picture.querySelectorAll(".leaf")].find(isOfHandle)?.getBoundingClientRect() ?? new DOMRect();
      const style = { left: box.left - left, top: box.top - top, width: box.width, height: box.height };
      for (const [side, length] of Object.entries(style)) handle.style[side] = `${length}px`;
      handle.ariaValueNow = `${+this.#now[handle.ariaLabel].toPrecision(3)}`;
    }
  }

  /** The handle that moves a leaf: it lies on the box of the leaf. @param {string} name */
  #handle(name) {
    const handle = newElement("span", { role: "slider", tabIndex: 0, ariaLabel: name, ariaValueMin: -END, ariaValueMax: END });
    /** Where the hand took the leaf, and the number there. */
    let from = { x: 0, y: 0, number: 0 };
    handle.onpointerdown = (/** @type {PointerEvent} */ { clientX, clientY, pointerId }) => {
      handle.setPointerCapture(pointerId);
      handle.classList.add("held");
      from = { x: clientX, y: clientY, number: this.#now[name] };
    };
    handle.onpointermove = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      if (!handle.matches(".held")) return;
      this.#move(name, from.number + (clientX - from.x + from.y - clientY) / TENTH_PIXELS / 10);
    };
    handle.onpointerup = handle.onpointercancel = () => handle.classList.remove("held");
    handle.onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (!KEYS[event.key]) return;
      event.preventDefault();
      this.#move(name, this.#now[name] + KEYS[event.key]);
    };
    return handle;
  }
}

/** Shows the start. */
export const showStart = async () => {
  part("start").hidden = false;
  const begin = (/** @type {string} */ id, /** @type {() => unknown} */ act) => {
    part(id).onclick = () => {
      // A telephone would open its keyboard.
      if (!hasKeys()) part("entry").focus();
      act();
    };
  };
  begin("formula", async () => {
    await run("g(x) = (3x^2+1)^5", "g'");
    note(clickableWords(":formula g steps"), " shows the rules, ", clickableWords(":plot g, g' x=-1..1"), " the curves, and ", clickableWords(":play slope"), " is a lesson about slopes.");
  });
  begin("hand", () => run(":play chain"));
  begin("table", () => {
    endStart();
    const tryOne = button("a small one", () => run(":data regression.csv", ":fit y ~ a + b*x plot"));
    note("Paste a table into the line, drop its file on the page, or ", button("choose the file", () => pick(offer)), ". Or begin with ", tryOne, ".");
  });
  const graph = new MovingGraph(new Session((blocks) => (worker = beginWorker(blocks))));
  part("pass").onclick = () => graph.play();
  part("descend").onclick = () => graph.step();
  await graph.begin();
};
