// @ts-check
// The session in its worker, and the jobs of the page that use it, one after the other.

/** @typedef {import("./blocks.js").Blocks} Blocks */
/**
 * @typedef {{ name: string, work: () => Promise<unknown>, done: Promise<void>, end: () => void }} Job
 */

/** Jobs that are done one after the other. */
export class Queue {
  /** The job that is done now. @type {Job | undefined} */
  current;
  /** @type {Job[]} */
  #waiting = [];

  /**
   * Does this after all that waits.
   * @param {string} name
   * @param {() => Promise<unknown>} work
   * @returns {Promise<void>} when it is done
   */
  add(name, work) {
    let end = () => {};
    const done = new Promise((/** @type {(value: void) => void} */ resolve) => (end = () => resolve()));
    this.#waiting.push({ name, work, done, end });
    if (!this.current) this.#go();
    return done;
  }

  /**
   * Does this in place of a job of the same name, if one waits.
   * @param {string} name
   * @param {() => Promise<unknown>} work
   */
  renew(name, work) {
    const job = this.#waiting.find((waiting) => waiting.name === name);
    if (!job) return this.add(name, work);
    job.work = work;
    return job.done;
  }

  /** Forgets the jobs of this name that wait. @param {string} name */
  drop(name) {
    for (const job of this.#waiting) if (job.name === name) job.work = async () => {};
  }

  async #go() {
    while ((this.current = this.#waiting.shift())) {
      try {
        await this.current.work();
      } catch (error) {
        reportError(error);
      }
      this.current.end();
    }
  }
}

/**
 * The session. It answers one call at a time. A call that fails or is stopped ends its worker, and the next one begins
 * with the memory from before that call.
 */
export class Session {
  /** What says how far work has come. */
  onprogress = (/** @type {string} */ _text) => {};
  /** The statement that brings leaves to where the work that was stopped had come. */
  reached = "";
  /** The pixels that the page has across for pictures. */
  width = 0;
  /** @type {{ answer: (value: any) => void, refuse: (reason: string) => void } | undefined} */
  #call;
  /** What calls have changed of the memory that a worker begins with. @type {Blocks} */
  #blocks = new Map();
  /** @type {Worker} */
  #worker;
  #begun;

  /** @param {(blocks: Blocks) => Worker} begun a worker with this memory */
  constructor(begun) {
    this.#begun = begun;
    this.#worker = this.#begin();
  }

  /**
   * @param {string} call
   * @param {unknown} [argument]
   * @returns {Promise<any>}
   */
  ask(call, argument) {
    return new Promise((answer, refuse) => {
      this.#call = { answer, refuse };
      this.#worker.postMessage({ call, argument, width: this.width });
    });
  }

  /** Ends the call that is answered now. @param {string} reason */
  stop(reason) {
    const call = this.#call;
    this.#call = undefined;
    // A worker that has ended may still have something to say.
    this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker.terminate();
    this.#worker = this.#begin();
    call?.refuse(reason);
  }

  #begin() {
    const worker = this.#begun(this.#blocks);
    worker.onmessage = ({ data }) => {
      if ("progress" in data) return this.onprogress(data.progress);
      if ("reached" in data) return (this.reached = data.reached);
      this.reached = "";
      for (const [at, block] of data.blocks) this.#blocks.set(at, block);
      this.#call?.answer(data.answer);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(event.message);
    };
    return worker;
  }
}
