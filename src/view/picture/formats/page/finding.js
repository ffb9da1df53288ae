// Searching for a node by its name or by what it computes.

let matches = [];
let match = -1;

const plain = (words) => words.replace(/\s/g, "").toLowerCase();

// How well a node answers: its name, the beginning of it, a part of it or of its expression; undefined if not at all.
function answers(node, wanted) {
  const label = plain(node.label);
  const rank = [label === wanted, label.startsWith(wanted), label.includes(wanted), plain(node.formula).includes(wanted)].indexOf(true);
  return rank < 0 ? undefined : rank;
}

function mark(on) {
  drawn[matches[match]?.at]?.box?.group.classList.toggle("match", on);
}

function search() {
  mark(false);
  const wanted = plain($("find").value);
  const ranks = nodes.map((node) => (wanted && drawn[node.at].box ? answers(node, wanted) : undefined));
  matches = nodes.filter((node) => ranks[node.at] !== undefined).sort((one, other) => ranks[one.at] - ranks[other.at]);
  match = -1;
  $("found").textContent = !wanted ? "" : matches.length === 0 ? "not found" : `${matches.length} found`;
}

function find(by) {
  if (matches.length === 0) return;
  mark(false);
  match = match < 0 && by < 0 ? matches.length - 1 : (match + by + matches.length) % matches.length;
  centre(matches[match], 0.8);
  mark(true);
  $("found").textContent = `${match + 1} of ${matches.length}`;
  $("told").textContent = `${match + 1} of ${matches.length}: ${drawn[matches[match].at].box.group.getAttribute("aria-label")}`;
}

function findable() {
  $("find").addEventListener("input", search);
  $("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") find(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      $("find").value = "";
      search();
    } else return;
    event.preventDefault();
  });
}
