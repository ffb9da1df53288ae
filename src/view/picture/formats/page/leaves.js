// The leaves, whose data can be edited: every keystroke that makes a number runs the passes again.

// A leaf below an operation that a script does not know cannot be edited: what it makes could not be computed.
function fixed() {
  const found = new Set();
  nodes.forEach((node, at) => {
    const known = node.operands.length === 0 || operations[node.operation].value;
    if (!known || found.has(at)) for (const to of node.operands) found.add(to);
  });
  return found;
}

function edit(leaf) {
  const x = read(leaf.field.value);
  leaf.wrong = x === undefined;
  leaf.field.setAttribute("aria-invalid", String(leaf.wrong));
  $("wrong").textContent = x === undefined ? `${leaf.label} keeps ${short(leaf.data)}: expected a number like 2.5, 1e-3, inf or nan` : "";
  if (x !== undefined) leaf.data = x;
  leaf.field.classList.toggle("changed", !Object.is(leaf.data, leaf.recorded));
  run();
  show();
}

function reset() {
  for (const leaf of leaves) {
    leaf.data = leaf.recorded;
    leaf.field.value = full(leaf.data);
    leaf.wrong = false;
    leaf.field.setAttribute("aria-invalid", "false");
    leaf.field.classList.remove("changed");
  }
  $("wrong").textContent = "";
  run();
  show();
}

function rows() {
  const still = fixed();
  for (const leaf of leaves) {
    const kind = leaf.kind === "frozen" ? [made_of("span", { class: "kind", title: ":step does not move it" }, "frozen")] : [];
    leaf.field = made_of("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", "data-id": leaf.id, "aria-label": `data of ${leaf.label}`, "aria-describedby": "how" });
    leaf.field.value = full(leaf.data);
    if (still.has(leaf.at)) {
      leaf.field.readOnly = true;
      leaf.field.title = "It cannot be edited: an operation above it is only replayed here";
    }
    leaf.field.addEventListener("input", () => edit(leaf));
    leaf.field.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
      if (by === undefined || leaf.field.readOnly || !Number.isFinite(leaf.data)) return;
      event.preventDefault();
      leaf.field.value = full(Number((leaf.data + by * (event.shiftKey ? 10 : 1)).toPrecision(15)));
      edit(leaf);
    });
    leaf.shown = made_of("td", { class: "number" });
    $("rows").append(made_of("tr", {}, made_of("td", { title: leaf.label }, ...unbroken(brief(leaf.label, 14)), ...kind), made_of("td", {}, leaf.field), leaf.shown));
  }
  $("leaves").hidden = leaves.length === 0;
}
