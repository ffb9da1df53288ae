// Finds what is wrong with the layout of the screen: things that overlap, are cut off or are too small to be pressed.
// The value of this script is a function that returns a list of sentences. Without `isTall`, the sticky parts of the page
// may cover the answers, which scroll below them, so each part is compared only with itself.
(isTall) => {
  const faults = [];
  const PRESSED = "button, input:not([type=checkbox]), textarea, select, summary, a[href], label, [role=button], [role=slider], [role=option], article:has(> .docked) .present > circle + circle";
  /** These scroll to the side on purpose. */
  const SCROLLING = "figure, table, .stage";
  const LEAST_PIXELS = 24;

  const describe = (it) => {
    const element = it instanceof Element ? it : it.parentElement;
    const words = (it.textContent || element.ariaLabel || element.value || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.localName}${element.id && `#${element.id}`} "${words}"`;
  };
  const isShown = (element) => {
    const { clipPath } = getComputedStyle(element);
    // Words for screen readers only.
    const isForReaders = clipPath !== "none";
    return !isForReaders && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  /** The part of a rectangle that the boxes around it leave to be seen; undefined if they hide it. */
  const seenPart = (rectangle, element) => {
    let { left, top, right, bottom } = rectangle;
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (around === document.body || getComputedStyle(around).overflow === "visible") continue;
      const box = around.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : undefined;
  };
  /** The part of the page that scrolls as one with this element. */
  const layerOf = (element) => element.closest("dialog, nav:popover-open, #choices, #prompt, .docked, .steps, .beside > figure, body > header") ?? document.body;
  const isCovered = document.querySelector("dialog[open]");
  const isInUse = (element) => !isCovered || isCovered.contains(element);

  const pressed = [...document.querySelectorAll(PRESSED)].filter((it) => isShown(it) && isInUse(it));
  const boxes = [];
  const add = (item, element, rectangle) => {
    const seen = seenPart(rectangle, element);
    if (seen) boxes.push({ item, element, layer: layerOf(element), ...seen });
    const mayScroll = element.closest(SCROLLING);
    const isCut = seen && !mayScroll && (rectangle.left < seen.left - 1 || rectangle.right > seen.right + 1);
    const isOutside = !mayScroll && (rectangle.left < -0.5 || rectangle.right > document.documentElement.clientWidth + 0.5);
    if (isCut || isOutside) faults.push(`${describe(item)} is cut at the side`);
  };
  for (const element of pressed) {
    const rectangle = element.getBoundingClientRect();
    // What is dragged in a picture lies on its words.
    if (!element.matches("circle, #graph *")) for (const line of element.getClientRects()) add(element, element, line);
    // WCAG 2.5.8 excepts words in a sentence.
    const isInSentence = getComputedStyle(element).display === "inline" && !(element instanceof SVGElement);
    const size = Math.min(rectangle.width, rectangle.height);
    if (!isInSentence && size < LEAST_PIXELS - 0.01) faults.push(`${describe(element)} has ${size.toFixed(1)} pixels`);
    if (element.matches(".slider .end") && element.scrollWidth > element.clientWidth) faults.push(`${describe(element)} hides a part of ${element.value}`);
  }
  // Formulas and pictures have letters close to each other. The words of a picture are compared below.
  const formulas = [...document.querySelectorAll("math")].filter((it) => isShown(it) && isInUse(it));
  for (const formula of formulas) add(formula, formula, formula.getBoundingClientRect());
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || element.closest("math, script, style, noscript, textarea, title, #gap, #paint") || !isShown(element) || !isInUse(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rectangle of range.getClientRects()) add(text, element, rectangle);
  }
  const isWithin = (one, other) => one.item === other.item || one.item.contains(other.item) || other.item.contains(one.item);
  boxes.sort((one, other) => one.top - other.top);
  boxes.forEach((one, at) => {
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom - 1; next++) {
      const other = boxes[next];
      const overlaps = Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - other.top > 1;
      const isCompared = isTall || one.layer === other.layer;
      if (overlaps && isCompared && !isWithin(one, other)) faults.push(`${describe(one.item)} overlaps ${describe(other.item)}`);
    }
  });
  // What is in front can be reached.
  for (const element of pressed.filter((it) => it.closest("#prompt, dialog, nav"))) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const seen = seenPart({ left, top, right, bottom }, element);
    const front = seen && document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
    if (front && !element.contains(front) && !front.contains(element)) faults.push(`${describe(element)} is covered by ${describe(front)}`);
  }
  return [...new Set(faults)];
}
