// @ts-check
// Makes the link that opens this session elsewhere.

import { entries } from "./entries.js";
import { pack, textOf } from "./link.js";
import { clickableWords, newElement, note, part } from "./parts.js";
import { known } from "./state.js";
import { SAVE_STATEMENT } from "./tab.js";

/** The statements of entries for a link. @param {import("./entries.js").Entry[]} linked */
export const sentEntries = (linked = entries) => linked.map((entry) => entry.sent).filter(textOf);

/** Copies the link to the lesson that is open, if it is the user's own, or else to the session. Shows the link, too. */
export const copyLink = async () => {
  const { name, text } = known.lesson ?? {};
  const [action, linked] = name && text ? ["lesson", [name, text]] : ["run", sentEntries()];
  const signs = await pack(linked);
  if (!signs) return note(`The ${text ? "lesson" : "session"} is too long for a link: `, clickableWords(SAVE_STATEMENT), " writes the session into a file.");
  const url = `${location.href.split("#")[0]}#${action}=${signs}`;
  const field = newElement("input", { value: url, readOnly: true, ariaLabel: "The link to this session" });
  const isCopied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  const use = text ? `begins the lesson ${name}` : "sees these statements run";
  // The number of the last answer.
  const last = sentEntries(entries.filter(({ html }) => html)).length;
  const frame = newElement("input", { value: `<iframe width="800" height="500" src="${url}&show=${last}"></iframe>`, readOnly: true, ariaLabel: "A frame with the last answer" });
  const framed = text ? [] : ["For another page, a frame with the last answer; other numbers after ", newElement("code", { textContent: "show=" }), " show others:", frame];
  note(`${isCopied ? "The link is copied" : "Copy this link"}: who opens it ${use}.`, field, ...framed);
  if (isCopied) part("entry").focus();
  else field.select();
};
