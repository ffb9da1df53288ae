// Functions that the rows' JavaScript calls where Math alone is not enough. A page contains only those that it needs.

// -1, 0 or 1.
const sign = (x) => (x === 0 ? 0 : Math.sign(x));

// The nearest whole number, halves away from 0: Math.round takes them upwards.
const round = (x) => Math.sign(x) * Math.round(Math.abs(x));

// x*y, but 0 if either is exactly 0, whatever the other is.
const chained = (x, y) => (x === 0 || y === 0 ? 0 : x * y);

// x*ln(y) where x is a power of y: 0 at 0.
const chainedLn = (x, y) => (y === 0 && Number.isFinite(x) ? 0 : chained(x, Math.log(y)));

// The remainder with the sign of x.
const fmod = (x, y) => x % y;

// The remainder with the sign of y.
const modulo = (x, y) => (x % y !== 0 && x < 0 !== y < 0 ? (x % y) + y : x % y);

// 1/(1 + exp(-x)) without overflow.
function sigmoid(x) {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

// ln(1 + exp(x)) without overflow.
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

// x where it is positive, else 0.
const relu = (x) => Math.max(x, 0);

// x where it is positive, else slope times it.
const leaky = (x, slope) => (x > 0 ? x : slope * x);

// x where it is positive, else exp(x) - 1.
const elu = (x) => (x > 0 ? x : Math.expm1(x));

// yes unless the condition is 0, then no.
const either = (condition, yes, no) => (condition === 0 ? no : yes);

// The sum of all operands.
const total = (a) => a.reduce((sum, x) => sum + x);

// The derivatives of a sum.
const ones = (a) => a.map(() => 1);

// The product of all operands.
const product = (a) => a.reduce((product, x) => product * x, 1);

// For each operand the product of the others.
const productsOfOthers = (a) => a.map((_, at) => product(a.filter((_, other) => other !== at)));

// The smallest and the largest operand, and the length of a vector.
const smallestOf = (a) => Math.min(...a);

const largestOf = (a) => Math.max(...a);

const lengthOf = (a) => Math.hypot(...a);

// x/out for each operand; 0 at the origin.
const quotients = (a, out) => a.map((x) => (out === 0 ? 0 : x / out));

// The logarithm of the sum of the exponentials, from the distances to the largest operand.
const logSumExp = (a) => {
  const largest = Math.max(...a);
  return Number.isFinite(largest) ? largest + Math.log(a.reduce((sum, x) => sum + Math.exp(x - largest), 0)) : largest;
};

// The share of each exponential in their sum.
const sharesOfExp = (a, out) => {
  const powers = a.map((x) => Math.exp(x - out));
  const all = total(powers);
  return powers.map((x) => (x === 0 ? 0 : x / all));
};

// 1 to the operand that is the extreme one; operands that tie share it.
const shares = (a, out) => a.map((x) => (x === out ? 1 / a.filter((y) => y === out).length : 0));

// x kept between low and high.
const clamp = (x, low, high) => (x < low ? low : x > high ? high : x);
