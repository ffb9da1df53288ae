// Where the pass is, and all that moves it: buttons, slider, keys, address; colours. Here the page starts.

function show(tell = true) {
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
  if (tell) $("told").textContent = spoken();
  if (!$("tip").hidden) describe(pointed);
  follow();
}

function go(place, tell) {
  made = Math.max(0, Math.min(backward.length, place));
  if (made === backward.length) rest();
  show(tell);
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

function hurry() {
  if (!playing) return;
  clearInterval(playing);
  playing = setInterval(() => go(made + 1), Number($("speed").value));
}

const keys = {
  ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(backward.length), " ": play,
  b: () => turnTo("backward"), f: () => turnTo("forward"), r: reset, t: () => $("theme").click(), Escape: conceal,
  "+": () => zoom(scale * 1.25), "=": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), 0: fit, "/": () => $("find").select(),
};
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.matches?.("input[type=text], input[type=search], select")) return;
  if (event.target instanceof HTMLButtonElement && event.key === " ") return;
  const way = (event.shiftKey || event.target === picture) && arrows[event.key];
  if (!way && !keys[event.key]) return;
  event.preventDefault();
  if (way) pan(...way);
  else keys[event.key]();
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

const themes = ["auto", "light", "dark"];
let theme = "auto";

function recolour() {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  $("theme").textContent = `Colours: ${theme}`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function start() {
  for (const node of nodes) {
    node.recorded = node.data;
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
    first: () => go(0), prev: () => go(made - 1), next: () => go(made + 1), last: () => go(backward.length), play, reset, theme: recolour,
    "zoom-in": () => zoom(scale * 1.25), "zoom-out": () => zoom(scale / 1.25), fit,
  };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  $("slider").addEventListener("input", () => go(Number($("slider").value), false));
  $("speed").addEventListener("change", hurry);
  addEventListener("resize", resized);
  addEventListener("beforeprint", printed);
  addEventListener("afterprint", unprinted);
  addEventListener("scroll", conceal, { passive: true });
  addEventListener("hashchange", () => { if (arrive()) go(made); });
  arrive();
  rows();
  choose();
  adopt();
  listen();
  pointable();
  movable();
  findable();
  run();
  open();
  show(false);
}

start();
