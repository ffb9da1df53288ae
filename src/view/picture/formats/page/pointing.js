// Pointing at nodes, by pointer or by keys: what each is, in full.

let pointed;

function describe(node) {
  pointed = node;
  const at = nodes.indexOf(node);
  const late = hiding()(node);
  const grad = direction === "backward" ? gradsAfter(made)[at] : undefined;
  const lines = [made_of("b", {}, node.formula ? `${node.label} = ${node.formula}` : node.label)];
  const kind = node.operands.length > 0 ? operations[node.operation].name.replaceAll("_", " ") : node.kind;
  lines.push(made_of("div", { class: "dim" }, kind));
  lines.push(made_of("div", {}, `data ${late ? "·" : full(node.data)}`));
  if (node === begun()) lines.push(made_of("div", {}, `first ${full(node.data)}`));
  if (node.varies && direction === "backward") lines.push(made_of("div", {}, `grad ${grad === undefined ? "·" : full(grad)}`));
  if (!late) {
    node.formulas.forEach((local, place) => {
      const operand = nodes[node.operands[place]];
      if (operand.varies) lines.push(made_of("div", {}, `by ${brief(operand.label)}: ${brief(local.formula)} = ${full(node.locals[place])}`));
    });
  }
  const tip = $("tip");
  fill(tip, ...lines);
  tip.hidden = false;
  const box = boxes.get(String(node.id)).getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
  const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px`;
}

const conceal = () => { $("tip").hidden = true; };

function listen() {
  // What a pointer is told is told in full below; a title of the picture's own would lie over it.
  for (const title of svg.querySelectorAll("title")) title.remove();
  const inOrder = nodes.map((node) => boxes.get(String(node.id))).filter(Boolean);
  inOrder.forEach((box, at) => {
    const node = byId.get(box.dataset.key);
    // One stop of the Tab key for the whole picture; the arrows go on from there.
    box.setAttribute("tabindex", at === 0 ? "0" : "-1");
    box.setAttribute("role", "button");
    box.addEventListener("pointerenter", () => describe(node));
    box.addEventListener("pointerleave", conceal);
    box.addEventListener("focus", () => {
      for (const other of inOrder) other.setAttribute("tabindex", other === box ? "0" : "-1");
      if (box.matches(":focus-visible")) describe(node);
    });
    box.addEventListener("blur", conceal);
    const open = () => {
      const place = stops[direction].indexOf(node);
      if (place >= 0) go(place + 1);
      else if (node.field) node.field.select();
    };
    box.addEventListener("click", open);
    box.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step !== undefined) inOrder[at + step]?.focus();
      else if (event.key === "Enter") open();
      else return;
      event.preventDefault();
    });
  });
  picture.addEventListener("scroll", conceal);
}
