// Stand-ins for the parts of a browser that modules of the page use: a document, a worker and a storage. They know only what
// these modules need. A test file imports this file first, and then the modules of the page.

/** The words of HTML, in which the module writes these signs as others. */
const decode = (words) => words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

class Node {
  parentNode = null;
  childNodes = [];

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get nextSibling() {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
  }

  append(...children) {
    for (const child of children) {
      const node = child instanceof Node ? child : new Text(child);
      node.remove();
      node.parentNode = this;
      this.childNodes.push(node);
    }
  }

  replaceChildren(...children) {
    for (const child of [...this.childNodes]) child.remove();
    this.append(...children);
  }

  remove() {
    if (this.parentNode) this.parentNode.childNodes = this.parentNode.childNodes.filter((node) => node !== this);
    this.parentNode = null;
  }

  contains(node) {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }

  hasChildNodes() {
    return this.childNodes.length > 0;
  }

  replaceWith(other) {
    const node = other instanceof Node ? other : new Text(other);
    node.remove();
    const siblings = this.parentNode.childNodes;
    siblings[siblings.indexOf(this)] = node;
    [node.parentNode, this.parentNode] = [this.parentNode, null];
  }

  after(node) {
    const siblings = this.parentNode.childNodes;
    node.parentNode = this.parentNode;
    siblings.splice(siblings.indexOf(this) + 1, 0, node);
  }

  /** Joins texts that stand beside each other. */
  normalize() {
    for (const node of this.childNodes) {
      while (node instanceof Text && node.nextSibling instanceof Text) {
        node.data += node.nextSibling.data;
        node.nextSibling.remove();
      }
    }
  }

  cloneNode() {
    const copy = this.emptyCopy();
    copy.append(...this.childNodes.map((child) => child.cloneNode()));
    return copy;
  }

  isEqualNode(other) {
    const words = (node) => JSON.stringify([node.nodeName, node.data, node.attributes]);
    const pairs = this.childNodes.map((child, at) => [child, other.childNodes[at]]);
    return words(this) === words(other) && this.childNodes.length === other.childNodes.length && pairs.every(([one, two]) => one.isEqualNode(two));
  }
}

class Text extends Node {
  constructor(data) {
    super();
    this.data = `${data}`;
  }

  get textContent() {
    return this.data;
  }

  get nodeName() {
    return "#text";
  }

  set nodeValue(text) {
    this.data = text;
  }

  get nodeValue() {
    return this.data;
  }

  emptyCopy() {
    return new Text(this.data);
  }

  splitText(at) {
    const rest = new Text(this.data.slice(at));
    this.data = this.data.slice(0, at);
    rest.parentNode = this.parentNode;
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this) + 1, 0, rest);
    return rest;
  }
}

/** Does an element match a selector of names, classes, attributes, `>`, blanks, and one `:not(…)` at the end? */
const isMatch = (element, selector) => {
  const [, positive, negative] = /^(.*?)(?::not\((.*)\))?$/.exec(selector);
  if (negative && isMatch(element, negative)) return false;
  const steps = positive.split(/\s+/);
  const isStep = (it, step) => {
    const [, name, rest] = /^([\w*]*)(.*)$/.exec(step);
    const tests = rest.match(/\.[\w-]+|\[[\w-]+(?:=[\w-]+)?\]/g) ?? [];
    return (!name || name === "*" || name === it.localName) && tests.every((test) => {
      if (test[0] === ".") return it.classList.contains(test.slice(1));
      const [attribute, value] = test.slice(1, -1).split("=");
      return it.hasAttribute(attribute) && (value === undefined || it.getAttribute(attribute) === value);
    });
  };
  const follow = (it, at) => {
    if (!(it instanceof Element) || !isStep(it, steps[at])) return false;
    if (at === 0) return true;
    if (steps[at - 1] === ">") return follow(it.parentNode, at - 2);
    for (let above = it.parentNode; above; above = above.parentNode) if (follow(above, at - 1)) return true;
    return false;
  };
  return follow(element, steps.length - 1);
};

class Element extends Node {
  #attributes = new Map();
  dataset = {};
  hidden = false;
  disabled = false;
  value = "";
  selectionStart = 0;
  selectionEnd = 0;
  viewBox = { baseVal: { width: 100, height: 100 } };
  style = { setProperty() {} };
  content = this;

