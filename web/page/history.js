// Remembers the lines that were entered or cleared.

const MAX_HISTORY_LINES = 500;

/** The lines, the oldest first. */
export class History {
  /** @type {string[]} */
  lines = [];
  #place = 0;
  #draft = "";

  /** @param {string} line */
  add(line) {
    if (this.lines.at(-1) !== line) this.lines.push(line);
    if (this.lines.length > MAX_HISTORY_LINES) this.lines.shift();
    this.leave();
  }

  /** Returns to the draft, which comes after the newest line. */
  leave() {
    this.#place = this.lines.length;
  }

  /** Moves by `step` lines, and returns the line there. @param {number} step @param {string} line the present line */
  recall(step, line) {
    if (this.#place === this.lines.length) this.#draft = line;
    this.#place = Math.min(Math.max(this.#place + step, 0), this.lines.length);
    return this.lines[this.#place] ?? this.#draft;
  }
}

export const history = new History();
