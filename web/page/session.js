// Calls the session in its worker.

/** @typedef {import("./blocks.js").Blocks} Blocks */
/** The session. A call that fails or is stopped ends its worker, and a new worker begins with the memory from before that call. */
export class Session {
  /** Shows how far work has come. */
  onprogress = (/** @type {string} */ _text) => {};
  /** The statement that sets the leaves to where the stopped work had brought them. */
  reached = "";
  /** The width of pictures in pixels. */
  width = 0;
  /** @type {{ answer: (value: any) => void, refuse: (reason: string) => void } | undefined} */
  #call;
  /** The memory with which the next worker begins: the blocks that calls have changed. @type {Blocks} */
  #blocks = new Map();
  /** @type {Worker} */
  #worker;
  #newWorker;

  /** @param {(blocks: Blocks) => Worker} newWorker begins a worker with this memory */
  constructor(newWorker) {
    this.#newWorker = newWorker;
    this.#worker = this.#begin();
  }

  /**
   * Calls a function of the worker. A call must have its answer before the next one, which the jobs of a queue see to.
   * @param {string} call the name of the function
   * @param {unknown} [argument]
   * @returns {Promise<any>}
   */
  ask(call, argument) {
    return new Promise((answer, refuse) => {
      this.#call = { answer, refuse };
      this.#worker.postMessage({ call, argument, width: this.width });
    });
  }

  /** Ends the present call. @param {string} reason */
  stop(reason) {
    const call = this.#call;
    this.#call = undefined;
    // Messages of the worker may still be on their way.
    this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker.terminate();
    this.#worker = this.#begin();
    call?.refuse(reason);
  }

  #begin() {
    const worker = this.#newWorker(this.#blocks);
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
