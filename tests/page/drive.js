// Drives a page as a reader would: presses, and writes down what it shows.
const found = (id) => document.getElementById(id);
const key = (name) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const read = () => Object.fromEntries([...document.querySelectorAll("#picture g.node")].map((box) => [box.dataset.key, {
  data: box.querySelector(".data")?.dataset.full || undefined, grad: box.querySelector(".grad")?.dataset.full || undefined, first: box.matches(".first"),
}]));
// The words of a line or of a cell. What is shortened says so in full to the pointer.
const words = (element) => [...element.childNodes].map((part) => part.title || part.textContent).join("");
// What is said of a stop, and what the boxes show there.
const stop = () => ({
  place: found("place").textContent,
  said: [...document.querySelectorAll("#step p, #step th, #step td")].map(words).join(" "),
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
answer.fresh = found("fresh").textContent;
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
