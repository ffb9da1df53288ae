// Brings the focus back to the line: after dialogs, and when the user types while the focus is nowhere.

import { hasKeys } from "./line.js";
import { newElement, part } from "./parts.js";

/** Gives the line the focus. A telephone would open its keyboard. */
export const focusLine = () => {
  if (!hasKeys()) part("entry").focus({ preventScroll: true });
};

/** Opens a dialog with this content. Returns the dialog. @param {object} properties @param {(string | Node)[]} content @returns {HTMLDialogElement} */
export const openDialog = (properties, ...content) => {
  const dialog = newElement("dialog", properties, ...content);
  const { selectionStart, selectionEnd } = part("entry");
  dialog.onclose = () => {
    dialog.remove();
    // Chromium gives the focus back while the line is still inert, and then forgets the cursor and what is typed.
    part("entry").setSelectionRange(selectionStart, selectionEnd);
    focusLine();
  };
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

/** Sends a letter that is typed outside of all fields to the line. @param {KeyboardEvent} event */
export const catchLetter = ({ key, ctrlKey, altKey, metaKey, isComposing, target }) => {
  const isLetter = key.length === 1 && key !== " " && !ctrlKey && !altKey && !metaKey && !isComposing;
  const takesLetters = target instanceof Element && target.closest("input, textarea, dialog");
  // The browser gives the letter to what has the focus when this listener ends.
  if (isLetter && !takesLetters) part("entry").focus({ preventScroll: true });
};
