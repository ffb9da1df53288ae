// The graph and its passes. It is given `graph` (nodes newest first, so that users come before operands) and
// `operations` (what the rows of the program's table say; a value of null where a row has no spelling for scripts).
// What stands in the file are the program's own numbers: a node is computed only when what it is made of has changed.

const $ = (id) => document.getElementById(id);
const nodes = graph.nodes;
const byId = new Map(nodes.map((node) => [String(node.id), node]));
const root = nodes[0];
const backward = nodes.filter((node) => node.varies && node.operands.length > 0);
const stops = { backward, forward: [...backward].reverse() };
const leaves = nodes.filter((node) => node.kind === "leaf" || node.kind === "frozen").reverse();
// The place of a node among all, and its turn in the backward pass.
nodes.forEach((node, at) => { node.at = at; });
backward.forEach((node, turn) => { node.turn = turn; });

let direction = graph.forward ? "forward" : "backward";
let made = Math.min(graph.made, backward.length);
let playing = 0;

let turns = [];
// Where a NaN or an infinity begins: in a leaf, or in an operation whose operands do not explain it.
let broken = [];

// Upstream times local: an exact zero absorbs, and what is not a number passes on no plausible one.
function passed(upstream, local, node) {
  if (upstream === 0 || local === 0) return 0;
  const product = upstream * local;
  const broken = () => node.operands.some((at) => Number.isNaN(nodes[at].data));
  return Number.isNaN(node.data) && (Number.isFinite(product) || broken()) ? NaN : product;
}

// Whether a forward pass has not come to a node yet.
const hidden = (node) => direction === "forward" && node.turn !== undefined && backward.length - node.turn > made;

function explained(node) {
  const operands = node.operands.map((at) => nodes[at].data);
  if (operands.length === 0) return node.kind === "constant";
  return Number.isNaN(node.data) ? operands.some(Number.isNaN) : !operands.every(Number.isFinite);
}

// The first of them that is seen.
const begun = () => broken.findLast((node) => !hidden(node));

// Forward: operands before users. A node whose operands are as they were has the number it came with.
function run() {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (node.operands.length === 0) continue;
    const same = node.operands.every((at) => Object.is(nodes[at].data, nodes[at].recorded));
    const operation = operations[node.operation];
    if (same || !operation.value) {
      node.data = node.recorded;
      node.locals = node.formulas.map((local) => local.number);
    } else {
      const a = node.operands.map((at) => nodes[at].data);
      node.data = operation.value(a);
      node.locals = operation.locals(a, node.data);
    }
  }
  broken = nodes.filter((node) => !Number.isFinite(node.data) && !explained(node));
  // Backward: users before operands, each contribution put down as it is made.
  const grads = nodes.map(() => 0);
  const counts = nodes.map(() => 0);
  grads[0] = 1;
  turns = stops.backward.map((node) => {
    const upstream = grads[node.at];
    const shares = [];
    node.operands.forEach((to, at) => {
      if (!nodes[to].varies) return;
      const amount = passed(upstream, node.locals[at], node);
      const before = grads[to];
      grads[to] += amount;
      counts[to] += 1;
      shares.push({ to, at, local: node.locals[at], amount, before, after: grads[to], nth: counts[to] });
    });
    return { node, upstream, shares };
  });
}

// What every node's grad is after so many stops; undefined where nothing has come yet.
function gradsAfter(count) {
  const grads = nodes.map(() => undefined);
  if (root.varies) grads[0] = 1;
  for (const turn of turns.slice(0, count)) for (const share of turn.shares) grads[share.to] = share.after;
  return grads;
}
