// The queue of jobs: `node --test web/tests/queue.test.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Queue } from "../page/queue.js";

test("jobs are done in their order, and of one name only the newest waits", async () => {
  const queue = new Queue();
  const done = [];
  const job = (name) => async () => {
    assert.notEqual(queue.current, undefined);
    await Promise.resolve();
    done.push(name);
  };
  const first = queue.add("entry", job("first"));
  queue.renew("follow", job("moved to 1"));
  queue.add("entry", job("second"));
  queue.renew("follow", job("moved to 2"));
  await first;
  assert.deepEqual(done, ["first"]);
  await queue.add("entry", job("last"));
  assert.deepEqual(done, ["first", "moved to 2", "second", "last"]);
  await Promise.resolve();
  assert.equal(queue.current, undefined);
});

test("a job that fails does not hold up the next", async () => {
  const queue = new Queue();
  const errors = [];
  globalThis.reportError = (error) => errors.push(error);
  await queue.add("entry", () => Promise.reject("a reason"));
  let isDone = false;
  await queue.add("entry", async () => (isDone = true));
  assert.ok(isDone);
  assert.deepEqual(errors, ["a reason"]);
});

test("a job that is renewed keeps its place, and is done when the new work is", async () => {
  const queue = new Queue();
  const done = [];
  queue.add("entry", async () => done.push("entry"));
  const look = queue.renew("look", async () => done.push("old"));
  const last = queue.add("entry", async () => done.push("last"));
  assert.equal(queue.renew("look", async () => done.push("new")), look);
  await Promise.all([look, last]);
  assert.deepEqual(done, ["entry", "new", "last"]);
});
