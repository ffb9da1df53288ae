"use strict";
// Runs the session outside of the thread of the page: writes texts into the memory of the module and reads its answers.
// `web/src/lib.rs` describes the functions of the module.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
// The functions that the module calls.
const page = {
  now: () => performance.now(),
  progress: (begin, length) => postMessage({ progress: decoder.decode(bytesAt(begin, length)) }),
  reached: (begin, length) => postMessage({ reached: decoder.decode(bytesAt(begin, length)) }),
};
let module;
// The blocks of the memory as the page has them.
const copies = new Map();
const begin = ({ code, blocks }) => {
  module = new WebAssembly.Instance(code, { page }).exports;
  putBlocks(module.memory, blocks);
  changedBlocks(module.memory.buffer, copies);
};

// The memory may move when it grows, so each access makes a new array.
const bytesAt = (begin, length) => new Uint8Array(module.memory.buffer, begin, length);
// Copies bytes into the memory of the module. Returns the arguments that tell the module where they are.
const pass = (bytes) => {
  const begin = module.room(bytes.length);
  bytesAt(begin, bytes.length).set(bytes);
  return [begin, bytes.length];
};
const passText = (text) => pass(encoder.encode(text));
// Read the last answer of the module.
const answerBytes = (begin) => bytesAt(begin, module.length());
const answerText = (begin) => decoder.decode(answerBytes(begin));
const answerObject = (begin) => JSON.parse(answerText(begin));

// The module counts positions in bytes, and the page counts them in UTF-16 units.
const byteCursor = (line, cursor) => encoder.encode(line.slice(0, cursor)).length;

const calls = {
  style: () => answerText(module.style()),
  enter: ({ text, whole }) => answerObject(module.enter(...passText(text), whole)),
  again: ({ name, entries }) => entries.map((entry) => answerText(module.again(...passText(name), entry))),
  tryOut: ({ settings, entries, low, high }) =>
    entries.map((entry) => answerText(module.try_out(...passText(settings), entry, low ?? NaN, high ?? NaN))),
  renew: (entries) =>
    entries.map(({ words, counted, isOfBefore, isOfLesson }) =>
      answerObject(module.renew(...passText(words), counted, isOfBefore, isOfLesson))),
  restore: (statements) => answerObject(module.restore(...passText(statements))),
  resume: (words) => answerObject(module.resume(...passText(words))),
  worksheet: (words) => answerText(module.worksheet(...passText(words))),
  document: (words) => answerText(module.document(...passText(words))),
  look: ({ line, cursor, isHinted }) => answerObject(module.look(...passText(line), byteCursor(line, cursor), isHinted)),
  complete: ({ line, cursor }) => {
    const found = answerObject(module.complete(...passText(line), byteCursor(line, cursor)));
    return { ...found, start: decoder.decode(encoder.encode(line).slice(0, found.start)).length };
  },
  put: ({ name, content }) => {
    const title = encoder.encode(name);
    const both = new Uint8Array(title.length + content.length);
    both.set(title);
    both.set(content, title.length);
    module.put(...pass(both), title.length);
  },
  file: (name) => answerBytes(module.file(...passText(name))).slice(),
};

// WebAssembly does not unwind: stopping work, or a live result that takes too long, ends the module. The page then begins
// another one with the memory from before. To have that memory, it gets the changed blocks after each call that changes
// the session. `again` changes it, because the module notes the answer.
const changingCalls = ["enter", "again", "restore", "renew", "resume", "put"];

onmessage = ({ data }) => {
  if (data.code) return begin(data);
  module.set_width(data.width);
  const answer = calls[data.call](data.argument);
  const blocks = changingCalls.includes(data.call) ? changedBlocks(module.memory.buffer, copies) : [];
  postMessage({ answer, blocks });
};
