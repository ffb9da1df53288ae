"use strict";
// The session, off the thread of the page: texts go into the memory of the module, and an answer comes out of it.
const write = new TextEncoder();
const read = new TextDecoder();
let module;

const within = (begin, length) => new Uint8Array(module.memory.buffer, begin, length);
const given = (bytes) => {
  const begin = module.room(bytes.length);
  within(begin, bytes.length).set(bytes);
  return [begin, bytes.length];
};
const bytes = (begin) => within(begin, module.length());
const text = (begin) => read.decode(bytes(begin));
const object = (begin) => JSON.parse(text(begin));

// A place in a text is a number of bytes to the module, and one of UTF-16 units to the page.
const before = (line, cursor) => write.encode(line.slice(0, cursor)).length;

const calls = {
  style: () => text(module.style()),
  enter: (entry) => object(module.enter(...given(write.encode(entry.text)), entry.whole)),
  restore: (statements) => object(module.restore(...given(write.encode(statements)))),
  leave: () => object(module.leave()),
  json: (script) => text(module.json(...given(write.encode(script)))),
  look: ({ line, cursor }) => object(module.look(...given(write.encode(line)), before(line, cursor))),
  complete: ({ line, cursor }) => {
    const found = object(module.complete(...given(write.encode(line)), before(line, cursor)));
    return { ...found, start: read.decode(write.encode(line).slice(0, found.start)).length };
  },
  kept: () => text(module.kept()),
  put: ({ name, content }) => {
    const title = write.encode(name);
    const both = new Uint8Array(title.length + content.length);
    both.set(title);
    both.set(content, title.length);
    module.put(...given(both), title.length);
  },
  file: (name) => bytes(module.file(...given(write.encode(name)))).slice(),
};

onmessage = ({ data: { begin, call, argument } }) => {
  if (begin) {
    const page = {
      now: () => performance.now(),
      progress: (place, length) => postMessage({ progress: read.decode(within(place, length)) }),
    };
    module = new WebAssembly.Instance(begin, { page }).exports;
    return;
  }
  postMessage({ answer: calls[call](argument) });
};
