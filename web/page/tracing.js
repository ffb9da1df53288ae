// Finds the paths from a node of a graph to the root, and fades the rest of the graph.

/** A wire from an operand to its user, and the number of the piece that it shares with other wires. @typedef {{ from: string, to: string, part: number }} Edge */

/** The wires of a graph. @param {Element} picture @returns {Edge[]} */
const edgesOf = (picture) => [...picture.querySelectorAll(".edge[data-key*='-']")].map((edge) => {
  const [from, to] = (edge.getAttribute("data-key") ?? "").split("-");
  return { from, to, part: +(edge.getAttribute("data-part") ?? 0) };
});

/** The keys of a node and of all nodes on its paths to the root. @param {Edge[]} edges @param {string} key */
export const keysAbove = (edges, key) => {
  /** @type {Map<string, string[]>} */
  const users = new Map();
  for (const { from, to } of edges) users.set(from, [...(users.get(from) ?? []), to]);
  const above = new Set([key]);
  // The loop also visits the keys that it adds.
  for (const visited of above) for (const user of users.get(visited) ?? []) above.add(user);
  return above;
};

/** Fades all of a graph except the paths from a node to its root. @param {Element} picture @param {Element} node */
export const fadeOthers = (picture, node) => {
  const edges = edgesOf(picture);
  const above = keysAbove(edges, node.getAttribute("data-key") ?? "");
  const isOnPath = (/** @type {{ from: string, to: string }} */ { from, to }) => above.has(from) && above.has(to);
  // For each operand, the last piece that its wires share on these paths.
  /** @type {Map<string, number>} */
  const lastShared = new Map();
  for (const edge of edges.filter(isOnPath)) {
    lastShared.set(edge.from, Math.max(lastShared.get(edge.from) ?? 0, edge.part));
  }
  for (const piece of picture.querySelectorAll("[data-key]")) {
    // The key of a node has no second part.
    const [from, to = from] = (piece.getAttribute("data-key") ?? "").split("-");
    const number = +(piece.getAttribute("data-part") ?? 0);
    const isOn = piece.matches(".trunk") ? number <= (lastShared.get(from) ?? -1) : isOnPath({ from, to });
    piece.classList.toggle("off", !isOn);
  }
};

/** Shows the faded parts again. */
export const fadeNothing = () => document.querySelectorAll(".off").forEach((piece) => piece.classList.remove("off"));