  constructor(localName) {
    super();
    this.localName = localName;
  }

  get nodeName() {
    return this.localName;
  }

  emptyCopy() {
    const copy = new this.constructor(this.localName);
    for (const { name, value } of this.attributes) copy.setAttribute(name, value);
    return copy;
  }

  /** Attributes that scripts usually set as properties. */
  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(text) {
    this.setAttribute("class", text);
  }

  set inert(isInert) {
    this.toggleAttribute("inert", isInert);
  }

  get classList() {
    const names = () => new Set(this.className.split(" ").filter((name) => name));
    const write = (change) => {
      const changed = names();
      change(changed);
      this.className = [...changed].join(" ");
    };
    return {
      contains: (name) => names().has(name),
      add: (name) => write((all) => all.add(name)),
      remove: (name) => write((all) => all.delete(name)),
      toggle: (name, isOn) => write((all) => (isOn ? all.add(name) : all.delete(name))),
    };
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof Element);
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }));
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.#attributes.has(name);
  }

  setAttribute(name, value) {
    this.#attributes.set(name, `${value}`);
    if (name.startsWith("data-")) this.dataset[name.slice("data-".length)] = `${value}`;
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  toggleAttribute(name, isOn) {
    if (isOn) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }

  matches(selector) {
    return isMatch(this, selector);
  }

  closest(selector) {
    for (let it = this; it instanceof Element; it = it.parentNode) if (it.matches(selector)) return it;
    return null;
  }

  querySelectorAll(selector) {
    const below = (node) => node.children.flatMap((child) => [child, ...below(child)]);
    return below(this).filter((element) => element.matches(selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  /** Reads elements that end in the order in which they began. Those that have no end go on to the end of the text. */
  set innerHTML(html) {
    this.replaceChildren();
    let parent = this;
    for (const [, end, name, attributes, isEmpty, words] of html.matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>|([^<]+)/g)) {
      if (words) parent.append(decode(words));
      else if (end) parent = parent.parentNode;
      else {
        const element = new (isSvg(name, parent) ? SVGElement : Element)(name);
        for (const [, key, value] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) element.setAttribute(key, decode(value));
        parent.append(element);
        if (!isEmpty) parent = element;
      }
    }
  }

  setSelectionRange(start, end) {
    Object.assign(this, { selectionStart: start, selectionEnd: end });
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, right: 100, bottom: 10, width: 100, height: 10 };
  }

  addEventListener() {}
  focus() {}
  scrollIntoView() {}

  click() {
    return this.onclick?.();
  }
}

class SVGElement extends Element {}

const isSvg = (name, parent) => name === "svg" || parent instanceof SVGElement;

/** The elements of page.html, by their ids. */
const parts = new Map();

/** The element of the page with this id. */
export const part = (id) => {
  if (!parts.has(id)) parts.set(id, new Element("div"));
  return parts.get(id);
};

const documentElement = new Element("html");
documentElement.append(part("notebook"));
// The smallest module of WebAssembly, its signature and its version, in the format of xz: `printf '\0asm\1\0\0\0' | xz --check=crc32`.
part("module").textContent = "/Td6WFoAAAFpIt42AgAhAQAAAAA3J5fWAQAHAGFzbQEAAAAAzjNLHAABHAhEYCrIkEKZDQEAAAAAAVla";

/** What the session answers to calls, by their names: a value, an error, or a promise. A test sets it. */
export const answers = {};

/** The calls that the session has got. */
export const calls = [];

class Worker {
  #isEnded = false;

  async postMessage({ call, argument }) {
    if (!call) return;
    calls.push({ call, argument });
    try {
      const answer = await answers[call]?.(argument);
      if (!this.#isEnded) this.onmessage?.({ data: { answer, blocks: [] } });
    } catch ({ message }) {
      if (!this.#isEnded) this.onerror?.({ message, preventDefault() {} });
    }
  }

  terminate() {
    this.#isEnded = true;
  }
}

/** The texts that the tab remembers. */
export const remembered = new Map();

/** The order of keys: numbers, texts, lists. */
const compare = (one, other) => {
  const rank = (key) => ["number", "string", "object"].indexOf(typeof key);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (!Array.isArray(one)) return one < other ? -1 : Number(one > other);
  const differing = one.findIndex((key, at) => at >= other.length || compare(key, other[at]));
  if (differing < 0) return one.length - other.length;
  return differing < other.length ? compare(one[differing], other[differing]) : 1;
};

/** A request that succeeds a moment later, as those of a data base do. */
const requestFor = (act) => {
  const request = {};
  setImmediate(() => {
    try {
      request.result = act();
      request.onsuccess?.();
    } catch (error) {
      request.error = error;
      request.onerror?.();
    }
  });
  return request;
};

class ObjectStore {
  records = [];
  #keyPath;

  constructor(keyPath) {
    this.#keyPath = keyPath;
  }

  #in = (range) => ({ key }) => (range?.has ? range.has(key) : compare(key, range) === 0);

  put(value, key = value[this.#keyPath]) {
    return requestFor(() => {
      this.records = this.records.filter((record) => compare(record.key, key));
      this.records.push({ key, value: structuredClone(value) });
      this.records.sort((one, other) => compare(one.key, other.key));
    });
  }

  get = (key) => requestFor(() => structuredClone(this.records.find(this.#in(key))?.value));
  getKey = (key) => requestFor(() => this.records.find(this.#in(key))?.key);
  getAll = (range) => requestFor(() => this.records.filter(this.#in(range)).map(({ value }) => structuredClone(value)));

  delete(range) {
    return requestFor(() => (this.records = this.records.filter((record) => !this.#in(range)(record))));
  }
}

/** The stores of the data base, by their names. */
export const stores = {};

const base = {
  createObjectStore: (name, { keyPath } = {}) => (stores[name] = new ObjectStore(keyPath)),
  transaction: () => ({ objectStore: (name) => stores[name] }),
};

const openBase = () => {
  const request = requestFor(() => {
    Object.assign(request, { result: base });
    if (!stores.sessions) request.onupgradeneeded();
    return base;
  });
  return request;
};

/** The locks that tabs hold. */
export const locks = new Set();

/** Holds a lock until the page ends, or refuses it after the time that the caller gives. */
const requestLock = (name, { signal }, use) => new Promise((resolve, refuse) => {
  if (!locks.has(name)) {
    locks.add(name);
    return resolve(use());
  }
  // Node does not wait for a signal alone.
  const waiting = setInterval(() => {}, 1000);
  signal.addEventListener("abort", () => {
    clearInterval(waiting);
    refuse(signal.reason);
  });
});

/** What listeners of the window have got: a test may call them. */
export const listeners = {};

const window = {
  addEventListener: (kind, listener) => (listeners[kind] = listener),
  document: {
    activeElement: null,
    documentElement,
    body: documentElement,
    addEventListener() {},
    createElement: (name) => new Element(name),
    getElementById: part,
    querySelectorAll: (selector) => documentElement.querySelectorAll(selector),
  },
  Element, HTMLInputElement: Element, Node, SVGElement, Text, Worker,
  IDBKeyRange: { bound: (low, high) => ({ has: (key) => compare(low, key) <= 0 && compare(key, high) <= 0 }) },
  indexedDB: { open: openBase },
  innerHeight: 800,
  innerWidth: 800,
  location: { hash: "", pathname: "/chainrule.html", href: "file:///chainrule.html" },
  navigator: { locks: { request: requestLock } },
  reportError: (error) => { throw error; },
  scrollTo() {},
  sessionStorage: {
    getItem: (slot) => remembered.get(slot) ?? null,
    setItem: (slot, text) => remembered.set(slot, text),
    removeItem: (slot) => remembered.delete(slot),
  },
};
for (const [name, value] of Object.entries(window)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** An answer of the session, with these facts. */
export const answerWith = (facts) => ({
  html: "", words: "", line: null, lesson: null, table: null, files: [], missing: null, numbers: null, quit: false, failed: false, entry: null,
  asks: false, walk: null, of_lesson: false, counted: 0, added: 0, target: null, pass: null, link: "", kept: "", anew: false, bound: [], leaves: [], sliders: [],
  picture: [], one_sign: [], states: [], ...facts,
});

/** Waits until a condition holds. */
export const until = async (condition) => {
  for (let turn = 0; turn < 1000 && !condition(); turn++) await new Promise(setImmediate);
  if (!condition()) throw new Error(`it never held: ${condition}`);
};
