// Makes the link that opens this session elsewhere.

import { entries } from "./entries.js";
import { pack, textOf } from "./link.js";
import { clickableWords, newElement, note, part } from "./parts.js";
import { known } from "./state.js";
import { SAVE_STATEMENT } from "./tab.js";

/** The statements of entries for a link. @param {import("./entries.js").Entry[]} linked */
export const sentEntries = (linked = entries) => linked.map((entry) => entry.sent).filter(textOf);

/** The address with this action for entries. Returns nothing if they are too long. @param {string} action @param {import("./link.js").LinkedEntry[]} linked */
const addressOf = async (action, linked) => {
  const signs = await pack(linked);
  return signs && `${location.href.split("#")[0]}#${action}=${signs}`;
};

/** A field with a text to copy. @param {string} value @param {string} ariaLabel */
const fieldOf = (value, ariaLabel) => newElement("input", { value, readOnly: true, ariaLabel });

/** Copies the link to the lesson that is open, if it is the user's own and has no answer yet, or else to the session. Shows the link, too. */
export const copyLink = async () => {
  const { name = "", text, place = "" } = known.lesson ?? {};
  const ofLesson = text ? await addressOf("lesson", [name, text]) : undefined;
  const isToLesson = text && !/^\d+ \S*[-+]/.test(place);
  const url = isToLesson ? ofLesson : await addressOf("run", sentEntries());
  if (!url) return note(`The ${isToLesson ? "lesson" : "session"} is too long for a link: `, clickableWords(SAVE_STATEMENT), " writes the session into a file.");
  const field = fieldOf(url, "The link to this session");
  const isCopied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  const begins = `begins the lesson ${name}`;
  const more = [];
  if (!isToLesson) {
    // The number of the last answer.
    const last = sentEntries(entries.filter(({ html }) => html)).length;
    const frame = `<iframe width="800" height="500" src="${url}&show=${last}"></iframe>`;
    more.push("For another page, a frame with the last answer; other numbers after ", newElement("code", { textContent: "show=" }), " show others:", fieldOf(frame, "A frame with the last answer"));
    if (ofLesson) more.push(`Who opens this link ${begins}:`, fieldOf(ofLesson, "A link to the lesson"));
  }
  note(`${isCopied ? "The link is copied" : "Copy this link"}: who opens it ${isToLesson ? begins : "sees these statements run"}.`, field, ...more);
  if (isCopied) part("entry").focus();
  else field.select();
};
