// Draws an SVG file as PNG.

/** The pixels of the file for one pixel of the picture, so that letters are sharp. */
const SCALE = 2;

/** A picture with the colours of paper. @param {string} svg */
const pictureOnPaper = (svg) => {
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml");
  for (const style of picture.querySelectorAll("style")) {
    // The rules for media are those of dark screens.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style.textContent ?? "");
    style.textContent = [...sheet.cssRules].filter((rule) => !(rule instanceof CSSMediaRule)).map(({ cssText }) => cssText).join("");
  }
  return new XMLSerializer().serializeToString(picture);
};

/** The PNG file of an SVG file, with light colours on every screen unless the file has only dark ones. @param {BlobPart} content */
export const pngOf = async (content) => {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(pictureOnPaper(await new Blob([content]).text()))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.width, SCALE * image.height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const file = await new Promise((/** @type {BlobCallback} */ resolve) => canvas.toBlob(resolve));
  if (!file) throw new Error("the picture is too large");
  return file;
};
