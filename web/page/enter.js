// Runs entries, and adds them to the notebook with their answers, buttons and sliders.

import { isTouched } from "./address.js";
import { queue, session } from "./calculator.js";
import { entries, entryOf, fill, showBeside } from "./entries.js";
import { download, pick, put } from "./files.js";
import { gesture } from "./gesture.js";
import { history } from "./history.js";
import { fillLine, lineText, look, type } from "./line.js";
import { linkedEntry } from "./link.js";
import { showMoved } from "./moved.js";
import { announce, button, makeAccessible, newElement, note, part, reveal, show } from "./parts.js";
import { pngOf } from "./png.js";
import { boundName, moveSlider, numbersOf, rowsOf, sliderOf } from "./sliders.js";
import { endStart } from "./start.js";
import { isHere, known, lock, updateState, value } from "./state.js";
import { showSteps, showStop } from "./steps.js";
import { store } from "./tab.js";
import { follow, showAnswers } from "./trials.js";
import { markWent } from "./went.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./link.js").Origin} Origin */
/** @typedef {import("./state.js").Answer} Answer */

/** An entry shows that it runs after this time. Most entries are faster, and the page would flicker. */
export const SLOW_MILLISECONDS = 150;
/** A list has one row of sliders. */
const MAX_ROWS = 50;
const MAX_ROWS_AT_PICTURE = 6;
/** A button gives the number of names if there are more. */
const MAX_NAMES = 8;

/**
 * Runs an entry, as a job of the queue. If the text is an incomplete line, runs nothing and returns false.
 * @param {string} text
 * @param {Origin} from
 */
export const enter = async (text, from = "whole") => {
  if (text.trim()) endStart();
  const slow = setTimeout(() => showRunning(true), SLOW_MILLISECONDS);
  try {
    /** @type {Answer} */
    const answer = await session.ask("enter", { text, whole: from !== "line" });
    if (answer.more) return false;
    if (from === "line" && text.trim()) history.add(text);
    await showEntry(answer, text, from);
    fillLine(answer);
    store();
  } catch (reason) {
    showFailure(text, from, `${reason}`);
  } finally {
    clearTimeout(slow);
    showRunning(false);
  }
  // If the work was stopped, this statement sets the leaves to where it had brought them.
  const statement = session.reached;
  session.reached = "";
  if (statement) await enter(statement, "stopped");
  return true;
};

/** Enters statements one after the other, as a job of the queue. @param {string[]} statements */
export const run = (...statements) => queue.add("entry", async () => {
  for (const statement of statements) await enter(statement);
});

/** Shows whether an entry runs. A running entry can be stopped, and locks the sliders. @param {boolean} isRunning */
export const showRunning = (isRunning) => {
  part("run").hidden = isRunning;
  part("stop").hidden = !isRunning;
  part("hint").textContent = isRunning ? "running; Ctrl-C stops" : "";
  announce(isRunning ? "running" : "");
  lock(isRunning);
  // The live result of a line that was typed in the meantime may be another one now.
  if (!isRunning && lineText()) look();
};

/** Shows an entry that was stopped or whose worker has failed. @param {string} text @param {Origin} from @param {string} reason */
const showFailure = (text, from, reason) => {
  if (from === "line") history.add(text);
  if (!lineText() && (from === "line" || from === "whole")) type(text);
  show(newElement("pre", {}, newElement("kbd", { textContent: `∂> ${text}` })));
  if (reason !== "stopped") note(`The session failed at this entry, which is not kept (${reason}).`);
  else note(session.reached ? "Stopped: the leaves are where they had come." : "Stopped, and not kept.");
};

/** Shows the answer to an entry. @param {Answer} answer @param {string} text @param {Origin} from */
export const showEntry = async (answer, text, from) => {
  const actions = await actionsOf(answer, text);
  const moved = updateState(answer);
  await showMoved(answer, moved);
  const entry = newEntry(answer, text, from);
  entries.push(entry);
  display(entry, ...actions);
  const walk = showStop(answer, entry, from);
  if (walk) {
    entries.push(walk);
    display(walk);
  }
  showSteps();
  if (answer.quit) note("A page has no end: close its tab to leave.");
};

/** A new entry with its answer. @param {Answer} answer @param {string} text @param {Origin} from */
const newEntry = (answer, text, from) => {
  const { words, entry: id, counted, added, target, pass, link, sliders, kept, anew: isAnew, numbers: lacking, states } = answer;
  // The user sees the effect of a slider and of stopped work without an answer.
  const isQuiet = (from === "slider" || from === "stopped") && !answer.failed;
  const html = isQuiet ? "" : answer.html;
  const names = isQuiet ? [] : inFirstRows(sliders, MAX_ROWS);
  const below = isQuiet ? [] : inFirstRows(answer.picture, MAX_ROWS_AT_PICTURE);
  const sent = linkedEntry(link, from);
  return /** @type {Entry} */ ({
    text, html, words, sent, id, counted, added, target, pass, names, below, lacking, kept, isAnew, hasFailed: answer.failed,
    state: !html || id === null || states.some(({ entry }) => entry === id) ? "ended" : "live",
    reason: "",
    session: answer.of_lesson ? "lesson" : "own",
  });
};

/** The leaves whose sliders are in the first rows. @param {string[]} leaves @param {number} count */
const inFirstRows = (leaves, count) => {
  const rows = [...new Set(leaves.map(boundName))].slice(0, count);
  return leaves.filter((leaf) => rows.includes(boundName(leaf)));
};

