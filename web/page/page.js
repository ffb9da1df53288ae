// @ts-check
// Sends the statements of the user to the session in the worker, and shows the answers under them. Also answers entries
// again while sliders move, stores the session in the browser, and makes links to it and reads them.

import { entries, fill, showAnswer, showTrial } from "./entries.js";
import { download, openBeside, pick, takeDropped } from "./files.js";
import { beginLine, clearLine, history, lineText, showLooks, takeLine, type } from "./line.js";
import { linkedEntries, linkIn, pack, textOf, unpack } from "./link.js";
import { announce, button, clickableWords, makeAccessible, newElement, note, part, show } from "./parts.js";
import { listen } from "./pointing.js";
import { Queue, Session } from "./session.js";
import { gesture, moveSlider, settings, sliderOf, slidersOf } from "./sliders.js";
import { answersOf, showSaving } from "./saving.js";
import { claim, forget, forgetOldest, isStored, keep, newKey, remember, remembered, statementsIn, storedEntries, storedSessions, titleIn } from "./storage.js";
import { showSessions, titleOf } from "./sessions.js";
import { endStart, showStart } from "./start.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./link.js").LinkedEntry} LinkedEntry */
/** @typedef {import("./storage.js").Lesson} Lesson */
/** @typedef {import("./storage.js").StoredSession} StoredSession */
/** @typedef {import("./pointing.js").Point} Point */

/**
 * The answer of the module to an entry, which `Page::enter` describes.
 * @typedef {object} Answer
 * @property {string} html
 * @property {boolean} [more]
 * @property {[string, string] | null} line
 * @property {Lesson | null} lesson
 * @property {string | null} table
 * @property {string[]} files
 * @property {string | null} missing
 * @property {boolean} quit
 * @property {boolean} failed
 * @property {number | null} entry
 * @property {boolean} of_lesson whether the session of a lesson has answered it
 * @property {number} counted
 * @property {string | null} target
 * @property {string | null} pass
 * @property {string} link
 * @property {string} kept
 * @property {boolean} anew
 * @property {string[]} bound
 * @property {import("./sliders.js").Leaf[]} leaves
 * @property {string[]} sliders
 * @property {string[]} picture
 * @property {number[]} ended
 * @property {number[]} of_before
 * @property {boolean} follow
 */

/** The statements of a link are stopped after this time, because another person wrote them. */
const LINK_MILLISECONDS = 10_000;
/** An entry shows that it runs after this time. Most entries are faster, and the page would flicker. */
const SLOW_MILLISECONDS = 150;
const MAX_SLIDERS = 50;
const MAX_SLIDERS_AT_PICTURE = 6;
const SAVE_STATEMENT = ":save session.calc";

if (!globalThis.DecompressionStream || !globalThis.WebAssembly || !globalThis.Worker) {
  note("This browser is too old for the calculator, which needs one of 2023 or later.");
  throw new Error("a browser without DecompressionStream, WebAssembly or workers");
}

const root = document.documentElement;
const address = linkIn(location.hash);
const moduleBytes = await unpack(part("module").textContent, "gzip").arrayBuffer();
// The module, once for all workers.
const module = await WebAssembly.compile(moduleBytes);
const source = URL.createObjectURL(new Blob([part("worker").textContent], { type: "text/javascript" }));

const queue = new Queue();
const beginWorker = (/** @type {import("./session.js").Blocks} */ blocks) => {
  const worker = new Worker(source);
  worker.postMessage({ code: module, blocks });
  return worker;
};
const session = new Session(beginWorker);
session.onprogress = (/** @type {string} */ text) => (part("hint").textContent = text);

/** The slot in which the tab remembers the line that is being typed. */
const draftSlot = `draft${location.hash}`;

// A page that a link has opened stores, downloads and asks for nothing before the first click or key of the user.
let isTouched = !location.hash;
// Events that a script has made are not trusted.
const touch = (/** @type {Event} */ event) => (isTouched ||= event.isTrusted);
addEventListener("pointerdown", touch, true);
addEventListener("keydown", touch, true);
/** Adapts the pictures and tables to the width of the page. */
const measure = () => {
  session.width = part("notebook").clientWidth;
  makeAccessible(part("notebook"));
};
addEventListener("resize", measure);
addEventListener("hashchange", () => location.reload());

