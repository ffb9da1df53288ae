//! `tanh` and `sigmoid`, which neural networks call all the time. They are written here, because no library is both
//! accurate and fast enough.
//!
//! Both are quotients built from `e^x = 2^k*(1 + u)/(1 - u)`, where `k` is the whole number nearest to `x/ln(2)`,
//! `r = x - k*ln(2)` and `u = tanh(r/2)`. Sums carry their rounding errors along, so results are within 0.53 units in the
//! last place, and all but one in 3,000 are the nearest double. The code has no branches, tables or fused multiply-add, so
//! the compiler can vectorise a loop over many numbers (SIMD).

use super::double::{Double, quick_sum};
use std::f64::consts::LOG2_E;

/// The hyperbolic tangent: `(e^2x - 1)/(e^2x + 1)`.
#[inline]
pub(crate) fn tanh(x: f64) -> f64 {
    // Beyond 19.1 the result is 1 to the last place. A NaN compares false and passes through.
    let size = if x.abs() > 19.5 { 19.5 } else { x.abs() };
    let (k, u) = exponent_and_rest(2.0 * size);
    let scale = power_of_two(-k);
    let below = quick_sum(1.0, -scale)
        .plus_smaller(u.high)
        .plus_smaller(scale * u.high);
    let above = quick_sum(1.0, scale)
        .plus_smaller(u.high)
        .plus_smaller(-scale * u.high);
    let error = scale * u.low;
    quotient(
        below.plus_rest(u.low + error),
        above.plus_rest(u.low - error),
    )
    .copysign(x)
}

/// `e^x/(e^x + 1)`.
#[inline]
pub(crate) fn sigmoid(x: f64) -> f64 {
    // Beyond these bounds the result is 0 or 1.
    let not_too_low = if x < -746.0 { -746.0 } else { x };
    let (k, u) = exponent_and_rest(if x > 38.0 { 38.0 } else { not_too_low });
    // Each factor takes half of the power of two, because the whole power may be out of range.
    let half = round_to_whole(0.5 * k);
    let (ours, other) = (power_of_two(half), power_of_two(half - k));
    let part = quick_sum(ours, ours * u.high).plus_rest(ours * u.low);
    let (more, less) = if k > 0.0 {
        (ours, other)
    } else {
        (other, ours)
    };
    // The larger term first.
    let whole = quick_sum(more, less)
        .plus_smaller(ours * u.high)
        .plus_smaller(-other * u.high)
        .plus_rest(ours * u.low - other * u.low);
    quotient(part, whole)
}

/// The derivative of the sigmoid, as `e^x/(e^x + 1)^2`. In `out*(1 - out)` digits would cancel.
#[inline]
pub(crate) fn sigmoid_dx(x: f64) -> f64 {
    // The derivative is symmetric, and 0 beyond 746.
    let (k, u) = exponent_and_rest(if x.abs() > 750.0 { 750.0 } else { x.abs() });
    let half = round_to_whole(0.5 * k);
    let (one, other) = (power_of_two(-half), power_of_two(half - k));
    let power = one * other;
    let whole = quick_sum(1.0 + power, u.high * (1.0 - power));
    let error = 2.0 * whole.low / whole.high;
    let rough = (1.0 - u.high * u.high) * one / (whole.high * whole.high);
    (rough - rough * error) * other
}

/// Splits `e^x` into `k` and `u`; see above.
#[inline]
fn exponent_and_rest(x: f64) -> (f64, Double) {
    /// The logarithm of 2 in two parts. The first has so few digits that its multiples are exact.
    const LN_2: [f64; 2] = [0.693_147_180_559_208_2, 7.371_002_565_167_799e-13];
    let k = round_to_whole(x * LOG2_E);
    let (most, less) = (x - k * LN_2[0], k * LN_2[1]);
    let r = most - less;
    let r_error = (most - r) - less;
    // tanh(y) = y + y^3*c(y^2)
    let y = 0.5 * r;
    let z = y * y;
    let (z2, z4) = (z * z, z * z * (z * z));
    let pair = |index: usize| SERIES[index] + SERIES[index + 1] * z;
    let c = (pair(0) + z2 * pair(2)) + z4 * ((pair(4) + z2 * pair(6)) + z4 * pair(8));
    (k, quick_sum(y, y * z * c).plus_rest(0.5 * r_error))
}

/// Adding and subtracting this number rounds to a whole number. After the addition, the whole number is in the last digits.
const ROUND: f64 = 1.5 / f64::EPSILON;

#[inline]
fn round_to_whole(x: f64) -> f64 {
    (x + ROUND) - ROUND
}

/// `2^k` for a whole `k` from -1022 to 1023.
#[inline]
fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k + ROUND).to_bits().wrapping_add(1023)) << 52)
}

/// The series of `(tanh(y) - y)/y^3` in `y^2`.
const SERIES: [f64; 10] = [
    -0.333_333_333_333_333_3,
    0.133_333_333_333_333_33,
    -0.053_968_253_968_253_97,
    0.021_869_488_536_155_203,
    -0.008_863_235_529_902_197,
    0.003_592_128_036_572_481,
    -0.001_455_834_387_051_318_3,
    0.000_590_027_440_945_586,
    -0.000_239_129_114_243_552_48,
    9.691_537_956_929_451e-05,
];

/// The quotient of two numbers, rounded to a plain one.
#[inline]
fn quotient(x: Double, y: Double) -> f64 {
    let reciprocal = 1.0 / y.high;
    let rough = x.high * reciprocal;
    // The remainder of the division, from exact products: each factor has half of the digits.
    let halves = |number: f64| {
        let high = f64::from_bits(number.to_bits() & !0x7ff_ffff);
        (high, number - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (halves(rough), halves(y.high));
    let remainder =
        (((x.high - a_high * b_high) - a_high * b_low) - a_low * b_high) - a_low * b_low;
    rough + (remainder + (x.low - rough * y.low)) * reciprocal
}
