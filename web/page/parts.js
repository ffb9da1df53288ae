// Finds elements of the page, makes new ones, and adds articles to the notebook.

/** The element of page.html with this id. The type is `any`, because the kinds of the elements are known only there. @param {string} id @returns {any} */
export const part = (id) => document.getElementById(id);

/** A new element. @param {string} name @param {object} properties @param {(string | Node)[]} children @returns {any} */
export const newElement = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** @type {(textContent: string, onclick: () => unknown) => HTMLButtonElement} */
export const button = (textContent, onclick) => newElement("button", { type: "button", textContent, onclick });

/** Selects the words in answers that a click copies into the input line. The echoed statement (`kbd`) is excluded. */
export const CLICKABLE_WORDS = ".typed:not(kbd *)";

/** New words that a click copies into the input line. @param {string} textContent */
export const clickableWords = (textContent) => newElement("code", { className: "typed", textContent });

/** Adds an article to the end of the notebook. @param {(string | Node)[]} content */
export const show = (...content) => {
  const article = newElement("article", {}, ...content);
  part("notebook").append(article);
  makeAccessible(article);
  reveal(article);
  return article;
};

/** Adds a note to the end of the notebook. @param {(string | Node)[]} content */
export const note = (...content) => show(newElement("p", { className: "note" }, ...content));

/** Makes a screen reader read a message after its present sentence. @param {string} message */
export const announce = (message) => (part("status").textContent = message);

/** Makes the pictures, words and tables of an element usable with keys and fingers. @param {Element} element */
export const makeAccessible = (element) => {
  // On a picture that is wider than the page, a finger scrolls instead of pointing.
  for (const figure of element.querySelectorAll("figure")) {
    figure.classList.toggle("wide", figure.scrollWidth > figure.clientWidth);
  }
  // The Tab key reaches the words, and a screen reader calls them buttons.
  for (const words of element.querySelectorAll(CLICKABLE_WORDS)) {
    Object.assign(words, { tabIndex: 0, role: "button" });
  }
  // The arrow keys scroll a table only while it has the focus.
  for (const table of element.querySelectorAll("table")) {
    table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1;
  }
};

/** Scrolls down to the input line, but keeps the beginning of the article in sight. @param {HTMLElement} article */
export const reveal = (article) => {
  const bottom = document.documentElement.scrollHeight - innerHeight;
  // 8 pixels above the article stay visible.
  scrollTo(0, Math.min(bottom, article.offsetTop - 8));
};
