// @ts-check
// The player of a walk: its graph with buttons, in a frame below the statement that began it. The walk and its player are at
// the same stop: an entry that moves the walk moves the player, and the player moves the walk by entries that are not shown.

import { queue } from "./calculator.js";
import { change, entries, showChanged } from "./entries.js";
import { part } from "./parts.js";
import { isHere, known, statementsTo } from "./state.js";

/** @typedef {import("./state.js").Walk} Walk */
/** @typedef {import("./state.js").Stop} Stop */

const PLAYER = /<iframe.*<\/iframe>\n/s;

/** Where the player has gone, while the walk follows. @type {Stop | undefined} */
let wanted;

/** The entry with the player of the open walk. */
const entryOfPlayer = () => {
  const last = entries.findLast(({ walks }) => walks);
  return last && !last.reason && isHere(last) && last.walks === known.walk?.root ? last : undefined;
};

/** @returns {HTMLIFrameElement | null | undefined} */
const player = () => entryOfPlayer()?.shown.answer.querySelector("iframe");

/** @param {Stop} one @param {Stop} other */
const isSame = (one, other) => one.direction === other.direction && one.made === other.made;

/** The stops of a player in the direction of the walk, for comparison. @param {string} html */
const stopsIn = (html) => html.split(`&quot;${known.walk?.direction}&quot;:`)[1]?.split("&quot;forward&quot;:")[0];

/**
 * Takes the player out of an answer whose walk has one already. If its stops have another order, it replaces that one.
 * @param {string} html
 * @param {boolean} isTurned whether the player has begun this walk
 */
export const takePlayer = (html, isTurned) => {
  const [drawn] = PLAYER.exec(html) ?? [];
  const entry = entryOfPlayer();
  if (!drawn || !entry || !(known.walk?.made || isTurned)) return html;
  if (stopsIn(drawn) !== stopsIn(entry.html)) change(entry, { html: entry.html.replace(PLAYER, () => drawn) });
  return html.replace(drawn, () => "");
};

/** Moves the player to the stop of the walk. The last answer that shows another stop fades. */
export const showStop = () => {
  const { walk } = known;
  const frame = player();
  // It would show the numbers that a walk or a lesson asks for.
  for (const it of part("notebook").querySelectorAll("iframe")) it.inert = it === frame && known.asks;
  if (!walk || !frame) return;
  if (!wanted) frame.contentWindow?.postMessage({ direction: walk.direction, made: walk.made }, "*");
  const stops = entries.slice(entries.findLastIndex(({ walks }) => walks)).filter(({ stop }) => stop);
  const now = stopWords(walk);
  stops.forEach((entry, at) => {
    const isPast = at === stops.length - 1 && entry.stop !== now;
    const reason = isPast ? `the walk went to ${now}` : "";
    if (reason !== entry.reason) change(entry, { reason });
  });
  showChanged();
};

/** The stop of a walk in words. @param {Walk} walk */
export const stopWords = ({ direction, made, of }) => `stop ${made} of ${of}${direction === "forward" ? ", forward" : ""}`;

/** Moves the walk to where the user has moved its player. @param {MessageEvent} event @param {(statement: string) => Promise<unknown>} run */
const followPlayer = ({ source, data: stop }, run) => {
  if (!source || source !== player()?.contentWindow) return;
  wanted = stop;
  queue.renew("step", async () => {
    const { walk } = known;
    const canMove = walk && !known.asks && source === player()?.contentWindow;
    if (canMove) for (const statement of statementsTo(walk, stop)) await run(statement);
    if (wanted === stop) wanted = undefined;
    if (known.walk && !isSame(known.walk, stop)) showStop();
  });
};

/** Lets the walk and its player follow each other. @param {(statement: string) => Promise<unknown>} run runs a statement that is not shown */
export const listenToPlayer = (run) => {
  addEventListener("message", (event) => followPlayer(event, run));
  const showAll = () => {
    wanted = undefined;
    showStop();
  };
  part("notebook").addEventListener("load", showAll, true);
};
