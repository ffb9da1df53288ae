// Follows the gesture of a hand that moves leaves, and decides when the leaves must be set.

/** A leaf that a hand moves: its number before, and its number now. @typedef {{ name: string, from: number, now: number }} Move */
/** @typedef {"idle" | "dragging" | "held" | "settling"} GestureState */

/**
 * The state of a hand on a slider, or on the point of a curve or a map. `dragging`: the pointer moves it, or a number is
 * typed. `held`: a key is held down. `settling`: the hand has released it, and its leaves are being set.
 */
export class Gesture {
  /** @type {GestureState} */
  state = "idle";
  /** @type {Move[]} */
  moves = [];
  #hasMoved = false;
  /** The browser has reported a change while the key is still held. */
  #isDue = false;

  /** Does this leaf move by hand? @param {string} name */
  isMoving(name) {
    return (this.state === "dragging" || this.state === "held") && this.moves.some((move) => move.name === name);
  }

  /** Has a hand moved this leaf, which is not set yet? @param {string} name */
  holds(name) {
    return this.state !== "idle" && this.moves.some((move) => move.name === name);
  }

  /** Moves leaves to new numbers. Other leaves than before begin a new gesture. @param {Move[]} moves */
  move(moves) {
    if (this.state === "idle" || this.state === "settling") this.#begin("dragging", moves);
    if (!moves.every(({ name }) => this.isMoving(name))) this.#begin(this.state, moves);
    for (const move of this.moves) move.now = moves.find(({ name }) => name === move.name)?.now ?? move.now;
    this.#hasMoved = true;
  }

  /** A key goes down. @param {string} name @param {number} from */
  hold(name, from) {
    if (!this.isMoving(name)) this.#begin("held", [{ name, from, now: from }]);
    this.state = "held";
  }

  /** Notes that the browser reports a change. Returns whether the leaves must be set now. */
  change() {
    if (this.state === "held") this.#isDue = true;
    return this.state === "dragging" && this.#settle();
  }

  /** Notes that the key goes up, or the slider loses the focus. Returns whether the leaves must be set now. */
  lift() {
    if (this.state !== "held") return false;
    const isBack = this.moves.every(({ from, now }) => now === from);
    if (this.#isDue || (this.#hasMoved && isBack)) return this.#settle();
    this.state = this.#hasMoved ? "dragging" : "idle";
    return false;
  }

  /** Moves the leaves back to where they were. Returns whether any had moved. */
  cancel() {
    if (this.state !== "dragging" && this.state !== "held") return false;
    for (const move of this.moves) move.now = move.from;
    return this.#settle();
  }

  /** Ends the gesture of these leaves, unless the hand has begun another one. @param {Move[]} moves */
  end(moves) {
    if (this.state === "settling" && this.moves === moves) this.state = "idle";
  }

  /** @param {GestureState} state @param {Move[]} moves */
  #begin(state, moves) {
    [this.state, this.moves] = [state, moves.map(({ name, from }) => ({ name, from, now: from }))];
    [this.#hasMoved, this.#isDue] = [false, false];
  }

  #settle() {
    this.state = "settling";
    return true;
  }
}

export const gesture = new Gesture();
