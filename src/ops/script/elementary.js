// Functions that the rows' JavaScript calls where Math alone is not enough. They agree with the Rust functions of this
// folder to 1e-12, and at special points exactly. A page contains only the paragraphs that its graph needs.

// -1, 0 or 1; +0 at either zero.
const sign = (x) => (x === 0 ? 0 : Math.sign(x));

// The derivative of a step: 0, also at the jump; NaN at NaN.
const flat = (x) => (Number.isNaN(x) ? NaN : 0);

// The size of the first with the sign of the second, zeros minded.
const copySign = (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x));

// The nearest whole number, halves away from 0: Math.round takes them upwards.
function round(x) {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

// The smallest number with all its digits: below it they are lost one by one.
const smallest = 2 ** -1022;

// Has it all its digits?
const isNormal = (x) => Math.abs(x) >= smallest && Math.abs(x) < Infinity;

// x*y, but 0 if either is exactly 0, whatever the other is.
const chained = (x, y) => (x === 0 || y === 0 ? 0 : x * y);

// One over the square root.
const rsqrt = (x) => 1 / Math.abs(Math.sqrt(x));

// 2 to the power of x.
const exp2 = (x) => Math.pow(2, x);

// The remainder with the sign of x.
const fmod = (x, y) => x % y;

// -x/y^2 as -(x/y)/y; a quotient that has lost digits is taken again from a lifted x.
function divisionSlope(x, y, out) {
  if (Math.abs(out) < smallest && x !== 0 && Math.abs(y) < Infinity) {
    const lift = 2 ** 200;
    return -((x * lift) / y / y) / lift;
  }
  return -out / y;
}

// The remainder that has the sign of y.
function modulo(x, y) {
  const rest = x % y;
  if (rest === 0) return copySign(rest, y);
  return rest < 0 === y < 0 ? rest : rest + y;
}

// 1, except where there is no remainder at all.
const remainderSlope = (out) => (Number.isNaN(out) ? NaN : 1);

// Math.pow, but 1 to any power and any power of 0 are 1, and so is -1 to an infinite one.
function power(x, y) {
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  return Math.pow(x, y);
}

// y*x^(y - 1), taken from the value where that has its digits, else from the root of it.
function powerSlopeX(x, y, out) {
  if (y === 0) return 0;
  if (Number.isNaN(out) || Math.abs(x) === Infinity) return y * power(x, y - 1);
  if (x === 0) return y * power(y % 1 === 0 ? x : Math.abs(x), y - 1);
  if (Math.abs(y) === Infinity) return out === 0 ? 0 : y * out;
  if (isNormal(out) && isNormal(out / x)) return y * (out / x);
  const half = Math.pow(Math.abs(x), y / 2);
  const size = ((half * y) / Math.abs(x)) * half;
  return x < 0 && y % 2 === 0 ? -size : size;
}

// y*x^(y - 1) as an operation of its own.
const powerSlope = (x, y) => powerSlopeX(x, y, power(x, y));

// x^(y - 1)*(1 + y*ln(x)); at 0 the limit from the right.
function powerSlopeByY(x, y) {
  if (Number.isNaN(y) || !(x >= 0)) return NaN;
  if (x > 0) return chained(power(x, y - 1), 1 + chained(y, Math.log(x)));
  return y > 1 ? 0 : y > 0 ? -Infinity : Infinity;
}

// x^y*ln(x).
function powerSlopeY(x, y, out) {
  if (x === 0 && !Number.isNaN(y)) return y >= 0 ? 0 : -Infinity;
  if (x < 0) return NaN;
  if (isNormal(out) || x === Infinity || Math.abs(y) === Infinity) {
    return out === 0 ? 0 : out * Math.log(x);
  }
  const half = power(x, y / 2);
  return half * Math.log(x) * half;
}

// 2^x*ln(2), which is still finite a little beyond where 2^x is not.
const exp2Slope = (x, out) => (out === Infinity ? 2 ** (x - 1) * (2 * Math.LN2) : out * Math.LN2);

// 1/sqrt(1 - x^2).
const asinSlope = (x) => 1 / Math.sqrt((1 - x) * (1 + x));

// 1/(1 + x^2), also where the square overflows.
const atanSlope = (x) => (Math.abs(x) < 1e8 ? 1 / (x * x + 1) : (1 / x) * (1 / x));

// part/(x^2 + y^2), dividing twice by the length.
function overSquare(part, x, y) {
  if ((Math.abs(x) === Infinity && !Number.isNaN(y)) || (Math.abs(y) === Infinity && !Number.isNaN(x))) return 0;
  const largest = Math.max(Math.abs(x), Math.abs(y));
  if (!(largest > 0)) return NaN;
  const scale = 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Math.log2(largest))));
  const length = Math.hypot(x * scale, y * scale);
  // Lifted on the way, so that only the last step can lose digits.
  return ((part * scale * 2 ** 50) / length / length) * (scale * 2 ** -50);
}

