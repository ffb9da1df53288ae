// The picture: its size, the numbers in its boxes, and the operation whose turn it is.

const MOST = 4;
// A picture that would have to be smaller than this to be seen whole is opened at its root.
const LEAST_FITTED = 0.33;
const BADGE = { height: 19, letters: 12, gap: 14 };
// The width of a letter at size 1.
const ADVANCE = 0.605;

const picture = $("picture");
const svg = picture.querySelector("svg");
const downwards = picture.dataset.flow === "down";

// What is drawn of each node: its box, the oval of its operation, and the wires that end there.
const drawn = nodes.map(() => ({ wires: [] }));

let scale = 1;
let fitted = true;
// The parts that are marked now, and what is written on the wires.
let marked = [];
let badges;

const drawing = (tag, attributes, ...inner) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// Finds the parts of the picture. The page says by itself what a pointer is told.
function adopt() {
  for (const title of svg.querySelectorAll("title")) title.remove();
  for (const group of svg.querySelectorAll("g[data-key]")) {
    // From an operand to the operation that takes it, or from an operation to its value.
    const [from, to = from, position] = group.dataset.key.split("-");
    const it = drawn[byId.get(to).at];
    if (group.matches(".edge")) it.wires.push({ group, from: byId.get(from), position });
    else if (group.matches(".operation")) it.oval = group;
    else Object.assign(it, { box: group }, places(group));
  }
}

// Where the numbers of a box stand, and how many letters each has room for: to the edge of the box, or to its neighbour.
function places(group) {
  const value = (element, name) => Number(element.getAttribute(name));
  const frame = group.querySelector("rect");
  const texts = [...group.querySelectorAll("text")].map((element) => ({ element, x: value(element, "x"), y: value(element, "y") }));
  const place = ({ element, x, y }) => {
    const beyond = texts.filter((other) => other.x > x && Math.abs(other.y - y) < 8).map((other) => other.x - 14);
    const size = value(element, "font-size");
    const end = Math.min(value(frame, "x") + value(frame, "width") - 5, ...beyond);
    return { element, size, room: (end - x) / (ADVANCE * size) };
  };
  const named = ["data", "grad"].map((part) => [part, texts.find(({ element }) => element.classList.contains(part))]);
  return Object.fromEntries(named.filter(([, text]) => text).map(([part, text]) => [part, place(text)]));
}

// With fewer digits where the usual ones would have to be too small to be read; the pointer is told all of them.
function fitting(x, room) {
  for (let digits = graph.digits; digits > 1; digits--) {
    const words = text(x, digits);
    if (words.length <= room) return words;
  }
  return text(x, 1);
}

// A number in a box: smaller where it would not fit. Only what differs from before is touched.
function write(place, x, kind) {
  if (!place || ("shown" in place && Object.is(place.shown, x))) return;
  const { element, size, room } = place;
  const words = x === undefined ? "·" : fitting(x, room / 0.6);
  place.shown = x;
  element.textContent = words;
  if (x === undefined) delete element.dataset.full;
  else element.dataset.full = full(x);
  const finite = x === undefined || Number.isFinite(x);
  element.classList.remove("f-rising", "f-falling", "f-not-finite");
  element.classList.toggle("unknown", x === undefined);
  element.classList.toggle("not-finite", !finite);
  element.classList.toggle("rising", kind === "grad" && finite && x > 0);
  element.classList.toggle("falling", kind === "grad" && finite && x < 0);
  element.setAttribute("font-size", size * Math.min(1, room / words.length));
}

function mark(group, kind) {
  if (!group) return;
  group.classList.add(kind);
  marked.push([group, kind]);
}

// Shows where the pass is: numbers, what is still to come, and the operation whose turn it is with its wires.
function paint() {
  const grads = direction === "backward" ? gradsAfter(made) : [];
  for (const node of nodes) {
    const it = drawn[node.at];
    const data = hidden(node) ? undefined : node.data;
    const grad = grads[node.at];
    write(it.data, data, "data");
    write(it.grad, grad, "grad");
    const done = direction === "forward" ? data !== undefined : grad !== undefined || !node.varies;
    if (it.done !== done) it.box?.classList.toggle("later", !done);
    it.done = done;
  }
  for (const [group, kind] of marked) group.classList.remove(kind);
  marked = [];
  badges?.remove();
  mark(drawn[begun()?.at]?.box, "first");
  const now = stops[direction][made - 1];
  if (!now) return grads;
  const turn = direction === "backward" ? turns[made - 1] : undefined;
  const { box, oval, wires } = drawn[now.at];
  const on = wires.filter(({ from, position }) => position === undefined || !turn || from.varies);
  for (const part of [box, oval, ...on.map(({ group }) => group)]) mark(part, "now");
  // Where wires run together, these are seen.
  for (const { group } of on) group.parentNode.append(group);
  for (const share of turn?.shares ?? []) mark(drawn[share.to].box, "gets");
  if (turn) label(now, on.filter(({ position }) => position !== undefined));
  return grads;
}

// Writes what is multiplied before the sign of the operation, beside one another, once for all wires from one box.
function label(node, wires) {
  const { oval } = drawn[node.at];
  badges = drawing("g", { class: "badges", "aria-hidden": "true" });
  svg.append(badges);
  if (!oval) return;
  const list = [...new Set(wires.map((wire) => wire.from))].map((from) => {
    const own = wires.filter((wire) => wire.from === from);
    const locals = own.map(({ position }) => node.locals[Number(position)]);
    const path = own[0].group.querySelector("path");
    const end = path.getPointAtLength(path.getTotalLength());
    const words = `× ${locals.map((local) => text(local, 3)).join(", ")}`;
    return { words, title: `× ${locals.map(full).join(", ")}`, end: downwards ? end.x : end.y, width: words.length * ADVANCE * BADGE.letters + 8 };
  });
  list.sort((one, other) => one.end - other.end);
  const apart = (downwards ? Math.max(...list.map(({ width }) => width)) : BADGE.height) + 2;
  const sign = oval.getBBox();
  const [middle, centre] = [sign.x + sign.width / 2, sign.y + sign.height / 2];
  list.forEach(({ words, title, width }, at) => {
    const shift = (at - (list.length - 1) / 2) * apart;
    const [x, y] = downwards ? [middle + shift, sign.y - BADGE.gap - BADGE.height / 2] : [sign.x - BADGE.gap - width / 2, centre + shift];
    badges.append(drawing("g", { class: "badge" },
      drawing("title", {}, title),
      drawing("rect", { x: x - width / 2, y: y - BADGE.height / 2, width, height: BADGE.height, rx: BADGE.height / 2 }),
      drawing("text", { x, y: y + 4.4, "font-size": BADGE.letters, "text-anchor": "middle" }, words)));
  });
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
  const { box } = drawn[(stops[direction][made - 1] ?? root).at];
  if (fitted || !box) return;
  const [frame, place] = [picture.getBoundingClientRect(), box.getBoundingClientRect()];
  if (place.left >= frame.left && place.right <= frame.right && place.top >= frame.top && place.bottom <= frame.bottom) return;
  picture.scrollBy(place.left + place.width / 2 - frame.left - frame.width / 2, place.top + place.height / 2 - frame.top - frame.height / 2);
}

function open() {
  if (whole() >= LEAST_FITTED) return fit();
  fitted = false;
  draw(1);
}
