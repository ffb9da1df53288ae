// The error and gamma functions and what is made of them; a page contains only the paragraphs that it needs.

// 2/sqrt(pi), the height of the slope of erf.
const errorHeight = 1.1283791670955126;

// The error function: its series, all of whose terms have one sign, up to where it is 1 to all digits.
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  if (!(Math.abs(x) > 1e-150)) return errorHeight * x;
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return errorHeight * Math.exp(-x * x) * sum;
}

// 1 - erf(x), to the right by its continued fraction.
function erfc(x) {
  if (!(x > 1.5)) return 1 - erf(x);
  if (x > 28) return 0;
  let below = x;
  for (let k = 150; k > 0; k--) below = x + k / 2 / below;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * below);
}

// 1/sqrt(2*pi), the height of the normal distribution.
const normalHeight = 0.3989422804014327;

// What the share below x is over the density times the distance, for r = 1/x^2.
const shrinking = (r) => [15, 13, 11, 9, 7, 5, 3, 1].reduce((rest, odd) => 1 - odd * r * rest, 1);

// x times the share of a normal distribution below it. Far to the left the share would lose its digits first.
function gelu(x) {
  if (!(x < -36)) return x * (erfc(-x * Math.SQRT1_2) / 2);
  const half = Math.exp((-x * x) / 4);
  return -normalHeight * shrinking(1 / (x * x)) * half * half;
}

// The share below x plus x times the density, beside its zero by its series there.
function geluSlope(x) {
  if (x > 40) return 1;
  if (x < -1e3) return 0;
  if (x < -36) {
    const half = Math.exp((-x * x) / 4);
    const r = 1 / (x * x);
    return normalHeight * (x * half) * (1 - r * shrinking(r)) * half;
  }
  const off = x + 0.7517915246935645 - 1.4956759177009883e-17;
  if (Math.abs(off) < 1e-3) {
    return off * (0.4314939923140469 + off * (0.388284982990552 + off * (-0.018199676398671087 + off * (-0.1140082332972217 - off * 0.014771522148244337))));
  }
  return erfc(-x * Math.SQRT1_2) / 2 + x * (normalHeight * Math.exp((-x * x) / 2));
}

// 0, -1, -2, ...: where the gamma function has its poles.
const isPole = (x) => x <= 0 && Math.floor(x) === x;

// sin(pi*x): the distance to the nearest whole number is exact, a multiple of pi would not be.
function sinPi(x) {
  const nearest = round(x);
  const sine = Math.sin(Math.PI * (x - nearest));
  return nearest % 2 === 0 ? sine : -sine;
}

// The series of 1/gamma(1 + u), without its first term, which is 1.
const reciprocalGamma = [
  0.5772156649015329, -0.6558780715202539, -0.04200263503409524, 0.16653861138229148, -0.04219773455554433,
  -0.009621971527876973, 0.0072189432466631, -0.0011651675918590652, -0.00021524167411495098,
  0.0001280502823881162, -2.013485478078824e-5, -1.2504934821426706e-6, 1.133027231981696e-6,
  -2.056338416977607e-7, 6.116095104481416e-9, 5.002007644469223e-9, -1.18127457048702e-9, 1.0434267116911005e-10,
  7.782263439905071e-12, -3.696805618642206e-12, 5.100370287454476e-13, -2.0583260535665066e-14,
  -5.348122539423018e-15, 1.2267786282382608e-15, -1.1812593016974588e-16,
];

// 1/gamma(1 + u) - 1 for u between -1/2 and 1/2.
const reciprocalGammaLess1 = (u) => u * reciprocalGamma.reduceRight((sum, c) => sum * u + c, 0);

// The gamma function of a number between -20 and 20: the nearest whole number's surroundings, and x*gamma(x).
function gammaNear(x) {
  const nearest = round(x);
  const base = 1 / (1 + reciprocalGammaLess1(x - nearest));
  let product = 1;
  for (let below = 1; below < nearest; below++) product *= x - below;
  if (nearest >= 1) return base * product;
  for (let above = 0; above <= -nearest; above++) product *= x + above;
  return base / product;
}

// Stirling's correction, from 20 on.
function stirlingRest(x) {
  const s = 1 / (x * x);
  return (1 / 12 + s * (-1 / 360 + s * (1 / 1260 + s * (-1 / 1680 + s * (1 / 1188 + s * (-691 / 360360 + s / 156)))))) / x;
}

// Stirling's formula from 20 on, as two factors: their product overflows where the gamma function does.
function stirling(x) {
  const half = Math.pow(x, 0.5 * x - 0.25);
  return [half * Math.exp(-x) * 2.5066282746310007 * Math.exp(stirlingRest(x)), half];
}

