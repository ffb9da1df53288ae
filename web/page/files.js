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

/** Gives the session a file, as a job of the queue. @param {string} name @param {Uint8Array} content */
export const put = (name, content) => session.ask("put", { name, content });

/** Quotes the name of a file for a statement, if necessary. @param {string} name */
export const quoted = (name) => {
  const quote = /^[\w.-]+$/.test(name) ? "" : name.includes('"') ? "'" : '"';
  return quote + name + quote;
};

/** Takes a file of the user's, and offers the statements that read it. @param {Uint8Array} content @param {string} name */
export const offer = async (content, name) => {
  await queue.add("put", () => put(name, content));
  const isScript = name.endsWith(".calc");
  const line = `${isScript ? ":load" : ":data"} ${quoted(name)}`;
  const plays = isScript ? [", and ", clickableWords(`:play ${quoted(name)}`), " plays it as a lesson"] : [];
  note(`${name} is here: `, clickableWords(line), " reads it", ...plays, ".");
  if (!lineText()) type(line);
  part("entry").focus();
};