/** Adds an entry to the notebook, with its answer, buttons and sliders. @param {Entry} entry @param {(Node | string)[]} actions */
export const display = (entry, ...actions) => {
  entry.shown = fill(entry, newElement("div", {}));
  if (entry.isWalk) return displayWalk(entry);
  markWent(entry);
  const { names, below, words } = entry;
  const sliders = rowsOf([...new Set([...names, ...below])].map(newSlider));
  const parts = [];
  if (entry.html) parts.push(entry.shown.answer);
  const buttons = [...actions, ...numbersButton(entry)];
  if (buttons.length) parts.push(newElement("p", { className: "note" }, ...buttons));
  if (sliders.length) parts.push(newElement("div", { className: below.length ? "sliders docked" : "sliders", inert: !isHere(entry) }, ...sliders));
  if (words) parts.push(newElement("section", { innerHTML: words }));
  if (parts.length) show(...parts).ariaLabel = entry.text.trim().split("\n")[0];
  if (below.length) showBeside(entry);
};

/** Adds the graph and the stop of a walk below the answer that has begun it. @param {Entry} entry */
const displayWalk = (entry) => {
  const { answer } = entries[entries.indexOf(entry) - 1].shown;
  entry.shown.answer.classList.add("walk");
  answer.after(entry.shown.answer);
  showBeside(entry);
  const article = /** @type {HTMLElement} */ (answer.parentElement);
  makeAccessible(article);
  reveal(article);
};

/** The buttons below the answer to an entry. @param {Answer} answer @param {string} text */
const actionsOf = async ({ files, missing, table }, text) => {
  const actions = [];
  for (const name of files) actions.push(...(await offerWritten(name).catch(() => [])));
  if (missing) {
    const use = (/** @type {Uint8Array} */ content) => queue.add("put", () => put(missing, content)).then(() => run(text));
    actions.push(button(`Choose ${missing}`, () => pick(use)));
  }
  if (table) actions.push(button("Read the table", () => run(table)));
  return actions;
};

/** The button that gives the names of an entry numbers and enters it again, if it lacks them. @param {Entry} entry */
const numbersButton = ({ lacking, text }) => {
  if (!lacking) return [];
  return [button(numbersWords(lacking.names), () => run(lacking.line, text))];
};

/** The words of the button that gives names numbers: `Give a, b and c numbers`. @param {string[]} names */
const numbersWords = (names) => {
  if (names.length === 1) return `Give ${names[0]} a number`;
  const isShort = names.length <= MAX_NAMES;
  return `Give ${isShort ? new Intl.ListFormat("en-GB").format(names) : `${names.length} names`} numbers`;
};

/** Downloads a picture as PNG. @param {string} name @param {BlobPart} content */
const downloadPng = async (name, content) => {
  try {
    download(name.replace(/svg$/, "png"), await pngOf(content));
  } catch (reason) {
    note(`${name} was not drawn as PNG (${reason}).`);
  }
};

/** The buttons for a file that an entry has written, in the place of those for an earlier file of this name. @param {string} name */
const offerWritten = async (name) => {
  // A slider may change the file while the buttons stay.
  const use = async (/** @type {typeof download} */ act) => act(name, await session.ask("file", name));
  const action = (/** @type {string} */ words, /** @type {typeof download} */ act) => [button(words, () => queue.add("file", () => use(act))), " "];
  const isPicture = name.endsWith(".svg");
  // The user sees a picture before deciding whether to download it.
  if (isTouched() && !isPicture) await use(download);
  for (const old of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".file"))) if (old.dataset.file === name) old.remove();
  const offered = newElement("span", { className: "file" }, ...action(`Download ${name}`, download),
    ...(isPicture ? action("Download as PNG", downloadPng) : []));
  offered.dataset.file = name;
  return [offered];
};

/** Sets leaves that a hand has released, and shows the answers of the session again. @type {import("./sliders.js").Follower["release"]} */
const release = (moves) => {
  const { inUse } = known;
  queue.add("release", async () => {
    // If a lesson has begun or ended since then, another session is in use.
    const moved = moves.filter(({ name, now }) => inUse === known.inUse && now !== value(name));
    if (moved.length) await enter(await session.ask("setting", numbersOf(moved)), "slider");
    showAnswers();
    gesture.end(moves);
    lock();
    if (moved.length) store();
  });
};

/** Sets a leaf to what was typed in its field. @param {Record<string, string>} typed */
const enterSetting = (typed) => {
  gesture.cancel();
  queue.add("release", async () => {
    await enter(await session.ask("setting", typed), "slider");
    showAnswers();
    gesture.end(gesture.moves);
    lock();
  });
};

export const follower = { move: follow, release, enter: enterSetting, keep: store };

/** A new slider for a leaf of the session. @param {string} name */
const newSlider = (name) => sliderOf(name, () => value(name), follower);

/** New sliders of the leaves on which a picture depends. @param {Element} picture */
export const slidersOfPicture = (picture) => {
  const entry = entryOf(picture);
  const leaves = entry && isHere(entry) ? entry.below.flatMap((name) => known.leaves.get(name) ?? []) : [];
  return rowsOf(leaves.map((leaf) => {
    const slider = newSlider(leaf.name);
    moveSlider(slider, leaf);
    return slider;
  }));
};
