// Does what the link in the address says: runs its entries, or begins its lesson.

import { address } from "./address.js";
import { session } from "./calculator.js";
import { enter } from "./enter.js";
import { entries } from "./entries.js";
import { linkedEntries, originOf, textOf } from "./link.js";
import { note, part } from "./parts.js";
import { playing } from "./restore.js";
import { slidersOf } from "./sliders.js";

/** The statements of a link are stopped after this time, because another person wrote them. */
const LINK_MILLISECONDS = 10_000;

/** Follows the link, as a job of the queue. */
export const followLink = async () => {
  if (address.action === "run") await runLinked();
  if (address.action === "lesson") await playLinked();
  if (address.action === "play") await enter(`:play ${address.argument.replace(/\W/g, "")}`);
};

/** Runs the entries of the link. */
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

/** Begins the lesson of the link. */
const playLinked = async () => {
  const read = (await readLink()).map(textOf);
  if (!read.length) return;
  // Compressed, a lesson has its name with it.
  const [name, text] = read.length > 1 ? read : [await session.ask("lessonFile", read[0]), read[0]];
  await enter(await playing({ name, text }));
};

/** The entries of the link; none if it is damaged. @returns {Promise<import("./link.js").LinkedEntry[]>} */
const readLink = () =>
  linkedEntries(address.argument).catch(() => {
    note(`The link is damaged or too long: ${address.action === "lesson" ? "the lesson does not begin" : "it was not run"}.`);
    return [];
  });

/**
 * Shows only the answers whose numbers are in the link, and one slider for each leaf. If an answer that is shown has a
 * slider for the leaf, that slider stays.
 * @param {string[]} shown
 */
export const showPart = (shown) => {
  // The numbers in links start at 1.
  const articles = [...new Set(entries.flatMap((entry) => entry.shown.answer.closest("article") ?? []))];
  for (const article of part("notebook").children) article.classList.toggle("aside", !shown.includes(`${articles.indexOf(article) + 1}`));
  for (const slider of slidersOf()) {
    const sameLeaf = slidersOf(slider.dataset.name);
    const staying = sameLeaf.find((it) => !it.closest(".aside")) ?? sameLeaf[0];
    if (slider !== staying) slider.remove();
  }
};
