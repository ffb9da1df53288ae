// What is said of a stop, in the program's own words and numbers: here they become elements.

const made_of = (tag, attributes, ...inner) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// The letters of a name in a cell.
const CELL = 26;

// A label for a line: its middle left out if it is long.
function brief(label, room) {
  const letters = [...label];
  if (letters.length <= room) return label;
  return `${letters.slice(0, room / 2).join("")}…${letters.slice(1 - room / 2).join("")}`;
}

// An expression may end a line between its words, but never inside one.
const unbroken = (words) => words.split(/( )/).map((word) => (word === " " ? word : made_of("span", { class: "token" }, word)));

function part(words, room = Infinity) {
  if (typeof words === "string") return words;
  const [role, all] = words;
  const short = brief(all, room);
  const inner = role === "dim" || role === "typed" ? [short] : unbroken(short);
  return made_of("span", { class: role, title: short === all ? "" : all }, ...inner);
}

// Where a row has no room, each cell stands on a line of its own behind the title of its column.
function table({ titles, rows }) {
  const heads = titles.map(([kind, title]) => made_of("th", { scope: "col", class: kind }, title));
  const cell = (words, at) => made_of("td", { class: titles[at][0], "data-title": titles[at][1] }, made_of("span", {}, ...words.map((each) => part(each, CELL))));
  const body = rows.map((row) => made_of("tr", {}, ...row.map(cell)));
  return made_of("table", {}, made_of("thead", {}, made_of("tr", {}, ...heads)), made_of("tbody", {}, ...body));
}

const said = (stop) => made_of("div", { class: "stop" }, ...stop.said.map((block) => (Array.isArray(block) ? made_of("p", {}, ...block.map((each) => part(each))) : table(block))));
