// Where the pass is, and all that moves it: buttons, slider, keys, address. Here the page starts.

function show() {
  paint();
  $("step").replaceChildren(said(stops[pass][made]));
  $("slider").max = count;
  $("slider").value = made;
  $("place").textContent = made === 0 ? "start" : `${made} of ${count}`;
  const at = made === 0 ? "" : `: ${now().label}`;
  $("slider").setAttribute("aria-valuetext", $("place").textContent + at);
  for (const way of ["backward", "forward"]) $(way).setAttribute("aria-pressed", way === pass);
  for (const id of ["first", "prev"]) $(id).disabled = made === 0;
  for (const id of ["next", "last"]) $(id).disabled = made === count;
  $("value").textContent = `= ${hidden(root) ? "·" : root.short}`;
  $("begun").hidden = !first || hidden(first);
  if (!$("tip").hidden) describe(describedNode);
  follow();
}

function go(place) {
  made = Math.max(0, Math.min(count, place));
  if (made === count) stopPlaying();
  show();
  writeAddress();
  calculator?.postMessage({ direction: pass, made }, "*");
}

// The window of the calculator if this page is a frame in it: it moves this page to the stop of its walk, and follows it.
let calculator;

function followWalk({ source, data }) {
  if (parent === window || source !== parent || !stops[data?.direction]) return;
  calculator = source;
  if (data.direction === pass && data.made === made) return;
  stopPlaying();
  pass = data.direction;
  made = Math.max(0, Math.min(count, data.made));
  show();
}

function turnTo(way) {
  pass = way;
  stopPlaying();
  go(0);
}

function stopPlaying() {
  clearInterval(playing);
  playing = 0;
  $("play").textContent = "Play";
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return stopPlaying();
  if (made === count) go(0);
  playing = setInterval(() => go(made + 1), Number($("speed").value));
  $("play").textContent = "Pause";
  $("play").setAttribute("aria-pressed", "true");
}

const keys = {
  ArrowLeft: () => go(made - 1), ArrowRight: () => go(made + 1), Home: () => go(0), End: () => go(count), " ": play,
  b: () => turnTo("backward"), f: () => turnTo("forward"), Escape: hideTip,
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.matches?.("select") || !keys[event.key]) return;
  if (event.target instanceof HTMLButtonElement && event.key === " ") return;
  event.preventDefault();
  keys[event.key]();
});

// The address of the page names the step, so that a link can: `#step=3`, and `#step=3&pass=forward` where it is not the
// pass that the page begins with.

let addressTimer = 0;

// Moves to the step of the address. Returns whether the address names one.
function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = Number(asked.get("step") ?? NaN);
  if (!Number.isFinite(place)) return false;
  const way = asked.get("pass");
  pass = way === "backward" || way === "forward" ? way : graph.pass;
  made = Math.max(0, Math.min(count, Math.round(place)));
  return true;
}

// Waits until the slider rests: browsers limit how often a page may change its address.
function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const hash = `#step=${made}${pass === graph.pass ? "" : `&pass=${pass}`}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 200);
}

// A printed page lists all steps of the pass, unless there are more than 200.
function listSteps() {
  const all = count > 200 ? [stops[pass][0]] : stops[pass];
  $("whole").replaceChildren(...all.map(said));
}

// Fills in the root, what is special about the graph, and its leaves, whose grads follow the stops.
function fillPage() {
  const formula = root.formula ? [" = ", part("formula", root.formula, 80)] : [];
  $("head").append(part("name", root.label, 80), ...formula);
  $("fresh").innerHTML = graph.note;
  if (first) $("begun").append(`first ${first.data}: `, part("name", first.label, 80));
  for (const leaf of [...nodes.values()].reverse()) {
    if (leaf.kind !== "leaf" && leaf.kind !== "frozen") continue;
    leaf.cell = made_of("td", { class: "number" });
    const kind = leaf.kind === "frozen" ? [" ", made_of("span", { class: "kind" }, leaf.kind)] : [];
    $("rows").append(made_of("tr", {}, made_of("td", {}, part("name", leaf.label, 14), ...kind), made_of("td", { class: "number" }, leaf.short), leaf.cell));
  }
  $("leaves").hidden = $("rows").children.length === 0;
}

function start() {
  for (const way of ["backward", "forward"]) $(way).addEventListener("click", () => turnTo(way));
  const clicks = {
    first: () => go(0), prev: () => go(made - 1), next: () => go(made + 1), last: () => go(count), play,
    "zoom-in": () => zoom(1.25), "zoom-out": () => zoom(0.8), fit,
  };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("speed").addEventListener("change", () => {
    if (!playing) return;
    // A new timer has the new speed.
    stopPlaying();
    play();
  });
  addEventListener("resize", () => { if (fitted) fit(); });
  addEventListener("beforeprint", listSteps);
  addEventListener("scroll", hideTip, { passive: true });
  addEventListener("message", followWalk);
  addEventListener("hashchange", () => { if (readAddress()) go(made); });
  readAddress();
  // The picture is read first: the nodes get their parts of it.
  findParts();
  fillPage();
  listenToPointer();
  openPicture();
  show();
}

start();
