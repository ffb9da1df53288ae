"use strict";
// Runs the session outside of the thread of the page: writes texts into the memory of the module and reads its answers.
const write = new TextEncoder();
const read = new TextDecoder();
const page = {
  now: () => performance.now(),
  progress: (place, length) => postMessage({ progress: read.decode(within(place, length)) }),
  reached: (place, length) => postMessage({ reached: read.decode(within(place, length)) }),
};
let module;
// The blocks of the memory as the page has them.
const copies = new Map();
const begin = ({ code, blocks }) => {
  module = new WebAssembly.Instance(code, { page }).exports;
  putBlocks(module.memory, blocks);
  changedBlocks(module.memory.buffer, copies);
};

const within = (begin, length) => new Uint8Array(module.memory.buffer, begin, length);
const given = (bytes) => {
  const begin = module.room(bytes.length);
  within(begin, bytes.length).set(bytes);
  return [begin, bytes.length];
};
const bytes = (begin) => within(begin, module.length());
const text = (begin) => read.decode(bytes(begin));
const object = (begin) => JSON.parse(text(begin));

// The module counts places in a text in bytes, and the page in UTF-16 units.
const before = (line, cursor) => write.encode(line.slice(0, cursor)).length;

const calls = {
  style: () => text(module.style()),
  enter: ({ text, whole }) => object(module.enter(...given(write.encode(text)), whole)),
  again: ({ name, entries }) => entries.map((entry) => text(module.again(...given(write.encode(name)), entry))),
  tryOut: ({ settings, entries, low, high }) =>
    entries.map((entry) => text(module.try_out(...given(write.encode(settings)), entry, low ?? NaN, high ?? NaN))),
  renew: (entries) =>
    entries.map(({ words, counted, isOfBefore, isOfLesson }) =>
      object(module.renew(...given(write.encode(words)), counted, isOfBefore, isOfLesson))),
  hasPosition: (statements) => !!module.has_position(...given(write.encode(statements))),
  restore: (statements) => object(module.restore(...given(write.encode(statements)))),
  resume: (words) => object(module.resume(...given(write.encode(words)))),
  worksheet: (words) => text(module.worksheet(...given(write.encode(words)))),
  document: (words) => text(module.document(...given(write.encode(words)))),
  look: ({ line, cursor, isHinted }) => object(module.look(...given(write.encode(line)), before(line, cursor), isHinted)),
  complete: ({ line, cursor }) => {
    const found = object(module.complete(...given(write.encode(line)), before(line, cursor)));
    return { ...found, start: read.decode(write.encode(line).slice(0, found.start)).length };
  },
  put: ({ name, content }) => {
    const title = write.encode(name);
    const both = new Uint8Array(title.length + content.length);
    both.set(title);
    both.set(content, title.length);
    module.put(...given(both), title.length);
  },
  file: (name) => bytes(module.file(...given(write.encode(name)))).slice(),
};

// WebAssembly does not unwind: stopping work, or a live result that takes too long, ends the module. The page then begins
// another one with the memory from before. To have that memory, it gets the changed blocks after each call that changes
// the session. `again` changes it, because the module notes the answer.
const changing = ["enter", "again", "restore", "renew", "resume", "put"];

onmessage = ({ data }) => {
  if (data.code) return begin(data);
  module.set_width(data.width);
  const answer = calls[data.call](data.argument);
  const blocks = changing.includes(data.call) ? changedBlocks(module.memory.buffer, copies) : [];
  postMessage({ answer, blocks });
};
