// Looks at a page as a reader would, and moves its picture: where things are, and what is written. `what` names the
// part that is wanted.
const found = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const place = (element) => element.getBoundingClientRect();
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const key = (name, more = {}) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const drawing = () => document.querySelector("#picture svg");
const node = (label) => all("#picture .node").find((box) => box.querySelector(".label")?.textContent === label);
const state = () => ({ place: found("place").textContent, hash: location.hash });

const parts = {
  // The numbers on the wires at the first stop.
  numbers() {
    found("first").click();
    found("next").click();
    return all("#picture .number.now text").map((text) => text.textContent).join(" ");
  },

  opened() {
    const [frame, root] = [found("picture"), document.querySelector("#picture .node.root")];
    const { width, height } = drawing().viewBox.baseVal;
    return {
      window: innerWidth, wide: width, high: height, scale: place(drawing()).width / width,
      whole: within(place(drawing()), place(frame)) && frame.scrollWidth <= frame.clientWidth + 1 && frame.scrollHeight <= frame.clientHeight + 1,
      root: within(place(root), place(frame)), rows: new Set([...root.querySelectorAll("text")].map((text) => text.getAttribute("y"))).size,
      overflow: document.documentElement.scrollWidth - innerWidth,
      below: all("#picture .node.leaf").every((leaf) => place(leaf).bottom < place(root).top),
    };
  },

  moved() {
    const frame = found("picture");
    const size = () => Math.round(place(drawing()).width);
    const answer = { fitted: size() };
    found("zoom-in").click();
    answer.larger = size();
    found("zoom-out").click();
    answer.again = size();
    key("+");
    answer.plus = size();
    key("-");
    key("-");
    answer.minus = size();
    for (let turn = 0; turn < 8; turn++) key("+");
    key("0");
    answer.zero = size();
    return answer;
  },

  async address() {
    const answer = { opened: state() };
    found("next").click();
    await wait(400);
    answer.next = state();
    key("f");
    found("next").click();
    await wait(400);
    answer.forward = state();
    location.hash = "#step=1";
    await wait(400);
    answer.changed = state();
    location.hash = "#step=99";
    await wait(400);
    answer.beyond = state();
    location.hash = "#elsewhere";
    await wait(400);
    answer.none = state();
    return answer;
  },

  async played() {
    const speed = found("speed");
    const answer = { tabbed: speed.tabIndex === 0, label: speed.labels[0]?.textContent.startsWith("Speed"), usual: speed.value, choices: [...speed.options].map((option) => Number(option.value)) };
    const count = async (value) => {
      speed.value = value;
      speed.dispatchEvent(new Event("change", { bubbles: true }));
      found("first").click();
      found("play").click();
      await wait(1600);
      found("play").click();
      return found("place").textContent;
    };
    answer.fast = await count("700");
    answer.slow = await count("3000");
    answer.kept = speed.value;
    // A new speed holds at once, in the middle of playing.
    found("first").click();
    found("play").click();
    speed.value = "250";
    speed.dispatchEvent(new Event("change", { bubbles: true }));
    await wait(600);
    answer.changed = found("place").textContent;
    return answer;
  },

  // No number and no name is broken, whatever is shown; and the page is not wider than the window.
  unbroken() {
    const broken = [];
    let count = 0;
    const look = () => {
      for (const element of all(".token, #step code, #step td, #place")) {
        count += 1;
        if (element.getClientRects().length > 1) broken.push(element.textContent);
      }
      // Outside of them stand no letters of a name: expressions are always in such an element.
      const walker = document.createTreeWalker(found("step"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        if (/[_*^]/.test(text.data) && !text.parentElement.closest("code, td, th")) broken.push(`loose: ${text.data}`);
      }
      if (document.documentElement.scrollWidth > innerWidth) broken.push(`wide: ${document.documentElement.scrollWidth}`);
    };
    for (const way of ["backward", "forward"]) {
      found(way).click();
      look();
      while (!found("next").disabled) {
        found("next").click();
        look();
      }
    }
    return { count, broken };
  },

  // The name of what can be pressed contains what stands on it.
  named() {
    const wrong = [];
    let count = 0;
    const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
    const look = () => {
      for (const element of all("button")) {
        const name = element.getAttribute("aria-label");
        const shown = words(element);
        count += 1;
        if (name === null ? !shown : !name.includes(shown)) wrong.push([name, shown]);
      }
    };
    look();
    for (let turn = 0; turn < 3; turn++) {
      found("next").click();
      look();
    }
    return { count, wrong };
  },

  // How much of a large picture one step touches, and how long it takes.
  stepped() {
    const touched = [];
    const times = [];
    const observer = new MutationObserver(() => {});
    observer.observe(drawing(), { attributes: true, childList: true, characterData: true, subtree: true });
    for (let turn = 0; turn < 30; turn++) {
      const begin = performance.now();
      found("next").click();
      place(drawing());
      times.push(performance.now() - begin);
      touched.push(new Set(observer.takeRecords().map((record) => record.target)).size);
    }
    return { steps: Number(found("slider").max), most: Math.max(...touched), fastest: Math.min(...times) };
  },

  printed() {
    dispatchEvent(new Event("beforeprint"));
    return { steps: all("#whole .stop").length };
  },
};

Promise.resolve(parts[what]()).then((answer) => {
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify({ answer, faults });
  document.body.append(result);
  if (parent !== window) parent.postMessage(result.textContent, "*");
}, (fault) => faults.push(String(fault)));
