// The picture: its size, the numbers in its boxes, and the operation whose turn it is.

const MOST = 4;
// A picture that would have to be smaller than this to be seen whole is opened at its root.
const LEAST_FITTED = 0.33;

const picture = $("picture");
const svg = picture.querySelector("svg");

let scale = 1;
let fitted = true;
// The parts that are marked now.
let marked = [];
// Where the first NaN or infinity arose, if there is one.
let first;

// Finds the parts of the picture of each node: its box, the oval of its operation, and the wires that end there with their
// numbers. The page says by itself what a pointer is told.
function findParts() {
  for (const group of svg.querySelectorAll("g[data-key]:not(.trunk)")) {
    // From an operand to the operation that takes it, or from an operation to its value.
    const [from, to = from] = group.dataset.key.split("-");
    const it = nodes.get(to);
    if (group.matches(".number")) it.numbers.push(group);
    else if (group.matches(".edge")) it.wires.push({ group, from: nodes.get(from) });
    else if (group.matches(".operation")) it.oval = group;
    else {
      it.box = group;
      it.places = { data: group.querySelectorAll(".data"), grad: group.querySelectorAll(".grad") };
    }
    if (!group.matches(".number")) group.querySelector("title")?.remove();
  }
  svg.querySelector("title")?.remove();
  for (const node of nodes.values()) node.short = node.places.data[0]?.textContent;
  first = nodes.get(svg.querySelector(".node.first")?.dataset.key);
}

// A number in a box, or the dot of one that is not there yet; its colour says the sign of a grad.
function write(element, part, short = "·", full = "") {
  if (element.textContent === short && element.dataset.full === full) return;
  const x = Number(short);
  const sign = short === "·" ? "faint" : Number.isNaN(x) ? "not-finite" : part === "data" || x === 0 ? "words" : x > 0 ? "rising" : "falling";
  element.textContent = short;
  element.dataset.full = full;
  element.setAttribute("class", `${part} f-${sign}`);
}

function mark(group, kind) {
  if (!group) return;
  group.classList.add(kind);
  marked.push([group, kind]);
}

// The parts of a wire: the pieces of its value's trunk that it runs through, and itself.
function piecesOf({ group, from }) {
  const trunk = [...svg.querySelectorAll(`.trunk[data-key="${from.id}"]`)];
  return [...trunk.filter(({ dataset }) => +dataset.part <= group.dataset.part), group];
}

// Shows where the pass is: numbers, what is still to come, and the operation whose turn it is with its wires.
function paint() {
  const grads = gradsNow();
  for (const node of nodes.values()) {
    const late = hidden(node);
    const grad = grads.get(node.id) ?? [];
    for (const place of node.places.data) write(place, "data", ...(late ? [] : [node.short, node.data]));
    for (const place of node.places.grad) write(place, "grad", ...grad);
    if (node.cell) write(node.cell, "number", ...grad);
    const done = pass === "forward" ? !late : grad.length > 0 || node.kind === "constant";
    if (node.done !== done) node.box.classList.toggle("later", !done);
    if (node.late !== late) node.box.classList.toggle("hidden", late);
    Object.assign(node, { done, late });
  }
  for (const [group, kind] of marked) group.classList.remove(kind);
  marked = [];
  if (made === 0) return;
  const { box, oval, wires, numbers } = now();
  const on = wires.filter(({ from }) => pass === "forward" || from.kind !== "constant").flatMap(piecesOf);
  const written = pass === "backward" ? numbers : [];
  for (const part of [box, oval, ...on, ...written]) mark(part, "now");
  // Where wires run together, these are seen.
  for (const group of [...on, ...written]) group.parentNode.append(group);
  for (const [id] of stops[pass][made].grads ?? []) mark(nodes.get(String(id)).box, "gets");
}

// The scale at which the whole picture is seen.
function whole() {
  const { width, height } = svg.viewBox.baseVal;
  const style = getComputedStyle(picture);
  const padding = 2 * parseFloat(style.padding);
  return Math.min((picture.offsetWidth - padding) / width, (parseFloat(style.maxHeight) - padding) / height);
}

function draw(next) {
  const { width, height } = svg.viewBox.baseVal;
  scale = next;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
}

// A small picture grows a little, but not to letters as large as a heading's.
function fit() {
  fitted = true;
  draw(Math.min(whole(), 2));
}

// Larger or smaller; the middle of what is seen stays where it is.
function zoom(by) {
  const [across, down] = [picture.scrollLeft + picture.clientWidth / 2, picture.scrollTop + picture.clientHeight / 2];
  const before = scale;
  fitted = false;
  draw(Math.max(Math.min(whole(), 1), Math.min(MOST, scale * by)));
  picture.scrollTo(across * scale / before - picture.clientWidth / 2, down * scale / before - picture.clientHeight / 2);
}

// A large picture is scrolled to where the pass is.
function follow() {
  if (fitted) return;
  const { box } = now();
  const [frame, place] = [picture.getBoundingClientRect(), box.getBoundingClientRect()];
  if (place.left >= frame.left && place.right <= frame.right && place.top >= frame.top && place.bottom <= frame.bottom) return;
  picture.scrollBy(place.left + place.width / 2 - frame.left - frame.width / 2, place.top + place.height / 2 - frame.top - frame.height / 2);
}

function openPicture() {
  if (whole() >= LEAST_FITTED) return fit();
  fitted = false;
  draw(1);
}
