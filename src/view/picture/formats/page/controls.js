// Where the pass is, and all that moves it: buttons, slider, keys; colours, size and paper. Here the page starts.

function show(tell = true) {
  const grads = paint();
  const inner = made === 0 ? beginning() : stop(made - 1, "h2");
  const rest = coming();
  fill($("step"), ...inner, ...(rest ? [made_of("p", { class: "dim" }, rest)] : []));
  $("slider").max = backward.length;
  $("slider").value = made;
  $("slider").setAttribute("aria-valuetext", made === 0 ? "start" : `${made} of ${backward.length}: ${stops[direction][made - 1].label}`);
  $("place").textContent = made === 0 ? "start" : `${made} of ${backward.length}`;
  for (const way of ["backward", "forward"]) $(way).setAttribute("aria-pressed", way === direction);
  for (const id of ["first", "prev"]) $(id).disabled = made === 0;
  for (const id of ["next", "last"]) $(id).disabled = made === backward.length;
  leaves.forEach((leaf) => fill(leaf.shown, ...(grads[nodes.indexOf(leaf)] === undefined ? ["·"] : [signed(grads[nodes.indexOf(leaf)])])));
  const changed = leaves.some((leaf) => !Object.is(leaf.data, leaf.recorded));
  $("reset").disabled = !changed && leaves.every((leaf) => leaf.field.getAttribute("aria-invalid") !== "true");
  const was = Object.is(root.data, root.recorded) ? [] : [made_of("span", { class: "was" }, " was ", number(root.recorded, "", root.data))];
  const late = direction === "forward" && made < backward.length;
  fill($("value"), "= ", ...(late ? ["·"] : [number(root.data, "strong", root.recorded), ...was]));
  const first = begun();
  $("begun").hidden = first === undefined;
  $("begun").textContent = first === undefined ? "" : `first ${full(first.data)}: ${brief(first.label)}`;
  if (tell) $("told").textContent = spoken();
  if (!$("tip").hidden) describe(pointed);
  follow();
}

function go(place, tell) {
  made = Math.max(0, Math.min(backward.length, place));
  if (made === backward.length) rest();
  show(tell);
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
  playing = setInterval(() => go(made + 1), 1400);
  $("play").textContent = "Pause";
  $("play").setAttribute("aria-pressed", "true");
}

const keys = {
  ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(backward.length), " ": play,
  b: () => turnTo("backward"), f: () => turnTo("forward"), r: reset, t: () => $("theme").click(), Escape: conceal,
};

addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
  const pressing = event.target instanceof HTMLButtonElement && event.key === " ";
  if (event.ctrlKey || event.altKey || event.metaKey || typing || pressing || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

const themes = ["auto", "light", "dark"];
let theme = "auto";

function recolour() {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  $("theme").textContent = `Colours: ${theme}`;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// A small picture is drawn as large as there is room for, a large one at its size or as the reader likes it.
function size() {
  const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  const room = Math.min((picture.clientWidth - 16) / width, (innerHeight * 0.6 - 16) / height);
  const scale = room >= 1 ? Math.min(room, 2.4) : $("fit").getAttribute("aria-pressed") === "true" ? room : room > 0.78 ? room : 1;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  $("fit").hidden = room > 0.78;
}

function printed() {
  const many = backward.length > 200;
  const all = many ? [] : stops[direction].map((_, place) => made_of("div", { class: "stop" }, ...stop(place, "h3")));
  const place = made === 0 ? "at its start" : made === backward.length ? "at its end" : `after ${made} of ${backward.length} stops`;
  const head = `The ${direction} pass of ${brief(root.label)}; the picture shows it ${place}.`;
  fill($("whole"), ...(backward.length > 0 ? [made_of("p", {}, head)] : []), ...all);
}

function start() {
  for (const node of nodes) {
    node.recorded = node.data;
    node.locals = node.formulas.map((local) => local.number);
  }
  $("root-name").textContent = root.label;
  $("root-formula").textContent = root.formula ? ` = ${brief(root.formula, 80)}` : "";
  const unknown = [...new Set(nodes.filter((node) => node.varies && node.operands.length > 0 && !operations[node.operation].value).map((node) => operations[node.operation].name))];
  $("missing").hidden = unknown.length === 0;
  $("missing").textContent = `${unknown.join(", ")}: not known to this page's script. The pass that was recorded is replayed there, and leaves below cannot be edited.`;
  $("fresh").hidden = !graph.note;
  $("fresh").textContent = graph.note;
  for (const way of ["backward", "forward"]) $(way).addEventListener("click", () => turnTo(way));
  const clicks = { first: () => go(0), prev: () => go(made - 1), next: () => go(made + 1), last: () => go(backward.length), play, reset, theme: recolour };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  $("slider").addEventListener("input", () => go(Number($("slider").value), false));
  $("fit").addEventListener("click", () => {
    $("fit").setAttribute("aria-pressed", $("fit").getAttribute("aria-pressed") !== "true");
    size();
  });
  addEventListener("resize", size);
  addEventListener("beforeprint", printed);
  addEventListener("scroll", conceal, { passive: true });
  rows();
  size();
  measure();
  listen();
  run();
  show(false);
}

start();
