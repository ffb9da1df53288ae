// Numbers as text and back: the page writes them as the program does. Nothing of the graph is known here.

// A number with so many significant digits, as the program writes it: with 17 the shortest that reads back; all digits
// that stand before the point; a whole number up to 2^53 in full.
function text(x, digits) {
  if (Number.isNaN(x)) return "NaN";
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  const size = Math.abs(x);
  if (size === Infinity) return `${sign}inf`;
  if (Number.isInteger(size) && size <= 2 ** 53) return `${sign}${size}`;
  const parts = (written) => {
    const [figures, exponent] = written.split("e");
    return [figures.replace(".", ""), Number(exponent)];
  };
  let [figures, exponent] = parts(size.toExponential());
  const shown = exponent < 15 ? Math.max(digits, exponent + 1) : digits;
  if (digits < 17 && figures.length > shown) {
    const exact = parts(size.toExponential(100))[0];
    const tie = /^50*$/.test(exact.slice(shown)) && Number(exact[shown - 1]) % 2 === 0;
    // Of two numbers as near the even one is taken, which toExponential does not do.
    [figures, exponent] = tie ? [exact.slice(0, shown), exponent] : parts(size.toExponential(shown - 1));
  }
  figures = figures.replace(/0+$/, "") || "0";
  const point = (before) => (figures.length > before ? `${figures.slice(0, before)}.${figures.slice(before)}` : figures.padEnd(before, "0"));
  if (exponent < -5 || exponent >= 15) return `${sign}${point(1)}e${exponent}`;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${figures}`;
  return sign + point(exponent + 1);
}

// With as many more digits as it takes to tell it from another number.
function apart(x, other, digits) {
  while (digits < 17 && !Object.is(x, other) && text(x, digits) === text(other, digits)) digits += 1;
  return text(x, digits);
}

const short = (x) => text(x, graph.digits);
const full = (x) => text(x, 17);

// What was typed as a number; undefined if it is none.
function read(typed) {
  const plain = typed.trim().replace(/−/g, "-").replace(/(\d)_(?=\d)/g, "$1");
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (word) return word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const x = Number(plain);
  return Number.isFinite(x) ? x : undefined;
}
