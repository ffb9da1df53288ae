// What the module of the page answers in the worker of the page: `node --test web/tests/module.test.js`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import { linkedEntries, pack } from "../page/link.js";
import { statementsIn } from "../page/storage.js";
import { allWords, begin, fileAt, moduleTest as test, wordsOf } from "./module.js";

/** Gives a session a file. */
const put = ({ ask }, name, text) => ask("put", { name, content: new TextEncoder().encode(text) });

/** Enters the line of a lesson, with a text at the cursor. */
const goOn = ({ enter, answers }, text = "") => enter(answers.at(-1).line.join(text));

const assertAllMatch = (words, patterns) => patterns.forEach((pattern, at) => assert.match(words[at], pattern));

/** The words of answers that follow; empty for entries that are not answered again. */
const wordsAgain = ({ answers }) => answers.map((html) => wordsOf(html ?? ""));

/** The states of entries as they were told, each as `3 faded a was 2`. */
const told = ({ states }) => states.map(({ entry, state, reason }) => `${entry} ${state} ${reason}`.trim());

/** Sets a leaf, and answers entries again. Returns their words. */
const moved = async ({ ask, enter }, name, value, entries) => {
  await enter(`:set ${name} ${value}`);
  return wordsAgain(await ask("again", { names: [name], entries }));
};

/** A session with the statements of another one as the page stores them, and with its lesson; `back` is its answer. */
const broughtBack = async ({ answers }, change = (kept) => kept) => {
  const kept = statementsIn(answers.map(({ kept, anew: isAnew }) => ({ kept, isAnew })));
  const session = begin();
  const { lesson } = answers.at(-1);
  if (lesson?.text) await put(session, lesson.name, lesson.text);
  const play = lesson ? `:play "${lesson.name}"` : undefined;
  const back = await session.ask("restore", { statements: change(kept), play, place: lesson?.place });
  if (lesson) session.answers.push(back);
  return { ...session, back };
};

/** A session that has entered the link to another one. */
const opened = async ({ answers }) => {
  const session = begin();
  const signs = await pack(answers.map(({ link }) => link).filter((link) => link));
  await session.enter(...(await linkedEntries(signs)));
  return session;
};

/** The words of a page. */
const wordsIn = (page) => wordsOf(page.slice(page.indexOf("<main")));

/** The words of the page that the program writes for a script. */
const program = (input, ...options) => {
  const path = process.env.CHAINRULE || fileAt("target/release/chainrule").pathname;
  return wordsIn(execFileSync(path, ["--echo=html", ...options, "-"], { input, encoding: "utf8", stdio: "pipe" }));
};

test("statements are answered, and their leaves get sliders", async () => {
  const { enter } = begin();
  const bound = await enter("a, b, c, f = 2, -3, 10, -2\nL = (a*b + c) * f");
  assert.match(wordsOf(bound.html), /a = 2, b = -3, c = 10, f = -2 .* L = -8$/);
  assert.deepEqual(bound.leaves.map(({ name, value }) => [name, value]), [["a", 2], ["b", -3], ["c", 10], ["f", -2]]);
  assert.deepEqual([bound.sliders, bound.bound], [["a", "b", "c", "f"], ["a", "b", "c", "f", "L"]]);
  const { kept, link, ...grads } = await enter(":grad L");
  assert.match(wordsOf(grads.html), /node expression data grad L .* -8 1 .* b leaf -3 -4 a leaf 2 6$/);
  assert.deepEqual([kept, link, grads.sliders], [":grad L;\n", ":grad L", []]);
  // Text is text.
  const { html } = await enter("# <img src=x onerror=alert(1)>\n1");
  assert.ok(!html.includes("<img") && wordsOf(html).endsWith("$1 = 1"), html);
  // A range that was typed stays with its leaf, and during a walk no leaf moves.
  const ranged = (await enter("h = 2 in 0..10 by 0.5; :set h 12")).leaves.at(-1);
  assert.deepEqual(ranged, { name: "h", value: 12, low: 0, high: 10, step: 0.5 });
  assert.deepEqual((await enter(":walk L")).leaves, []);
  assert.equal((await enter(":next 9")).leaves.length, 5);
});

