//! Computes lengths and angles: `hypot` of any number of operands, and the derivatives of `hypot` and `atan2`. Intermediate
//! results do not overflow, because large and small operands are scaled by a power of two.

use super::double::{Double, exact_sum};
use super::power::LIFT;

/// The length of a vector. An infinite operand makes it infinite, even beside a NaN, as IEEE 754 requires.
pub(crate) fn hypot(operands: &[f64]) -> f64 {
    let largest = largest_size(operands);
    if largest.is_infinite() {
        return largest;
    }
    if largest == 0.0 {
        let has_nan = operands.iter().any(|x| x.is_nan());
        return if has_nan { f64::NAN } else { 0.0 };
    }
    let scale = scale(largest);
    // The squares are summed with their rounding errors, so that the error does not grow with the number of operands.
    let (mut sum, mut errors) = (0.0, 0.0);
    for &operand in operands {
        let square = Double::product(operand * scale, operand * scale);
        let total = exact_sum(sum, square.high);
        errors += total.low + square.low;
        sum = total.high;
    }
    // One step of Newton's method corrects the root by these errors and by its own rounding error.
    let root = sum.sqrt();
    (root + (errors - root.mul_add(root, -sum)) / (2.0 * root)) / scale
}

/// `x/out` for each operand, or 0 at the origin. A length that overflowed or is subnormal is computed again from scaled
/// operands.
pub(crate) fn direction_cosines(operands: &[f64], out: f64, cosines: &mut [f64]) {
    let pairs = cosines.iter_mut().zip(operands);
    if out == 0.0 {
        return pairs.for_each(|(cosine, _)| *cosine = 0.0);
    }
    let has_overflowed = out.is_infinite() && operands.iter().all(|x| x.is_finite());
    if out.abs() >= f64::MIN_POSITIVE && !has_overflowed {
        return pairs.for_each(|(cosine, x)| *cosine = x / out);
    }
    let scale = scale(largest_size(operands));
    let scaled: Vec<f64> = operands.iter().map(|x| x * scale).collect();
    let length = hypot(&scaled);
    for (cosine, x) in cosines.iter_mut().zip(scaled) {
        *cosine = x / length;
    }
}

/// The largest absolute value of the operands that are not NaN, or 0 if there are none.
fn largest_size(operands: &[f64]) -> f64 {
    operands.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// `part/(x^2 + y^2)`, by two divisions by the length. `part` is `x` or `y`.
pub(crate) fn over_square(part: f64, x: f64, y: f64) -> f64 {
    if (x.is_infinite() && !y.is_nan()) || (y.is_infinite() && !x.is_nan()) {
        // inf/inf would be NaN.
        return 0.0;
    }
    let length = hypot(&[x, y]);
    if length == 0.0 || length.is_nan() {
        return f64::NAN;
    }
    if !(1e-290..1e290).contains(&length) {
        // Near the largest and the smallest double, the length has overflowed or lost digits, or a quotient would.
        let scale = scale(largest_size(&[x, y]));
        let scaled_length = hypot(&[x * scale, y * scale]);
        return part * scale / scaled_length / scaled_length * scale;
    }
    // `part*LIFT` is below 1e-219, so even the second quotient by a length above 1e-100 does not overflow.
    if part.abs() < 1e-280 && length > 1e-100 {
        // The first quotient could be subnormal and lose digits, although the second is not, so the part is scaled up. At
        // smaller lengths, no quotient is subnormal, and a quotient that is scaled up could overflow.
        return part * LIFT / length / length / LIFT;
    }
    part / length / length
}

/// A power of two that scales a positive finite number to about 1.
pub(crate) fn scale(largest: f64) -> f64 {
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}
