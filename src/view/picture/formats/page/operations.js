// The operations of the program's table, as `UPDATE=1 cargo test pictures::` writes them.

const operations = (() => {
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
return [
  { name: "addition", value: ([x, y]) => x + y, locals: ([x, y], out) => [1, 1] },
  { name: "subtraction", value: ([x, y]) => x - y, locals: ([x, y], out) => [1, (-1)] },
  { name: "multiplication", value: ([x, y]) => x * y, locals: ([x, y], out) => [y, x] },
  { name: "division", value: ([x, y]) => x / y, locals: ([x, y], out) => [1 / y, (-out) / y] },
  { name: "modulo", value: ([x, y]) => modulo(x, y), locals: ([x, y], out) => [1, either((out == y) * 1.0, 1, round((out - x) / y))] },
  { name: "power", value: ([x, y]) => Math.pow(x, y), locals: ([x, y], out) => [chained(y, Math.pow(x, y - 1)), chainedLn(out, x)] },
  { name: "negation", value: ([x]) => -x, locals: ([x], out) => [(-1)] },
  { name: "factorial", value: null, locals: null },
  { name: "less", value: ([x, y]) => (x < y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "less_or_equal", value: ([x, y]) => (x <= y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "greater", value: ([x, y]) => (x > y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "greater_or_equal", value: ([x, y]) => (x >= y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "equal", value: ([x, y]) => (x == y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "not_equal", value: ([x, y]) => (x != y) * 1.0, locals: ([x, y], out) => [0, 0] },
  { name: "abs", value: ([x]) => Math.abs(x), locals: ([x], out) => [sign(x)] },
  { name: "sqrt", value: ([x]) => Math.sqrt(x), locals: ([x], out) => [1 / (2 * out)] },
  { name: "cbrt", value: ([x]) => Math.cbrt(x), locals: ([x], out) => [1 / (3 * Math.pow(out, 2))] },
  { name: "rsqrt", value: ([x]) => 1 / Math.sqrt(x), locals: ([x], out) => [(-out) / (2 * x)] },
  { name: "square", value: ([x]) => x * x, locals: ([x], out) => [2 * x] },
  { name: "cube", value: ([x]) => x * x * x, locals: ([x], out) => [3 * Math.pow(x, 2)] },
  { name: "recip", value: ([x]) => 1 / x, locals: ([x], out) => [-Math.pow(out, 2)] },
  { name: "exp", value: ([x]) => Math.exp(x), locals: ([x], out) => [out] },
  { name: "exp2", value: ([x]) => Math.pow(2, x), locals: ([x], out) => [out * Math.log(2)] },
  { name: "expm1", value: ([x]) => Math.expm1(x), locals: ([x], out) => [Math.exp(x)] },
  { name: "ln", value: ([x]) => Math.log(x), locals: ([x], out) => [1 / x] },
  { name: "log2", value: ([x]) => Math.log2(x), locals: ([x], out) => [1 / (x * Math.log(2))] },
  { name: "log10", value: ([x]) => Math.log10(x), locals: ([x], out) => [(1 / Math.log(10)) / x] },
  { name: "log1p", value: ([x]) => Math.log1p(x), locals: ([x], out) => [1 / (1 + x)] },
  { name: "sin", value: ([x]) => Math.sin(x), locals: ([x], out) => [Math.cos(x)] },
  { name: "cos", value: ([x]) => Math.cos(x), locals: ([x], out) => [-Math.sin(x)] },
  { name: "tan", value: ([x]) => Math.tan(x), locals: ([x], out) => [1 + Math.pow(out, 2)] },
  { name: "asin", value: ([x]) => Math.asin(x), locals: ([x], out) => [1 / Math.sqrt((1 - x) * (1 + x))] },
  { name: "acos", value: ([x]) => Math.acos(x), locals: ([x], out) => [-(1 / Math.sqrt((1 - x) * (1 + x)))] },
  { name: "atan", value: ([x]) => Math.atan(x), locals: ([x], out) => [1 / (1 + Math.pow(x, 2))] },
  { name: "atan2", value: ([x, y]) => Math.atan2(x, y), locals: ([x, y], out) => [(y / lengthOf([x, y])) / lengthOf([x, y]), ((-x) / lengthOf([x, y])) / lengthOf([x, y])] },
  { name: "sinh", value: ([x]) => Math.sinh(x), locals: ([x], out) => [Math.cosh(x)] },
  { name: "cosh", value: ([x]) => Math.cosh(x), locals: ([x], out) => [Math.sinh(x)] },
  { name: "tanh", value: ([x]) => Math.tanh(x), locals: ([x], out) => [Math.pow(1 / Math.cosh(x), 2)] },
  { name: "asinh", value: ([x]) => Math.asinh(x), locals: ([x], out) => [1 / lengthOf([x, 1])] },
  { name: "acosh", value: ([x]) => Math.acosh(x), locals: ([x], out) => [(1 / Math.sqrt(x - 1)) * (1 / Math.sqrt(x + 1))] },
  { name: "atanh", value: ([x]) => Math.atanh(x), locals: ([x], out) => [Math.pow(1 / Math.sqrt((1 - x) * (1 + x)), 2)] },
  { name: "sigmoid", value: ([x]) => sigmoid(x), locals: ([x], out) => [Math.pow(0.5 * (1 / Math.cosh(0.5 * x)), 2)] },
  { name: "logsigmoid", value: ([x]) => -softplus(-x), locals: ([x], out) => [sigmoid(-x)] },
  { name: "relu", value: ([x]) => relu(x), locals: ([x], out) => [either((x > 0) * 1.0, 1, 0)] },
  { name: "leakyrelu", value: ([x]) => leaky(x, 0.01), locals: ([x], out) => [either((x > 0) * 1.0, 1, 0.01)] },
  { name: "leakyrelu_with_slope", value: ([x, y]) => leaky(x, y), locals: ([x, y], out) => [either(relu(x), 1, either(x, y, clamp(y, 0, 1))), smallestOf([x, 0])] },
  { name: "elu", value: ([x]) => elu(x), locals: ([x], out) => [either((x > 0) * 1.0, 1, Math.exp(x))] },
  { name: "gelu", value: null, locals: null },
  { name: "silu", value: ([x]) => x * sigmoid(x), locals: ([x], out) => [sigmoid(x) + (0.25 * (chained(x, 1 / Math.cosh(0.5 * x)) * (1 / Math.cosh(0.5 * x))))] },
  { name: "softplus", value: ([x]) => softplus(x), locals: ([x], out) => [sigmoid(x)] },
  { name: "softsign", value: ([x]) => x / (1 + Math.abs(x)), locals: ([x], out) => [(1 / (1 + Math.abs(x))) / (1 + Math.abs(x))] },
  { name: "chain", value: ([x, y]) => chained(x, y), locals: ([x, y], out) => [y, x] },
  { name: "chain_ln", value: ([x, y]) => chainedLn(x, y), locals: ([x, y], out) => [Math.log(y), x / y] },
  { name: "sech", value: ([x]) => 1 / Math.cosh(x), locals: ([x], out) => [(-out) * Math.tanh(x)] },
  { name: "sum", value: (a) => total(a), locals: (a, out) => ones(a) },
  { name: "prod", value: (a) => product(a), locals: (a, out) => productsOfOthers(a) },
  { name: "hypot", value: (a) => lengthOf(a), locals: (a, out) => quotients(a, out) },
  { name: "logsumexp", value: (a) => logSumExp(a), locals: (a, out) => sharesOfExp(a, out) },
  { name: "min", value: (a) => smallestOf(a), locals: (a, out) => shares(a, out) },
  { name: "max", value: (a) => largestOf(a), locals: (a, out) => shares(a, out) },
  { name: "median_low", value: null, locals: null },
  { name: "median_high", value: null, locals: null },
  { name: "gcd", value: null, locals: null },
  { name: "lcm", value: null, locals: null },
  { name: "clamp", value: ([x, y, z]) => clamp(x, y, z), locals: ([x, y, z], out) => [either((x < y) * 1.0, 0, either((x > z) * 1.0, 0, 1)), either((x < y) * 1.0, 1, 0), either((x > z) * 1.0, 1, 0)] },
  { name: "floor", value: ([x]) => Math.floor(x), locals: ([x], out) => [0] },
  { name: "ceil", value: ([x]) => Math.ceil(x), locals: ([x], out) => [0] },
  { name: "round", value: ([x]) => round(x), locals: ([x], out) => [0] },
  { name: "round_to", value: null, locals: null },
  { name: "trunc", value: ([x]) => Math.trunc(x), locals: ([x], out) => [0] },
  { name: "sign", value: ([x]) => sign(x), locals: ([x], out) => [0] },
  { name: "rem", value: ([x, y]) => fmod(x, y), locals: ([x, y], out) => [1, round((out - x) / y)] },
  { name: "erf", value: null, locals: null },
  { name: "erfc", value: null, locals: null },
  { name: "gamma", value: null, locals: null },
  { name: "lgamma", value: null, locals: null },
  { name: "digamma", value: null, locals: null },
  { name: "trigamma", value: null, locals: null },
  { name: "polygamma", value: null, locals: null },
  { name: "if", value: ([x, y, z]) => either(x, y, z), locals: ([x, y, z], out) => [0, either(x, 1, 0), either(x, 0, 1)] },
];
})();
