// What is said of a stop: formulas, numbers and the sum, as the program's `:walk` says them. Nothing is computed.

const made_of = (tag, attributes, ...inner) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// All that is in an element, anew.
function fill(element, ...parts) {
  element.textContent = "";
  element.append(...parts);
}

// A number as an element: short to the eye, in full to the pointer.
// Where another number stands beside it, the two are told apart.
function number(x, kind = "", other = x) {
  const words = apart(x, other, graph.digits);
  const marked = Number.isFinite(x) ? kind : `${kind} not-finite`;
  return made_of("span", { class: `figure ${marked}`, title: full(x) === words ? undefined : full(x), "data-full": full(x) }, words);
}
const signed = (x, other = x) => number(x, !Number.isFinite(x) ? "" : x > 0 ? "rising" : x < 0 ? "falling" : "", other);
const factor = (x) => (x < 0 || Object.is(x, -0) ? ["(", number(x), ")"] : [number(x)]);

// A label for a line: its middle left out if it is long.
function brief(label, room = innerWidth < 576 ? 26 : 48) {
  const letters = [...label];
  if (letters.length <= room) return label;
  return `${letters.slice(0, room / 2).join("")}…${letters.slice(-(room / 2 - 1)).join("")}`;
}

// An expression may end a line between its words, but never inside one.
const unbroken = (words) => words.split(" ").flatMap((word, at) => [...(at > 0 ? [" "] : []), made_of("span", { class: "token" }, word)]);

// The letters of a label in a cell of a table.
const CELL = 26;

// `b = -3`; a 1 that says so by itself stands alone.
const derivative = (formula, x) => (formula === short(x) ? [number(x)] : [...unbroken(brief(formula, CELL)), " = ", number(x)]);

const named = (label, room) => made_of("span", { class: "name", title: brief(label, room) === label ? undefined : label }, ...unbroken(brief(label, room)));
const again = (nth) => (nth < 2 ? "" : nth === 2 ? "second contribution" : nth === 3 ? "third contribution" : `contribution ${nth}`);

// `a*b + c = 4`, or `L = (a*b + c)*f = -8` where it has a name.
const said = (node) => (node.formula ? [named(node.label), " = ", ...unbroken(brief(node.formula)), " = "] : [named(node.label), " = "]);

function table(heads, rows) {
  const head = made_of("tr", {}, ...heads.map((head) => made_of("th", { scope: "col" }, head)));
  const body = rows.map((row) => made_of("tr", {}, ...row.map((cell, at) => made_of("td", { "data-head": heads[at] }, made_of("span", {}, ...cell)))));
  return made_of("table", { class: "shares" }, made_of("thead", {}, head), made_of("tbody", {}, ...body));
}

// One stop, as the program's own walk shows it.
function stop(place, level) {
  const node = stops[direction][place];
  if (direction === "forward") {
    const rows = node.operands.map((at) => [[named(nodes[at].label, CELL)], [number(nodes[at].data)]]);
    return [made_of(level, {}, ...said(node), number(node.data, "strong")), table(["operand", "data"], rows)];
  }
  const turn = turns[place];
  const rows = turn.shares.map((share) => [
    [named(nodes[share.to].label, CELL)],
    derivative(node.formulas[share.at].formula, share.local),
    [number(turn.upstream), " × ", ...factor(share.local), " = ", signed(share.amount)],
    [number(share.before, "", share.after), " → ", made_of("span", { class: "strong" }, signed(share.after, share.before)), ...(share.nth > 1 ? [made_of("span", { class: "nth" }, again(share.nth))] : [])],
  ]);
  return [
    made_of(level, {}, ...said(node), number(node.data)),
    made_of("p", { class: "upstream" }, made_of("span", { class: "dim" }, "upstream "), ...unbroken(brief(node.fraction)), " = ", signed(turn.upstream)),
    table(["operand", "local", "upstream × local", "grad"], rows),
  ];
}

function beginning() {
  const count = backward.length === 1 ? "1 stop" : `${backward.length} stops`;
  if (backward.length === 0) return [made_of("h2", {}, ...said(root), number(root.data)), made_of("p", {}, "There is no operation here to step through.")];
  const head = made_of("h2", {}, `The ${direction} pass of `, ...unbroken(brief(root.label)), `: ${count}`);
  if (direction === "forward") return [head, made_of("p", {}, "The leaves have their data. Each stop computes one node from its operands.")];
  return [
    head,
    made_of("p", {}, ...unbroken(brief(root.fraction)), " = ", number(1), ", every other grad is ", number(0), ". Each stop hands the grad of one node, its upstream, down to its operands:"),
    made_of("p", { class: "rule" }, "grad of the operand += upstream × local derivative"),
  ];
}

function coming() {
  const next = stops[direction][made];
  if (!next) {
    if (backward.length === 0) return [];
    return direction === "forward" ? ["Done: ", named(root.label), " has its data."] : ["Done: every node has its grad."];
  }
  const why = made === 0 ? "" : direction === "forward" ? ": all its operands are done" : ": all its users are done";
  return ["Next: ", named(next.label), why];
}
