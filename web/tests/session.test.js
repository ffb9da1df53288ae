// The session and its worker: `node --test web/tests/session.test.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Session } from "../page/session.js";

/** Workers that add a number to their memory, and end with 0. */
const adding = (workers) => (blocks) => {
  const worker = { sum: blocks.get(0) ?? 0, isEnded: false, terminate: () => (worker.isEnded = true) };
  worker.postMessage = ({ call, argument }) => {
    if (call === "wait") return;
    if (argument === 0) return worker.onerror({ message: "zero", preventDefault() {} });
    worker.sum += argument;
    worker.onmessage({ data: { answer: worker.sum, blocks: [[0, worker.sum]] } });
  };
  workers.push(worker);
  return worker;
};

test("a session goes on with the memory from before a call that fails or is stopped", async () => {
  const workers = [];
  const session = new Session(adding(workers));
  assert.equal(await session.ask("add", 2), 2);
  await assert.rejects(session.ask("add", 0), (reason) => reason === "zero");
  assert.equal(await session.ask("add", 3), 5);
  const waiting = session.ask("wait");
  workers[1].onmessage({ data: { reached: ":set a 1" } });
  session.stop("stopped");
  await assert.rejects(waiting, (reason) => reason === "stopped");
  assert.equal(session.reached, ":set a 1");
  assert.equal(await session.ask("add", 1), 6);
  assert.deepEqual(workers.map(({ isEnded }) => isEnded), [true, true, false]);
});

test("a worker that was stopped says nothing any more", async () => {
  const workers = [];
  const session = new Session(adding(workers));
  const seen = [];
  session.onprogress = (text) => seen.push(text);
  const call = session.ask("wait");
  const [stopped] = workers;
  const { onmessage } = stopped;
  onmessage({ data: { progress: "step 1" } });
  session.stop("stopped");
  await assert.rejects(call);
  assert.deepEqual([stopped.onmessage, stopped.onerror, stopped.isEnded], [null, null, true]);
  // An answer that comes too late belongs to no call.
  onmessage({ data: { answer: 1, blocks: [] } });
  assert.equal(await session.ask("add", 7), 7);
  assert.deepEqual(seen, ["step 1"]);
});
