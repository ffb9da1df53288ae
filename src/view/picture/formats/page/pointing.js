// Pointing at nodes, by pointer or by keys: what each is, in full.

let pointed;

function describe(node) {
  pointed = node;
  const late = hidden(node);
  const grad = direction === "backward" ? gradsAfter(made)[node.at] : undefined;
  const lines = [made_of("b", {}, ...unbroken(node.formula ? `${node.label} = ${node.formula}` : node.label))];
  const kind = node.operands.length > 0 ? operations[node.operation].name.replaceAll("_", " ") : node.kind;
  lines.push(made_of("div", { class: "dim" }, kind));
  lines.push(made_of("div", {}, `data ${late ? "·" : full(node.data)}`));
  if (node === begun()) lines.push(made_of("div", {}, `first ${full(node.data)}`));
  if (node.varies && direction === "backward") lines.push(made_of("div", {}, `grad ${grad === undefined ? "·" : full(grad)}`));
  if (!late) {
    node.formulas.forEach((local, place) => {
      const operand = nodes[node.operands[place]];
      if (operand.varies) lines.push(made_of("div", {}, "by ", ...unbroken(brief(operand.label)), ": ", ...unbroken(brief(local.formula)), ` = ${full(node.locals[place])}`));
    });
  }
  const tip = $("tip");
  fill(tip, ...lines);
  tip.hidden = false;
  const box = drawn[node.at].box.group.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
  const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px`;
}

const conceal = () => { $("tip").hidden = true; };

// The one box at which the Tab key stops; the arrows go on from there.
let entered;

function enter(box) {
  entered?.setAttribute("tabindex", "-1");
  entered = box;
  entered?.setAttribute("tabindex", "0");
}

// What is needed once for each picture.
function listen() {
  // What a pointer is told is told in full below; a title of the picture's own would lie over it.
  svg.querySelector("title")?.remove();
  enter(drawn.find(({ box }) => box)?.box.group);
}

// What is needed once for all pictures.
function pointable() {
  const pointedAt = (event) => byId.get(event.target.closest?.("#picture .node")?.dataset.key);
  picture.addEventListener("pointerover", (event) => {
    const node = pointedAt(event);
    if (node && !picture.matches(".dragged")) describe(node);
    else conceal();
  });
  picture.addEventListener("pointerleave", conceal);
  picture.addEventListener("focusin", (event) => {
    const node = pointedAt(event);
    if (!node) return;
    enter(event.target);
    if (event.target.matches(":focus-visible")) describe(node);
  });
  picture.addEventListener("focusout", conceal);
  const press = (node) => {
    const place = stops[direction].indexOf(node);
    if (place >= 0) go(place + 1);
    else if (node.field) node.field.select();
  };
  picture.addEventListener("click", (event) => {
    const node = pointedAt(event);
    if (node && !picture.matches(".dragged")) press(node);
  });
  picture.addEventListener("keydown", (event) => {
    const node = pointedAt(event);
    const step = event.shiftKey ? undefined : { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!node || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) return press(node);
    let at = node.at + step;
    while (nodes[at] && !drawn[at].box) at += step;
    if (!nodes[at]) return;
    // What is far away has no place in the window yet.
    if (nodes.length >= MANY) centre(nodes[at]);
    drawn[at].box.group.focus();
  });
  picture.addEventListener("scroll", conceal);
}
