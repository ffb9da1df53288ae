// Runs the session outside of the thread of the page: writes texts into the memory of the module and reads its answers.
// `web/src/lib.rs` describes the functions of the module.

import { changedBlocks, putBlocks } from "./page/blocks.js";

/**
 * The functions of the module. Each `begin` is the place of a text in the memory.
 * @typedef {object} Module
 * @property {WebAssembly.Memory} memory
 * @property {WebAssembly.Global} __stack_pointer
 * @property {(length: number) => number} room
 * @property {(begin: number, length: number) => void} ask
 * @property {(begin: number, length: number, nameLength: number) => void} put
 * @property {(begin: number, length: number) => number} file
 * @property {() => number} length
 */
/** @typedef {import("./page/blocks.js").Blocks} Blocks */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
// The functions that the module calls.
const page = {
  now: () => performance.now(),
  answer: (/** @type {number} */ begin, /** @type {number} */ length) => {
    const object = JSON.parse(decoder.decode(bytesAt(begin, length)));
    if (object.done) last = object;
    else postMessage(object);
  },
};
// The answer to the running request.
/** @type {any} */
let last;
/** @type {Module} */
let module;
// The blocks of the memory as the page has them.
/** @type {Blocks} */
const copies = new Map();
/** Begins the module with this memory. @param {{ code: WebAssembly.Module, blocks: Blocks }} message */
const begin = ({ code, blocks }) => {
  module = /** @type {Module} */ (/** @type {unknown} */ (new WebAssembly.Instance(code, { page }).exports));
  putBlocks(module.memory, blocks);
  takeChangedBlocks();
};

/** The blocks that have changed since the last time. Between two calls the stack, where the memory begins, is empty. */
const takeChangedBlocks = () => changedBlocks(module.memory.buffer, module.__stack_pointer.value, copies);

/** The bytes at a place. The memory may move when it grows, so each access makes a new array. @param {number} begin @param {number} length */
const bytesAt = (begin, length) => new Uint8Array(module.memory.buffer, begin, length);
/**
 * Copies bytes into the memory of the module. Returns the arguments that tell the module where they are.
 * @param {Uint8Array} bytes
 * @returns {[number, number]}
 */
const pass = (bytes) => {
  const begin = module.room(bytes.length);
  bytesAt(begin, bytes.length).set(bytes);
  return [begin, bytes.length];
};

/** The width of pictures in pixels. */
let width = 0;
/** Passes a request to the module, and returns its answer. @param {object} request */
const ask = (request) => {
  module.ask(...pass(encoder.encode(JSON.stringify({ id: 0, pixels: width, ...request }))));
  const { done, ...answer } = last;
  return answer;
};

// The module counts positions in characters, and the page counts them in UTF-16 units.
/** @param {string} line @param {number} cursor */
const characters = (line, cursor) => [...line.slice(0, cursor)].length;
/** @param {string} line @param {number} cursor */
const utf16 = (line, cursor) => [...line].slice(0, cursor).join("").length;

/** The functions that the page calls, by their names. @type {Record<string, (argument: any) => any>} */
const calls = {
  style: () => ask({ style: true }).text,
  enter: ({ text, whole }) => ask({ run: text, whole }),
  again: ({ names, entries, axes }) => ask({ follow: entries, moved: names, axes }),
  tryOut: ({ settings, entries, axes }) => ask({ follow: entries, as: settings, axes }).answers,
  renew: (/** @type {any[]} */ entries) =>
    entries.map(({ text, isOfLesson, ...inputs }) => ask({ renew: text, of_lesson: isOfLesson, ...inputs }).entry),
  restore: ({ statements, play, place }) => ask({ restore: statements, play, place }),
  worksheet: ({ title, statements, key }) => ask({ worksheet: statements, title, key }).text,
  document: ({ title, answers }) => ask({ document: answers, title }).text,
  lessonFile: (lesson) => ask({ lesson }).text,
  setting: (setting) => ask({ setting }).text,
  look: ({ line, cursor, isHinted }) => ask({ look: line, cursor: characters(line, cursor), want: ["html"], hint: isHinted }),
  complete: ({ line, cursor }) => {
    const found = ask({ complete: line, cursor: characters(line, cursor) });
    return { ...found, start: utf16(line, found.start) };
  },
  put: ({ name, content }) => {
    const title = encoder.encode(name);
    const both = new Uint8Array(title.length + content.length);
    both.set(title);
    both.set(content, title.length);
    module.put(...pass(both), title.length);
    return ask({ file: name });
  },
  file: (name) => {
    const begin = module.file(...pass(encoder.encode(name)));
    return bytesAt(begin, module.length()).slice();
  },
};

// WebAssembly does not unwind: stopping work, or a live result that takes too long, ends the module. The page then begins
// another one with the memory from before. To have that memory, it gets the changed blocks after each call that changes
// the session. `again` changes it, because the module notes the answer.
const changingCalls = ["enter", "again", "restore", "renew", "put"];

onmessage = ({ data }) => {
  if (data.code) return begin(data);
  width = data.width;
  const answer = calls[data.call](data.argument);
  const blocks = changingCalls.includes(data.call) ? takeChangedBlocks() : [];
  postMessage({ answer, blocks });
};