test("an error shows its place and what the line lacks, and a line may go on", async () => {
  const { ask, enter, says } = begin();
  await enter("alpha = 3");
  const textIn = (html) => html.replaceAll(/<[^>]*>/g, "");
  const wrong = await enter("2 + alhpa");
  const [line, place] = textIn(wrong.html).split("\n").slice(2, 4);
  assert.equal(line.slice(place.indexOf("^"), place.lastIndexOf("^") + 1), "alhpa");
  assert.match(place, /\^ did you mean `alpha`/);
  assert.deepEqual([wrong.failed, wrong.entry, wrong.kept, wrong.link], [true, null, "", "2 + alhpa"]);
  const { html } = await enter("loss + 1");
  assert.match(textIn(html), /^help: `loss = 2` gives it a value; `:vars` lists all names$/m);
  const { numbers } = await enter("L = (va*vb + c) * f");
  assert.deepEqual(numbers.names, ["va", "vb", "c", "f"]);
  await says(numbers.line, /va = 1/, "L = (va*vb + c) * f", /L = 2$/);
  assert.deepEqual((await enter("M = L*rate")).numbers.names, ["rate"]);
  // Letters are answered by formulas, and names wait for them.
  await says("k^2", /ddk = 2.k$/, "q = 3 k", /waits for k$/, "k = 2", /q = 6$/);
  // A name alone asks for its value.
  assert.equal((await enter("n")).numbers, null);
  assert.deepEqual(await ask("enter", { text: "s = (1 +", whole: false }), { more: true });
  await says("s = (1 +\n2)", /s = 3$/);
});

test("a line has its colours, a live result that binds nothing, and completions", async () => {
  const { ask, enter } = begin();
  await enter("L, alpha = -8, 3");
  const look = (line, isHinted = true) => ask("look", { line, cursor: line.length, isHinted });
  const { html, hint } = await look("M = L*2");
  assert.match(html, /class="name">L</);
  assert.equal(hint, "= -16");
  assert.equal((await look("M = L*2", false)).hint, null);
  assert.ok((await enter("M")).failed);
  // One that would take too long does not delay the next one.
  assert.equal((await look(":step 0.0000001 1000000000 of L")).hint, null);
  assert.equal((await look("L*3")).hint, "= -24");
  const completions = async (line, cursor) => {
    const { start, entries } = await ask("complete", { line, cursor });
    return [start, ...entries.map(({ text }) => text)];
  };
  assert.deepEqual(await completions(":expl", 5), [1, "explain "]);
  // The page counts in UTF-16 units.
  assert.deepEqual(await completions('"ü→𝛼" + alp + 1', 12), [9, "alpha"]);
});

test("a training is stopped where it is", async () => {
  const { session, enter, says } = begin();
  await enter("w = 3; u = 4", "L = (w - 1)^2 + u^2");
  const training = enter(":step 0.0000001 10000000 of L");
  const progress = await new Promise((resolve) => (session.onprogress = (text) => session.reached && resolve(text)));
  assert.match(progress, /^step /);
  session.stop("stopped");
  await assert.rejects(training, (reason) => reason === "stopped");
  assert.match((await enter(session.reached)).kept, /:set /);
  // A step shrinks w - 1 and u by the same factor, wherever it was stopped.
  assert.equal((await enter(":assert L < 20", ":assert w - 1 == u/2 ± 1e-9")).failed, false);
  // It is one step of undo, and what could be undone before is still there.
  const formula = /\(w - 1\)\^2 \+ u\^2/;
  await says(":undo", /:set/, "L", /= 20$/, ":undo", formula, ":redo", formula);
});

test("answers keep their meaning while a leaf moves", async () => {
  const session = begin();
  const { enter, answers } = session;
  await enter("a = 2", "L = a^2", ":explain a", ":nudge a", ":grad", ":graph", "a + 1", "b = 3");
  await enter("# of L\n:grad L wrt a\nL + b");
  const inputs = answers.map(({ target, pass }) => `${target} ${pass}`).slice(2, 7);
  assert.deepEqual(inputs, ["L null", "L null", "L null", "L L", "null null"]);
  // A new target changes nothing of them.
  await enter("K = 7*a");
  const words = await moved(session, "a", 3, answers.map(({ entry }) => entry));
  assertAllMatch(words, [/a = 3$/, /L = 9$/, /dL\/da = 6 /, / grad 6 /, / L a\^2 9 1 a leaf 3 6$/,
    /data 9 grad 1 .* data 3 grad 6/, / = 4$/, /^$/, /a leaf 3 6 .* = 12$/, /K = 21$/]);
  // What is bound anew ends the entries with its name, and so does a function.
  assert.deepEqual(told(await enter("b = a")), ["7 ended", "8 ended"]);
  await enter("f(x) = a*x");
  const line = await enter(":plot f -3..3");
  assert.deepEqual(told(await enter("f(x) = a*x^3")), [`${line.entry} ended`]);
  const cubic = await enter(":plot f -3..3");
  const after = await moved(session, "a", 4, [1, 8, line.entry, cubic.entry]);
  assert.deepEqual(after.slice(0, 3).map((it) => it.slice(-6)), ["L = 16", "", ""]);
  assert.ok(after[3] && after[3] !== wordsOf(cubic.html), after[3]);
});

