// Drives a page as a reader would: presses, types, and writes down what it shows. `edits` are leaves and numbers.
const found = (id) => document.getElementById(id);
const key = (name) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const type = (id, text) => {
  const field = document.querySelector(`input[data-id="${id}"]`);
  field.value = text;
  field.dispatchEvent(new Event("input"));
};
const read = () => Object.fromEntries([...document.querySelectorAll("#picture g.node")].map((box) => [box.dataset.key, {
  data: box.querySelector(".data")?.dataset.full, grad: box.querySelector(".grad")?.dataset.full, first: box.matches(".first"),
}]));
const named = (element) => element?.title || element?.textContent;
const figures = (selector, within = document) => [...within.querySelectorAll(selector)].map((figure) => figure.dataset.full);
// What is said of a stop, and what the boxes show there.
const stop = () => ({
  place: found("place").textContent,
  node: named(document.querySelector("#step h2 .name")),
  data: figures("#step h2 .figure").at(-1),
  upstream: figures("#step .upstream .figure")[0],
  fraction: [...document.querySelectorAll("#step .upstream > .token")].map((token) => token.textContent).join(" "),
  rows: [...document.querySelectorAll("#step tbody tr")].map((row) => ({
    operand: named(row.querySelector(".name")), local: row.cells[1].textContent, figures: figures(".figure", row),
  })),
  boxes: read(),
});
// Every stop, on from the start and back from the end.
const pressed = (button) => {
  const seen = [stop()];
  while (!found(button).disabled) {
    found(button).click();
    seen.push(stop());
  }
  return seen;
};
const walked = () => {
  key("Home");
  return { on: pressed("next"), back: pressed("prev") };
};
const answer = { begun: found("place").textContent, title: document.title, head: found("head").textContent };
answer.backward = walked();
key("End");
answer.recorded = read();
answer.edited = [];
for (const [id, text] of edits) {
  type(id, text);
  answer.edited.push(read());
}
type(edits[0][0], "abc");
answer.wrong = found("wrong").textContent;
answer.kept = read();
found("reset").click();
answer.reset = read();
answer.fields = Object.fromEntries([...document.querySelectorAll("input[data-id]")].map((field) => [field.dataset.id, field.readOnly]));
answer.missing = found("missing").hidden ? "" : found("missing").textContent;
answer.fresh = found("fresh").hidden ? "" : found("fresh").textContent;
key("f");
answer.turned = found("place").textContent;
answer.forward = walked();
key("End");
answer.end = found("place").textContent;
key("ArrowLeft");
answer.left = found("place").textContent;
key("b");
found("slider").value = found("slider").max;
found("slider").dispatchEvent(new Event("input"));
answer.slid = found("place").textContent;
dispatchEvent(new Event("beforeprint"));
answer.printed = document.querySelectorAll("#whole .stop").length;
answer.requests = performance.getEntriesByType("resource").length;
answer.faults = faults;
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify(answer);
document.body.append(result);
