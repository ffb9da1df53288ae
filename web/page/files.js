// Gives the session files that the user chooses or drops, and downloads files that statements have written.

import { queue, session } from "./calculator.js";
import { lineText, type } from "./line.js";
import { clickableWords, newElement, note, part } from "./parts.js";

/** @typedef {(content: Uint8Array, name: string) => unknown} FileUse */

/** @param {string} name @param {BlobPart} content */
export const download = (name, content) => {
  const href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  newElement("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
};

/** @param {File} file @param {FileUse} use */
const read = async (file, use) => use(new Uint8Array(await file.arrayBuffer()), file.name);

/** Lets the user choose a file. @param {FileUse} use */
export const pick = (use) => {
  const input = part("file");
  input.value = "";
  input.onchange = async () => input.files[0] && read(input.files[0], use);
  input.click();
};

/** Takes files that the user drops on the page. @param {FileUse} use */
export const takeDropped = (use) => {
  const { classList } = document.documentElement;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classList.add("dragging");
  });
  addEventListener("dragleave", () => classList.remove("dragging"));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    classList.remove("dragging");
    for (const file of event.dataTransfer?.files ?? []) await read(file, use);
  });
};

/** Gives the session a file, as a job of the queue. Returns the statements that read it and play it. @param {string} name @param {Uint8Array} content */
export const put = (name, content) => session.ask("put", { name, content });

/** Takes a file of the user's, and offers the statements that read it. @param {Uint8Array} content @param {string} name */
export const offer = async (content, name) => {
  let [read, play] = ["", ""];
  await queue.add("put", async () => ({ read, play } = await put(name, content)));
  if (!read) return note(`${name} is here, but no statement can name it: give it a name with one kind of quotes.`);
  const plays = name.endsWith(".calc") ? [", and ", clickableWords(play), " plays it as a lesson"] : [];
  note(`${name} is here: `, clickableWords(read), " reads it", ...plays, ".");
  if (!lineText()) type(read);
  part("entry").focus();
};
