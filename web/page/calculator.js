// Begins the calculator: its module, the session that runs the module in a worker, and the queue of the jobs that use the
// session.

import xz from "xz-decompress";

import { streamOf } from "./link.js";
import { note, part } from "./parts.js";
import { Queue } from "./queue.js";
import { Session } from "./session.js";

if (!globalThis.DecompressionStream || !globalThis.WebAssembly || !globalThis.Worker) {
  note("This browser is too old for the calculator, which needs one of 2023 or later.");
  throw new Error("a browser without DecompressionStream, WebAssembly or workers");
}

const moduleStream = new xz.XzReadableStream(streamOf(part("module").textContent));
const moduleBytes = await new Response(moduleStream).arrayBuffer();
// The module, once for all workers.
const module = await WebAssembly.compile(moduleBytes);
const source = URL.createObjectURL(new Blob([part("worker").textContent], { type: "text/javascript" }));

/** Begins a worker with this memory. @param {import("./session.js").Blocks} blocks */
export const beginWorker = (blocks) => {
  const worker = new Worker(source);
  worker.postMessage({ code: module, blocks });
  return worker;
};

export const queue = new Queue();
export const session = new Session(beginWorker);
session.onprogress = (/** @type {string} */ text) => (part("hint").textContent = text);
