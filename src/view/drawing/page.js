// The page: steps through the passes of its graph, and runs them again when a leaf is edited.
//
// It is given `graph` (nodes newest first, so that users come before operands) and `operations` (what the rows of the
// program's table say, or null where a row has no spelling for scripts). What stands in the file are the program's own
// numbers; a node is computed here only when what it is made of has changed. No requests, nothing is kept.
"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const nodes = graph.nodes;
const byId = new Map(nodes.map((node) => [String(node.id), node]));
const root = nodes[0];
const backward = nodes.filter((node) => node.varies && node.operands.length > 0);
const stops = { backward, forward: [...backward].reverse() };
const leaves = nodes.filter((node) => node.kind === "leaf" || node.kind === "frozen").reverse();

let direction = graph.forward ? "forward" : "backward";
let made = Math.min(graph.made, backward.length);
let playing = 0;

// ---- Numbers -------------------------------------------------------------------------------------------------------

// A number with so many significant digits, as the program writes it; with 17 the shortest that reads back.
function text(x, digits) {
  if (Number.isNaN(x)) return "NaN";
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  const size = Math.abs(x);
  if (size === Infinity) return `${sign}inf`;
  const apart = (written) => {
    const [figures, exponent] = written.split("e");
    return [figures.replace(".", ""), Number(exponent)];
  };
  let [figures, exponent] = apart(size.toExponential());
  if (digits < 17 && figures.length > digits) {
    const exact = apart(size.toExponential(100))[0];
    const tie = /^50*$/.test(exact.slice(digits)) && Number(exact[digits - 1]) % 2 === 0;
    // Of two numbers as near the even one is taken, which toExponential does not do.
    [figures, exponent] = tie ? [exact.slice(0, digits), exponent] : apart(size.toExponential(digits - 1));
  }
  figures = figures.replace(/0+$/, "") || "0";
  const point = (before) => (figures.length > before ? `${figures.slice(0, before)}.${figures.slice(before)}` : figures.padEnd(before, "0"));
  if (exponent < -5 || exponent >= 15) return `${sign}${point(1)}e${exponent}`;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${figures}`;
  return sign + point(exponent + 1);
}

const short = (x) => text(x, graph.digits);
const full = (x) => text(x, 17);

// What was typed as a number; undefined if it is none.
function read(typed) {
  const plain = typed.trim().replace(/−/g, "-").replace(/(\d)_(?=\d)/g, "$1");
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (word) return word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const x = Number(plain);
  return Number.isFinite(x) ? x : undefined;
}

// ---- The passes ----------------------------------------------------------------------------------------------------

let turns = [];

// Upstream times local: an exact zero absorbs, and what is not a number passes on no plausible one.
function passed(upstream, local, node) {
  if (upstream === 0 || local === 0) return 0;
  const product = upstream * local;
  const broken = () => node.operands.some((at) => Number.isNaN(nodes[at].data));
  return Number.isNaN(node.data) && (Number.isFinite(product) || broken()) ? NaN : product;
}

// Forward: operands before users. A node whose operands are as they were has the number it came with.
function run() {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (node.operands.length === 0) continue;
    const same = node.operands.every((at) => Object.is(nodes[at].data, nodes[at].recorded));
    const operation = operations[node.operation];
    if (same || !operation.value) {
      node.data = node.recorded;
      node.locals = node.formulas.map((local) => local.number);
    } else {
      const a = node.operands.map((at) => nodes[at].data);
      node.data = operation.value(a);
      node.locals = node.formulas.map((_, at) => (operation.partials[at] ?? operation.partials[0])(a, node.data, at));
    }
  }
  // Backward: users before operands, each contribution put down as it is made.
  const grads = nodes.map(() => 0);
  const counts = nodes.map(() => 0);
  grads[0] = 1;
  turns = stops.backward.map((node) => {
    const upstream = grads[nodes.indexOf(node)];
    const shares = [];
    node.operands.forEach((to, at) => {
      if (!nodes[to].varies) return;
      const amount = passed(upstream, node.locals[at], node);
      const before = grads[to];
      grads[to] += amount;
      counts[to] += 1;
      shares.push({ to, at, local: node.locals[at], amount, before, after: grads[to], nth: counts[to] });
    });
    return { node, upstream, shares };
  });
}

// What every node's grad is after so many stops; undefined where nothing has come yet.
function gradsAfter(count) {
  const grads = nodes.map(() => undefined);
  if (root.varies) grads[0] = 1;
  for (const turn of turns.slice(0, count)) for (const share of turn.shares) grads[share.to] = share.after;
  return grads;
}

// ---- Words ---------------------------------------------------------------------------------------------------------

const made_of = (tag, attributes, ...inner) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// A number as an element: short to the eye, in full to the pointer.
const number = (x, kind = "") => made_of("span", { class: `figure ${kind}`, title: full(x) === short(x) ? undefined : full(x), "data-full": full(x) }, short(x));
const signed = (x) => number(x, x > 0 ? "rising" : x < 0 ? "falling" : "");
const factor = (x) => (x < 0 || Object.is(x, -0) ? ["(", number(x), ")"] : [number(x)]);

// A label for a line: its middle left out if it is long.
function brief(label, room = 48) {
  const letters = [...label];
  if (letters.length <= room) return label;
  return `${letters.slice(0, room / 2).join("")}…${letters.slice(-(room / 2 - 1)).join("")}`;
}

// `b = -3`; a 1 that says so by itself stands alone.
const derivative = (formula, x) => (formula === short(x) ? [number(x)] : [`${brief(formula)} = `, number(x)]);

const named = (label) => made_of("span", { class: "name", title: label.length > 48 ? label : undefined }, brief(label));
const again = (nth) => (nth < 2 ? "" : nth === 2 ? "second contribution" : nth === 3 ? "third contribution" : `contribution ${nth}`);

// `a*b + c = 4`, or `L = (a*b + c)*f = -8` where it has a name.
const said = (node) => (node.formula ? [named(node.label), ` = ${brief(node.formula)} = `] : [named(node.label), " = "]);

function table(heads, rows) {
  const head = made_of("tr", {}, ...heads.map((head) => made_of("th", { scope: "col" }, head)));
  const body = rows.map((row) => made_of("tr", {}, ...row.map((cell, at) => made_of("td", { "data-head": heads[at] }, made_of("span", {}, ...cell)))));
  return made_of("table", { class: "shares" }, made_of("thead", {}, head), made_of("tbody", {}, ...body));
}

// One stop, as the program's own walk shows it.
function stop(place, level) {
  const node = stops[direction][place];
  if (direction === "forward") {
    const rows = node.operands.map((at) => [[named(nodes[at].label)], [number(nodes[at].data)]]);
    return [made_of(level, {}, ...said(node), number(node.data, "strong")), table(["operand", "data"], rows)];
  }
  const turn = turns[place];
  const rows = turn.shares.map((share) => [
    [named(nodes[share.to].label)],
    derivative(node.formulas[share.at].formula, share.local),
    [number(turn.upstream), " × ", ...factor(share.local), " = ", signed(share.amount)],
    [number(share.before), " → ", made_of("span", { class: "strong" }, signed(share.after)), ...(share.nth > 1 ? [made_of("span", { class: "nth" }, again(share.nth))] : [])],
  ]);
  return [
    made_of(level, {}, ...said(node), number(node.data)),
    made_of("p", { class: "upstream" }, made_of("span", { class: "dim" }, "upstream "), `${brief(node.fraction)} = `, signed(turn.upstream)),
    table(["operand", "local", "upstream × local", "grad"], rows),
  ];
}

function beginning() {
  const count = backward.length === 1 ? "1 stop" : `${backward.length} stops`;
  if (backward.length === 0) return [made_of("h2", {}, ...said(root), number(root.data)), made_of("p", {}, "There is no operation here to step through.")];
  const head = made_of("h2", {}, `The ${direction} pass of ${brief(root.label)}: ${count}`);
  if (direction === "forward") return [head, made_of("p", {}, "The leaves have their data. Each stop computes one node from its operands.")];
  return [
    head,
    made_of("p", {}, `${brief(root.fraction)} = 1, every other grad is 0. Each stop hands the grad of one node, its upstream, down to its operands:`),
    made_of("p", { class: "rule" }, "grad of the operand += upstream × local derivative"),
  ];
}

function coming() {
  const next = stops[direction][made];
  if (!next) {
    if (backward.length === 0) return "";
    return direction === "forward" ? `Done: ${brief(root.label)} has its data.` : "Done: every node has its grad.";
  }
  const why = made === 0 ? "" : direction === "forward" ? ": all its operands are done" : ": all its users are done";
  return `Next: ${brief(next.label)}${why}`;
}

// The same for those who listen.
function spoken() {
  if (made === 0) return `Start of the ${direction} pass. ${coming()}`;
  const node = stops[direction][made - 1];
  if (direction === "forward") return `Step ${made} of ${backward.length}. ${node.label} is ${short(node.data)}. ${coming()}`;
  const turn = turns[made - 1];
  const shares = turn.shares.map((share) => `${nodes[share.to].label} gets ${short(share.amount)}, its grad is now ${short(share.after)}.`);
  return `Step ${made} of ${backward.length}. ${node.label}, upstream ${short(turn.upstream)}. ${shares.join(" ")} ${coming()}`;
}

// ---- The picture ---------------------------------------------------------------------------------------------------

const picture = $("picture");
const svg = picture.querySelector("svg");
const groups = (kind) => new Map([...svg.querySelectorAll(`g.${kind}[data-key]`)].map((group) => [group.dataset.key, group]));
const boxes = groups("node");
const signs = groups("operation");
const wires = groups("edge");

// The number in a box: smaller where it would not fit.
function write(box, part, x, kind) {
  const place = box?.querySelector(`text.${part}`);
  if (!place) return;
  place.dataset.size ??= place.getAttribute("font-size");
  place.textContent = x === undefined ? "·" : short(x);
  if (x === undefined) delete place.dataset.full;
  else place.dataset.full = full(x);
  place.classList.remove("rising", "falling", "f-rising", "f-falling");
  place.classList.toggle("unknown", x === undefined);
  if (kind && x > 0) place.classList.add("rising");
  if (kind && x < 0) place.classList.add("falling");
  place.setAttribute("font-size", place.dataset.size);
  const room = Number(place.dataset.room ?? Infinity);
  const width = place.getComputedTextLength?.() ?? 0;
  if (width > room) place.setAttribute("font-size", (Number(place.dataset.size) * room) / width);
}

// How wide a number may become: to the edge of its box, or to its neighbour.
function measure() {
  for (const box of boxes.values()) {
    const frame = box.querySelector("rect")?.getBBox();
    if (!frame) continue;
    for (const place of box.querySelectorAll("text.data, text.grad")) {
      const own = place.getBBox();
      const anchor = place.getAttribute("text-anchor");
      const x = Number(place.getAttribute("x"));
      const others = [...box.querySelectorAll("text")].filter((other) => other !== place).map((other) => other.getBBox())
        .filter((other) => other.y < own.y + own.height / 2 && other.y + other.height > own.y + own.height / 2);
      const left = Math.max(frame.x, ...others.map((other) => other.x + other.width).filter((edge) => edge <= own.x + 1)) + 4;
      const right = Math.min(frame.x + frame.width, ...others.map((other) => other.x - 9).filter((edge) => edge >= own.x + own.width - 10)) - 4;
      place.dataset.room = anchor === "end" ? x - left : anchor === "middle" ? 2 * Math.min(x - left, right - x) : right - x;
    }
  }
}

// What is multiplied on a wire, written on it.
function badge(wire, words) {
  const path = wire.querySelector("path");
  if (!path?.getTotalLength) return;
  const middle = path.getPointAtLength(path.getTotalLength() / 2);
  const make = (tag, attributes) => {
    const element = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const group = make("g", { class: "badge", "aria-hidden": "true" });
  const label = make("text", { x: middle.x, y: middle.y + 4, "font-size": 12, "text-anchor": "middle" });
  label.textContent = words;
  group.append(label);
  svg.append(group);
  const width = label.getComputedTextLength() + 10;
  group.prepend(make("rect", { x: middle.x - width / 2, y: middle.y - 10, width, height: 19, rx: 9 }));
}

function paint() {
  const grads = direction === "backward" ? gradsAfter(made) : nodes.map(() => undefined);
  const reached = new Set(stops[direction].slice(0, made));
  const now = stops[direction][made - 1];
  const turn = direction === "backward" ? turns[made - 1] : undefined;
  for (const old of svg.querySelectorAll(".badge")) old.remove();
  nodes.forEach((node, at) => {
    const box = boxes.get(String(node.id));
    if (!box) return;
    const hidden = direction === "forward" && node.varies && node.operands.length > 0 && !reached.has(node);
    write(box, "data", hidden ? undefined : node.data);
    write(box, "grad", grads[at], true);
    const gets = turn ? turn.shares.some((share) => share.to === at) : false;
    const done = direction === "forward" ? !hidden : grads[at] !== undefined || !node.varies;
    box.classList.toggle("now", node === now);
    box.classList.toggle("gets", gets);
    box.classList.toggle("later", !done);
    signs.get(String(node.id))?.classList.toggle("now", node === now);
    const grad = grads[at] === undefined ? "" : `, grad ${short(grads[at])}`;
    box.setAttribute("aria-label", `${node.label}, ${node.kind}${hidden ? "" : `, data ${short(node.data)}`}${grad}`);
  });
  for (const [key, wire] of wires) {
    // From an operand to the operation that takes it, or from an operation to its value.
    const [from, to = from, position] = key.split("-");
    const on = now !== undefined && to === String(now.id) && (position === undefined || !turn || byId.get(from).varies);
    wire.classList.toggle("now", on);
    if (on && turn && position !== undefined) badge(wire, `× ${short(now.locals[Number(position)])}`);
  }
  return grads;
}

// A large picture is scrolled to where the pass is.
function follow() {
  const id = String((stops[direction][made - 1] ?? root).id);
  const box = signs.get(id) ?? boxes.get(id);
  if (!box || (picture.scrollWidth <= picture.clientWidth && picture.scrollHeight <= picture.clientHeight)) return;
  const [seen, frame] = [box.getBoundingClientRect(), picture.getBoundingClientRect()];
  const [across, down] = [seen.left + seen.width / 2 - frame.left - frame.width / 2, seen.top + seen.height / 2 - frame.top - frame.height / 2];
  if (Math.abs(across) > frame.width / 4 || Math.abs(down) > frame.height / 4) picture.scrollBy(across, down);
}

// ---- What is shown -------------------------------------------------------------------------------------------------

function show(tell = true) {
  const grads = paint();
  const inner = made === 0 ? beginning() : stop(made - 1, "h2");
  const rest = coming();
  $("step").replaceChildren(...inner, ...(rest ? [made_of("p", { class: "dim" }, rest)] : []));
  $("slider").max = backward.length;
  $("slider").value = made;
  $("slider").setAttribute("aria-valuetext", made === 0 ? "start" : `${made} of ${backward.length}: ${stops[direction][made - 1].label}`);
  $("place").textContent = made === 0 ? "start" : `${made} of ${backward.length}`;
  for (const way of ["backward", "forward"]) $(way).setAttribute("aria-pressed", way === direction);
  for (const id of ["first", "prev"]) $(id).disabled = made === 0;
  for (const id of ["next", "last"]) $(id).disabled = made === backward.length;
  leaves.forEach((leaf) => leaf.shown.replaceChildren(...(grads[nodes.indexOf(leaf)] === undefined ? ["·"] : [signed(grads[nodes.indexOf(leaf)])])));
  const changed = leaves.some((leaf) => !Object.is(leaf.data, leaf.recorded));
  $("reset").disabled = !changed && leaves.every((leaf) => leaf.field.getAttribute("aria-invalid") !== "true");
  const was = Object.is(root.data, root.recorded) ? [] : [made_of("span", { class: "was" }, " was ", number(root.recorded))];
  const late = direction === "forward" && made < backward.length;
  $("value").replaceChildren("= ", ...(late ? ["·"] : [number(root.data, "strong"), ...was]));
  if (tell) $("told").textContent = spoken();
  if (!$("tip").hidden) describe(pointed);
  follow();
}

function go(place, tell) {
  made = Math.max(0, Math.min(backward.length, place));
  if (made === backward.length) rest();
  show(tell);
}

function turnTo(way) {
  direction = way;
  rest();
  go(0);
}

function rest() {
  clearInterval(playing);
  playing = 0;
  $("play").textContent = "Play";
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return rest();
  if (made === backward.length) go(0);
  playing = setInterval(() => go(made + 1), 1400);
  $("play").textContent = "Pause";
  $("play").setAttribute("aria-pressed", "true");
}

// ---- Leaves --------------------------------------------------------------------------------------------------------

// A leaf below an operation that a script does not know cannot be edited: what it makes could not be computed.
function fixed() {
  const found = new Set();
  nodes.forEach((node, at) => {
    const known = node.operands.length === 0 || operations[node.operation].value;
    if (!known || found.has(at)) for (const to of node.operands) found.add(to);
  });
  return found;
}

function edit(leaf) {
  const x = read(leaf.field.value);
  leaf.field.setAttribute("aria-invalid", String(x === undefined));
  $("wrong").textContent = x === undefined ? `${leaf.label} keeps ${short(leaf.data)}: expected a number like 2.5, 1e-3, inf or nan` : "";
  if (x !== undefined) leaf.data = x;
  leaf.field.classList.toggle("changed", !Object.is(leaf.data, leaf.recorded));
  run();
  show(false);
}

function reset() {
  for (const leaf of leaves) {
    leaf.data = leaf.recorded;
    leaf.field.value = full(leaf.data);
    leaf.field.setAttribute("aria-invalid", "false");
    leaf.field.classList.remove("changed");
  }
  $("wrong").textContent = "";
  run();
  show();
}

function rows() {
  const still = fixed();
  for (const leaf of leaves) {
    const kind = leaf.kind === "frozen" ? [made_of("span", { class: "kind", title: ":step does not move it" }, "frozen")] : [];
    leaf.field = made_of("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", "data-id": leaf.id, "aria-label": `data of ${leaf.label}`, "aria-describedby": "how" });
    leaf.field.value = full(leaf.data);
    if (still.has(nodes.indexOf(leaf))) {
      leaf.field.readOnly = true;
      leaf.field.title = "It cannot be edited: an operation above it is only replayed here";
    }
    leaf.field.addEventListener("input", () => edit(leaf));
    leaf.field.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
      if (by === undefined || leaf.field.readOnly || !Number.isFinite(leaf.data)) return;
      event.preventDefault();
      leaf.field.value = full(Number((leaf.data + by * (event.shiftKey ? 10 : 1)).toPrecision(15)));
      edit(leaf);
    });
    leaf.shown = made_of("td", { class: "number" });
    $("rows").append(made_of("tr", {}, made_of("td", { title: leaf.label }, brief(leaf.label, 20), ...kind), made_of("td", {}, leaf.field), leaf.shown));
  }
  $("leaves").hidden = leaves.length === 0;
}

// ---- Pointing ------------------------------------------------------------------------------------------------------

let pointed;

function describe(node) {
  pointed = node;
  const at = nodes.indexOf(node);
  const late = direction === "forward" && node.varies && node.operands.length > 0 && !stops.forward.slice(0, made).includes(node);
  const grad = direction === "backward" ? gradsAfter(made)[at] : undefined;
  const lines = [made_of("b", {}, node.formula ? `${node.label} = ${node.formula}` : node.label)];
  const kind = node.operands.length > 0 ? operations[node.operation].name.replaceAll("_", " ") : node.kind;
  lines.push(made_of("div", { class: "dim" }, kind));
  lines.push(made_of("div", {}, `data ${late ? "·" : full(node.data)}`));
  if (node.varies && direction === "backward") lines.push(made_of("div", {}, `grad ${grad === undefined ? "·" : full(grad)}`));
  if (!late) {
    node.formulas.forEach((local, place) => {
      const operand = nodes[node.operands[place]];
      if (operand.varies) lines.push(made_of("div", {}, `by ${brief(operand.label)}: ${brief(local.formula)} = ${full(node.locals[place])}`));
    });
  }
  const tip = $("tip");
  tip.replaceChildren(...lines);
  tip.hidden = false;
  const box = boxes.get(String(node.id)).getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
  const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px`;
}

