// The page on paper: the picture as large as a sheet has room for, or in parts that can be read, and all steps.

// A sheet across, in the pixels of a style sheet, with room for the head of the page; the letters of a picture are
// read down to this scale.
const SHEET = { width: 1000, height: 600 };
const LEGIBLE = 0.45;
const SHEETS = 16;

// A piece of the picture as a picture of its own.
function piece(x, y, width, height, said) {
  cull({ x, y, width, height });
  const copy = svg.cloneNode(true);
  const size = Math.min(SHEET.width / width, SHEET.height / height, 1);
  const box = { viewBox: [x, y, width, height].join(" "), width: width * size, height: height * size };
  for (const [name, value] of Object.entries(box)) copy.setAttribute(name, value);
  return made_of("figure", {}, copy, made_of("figcaption", {}, said));
}

// A picture that would be too small on one sheet, in pieces from left to right and from top to bottom; of one that
// would take too many, the part that is seen.
function parts() {
  const { x, y, width, height } = svg.viewBox.baseVal;
  const [across, down] = [SHEET.width / LEGIBLE, SHEET.height / LEGIBLE];
  const [columns, rows] = [Math.ceil(width / across), Math.ceil(height / down)];
  if (columns * rows === 1) return [];
  if (columns * rows > SHEETS) {
    const now = seen();
    const [left, top] = [now.x + (now.width - across) / 2, now.y + (now.height - down) / 2];
    return [piece(left, top, across, down, `The part that is seen on the screen; all of the picture would take ${columns * rows} sheets.`)];
  }
  return Array.from({ length: columns * rows }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const said = `part ${at + 1} of ${columns * rows}: row ${row + 1}, column ${column + 1}`;
    return piece(x + (column * width) / columns, y + (row * height) / rows, width / columns, height / rows, said);
  });
}

function printed() {
  const { width, height } = svg.viewBox.baseVal;
  const sheets = parts();
  document.documentElement.classList.toggle("wide", sheets.length > 0 || width > height);
  document.documentElement.classList.toggle("parted", sheets.length > 0);
  fill($("parts"), ...sheets);
  const many = backward.length > 200;
  const all = many ? [] : stops[direction].map((_, place) => made_of("div", { class: "stop" }, ...stop(place, "h3")));
  const place = made === 0 ? "at its start" : made === backward.length ? "at its end" : `after ${made} of ${backward.length} stops`;
  const head = [`The ${direction} pass of `, ...unbroken(brief(root.label)), `; the picture shows it ${place}.`];
  fill($("whole"), ...(backward.length > 0 ? [made_of("p", {}, ...head)] : []), ...all);
}

// The copies are not needed on screen.
function unprinted() {
  fill($("parts"));
  cull();
}
