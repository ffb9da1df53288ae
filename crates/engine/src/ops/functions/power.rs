//! Division, the two remainders and the power. Their derivatives are right even if the value has overflowed or is 0 or
//! subnormal while the derivative is not.

use super::source::{ln, pow};

/// A power of two that lifts every subnormal number well into the normal range.
pub(crate) const LIFT: f64 = f64::from_bits((1023 + 200) << 52);

/// `-x/y^2`, as `-(x/y)/y`, since the square of `y` could overflow or underflow. A subnormal quotient has lost digits
/// and is computed again from an `x` that is scaled up.
pub(crate) fn division_dy(x: f64, y: f64, out: f64) -> f64 {
    if out.abs() < f64::MIN_POSITIVE && x != 0.0 && y.is_finite() {
        -(x * LIFT / y / y) / LIFT
    } else {
        -out / y
    }
}

/// `x - y*floor(x/y)`: the remainder that has the sign of `y`.
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

/// 1, or NaN if there is no remainder.
pub(crate) fn remainder_dx(out: f64) -> f64 {
    if out.is_nan() { out } else { 1.0 }
}

/// Minus the whole quotient, computed from the remainder: `floor(x/y)` is wrong by one wherever `x/y` was rounded up to
/// a whole number.
pub(crate) fn remainder_dy(x: f64, y: f64, out: f64) -> f64 {
    if y.is_infinite() && !out.is_nan() {
        return if out == x { 0.0 } else { 1.0 };
    }
    let times = (x - out) / y;
    if times.is_infinite() {
        // x - out overflowed, or the quotient does.
        return -(x / 2.0 / y - out / 2.0 / y) * 2.0;
    }
    -times.round()
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
        // A tiny y makes y - 1 a whole number after rounding, and then the sign of the zero would matter.
        let base = if y.fract() == 0.0 { x } else { x.abs() };
        return y * pow(base, y - 1.0);
    }
    if y.is_infinite() {
        return if out == 0.0 { 0.0 } else { y * out };
    }
    let quotient = out / x;
    if out.is_normal() && quotient.is_normal() {
        return y * quotient;
    }
    if out.is_normal() {
        return Scaled::of(out).times(y).over(x).value();
    }
    // The value has overflowed or vanished, its root has not: x^y = (x^(y/2))^2, and halving y is exact.
    let half = Scaled::of(pow(x.abs(), y / 2.0));
    let size = half.times_scaled(half).times(y).over(x.abs()).value();
    let is_even = y % 2.0 == 0.0;
    if x < 0.0 && is_even { -size } else { size }
}

/// `x^y*ln(x)`.
pub(crate) fn power_dy(x: f64, y: f64, out: f64) -> f64 {
    if x == 0.0 && !y.is_nan() {
        return if y >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if out.is_normal() || x.is_infinite() || y.is_infinite() {
        let product = out * ln(x);
        return if out == 0.0 { 0.0 } else { product };
    }
    let half = pow(x, y / 2.0);
    half * ln(x) * half
}

/// `x*ln(y)` for an `x` that is a power of `y`. At `y = 0` it is 0, as in the limit, unless the power is infinite there.
pub(crate) fn chain_ln(x: f64, y: f64) -> f64 {
    if (y == 0.0 && x.is_finite()) || (x == 0.0 && y > 0.0) {
        0.0
    } else {
        x * ln(y)
    }
}

/// A number with a separate exponent, for products whose factors overflow or underflow although the product does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    fraction: f64,
    exponent: i32,
}

impl Scaled {
    /// Splits a number.
    pub(crate) fn of(x: f64) -> Scaled {
        if x == 0.0 || !x.is_finite() {
            return Scaled {
                fraction: x,
                exponent: 0,
            };
        }
        let (lifted, less) = if x.is_normal() {
            (x, 0)
        } else {
            (x * LIFT, 200)
        };
        let bits = lifted.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
        let fraction = f64::from_bits(bits & !(0x7ff << 52) | (1023 << 52));
        Scaled {
            fraction,
            exponent: exponent - less,
        }
    }

    /// The product with another such number.
    pub(crate) fn times_scaled(self, other: Scaled) -> Scaled {
        let product = Scaled::of(self.fraction * other.fraction);
        Scaled {
            exponent: product.exponent + self.exponent + other.exponent,
            ..product
        }
    }

    /// The product with a number.
    pub(crate) fn times(self, x: f64) -> Scaled {
        self.times_scaled(Scaled::of(x))
    }

    /// The quotient by a number.
    pub(crate) fn over(self, x: f64) -> Scaled {
        let divisor = Scaled::of(x);
        let quotient = Scaled::of(self.fraction / divisor.fraction);
        Scaled {
            exponent: quotient.exponent + self.exponent - divisor.exponent,
            ..quotient
        }
    }

    /// The number, rounded once.
    pub(crate) fn value(self) -> f64 {
        let exponent = self.exponent.clamp(-1100, 1100);
        if exponent < -1000 {
            // First to a normal number, so that only the last step rounds.
            self.fraction * power_of_two(-1000) * power_of_two(exponent + 1000)
        } else if exponent > 1000 {
            self.fraction * power_of_two(1000) * power_of_two(exponent - 1000)
        } else {
            self.fraction * power_of_two(exponent)
        }
    }
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
