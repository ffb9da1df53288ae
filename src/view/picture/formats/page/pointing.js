// Pointing at nodes: what each is, in full; a click goes to its step or its field.

let pointed;

function describe(node) {
  pointed = node;
  const late = hidden(node);
  const grad = direction === "backward" ? gradsAfter(made)[node.at] : undefined;
  const lines = [made_of("b", {}, ...unbroken(node.formula ? `${node.label} = ${node.formula}` : node.label))];
  const kind = node.operands.length > 0 ? operations[node.operation].name.replaceAll("_", " ") : node.kind;
  lines.push(made_of("div", { class: "dim" }, kind));
  lines.push(made_of("div", {}, `data ${late ? "·" : full(node.data)}`));
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
  const box = drawn[node.at].box.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
  const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px`;
}

const conceal = () => { $("tip").hidden = true; };

function pointable() {
  const pointedAt = (event) => byId.get(event.target.closest?.("#picture .node")?.dataset.key);
  picture.addEventListener("pointerover", (event) => {
    const node = pointedAt(event);
    if (node) describe(node);
    else conceal();
  });
  picture.addEventListener("pointerleave", conceal);
  picture.addEventListener("click", (event) => {
    const node = pointedAt(event);
    const place = stops[direction].indexOf(node);
    if (place >= 0) go(place + 1);
    else node?.field?.select();
  });
  picture.addEventListener("scroll", conceal, { passive: true });
}
