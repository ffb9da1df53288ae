// Sessions in the storage of the browser: `node --test web/tests/storage.test.js`.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { locks, remembered as slots, stores } from "./browser.js";

const { claim, forget, forgetOldest, isStored, keep, newKey, remember, remembered, rename, statementsIn, storedEntries, storedSessions, titleIn } =
  await import("../page/storage.js");

const session = (number, more = {}) => ({ key: `chainrule /chainrule.html ${number}`, time: number, title: `${number}`, history: [], ...more });
const titles = async () => (await storedSessions()).map(({ title }) => title);

beforeEach(() => Object.values(stores).forEach((store) => (store.records = [])));

test("a session comes back with its entries in their order", async () => {
  const entries = Array.from({ length: 12 }, (_, at) => ({ text: `${at}`, kept: "", isAnew: false }));
  await keep(session(1), new Map(entries.entries()));
  await keep(session(10), new Map([[0, { text: "of another" }]]));
  assert.deepEqual((await storedEntries(session(1).key)).map(({ text }) => text), entries.map(({ text }) => text));
  // Only the entry that has changed is written again.
  await keep(session(1, { time: 20, title: "again" }), new Map([[3, { text: "changed" }]]));
  assert.equal((await storedEntries(session(1).key))[3].text, "changed");
  assert.equal((await storedEntries(session(1).key)).length, 12);
  assert.deepEqual(await titles(), ["again", "10"]);
});

test("sessions of another page on the same server are not seen", async () => {
  await keep({ ...session(1), key: "chainrule /other.html 1" }, new Map());
  assert.deepEqual(await titles(), []);
  assert.match(newKey(), /^chainrule \/chainrule\.html \d+$/);
});

test("sessions with a name and the newest twenty of the others stay", async () => {
  for (let number = 1; number <= 25; number++) await keep(session(number, number === 2 ? { name: "mine" } : {}), new Map([[0, {}]]));
  await forgetOldest();
  const newest = Array.from({ length: 20 }, (_, at) => `${25 - at}`);
  assert.deepEqual(await titles(), [...newest, "2"]);
  assert.equal(stores.entries.records.length, 21);
});

test("a session is renamed and forgotten", async () => {
  await keep(session(1), new Map([[0, { text: "a = 2" }]]));
  await rename(session(1).key, "mine");
  assert.deepEqual((await storedSessions()).map(({ name, title }) => [name, title]), [["mine", "1"]]);
  await rename(session(2).key, "none");
  assert.equal(await isStored(session(2).key), false);
  assert.equal(await isStored(session(1).key), true);
  await forget(session(1).key);
  assert.equal(await isStored(session(1).key), false);
  assert.equal(stores.entries.records.length, 0);
});

test("a session belongs to one tab at a time", async () => {
  assert.equal(await claim("one"), true);
  assert.equal(await claim("one"), false);
  assert.equal(await claim("other"), true);
  assert.deepEqual([...locks], ["one", "other"]);
});

test("the tab remembers texts, and no empty ones", () => {
  remember("draft", "a = 2");
  assert.equal(remembered("draft"), "a = 2");
  remember("draft", "");
  assert.equal(remembered("draft"), "");
  assert.equal(slots.size, 0);
});

test("the title of a session is its first statement", () => {
  assert.equal(titleIn([]), "");
  assert.equal(titleIn([{ text: " " }, { text: "  a = 2\nb = 3" }]), "a = 2");
});

test("the statements of a session are those of its entries, from the last that says all", () => {
  const entry = (kept, isAnew = false) => ({ kept, isAnew });
  assert.equal(statementsIn([]), "");
  assert.equal(statementsIn([entry("# a session\na = 2;\n"), entry(""), entry("L = a^2;\n")]), "# a session\na = 2;\nL = a^2;\n");
  const undone = [entry("a = 2;\n"), entry("b = 3;\n"), entry("a = 2;\n", true), entry("c = 4;\n")];
  assert.equal(statementsIn(undone), "a = 2;\nc = 4;\n");
  assert.equal(statementsIn([...undone, entry("", true)]), "");
});
