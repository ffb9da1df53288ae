// The picture while the passes are stepped through: numbers in boxes, what is done, what is on its way.

const picture = $("picture");

// A picture stands in the page as text, and becomes elements here: a browser would lay out those of a large one before
// any script could say which of them are seen.
function hatched(id) {
  const holder = document.createElement("div");
  holder.innerHTML = $(id).textContent;
  return holder.querySelector("svg");
}

let svg = hatched("drawing");
// The same graph the other way.
let spare;
let downwards = picture.dataset.flow === "down";
// What is drawn of each node: its box and what stands in it, the oval and the wires of its operation.
let drawn = [];
// The parts of the operation whose turn it is, and its badges.
let current;

function unmark() {
  for (const old of current?.parts ?? []) old.classList.remove("now");
  current?.badges.remove();
  current = undefined;
}

// The width of a letter at size 1: the font has one for all. To ask for the length of each text would take seconds.
let advance = 0.6;

// Finds what is drawn, and how wide a number may become: to the edge of its box, or to its neighbour.
function adopt() {
  const value = (element, name) => Number(element.getAttribute(name));
  const frame = (group) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => value(group.querySelector("rect"), name));
    return { group, x, y, width, height };
  };
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `100px ${svg.getAttribute("font-family")}`;
  advance = pen.measureText("0").width / 100 || advance;
  drawn = nodes.map(() => ({ wires: [] }));
  for (const group of svg.querySelectorAll("g[data-key]")) {
    const key = group.dataset.key;
    if (group.matches(".operation")) drawn[byId.get(key).at].oval = frame(group);
    // From an operand to the operation that takes it, or from an operation to its value.
    const [from, to = from, position] = key.split("-");
    if (group.matches(".edge")) drawn[byId.get(to).at].wires.push({ group, path: group.querySelector("path"), from: byId.get(from), position });
    if (!group.matches(".node")) continue;
    const it = drawn[byId.get(key).at];
    const { x, y, width, height } = frame(group);
    Object.assign(it, { box: group, x, y, width, height });
    const texts = [...group.querySelectorAll("text")].map((element) => ({ element, x: value(element, "x"), y: value(element, "y") }));
    for (const own of texts) {
      const beyond = texts.filter((other) => other.x > own.x && Math.abs(other.y - own.y) < 8).map((other) => other.x - 14);
      const size = value(own.element, "font-size");
      const part = ["label", "data", "grad"].find((part) => own.element.classList.contains(part));
      if (part) it[part] = { element: own.element, size, room: (Math.min(x + width - 5, ...beyond) - own.x) / (advance * size) };
    }
  }
  makeRoom();
  outline();
  picture.textContent = "";
  picture.append(svg);
}

// With fewer digits where the usual ones would have to be too small to be read; the pointer is told all of them.
function fitting(x, room) {
  for (let digits = graph.digits; digits > 1; digits--) {
    const words = text(x, digits);
    if (words.length <= room) return words;
  }
  return text(x, 1);
}

// The number in a box: smaller where it would not fit.
function write(place, x, kind) {
  if (!place) return;
  const { element, size, room } = place;
  const words = x === undefined ? "·" : fitting(x, room / 0.6);
  element.textContent = words;
  if (x === undefined) delete element.dataset.full;
  else element.dataset.full = full(x);
  const finite = x === undefined || Number.isFinite(x);
  element.classList.remove("rising", "falling", "f-rising", "f-falling", "f-not-finite");
  element.classList.toggle("unknown", x === undefined);
  element.classList.toggle("not-finite", !finite);
  if (kind && finite && x > 0) element.classList.add("rising");
  if (kind && finite && x < 0) element.classList.add("falling");
  element.setAttribute("font-size", size * Math.min(1, room / words.length));
}

// What a screen reader says of a box begins with what stands in it.
function spell(node, { box, label }) {
  const shown = box.textContent.replace(/\s+/g, " ").trim();
  const more = label && label.element.textContent !== node.label ? `, ${node.label}` : "";
  box.setAttribute("aria-label", `${shown}, ${node.kind}${more}`);
}

// Only what differs from before is touched: most boxes of a large picture stay as they are.
function paint() {
  const grads = direction === "backward" ? gradsAfter(made) : [];
  const now = stops[direction][made - 1];
  const turn = direction === "backward" ? turns[made - 1] : undefined;
  const gets = new Set(turn?.shares.map((share) => share.to));
  const first = begun();
  nodes.forEach((node, at) => {
    const it = drawn[at];
    if (!it.box) return;
    const data = hidden(node) ? undefined : node.data;
    const done = direction === "forward" ? data !== undefined : grads[at] !== undefined || !node.varies;
    const marks = { now: node === now, gets: gets.has(at), first: node === first, later: !done };
    const fresh = !it.marks;
    let changed = fresh;
    for (const [kind, x] of [["data", data], ["grad", grads[at]]]) {
      if (!fresh && Object.is(it[kind]?.shown, x)) continue;
      write(it[kind], x, kind === "grad");
      if (it[kind]) it[kind].shown = x;
      changed = true;
    }
    for (const [name, on] of Object.entries(marks)) {
      if (fresh || it.marks[name] !== on) it.box.classList.toggle(name, on);
    }
    it.marks = marks;
    if (changed) spell(node, it);
  });
  // The operation whose turn it is, its wires, and what flows on them.
  unmark();
  if (now) {
    const { oval, wires } = drawn[now.at];
    const on = wires.filter(({ from, position }) => position === undefined || !turn || from.varies);
    const parts = [oval?.group, ...on.map(({ group }) => group)].filter(Boolean);
    for (const part of parts) part.classList.add("now");
    current = { parts, badges: badges(now, turn ? on.filter(({ position }) => position !== undefined) : []) };
  }
  return grads;
}
