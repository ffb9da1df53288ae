// The picture while the passes are stepped through: numbers in boxes, what is done, what is on its way.

const picture = $("picture");
const svg = picture.querySelector("svg");
const groups = (kind) => new Map([...svg.querySelectorAll(`g.${kind}[data-key]`)].map((group) => [group.dataset.key, group]));
const boxes = groups("node");
const signs = groups("operation");
const wires = groups("edge");

// With fewer digits where the usual ones would have to be too small to be read; the pointer is told all of them.
function fitting(x, room) {
  for (let digits = graph.digits; digits > 1; digits--) {
    const words = text(x, digits);
    if (words.length <= room) return words;
  }
  return text(x, 1);
}

// The number in a box: smaller where it would not fit.
function write(box, part, x, kind) {
  const place = box?.querySelector(`text.${part}`);
  if (!place) return;
  const room = Number(place.dataset.room) / (advance * Number(place.dataset.size));
  const words = x === undefined ? "·" : fitting(x, room / 0.6);
  // Most boxes of a large picture stay as they are.
  if (place.textContent === words && place.dataset.full === (x === undefined ? undefined : full(x))) return;
  place.textContent = words;
  if (x === undefined) delete place.dataset.full;
  else place.dataset.full = full(x);
  const finite = x === undefined || Number.isFinite(x);
  place.classList.remove("rising", "falling", "f-rising", "f-falling", "f-not-finite");
  place.classList.toggle("unknown", x === undefined);
  place.classList.toggle("not-finite", !finite);
  if (kind && finite && x > 0) place.classList.add("rising");
  if (kind && finite && x < 0) place.classList.add("falling");
  place.setAttribute("font-size", Number(place.dataset.size) * Math.min(1, room / words.length));
}

// The width of a letter at size 1: the font has one for all. To ask for the length of each text would take seconds.
let advance = 0.6;

// How wide a number may become: to the edge of its box, or to its neighbour.
function measure() {
  const sample = svg.querySelector("text");
  if (sample?.textContent) advance = sample.getComputedTextLength() / sample.textContent.length / Number(sample.getAttribute("font-size"));
  const value = (element, name) => Number(element.getAttribute(name));
  for (const box of boxes.values()) {
    const frame = box.querySelector("rect");
    const texts = [...box.querySelectorAll("text")].map((element) => ({ element, x: value(element, "x"), y: value(element, "y") }));
    for (const own of texts.filter(({ element }) => element.matches(".data, .grad"))) {
      const beyond = texts.filter((other) => other.x > own.x && Math.abs(other.y - own.y) < 8).map((other) => other.x - 14);
      own.element.dataset.size = value(own.element, "font-size");
      own.element.dataset.room = Math.min(value(frame, "x") + value(frame, "width") - 5, ...beyond) - own.x;
    }
  }
}

// What is multiplied on a wire, written on it: in three digits, so that some of the wire is left to see.
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
  const hides = hiding();
  const now = stops[direction][made - 1];
  const turn = direction === "backward" ? turns[made - 1] : undefined;
  const first = begun();
  for (const old of svg.querySelectorAll(".badge")) old.remove();
  nodes.forEach((node, at) => {
    const box = boxes.get(String(node.id));
    if (!box) return;
    const hidden = hides(node);
    write(box, "data", hidden ? undefined : node.data);
    write(box, "grad", grads[at], true);
    const gets = turn ? turn.shares.some((share) => share.to === at) : false;
    const done = direction === "forward" ? !hidden : grads[at] !== undefined || !node.varies;
    box.classList.toggle("now", node === now);
    box.classList.toggle("gets", gets);
    box.classList.toggle("first", node === first);
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
    if (on && turn && position !== undefined) badge(wire, `× ${text(now.locals[Number(position)], 3)}`);
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
