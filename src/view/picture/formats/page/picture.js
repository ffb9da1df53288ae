// The picture while the passes are stepped through: numbers in boxes, what is done, what is on its way.

const picture = $("picture");

let downwards = picture.dataset.flow === "down";
// The parts of the operation whose turn it is, and its badges.
let current;
// What the boxes show now.
let worn;

function unmark() {
  for (const old of current?.parts ?? []) old.classList.remove("now");
  current?.badges.remove();
  current = undefined;
}

// The width of a letter at size 1: the font has one for all. To ask for the length of each text would take seconds.
let advance = 0.6;

// Puts the picture that suits the window into the page.
function adopt() {
  cut($(downwards && $("downwards") ? "downwards" : "drawing").textContent);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `100px ${svg.getAttribute("font-family")}`;
  advance = pen.measureText("0").width / 100 || advance;
  makeRoom();
  picture.textContent = "";
  picture.append(svg);
}

// Finds the texts of a box, and how wide a number may become: to the edge of the box, or to its neighbour.
function settle(node) {
  const it = drawn[node.at];
  const { group, x, width } = it.box;
  const value = (element, name) => Number(element.getAttribute(name));
  const texts = [...group.querySelectorAll("text")].map((element) => ({ element, x: value(element, "x"), y: value(element, "y") }));
  for (const own of texts) {
    const beyond = texts.filter((other) => other.x > own.x && Math.abs(other.y - own.y) < 8).map((other) => other.x - 14);
    const size = value(own.element, "font-size");
    const part = ["label", "data", "grad"].find((part) => own.element.classList.contains(part));
    if (part) it[part] = { element: own.element, size, room: (Math.min(x + width - 5, ...beyond) - own.x) / (advance * size) };
  }
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  if (worn) dress(node);
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
function spell(node, { box: { group }, label }) {
  const shown = group.textContent.replace(/\s+/g, " ").trim();
  const more = label && label.element.textContent !== node.label ? `, ${node.label}` : "";
  group.setAttribute("aria-label", `${shown}, ${node.kind}${more}`);
}

// What a box shows now. Only what differs from before is touched: most boxes of a large picture stay as they are.
function dress(node) {
  const it = drawn[node.at];
  const { grads, now, gets, first } = worn;
  const data = hidden(node) ? undefined : node.data;
  const grad = grads[node.at];
  const done = direction === "forward" ? data !== undefined : grad !== undefined || !node.varies;
  const marks = { now: node === now, gets: gets.has(node.at), first: node === first, later: !done };
  const fresh = !it.marks;
  let changed = fresh;
  for (const [kind, x] of [["data", data], ["grad", grad]]) {
    if (!fresh && Object.is(it[kind]?.shown, x)) continue;
    write(it[kind], x, kind === "grad");
    if (it[kind]) it[kind].shown = x;
    changed = true;
  }
  for (const [name, on] of Object.entries(marks)) {
    if (fresh || it.marks[name] !== on) it.box.group.classList.toggle(name, on);
  }
  it.marks = marks;
  if (changed) spell(node, it);
}

function paint() {
  const grads = direction === "backward" ? gradsAfter(made) : [];
  const now = stops[direction][made - 1];
  const turn = direction === "backward" ? turns[made - 1] : undefined;
  worn = { grads, now, gets: new Set(turn?.shares.map((share) => share.to)), first: begun() };
  for (const node of nodes) if (drawn[node.at].box?.made) dress(node);
  // The operation whose turn it is, its wires, and what flows on them.
  unmark();
  if (now) {
    const { oval, wires } = drawn[now.at];
    const on = wires.filter(({ from, position }) => position === undefined || !turn || from.varies);
    const all = [oval, ...on.map(({ piece }) => piece)].filter(Boolean);
    hatch(all);
    // Where wires run together, these are seen.
    for (const { piece } of on) if (piece.made.isConnected) piece.layer.append(piece.made);
    const parts = all.map((piece) => piece.group);
    for (const part of parts) part.classList.add("now");
    current = { parts, badges: badges(now, turn ? on.filter(({ position }) => position !== undefined) : []) };
  }
  return grads;
}
