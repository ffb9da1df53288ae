// Runs the module of the page in node, in the worker of the page, and calls it with the session of the page.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";

import xz from "xz-decompress";

import { streamOf } from "../page/link.js";
import { Session } from "../page/session.js";

/** A file of the project. */
export const fileAt = (path) => new URL(`../../${path}`, import.meta.url);

const missing = !existsSync(fileAt("target/chainrule.html")) && "there is no target/chainrule.html: web/build writes it";
if (missing) test("the module", { skip: missing }, () => {});
/** A test of the module. Without the module there is none, and one line says so. */
export const moduleTest = missing ? () => {} : test;

const page = missing ? "" : readFileSync(fileAt("target/chainrule.html"), "utf8");
/** The text of a part of the page. */
const textOf = (id) => new RegExp(`id="${id}">([^<]*(?:<(?!/script>)[^<]*)*)`).exec(page)[1];

// The module as the page has it. All workers share it.
const stream = page && new xz.XzReadableStream(streamOf(textOf("module")));
const code = page && await WebAssembly.compile(await new Response(stream).arrayBuffer());

// The worker of the page, after what a worker of node lacks.
const source = page && `
  const { parentPort } = require("node:worker_threads");
  globalThis.onmessage = undefined;
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  parentPort.on("message", (data) => onmessage({ data }));
  ${textOf("worker")}`;

const threads = [];
after(() => threads.forEach((thread) => thread.terminate()));

/** A worker with this memory, which has what the session uses of a worker in a browser. */
const beginWorker = (blocks) => {
  const thread = new Worker(source, { eval: true });
  threads.push(thread);
  const worker = { postMessage: (message) => thread.postMessage(message), terminate: () => thread.terminate() };
  thread.on("message", (data) => worker.onmessage?.({ data }));
  thread.on("error", ({ message }) => worker.onerror?.({ message, preventDefault() {} }));
  worker.postMessage({ code, blocks });
  return worker;
};

/**
 * A new session: `enter` enters lines and returns the answer to the last, `answers` has all answers, and `says` takes lines
 * and patterns in turn, and checks the words of the answers.
 */
export const begin = () => {
  const session = new Session(beginWorker);
  session.width = 800;
  const ask = (call, argument) => session.ask(call, argument);
  const answers = [];
  const enter = async (...lines) => {
    for (const text of lines) answers.push(await ask("enter", { text, whole: true }));
    return answers.at(-1);
  };
  const says = async (...pairs) => {
    for (let at = 0; at < pairs.length; at += 2) assert.match(allWords(await enter(pairs[at])), pairs[at + 1]);
  };
  return { session, ask, enter, answers, says };
};

/** The words of an answer, and those of a lesson after it. */
export const allWords = ({ html, words }) => wordsOf(html + words);

/** The words that HTML shows, with single blanks between them. */
export const wordsOf = (html) => {
  const seen = html.replaceAll(/<style>.*?<\/style>/gs, "");
  const apart = seen.replaceAll(/<\/?(td|th|p|li|samp|text|tspan|title)\b[^>]*>/g, " ").replaceAll(/<[^>]*>/g, "");
  const signs = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
  return apart.replaceAll(/&\w+;/g, (sign) => signs[sign]).replaceAll(/\s+/g, " ").trim();
};
