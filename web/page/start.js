// @ts-check
// Shows the start of a first visit: a graph that moves, and three ways to begin. The graph has a session of its own, which
// ends with the first entry, so the user can use its names for other values.

import { fill, showTrial } from "./entries.js";
import { gesture } from "./gesture.js";
import { hasKeys } from "./line.js";
import { button, clickableWords, note, part } from "./parts.js";
import { Queue } from "./queue.js";
import { Session } from "./session.js";
import { moveSlider, numbersOf, settings, sliderOf } from "./sliders.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./state.js").Answer} Answer */
/**
 * The services of the page for the start.
 * @typedef {object} StartUse
 * @property {(blocks: import("./session.js").Blocks) => Worker} beginWorker
 * @property {(...statements: string[]) => Promise<void>} run enters statements
 * @property {() => void} choose lets the user choose a file
 */

/** @type {Worker | undefined} */
let worker;

/** Removes the start. */
export const endStart = () => {
  if (!part("start")) return;
  worker?.terminate();
  gesture.end(gesture.moves);
  part("start").remove();
};

/** Shows the graph, with sliders of two of its leaves. @param {Session} session */
const showGraph = async (session) => {
  const enter = (/** @type {string} */ text) => session.ask("enter", { text, whole: true });
  await enter("a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f; :grad L");
  /** @type {Answer} */
  const { html, entry: id, leaves } = await enter(":graph L");
  const entry = /** @type {Entry} */ ({ html, id });
  entry.shown = fill(entry, part("graph"));
  const now = Object.fromEntries(leaves.map(({ name, value }) => [name, value]));
  const queue = new Queue();
  /** @type {import("./sliders.js").Follower["move"]} */
  const move = (moves) => {
    const trial = { settings: numbersOf(moves), entries: [id] };
    queue.renew("move", async () => showTrial(entry, (await session.ask("tryOut", trial))[0]));
  };
  /** @type {import("./sliders.js").Follower["release"]} */
  const release = (moves) => {
    for (const { name, now: value } of moves) now[name] = value;
    queue.add("release", async () => {
      await enter(`:set ${settings(moves)}`);
      gesture.end(moves);
    });
  };
  part("handles").replaceChildren(...["a", "b"].map((name) => {
    const slider = sliderOf(name, () => now[name], { move, release });
    moveSlider(slider, { name, value: now[name] });
    return slider;
  }));
};

/** Shows the start. @param {StartUse} use */
export const showStart = async ({ beginWorker, run, choose }) => {
  part("start").hidden = false;
  const begin = (/** @type {string} */ id, /** @type {() => unknown} */ act) => {
    part(id).onclick = () => {
      // A telephone would open its keyboard.
      if (!hasKeys()) part("entry").focus();
      act();
    };
  };
  begin("slope", async () => {
    await run("x = 1 in -2..2", "y = x^3 - 2x", ":plot y");
    note("Move the slider of x: the dotted line has the slope of y there. ", clickableWords(":grad y"), " tells it, and ", clickableWords(":play slope"), " is a lesson about it.");
  });
  begin("hand", () => run(":play chain"));
  begin("table", () => {
    endStart();
    const tryOne = button("a small one", () => run(":data regression.csv", ":fit y ~ a + b*x plot"));
    note("Paste a table into the line, drop its file on the page, or ", button("choose the file", choose), ". Or begin with ", tryOne, ".");
  });
  const session = new Session((blocks) => (worker = beginWorker(blocks)));
  session.width = part("notebook").clientWidth;
  await showGraph(session);
};
