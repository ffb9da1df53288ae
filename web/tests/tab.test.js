// When the session of a tab is stored: `node --test web/tests/tab.test.js`.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { listeners, part, remembered, stores } from "./browser.js";

const { change, entries, stored } = await import("../page/entries.js");
const { known } = await import("../page/state.js");
const { reasonOf, storedEntries, storedSessions } = await import("../page/storage.js");
const { changeStoresNothing, leaveOwn, openSession, own, store } = await import("../page/tab.js");

const notes = () => part("notebook").textContent;
const texts = async () => (await storedEntries(own.key)).map(({ text }) => text);
const entry = (text) => ({ text, kept: `${text};\n`, isAnew: false, shown: { answer: {} } });

/** Enters texts and stores the session. */
const enterAll = async (...added) => {
  entries.push(...added.map(entry));
  known.isKept = true;
  await store();
};

beforeEach(async () => {
  for (const { records } of Object.values(stores)) records.length = 0;
  entries.length = 0;
  stored.clear();
  remembered.clear();
  leaveOwn();
  Object.assign(own, { isUnstored: false });
  part("nothing").checked = false;
  part("notebook").replaceChildren();
});

test("a session is stored with its entries, without the page that shows them", async () => {
  await enterAll("a = 2", "a^2");
  const [{ key, title }] = await storedSessions();
  assert.deepEqual([key, title, remembered.get("tab")], [own.key, "a = 2", own.key]);
  assert.deepEqual(await storedEntries(key), [entry("a = 2"), entry("a^2")].map(({ shown, ...record }) => record));
});

test("only entries that have changed are written again", async () => {
  await enterAll("a = 2", "b = 3");
  const written = [];
  const { put } = stores.entries;
  stores.entries.put = (record, key) => written.push(key[1]) && put.call(stores.entries, record, key);
  await enterAll("c = 4");
  change(entries[0], { state: "ended" });
  await store();
  delete stores.entries.put;
  assert.deepEqual(written, [2, 0]);
  // A session that another tab has deleted is written as a whole.
  for (const { records } of Object.values(stores)) records.length = 0;
  await store();
  assert.deepEqual(await texts(), ["a = 2", "b = 3", "c = 4"]);
});

test("a session without statements is forgotten, unless it has a name", async () => {
  await enterAll("a = 2");
  known.isKept = false;
  await store();
  assert.deepEqual(await storedSessions(), []);
  await enterAll("b = 3");
  own.name = "mine";
  await enterAll("c = 4");
  known.isKept = false;
  await store();
  assert.deepEqual((await storedSessions()).map(({ name }) => name), ["mine"]);
  assert.deepEqual([own.key, own.name], [undefined, ""]);
});

test("the user may store nothing further, and delete what is stored", async () => {
  await enterAll("a = 2");
  part("nothing").checked = true;
  changeStoresNothing();
  await enterAll("b = 3");
  assert.deepEqual(await texts(), ["a = 2"]);
  assert.match(notes(), /^Nothing further is stored\. What is stored of this session stays\. Delete it$/);
  await part("notebook").querySelector("button").click();
  assert.deepEqual([await storedSessions(), notes().endsWith("It is deleted.")], [[], true]);
  part("nothing").checked = false;
  await changeStoresNothing();
  assert.deepEqual(await texts(), ["a = 2", "b = 3"]);
});

test("a fault of the storage is told once, and nothing more is stored", async () => {
  await enterAll("a = 2");
  stores.sessions.put = () => {
    throw new Error("the disk is full");
  };
  await enterAll("b = 3");
  await enterAll("c = 4");
  delete stores.sessions.put;
  assert.match(notes(), /^The session is not stored any more: the disk is full\. :save session\.calc writes it into a file\.$/);
  assert.ok(own.isUnstored);
});

test("a fault of the browser is told in words for the user", () => {
  const faults = [["QuotaExceededError", "The quota has been exceeded."], ["SecurityError", "The operation is insecure."],
    ["TypeError", "Cannot read properties of undefined (reading 'open')"], ["Error", "another tab has an earlier version of this page"]];
  assert.deepEqual(faults.map(([name, message]) => reasonOf({ name, message })), ["the storage of the browser is full",
    "the browser lets this page store nothing", "the browser lets this page store nothing", "another tab has an earlier version of this page"]);
});

test("a page that a link has opened stores nothing before the first key of the user", async () => {
  location.hash = "#run=1";
  const { isTouched } = await import("../page/address.js?linked");
  assert.equal(isTouched(), false);
  listeners.keydown({ isTrusted: false });
  assert.equal(isTouched(), false);
  listeners.keydown({ isTrusted: true });
  assert.equal(isTouched(), true);
  location.hash = "";
});

test("another session opens in the same tab", () => {
  let reloads = 0;
  location.reload = () => reloads++;
  openSession("other");
  assert.deepEqual([remembered.get("tab"), reloads], ["other", 1]);
  location.hash = "#run=1";
  location.href = "file:///chainrule.html#run=1";
  openSession("");
  assert.deepEqual([remembered.get("tab"), location.href, reloads], [undefined, "file:///chainrule.html", 1]);
  location.hash = "";
});
