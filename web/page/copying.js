// Copies formulas as they are typed: what a browser would copy of a fraction is only its letters.

/** @param {Node} node */
const formulaAround = (node) => (node instanceof Element ? node : node.parentElement)?.closest("math");

/** Extends a range to whole formulas. @param {Range} range */
const withWholeFormulas = (range) => {
  const whole = range.cloneRange();
  const [first, last] = [formulaAround(range.startContainer), formulaAround(range.endContainer)];
  if (first) whole.setStartBefore(first);
  if (last) whole.setEndAfter(last);
  return whole;
};

document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return;
  const copied = document.createElement("div");
  copied.append(withWholeFormulas(selection.getRangeAt(0)).cloneContents());
  const formulas = copied.querySelectorAll("math");
  if (!formulas.length) return;
  for (const formula of formulas) formula.replaceWith(formula.getAttribute("alttext") ?? "");
  // Only what the page shows has line breaks between its paragraphs.
  copied.style.cssText = "position:fixed;left:-9999px;white-space:pre-wrap";
  document.body.append(copied);
  event.clipboardData?.setData("text/plain", copied.innerText);
  copied.remove();
  event.preventDefault();
});
