"use strict";
// The module, out of the page: compressed as browsers unpack it by themselves.
const moduleBytes = ({ textContent }) => {
  const packed = Uint8Array.from(atob(textContent), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
};

// The notebook: statements go to the session in the worker, and what comes back is put under them.
(async () => {
  const MOST_LINK = 30_000, LINK_TIME = 10_000, MOST_STORED = 2_000_000, STORED = 5, MOST_HISTORY = 500;
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

  // The session. It answers its calls in order; a trap ends all of them, as the button does.
  const files = new Map();
  let worker, waiting = [], kept = "", entered = [], running = false;
  const ask = (call, argument) => new Promise((answer, refuse) => {
    waiting.push({ call, answer, refuse });
    worker.postMessage({ call, argument });
  });
  const begin = () => {
    worker?.terminate();
    worker = new Worker(source);
    worker.postMessage({ code: module });
    worker.onmessage = ({ data }) => "progress" in data ? (hint.textContent = data.progress) : waiting.shift().answer(data.answer);
    worker.onerror = (event) => (event.preventDefault(), stop(event.message));
    for (const [name, content] of files) ask("put", { name, content }).catch(() => {});
  };
  // Work is stopped by ending the worker. What was kept before is run again.
  const stop = async (reason) => {
    const refused = waiting;
    waiting = [];
    begin();
    if (refused[0]?.call === "restore" && reason !== "stopped") {
      note(`The statements from before do not run here (${reason}).`);
      kept = "";
    }
    if (kept) ask("restore", kept).catch(() => {});
    refused.forEach((call) => call.refuse(reason));
  };

  // What stands in the notebook.
  const show = (...things) => {
    const article = made("article", {}, ...things);
    notebook.append(article);
    reveal(article);
    return article;
  };
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

  // Before the first click or key a page that a link has opened stores, downloads and asks for nothing.
  let touched = !location.hash;
  const touch = (event) => (touched ||= event.isTrusted);
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", touch, true);

  const present = async (answer, text) => {
    const actions = made("p", { className: "note" });
    for (const name of answer.files) {
      const content = await ask("file", name);
      files.set(name, content);
      const isPage = name.endsWith(".html");
      actions.append(button(`Download ${name}`, () => download(name, content)), " ");
      if (isPage) actions.append(button(`Open ${name}`, () => open(name, content)), " ");
      if (touched && !isPage && !/\.(svg|png)$/.test(name)) download(name, content);
    }
    if (answer.missing) {
      const choose = () => pick((content) => put(answer.missing, content).then(() => run(text)));
      actions.append(button(`Choose ${answer.missing}`, choose));
    }
    const article = show();
    article.innerHTML = answer.html;
    if (actions.hasChildNodes()) article.append(actions);
    if (!article.hasChildNodes()) article.remove();
    else reveal(article);
    if (answer.quit) note("A page has no end: close its tab to leave.");
  };

  // Runs what was entered. Says whether it was complete.
  const run = async (text, whole = true) => {
    running = true;
    const slow = setTimeout(() => {
      [$("run").hidden, $("stop").hidden, hint.textContent] = [true, false, "running; Ctrl-C stops"];
    }, 150);
    try {
      const answer = await ask("enter", { text, whole });
      if (answer.more) return false;
      if (!whole && text.trim()) remember(text);
      await present(answer, text);
      if (answer.statement && !entry.value) type(answer.statement);
      kept = await ask("kept");
      if (!answer.failed && !/^\s*:save/.test(text)) entered.push(text);
      store();
    } catch (reason) {
      if (!entry.value) type(text);
      show(made("pre", {}, made("kbd", { textContent: `∂> ${text}` })));
      note(reason === "stopped" ? "Stopped, and not kept." : `The session failed at this entry, which is not kept (${reason}).`,
        " The statements before it have been run again; what could be undone, the walk and the score are lost.");
    } finally {
      clearTimeout(slow);
      [$("run").hidden, $("stop").hidden, hint.textContent, running] = [false, true, "", false];
    }
    return true;
  };

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
      const looks = await ask("look", { line, cursor }).catch(() => null);
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
    await present(await ask("leave"));
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

  // What is stored: the statements and the history, by page and tab. The newest few are kept.
  const area = `chainrule ${location.pathname} `;
  let tab, told = false;
  const stored = () => Object.keys(localStorage).filter((key) => key.startsWith(area))
    .map((key) => ({ key, ...JSON.parse(localStorage[key]) })).sort((one, other) => other.time - one.time);
  const store = () => {
    if (!touched || told || $("nothing").checked) return;
    try {
      sessionStorage.tab = tab ??= `${Date.now()}`;
      if (!kept) return localStorage.removeItem(area + tab);
      const text = JSON.stringify({ time: Date.now(), kept, history });
      if (text.length > MOST_STORED) throw new Error("it is too long");
      localStorage[area + tab] = text;
      stored().slice(STORED).forEach(({ key }) => localStorage.removeItem(key));
    } catch (error) {
      told = true;
      note(`The session is not stored any more: ${error.message}. :save writes it into a file.`);
    }
  };
  const restore = async (record) => {
    history.push(...record.history);
    place = history.length;
    ({ kept } = record);
    entered = [kept];
    const summary = made("summary", { textContent: "The session from before is back." });
    show(made("details", {}, summary, made("pre", { tabIndex: 0, textContent: kept })));
    running = true;
    await present(await ask("restore", kept));
    running = false;
  };
  $("nothing").onchange = ({ target: { checked } }) => {
    try {
      sessionStorage.nothing = checked ? "yes" : "";
      if (checked && tab) localStorage.removeItem(area + tab);
    } catch { /* Then nothing is stored anyway. */ }
    if (!checked) store();
  };

  // A link that others can open has in it what was entered: of a saved session the statements, so that they answer, in
  // place of a table its numbers.
  const spoken = (text) => text.startsWith("# a session of") ? text.replace(/^.*\n/, "").replace(/;$/gm, "") : text;
  const loaded = (text) => {
    const content = files.get(/^\s*:load\s+"?(.*?)"?\s*$/.exec(text)?.[1]);
    return spoken(content ? new TextDecoder().decode(content) : text);
  };
  $("copy").onclick = async () => {
    const statements = entered.some((text) => text.includes(":data")) ? spoken(kept) : entered.map(loaded).join("\n");
    const address = `${location.href.split("#")[0]}#run=${encodeURIComponent(statements)}`;
    if (address.length > MOST_LINK) return note("The session is too long for a link: :save writes it into a file.");
    const field = made("input", { value: address, readOnly: true, ariaLabel: "The link to this session" });
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    note(copied ? "The link is copied: who opens it sees these statements run." : "Copy this link: who opens it sees these statements run.", field);
    copied ? entry.focus() : field.select();
  };
  addEventListener("hashchange", () => location.reload());

  const linked = async (statements) => {
    if (statements.length > MOST_LINK) return note("The link is too long, and was not run.");
    const end = setTimeout(() => stop("stopped"), LINK_TIME);
    await run(statements);
    clearTimeout(end);
  };

  begin();
  $("answers").textContent = await ask("style");
  const [, action, argument] = /^#(run|play)=(.*)$/s.exec(location.hash) ?? [];
  let words = "";
  try {
    words = decodeURIComponent(argument ?? "");
  } catch {
    note("The link is damaged, and was not run.");
  }
  if (action === "run") {
    await linked(words);
  } else if (action === "play") {
    await run(`:play ${words.replace(/\W/g, "")}`);
  } else {
    try {
      tab = sessionStorage.tab;
      $("nothing").checked = !!sessionStorage.nothing;
      const records = stored();
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
  entry.focus({ preventScroll: true });
  root.dataset.ready = action === "run" ? "answer" : "prompt";
})();
