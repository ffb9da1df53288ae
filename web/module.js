"use strict";
// The module, out of the page. It is compressed by LZMA, which leaves a quarter less than what a browser could unpack by
// itself: each bit is told by its chance, which is learned from the bits before it, in a number between 0 and `range`.
const moduleBytes = ({ textContent, dataset: { size } }) => {
  const decoded = atob(textContent);
  const packed = new Uint8Array(decoded.length);
  for (let place = 0; place < packed.length; place++) packed[place] = decoded.charCodeAt(place);
  const out = new Uint8Array(Number(size));
  const [RANGE, CODE] = [0, 1];
  const coder = new Uint32Array([2 ** 32 - 1, new DataView(packed.buffer).getUint32(1)]);
  let at = 5;
  const widen = () => {
    coder[RANGE] <<= 8;
    coder[CODE] = (coder[CODE] << 8) | packed[at++];
  };
  const chances = (count) => new Uint16Array(count).fill(1024);
  const bit = (table, place) => {
    const chance = table[place];
    const bound = (coder[RANGE] >>> 11) * chance;
    const one = coder[CODE] >= bound;
    if (one) {
      coder[RANGE] -= bound;
      coder[CODE] -= bound;
      table[place] = chance - (chance >> 5);
    } else {
      coder[RANGE] = bound;
      table[place] = chance + ((2048 - chance) >> 5);
    }
    if (coder[RANGE] < 2 ** 24) widen();
    return one ? 1 : 0;
  };
  // Bits that have no table: either is as likely.
  const plain = (count) => {
    let number = 0;
    for (; count > 0; count--) {
      coder[RANGE] >>>= 1;
      const one = coder[CODE] >= coder[RANGE];
      if (one) coder[CODE] -= coder[RANGE];
      if (coder[RANGE] < 2 ** 24) widen();
      number = number * 2 + one;
    }
    return number;
  };
  // A number of so many bits, the highest first or, reversed, the lowest. Those before it choose the chance of a bit.
  const tree = (table, begin, count) => {
    let node = 1;
    while (node < 1 << count) node = node * 2 + bit(table, begin + node);
    return node - (1 << count);
  };
  const reversed = (table, begin, count) => {
    let node = 1, number = 0;
    for (let place = 0; place < count; place++) {
      const next = bit(table, begin + node);
      node = node * 2 + next;
      number += next << place;
    }
    return number;
  };
  const lengths = () => {
    const table = chances(2 + 8 + 8 + 256);
    return () => bit(table, 0) === 0 ? 2 + tree(table, 2, 3) : bit(table, 1) === 0 ? 10 + tree(table, 10, 3) : 18 + tree(table, 18, 8);
  };
  const [newLength, oldLength] = [lengths(), lengths()];
  const [isCopy, isOld, isOther, isLong, isThird, isFourth] = Array.from({ length: 6 }, () => chances(12));
  const [letters, slots, middle, low] = [8 * 768, 4 * 64, 128, 16].map(chances);
  // What came last, letters or copies, and how far back the last four copies began.
  let state = 0, back = [1, 1, 1, 1];
  for (let place = 0; place < out.length;) {
    if (bit(isCopy, state) === 0) {
      const begin = 768 * (out[place - 1] >> 5);
      let node = 1;
      // After a copy the letter is not the one that would have gone on with it: its bits help up to the first other one.
      for (let other = out[place - back[0]], alike = state >= 7; alike && node < 256; other <<= 1) {
        const expected = (other >> 7) & 1;
        const next = bit(letters, begin + 256 * (1 + expected) + node);
        node = node * 2 + next;
        alike = next === expected;
      }
      while (node < 256) node = node * 2 + bit(letters, begin + node);
      out[place++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = 1;
    if (bit(isOld, state)) {
      const which = bit(isOther, state) === 0 ? 0 : bit(isThird, state) === 0 ? 1 : 2 + bit(isFourth, state);
      back.unshift(...back.splice(which, 1));
      if (which > 0 || bit(isLong, state)) {
        length = oldLength();
        state = state < 7 ? 8 : 11;
      } else {
        state = state < 7 ? 9 : 11;
      }
    } else {
      length = newLength();
      const slot = tree(slots, 64 * Math.min(length - 2, 3), 6);
      const rest = (slot >> 1) - 1;
      const first = slot < 4 ? slot : (2 + (slot & 1)) * 2 ** rest;
      const added = slot < 4 ? 0 : slot < 14 ? reversed(middle, first - slot, rest) : 16 * plain(rest - 4) + reversed(low, 0, 4);
      back = [1 + first + added, ...back.slice(0, 3)];
      state = state < 7 ? 7 : 10;
    }
    for (const end = place + length; place < end; place++) out[place] = out[place - back[0]];
  }
  return out;
};
