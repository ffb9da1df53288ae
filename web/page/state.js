// The state of the session after its last answer: its leaves and its lesson. The sliders of the page follow it.

import { change, entries, slidersBelow } from "./entries.js";
import { gesture } from "./gesture.js";
import { part } from "./parts.js";
import { boundName, endAtZero, forgetEnds, moveSlider, slidersOf } from "./sliders.js";
import { markWent } from "./went.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./sliders.js").Leaf} Leaf */
/** @typedef {import("./storage.js").Lesson} Lesson */
/**
 * The answer of the module to an entry, which `Page::answer` describes.
 * @typedef {object} Answer
 * @property {string} html
 * @property {string} words what a lesson says before its next statement
 * @property {boolean} [more]
 * @property {[string, string] | null} line
 * @property {boolean} asks
 * @property {Walk | null} walk
 * @property {Lesson | null} lesson
 * @property {string} [table]
 * @property {string[]} files
 * @property {string | null} missing
 * @property {{ names: string[], line: string } | null} numbers
 * @property {boolean} quit
 * @property {boolean} failed
 * @property {number | null} entry
 * @property {boolean} of_lesson whether the session of a lesson has answered it
 * @property {number} counted
 * @property {number} added
 * @property {string | null} target
 * @property {string | null} pass
 * @property {string} link
 * @property {string} kept
 * @property {boolean} anew
 * @property {string[]} bound
 * @property {Leaf[]} leaves
 * @property {string[]} sliders
 * @property {string[]} picture
 * @property {string[]} one_sign
 * @property {ToldState[]} states
 */

/**
 * A walk: the statements that begin it in each direction, the stops that it has made of all its stops, and whether it asks for their numbers. If the entry has moved
 * it, `html` is its graph with its stop; the entry may have begun it.
 * @typedef {{ backward: string, forward: string, direction: "backward" | "forward", made: number, of: number, asks: boolean, begun: boolean, html: string | null }} Walk
 */

/** A stop of a walk: how many stops are made in this direction. @typedef {Pick<Walk, "direction" | "made">} Stop */

/** The state of an entry that has changed. @typedef {{ entry: number, state: import("./entries.js").EntryState, reason: string }} ToldState */

/** The user's own session, or that of a built-in lesson. @typedef {"own" | "lesson"} SessionName */
/**
 * The state of the session after its last answer.
 * @typedef {object} SessionState
 * @property {SessionName} inUse the session that is in use. While it is that of a lesson, the user's own is put aside
 * @property {boolean} isKept whether the session has statements to store
 * @property {Map<string, Leaf>} leaves the leaves that sliders may move, by their names
 * @property {Lesson | null} lesson the lesson that is open or was left
 * @property {boolean} asks whether a lesson or a walk waits for an answer of the user
 * @property {[string, string] | null} line what a lesson has put into the line, before the cursor and after it
 * @property {Map<string, number>} asked the numbers of the leaves when the lesson has come to its present statement
 * @property {Walk | null} walk the open walk
 */

/** @type {SessionState} */
export const known = { inUse: "own", isKept: false, leaves: new Map(), lesson: null, asks: false, line: null, asked: new Map(), walk: null };

/** The statements that move a walk to a stop. @param {Walk} walk @param {Stop} stop */
export const statementsTo = (walk, { direction, made }) => {
  const isTurned = direction !== walk.direction;
  const by = made - (isTurned ? 0 : walk.made);
  const turn = isTurned ? [walk[direction]] : [];
  return by ? [...turn, by > 0 ? `:next ${by}` : `:prev ${-by}`] : turn;
};

/** The number of a leaf in the session. @param {string} name */
export const value = (name) => known.leaves.get(name)?.value;

/** Does an entry belong to the session that is in use? @param {Entry} entry */
export const isHere = (entry) => entry.session === known.inUse;

/** The session that is in use while this lesson is open or left. @param {Lesson | null} lesson @returns {SessionName} */
const sessionDuring = (lesson) => (lesson?.open && lesson.text === null ? "lesson" : "own");

