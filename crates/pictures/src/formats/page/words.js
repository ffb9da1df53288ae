// Words as elements: what is said of a stop, as the program wrote it, and the labels of nodes.

const made_of = (tag, attributes, ...inner) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  element.append(...inner);
  return element;
};

// A label for a line: its middle left out if it is long. It may end a line between its words, but never inside one.
function part(role, all, room) {
  const letters = [...all];
  const short = letters.length <= room ? all : `${letters.slice(0, room / 2).join("")}…${letters.slice(1 - room / 2).join("")}`;
  const words = short.split(/( )/).map((word) => (word === " " ? word : made_of("span", { class: "token" }, word)));
  return made_of("span", { class: role, title: short === all ? "" : all }, ...words);
}

function said(stop) {
  const element = made_of("div", { class: "stop" });
  element.innerHTML = stop.said;
  return element;
}