/** The state of the session after the last answer. */
const known = {
  /** Whether the session has statements to store. */
  isKept: false,
  /** The leaves that sliders may move, by their names. */
  leaves: /** @type {Map<string, Answer["leaves"][0]>} */ (new Map()),
  /** The lesson that is open or was left. */
  lesson: /** @type {Answer["lesson"]} */ (null),
};

/** The number of a leaf in the session. @param {string} name */
const value = (name) => known.leaves.get(name)?.value;

/** Is the session of a lesson in use, and the user's own put aside? */
const isLessonHere = () => !!known.lesson?.open && known.lesson.text === null;

/** Does an entry belong to the session that is in use? @param {Entry} entry */
const isHere = (entry) => !!entry.isOfLesson === isLessonHere();

/** Updates the state after an answer. Returns the names of the leaves that have moved. @param {Answer} answer */
const updateState = ({ leaves, bound, ended, kept, anew, lesson }) => {
  part("leave").hidden = !lesson?.open;
  const wasLesson = isLessonHere();
  const [boundNow, endedNow] = [new Set(bound), new Set(ended)];
  const hasMoved = (/** @type {Answer["leaves"][0]} */ { name, value: now }) => {
    const before = value(name);
    return !boundNow.has(name) && before !== undefined && before !== now;
  };
  const moved = leaves.filter(hasMoved);
  known.leaves = new Map(leaves.map((leaf) => [leaf.name, leaf]));
  known.lesson = lesson;
  known.isKept = !!kept || (known.isKept && !anew);
  // Only the sliders of the session that is in use can be moved.
  if (isLessonHere() !== wasLesson) document.querySelectorAll("article > .sliders").forEach((sliders) => sliders.toggleAttribute("inert"));
  for (const entry of entries) removeLeaves(entry, boundNow, endedNow);
  for (const slider of slidersOf()) if (boundNow.has(slider.dataset.name ?? "")) slider.remove();
  return moved.map(({ name }) => name);
};

/**
 * Removes the leaves of an entry whose names mean something else now, and its id if the entry has ended.
 * @param {Entry} entry
 * @param {Set<string>} bound
 * @param {Set<number>} ended
 */
const removeLeaves = (entry, bound, ended) => {
  const isEnded = entry.id !== undefined && ended.has(entry.id);
  // Names that were bound in one session mean the same as before in the other.
  const isUnchanged = (/** @type {string} */ name) => !isHere(entry) || !bound.has(name);
  const [names, below] = [entry.names.filter(isUnchanged), entry.below.filter(isUnchanged)];
  if (!isEnded && names.length + below.length === entry.names.length + entry.below.length) return;
  if (isEnded) entry.id = undefined;
  Object.assign(entry, { names, below: isEnded ? [] : below });
  if (!entry.below.length) undock(entry);
  stored.delete(entry);
};

/** A new slider for a leaf of the session. @param {string} name */
const newSlider = (name) => sliderOf(name, () => value(name), follower);

/** New sliders of the leaves on which a picture depends. @param {Element} picture */
const slidersOfPicture = (picture) => {
  const entry = entryOf(picture);
  const leaves = entry && isHere(entry) ? entry.below.flatMap((name) => known.leaves.get(name) ?? []) : [];
  return leaves.map((leaf) => {
    const slider = newSlider(leaf.name);
    moveSlider(slider, leaf);
    return slider;
  });
};

/** Removes the sliders of a picture that is no longer live. Sliders of the entry itself stay. @param {Entry} entry */
const undock = ({ shown, names }) => {
  const docked = shown.answer.closest("article")?.querySelector(".docked");
  for (const slider of /** @type {NodeListOf<HTMLElement>} */ (docked?.querySelectorAll(".slider") ?? [])) {
    if (!names.includes(slider.dataset.name ?? "")) slider.remove();
  }
  docked?.classList.remove("docked");
};