const conceal = () => { $("tip").hidden = true; };

function listen() {
  for (const title of svg.querySelectorAll("g > title")) title.remove();
  const inOrder = nodes.map((node) => boxes.get(String(node.id))).filter(Boolean);
  inOrder.forEach((box, at) => {
    const node = byId.get(box.dataset.key);
    // One stop of the Tab key for the whole picture; the arrows go on from there.
    box.setAttribute("tabindex", at === 0 ? "0" : "-1");
    box.setAttribute("role", "button");
    box.addEventListener("pointerenter", () => describe(node));
    box.addEventListener("pointerleave", conceal);
    box.addEventListener("focus", () => {
      for (const other of inOrder) other.setAttribute("tabindex", other === box ? "0" : "-1");
      if (box.matches(":focus-visible")) describe(node);
    });
    box.addEventListener("blur", conceal);
    const open = () => {
      const place = stops[direction].indexOf(node);
      if (place >= 0) go(place + 1);
      else if (node.field) node.field.select();
    };
    box.addEventListener("click", open);
    box.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step !== undefined) inOrder[at + step]?.focus();
      else if (event.key === "Enter") open();
      else return;
      event.preventDefault();
    });
  });
  picture.addEventListener("scroll", conceal);
}

const keys = {
  ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(backward.length), " ": play,
  b: () => turnTo("backward"), f: () => turnTo("forward"), r: reset, t: () => $("theme").click(), Escape: conceal,
};

addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
  const pressing = event.target instanceof HTMLButtonElement && event.key === " ";
  if (event.ctrlKey || event.altKey || event.metaKey || typing || pressing || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// ---- Colours, size, paper ------------------------------------------------------------------------------------------

const themes = ["auto", "light", "dark"];
let theme = "auto";

function recolour() {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  $("theme").textContent = `Colours: ${theme}`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// A small picture is drawn as large as there is room for, a large one at its size or as the reader likes it.
function size() {
  const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  const room = Math.min((picture.clientWidth - 16) / width, (innerHeight * 0.6 - 16) / height);
  const scale = room >= 1 ? Math.min(room, 2.4) : $("fit").getAttribute("aria-pressed") === "true" ? room : room > 0.78 ? room : 1;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  $("fit").hidden = room > 0.78;
}

function printed() {
  const many = backward.length > 200;
  const all = many ? [] : stops[direction].map((_, place) => made_of("div", { class: "stop" }, ...stop(place, "h3")));
  const place = made === 0 ? "at its start" : made === backward.length ? "at its end" : `after ${made} of ${backward.length} stops`;
  const head = `The ${direction} pass of ${brief(root.label)}; the picture shows it ${place}.`;
  $("whole").replaceChildren(...(backward.length > 0 ? [made_of("p", {}, head)] : []), ...all);
}

function start() {
  for (const node of nodes) {
    node.recorded = node.data;
    node.locals = node.formulas.map((local) => local.number);
  }
  $("root-name").textContent = root.label;
  $("root-formula").textContent = root.formula ? ` = ${brief(root.formula, 120)}` : "";
  const unknown = [...new Set(nodes.filter((node) => node.varies && node.operands.length > 0 && !operations[node.operation].value).map((node) => operations[node.operation].name))];
  $("missing").hidden = unknown.length === 0;
  $("missing").textContent = `${unknown.join(", ")}: not known to this page's script. The pass that was recorded is replayed there, and leaves below cannot be edited.`;
  $("fresh").hidden = !graph.note;
  $("fresh").textContent = graph.note;
  for (const way of ["backward", "forward"]) $(way).addEventListener("click", () => turnTo(way));
  const clicks = { first: () => go(0), prev: () => go(made - 1), next: () => go(made + 1), last: () => go(backward.length), play, reset, theme: recolour };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  $("slider").addEventListener("input", () => go(Number($("slider").value), false));
  $("fit").addEventListener("click", () => {
    $("fit").setAttribute("aria-pressed", $("fit").getAttribute("aria-pressed") !== "true");
    size();
  });
  addEventListener("resize", size);
  addEventListener("beforeprint", printed);
  addEventListener("scroll", conceal, { passive: true });
  rows();
  size();
  measure();
  listen();
  run();
  show(false);
}

start();
})();
