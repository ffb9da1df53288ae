// @ts-check
// The page: sends statements to the session in the worker, and shows the answers under them.

import { entries, fill, showAnswer, showTrial } from "./entries.js";
import { download, openBeside, pick, takeDropped } from "./files.js";
import { beginLine, clearLine, history, lineText, showLooks, takeLine, type } from "./line.js";
import { linkedEntries, linkIn, pack, textOf, unpack } from "./link.js";
import { announce, button, newElement, note, part, reach, show, words } from "./parts.js";
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

const LINK_TIME = 10_000;
const MOST_SLIDERS = 50;
const SAVE = ":save session.calc";
const MOST_AT_PICTURE = 6;

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

// A page that a link has opened stores, downloads and asks for nothing before the first click or key.
let isTouched = !location.hash;
const touch = (/** @type {Event} */ event) => (isTouched ||= event.isTrusted);
addEventListener("pointerdown", touch, true);
addEventListener("keydown", touch, true);
const measure = () => {
  session.width = part("notebook").clientWidth;
  reach(part("notebook"));
};
addEventListener("resize", measure);
addEventListener("hashchange", () => location.reload());

/** The state of the session: whether any statements bring it back, its leaves with sliders by their names, and the lesson that is open. */
const known = {
  isKept: false,
  leaves: /** @type {Map<string, Answer["leaves"][0]>} */ (new Map()),
  lesson: /** @type {Answer["lesson"]} */ (null),
};

/** @param {string} name */
const value = (name) => known.leaves.get(name)?.value;

/** Is the session of a lesson in use, and the user's own put aside? */
const isLessonHere = () => !!known.lesson?.open && known.lesson.text === null;

/** Does an entry belong to the session that is in use? @param {Entry} entry */
const isHere = (entry) => !!entry.isOfLesson === isLessonHere();

/** Updates the state after an answer. Returns the leaves that have moved. @param {Answer} answer */
const updateState = ({ leaves, bound, ended, kept, anew, lesson }) => {
  part("leave").hidden = !lesson?.open;
  const wasLesson = isLessonHere();
  const [boundNow, endedNow] = [new Set(bound), new Set(ended)];
  const moved = leaves.filter(({ name, value: now }) => !boundNow.has(name) && value(name) !== undefined && value(name) !== now);
  Object.assign(known, { leaves: new Map(leaves.map((leaf) => [leaf.name, leaf])), lesson, isKept: !!kept || (known.isKept && !anew) });
  // The sliders of the two sessions take turns.
  if (isLessonHere() !== wasLesson) document.querySelectorAll("article > .sliders").forEach((sliders) => sliders.toggleAttribute("inert"));
  for (const entry of entries) {
    const isEnded = endedNow.has(entry.id ?? -1);
    const isFree = (/** @type {string} */ name) => !isHere(entry) || !boundNow.has(name);
    const [names, below] = [entry.names.filter(isFree), entry.below.filter(isFree)];
    if (!isEnded && names.length + below.length === entry.names.length + entry.below.length) continue;
    if (isEnded) entry.id = undefined;
    Object.assign(entry, { names, below: isEnded ? [] : below });
    if (!entry.below.length) undock(entry);
    stored.delete(entry);
  }
  for (const slider of slidersOf()) if (boundNow.has(slider.dataset.name ?? "")) slider.remove();
  return moved.map(({ name }) => name);
};

/** @param {string} name */
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

/** Removes the sliders of a picture that is no longer live. @param {Entry} entry */
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
  if (isTouched && !isPage && !/\.(svg|png)$/.test(name)) download(name, content);
  const actions = [button(`Download ${name}`, () => download(name, content)), " "];
  if (isPage) actions.push(button(`Open ${name}`, () => openBeside(name, content)), " ");
  return actions;
};

/** Shows the answer to an entry. @param {Answer} answer @param {string} text @param {Origin} from */
const showEntry = async (answer, text, from) => {
  const actions = [];
  for (const name of answer.files) actions.push(...(await offerWritten(name).catch(() => [])));
  const { missing, table } = answer;
  const again = () => enter(text);
  if (missing) {
    const use = (/** @type {Uint8Array} */ content) => queue.add("entry", () => put(missing, content).then(again));
    actions.push(button(`Choose ${missing}`, () => pick(use)));
  }
  if (table) actions.push(button("Read the table", () => queue.add("entry", () => enter(table))));
  const moved = updateState(answer);
  await showMoved(answer, moved, from);
  const { counted, target, pass, link, sliders, kept, anew, of_lesson: isOfLesson } = answer;
  const isQuiet = (from === "slider" || from === "stopped") && !answer.failed;
  const sent = from === "slider" ? [link] : from === "stopped" ? [link, "stopped"] : link;
  const html = isQuiet ? "" : answer.html;
  const id = html ? answer.entry ?? undefined : undefined;
  const names = isQuiet ? [] : sliders.slice(0, MOST_SLIDERS);
  const below = isQuiet ? [] : answer.picture.slice(0, MOST_AT_PICTURE);
  const entry = /** @type {Entry} */ ({ text, html, sent, id, counted, target, pass, names, below, kept, isAnew: anew, isOfLesson });
  entries.push(entry);
  display(entry, ...actions);
  if (answer.quit) note("A page has no end: close its tab to leave.");
};

