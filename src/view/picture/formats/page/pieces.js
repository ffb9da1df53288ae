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
  constructor(text, frame, layer, node) {
    const [x, y, width, height] = frame;
    Object.assign(this, { text, x, y, width, height, layer, node });
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
  [...nest.children].forEach((group, at) => { fresh[at].made = group; });
  for (const piece of fresh) if (piece === drawn[piece.node.at].box) settle(piece.node);
}

// The part of the picture that a path is in. It begins at one place and goes on in steps, each counted from the end of
// the last; a bend does not leave the corners between its ends.
function extent(path) {
  let [x, y] = [0, 0];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [step] of path.matchAll(/[Mlhvc][^Mlhvcz]*/g)) {
    const numbers = step.match(/-?[\d.]+/g);
    const last = Number(numbers.at(-1));
    if (step[0] === "M") [x, y] = numbers.map(Number);
    else if (step[0] === "h") x += last;
    else if (step[0] === "v") y += last;
    else [x, y] = [x + Number(numbers.at(-2)), y + last];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  return [left, top, right - left, bottom - top];
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
    const frame = is("edge") ? extent(/ d="([^"]*)"/.exec(inner)[1]) : FRAME.exec(inner).slice(1).map(Number);
    const piece = new Piece(head + inner, frame, is("edge") ? below : above, node);
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
  const near = (piece) => nodes.length < MANY
    || (piece.x + piece.width > x - width / 2 && piece.x < x + width * 1.5 && piece.y + piece.height > y - height / 2 && piece.y < y + height * 1.5);
  const shown = new Set(pieces.filter(near));
  hatch([...shown]);
  for (const piece of pieces) {
    if (!piece.made || shown.has(piece) === piece.made.isConnected) continue;
    if (shown.has(piece)) piece.layer.append(piece.made);
    else piece.made.remove();
  }
}