test("answers of before are known after undo, a step and a reset, with the reason", async () => {
  const { ask, enter } = begin();
  const tells = async (line, ...states) => assert.deepEqual(told(await enter(line)), states, line);
  await enter("a, c = 2, 1", "L = a^2", "M = c + 1");
  await tells(":set a 6", "0 faded a was 2", "1 faded a was 2");
  const again = await ask("again", { names: ["a"], entries: [0, 1, 2] });
  assertAllMatch(wordsAgain(again), [/a = 6, c = 1$/, /L = 36$/, /^$/]);
  // The last one does not depend on a.
  assert.equal(again.answers[2], null);
  assert.deepEqual(told(again), ["0 live", "1 live"]);
  await tells("L");
  await tells(":undo", "0 faded a was 6", "1 faded a was 6", "3 faded $1 is gone, a was 6");
  await tells(":redo", "0 live", "1 live", "3 live");
  await tells(":step 0.1 of L", "0 faded a was 6", "1 faded a was 6", "3 faded a was 6");
  await tells(":undo", "0 live", "1 live", "3 live");
  // What is gone comes back.
  await tells(":reset", "0 faded a is gone, c is gone", "1 faded L is gone, a is gone", "2 faded M is gone, c is gone", "3 faded $1 is gone, L is gone");
  await tells(":undo", "0 live", "1 live", "2 live", "3 live");
  await enter(":reset");
  await tells("a = 5", "0 ended a is gone, c is gone", "1 ended L is gone, a is gone");
  // A number that another result gets ends its entry.
  await tells("7*a", "3 ended $1 is gone, L is gone");
});

test("a derivative ends when one of its sides means something else", async () => {
  const { enter } = begin();
  await enter("a, b = 2, 3", "L = a^2*b");
  const [first, second] = [await enter("dL/da"), await enter("∂L/∂b")];
  assert.deepEqual(told(await enter("b = 1")), ["0 ended", "1 ended", `${second.entry} ended`]);
  assert.deepEqual(told(await enter("L = a")), [`${first.entry} ended`]);
});

test("an entry that is not answered again fades when a leaf below it moves", async () => {
  const { enter } = begin();
  await enter("a = 2", "L = a^2");
  assert.deepEqual(told(await enter(":walk L")), ["2 ended"]);
  await enter(":next 9", "L = a + 1");
  assert.deepEqual(told(await enter(":set a 3")).filter((it) => /^[12] /.test(it)), ["1 ended a was 2", "2 ended a was 2"]);
  assert.deepEqual(told(await enter(":undo")).filter((it) => /^[12] /.test(it)), ["1 ended", "2 ended"]);
});

test("a walk that asks, and a lesson, say that they ask", async () => {
  const { enter } = begin();
  const says = ({ asks, walk }) => [asks, walk && walk[walk.direction], walk?.made];
  assert.deepEqual(says(await enter("a = 2", "L = a^2")), [false, null, undefined]);
  assert.deepEqual(says(await enter(":walk L forward")), [false, ":walk L forward", 0]);
  assert.deepEqual(says(await enter(":walk L ask")), [true, ":walk L ask", 0]);
  assert.deepEqual(says(await enter("1", "?", "4")), [false, ":walk L ask", 1]);
  assert.deepEqual(says(await enter(":set a 3")), [false, null, undefined]);
  assert.deepEqual(says(await enter(":play slope; :play 6")), [true, null, undefined]);
  assert.deepEqual(says(await enter(":play stop")), [false, null, undefined]);
});