/**
 * After leaves have moved, computes the answers that follow them again, and marks the others as of before. All answers
 * follow a slider; those that a slider has changed also follow `:undo` and `:set`.
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

/** Shows whether an entry runs. Meanwhile it can be stopped, and sliders wait. @param {boolean} isRunning */
const showRunning = (isRunning) => {
  [part("run").hidden, part("stop").hidden] = [isRunning, !isRunning];
  part("hint").textContent = isRunning ? "running; Ctrl-C stops" : "";
  announce(isRunning ? "running" : "");
  lock(isRunning);
};

/** Moves the sliders to where their leaves are, and locks them while an entry runs. @param {boolean} [isRunning] */
const lock = (isRunning = false) => {
  for (const slider of slidersOf()) {
    const name = slider.dataset.name ?? "";
    const leaf = known.leaves.get(name);
    for (const input of slider.querySelectorAll("input")) {
      // The slider with the focus stays on, or it would lose the focus, and with it the keys.
      input.disabled = !leaf || (isRunning && input !== document.activeElement);
    }
    if (leaf && !gesture.holds(name)) moveSlider(slider, leaf);
  }
};

/** The origin of a statement: the line, a complete text, a slider, or stopped work. @typedef {"line" | "whole" | "slider" | "stopped"} Origin */

/** The text that a lesson has put into the line. */
let given = "";

/** Puts the statement of a lesson into the line, unless the user has typed something there. @param {Answer} answer */
const fillLine = ({ line }) => {
  const [before, after] = line ?? ["", ""];
  const isFree = !lineText() || lineText() === given;
  if (!isFree || lineText() === before + after) return;
  type(before, after);
  given = before + after;
};

/**
 * Runs an entry, as a job of the queue. If the line is not complete, nothing is run, and this returns false. The answer to a
 * slider's statement is not shown.
 * @param {string} text
 * @param {Origin} from
 */
const enter = async (text, from = "whole") => {
  if (text.trim()) endStart();
  const slow = setTimeout(() => showRunning(true), 150);
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
  const set = session.reached;
  session.reached = "";
  if (set) await enter(set, "stopped");
  return true;
};

/** @param {string} text @param {string} from @param {string} reason */
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
    // Under the pointer the axis keeps its ends.
    if (dragged) await tryOut(moves, [dragged], point.ends);
    await tryOut(moves, entries.filter((entry) => entry !== dragged && isSeen(entry)));
  });
};

/** @param {Element} picture */
const entryOf = (picture) => entries.find(({ shown }) => shown.answer.contains(picture));

/** @param {Entry} entry */
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

/** Functions that show answers of trials; each runs after the next job has begun. @type {Set<() => void>} */
const due = new Set();

const follower = { move: follow, release };

/**
 * Answers entries as if leaves had other numbers, and shows that while the session does the next job. `ends` are those of
 * the axis of a curve.
 * @param {import("./sliders.js").Setting[]} leaves
 * @param {Entry[]} tried
 * @param {Point["ends"]} [ends]
 */
const tryOut = async (leaves, tried, ends) => {
  const ids = tried.map(({ id }) => id);
  /** @type {string[]} */
  const answers = await session.ask("tryOut", { settings: settings(leaves), entries: ids, ...ends }).catch(() => []);
  const showTried = () => answers.forEach((html, at) => html && showTrial(tried[at], html));
  due.add(showTried);
  setTimeout(() => due.delete(showTried) && showTried());
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

/** Shows the answers in place of trials. */
const showAnswers = () => {
  due.clear();
  entries.forEach(showAnswer);
};

/** Shows a point of a curve or a map, as if its leaves were there. @param {Point} point */
const point = ({ picture, leaves, ends }) => {
  const entry = entryOf(picture);
  const free = leaves.filter(({ name }) => value(name) !== undefined);
  if (entry?.id === undefined || gesture.state !== "idle" || !free.length) return;
  part("notebook").ariaLive = "off";
  queue.renew("point", () => tryOut(free, [entry], ends));
};

/** @param {Point} point */
const unpoint = ({ picture }) => {
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
const isRunning = () => ["begin", "entry", "release", "submit"].includes(queue.current?.name ?? "");

const clear = () => {
  queue.drop("submit");
  if (isRunning()) return session.stop("stopped");
  clearLine();
};

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
  const isSelected = String(getSelection()) || selectionStart !== selectionEnd;
  const isInLine = document.activeElement === part("entry");
  // In a field, Ctrl-C copies the selection.
  const isInField = document.activeElement instanceof HTMLInputElement;
  const action = event.key === "c" && !isSelected && !isInField ? clear : event.key === "d" && isInLine && !lineText() ? leave : null;
  if (!action) return;
  event.preventDefault();
  action();
});
part("run").onclick = submit;
part("leave").onclick = leave;
part("stop").onclick = () => session.stop("stopped");
listen(point, unpoint, follower, slidersOfPicture);

