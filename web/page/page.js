// The page as a whole: connects its line, its buttons and its keys with the session, and begins with what the address asks
// for or the tab remembers. All other modules come before this one.

import { address, draftSlot } from "./address.js";
import { queue, session } from "./calculator.js";
import "./copying.js";
import { enter } from "./enter.js";
import { lastPictureOf, showBeside } from "./entries.js";
import { offer, pick, takeDropped } from "./files.js";
import { catchLetter, focusLine } from "./focus.js";
import { enterInLesson } from "./lesson.js";
import { beginLine, clearLine, lineText, showLooks, takeLine, type } from "./line.js";
import { followLink, showPart } from "./linked.js";
import { makeAccessible, part } from "./parts.js";
import { listen } from "./pointing.js";
import { bringBack, offerStored } from "./restore.js";
import { showSaving } from "./saving.js";
import { showSessions } from "./sessions.js";
import { copyLink } from "./sharing.js";
import { showStart } from "./start.js";
import { known } from "./state.js";
import { remembered } from "./storage.js";
import { changeStoresNothing, showStoresNothing } from "./tab.js";
import { keepDraft, runWaiting, submit, takeBackAll } from "./waiting.js";

/** Adapts the pictures and tables to the width of the page. */
const measure = () => {
  session.width = part("notebook").clientWidth;
  makeAccessible(part("notebook"));
};

/** Does a job run that the user may stop? */
const canStop = () => ["begin", "entry", "release", "submit"].includes(queue.current?.name ?? "");

/** Stops the job that runs, or else clears the line. Texts that wait are not run, and come back into the line. */
const stopOrClear = () => {
  const isTaken = takeBackAll();
  if (canStop()) session.stop("stopped");
  else if (!isTaken) clearLine();
};

/** Clears the line, and leaves the lesson. */
const leave = () => {
  clearLine();
  focusLine();
  return queue.add("entry", async () => {
    if (known.lesson?.open) await enter(":play stop");
    runWaiting();
  });
};

/** Shows the answer to the gap of a lesson, which then counts as not solved. */
const solve = () => {
  takeLine();
  focusLine();
  return queue.add("entry", () => enterInLesson(known.lesson?.show ?? ""));
};

/** Asks for the colours of the line and its live result. */
const look = () => {
  keepDraft();
  const [line, cursor] = [lineText(), part("entry").selectionEnd];
  const ask = (/** @type {boolean} */ isHinted) => session.ask("look", { line, cursor, isHinted });
  queue.renew("look", async () => {
    // A live result that fails ends the worker. The new worker still paints the line.
    const looks = await ask(true).catch(() => ask(false)).catch(() => null);
    if (looks && line === lineText()) showLooks(looks);
  });
};

/** The completions at the cursor. @type {import("./line.js").LineHelp["complete"]} */
const completions = async (line, cursor) => {
  let found = { start: 0, entries: [] };
  await queue.renew("complete", async () => (found = await session.ask("complete", { line, cursor })));
  return found;
};

/** Ctrl-C clears, and Ctrl-D on an empty line leaves. @param {KeyboardEvent} event */
const useControlKey = (event) => {
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
  if (mustClear) stopOrClear();
  else leave();
};

/** Brings back the session of the tab, or else does what the address says, as a job of the queue. */
const begin = async () => {
  part("answers").textContent = await session.ask("style");
  measure();
  showStoresNothing();
  const isBack = await bringBack();
  if (!isBack && address.action) await followLink();
  if (!isBack && !address.action) await offerStored();
};

/** The width of the notebook also changes when a picture stands beside it. */
new ResizeObserver(() => part("notebook").clientWidth !== session.width && measure()).observe(part("notebook"));
// The picture that a slider moves is in sight.
part("notebook").addEventListener("focusin", (/** @type {FocusEvent} */ { target }) => {
  const slider = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".slider"));
  showBeside(lastPictureOf(slider?.dataset.name));
});
addEventListener("hashchange", () => location.reload());
addEventListener("keydown", useControlKey);
addEventListener("keydown", catchLetter);
beginLine({ submit, look, complete: completions, stopOrClear });
listen();
takeDropped(offer);
part("run").onclick = submit;
part("leave").onclick = leave;
part("solve").onclick = solve;
part("stop").onclick = stopOrClear;
part("choose").onclick = () => pick(offer);
part("nothing").onchange = changeStoresNothing;
part("copy").onclick = copyLink;
part("save").onclick = showSaving;
part("sessions").onclick = showSessions;

const root = document.documentElement;
root.classList.toggle("part", address.shown !== undefined);
const begun = queue.add("begin", begin);
// What was typed before a reload comes first, and what the user types from now on comes after it.
type(remembered(draftSlot));
await begun;
if (address.action === "run") {
  if (address.shown) showPart(address.shown);
  scrollTo(0, 0);
}
if (address.shown === undefined) part("entry").focus({ preventScroll: true });
root.dataset.ready = address.action === "run" ? "answer" : "prompt";
if (!address.action && part("start") && !part("notebook").hasChildNodes()) showStart();