test("a walk is drawn with its stop when an entry moves it, unless it asks", async () => {
  const { enter } = begin();
  await enter("a, b, c = 2, -3, 4; L = (a*b)*(b + c)");
  /** What an answer shows of the walk: its graph, the words of its stop, and whether it has begun. */
  const shown = async (statement) => {
    const { walk } = await enter(statement);
    return walk && [/<svg.*class="[^"]*node/s.test(walk.html), wordsOf(walk.html?.split("</figure>")[1] ?? "").slice(0, 14), walk.begun];
  };
  assert.deepEqual(await shown(":walk L"), [true, "a backward wal", true]);
  assert.deepEqual(await shown(":walk"), [false, "", false]);
  assert.deepEqual(await shown(":next"), [true, "1 of 3 L = a*b", false]);
  assert.deepEqual(await shown("1 + 1"), [false, "", false]);
  assert.deepEqual(await shown(":next at (a*b)"), [true, "2 of 3 a*b = -", false]);
  assert.deepEqual(await shown(":prev 2"), [true, "a backward wal", false]);
  assert.deepEqual(await shown(":walk L forward"), [true, "a forward walk", true]);
  assert.deepEqual(await shown(":walk L ask"), [false, "", true]);
  assert.equal(await shown(":walk end"), null);
});

test("a trial draws what the leaves would give, and leaves them", async () => {
  const { ask, enter, says } = begin();
  await enter("b, a, c = -3, 2, 1; L = a*b + a^2");
  const graph = await enter(":graph L");
  // The leaves that the entry names come first.
  assert.deepEqual([graph.picture, (await enter(":plot L a=-5..5")).picture], [["b", "a"], ["a", "b"]]);
  const [tried, bound] = await ask("tryOut", { settings: { a: 3, b: 4 }, entries: [graph.entry, 0] });
  assert.match(wordsOf(tried), / data 21 /);
  assert.match(wordsOf(bound), /L = 21$/);
  await says("L", /= -2$/, ":set a 3, b 4", /21/);
  const pictureIn = (html) => /<svg.*<\/svg>/s.exec(html)[0];
  assert.equal(pictureIn((await enter(":graph L")).html), pictureIn(tried));
  // The axis of a curve keeps its ends.
  const curve = await enter("M = a^2; :plot M");
  const axis = (html) => /data-key="([^"]*)"/.exec(html)[1];
  const triedAxis = async (a, ...axes) => axis((await ask("tryOut", { settings: { a }, entries: [curve.entry], axes }))[0]);
  assert.deepEqual([axis(curve.html), await triedAxis(1, [-5, 5]), await triedAxis(1)], ["-5 5 a", "-5 5 a", "-2 2 a"]);
  // Its point would be out of sight.
  assert.equal(await triedAxis(40, [-5, 5]), "-50 50 a");
});

test("stored statements bring a session back, and its entries are answered again", async () => {
  const first = begin();
  await first.enter("w, u = 3, 4; L = (w - 1)^2 + u^2", "L + 1", ":grad L", ":graph", "2 + alhpa", ":set u 2");
  const { ask, enter, says, back } = await broughtBack(first);
  assert.deepEqual([back.failed, back.html], [false, ""]);
  const live = first.answers.filter(({ entry }) => entry !== null);
  const entries = await ask("renew", live.map(({ target, pass, link, counted, added }) =>
    ({ text: link, target: target ?? undefined, pass: pass ?? undefined, counted, added, reason: "u was 4", isOfLesson: false })));
  assert.deepEqual(entries, [0, 1, 2, 3]);
  assert.deepEqual(told(await enter(" ")), []);
  // Now u is 2. Results have the numbers that they had.
  const again = await ask("again", { names: ["u"], entries });
  assert.deepEqual(told(again), ["0 live", "1 live", "2 live", "3 live"]);
  const words = wordsAgain(again);
  assertAllMatch(words, [/L = 8$/, /\$1 = 9$/, / u leaf 2 4 w leaf 3 4$/, /data 8 grad 1/]);
  await says("$1 + 1", /\$2 = 10$/);
  // What is undone replaces what is stored.
  const { html } = await enter("v = L; L = w + 1");
  assert.ok(!html.includes("\u{1b}"), html);
  const { kept, anew } = await enter(":undo");
  assert.ok(anew && kept.includes("L = (w - 1)^2 + u^2") && !kept.includes("L = w + 1"), kept);
  assert.equal((await enter(":reset")).kept, "");
  // Those of a version that counted positions from 1 are refused.
  const old = await broughtBack(first, (kept) => kept.replace(/chainrule [\d.]+:/, "chainrule 0.1.0:"));
  assert.ok(old.back.failed && wordsOf(old.back.html).includes("counted from 1"), old.back.html);
  await old.says("w", /unknown name/);
});

