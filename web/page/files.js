// @ts-check
// Takes files that the user chooses or drops, and downloads files that statements have written.

import { newElement, part } from "./parts.js";

/** @typedef {(content: Uint8Array, name: string) => unknown} FileUse */

/** @param {string} name @param {BlobPart} content @param {string} type @param {object} properties */
const useLink = (name, content, type, properties) => {
  const href = URL.createObjectURL(new Blob([content], { type }));
  newElement("a", { href, rel: "noopener", ...properties }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
};

/** @param {string} name @param {BlobPart} content */
export const download = (name, content) => useLink(name, content, "application/octet-stream", { download: name });

/** Opens a page in a tab of its own. @param {string} name @param {BlobPart} content */
export const openBeside = (name, content) => useLink(name, content, "text/html", { target: "_blank" });

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
