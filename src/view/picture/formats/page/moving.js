// How large the picture is and which part of it is seen: fitted, dragged, by wheel, two fingers, keys and buttons.

const MOST = 4;
// Below this no letter could be told from a dot.
const LEAST_FITTED = 0.12;

// Between the frame and what is in it.
const PADDING = 8;

let scale = 1;
let fitted = true;

// The largest scale at which the whole picture is seen; then it needs no bars to scroll it.
function whole() {
  const { width, height } = svg.viewBox.baseVal;
  const high = parseFloat(getComputedStyle(picture).maxHeight);
  return Math.min((picture.offsetWidth - 2 * PADDING) / width, (high - 2 * PADDING) / height);
}

function draw(next) {
  const { width, height } = svg.viewBox.baseVal;
  scale = next;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
}

// A small picture grows a little, but not to letters as large as a heading's.
function fit() {
  fitted = true;
  draw(Math.min(whole(), 2));
  cull();
}

// Larger or smaller, with one point of the window kept where it is: the middle of the picture, or the pointer's.
function zoom(next, at) {
  const bounded = Math.max(Math.min(whole(), 1), Math.min(MOST, next));
  if (bounded === scale) return false;
  conceal();
  const frame = picture.getBoundingClientRect();
  const [x, y] = at ?? [frame.left + picture.clientWidth / 2, frame.top + picture.clientHeight / 2];
  const before = svg.getBoundingClientRect();
  const [across, down] = [(x - before.left) / scale, (y - before.top) / scale];
  fitted = false;
  draw(bounded);
  const after = svg.getBoundingClientRect();
  picture.scrollBy(after.left + across * scale - x, after.top + down * scale - y);
  cull();
  return true;
}

function pan(across, down) {
  picture.scrollBy(across * picture.clientWidth / 4, down * picture.clientHeight / 4);
  cull();
}

// Where something of the picture is in its frame when nothing is scrolled.
function placed({ x, y, width, height }) {
  const all = svg.viewBox.baseVal;
  const margin = Math.max(0, (picture.clientWidth - 2 * PADDING - all.width * scale) / 2) + PADDING;
  return { left: margin + (x - all.x) * scale, top: PADDING + (y - all.y) * scale, width: width * scale, height: height * scale };
}

// A node in the middle of the picture; in a picture too small to read, larger.
function centre(node, least = 0) {
  const { box } = drawn[node.at];
  if (!box) return;
  if (scale < least) {
    fitted = false;
    draw(least);
  }
  const { left, top, width, height } = placed(box);
  picture.scrollTo(left + (width - picture.clientWidth) / 2, top + (height - picture.clientHeight) / 2);
  cull();
}

// A large picture is scrolled to where the pass is.
function follow() {
  const node = stops[direction][made - 1] ?? root;
  const { box } = drawn[node.at];
  if (fitted || !box) return;
  const { left, top, width, height } = placed(box);
  const across = left + width / 2 - picture.scrollLeft - picture.clientWidth / 2;
  const down = top + height / 2 - picture.scrollTop - picture.clientHeight / 2;
  if (Math.abs(across) > picture.clientWidth / 4 || Math.abs(down) > picture.clientHeight / 4) centre(node);
}

// Which part of the picture is in its frame.
function seen() {
  const all = svg.viewBox.baseVal;
  const { left, top } = placed(all);
  const [x, y] = [all.x + (picture.scrollLeft - left) / scale, all.y + (picture.scrollTop - top) / scale];
  return { x, y, width: picture.clientWidth / scale, height: picture.clientHeight / scale };
}

// The picture that suits the window, downwards on a telephone; whether it is another than before.
function choose() {
  const narrow = innerWidth < 640 && innerHeight > innerWidth;
  if ($("downwards") === null || narrow === downwards) return false;
  downwards = narrow;
  return true;
}

// A picture of many nodes is opened at its root, at a size that can be read.
function open() {
  if (nodes.length < MANY && whole() >= LEAST_FITTED) return fit();
  fitted = false;
  draw(1);
  centre(root);
}

function resized() {
  if (choose()) {
    adopt();
    listen();
    open();
    mark(true);
    show(false);
  } else if (fitted) fit();
}

function movable() {
  // A wheel that is scrolling the page goes on doing so when the picture comes under the pointer.
  let scrolled = 0;
  addEventListener("scroll", () => { scrolled = performance.now(); }, { passive: true });
  picture.addEventListener("wheel", (event) => {
    if (event.shiftKey || (!event.ctrlKey && performance.now() - scrolled < 300)) return;
    const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    const next = scale * Math.exp(-lines * (event.ctrlKey ? 0.01 : 0.002));
    // Where it can become no smaller, the wheel scrolls the page.
    if (zoom(next, [event.clientX, event.clientY])) event.preventDefault();
  }, { passive: false });

  let culling = 0;
  picture.addEventListener("scroll", () => {
    cancelAnimationFrame(culling);
    culling = requestAnimationFrame(() => cull());
  }, { passive: true });

  // A mouse drags. One finger scrolls as everywhere, so that the page is never caught in the picture.
  let from;
  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" && event.button === 0) from = { x: event.clientX, y: event.clientY, left: picture.scrollLeft, top: picture.scrollTop };
  });
  addEventListener("pointermove", (event) => {
    if (!from || (!from.dragged && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 4)) return;
    from.dragged = true;
    conceal();
    picture.classList.add("dragged");
    picture.scrollTo(from.left + from.x - event.clientX, from.top + from.y - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      // The click that ends a drag presses nothing.
      if (from?.dragged) setTimeout(() => picture.classList.remove("dragged"));
      from = undefined;
    });
  }
  picture.addEventListener("mousedown", (event) => { if (!event.target.closest(".node")) event.preventDefault(); });

  // Two fingers.
  let span;
  const fingers = ([one, other]) => ({
    wide: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2,
  });
  picture.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    span = { ...fingers(event.touches), scale };
  }, { passive: false });
  picture.addEventListener("touchmove", (event) => {
    if (!span || event.touches.length !== 2) return;
    event.preventDefault();
    const now = fingers(event.touches);
    picture.scrollBy(span.x - now.x, span.y - now.y);
    zoom(span.scale * now.wide / span.wide, [now.x, now.y]);
    Object.assign(span, { x: now.x, y: now.y });
    cull();
  }, { passive: false });
  for (const end of ["touchend", "touchcancel"]) picture.addEventListener(end, () => { span = undefined; });
}
