//! Computes the derivatives of division, of the two remainders and of the power. They are right even if the value has
//! overflowed, is 0 or is subnormal, and the derivative is not.

use super::source::{ln, pow};

/// A power of two by which every subnormal number becomes a normal one. Without subnormal numbers no digits are lost.
pub(crate) const LIFT: f64 = f64::from_bits((1023 + 200) << 52);

/// `-x/y^2`, computed as `-(x/y)/y`, since the square of `y` could overflow or underflow. A subnormal quotient has lost
/// digits, so it is computed again from a scaled `x`.
pub(crate) fn division_dy(x: f64, y: f64, out: f64) -> f64 {
    if out.abs() < f64::MIN_POSITIVE && x != 0.0 && y.is_finite() {
        -(x * LIFT / y / y) / LIFT
    } else {
        -out / y
    }
}

/// `x - y*floor(x/y)`: the remainder with the sign of `y`.
pub(crate) fn modulo(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest == 0.0 {
        rest.copysign(y)
    } else if (rest < 0.0) == (y < 0.0) {
        rest
    } else {
        rest + y
    }
}

/// The derivative of both remainders by `x`: 1, or NaN if the remainder is NaN.
pub(crate) fn remainder_dx(out: f64) -> f64 {
    if out.is_nan() { out } else { 1.0 }
}

/// The derivative of both remainders by `y`: minus the whole quotient. It is computed from the remainder, because
/// `floor(x/y)` is wrong by one if `x/y` was rounded up to a whole number.
pub(crate) fn remainder_dy(x: f64, y: f64, out: f64) -> f64 {
    if y.is_infinite() && !out.is_nan() {
        // The whole quotient is 0, or -1 if the signs differ.
        return if out == x { 0.0 } else { 1.0 };
    }
    let quotient = (x - out) / y;
    if quotient.is_infinite() {
        // `x - out` may have overflowed. The difference of the halves does not, though the quotient itself may.
        return -(x / 2.0 / y - out / 2.0 / y) * 2.0;
    }
    -quotient.round()
}

/// `y*x^(y - 1)`, computed from the value: `y - 1` is rounded, and a large exponent would magnify the error.
pub(crate) fn power_dx(x: f64, y: f64, out: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    if out.is_nan() || x.is_infinite() {
        return y * pow(x, y - 1.0);
    }
    if x == 0.0 {
        // For a fractional y, the sign of the zero must not matter. If y is tiny, y - 1 is rounded to the whole number -1,
        // for which the sign would matter.
        let base = if y.fract() == 0.0 { x } else { x.abs() };
        return y * pow(base, y - 1.0);
    }
    if y.is_infinite() {
        // A value of 0 decays faster than `y` grows, so the derivative is 0. The product would be NaN.
        return if out == 0.0 { 0.0 } else { y * out };
    }
    let quotient = out / x;
    if out.is_normal() && quotient.is_normal() {
        return y * quotient;
    }
    if out.is_normal() {
        // Only the quotient is out of range.
        return y * out / x;
    }
    // The value has overflowed or vanished. Its square root, x^(y/2), mostly has not, and halving y is exact. If the
    // root has, too, then so has the derivative.
    let root = pow(x.abs(), y / 2.0);
    let size = root / x.abs() * y * root;
    let is_even = y % 2.0 == 0.0;
    if x < 0.0 && is_even { -size } else { size }
}

/// `x^y*ln(x)`.
pub(crate) fn power_dy(x: f64, y: f64, out: f64) -> f64 {
    if x == 0.0 && !y.is_nan() {
        // For `y = 0` this is a convention, for other `y` it is the limit.
        return if y >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if out.is_normal() || x.is_infinite() || y.is_infinite() {
        // 0*ln(inf) would be NaN.
        return if out == 0.0 { 0.0 } else { out * ln(x) };
    }
    // As in `power_dx`, from the square root of the value.
    let root = pow(x, y / 2.0);
    root * ln(x) * root
}

/// `power*ln(base)`, where `power` is a power of `base`. A finite power of the base 0 gives 0, as in [`power_dy`], and so
/// does a power that is 0, even if the base is infinite.
pub(crate) fn chain_ln(power: f64, base: f64) -> f64 {
    if (base == 0.0 && power.is_finite()) || (power == 0.0 && base > 0.0) {
        0.0
    } else {
        power * ln(base)
    }
}
