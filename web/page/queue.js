// Lets the jobs of the page use the session one after the other.

/** @typedef {"begin" | "complete" | "entry" | "file" | "follow" | "look" | "move" | "play" | "point" | "put" | "release" | "slide" | "step" | "submit"} JobName */
/**
 * A job. Its work has what the user meant when the job was added: by the time that it runs, the page may show something else.
 * @typedef {{ name: JobName, work: () => Promise<unknown>, done: Promise<void>, end: () => void }} Job
 */

/** Runs jobs one after the other. */
export class Queue {
  /** The job that runs now. @type {Job | undefined} */
  current;
  /** @type {Job[]} */
  #waiting = [];

  /** Runs a job after all that wait. @param {JobName} name @param {() => Promise<unknown>} work @returns {Promise<void>} when it is done */
  add(name, work) {
    let end = () => {};
    const done = new Promise((/** @type {(value: void) => void} */ resolve) => (end = () => resolve()));
    this.#waiting.push({ name, work, done, end });
    if (!this.current) this.#go();
    return done;
  }

  /** Replaces a waiting job of the same name, or else adds a job. @param {JobName} name @param {() => Promise<unknown>} work */
  renew(name, work) {
    const job = this.#waiting.find((waiting) => waiting.name === name);
    if (!job) return this.add(name, work);
    job.work = work;
    return job.done;
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