// -pi/(x*sin(pi*x)*gamma(-x)) times a factor, for x below -20.
function gammaReflected(x, factor) {
  if (x < -200) return 0 * factor * sinPi(x);
  const [most, rest] = stirling(-x);
  return (-Math.PI * factor) / (x * sinPi(x) * most) / rest;
}

// The product 1*2*...*n.
function factorialOf(n) {
  if (n > 170) return Infinity;
  let product = 1;
  for (let k = 2; k <= n; k++) product *= k;
  return product;
}

// The gamma function.
function gammaOf(x) {
  if (Number.isNaN(x) || x === Infinity) return x;
  if (isPole(x)) return x === 0 ? 1 / x : NaN;
  if (x % 1 === 0) return factorialOf(x - 1);
  if (Math.abs(x) < 1e-20) return 1 / x;
  if (Math.abs(x) < 20) return gammaNear(x);
  if (x < 0) return gammaReflected(x, 1);
  if (x > 180) return Infinity;
  const [most, rest] = stirling(x);
  return most * rest;
}

// gamma(x)*digamma(x).
function gammaSlope(x, out) {
  if (isPole(x)) return NaN;
  return Math.abs(out) < smallest ? gammaReflected(x, digamma(x)) : out * digamma(x);
}

// x! = gamma(x + 1).
function factorial(x) {
  if (Number.isNaN(x) || x === Infinity) return x;
  if (x < 0 && isPole(x)) return NaN;
  if (x >= 0 && x % 1 === 0) return factorialOf(x);
  if (x <= 0.5) return gammaOf(1 + x);
  if (x < 20) return gammaNear(x) * x;
  if (x > 180) return Infinity;
  const [most, rest] = stirling(x);
  return most * x * rest;
}

// x!*digamma(x + 1).
function factorialSlope(x, out) {
  if (x < 0 && isPole(x)) return NaN;
  return Math.abs(out) < smallest ? gammaReflected(1 + x, digamma(1 + x)) : out * digamma(1 + x);
}

// The logarithm of the size of the gamma function. Beside 1 and 2 it is small, so it is never taken of a rounded number.
function lgammaOf(x) {
  if (Number.isNaN(x)) return x;
  if (isPole(x) || Math.abs(x) === Infinity) return Infinity;
  if (Math.abs(x) < 1e-20) return -Math.log(Math.abs(x));
  if (x >= 20) return (x - 0.5) * (Math.log(x) - 1) - 0.5 + 0.9189385332046728 + stirlingRest(x);
  if (x <= -20) return Math.log(Math.PI / Math.abs(x * sinPi(x))) - lgammaOf(-x);
  if (x >= 0.5 && x < 1.5) return -Math.log1p(reciprocalGammaLess1(x - 1));
  if (x >= 1.5 && x < 2.5) return Math.log1p(x - 2) - Math.log1p(reciprocalGammaLess1(x - 2));
  return Math.log(Math.abs(gammaOf(x)));
}

// gamma'(x)/gamma(x): the recurrence up to where its asymptotic series holds.
function digamma(x) {
  if (isPole(x)) return x === 0 ? -1 / x : NaN;
  if (Number.isNaN(x) || Math.abs(x) < 1e-20) return -1 / x;
  if (x < 0) {
    const off = x - round(x);
    const tangent = Math.abs(off) > 0.25 ? 1 / Math.tan(Math.PI * (copySign(0.5, off) - off)) : Math.tan(Math.PI * off);
    return digamma(-x) - 1 / x - Math.PI / tangent;
  }
  let sum = 0;
  for (; x < 12; x++) sum -= 1 / x;
  const s = 1 / x / x;
  const tail = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132 - s * (691 / 32760 - s / 12))))));
  return sum + Math.log(x) - (0.5 / x + tail);
}

// The derivative of digamma, the same way.
function trigamma(x) {
  if (Number.isNaN(x) || x === -Infinity) return NaN;
  if (isPole(x)) return Infinity;
  if (x < 0) {
    const sine = sinPi(x);
    return (Math.PI / sine) * (Math.PI / sine) - trigamma(1 - x);
  }
  let sum = 0;
  for (; x < 12; x++) sum += 1 / x / x;
  if (x === Infinity || sum === Infinity) return sum;
  const s = 1 / x / x;
  const tail = 1 / 6 - s * (1 / 30 - s * (1 / 42 - s * (1 / 30 - s * (5 / 66 - s * (691 / 2730 - (s * 7) / 6)))));
  return sum + (1 + (0.5 + tail / x) / x) / x;
}

// The derivative of digamma as a derivative: there is none at the poles.
const digammaSlope = (x) => (isPole(x) ? NaN : trigamma(x));