/** The names of the leaves that an answer has moved. A name that it has bound means something else than before. @param {Answer} answer @param {Set<string>} bound */
const movedNames = ({ leaves }, bound) => {
  const hasMoved = (/** @type {Leaf} */ { name, value: now }) => {
    const before = value(name);
    return !bound.has(boundName(name)) && before !== undefined && before !== now;
  };
  return leaves.filter(hasMoved).map(({ name }) => name);
};

/** The present step of a lesson; empty if none is open. @param {Lesson | null} lesson */
const stepOf = (lesson) => (lesson?.open ? `${lesson.name} ${lesson.place.split(" ")[0]}` : "");

/** The numbers of the leaves when the lesson has come to its present step. A name that was bound since is another leaf. @param {Answer} answer @param {Set<string>} bound */
const numbersOfStep = ({ lesson, leaves }, bound) => {
  if (stepOf(lesson) !== stepOf(known.lesson)) return new Map(leaves.map(({ name, value: now }) => [name, now]));
  return new Map([...known.asked].filter(([name]) => !bound.has(boundName(name))));
};

/** Updates the state after an answer. Returns the names of the leaves that have moved. @param {Answer} answer */
export const updateState = (answer) => {
  const bound = new Set(answer.bound);
  const moved = movedNames(answer, bound);
  Object.assign(known, /** @type {SessionState} */ ({
    inUse: sessionDuring(answer.lesson),
    isKept: !!answer.kept || (known.isKept && !answer.anew),
    leaves: new Map(answer.leaves.map((leaf) => [leaf.name, leaf])),
    lesson: answer.lesson,
    asks: answer.asks,
    line: answer.line,
    asked: numbersOfStep(answer, bound),
    walk: answer.walk,
  }));
  part("leave").hidden = !answer.lesson?.open;
  for (const entry of entries) {
    // Only the sliders of the session that is in use can be moved.
    slidersBelow(entry)?.toggleAttribute("inert", !isHere(entry));
    updateNames(entry, bound);
    markWent(entry);
  }
  takeStates(answer.states);
  forgetEnds(bound);
  endAtZero(answer.leaves.filter(({ name }) => answer.one_sign.includes(name)));
  for (const slider of slidersOf()) if (bound.has(boundName(slider.dataset.name ?? ""))) slider.remove();
  return moved;
};

/** Takes the states of entries that have changed. @param {ToldState[]} states */
export const takeStates = (states) => {
  const told = new Map(states.map((it) => [it.entry, it]));
  for (const entry of entries) {
    const now = entry.id !== null && told.get(entry.id);
    if (!now) continue;
    const { state, reason } = now;
    change(entry, { state, reason, below: state === "ended" ? [] : entry.below });
    if (!entry.below.length) undock(entry);
  }
};

/** Removes the leaves of an entry whose names mean something else now. @param {Entry} entry @param {Set<string>} bound */
const updateNames = (entry, bound) => {
  // Names that were bound in one session mean the same as before in the other.
  const isUnchanged = (/** @type {string} */ name) => !isHere(entry) || !bound.has(boundName(name));
  const [names, below] = [entry.names.filter(isUnchanged), entry.below.filter(isUnchanged)];
  if (names.length + below.length === entry.names.length + entry.below.length) return;
  change(entry, { names, below });
  if (!entry.below.length) undock(entry);
};

/** Removes the sliders of a picture that is no longer live. Sliders of the entry itself stay. @param {Entry} entry */
const undock = (entry) => {
  const sliders = slidersBelow(entry);
  for (const slider of /** @type {NodeListOf<HTMLElement>} */ (sliders?.querySelectorAll(".slider") ?? [])) {
    if (!entry.names.includes(slider.dataset.name ?? "")) slider.remove();
  }
  sliders?.classList.remove("docked");
  entry.shown.answer.classList.remove("beside");
};

/** Moves the sliders to the numbers of their leaves, and locks them while an entry runs. @param {boolean} [isRunning] */
export const lock = (isRunning = false) => {
  for (const slider of slidersOf()) {
    const name = slider.dataset.name ?? "";
    const leaf = known.leaves.get(name);
    for (const input of slider.querySelectorAll("input")) {
      // A disabled slider would lose the focus, and the user could not go on with the keys.
      input.disabled = !leaf || (isRunning && input !== document.activeElement);
    }
    if (leaf && !gesture.holds(name)) moveSlider(slider, leaf);
  }
};