/** Shows an entry with its answer and sliders. @param {Entry} entry @param {(Node | string)[]} actions */
const display = (entry, ...actions) => {
  entry.shown = fill(entry, newElement("div", {}));
  const { names, below } = entry;
  const sliders = [...new Set([...names, ...below])].map(newSlider);
  const parts = [];
  if (entry.html) parts.push(entry.shown.answer);
  if (actions.length) parts.push(newElement("p", { className: "note" }, ...actions));
  if (sliders.length) parts.push(newElement("div", { className: below.length ? "sliders docked" : "sliders", inert: !isHere(entry) }, ...sliders));
  if (parts.length) show(...parts).ariaLabel = entry.text.trim().split("\n")[0];
};

/** The buttons for a file that an entry has written. @param {string} name */
const offerWritten = async (name) => {
  const content = await session.ask("file", name);
  const isPage = name.endsWith(".html");
  // The user sees a page or a picture before deciding whether to download it.
  if (isTouched && !isPage && !/\.(svg|png)$/.test(name)) download(name, content);
  const actions = [button(`Download ${name}`, () => download(name, content)), " "];
  if (isPage) actions.push(button(`Open ${name}`, () => openBeside(name, content)), " ");
  return actions;
};

/** The buttons below the answer to an entry. @param {Answer} answer @param {string} text */
const actionsOf = async ({ files, missing, table }, text) => {
  const actions = [];
  for (const name of files) actions.push(...(await offerWritten(name).catch(() => [])));
  if (missing) {
    const enterAgain = () => enter(text);
    const use = (/** @type {Uint8Array} */ content) => queue.add("entry", () => put(missing, content).then(enterAgain));
    actions.push(button(`Choose ${missing}`, () => pick(use)));
  }
  if (table) actions.push(button("Read the table", () => queue.add("entry", () => enter(table))));
  return actions;
};

/** The statements of an entry in a link: a list marks those that the user has not typed. @param {string} link @param {Origin} from @returns {LinkedEntry} */
const sentOf = (link, from) => {
  if (from === "slider") return [link];
  return from === "stopped" ? [link, "stopped"] : link;
};

/** A new entry with its answer. @param {Answer} answer @param {string} text @param {Origin} from */
const newEntry = (answer, text, from) => {
  const { counted, target, pass, link, sliders, kept, anew, of_lesson: isOfLesson } = answer;
  // The user sees the effect of a slider and of stopped work without an answer.
  const isQuiet = (from === "slider" || from === "stopped") && !answer.failed;
  const html = isQuiet ? "" : answer.html;
  const id = html ? answer.entry ?? undefined : undefined;
  const names = isQuiet ? [] : sliders.slice(0, MAX_SLIDERS);
  const below = isQuiet ? [] : answer.picture.slice(0, MAX_SLIDERS_AT_PICTURE);
  const sent = sentOf(link, from);
  return /** @type {Entry} */ ({ text, html, sent, id, counted, target, pass, names, below, kept, isAnew: anew, isOfLesson });
};

/** Shows the answer to an entry. @param {Answer} answer @param {string} text @param {Origin} from */
const showEntry = async (answer, text, from) => {
  const actions = await actionsOf(answer, text);
  const moved = updateState(answer);
  await showMoved(answer, moved, from);
  const entry = newEntry(answer, text, from);
  entries.push(entry);
  display(entry, ...actions);
  if (answer.quit) note("A page has no end: close its tab to leave.");
};

/**
 * After leaves have moved, computes the answers that follow the leaves again, and marks the others as of before. All
 * answers follow a slider. Answers that a slider has changed also follow `:undo` and `:set`.
 * @param {Answer} answer
 * @param {string[]} moved
 * @param {Origin} from
 */
const showMoved = async (answer, moved, from) => {
  const isSlider = from === "slider";
  const ofBefore = new Set(answer.of_before);
  const follows = (/** @type {Entry} */ entry) => {
    if (entry.id === undefined || answeredNow.has(entry)) return false;
    return ofBefore.has(entry.id) && (isSlider || entry.isMoved);
  };
  if (isSlider || (answer.follow && from !== "stopped")) {
    for (const name of moved) await answerAgain(name, entries.filter(follows), isSlider);
  }
  for (const entry of entries) {
    if (entry.id === undefined || !entry.html) continue;
    const isOfBefore = ofBefore.has(entry.id) && !answeredNow.has(entry);
    if (isOfBefore === !!entry.isOfBefore) continue;
    entry.isOfBefore = isOfBefore;
    stored.delete(entry);
    showAnswer(entry);
  }
  answeredNow.clear();
};