test("a worker that ends leaves what calls have changed to the next", async () => {
  const session = begin();
  const { ask, enter, says } = session;
  await enter("a = 2", "L = a^2");
  const acts = [() => put(session, "t.csv", "x,y\n1,2\n2,4.5\n"), () => enter(":data t.csv"), () => enter(":set a 3"),
    () => ask("again", { names: ["a"], entries: [1] }), () => ask("tryOut", { settings: { a: 5 }, entries: [1] })];
  for (const act of acts) {
    await act();
    session.session.stop("stopped");
  }
  assert.deepEqual(told(await enter(":set a 4")), ["1 faded a was 3"]);
  await says("L", /= 16$/, "y", /\[2, 4.5\]/);
});

test("a file has the numbers of the session, and a trial does not write it", async () => {
  const { ask, enter } = begin();
  const { entry } = await enter("x = 2", "y = x^2", ":plot y p.svg");
  const file = async () => /at x = ([\d.]+)/.exec(new TextDecoder().decode(await ask("file", "p.svg")))[1];
  await ask("tryOut", { settings: { x: 4 }, entries: [entry] });
  assert.equal(await file(), "2");
  // The buttons below the plot give the new file, so there are no others.
  assert.deepEqual((await enter(":set x 3")).files, []);
  await ask("again", { names: ["x"], entries: [entry] });
  assert.deepEqual([await file(), (await enter("x + 1")).files], ["3", []]);
});

