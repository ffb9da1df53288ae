// What is multiplied on the wires of an operation, written on them before they come to it.

const HIGH = 19;
const LETTERS = 12;

// A number in at most six characters beside its sign.
function terse(x) {
  const usual = [3, 2, 1].map((digits) => text(x, digits));
  const powers = [1, 0].map((digits) => x.toExponential(digits).replace("+", "").replace(".0e", "e"));
  return [...usual, ...powers].find((words) => words.replace(/^-/, "").length <= 6);
}

const drawing = (tag, attributes, ...inner) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// A picture of one long sum is higher than its boxes: its badges need the room.
function makeRoom() {
  const all = svg.viewBox.baseVal;
  let [least, most] = downwards ? [all.x, all.x + all.width] : [all.y, all.y + all.height];
  for (const { oval, wires } of drawn) {
    if (!oval) continue;
    const middle = downwards ? oval.x + oval.width / 2 : oval.y + oval.height / 2;
    const size = downwards ? advance * LETTERS * 9 + 10 : HIGH + 2;
    const half = (wires.filter(({ from, position }) => position !== undefined && from.varies).length * size) / 2 + 4;
    least = Math.min(least, middle - half);
    most = Math.max(most, middle + half);
  }
  if (downwards) Object.assign(all, { x: least, width: most - least });
  else Object.assign(all, { y: least, height: most - least });
}

// Where a wire is when it has come so far across the ranks.
function reached(path, far) {
  let [low, high] = [0, path.getTotalLength()];
  for (let turn = 0; turn < 12; turn++) {
    const middle = (low + high) / 2;
    const point = path.getPointAtLength(middle);
    if ((downwards ? point.y : point.x) < far) low = middle;
    else high = middle;
  }
  const point = path.getPointAtLength(low);
  return downwards ? point.x : point.y;
}

// Those that would lie over each other are moved apart, as little as it takes; their order stays.
function apartFrom(badges, [least, most]) {
  const heaps = [];
  for (const badge of badges) {
    const middle = Math.max(least + badge.size / 2, Math.min(most - badge.size / 2, badge.wanted));
    heaps.push({ badges: [badge], size: badge.size, middle });
    while (heaps.length > 1) {
      const [one, other] = heaps.slice(-2);
      if (one.middle + one.size / 2 <= other.middle - other.size / 2) break;
      const [many, more] = [one.badges.length, other.badges.length];
      const half = (one.size + other.size) / 2;
      const middle = Math.max(least + half, Math.min(most - half, (one.middle * many + other.middle * more) / (many + more)));
      heaps.splice(-2, 2, { badges: [...one.badges, ...other.badges], size: one.size + other.size, middle });
    }
  }
  for (const { badges, size, middle } of heaps) {
    let begin = middle - size / 2;
    for (const badge of badges) {
      badge.at = begin + badge.size / 2;
      begin += badge.size;
    }
  }
}

// Before an operation is room in which only its own wires run: there the badges are.
function badges(node, wires) {
  const all = drawing("g", { class: "badges", "aria-hidden": "true" });
  const { oval } = drawn[node.at];
  if (!oval || wires.length === 0) return all;
  const words = wires.map(({ position }) => `× ${terse(node.locals[Number(position)])}`);
  const widths = words.map((words) => words.length * advance * LETTERS + 8);
  // The heads of the arrows stay uncovered.
  const middle = (downwards ? oval.y : oval.x) - 9 - (downwards ? HIGH : Math.max(...widths)) / 2;
  const list = wires.map(({ piece, position }, at) => {
    const wanted = reached(piece.path, middle);
    return { words: words[at], width: widths[at], wanted, position: Number(position), size: (downwards ? widths[at] : HIGH) + 2 };
  });
  list.sort((one, other) => one.wanted - other.wanted || one.position - other.position);
  const { x: left, y: top, width: wide, height: high } = svg.viewBox.baseVal;
  apartFrom(list, downwards ? [left, left + wide] : [top, top + high]);
  for (const { words, width, position, at } of list) {
    const [x, y] = downwards ? [at, middle] : [middle, at];
    all.append(drawing("g", { class: "badge" },
      drawing("title", {}, `× ${full(node.locals[position])}`),
      drawing("rect", { x: x - width / 2, y: y - HIGH / 2, width, height: HIGH, rx: HIGH / 2 }),
      drawing("text", { x, y: y + 4.4, "font-size": LETTERS, "text-anchor": "middle" }, words)));
  }
  svg.append(all);
  return all;
}
