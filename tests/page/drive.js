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
const figures = () => [...document.querySelectorAll("#step table .figure")].map((figure) => figure.dataset.full);
const answer = { begun: found("place").textContent, title: document.title, head: found("head").textContent };
key("Home");
const walked = [];
while (!found("next").disabled) {
  found("next").click();
  walked.push(figures());
}
answer.walked = walked;
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
answer.forward = found("place").textContent;
key("ArrowRight");
answer.values = figures();
key("End");
answer.end = found("place").textContent;
answer.forwardEnd = read();
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
