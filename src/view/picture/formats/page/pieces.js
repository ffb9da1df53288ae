// The pieces of the picture: boxes, ovals and wires. They stand in the page as text, and each becomes an element when it
// is first seen: a browser takes seconds over all of a large picture.

const MANY = 500;
const GROUP = /(<g class="([^"]*)" data-key="([^"]*)">)(?:<title>.*?<\/title>)?(.*?<\/g>)/gs;
const FRAME = /<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/;

let svg;
let pieces = [];
// What is drawn of each node: its box, the oval of its operation, and the wires that end there.
let drawn = [];

class Piece {
  constructor(text, corners, layer, node) {
    const [across, down] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const [x, y] = [Math.min(...across), Math.min(...down)];
    Object.assign(this, { text, corners, x, y, width: Math.max(...across) - x, height: Math.max(...down) - y, layer, node });
  }
  // Whether it runs through a part of the picture: one of the pieces between its corners does.
  meets({ left, top, right, bottom }) {
    const beside = this.x > right || this.x + this.width < left || this.y > bottom || this.y + this.height < top;
    return !beside && this.corners.some((to, at) => {
      const from = this.corners[at - 1] ?? to;
      return Math.min(from.x, to.x) <= right && Math.max(from.x, to.x) >= left && Math.min(from.y, to.y) <= bottom && Math.max(from.y, to.y) >= top;
    });
  }
  get group() {
    hatch([this]);
    return this.made;
  }
  get path() {
    return this.group.querySelector("path");
  }
}

// Makes elements of pieces.
function hatch(list) {
  const fresh = list.filter((piece) => !piece.made);
  if (fresh.length === 0) return;
  const nest = drawing("g", {});
  nest.innerHTML = fresh.map((piece) => piece.text).join("");
  nest.querySelectorAll("g").forEach((group, at) => { fresh[at].made = group; });
  for (const piece of fresh) if (piece === drawn[piece.node.at].box) settle(piece.node);
}

// The corners of a path. It begins at one place and goes on in steps, each counted from the end of the last; a bend does
// not leave the part of the picture that is between its ends.
function corners(path) {
  let [x, y] = [0, 0];
  return Array.from(path.matchAll(/[Mlhvc][^Mlhvcz]*/g), ([step]) => {
    const numbers = step.match(/-?[\d.]+/g).map(Number);
    if (step[0] === "M") [x, y] = numbers;
    else if (step[0] === "h") x += numbers[0];
    else if (step[0] === "v") y += numbers[0];
    else [x, y] = [x + numbers.at(-2), y + numbers.at(-1)];
    return { x, y };
  });
}

// Those of a box.
function frame(text) {
  const [x, y, width, height] = FRAME.exec(text).slice(1).map(Number);
  return [{ x, y }, { x: x + width, y: y + height }];
}

// Cuts a picture into its pieces; what is left of it is an element at once. Wires lie below all others.
function cut(text) {
  const [below, above] = [drawing("g", {}), drawing("g", {})];
  pieces = [];
  drawn = nodes.map(() => ({ wires: [] }));
  const rest = text.replace(GROUP, (_, head, kind, key, inner) => {
    // From an operand to the operation that takes it, or from an operation to its value.
    const [from, to = from, position] = key.split("-");
    const node = byId.get(to);
    const is = (word) => kind.split(" ").includes(word);
    const ends = is("edge") ? corners(/ d="([^"]*)"/.exec(inner)[1]) : frame(inner);
    const piece = new Piece(head + inner, ends, is("edge") ? below : above, node);
    const it = drawn[node.at];
    if (is("edge")) it.wires.push({ piece, from: byId.get(from), position });
    else if (is("operation")) it.oval = piece;
    else it.box = piece;
    pieces.push(piece);
    return "";
  });
  const holder = document.createElement("div");
  holder.innerHTML = rest;
  svg = holder.querySelector("svg");
  svg.append(below, above);
}

// Of a picture of many nodes only what is seen, and a little around it, stands in the page.
function cull({ x, y, width, height } = seen()) {
  const part = { left: x - width / 2, top: y - height / 2, right: x + width * 1.5, bottom: y + height * 1.5 };
  const shown = new Set(pieces.filter((piece) => nodes.length < MANY || piece.meets(part)));
  hatch([...shown]);
  for (const piece of pieces) {
    if (!piece.made || shown.has(piece) === piece.made.isConnected) continue;
    if (shown.has(piece)) piece.layer.append(piece.made);
    else piece.made.remove();
  }
}
