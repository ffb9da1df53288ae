// What the address of the page says, and what the tab remembers for this address.

import { linkIn } from "./link.js";

export const address = linkIn(location.hash);

/** The slot in which the tab remembers the key of its session. A link has a session of its own. */
export const keySlot = `tab${location.hash}`;
/** The slot in which the tab remembers the line that is being typed. */
export const draftSlot = `draft${location.hash}`;

let hasUserActed = !location.hash;
// Events that a script has made are not trusted.
const notice = (/** @type {Event} */ event) => (hasUserActed ||= event.isTrusted);
addEventListener("pointerdown", notice, true);
addEventListener("keydown", notice, true);

/** May the page store, download and ask? A page that a link has opened does none of these before the first click or key of the user. */
export const isTouched = () => hasUserActed;
