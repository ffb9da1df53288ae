// Where the pass is, and all that moves it: buttons, slider, keys, address. Here the page starts.

function show() {
  const grads = paint();
  const inner = made === 0 ? beginning() : stop(made - 1, "h2");
  const rest = coming();
  fill($("step"), ...inner, ...(rest.length > 0 ? [made_of("p", { class: "dim" }, ...rest)] : []));
  $("slider").max = backward.length;
  $("slider").value = made;
  $("slider").setAttribute("aria-valuetext", made === 0 ? "start" : `${made} of ${backward.length}: ${stops[direction][made - 1].label}`);
  $("place").textContent = made === 0 ? "start" : `${made} of ${backward.length}`;
  for (const way of ["backward", "forward"]) $(way).setAttribute("aria-pressed", way === direction);
  for (const id of ["first", "prev"]) $(id).disabled = made === 0;
  for (const id of ["next", "last"]) $(id).disabled = made === backward.length;
  for (const leaf of leaves) {
    const grad = grads[leaf.at];
    if (leaf.written && Object.is(leaf.grad, grad)) continue;
    fill(leaf.shown, ...(grad === undefined ? ["·"] : [signed(grad)]));
    Object.assign(leaf, { written: true, grad });
  }
  const changed = leaves.some((leaf) => !Object.is(leaf.data, leaf.recorded));
  $("reset").disabled = !changed && leaves.every((leaf) => !leaf.wrong);
  const was = Object.is(root.data, root.recorded) ? [] : [made_of("span", { class: "was" }, " was ", number(root.recorded, "", root.data))];
  const late = direction === "forward" && made < backward.length;
  fill($("value"), "= ", ...(late ? ["·"] : [number(root.data, "strong", root.recorded), ...was]));
  const first = begun();
  $("begun").hidden = first === undefined;
  fill($("begun"), ...(first === undefined ? [] : [`first ${full(first.data)}: `, ...unbroken(brief(first.label))]));
  if (!$("tip").hidden) describe(pointed);
  follow();
}

function go(place) {
  made = Math.max(0, Math.min(backward.length, place));
  if (made === backward.length) rest();
  show();
  address();
}

function turnTo(way) {
  direction = way;
  rest();
  go(0);
}

function rest() {
  clearInterval(playing);
  playing = 0;
  $("play").textContent = "Play";
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return rest();
  if (made === backward.length) go(0);
  playing = setInterval(() => go(made + 1), Number($("speed").value));
  $("play").textContent = "Pause";
  $("play").setAttribute("aria-pressed", "true");
}

const keys = {
  ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(backward.length), " ": play,
  b: () => turnTo("backward"), f: () => turnTo("forward"), r: reset, Escape: conceal,
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.matches?.("input[type=text], select") || !keys[event.key]) return;
  if (event.target instanceof HTMLButtonElement && event.key === " ") return;
  event.preventDefault();
  keys[event.key]();
});

// The address of the page names the step, so that a link can: `#step=3`, and `#step=3&pass=forward` where it is not the
// pass that the page begins with.

const own = direction;
let naming = 0;

function arrive() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = Number(asked.get("step") ?? NaN);
  if (!Number.isFinite(place)) return false;
  const pass = asked.get("pass");
  direction = pass in stops ? pass : own;
  made = Math.max(0, Math.min(backward.length, Math.round(place)));
  return true;
}

// Not at every step of a slider that is drawn: browsers allow only so many changes in a while.
function address() {
  clearTimeout(naming);
  naming = setTimeout(() => {
    const hash = `#step=${made}${direction === own ? "" : `&pass=${direction}`}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 200);
}

// On paper stand all steps, too.
function printed() {
  const all = backward.length > 200 ? [] : stops[direction].map((_, place) => made_of("div", { class: "stop" }, ...stop(place, "h3")));
  const place = made === 0 ? "at its start" : made === backward.length ? "at its end" : `after ${made} of ${backward.length} stops`;
  const head = [`The ${direction} pass of `, ...unbroken(brief(root.label)), `; the picture shows it ${place}.`];
  fill($("whole"), ...(backward.length > 0 ? [made_of("p", {}, ...head)] : []), ...all);
}

function start() {
  for (const node of nodes) {
    // Numbers that are not finite come as texts.
    node.recorded = node.data = Number(node.data);
    for (const local of node.formulas) local.number = Number(local.number);
    node.locals = node.formulas.map((local) => local.number);
  }
  fill($("root-name"), ...unbroken(brief(root.label, 80)));
  fill($("root-formula"), ...(root.formula ? [" = ", ...unbroken(brief(root.formula, 80))] : []));
  const unknown = [...new Set(nodes.filter((node) => node.varies && node.operands.length > 0 && !operations[node.operation].value).map((node) => operations[node.operation].name))];
  $("missing").hidden = unknown.length === 0;
  $("missing").textContent = `${unknown.join(", ")}: not known to this page's script. The pass that was recorded is replayed there, and leaves below cannot be edited.`;
  $("fresh").hidden = !graph.note;
  $("fresh").textContent = graph.note;
  for (const way of ["backward", "forward"]) $(way).addEventListener("click", () => turnTo(way));
  const clicks = {
    first: () => go(0), prev: () => go(made - 1), next: () => go(made + 1), last: () => go(backward.length), play, reset,
    "zoom-in": () => zoom(1.25), "zoom-out": () => zoom(0.8), fit,
  };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("speed").addEventListener("change", () => { if (playing) [rest, play].forEach((step) => step()); });
  addEventListener("resize", () => { if (fitted) fit(); });
  addEventListener("beforeprint", printed);
  addEventListener("scroll", conceal, { passive: true });
  addEventListener("hashchange", () => { if (arrive()) go(made); });
  arrive();
  rows();
  adopt();
  pointable();
  run();
  open();
  show();
}

start();
