// @ts-check
// Divides the memory of the module into blocks: after a call the worker sends only the changed ones to the page.

const BLOCK_SIZE = 65_536;

/** @typedef {Map<number, Int32Array>} Blocks the contents of blocks, by their numbers */

/**
 * The blocks of a memory that differ from their copies, which are brought up to date.
 * @param {ArrayBuffer} memory
 * @param {Blocks} copies
 * @returns {Blocks}
 */
export const changedBlocks = (memory, copies) => {
  /** @type {Blocks} */
  const changed = new Map();
  for (let at = 0; at * BLOCK_SIZE < memory.byteLength; at++) {
    const block = new Int32Array(memory, at * BLOCK_SIZE, BLOCK_SIZE / 4);
    const copy = copies.get(at);
    if (copy && isEqual(block, copy)) continue;
    const fresh = block.slice();
    copies.set(at, fresh);
    changed.set(at, fresh);
  }
  return changed;
};

/** @param {Int32Array} one @param {Int32Array} other */
const isEqual = (one, other) => {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
};

/**
 * Puts blocks into the memory of a module that has just begun.
 * @param {WebAssembly.Memory} memory
 * @param {Blocks} blocks
 */
export const putBlocks = (memory, blocks) => {
  const count = Math.max(0, ...blocks.keys()) + 1;
  const missing = count - memory.buffer.byteLength / BLOCK_SIZE;
  if (missing > 0) memory.grow(missing);
  for (const [at, block] of blocks) new Int32Array(memory.buffer, at * BLOCK_SIZE, block.length).set(block);
};
