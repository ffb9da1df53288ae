// The graph and the recorded stops of its passes, and which of them has been made. Nothing is computed.

const $ = (id) => document.getElementById(id);
const nodes = new Map(graph.nodes.map((node) => [String(node.id), { ...node, numbers: [], wires: [] }]));
const root = nodes.get(String(graph.nodes[0].id));
// Of each pass, what is shown before its first stop, and then its stops.
const stops = { backward: graph.backward, forward: graph.forward };
const count = stops.backward.length - 1;
// The place of a node in each pass; 0 where it has no stop.
for (const way of ["backward", "forward"]) {
  for (const node of nodes.values()) node[way] = 0;
  stops[way].forEach((stop, place) => { if (place > 0) nodes.get(String(stop.node))[way] = place; });
}

let pass = graph.pass;
let made = graph.made;
let playing = 0;

// The node of the last stop that was made; before the first, the root.
const now = () => nodes.get(String(stops[pass][made].node)) ?? root;

// Whether a forward pass has not come to a node yet.
const hidden = (node) => pass === "forward" && node.forward > made;

// The grads that the stops so far have left, each short and in full; that of the root is there from the start.
function gradsNow() {
  const grads = new Map();
  if (pass === "forward") return grads;
  for (const stop of stops.backward.slice(0, made + 1)) for (const [id, short, full = short] of stop.grads ?? []) grads.set(id, [short, full]);
  return grads;
}