/** Gives the session a file, as a job of the queue. @param {string} name @param {Uint8Array} content */
const put = (name, content) => session.ask("put", { name, content });

/** Quotes the name of a file for a statement, if necessary. @param {string} name */
const quoted = (name) => {
  const quote = /^[\w.-]+$/.test(name) ? "" : name.includes('"') ? "'" : '"';
  return quote + name + quote;
};

/** @param {Uint8Array} content @param {string} name */
const offer = async (content, name) => {
  if (content.includes(0)) return note(`${name} is not text: statements read tables and scripts, as text.`);
  await queue.add("put", () => put(name, content));
  const isScript = name.endsWith(".calc");
  const line = `${isScript ? ":load" : ":data"} ${quoted(name)}`;
  const plays = isScript ? [", and ", words(`:play ${quoted(name)}`), " plays it as a lesson"] : [];
  note(`${name} is here: `, words(line), " reads it", ...plays, ".");
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
    if (!isUnstored) note(`The session is not stored any more: ${/** @type {Error} */ (error).message}. `, words(SAVE), " writes it into a file.");
    isUnstored = true;
  }
};

/** Forgets the session. If it has a name, it stays as it was, and another one begins. */
const forgetOwn = async () => {
  stored.clear();
  if (own.key && !own.name) await forget(own.key);
  else Object.assign(own, { key: undefined, name: "" });
};

/** Opens another session in this tab; a new one if there is no key. @param {string} key */
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
  const words = (/** @type {Pick<Entry, "target" | "pass" | "text">} */ { target, pass, text }) => `${target ?? ""}\n${pass ?? ""}\n${text}`;
  const asked = earlier.map(({ counted, isOfBefore, isOfLesson, ...entry }) => ({ words: words(entry), counted, isOfBefore, isOfLesson }));
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

/** The statements of entries, or of all, for a link. @param {Entry[]} some */
const sentEntries = (some = entries) => some.map((entry) => entry.sent).filter(textOf);

part("copy").onclick = async () => {
  const { name, text } = known.lesson ?? {};
  const [action, linked] = name && text ? ["lesson", [name, text]] : ["run", sentEntries()];
  const signs = await pack(linked);
  if (!signs) return note(`The ${text ? "lesson" : "session"} is too long for a link: `, words(SAVE), " writes the session into a file.");
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
  worksheet: () => save("worksheet", () => session.ask("worksheet", `${title()}\n${sentEntries(entries.filter(isHere)).map(textOf).join("\n\n")}`)),
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

/** Runs the entries of a link, as a job of the queue. */
const runLinked = async () => {
  const linked = await readLink();
  let isOver = false;
  const end = setTimeout(() => {
    isOver = true;
    session.stop("stopped");
  }, LINK_TIME);
  for (const sent of linked) {
    const from = !Array.isArray(sent) ? "whole" : sent.length > 1 ? "stopped" : "slider";
    if (!isOver) await enter(textOf(sent), from);
  }
  clearTimeout(end);
};

/**
 * Shows only the answers whose numbers are in the link, and one slider for each leaf, next to a picture that is shown if
 * possible.
 * @param {string[]} shown
 */
const showPart = (shown) => {
  [...part("notebook").children].forEach((article, at) => article.classList.toggle("aside", !shown.includes(`${at + 1}`)));
  for (const slider of slidersOf()) {
    const all = slidersOf(slider.dataset.name);
    const kept = all.find((it) => !it.closest(".aside")) ?? all[0];
    if (slider !== kept) slider.remove();
  }
};

/** Brings back the session of this tab, as a job of the queue. Returns false if it has none. */
const bringBack = async () => {
  part("nothing").checked = !!remembered("nothing");
  const key = remembered(slot);
  if (!key || address.shown) return false;
  const record = (await storedSessions().catch(() => [])).find((one) => one.key === key);
  if (!record) return false;
  // In a duplicated tab it goes on as another session.
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

/** Does what the address says, as a job of the queue. */
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