test("files are asked for, taken and written", async () => {
  const session = begin();
  const { ask, enter, says } = session;
  const asked = await enter(":data points.csv");
  assert.ok(asked.missing === "points.csv" && wordsOf(asked.html).includes("there is no file"));
  await put(session, "points.csv", "x,y\n1,2\n2,4.5\n");
  await put(session, "ü points.csv", "u,v\n3,4\n");
  await says(":data points.csv", /y/, "y", /\[2, 4.5\]/, ':data "ü points.csv"', /v/, "v", /\[4\]/);
  const found = await ask("complete", { line: ":data poi", cursor: 9 });
  assert.deepEqual(found.entries.map(({ text }) => text), ["points.csv"]);
  const contents = async (name) => new TextDecoder().decode(await ask("file", name));
  assert.deepEqual((await enter("a = 2; :save lesson.calc")).files, ["lesson.calc"]);
  assert.match(await contents("lesson.calc"), /^# a session of chainrule .*\n.*a = 2;\n$/s);
  await says(":load lesson.calc", /loaded/);
});

test("a pasted table is read by a statement", async () => {
  const { ask, says } = begin();
  const paste = async (text, note) => {
    const { html, table } = await ask("enter", { text, whole: false });
    assert.ok(wordsOf(html).includes(note), html);
    return table;
  };
  await says(await paste("t\tU\n0\t1.5\n1\t2.5", "a table with the columns t, U"), /t, U: 2 rows/, "U", /\[1.5, 2.5\]/);
  await says(await paste("3\n4.5\n-1e2", "a table with the column x"), /x: 3 rows/, "x", /\[3, 4.5, -100\]/);
  // Its name is free for a column of dates.
  await says(await paste("2024-01-01\t5\n2024-01-02\t6", "columns x, y"), /x is in days since 2024-01-01/);
});

test("a link has the answers of its author, and what stands beside files", async () => {
  const author = begin();
  await author.enter("a = 2; :save f.calc # for later", "b = 3; :load f.calc", "2 + alhpa", "\u{2202}> c = 4\nc = 4");
  assert.ok(wordsOf(author.answers.at(-1).html).includes("note: 1 line without a prompt skipped"));
  await put(author, "t.csv", "x,y\n1,2\n2,4.5\n");
  await author.enter(":data t.csv", "y", "L = a*b", ":set a 3", "L");
  const words = wordsOf((await opened(author)).answers.map(({ html }) => html).join(" "));
  // So has a link what failed, and one entry for each of the author's.
  const expected = ["a = 2", "b = 3", "unknown name", "c = 4", "[2, 4.5]", "L = 6", "$2 = 9"];
  assert.deepEqual(expected.filter((answer) => !words.includes(answer)), [], words);
  assert.equal(words.split("error").length, 2, words);
  assert.deepEqual(author.answers.filter(({ link }) => !link), []);
});

test("a lesson goes on in another session, which knows what was guessed", async () => {
  const text = "# My lesson: squares.\na = 3\nL = a^2\n# hint: twice a\n:guess a 2a of L\n# The end.\n";
  const first = begin();
  await put(first, "my lesson.calc", text);
  const { html, words, lesson } = await first.enter(':play "my lesson.calc"');
  // The words of the lesson are no part of the answer.
  assert.match(wordsOf(words), /^My lesson: squares. .*1 of 3/);
  assert.equal(wordsOf(html), '∂> :play "my lesson.calc"');
  assert.deepEqual([lesson.name, lesson.text], ["my lesson.calc", text]);
  await goOn(first);
  // The gap of the line is between its two texts.
  const { line } = await goOn(first);
  assert.deepEqual(line, [":guess a ", " of L"]);
  assert.match(wordsOf((await goOn(first, "5")).html), /twice a/);
  const second = await broughtBack(first);
  assert.deepEqual(second.answers[0].line, line);
  // The worksheet is of all of it.
  const sheet = wordsIn(await second.ask("worksheet", { title: "own", statements: "b = 2" }));
  assert.ok(sheet.includes("My lesson: squares.") && sheet.includes("__________") && !sheet.includes("hint"), sheet);
  assert.match(allWords(await goOn(second, "6")), /the end of my lesson.calc, 3 statements; 0 of 1 guesses right/);
});

/** The lesson of docs/guide/teachers.md. */
const chainLesson = () => /```calc\n(.*?)```/s.exec(readFileSync(new URL("../../docs/guide/teachers.md", import.meta.url), "utf8"))[1];

test("the link of a pupil hands in all answers in a lesson of one's own", async () => {
  const pupil = begin();
  await put(pupil, "chain.calc", chainLesson());
  await pupil.enter(":play chain.calc");
  for (const text of ["", "", "35", "?", "36", "b", "a", "72", "36", ""]) await goOn(pupil, text);
  const verdicts = (answers) => wordsOf(answers.map(({ html }) => html).join(" ")).match(/right: [^ ]+|\S+ is not \S+( answer)?|score: \d of \d/g);
  const told = verdicts(pupil.answers);
  assert.deepEqual(told, ["35 is not the answer", "score: 0 of 1", "right: 36", "b is not the answer", "score: 1 of 3", "right: a", "dL/da is not 72", "score: 2 of 5", "right: dL/da"]);
  const { answers } = await opened(pupil);
  assert.deepEqual(verdicts(answers), told);
  // The lesson has silenced this statement, to ask for its value.
  assert.match(wordsOf(answers[2].html), /L = 36$/);
});

test("a lesson and the user's session wait for each other", async () => {
  const session = begin();
  const { enter, says } = session;
  await enter("a = 2", "a^2");
  await says(":play slope", /a session of its own/, "a", /unknown name/, ":undo", /nothing to undo/);
  const bound = await enter("a = 7");
  const square = await enter("a^2");
  assert.deepEqual([bound.of_lesson, bound.sliders, square.counted], [true, ["a"], 0]);
  const words = await moved(session, "a", 9, [0, 1, square.entry]);
  assert.deepEqual(words, ["", "", "∂> a^2 $1 = 81"]);
  await enter(":play 4");
  await goOn(session);
  await says(":play stop", /your own session is back/, "x", /unknown name/);
  assert.deepEqual(await moved(session, "a", 3, [1, square.entry]), ["∂> a^2 $1 = 9", ""]);
  await enter("a");
  // Whoever opens the link or goes on has both sessions.
  for (const other of [await opened(session), await broughtBack(session)]) {
    await other.says("a", /\$3 = 3$/, ":play", /5 of 22/, "a + x", /= 12$/, ":play stop", /left at 5 of 22/);
    await other.says(":undo", /:set a 3/, "a", / = 2$/);
  }
});

// The table of a lesson is no table of the user: whoever opens a link goes on in the lesson with it.
test("a lesson with a table ends in a link as it did", async () => {
  const session = begin();
  await session.enter("k = 5", ":play regression");
  while (session.answers.at(-1).line) await goOn(session);
  assert.match(allWords(session.answers.at(-1)), /the end of regression/);
  await session.enter("k");
  for (const other of [await opened(session), await broughtBack(session)]) {
    await other.says("k", /\$2 = 5$/, ":play back", /14 of 14/);
  }
});

test("worksheets and answers are those of the program, and answers get a page", async () => {
  const { ask } = begin();
  const statements = "a = 2; L = a^2 + a\n\n:grad L\n\n:graph L\n";
  const sheet = wordsIn(await ask("worksheet", { title: "sheet", statements }));
  assert.equal(sheet, program(statements, "--gaps"));
  assert.match(sheet, /a leaf 2 __________/);
  assert.match(await ask("document", { title: "answers", answers: "<p>4</p>" }), /<title>answers<.*<main.*<p>4<\/p>/s);
  const examples = readdirSync(fileAt("examples")).filter((name) => name.endsWith(".calc"));
  const scripts = examples.map((name) => readFileSync(fileAt(`examples/${name}`), "utf8"));
  // Files of the disk are not those of the page.
  const alone = scripts.filter((text) => !text.includes(":data") && !text.includes(":load"));
  assert.ok(alone.length > 6);
  // Only pictures on the page have a legend of the colours, and numbers at points.
  const asInFile = (html) => html.replace(/<g class="legend".*?<\/g>/gs, "").replace(/(<g class="present"(?:(?!<\/g>).)*?)<text.*?<\/text>/gs, "$1");
  // Only the page numbers results: `$1 = 2`.
  const withoutNumbers = (words) => words.split(" ").filter((word) => !/^(=|\$\d+)$/.test(word)).join("");
  for (const script of alone) {
    const { html } = await begin().enter(script);
    assert.equal(withoutNumbers(wordsOf(asInFile(html))), withoutNumbers(program(script)), script);
  }
});

test("the echo marks the literals of leaves, and nothing else", async () => {
  const { enter } = begin();
  const marksOf = async (line) => [...(await enter(line)).html.matchAll(/data-leaf="(.*?)" data-typed="(.*?)">(.*?)</g)].map(([, ...mark]) => mark.join(" "));
  assert.deepEqual(await marksOf("a = 2"), ["a 2 2"]);
  assert.deepEqual(await marksOf("m, n = 1_000, -.5; c = 3 ± 0.1  # with a = 2"), ["m 1000 1_000", "n -0.5 -.5", "c 3 3"]);
  assert.deepEqual(await marksOf("w = [1, −2]; x = y = 4"), ["w[0] 1 1", "w[1] -2 −2", "x 4 4"]);
  assert.deepEqual(await marksOf('p = 2π; b = 5 % 3; k = 4!; q = 2²; r = 2*a; print("a = 2"); s = 3 if 1 > 2 else 4; :set a 3'), []);
});

test("a slider ends at 0 if a value is NaN beyond it, whatever the names are", async () => {
  const { enter } = begin();
  assert.deepEqual((await enter("a, b, c, d, NaNa = 2, -3, 1, 0, 4")).one_sign, []);
  assert.deepEqual((await enter("NaNs = NaNa*a")).one_sign, []);
  assert.deepEqual((await enter("y = sqrt(a) + c*d")).one_sign, ["a"]);
  assert.deepEqual((await enter("ln(-b)")).one_sign, ["b"]);
});

test("a file is read by a statement with its path in quotes, and a lesson has a file of its title", async () => {
  const session = begin();
  const { ask, enter } = session;
  const statementsOf = (name) => put(session, name, "x,y\n1,2\n2,4\n");
  assert.deepEqual(await statementsOf("a.csv"), { read: ":data a.csv", play: ":play a.csv" });
  assert.equal((await statementsOf("my slope.calc")).read, ':load "my slope.calc"');
  const { read } = await statementsOf('it\'s 2" long.csv');
  assert.equal(read, null);
  const { read: quoted } = await statementsOf('2" long.csv');
  assert.equal(quoted, ":data '2\" long.csv'");
  assert.equal((await enter(quoted)).failed, false);
  assert.equal(await ask("lessonFile", '# The "slope" of x/y.\nx = 2'), "The  slope  of x y.calc");
  assert.equal(await ask("lessonFile", "x = 2"), "lesson.calc");
  assert.equal(await ask("setting", { a: 0.5, "w[0]": "pi/2" }), ":set a 0.5, w[0] pi/2");
});
