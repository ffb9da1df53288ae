// Plays a walk: below the answer that has begun it stand its graph and its stop, with buttons. An entry that moves the walk
// shows its new stop there, and the buttons move the walk by entries that are not shown.

import { queue } from "./calculator.js";
import { enter } from "./enter.js";
import { change, showBeside, showChanged } from "./entries.js";
import { button, newElement } from "./parts.js";
import { isHere, known, statementsTo } from "./state.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./state.js").Walk} Walk */

const STOP_MILLISECONDS = 1200;

/** The entry that shows the open walk. @type {Entry | undefined} */
let played;
/** The clock of the button Play; 0 while it is off. */
let clock = 0;
/** Moves the walk to a stop, as a job of the queue. @param {number} made @param {Walk["direction"]} [direction] */
const moveTo = async (made, direction) => {
  const { walk, asks } = known;
  if (!walk || asks) return;
  const stop = { direction: direction ?? walk.direction, made: Math.min(Math.max(made, 0), walk.of) };
  for (const statement of statementsTo(walk, stop)) await enter(statement, "slider");
};

/** Moves the walk on or back. @param {number} by */
const moveBy = (by) => queue.add("step", () => moveTo((known.walk?.made ?? 0) + by));

/** Begins the walk in a direction. @param {Walk["direction"]} way */
const turn = (way) => queue.add("step", () => moveTo(0, way));

const pause = () => {
  clearInterval(clock);
  clock = 0;
  play.textContent = "Play";
};

/** Makes a stop now and then, or pauses. Nothing moves between two stops, also for people who want less motion. */
const playOrPause = () => {
  if (clock) return pause();
  moveBy(known.walk?.made === known.walk?.of ? -Infinity : 1);
  // A stop that still waits when the user pauses is not made.
  clock = setInterval(() => queue.renew("play", async () => clock && moveTo((known.walk?.made ?? 0) + 1)), STOP_MILLISECONDS);
  play.textContent = "Pause";
};

/** @param {string} sign @param {string} title @param {number} by */
const mover = (sign, title, by) => Object.assign(button(sign, () => moveBy(by)), { title, ariaLabel: title });

const play = button("Play", playOrPause);
const slider = newElement("input", { type: "range", min: 0, ariaLabel: "Stop", oninput: () => queue.renew("slide", () => moveTo(+slider.value)) });
const place = newElement("output", {});
const ways = { backward: button("Backward", () => turn("backward")), forward: button("Forward", () => turn("forward")) };
const steps = newElement("div", { className: "steps", role: "group", ariaLabel: "Stops of the walk" },
  mover("«", "To the start", -Infinity), mover("‹", "One stop back", -1), play, mover("›", "One stop on", 1), mover("»", "To the end", Infinity), slider, place, ...Object.values(ways));
// After a click, the arrow keys move the slider.
steps.onclick = (/** @type {MouseEvent} */ { detail }) => detail && slider.focus();

/**
 * Shows the stop of a walk that an entry has moved. Returns the entry that shows the walk from now on, if the user has begun it.
 * @param {import("./state.js").Answer} answer @param {Entry} entry @param {import("./link.js").Origin} from
 */
export const showStop = ({ walk }, entry, from) => {
  if (!walk?.html) return undefined;
  if (walk.begun && from !== "slider" && entry.html) {
    steps.remove();
    return (played = { ...entry, html: walk.html, words: "", sent: "", kept: "", isAnew: false, names: [], below: [], lacking: null, isWalk: true });
  }
  if (!played) return undefined;
  change(played, { html: walk.html });
  showChanged();
  showBeside(played);
  const { answer: shown } = played.shown;
  // A longer table would end below the line. On a telephone the graph may not fit above it.
  if (from === "slider") for (const element of [shown.lastElementChild, boxOfStop(shown)]) element?.scrollIntoView({ block: "nearest" });
  return undefined;
};

/** @param {Element} answer */
const boxOfStop = (answer) => answer.querySelector(".node.current") ?? answer.querySelector(".node.root");

/** Scrolls a graph that is too wide to the box of the stop. @param {Element} answer */
const scrollToStop = (answer) => {
  const box = boxOfStop(answer);
  const figure = box?.closest("figure");
  if (!box || !figure) return;
  const [at, frame] = [box.getBoundingClientRect(), figure.getBoundingClientRect()];
  if (at.left < frame.left || at.right > frame.right) figure.scrollBy(at.left + at.width / 2 - frame.left - frame.width / 2, 0);
};

/** Shows the buttons of the open walk, unless it asks for its numbers. */
export const showSteps = () => {
  const { walk, asks } = known;
  if (!walk || walk.asks || !played || !isHere(played)) {
    steps.remove();
    return pause();
  }
  if (!steps.isConnected) played.shown.answer.before(steps);
  steps.inert = asks;
  scrollToStop(played.shown.answer);
  // A hand that drags the slider is ahead of the walk.
  Object.assign(slider, { max: walk.of, value: slider.matches(":active") ? slider.value : walk.made });
  place.textContent = walk.made ? `${walk.made} of ${walk.of}` : "start";
  for (const [direction, way] of Object.entries(ways)) way.ariaPressed = `${direction === walk.direction}`;
  if (walk.made === walk.of) pause();
};
