// @ts-check
// Finds and makes parts of the page.

/**
 * The element of the page with this id. page.html has its kind.
 * @param {string} id
 * @returns {any}
 */
export const part = (id) => document.getElementById(id);

/**
 * A new element.
 * @param {string} name
 * @param {object} properties
 * @param {(string | Node)[]} children
 * @returns {any}
 */
export const newElement = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** @type {(textContent: string, onclick: () => unknown) => HTMLButtonElement} */
export const button = (textContent, onclick) => newElement("button", { type: "button", textContent, onclick });

/** Finds words of answers that can be put into the line. Statements above answers are none. */
export const WORDS = ".typed:not(kbd *)";

/** Words that can be put into the line. @param {string} textContent */
export const words = (textContent) => newElement("code", { className: "typed", textContent });

/** Puts an article at the end of the notebook. @param {(string | Node)[]} things */
export const show = (...things) => {
  const article = newElement("article", {}, ...things);
  part("notebook").append(article);
  reach(article);
  reveal(article);
  return article;
};

/** @param {(string | Node)[]} words */
export const note = (...words) => show(newElement("p", { className: "note" }, ...words));

/** Makes a screen reader say these words after it has finished its own. @param {string} words */
export const announce = (words) => (part("status").textContent = words);

/** Lets keys and fingers scroll wide tables and pictures, and reach the words that can be put into the line. @param {Element} element */
export const reach = (element) => {
  for (const figure of element.querySelectorAll("figure")) figure.classList.toggle("wide", figure.scrollWidth > figure.clientWidth);
  for (const one of element.querySelectorAll(WORDS)) Object.assign(one, { tabIndex: 0, role: "button" });
  for (const table of element.querySelectorAll("table")) table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1;
};

/** Scrolls down to the line, unless the beginning of the answer would go out of sight. @param {HTMLElement} article */
export const reveal = (article) => {
  scrollTo(0, Math.min(document.documentElement.scrollHeight - innerHeight, article.offsetTop - 8));
};
