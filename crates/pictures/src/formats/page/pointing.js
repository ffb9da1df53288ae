// The tip: a box that describes the node under the pointer, in full. A click on a node goes to its step. The nodes and
// the state of the pass come from `stops.js`; `go` is in `controls.js`, which updates the tip when the pass moves.

// The least space between the tip and the edges of the window, and the gap between a node and its tip, in pixels.
const WINDOW_EDGE = 8;
const NODE_GAP = 10;

// The node that the tip describes, or described before it was hidden.
let describedNode;

function describe(node) {
  describedNode = node;
  const [title, ...details] = tipTexts(node);
  const tip = $("tip");
  tip.replaceChildren(made_of("b", {}, title), ...details.map((text) => made_of("div", {}, text)));
  // A hidden element has no size, so the tip is shown before it gets its place.
  tip.hidden = false;
  placeTip(tip, node.box.getBoundingClientRect());
}

// The lines of the tip: name and formula, kind, data, grad, and the numbers on the wires that end at the node.
function tipTexts(node) {
  const isHidden = hidden(node);
  const title = node.formula ? `${node.label} = ${node.formula}` : node.label;
  const kind = (node.operation ?? node.kind).replaceAll("_", " ");
  const texts = [title, kind, `data ${isHidden ? "·" : node.data}`];
  if (pass === "backward" && node.kind !== "constant") {
    const [, fullGrad = "·"] = gradsNow().get(node.id) ?? [];
    texts.push(`grad ${fullGrad}`);
  }
  if (!isHidden) texts.push(...node.numbers.map((number) => number.querySelector("title").textContent));
  return texts;
}

// Below the box of the node, or above it if the window ends there.
function placeTip(tip, box) {
  const mostLeft = innerWidth - tip.offsetWidth - WINDOW_EDGE;
  const topBelow = box.bottom + NODE_GAP;
  const fitsBelow = topBelow + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(WINDOW_EDGE, Math.min(box.left, mostLeft))}px`;
  // At its new place the tip may have other lines, so its height is read again.
  const topAbove = Math.max(WINDOW_EDGE, box.top - tip.offsetHeight - NODE_GAP);
  tip.style.top = `${fitsBelow ? topBelow : topAbove}px`;
}

function hideTip() {
  $("tip").hidden = true;
}

function listenToPointer() {
  // The node of an event in the picture, if there is one there.
  const pointedAt = (event) => nodes.get(event.target.closest?.("#picture .node")?.dataset.key);
  picture.addEventListener("pointerover", (event) => {
    const node = pointedAt(event);
    if (node) describe(node);
    else hideTip();
  });
  picture.addEventListener("pointerleave", hideTip);
  picture.addEventListener("click", (event) => {
    // A node without a stop in this pass has the place 0.
    const place = pointedAt(event)?.[pass];
    if (place) go(place);
  });
  picture.addEventListener("scroll", hideTip, { passive: true });
}
