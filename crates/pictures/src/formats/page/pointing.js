// Pointing at nodes: what each is, in full; a click goes to its step.

let pointed;

function describe(node) {
  pointed = node;
  const late = hidden(node);
  const kind = (node.operation ?? node.kind).replaceAll("_", " ");
  const lines = [["b", node.formula ? `${node.label} = ${node.formula}` : node.label], ["div", kind], ["div", `data ${late ? "·" : node.data}`]];
  if (pass === "backward" && node.kind !== "constant") lines.push(["div", `grad ${gradsNow().get(node.id)?.[1] ?? "·"}`]);
  if (!late) for (const number of node.numbers) lines.push(["div", number.querySelector("title").textContent]);
  const tip = $("tip");
  tip.replaceChildren(...lines.map(([tag, words]) => made_of(tag, {}, words)));
  tip.hidden = false;
  const box = node.box.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
  const below = box.bottom + 10 + tip.offsetHeight < innerHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? box.bottom + 10 : Math.max(8, box.top - tip.offsetHeight - 10)}px`;
}

const conceal = () => { $("tip").hidden = true; };

function pointable() {
  const pointedAt = (event) => nodes.get(event.target.closest?.("#picture .node")?.dataset.key);
  picture.addEventListener("pointerover", (event) => {
    const node = pointedAt(event);
    if (node) describe(node);
    else conceal();
  });
  picture.addEventListener("pointerleave", conceal);
  picture.addEventListener("click", (event) => {
    const place = pointedAt(event)?.[pass];
    if (place) go(place);
  });
  picture.addEventListener("scroll", conceal, { passive: true });
}