// One over the hyperbolic cosine.
function sech(x) {
  const e = Math.exp(-Math.abs(x));
  return (2 * e) / (1 + e * e);
}

// x/hypot(x, y); 0 at the origin.
const direction = (x, y) => hypotSlopes([x, y], Math.hypot(x, y))[0];

// 1/(1 + exp(-x)) without overflow.
function sigmoid(x) {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

// ln(sigmoid(x)).
function logsigmoid(x) {
  const tail = Math.log1p(Math.exp(-Math.abs(x)));
  return x < 0 ? x - tail : -tail;
}

// ln(1 + exp(x)) without a threshold.
function softplus(x) {
  const tail = Math.log1p(Math.exp(-Math.abs(x)));
  return x > 0 ? x + tail : tail;
}

// x/(1 + |x|).
const softsign = (x) => (Math.abs(x) === Infinity ? Math.sign(x) : x / (1 + Math.abs(x)));

// x*sigmoid(x).
function silu(x) {
  if (x === -Infinity) return -0;
  if (x >= -700 || Number.isNaN(x)) return x * sigmoid(x);
  const half = Math.exp(0.5 * x);
  return x * half * half;
}

// sigmoid(x)*(1 + x*sigmoid(-x)), beside its zero by its series there.
function siluSlope(x) {
  if (Math.abs(x) === Infinity) return x > 0 ? 1 : 0;
  const off = x + 1.2784645427610737 + 1.0946994183093437e-16;
  if (Math.abs(off) < 1e-3) {
    return off * (0.2178117057198001 + off * (0.1466487969969469 + off * (0.018874814223782312 + off * (-0.015222655223188032 - off * 0.006606589138356696))));
  }
  if (x < -700) {
    const half = Math.exp(0.5 * x);
    return (1 + x) * half * half;
  }
  return sigmoid(x) * (1 + x * sigmoid(-x));
}

// x where it is positive, else 0.
const relu = (x) => (x <= 0 ? 0 : x);

// x where it is positive, else slope times it; NaN if the slope is.
const leaky = (x, slope) => (x > 0 && !Number.isNaN(slope) ? x : slope * x);

// x where it is positive, else exp(x) - 1.
const elu = (x) => (x > 0 ? x : Math.expm1(x));

// The sum of all operands.
const total = (a) => a.reduce((sum, x) => sum + x);

// The derivatives of a sum.
const ones = (a) => a.map(() => 1);

// The product of all operands.
const product = (a) => a.reduce((product, x) => product * x);

// For each operand the product of the others, of those before it and those behind it.
function productsOfOthers(a) {
  const times = (x, y) => (x === 0 || y === 0 ? 0 : x * y);
  const products = Array(a.length).fill(1);
  for (let at = a.length - 1; at > 0; at--) products[at - 1] = times(products[at], a[at]);
  let before = 1;
  for (const [at, x] of a.entries()) {
    products[at] = times(products[at], before);
    before *= x;
  }
  return products;
}

// The smallest operand; NaN if any is.
const smallestOf = (a) => a.reduce((best, x) => (Number.isNaN(best) || x >= best ? best : x));

// The largest operand; NaN if any is.
const largestOf = (a) => a.reduce((best, x) => (Number.isNaN(best) || x <= best ? best : x));

// 1 to the operand that is the extreme one; operands that tie share it.
function shares(a, out) {
  const share = 1 / a.filter((x) => x === out).length;
  return a.map((x) => (Number.isNaN(out) ? NaN : x === out ? share : 0));
}

// x kept between low and high; NaN if low is above high.
function clamp(x, low, high) {
  if (Number.isNaN(x) || !(low <= high)) return NaN;
  return x < low ? low : x > high ? high : x;
}

// yes unless the condition is 0, then no; NaN if the condition is NaN.
const either = (condition, yes, no) => (Number.isNaN(condition) ? NaN : condition === 0 ? no : yes);

// The length of a vector.
const hypotOf = (a) => Math.hypot(...a);

// x/out; 0 at the origin. A length that overflowed or lost digits is taken again, scaled.
function hypotSlopes(a, out) {
  if (out === 0) return a.map(() => 0);
  const lost = out === Infinity && a.every(Number.isFinite);
  if (!(out < smallest) && !lost) return a.map((x) => x / out);
  const largest = Math.max(...a.map(Math.abs));
  const scaled = a.map((x) => x / largest);
  const length = Math.hypot(...scaled);
  return scaled.map((x) => x / length);
}
