"use strict";
// What is compressed and in signs of the base of 64, as browsers unpack it by themselves.
const unpacked = (signs, format) => {
  const packed = Uint8Array.from(atob(signs), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)));
};
const moduleBytes = ({ textContent }) => unpacked(textContent, "gzip").arrayBuffer();

// The notebook: statements go to the session in the worker, and what comes back is put under them.
(async () => {
  const MOST_LINK = 30_000, LINK_TIME = 10_000, MOST_STORED = 5_000_000, STORED = 5, MOST_HISTORY = 500, MOST_SLIDERS = 50;
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const [notebook, entry, paint, hint, choices] = ["notebook", "entry", "paint", "hint", "choices"].map($);
  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // The module, once for all workers.
  const module = await WebAssembly.compile(await moduleBytes($("module")));
  const source = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));

  // The session. It answers its calls in order. A trap ends the first of them, and the others go on with the memory from
  // before it. The button ends all.
  const files = new Map();
  let worker, memory, waiting = [], kept = "", running = false, reached = "";
  const post = ({ call, argument }) => worker.postMessage({ call, argument });
  const ask = (call, argument) => new Promise((answer, refuse) => {
    waiting.push({ call, argument, answer, refuse });
    post(waiting.at(-1));
  });
  const begin = () => {
    // One that has ended may still have something to say.
    if (worker) worker.onmessage = worker.onerror = null;
    worker?.terminate();
    worker = new Worker(source);
    worker.postMessage({ code: module, memory });
    worker.onmessage = ({ data }) => {
      if ("progress" in data) return (hint.textContent = data.progress);
      if ("reached" in data) return (reached = data.reached);
      reached = "";
      memory = data.memory ?? memory;
      waiting.shift().answer(data.answer);
    };
    worker.onerror = (event) => (event.preventDefault(), stop(event.message));
    waiting.forEach(post);
  };
  const stop = (reason) => {
    const ended = waiting.splice(0, reason === "stopped" ? waiting.length : 1);
    begin();
    ended.forEach((call) => call.refuse(reason));
  };

  // What stands in the notebook.
  const show = (...things) => {
    const article = made("article", {}, ...things);
    notebook.append(article);
    reach(article);
    reveal(article);
    return article;
  };
  // The keys scroll a table that is wider than the window.
  const reach = (part) => part.querySelectorAll("table").forEach((table) => (table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1));
  addEventListener("resize", () => reach(notebook));
  // Down to the line, unless the beginning of the answer would go out of sight.
  const reveal = (article) => {
    scrollTo(0, Math.min(root.scrollHeight - innerHeight, article.offsetTop - 8));
  };
  const note = (...words) => show(made("p", { className: "note" }, ...words));
  const button = (textContent, onclick) => made("button", { type: "button", textContent, onclick });
  const link = (name, content, type, properties) => {
    const href = URL.createObjectURL(new Blob([content], { type }));
    made("a", { href, rel: "noopener", ...properties(name) }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  };
  const download = (name, content) => link(name, content, "application/octet-stream", (download) => ({ download }));
  const open = (name, content) => link(name, content, "text/html", () => ({ target: "_blank" }));

  // A picture opens large by a click and by Enter.
  const pictureOf = (target) => target.closest("figure > svg");
  const enlarge = (picture) => {
    const ariaLabel = picture.getAttribute("aria-label");
    const large = made("dialog", { ariaLabel, onclick: () => large.close(), onclose: () => large.remove() }, picture.cloneNode(true));
    document.body.append(large);
    large.showModal();
  };
  notebook.addEventListener("click", ({ target }) => pictureOf(target) && enlarge(pictureOf(target)));

  // Before the first click or key a page that a link has opened stores, downloads and asks for nothing.
  let touched = !location.hash;
  const touch = (event) => (touched ||= event.isTrusted);
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", touch, true);

  // The entries: each with its text and answer, how many results there were before it, the names that have sliders below
  // it, what a link says of it, and whether it is answered again when a leaf moves.
  const entries = [];
  const display = (entry, ...actions) => {
    if (entry.isCut) actions.push(button("Draw the picture again", () => run(entry.text)));
    entry.answer = made("div", {});
    fill(entry);
    const sliders = made("div", { className: "sliders" }, ...entry.names.map(slider));
    const parts = [entry.html && entry.answer, actions.length && made("p", { className: "note" }, ...actions), entry.names.length && sliders];
    if (parts.some(Boolean)) show(...parts.filter(Boolean));
  };

  // What is known of the session: its leaves with sliders, and how many results there are. Of entries that are about a
  // name which stands for something else now, none is answered again.
  let known = { leaves: [], counted: 0 };
  const value = (name) => known.leaves.find((leaf) => leaf.name === name)?.value;
  const know = (answer) => {
    known = answer;
    const isBound = (name) => answer.bound.includes(name);
    for (const entry of entries) {
      entry.isLive &&= !entry.text.match(/[\p{L}\p{N}_]+/gu)?.some(isBound);
      entry.names = entry.names.filter((name) => !isBound(name));
    }
    document.querySelectorAll(".slider").forEach((slider) => isBound(slider.dataset.name) && slider.remove());
  };

  const present = async (answer, entry) => {
    const actions = [];
    for (const name of answer.files) {
      const content = await ask("file", name);
      files.set(name, content);
      const isPage = name.endsWith(".html");
      actions.push(button(`Download ${name}`, () => download(name, content)), " ");
      if (isPage) actions.push(button(`Open ${name}`, () => open(name, content)), " ");
      if (touched && !isPage && !/\.(svg|png)$/.test(name)) download(name, content);
    }
    if (answer.missing) {
      const choose = () => pick((content) => put(answer.missing, content).then(() => run(entry.text)));
      actions.push(button(`Choose ${answer.missing}`, choose));
    }
    if (answer.table) actions.push(button("Read the table", () => run(answer.table)));
    const counted = known.counted;
    know(answer);
    const names = known.leaves.map(({ name }) => name).filter((name) => /^\s*:vars\b/.test(entry.text) || answer.bound.includes(name));
    for (const earlier of entries) earlier.isLive &&= earlier.text !== entry.text;
    const isLive = !answer.failed && !answer.files.length;
    Object.assign(entry, { html: answer.html, counted, isLive, names: names.slice(0, MOST_SLIDERS) });
    entries.push(entry);
    display(entry, ...actions);
    if (answer.quit) note("A page has no end: close its tab to leave.");
  };

  // Runs what was entered, as a whole or if it is complete, which it returns. A slider does so quietly: its entry has no
  // answer.
  const run = async (text, whole = true, quietly = false) => {
    let set = "";
    running = true;
    const slow = setTimeout(() => {
      [$("run").hidden, $("stop").hidden, hint.textContent] = [true, false, "running; Ctrl-C stops"];
      lock();
    }, 150);
    try {
      const answer = await ask("enter", { text, whole });
      if (answer.more) return false;
      if (!whole && text.trim()) remember(text);
      const earlier = kept;
      kept = await ask("session");
      const added = kept.startsWith(earlier) ? kept.slice(earlier.length) : "";
      if (quietly && !answer.failed) answer.html = "";
      const said = sent(text, answer.failed, added);
      await present(answer, { text, sent: quietly ? [said] : said });
      if (answer.statement && !entry.value) type(answer.statement);
      store();
    } catch (reason) {
      if (!entry.value && !quietly) type(text);
      show(made("pre", {}, made("kbd", { textContent: `∂> ${text}` })));
      if (reason !== "stopped") note(`The session failed at this entry, which is not kept (${reason}).`);
      else note(reached ? "Stopped: the leaves are where they had come." : "Stopped, and not kept.");
      set = reached;
    } finally {
      clearTimeout(slow);
      [$("run").hidden, $("stop").hidden, hint.textContent, running] = [false, true, "", false];
      lock();
    }
    reached = "";
    if (set) await run(set, true, true).then(() => answerAgain("", true));
    return true;
  };

  // Sliders. While one moves, what is in sight and depends on its leaf is answered again, as if the leaf were set: nothing
  // of that stays. Where it is released, the leaf is set.
  let moved, isOpen = false, isMoving = false, isHeld = false, isDue = false;
  const lock = () => {
    for (const element of document.querySelectorAll(".slider")) {
      const now = value(element.dataset.name);
      const [range, number] = element.querySelectorAll("input");
      range.disabled = number.disabled = running || now === undefined;
      if (now !== undefined && !(isOpen && moved.name === element.dataset.name)) move(element, now);
    }
  };
  const idle = async () => {
    while (running) await new Promise((done) => setTimeout(done, 10));
  };
  const move = (element, now) => {
    const [range, number] = element.querySelectorAll("input");
    if (document.activeElement !== number || +number.value !== now) number.value = now;
    if (!isOpen && !(now > +range.min && now < +range.max && range.step !== "")) {
      const half = Math.max(1, 2 * Math.abs(now));
      const step = 10 ** Math.floor(Math.log10(half / 50));
      const end = (sign) => (Math.round((now + sign * half) / step) * step).toPrecision(12);
      [range.step, range.min, range.max] = [step, end(-1), end(1)];
    }
    range.value = now;
  };
  const setting = ({ name, now }) => `:set ${name} ${now}`;
  const follow = async (name, now) => {
    [moved, isOpen] = [{ name, now }, true];
    document.querySelectorAll(".slider").forEach((element) => element.dataset.name === name && move(element, now));
    if (isMoving) return;
    isMoving = true;
    notebook.ariaLive = "off";
    await idle();
    for (let last; last !== moved;) await answerAgain(setting(last = moved), false);
    isMoving = false;
  };
  const answerAgain = async (set, isAll) => {
    const isSeen = ({ top, bottom }) => isAll || (bottom > 0 && top < innerHeight);
    await refresh(set, entries.filter((entry) => entry.isLive && entry.html && isSeen(entry.answer.getBoundingClientRect())));
  };
  const refresh = async (set, shown, range = "") => {
    const asked = shown.map(({ text, counted }) => ({ text: text + range, counted }));
    const answers = await ask("again", { set, entries: asked }).catch(() => []);
    answers.forEach((html, at) => {
      const entry = shown[at];
      const before = entry.html;
      if (!html || (html === before && !entry.isFixed)) return;
      // Boxes of a graph stay where they are until the slider is let go.
      const isFixed = set !== "" && !!entry.answer.querySelector(".node");
      const isPatched = (isFixed || !entry.isFixed) && patch(entry.answer, pieces(before), pieces(html), isFixed);
      [entry.html, entry.isFixed] = [html, isFixed];
      if (!isPatched) fill(entry);
    });
  };
  const fill = ({ answer, html }) => {
    answer.innerHTML = html;
    answer.querySelectorAll("figure > svg").forEach((picture) => (picture.tabIndex = 0));
    reach(answer);
  };
  // Tags and the texts between them. Where the elements stay, only words and attributes that differ are touched, so that
  // large pictures follow; says no if they do not stay.
  const pieces = (html) => html.split(/(<[^>]+>)/);
  const words = (text) => text.replace(/&(#39|quot|lt|gt|amp);/g, (_, name) => ({ "#39": "'", quot: '"', lt: "<", gt: ">", amp: "&" })[name]);
  const attributes = (tag) => new Map([...tag.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, words(value)]));
  const element = (tag) => /^<[\w-]+/.exec(tag)?.[0] ?? tag;
  const patch = (answer, before, now, isFixed) => {
    const isSame = (piece, at) => (at % 2 ? element(piece) === element(before[at]) : !piece === !before[at]);
    if (before.length !== now.length || !now.every(isSame)) return false;
    const nodes = document.createTreeWalker(answer);
    for (const [at, piece] of now.entries()) {
      const node = piece && !piece.startsWith("</") && nodes.nextNode();
      if (!node || piece === before[at]) continue;
      if (at % 2 === 0) {
        node.data = words(piece);
        continue;
      }
      const [old, fresh] = [before[at], piece].map(attributes);
      if (isFixed) {
        if (old.get("class") !== fresh.get("class")) node.setAttribute("class", fresh.get("class"));
        continue;
      }
      for (const [name] of old) if (!fresh.has(name)) node.removeAttribute(name);
      for (const [name, value] of fresh) if (old.get(name) !== value) node.setAttribute(name, value);
    }
    return true;
  };
  const release = async () => {
    [isOpen, isHeld, isDue] = [false, false, false];
    const last = moved;
    await idle();
    if (last && last.now !== value(last.name)) await run(setting(last), true, true);
    await answerAgain("", true);
    notebook.ariaLive = null;
    lock();
    if (last) store();
    if (again) submit();
  };
  const slider = (name) => {
    const range = made("input", { type: "range", ariaLabel: name });
    const number = made("input", { type: "number", step: "any", ariaLabel: `${name} as a number` });
    const element = made("p", { className: "slider" }, made("b", { textContent: name }), range, number);
    element.dataset.name = name;
    for (const input of [range, number]) {
      input.oninput = () => input.value !== "" && follow(name, +input.value);
      input.onchange = () => (isHeld ? (isDue = true) : release());
      input.onkeydown = ({ key }) => {
        isHeld = true;
        if (key !== "Escape") return;
        follow(name, value(name)).then(release);
        // A slider that is switched off is let go.
        input.disabled = true;
        input.disabled = false;
        input.focus();
      };
      input.onkeyup = () => ((isHeld = false), isDue && release());
      input.onblur = input.onkeyup;
    }
    return element;
  };

  // What is under the pointer: on a curve the point, as if its leaf were there; of a node its paths to the root. The arrow
  // keys go along a picture, too.
  let pointed, isPointing = false, traced;
  const point = async (picture, part) => {
    const entry = entries.find(({ answer, isLive }) => isLive && answer.contains(picture));
    const [, low, high, name, log] = /^(\S+) (\S+) (.*?)( \(log\))?$/.exec(picture.querySelector(".frame").dataset.key);
    if (running || isOpen || !entry || value(name) === undefined) return;
    const place = +low + part * (high - low);
    pointed = { entry, part, name, now: +(log ? 10 ** place : place).toPrecision(4) };
    if (isPointing) return;
    isPointing = true;
    // The axis stays where it is.
    const range = log || entry.text.includes("..") ? "" : ` ${name}=${low}..${high}`;
    for (let last; pointed && last !== pointed;) await refresh(setting(last = pointed), [entry], range);
    isPointing = false;
  };
  const trace = (picture, node) => {
    if (pointed) unpoint();
    traced = node;
    const edges = [...picture.querySelectorAll(".edge[data-key*='-']")]
      .map(({ dataset: { key, part = 0 } }) => [...key.split("-"), +part]);
    const users = Map.groupBy(edges, ([from]) => from);
    const above = new Set([node.dataset.key]);
    for (const key of above) for (const [, user] of users.get(key) ?? []) above.add(user);
    // How far the shared pieces of each value's wires are on these paths.
    const shared = new Map();
    for (const [from, user, , part] of edges) if (above.has(from) && above.has(user)) shared.set(from, Math.max(shared.get(from) ?? 0, part));
    for (const part of picture.querySelectorAll("[data-key]")) {
      const [from, to = from] = part.dataset.key.split("-");
      const isOn = part.matches(".trunk") ? part.dataset.part <= shared.get(from) : above.has(from) && above.has(to);
      part.classList.toggle("off", !isOn);
    }
    hint.textContent = node.querySelector("title").textContent.replaceAll("\n", "   ");
  };
  const unpoint = async () => {
    if (traced) [traced, hint.textContent] = [undefined, ""];
    document.querySelectorAll(".off").forEach((part) => part.classList.remove("off"));
    const { entry } = pointed ?? {};
    pointed = undefined;
    if (!entry || isOpen) return;
    await refresh("", [entry]);
    notebook.ariaLive = null;
  };
  notebook.addEventListener("pointermove", ({ target, clientX }) => {
    const picture = pictureOf(target);
    const node = target.closest(".node, .operation");
    const frame = picture?.querySelector(".frame")?.getBoundingClientRect();
    const part = frame && (clientX - frame.left) / frame.width;
    if (part >= 0 && part <= 1) {
      notebook.ariaLive = "off";
      point(picture, part);
    } else if (!picture || !node) unpoint();
    else if (node !== traced) trace(picture, node);
  });
  ["pointerleave", "pointercancel", "focusout"].forEach((type) => notebook.addEventListener(type, unpoint));
  notebook.addEventListener("keydown", (event) => {
    const picture = pictureOf(event.target);
    const step = { ArrowLeft: -1, ArrowRight: 1, Enter: 0 }[event.key];
    if (!picture || step === undefined) return;
    event.preventDefault();
    if (!step) return enlarge(picture);
    if (picture.querySelector(".frame")) return point(picture, Math.min(Math.max((pointed?.part ?? 0.5) + step / 50, 0), 1));
    const nodes = [...picture.querySelectorAll(".node")];
    if (nodes.length) trace(picture, nodes[(nodes.indexOf(traced) + step + nodes.length) % nodes.length]);
  });

  // The line.
  const history = [];
  let place = 0, draft = "", again = false;
  const type = (text) => {
    entry.value = text;
    changed();
  };
  const submit = async () => {
    // What is entered while a statement runs comes after it.
    again = running;
    if (running) return;
    choices.hidden = true;
    const text = entry.value;
    type("");
    if (!await run(text, false)) return type(`${text}\n${entry.value}`);
    if (again) submit();
  };
  const remember = (text) => {
    if (history.at(-1) !== text) history.push(text);
    if (history.length > MOST_HISTORY) history.shift();
    place = history.length;
  };
  const recall = (step) => {
    if (place === history.length) draft = entry.value;
    place = Math.min(Math.max(place + step, 0), history.length);
    type(history[place] ?? draft);
    entry.setSelectionRange(entry.value.length, entry.value.length);
  };
  let looking = false, stale = false;
  const changed = async () => {
    entry.style.height = "auto";
    entry.style.height = `${entry.scrollHeight}px`;
    $("field").classList.remove("painted");
    stale = true;
    if (looking) return;
    looking = true;
    while (stale && !running) {
      stale = false;
      const [line, cursor] = [entry.value, entry.selectionEnd];
      const look = (isHinted) => ask("look", { line, cursor, isHinted });
      const looks = await look(true).catch(() => look(false)).catch(() => null);
      if (!looks || running || line !== entry.value) continue;
      paint.innerHTML = looks.html;
      paint.scrollTop = entry.scrollTop;
      hint.textContent = looks.hint ?? "";
      $("field").classList.add("painted");
    }
    looking = false;
  };
  entry.addEventListener("input", () => {
    choices.hidden = true;
    changed();
  });
  entry.addEventListener("scroll", () => (paint.scrollTop = entry.scrollTop));
  document.addEventListener("selectionchange", () => document.activeElement === entry && !running && entry.value && changed());

  // Completion: what all candidates begin with is put into the line, and a list is shown if there are several.
  let found;
  const complete = async () => {
    found = await ask("complete", { line: entry.value, cursor: entry.selectionEnd }).catch(() => ({ entries: [] }));
    const texts = found.entries.map(({ text }) => text);
    if (!texts.length) return;
    let common = texts[0];
    while (!texts.every((text) => text.startsWith(common))) common = common.slice(0, -1);
    if (common.length > entry.selectionEnd - found.start) put_in(common);
    if (texts.length === 1) return put_in(texts[0]);
    choices.replaceChildren(...found.entries.map(({ text, shown, about }, at) => {
      const item = made("li", { role: "option", id: `choice${at}`, onclick: () => accept(text) }, made("b", { textContent: shown }), made("span", { textContent: about }));
      item.setAttribute("aria-selected", "false");
      return item;
    }));
    choices.hidden = false;
  };
  const put_in = (text) => {
    entry.setRangeText(text, found.start, entry.selectionEnd, "end");
    changed();
  };
  const accept = (text) => {
    put_in(text);
    choices.hidden = true;
    entry.removeAttribute("aria-activedescendant");
    entry.focus();
  };
  const select = (step) => {
    const items = [...choices.children];
    const at = items.findIndex((item) => item.ariaSelected === "true");
    items[at]?.setAttribute("aria-selected", "false");
    const next = items[(at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length];
    next.setAttribute("aria-selected", "true");
    next.scrollIntoView({ block: "nearest" });
    entry.setAttribute("aria-activedescendant", next.id);
  };
  const selected = () => !choices.hidden && choices.querySelector("[aria-selected=true]");

  const clear = async () => {
    again = false;
    if (running) return stop("stopped");
    choices.hidden = true;
    type("");
  };
  const leave = async () => {
    type("");
    await present(await ask("leave"), { text: "", sent: "" });
  };
  const firstLine = () => !entry.value.slice(0, entry.selectionStart).includes("\n");
  const lastLine = () => !entry.value.slice(entry.selectionEnd).includes("\n");
  // Escape lets the next Tab leave the line.
  let escaped = false;
  const keys = {
    Enter: (event) => !event.shiftKey && (selected() ? selected().click() : submit(), true),
    Tab: (event) => !escaped && entry.value.trim() && (choices.hidden ? complete() : select(event.shiftKey ? -1 : 1), true),
    ArrowUp: () => (choices.hidden ? firstLine() && (recall(-1), true) : (select(-1), true)),
    ArrowDown: () => (choices.hidden ? lastLine() && (recall(1), true) : (select(1), true)),
    Escape: () => ((choices.hidden = true), (escaped = true)),
  };
  entry.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]?.(event)) event.preventDefault();
    if (event.key !== "Escape") escaped = false;
  });
  addEventListener("keydown", (event) => {
    if (!event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const isSelected = String(getSelection()) || entry.selectionStart !== entry.selectionEnd;
    const action = event.key === "c" && !isSelected ? clear : event.key === "d" && document.activeElement === entry ? leave : null;
    if (action) {
      event.preventDefault();
      action();
    }
  });
  $("run").onclick = submit;
  $("stop").onclick = () => stop("stopped");

  // Files: a dropped or chosen one has its name in the memory of the page.
  const put = async (name, content) => {
    files.set(name, content);
    await ask("put", { name, content });
  };
  const pick = (use) => {
    $("file").value = "";
    $("file").onchange = async () => {
      const [file] = $("file").files;
      if (file) await use(new Uint8Array(await file.arrayBuffer()), file.name);
    };
    $("file").click();
  };
  const offer = async (content, name) => {
    await put(name, content);
    const command = name.endsWith(".calc") ? "load" : "data";
    note(`${name} is here: :${command} reads it.`);
    const quoted = /^[\w.-]+$/.test(name) ? name : `"${name}"`;
    if (!entry.value) type(`:${command} ${quoted}`);
    entry.focus();
  };
  $("choose").onclick = () => pick(offer);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("dragging");
  });
  addEventListener("dragleave", () => root.classList.remove("dragging"));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    root.classList.remove("dragging");
    for (const file of event.dataTransfer.files) await offer(new Uint8Array(await file.arrayBuffer()), file.name);
  });

  // What is stored: the statements, the entries and the history, by page and tab. The newest few are kept.
  const area = `chainrule ${location.pathname} `;
  const [, action, argument, from, part] = /^#(run|play)=(.*?)(&from=0)?(?:&show=([\d,]*))?$/s.exec(location.hash) ?? [];
  let tab, told = part !== undefined, base;
  const done = (request) => new Promise((answer, refuse) => {
    request.onsuccess = () => answer(request.result);
    request.onerror = () => refuse(request.error);
  });
  const sessions = async (mode) => {
    if (!base) {
      const opening = indexedDB.open("chainrule");
      opening.onupgradeneeded = () => opening.result.createObjectStore("sessions", { keyPath: "key" });
      base = done(opening);
    }
    return (await base).transaction("sessions", mode).objectStore("sessions");
  };
  const stored = async () => {
    const found = await done((await sessions("readonly")).getAll(IDBKeyRange.bound(area, `${area}~`)));
    return found.sort((one, other) => other.time - one.time);
  };
  const forget = async (key) => done((await sessions("readwrite")).delete(key));
  // Where it is too much, the largest pictures are left out.
  const slim = () => {
    const all = entries.map(({ answer, ...entry }) => entry);
    let size = all.reduce((sum, { html, text }) => sum + html.length + text.length, kept.length);
    for (const entry of [...all].sort((one, other) => other.html.length - one.html.length)) {
      if (size <= MOST_STORED) break;
      const rest = entry.html.replace(/<(figure|iframe)\b[^]*?<\/\1>/g, "");
      size -= entry.html.length - rest.length;
      entry.isCut ||= rest !== entry.html;
      entry.html = rest;
    }
    return all;
  };
  const store = async () => {
    if (!touched || told || $("nothing").checked) return;
    try {
      const isNew = !tab;
      sessionStorage.tab = tab ??= `${Date.now()}`;
      if (!kept) return await forget(area + tab);
      const record = { key: area + tab, time: Date.now(), kept, history, entries: slim() };
      await done((await sessions("readwrite")).put(record));
      if (isNew) for (const { key } of (await stored()).slice(STORED)) await forget(key);
    } catch (error) {
      if (!told) note(`The session is not stored any more: ${error.message}. :save writes it into a file.`);
      told = true;
    }
  };
  const restore = async (record) => {
    history.push(...record.history);
    place = history.length;
    running = true;
    const answer = await ask("restore", record.kept).catch((reason) => note(`The statements from before do not run here (${reason}).`));
    running = false;
    if (answer.failed) {
      // What is stored stays, under the name of its tab.
      tab = undefined;
      show().innerHTML = answer.html;
      return lock();
    }
    if ("leaves" in answer) {
      know(answer);
      ({ kept } = record);
    }
    entries.push(...record.entries);
    record.entries.forEach((entry) => display(entry));
    note("The session from before is back.");
    lock();
  };
  $("nothing").onchange = ({ target: { checked } }) => {
    try {
      sessionStorage.nothing = checked ? "yes" : "";
      if (checked && tab) forget(area + tab);
    } catch { /* Then nothing is stored anyway. */ }
    if (!checked) store();
  };

  // A link that others can open has in it what was entered: of a loaded session the statements, so that they answer, and
  // where files or failures are in the way what was kept, with the numbers of tables. What sliders did is in a list.
  const spoken = (text) => text.replace(/^# a session of.*\n([^]*)/, (_, statements) => statements.replace(/;$/gm, ""));
  const sent = (text, failed, added) => {
    if (/^\s*:save/.test(text)) return "";
    const content = files.get(/^\s*:load\s+"?(.*?)"?\s*$/.exec(text)?.[1]);
    const said = content ? new TextDecoder().decode(content) : text;
    return failed || said.includes(":data") ? spoken(added).replace(/;$/gm, "") : spoken(said);
  };
  $("copy").onclick = async () => {
    const texts = JSON.stringify(entries.map((entry) => entry.sent).filter(Boolean));
    const packed = new Response(new Blob([texts]).stream().pipeThrough(new CompressionStream("deflate-raw")));
    const bytes = new Uint8Array(await packed.arrayBuffer());
    if (bytes.length > MOST_LINK) return note("The session is too long for a link: :save writes it into a file.");
    const signs = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const address = `${location.href.split("#")[0]}#run=~${signs}&from=0`;
    const field = made("input", { value: address, readOnly: true, ariaLabel: "The link to this session" });
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    note(copied ? "The link is copied: who opens it sees these statements run." : "Copy this link: who opens it sees these statements run.", field);
    copied ? entry.focus() : field.select();
  };
  addEventListener("hashchange", () => location.reload());

  // A link without `from=0` is of a time when positions counted from 1, and is not run if it has one.
  const isOld = (text) => !from && /[\p{L}\p{N}_)\]]\[|\barg(min|max)\b/u.test(text);
  // The entries of a link: compressed, or one as it stands.
  const linked = async (words) => {
    if (words.length > 2 * MOST_LINK) throw new Error("it is too long");
    if (!words.startsWith("~")) return [decodeURIComponent(words)];
    const texts = await unpacked(words.slice(1).replaceAll("-", "+").replaceAll("_", "/"), "deflate-raw").text();
    return JSON.parse(texts);
  };
  const runLinked = async () => {
    let isOver = false;
    const texts = await linked(argument).catch((error) => note(`The link is damaged, and was not run (${error.message}).`) && []);
    const end = setTimeout(() => ((isOver = true), stop("stopped")), LINK_TIME);
    const old = isOld([...texts].flat().join("\n"));
    if (old) note("This link was made when positions counted from 1, and they count from 0: it was not run.");
    for (const text of old ? [] : texts) if (!isOver) await run(`${text}`, true, Array.isArray(text));
    if (!isOver) await answerAgain("", true);
    clearTimeout(end);
    // With numbers of answers in the link these are shown, and one slider for each leaf.
    const shown = part?.split(",");
    [...notebook.children].forEach((article, at) => shown?.includes(`${at + 1}`) === false && article.classList.add("aside"));
    for (const element of part === undefined ? [] : document.querySelectorAll(".slider")) {
      if (document.querySelector(`[data-name="${element.dataset.name}"]`) !== element) element.remove();
    }
    scrollTo(0, 0);
  };

  begin();
  $("answers").textContent = await ask("style");
  root.classList.toggle("part", part !== undefined);
  if (action === "run") {
    await runLinked();
  } else if (action === "play") {
    await run(`:play ${argument.replace(/\W/g, "")}`);
  } else {
    try {
      tab = sessionStorage.tab;
      $("nothing").checked = !!sessionStorage.nothing;
      const records = await stored();
      const own = records.find(({ key }) => key === area + tab);
      const [last] = records;
      if (own) await restore(own);
      else if (last) {
        const day = new Date(last.time).toLocaleString();
        const article = note(`The session of ${day} is stored here. `, button("Bring it back", async () => {
          article.remove();
          await restore(last);
          store();
        }));
      }
    } catch { /* A browser that stores nothing. */ }
    if (!notebook.hasChildNodes()) note("Type an expression and press Enter. :help lists what there is; :tour shows you around.");
  }
  if (part === undefined) entry.focus({ preventScroll: true });
  root.dataset.ready = action === "run" ? "answer" : "prompt";
})();
