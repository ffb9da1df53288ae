//! Computes `tanh`, `sigmoid` and the derivative of `sigmoid`, which neural networks call all the time. No library that we
//! know is both accurate and fast enough.
//!
//! All three are quotients built from `e^x = 2^k*(1 + u)/(1 - u)`, where `k` is the whole number nearest to `x/ln(2)`,
//! `r = x - k*ln(2)` and `u = tanh(r/2)`. In `tanh` and `sigmoid`, sums carry their rounding errors along, so results are
//! within 0.53 units in the last place, and all but one in 3,000 are the nearest double. The compiler can vectorise a loop
//! over many numbers (SIMD), because each `if` here selects one of two numbers without a jump, and the code uses neither
//! tables nor fused multiply-add.

use super::double::{Double, quick_sum};
use std::f64::consts::LOG2_E;

/// The hyperbolic tangent: `(e^2x - 1)/(e^2x + 1)`.
#[inline]
pub(crate) fn tanh(x: f64) -> f64 {
    // Beyond 19.1 the result is 1 to the last place, so any larger bound does. A NaN compares false and passes through.
    let size = if x.abs() > 19.5 { 19.5 } else { x.abs() };
    // tanh = (1 + u - s*(1 - u))/(1 + u + s*(1 - u)), where s = 2^-k
    let (k, u) = exponent_and_rest(2.0 * size);
    let s = power_of_two(-k);
    let numerator = quick_sum(1.0, -s)
        .plus_smaller(u.high)
        .plus_smaller(s * u.high);
    let denominator = quick_sum(1.0, s)
        .plus_smaller(u.high)
        .plus_smaller(-s * u.high);
    let error = s * u.low;
    quotient(
        numerator.plus_rest(u.low + error),
        denominator.plus_rest(u.low - error),
    )
    .copysign(x)
}

/// `e^x/(e^x + 1)`.
#[inline]
pub(crate) fn sigmoid(x: f64) -> f64 {
    // Beyond these bounds the result is 0 or 1.
    let not_too_low = if x < -746.0 { -746.0 } else { x };
    let (k, u) = exponent_and_rest(if x > 38.0 { 38.0 } else { not_too_low });
    // sigmoid = p*(1 + u)/(p*(1 + u) + q*(1 - u)), where p/q = 2^k. Each of p and q has half of the exponent, because 2^k
    // may be out of range.
    let half = round_to_whole(0.5 * k);
    let (p, q) = (power_of_two(half), power_of_two(half - k));
    let numerator = quick_sum(p, p * u.high).plus_rest(p * u.low);
    // `quick_sum` needs the larger number first.
    let (larger, smaller) = if k > 0.0 { (p, q) } else { (q, p) };
    let denominator = quick_sum(larger, smaller)
        .plus_smaller(p * u.high)
        .plus_smaller(-q * u.high)
        .plus_rest(p * u.low - q * u.low);
    quotient(numerator, denominator)
}

/// The derivative of the sigmoid, as `e^x/(e^x + 1)^2`. In `out*(1 - out)` digits would cancel.
///
/// It is within 4 units in the last place: it drops `u.low` and the rounding errors of `1 + s` and of products.
#[inline]
pub(crate) fn sigmoid_dx(x: f64) -> f64 {
    // The derivative is symmetric, and 0 beyond 746.
    let (k, u) = exponent_and_rest(if x.abs() > 750.0 { 750.0 } else { x.abs() });
    // The derivative is s*(1 - u^2)/(1 + u + s*(1 - u))^2, where s = p*q = 2^-k. The last product is with q, because s may
    // be out of range.
    let half = round_to_whole(0.5 * k);
    let (p, q) = (power_of_two(-half), power_of_two(half - k));
    let s = p * q;
    let root = quick_sum(1.0 + s, u.high * (1.0 - s));
    let relative_error = 2.0 * root.low / root.high;
    let rough = (1.0 - u.high * u.high) * p / (root.high * root.high);
    (rough - rough * relative_error) * q
}

/// Splits `e^x` into the `k` and `u` of the formula at the top of this file.
#[inline]
fn exponent_and_rest(x: f64) -> (f64, Double) {
    /// The logarithm of 2, rounded to so few digits that its multiples are exact.
    const LN_2_HIGH: f64 = 0.693_147_180_559_208_2;
    /// The logarithm of 2 minus `LN_2_HIGH`.
    const LN_2_LOW: f64 = 7.371_002_565_167_799e-13;
    let k = round_to_whole(x * LOG2_E);
    let (rough, correction) = (x - k * LN_2_HIGH, k * LN_2_LOW);
    let r = rough - correction;
    let r_error = (rough - r) - correction;
    // tanh(y) = y + y^3*c(y^2). The sum for c is divided into pairs, which the processor can compute at the same time.
    let y = 0.5 * r;
    let z = y * y;
    let (z2, z4) = (z * z, z * z * (z * z));
    let pair = |index: usize| SERIES[index] + SERIES[index + 1] * z;
    let c = (pair(0) + z2 * pair(2)) + z4 * ((pair(4) + z2 * pair(6)) + z4 * pair(8));
    (k, quick_sum(y, y * z * c).plus_rest(0.5 * r_error))
}

/// Adding and then subtracting this number rounds to a whole number. After the addition, the whole number is in the last
/// bits.
const ROUND: f64 = 1.5 / f64::EPSILON;

#[inline]
fn round_to_whole(x: f64) -> f64 {
    (x + ROUND) - ROUND
}

/// `2^k` for a whole `k` from -1022 to 1023.
#[inline]
fn power_of_two(k: f64) -> f64 {
    // The last bits of `k + ROUND` are `k`. An exponent is stored plus 1023, above 52 bits of digits. The shift drops the
    // other bits of the sum. The sum cannot overflow, and `wrapping_add` avoids a check in debug builds.
    f64::from_bits(((k + ROUND).to_bits().wrapping_add(1023)) << 52)
}

/// The series of `(tanh(y) - y)/y^3` in `y^2`.
#[rustfmt::skip]
const SERIES: [f64; 10] = [
    -0.333_333_333_333_333_3, 0.133_333_333_333_333_33, -0.053_968_253_968_253_97,
    0.021_869_488_536_155_203, -0.008_863_235_529_902_197, 0.003_592_128_036_572_481,
    -0.001_455_834_387_051_318_3, 0.000_590_027_440_945_586, -0.000_239_129_114_243_552_48,
    9.691_537_956_929_451e-05,
];

/// The quotient of two numbers, rounded to an `f64`.
#[inline]
fn quotient(x: Double, y: Double) -> f64 {
    let reciprocal = 1.0 / y.high;
    let rough = x.high * reciprocal;
    // The remainder of the division. Its products are exact, because each factor has at most half of the digits.
    let halves = |number: f64| {
        let high = f64::from_bits(number.to_bits() & !0x7ff_ffff);
        (high, number - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (halves(rough), halves(y.high));
    let remainder =
        (((x.high - a_high * b_high) - a_high * b_low) - a_low * b_high) - a_low * b_low;
    rough + (remainder + (x.low - rough * y.low)) * reciprocal
}
