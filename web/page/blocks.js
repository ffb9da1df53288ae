// Divides the memory of the module into blocks: after a call the worker sends only the changed ones to the page. With
// them a new module can begin where the old one was.

// The bytes of a block: one page of WebAssembly. `putBlocks` needs this size, because memory grows by pages.
const BLOCK_SIZE = 65_536;
const WORDS_IN_BLOCK = BLOCK_SIZE / Int32Array.BYTES_PER_ELEMENT;

/** @typedef {Map<number, Int32Array>} Blocks the contents of blocks, by their numbers */

/**
 * The blocks of a memory that differ from their copies, which are brought up to date.
 * @param {ArrayBuffer} memory
 * @param {number} begin where the data begins, after the stack
 * @param {Blocks} copies
 * @returns {Blocks}
 */
export const changedBlocks = (memory, begin, copies) => {
  /** @type {Blocks} */
  const changed = new Map();
  for (let number = Math.floor(begin / BLOCK_SIZE); number * BLOCK_SIZE < memory.byteLength; number++) {
    const block = new Int32Array(memory, number * BLOCK_SIZE, WORDS_IN_BLOCK);
    const oldCopy = copies.get(number);
    if (oldCopy && isEqual(block, oldCopy)) continue;
    const copy = block.slice();
    copies.set(number, copy);
    changed.set(number, copy);
  }
  return changed;
};

/** Whether two blocks have the same words. @param {Int32Array} one @param {Int32Array} other */
const isEqual = (one, other) => {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
};

/** Puts blocks into the memory of a module that has just begun, which grows if it is too small for them. @param {WebAssembly.Memory} memory @param {Blocks} blocks */
export const putBlocks = (memory, blocks) => {
  const neededPages = Math.max(0, ...blocks.keys()) + 1;
  const missingPages = neededPages - memory.buffer.byteLength / BLOCK_SIZE;
  if (missingPages > 0) memory.grow(missingPages);
  for (const [number, block] of blocks) {
    new Int32Array(memory.buffer, number * BLOCK_SIZE, WORDS_IN_BLOCK).set(block);
  }
};