/** The entries that were answered again since the last one was entered. @type {Set<Entry>} */
const answeredNow = new Set();

/** Shows whether an entry runs. A running entry can be stopped, and locks the sliders. @param {boolean} isRunning */
const showRunning = (isRunning) => {
  part("run").hidden = isRunning;
  part("stop").hidden = !isRunning;
  part("hint").textContent = isRunning ? "running; Ctrl-C stops" : "";
  announce(isRunning ? "running" : "");
  lock(isRunning);
};

/** Moves the sliders to the numbers of their leaves, and locks them while an entry runs. @param {boolean} [isRunning] */
const lock = (isRunning = false) => {
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

/** The origin of a statement: the line, a complete text, a slider, or stopped work. @typedef {"line" | "whole" | "slider" | "stopped"} Origin */

/** The text that a lesson has put into the line. */
let lessonText = "";

/** Puts the statement of a lesson into the line, unless the user has typed something there. @param {Answer} answer */
const fillLine = ({ line }) => {
  const [before, after] = line ?? ["", ""];
  const isFree = !lineText() || lineText() === lessonText;
  if (!isFree || lineText() === before + after) return;
  type(before, after);
  lessonText = before + after;
};

/**
 * Runs an entry, as a job of the queue. If the text is an incomplete line, runs nothing and returns false.
 * @param {string} text
 * @param {Origin} from
 */
const enter = async (text, from = "whole") => {
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

/** Shows an entry that was stopped or whose worker has failed. @param {string} text @param {Origin} from @param {string} reason */
const showFailure = (text, from, reason) => {
  if (!lineText() && (from === "line" || from === "whole")) type(text);
  show(newElement("pre", {}, newElement("kbd", { textContent: `∂> ${text}` })));
  if (reason !== "stopped") note(`The session failed at this entry, which is not kept (${reason}).`);
  else note(session.reached ? "Stopped: the leaves are where they had come." : "Stopped, and not kept.");
};

// While a slider moves, the visible entries that depend on its leaf are answered again, as if the leaf were set. Only when
// the slider is released is the leaf set.

/** @type {import("./sliders.js").Follower["move"]} */
const follow = (moves, point) => {
  part("notebook").ariaLive = "off";
  queue.renew("follow", async () => {
    const dragged = point && entryOf(point.picture);
    // The axis of a dragged picture keeps its ends, or the point would not stay under the pointer.
    if (dragged) await tryOut(moves, [dragged], point.ends);
    await tryOut(moves, entries.filter((entry) => entry !== dragged && isSeen(entry)));
  });
};

/** The entry with this picture. @param {Element} picture */
const entryOf = (picture) => entries.find(({ shown }) => shown.answer.contains(picture));

/** Is the entry in the window, and can it be answered again? @param {Entry} entry */
const isSeen = ({ id, shown }) => {
  const { top, bottom } = shown.answer.getBoundingClientRect();
  return id !== undefined && bottom > 0 && top < innerHeight;
};

/** @type {import("./sliders.js").Follower["release"]} */
const release = (moves) => {
  const wasLesson = isLessonHere();
  queue.add("release", async () => {
    // If a lesson has begun or ended since then, another session is in use.
    const moved = moves.filter(({ name, now }) => wasLesson === isLessonHere() && now !== value(name));
    if (moved.length) await enter(`:set ${settings(moved)}`, "slider");
    showAnswers();
    gesture.end(moves);
    part("notebook").ariaLive = null;
    lock();
    if (moved.length) store();
  });
};

/** Functions that show the answers of trials. Each runs after the next job has begun. @type {Set<() => void>} */
const pendingTrials = new Set();

const follower = { move: follow, release };

/**
 * Answers entries as if leaves had other numbers, and shows these answers while the session does the next job. The axis of
 * a curve keeps these `ends`.
 * @param {import("./sliders.js").Setting[]} leaves
 * @param {Entry[]} tried
 * @param {Point["ends"]} [ends]
 */
const tryOut = async (leaves, tried, ends) => {
  const ids = tried.map(({ id }) => id);
  /** @type {string[]} */
  const answers = await session.ask("tryOut", { settings: settings(leaves), entries: ids, ...ends }).catch(() => []);
  const showTried = () => answers.forEach((html, at) => html && showTrial(tried[at], html));
  pendingTrials.add(showTried);
  // Without a delay the worker would wait while the page draws. `showAnswers` may have dropped the trial until then.
  setTimeout(() => pendingTrials.delete(showTried) && showTried());
};

/** Computes the answers of entries that depend on a leaf again. @param {string} name @param {Entry[]} asked @param {boolean} isSlider */
const answerAgain = async (name, asked, isSlider) => {
  /** @type {string[]} */
  const answers = await session.ask("again", { name, entries: asked.map(({ id }) => id) }).catch(() => []);
  for (const [at, html] of answers.entries()) {
    if (!html) continue;
    const entry = asked[at];
    Object.assign(entry, { html, isMoved: isSlider || entry.isMoved, isOfBefore: false });
    answeredNow.add(entry);
    stored.delete(entry);
    showAnswer(entry);
  }
};

/** Shows the answers again, and drops the trials. */
const showAnswers = () => {
  pendingTrials.clear();
  entries.forEach(showAnswer);
};

/** Shows a point of a curve or a map, as if its leaves were there. @param {Point} point */
const showPoint = ({ picture, leaves, ends }) => {
  const entry = entryOf(picture);
  const free = leaves.filter(({ name }) => value(name) !== undefined);
  if (entry?.id === undefined || gesture.state !== "idle" || !free.length) return;
  part("notebook").ariaLive = "off";
  queue.renew("point", () => tryOut(free, [entry], ends));
};

/** Shows the answers again after the pointer has left a point. @param {Point} point */
const hidePoint = ({ picture }) => {
  const entry = entryOf(picture);
  if (!entry || gesture.state !== "idle") return;
  queue.renew("point", async () => {
    showAnswers();
    part("notebook").ariaLive = null;
  });
};

const submit = async () => {
  // An entry waits until the running statement has ended.
  await queue.renew("submit", async () => {
    const text = takeLine();
    if (!(await enter(text, "line"))) type(`${text}\n${lineText()}`);
  });
};

/** Does a job run that the user may stop? */
const canStop = () => ["begin", "entry", "release", "submit"].includes(queue.current?.name ?? "");

/** Stops the job that runs, or else clears the line. */
const clear = () => {
  // A line that waits for this job is not run, either.
  queue.drop("submit");
  if (canStop()) return session.stop("stopped");
  clearLine();
};

/** Clears the line, and leaves the lesson. */
const leave = () => queue.add("entry", async () => {
  clearLine();
  if (known.lesson?.open) await enter(":play stop");
});

beginLine({
  submit,
  look: () => queue.renew("look", async () => {
    const line = lineText();
    remember(draftSlot, line);
    const look = (/** @type {boolean} */ isHinted) => session.ask("look", { line, cursor: part("entry").selectionEnd, isHinted });
    // A live result that fails ends the worker. The new worker still paints the line.
    const looks = await look(true).catch(() => look(false)).catch(() => null);
    if (looks && line === lineText()) showLooks(looks);
  }),
  complete: async (line, cursor) => {
    let found = { start: 0, entries: [] };
    await queue.renew("complete", async () => (found = await session.ask("complete", { line, cursor })));
    return found;
  },
  clear,
});
addEventListener("keydown", (event) => {
  if (!event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const { selectionStart, selectionEnd } = part("entry");
  // If a text is selected, or the focus is in a field, Ctrl-C copies.
  const hasSelection = String(getSelection()) || selectionStart !== selectionEnd;
  const isInField = document.activeElement instanceof HTMLInputElement;
  const mustClear = event.key === "c" && !hasSelection && !isInField;
  const isLineEmpty = document.activeElement === part("entry") && !lineText();
  const mustLeave = event.key === "d" && isLineEmpty;
  if (!mustClear && !mustLeave) return;
  event.preventDefault();
  if (mustClear) clear();
  else leave();
});
part("run").onclick = submit;
part("leave").onclick = leave;
part("stop").onclick = () => session.stop("stopped");
listen(showPoint, hidePoint, follower, slidersOfPicture);

/** Gives the session a file, as a job of the queue. @param {string} name @param {Uint8Array} content */
const put = (name, content) => session.ask("put", { name, content });

/** Quotes the name of a file for a statement, if necessary. @param {string} name */
const quoted = (name) => {
  const quote = /^[\w.-]+$/.test(name) ? "" : name.includes('"') ? "'" : '"';
  return quote + name + quote;
};

/** Takes a file of the user's, and offers the statements that read it. @param {Uint8Array} content @param {string} name */
const offer = async (content, name) => {
  // Text has no bytes of 0.
  if (content.includes(0)) return note(`${name} is not text: statements read tables and scripts, as text.`);
  await queue.add("put", () => put(name, content));
  const isScript = name.endsWith(".calc");
  const line = `${isScript ? ":load" : ":data"} ${quoted(name)}`;
  const plays = isScript ? [", and ", clickableWords(`:play ${quoted(name)}`), " plays it as a lesson"] : [];
  note(`${name} is here: `, clickableWords(line), " reads it", ...plays, ".");
  if (!lineText()) type(line);
  part("entry").focus();
};
part("choose").onclick = () => pick(offer);
takeDropped(offer);

// The stored session of this tab. A link has a session of its own.
const own = { key: /** @type {string | undefined} */ (undefined), name: "" };
const slot = `tab${location.hash}`;
let isUnstored = address.shown !== undefined;
/** The entries that have not changed since they were stored. @type {Set<Entry>} */
const stored = new Set();

/** Stores the session. */
const store = async () => {
  if (!isTouched || isUnstored || part("nothing").checked) return;
  try {
    if (!known.isKept) return await forgetOwn();
    const isNew = !own.key;
    const key = (own.key ??= newKey());
    remember(slot, key);
    // Another tab may have deleted it.
    if (!(await isStored(key))) stored.clear();
    const changed = new Map();
    for (const [at, entry] of entries.entries()) {
      const { shown, ...record } = entry;
      if (!stored.has(entry)) changed.set(at, record);
      stored.add(entry);
    }
    const { lesson } = known;
    await keep({ key, name: own.name, time: Date.now(), title: titleIn(entries), lesson, history: history.lines }, changed);
    if (!isNew) return;
    await claim(key);
    await forgetOldest();
  } catch (error) {
    // The note appears only once.
    if (!isUnstored) note(`The session is not stored any more: ${/** @type {Error} */ (error).message}. `, clickableWords(SAVE_STATEMENT), " writes it into a file.");
    isUnstored = true;
  }
};

/** Deletes the stored session. A session with a name stays as it was, and another one begins. */
const forgetOwn = async () => {
  stored.clear();
  if (own.key && !own.name) await forget(own.key);
  else Object.assign(own, { key: undefined, name: "" });
};

/** Opens another session in this tab. An empty key opens a new session. @param {string} key */
const openSession = (key) => {
  remember("tab", key);
  if (location.hash) location.href = location.href.split("#")[0];
  else location.reload();
};

part("sessions").onclick = () => showSessions({
  key: () => own.key,
  open: openSession,
  rename: (name) => (own.name = name),
});

/** Brings back a session, as a job of the queue. @param {StoredSession} record */
const restore = async (record) => {
  history.lines.push(...record.history);
  history.leave();
  const brought = /** @type {Entry[]} */ (await storedEntries(record.key));
  // Entries of earlier versions do not have the leaves of their pictures.
  const records = brought.map((entry) => ({ ...entry, below: entry.below ?? [] }));
  /** @type {Answer | undefined} */
  const answer = await session.ask("restore", statementsIn(records)).catch((reason) => {
    note(`The statements from before do not run here (${reason}).`);
  });
  if (!answer || answer.failed) {
    // The stored session stays, and further entries belong to another one.
    Object.assign(own, { key: undefined, name: "" });
    if (answer) await showEntry(answer, "", "whole");
    return lock();
  }
  updateState(answer);
  const live = records.filter(({ id }) => id !== undefined);
  await renew(live).catch(() => live.forEach((entry) => (entry.id = undefined)));
  for (const entry of records) {
    entries.push(entry);
    if (own.key) stored.add(entry);
    display(entry);
  }
  note("The session from before is back.");
  if (record.lesson) await resume(record.lesson).catch((reason) => note(`The lesson does not go on (${reason}).`));
  lock();
};

/** Gives entries of an earlier session their numbers in this one. @param {Entry[]} earlier */
const renew = async (earlier) => {
  const asked = earlier.map(({ target, pass, text, counted, isOfBefore, isOfLesson }) => {
    // `Page::renew` describes this record.
    const words = `${target ?? ""}\n${pass ?? ""}\n${text}`;
    return { words, counted, isOfBefore, isOfLesson };
  });
  /** @type {number[]} */
  const numbers = await session.ask("renew", asked);
  numbers.forEach((id, at) => (earlier[at].id = id));
};

/** The statement that plays a lesson. A lesson of the user's own becomes a file first. @param {Pick<Lesson, "name" | "text">} lesson */
const playing = async ({ name, text }) => {
  if (text === null) return `:play ${name}`;
  await put(name, new TextEncoder().encode(text));
  return `:play ${quoted(name)}`;
};

/** Goes on with the lesson of an earlier session, as a job of the queue. @param {Lesson} lesson */
const resume = async (lesson) => {
  /** @type {Answer} */
  const answer = await session.ask("resume", `${await playing(lesson)}\n${lesson.place}`);
  updateState(answer);
  fillLine(answer);
};

part("nothing").onchange = () => {
  const isChecked = part("nothing").checked;
  remember("nothing", isChecked ? "yes" : "");
  if (isChecked) stored.clear();
  if (isChecked && own.key) forget(own.key);
  if (!isChecked) store();
};

/** The statements of entries for a link. @param {Entry[]} linked */
const sentEntries = (linked = entries) => linked.map((entry) => entry.sent).filter(textOf);

part("copy").onclick = async () => {
  const { name, text } = known.lesson ?? {};
  const [action, linked] = name && text ? ["lesson", [name, text]] : ["run", sentEntries()];
  const signs = await pack(linked);
  if (!signs) return note(`The ${text ? "lesson" : "session"} is too long for a link: `, clickableWords(SAVE_STATEMENT), " writes the session into a file.");
  const url = `${location.href.split("#")[0]}#${action}=${signs}&from=0`;
  const field = newElement("input", { value: url, readOnly: true, ariaLabel: "The link to this session" });
  const isCopied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  const use = text ? `begins the lesson ${name}` : "sees these statements run";
  note(`${isCopied ? "The link is copied" : "Copy this link"}: who opens it ${use}.`, field);
  if (isCopied) part("entry").focus();
  else field.select();
};

/** Downloads a page that `make` writes. @param {string} kind @param {() => Promise<string>} make */
const save = (kind, make) => queue.add("entry", async () => {
  showRunning(true);
  try {
    download(`${kind}.html`, await make());
    note(`${kind}.html is in the downloads.`);
  } catch (reason) {
    note(`${kind}.html was not written (${reason}).`);
  }
  showRunning(false);
});

const title = () => own.name || (known.lesson?.open && known.lesson.name) || titleOf({ title: titleIn(entries) });

part("save").onclick = () => showSaving({
  page: () => save("page", async () => {
    const signs = await pack(sentEntries());
    if (!signs) note("The session is too long for a link, so the page that is saved has none.");
    return session.ask("document", `${title()}\n${answersOf(entries, signs && `#run=${signs}&from=0`)}`);
  }),
  worksheet: () => save("worksheet", () => {
    const statements = sentEntries(entries.filter(isHere)).map(textOf);
    return session.ask("worksheet", `${title()}\n${statements.join("\n\n")}`);
  }),
});

/** The entries of the link; none if it is damaged or of an earlier version. */
const readLink = async () => {
  /** @type {LinkedEntry[]} */
  const linked = await linkedEntries(address.argument).catch(() => {
    note("The link is damaged or too long, and was not run.");
    return [];
  });
  const isOld = !address.isFromZero && (await session.ask("hasPosition", linked.map(textOf).join("\n")));
  if (!isOld) return linked;
  note("This link was made when positions counted from 1, and they count from 0: it was not run.");
  return [];
};

/** Begins the lesson of a link, as a job of the queue. */
const playLinked = async () => {
  const [name, text] = (await readLink()).map(textOf);
  if (name && text) await enter(await playing({ name, text }));
};

/** The origin of an entry of a link, which `sentOf` has marked. @param {LinkedEntry} sent @returns {Origin} */
const originOf = (sent) => {
  if (!Array.isArray(sent)) return "whole";
  return sent.length > 1 ? "stopped" : "slider";
};

/** Runs the entries of a link, as a job of the queue. */
const runLinked = async () => {
  const linked = await readLink();
  let isOver = false;
  const end = setTimeout(() => {
    isOver = true;
    session.stop("stopped");
  }, LINK_MILLISECONDS);
  for (const sent of linked) if (!isOver) await enter(textOf(sent), originOf(sent));
  clearTimeout(end);
};

/**
 * Shows only the answers whose numbers are in the link, and one slider for each leaf. If an answer that is shown has a
 * slider for the leaf, that slider stays.
 * @param {string[]} shown
 */
const showPart = (shown) => {
  // The numbers in links start at 1.
  [...part("notebook").children].forEach((article, at) => article.classList.toggle("aside", !shown.includes(`${at + 1}`)));
  for (const slider of slidersOf()) {
    const sameLeaf = slidersOf(slider.dataset.name);
    const staying = sameLeaf.find((it) => !it.closest(".aside")) ?? sameLeaf[0];
    if (slider !== staying) slider.remove();
  }
};

/** Brings back the session of this tab, as a job of the queue. Returns false if it has none. */
const bringBack = async () => {
  part("nothing").checked = !!remembered("nothing");
  const key = remembered(slot);
  if (!key || address.shown) return false;
  const record = (await storedSessions().catch(() => [])).find((one) => one.key === key);
  if (!record) return false;
  // A duplicated tab cannot claim the session, and stores its own copy under a new key.
  if (await claim(key)) Object.assign(own, { key, name: record.name ?? "" });
  await restore(record);
  return true;
};

/** Offers the newest session. */
const offerStored = async () => {
  const [last] = await storedSessions().catch(() => []);
  if (!last) return;
  const day = new Date(last.time).toLocaleString();
  note(`The session of ${day}, ${titleOf(last)}, is stored here. `, button("Bring it back", () => openSession(last.key)));
};

/** Brings back the session of the tab, or else does what the address says, as a job of the queue. */
const begin = async () => {
  part("answers").textContent = await session.ask("style");
  measure();
  const isBack = await bringBack();
  if (address.action === "run" && !isBack) await runLinked();
  if (address.action === "lesson" && !isBack) await playLinked();
  if (address.action === "play" && !isBack) await enter(`:play ${address.argument.replace(/\W/g, "")}`);
  if (!address.action && !isBack) await offerStored();
  const draft = remembered(draftSlot);
  // A lesson fills the line as well.
  if (draft && draft !== lineText() && (isBack || !lineText())) type(draft);
};

root.classList.toggle("part", address.shown !== undefined);
await queue.add("begin", begin);
if (address.action === "run") {
  if (address.shown) showPart(address.shown);
  scrollTo(0, 0);
}
if (address.shown === undefined) part("entry").focus({ preventScroll: true });
root.dataset.ready = address.action === "run" ? "answer" : "prompt";
if (!address.action && part("start") && !part("notebook").hasChildNodes()) {
  const run = (/** @type {string[]} */ ...statements) => queue.add("entry", async () => {
    for (const statement of statements) await enter(statement);
  });
  showStart({ beginWorker, run, choose: () => pick(offer) });
}
