//! Computes elementary functions and derivatives whose textbook formulas would lose digits or overflow.
//!
//! The table takes all other elementary functions from `source`.

use super::choice::truth;
use super::source::{acos, asin, atan2, exp, exp2, expm1, log1p};
use super::tanh_and_sigmoid::sigmoid;
use std::f64::consts::LN_2;

/// A number over `x`, for the logarithms: NaN left of 0, where they are undefined, and +inf at 0 and at -0.
pub(crate) fn over_positive(numerator: f64, x: f64) -> f64 {
    if x < 0.0 {
        f64::NAN
    } else {
        numerator / x.abs()
    }
}

/// `1/(3*out^2)` as `out/(3*x)`, so that the error of the root counts once.
pub(crate) fn cbrt_dx(x: f64, out: f64) -> f64 {
    if x == 0.0 {
        f64::INFINITY
    } else if x.is_infinite() {
        // inf/inf would be NaN.
        0.0
    } else {
        out / x / 3.0
    }
}

/// `2^x * ln 2`, which can be finite although `2^x` has overflowed.
pub(crate) fn exp2_dx(x: f64, out: f64) -> f64 {
    if out.is_infinite() {
        exp2(x - 1.0) * (2.0 * LN_2)
    } else {
        out * LN_2
    }
}

/// `1/sqrt(1 - x^2)`, with factors that keep the digits that `1 - x^2` loses near 1.
pub(crate) fn asin_dx(x: f64) -> f64 {
    1.0 / ((1.0 - x) * (1.0 + x)).sqrt()
}

/// From this number on, adding 1 to the square or subtracting 1 does not change it: half a unit in the last place of 1e16
/// is 1.
const MIN_WITHOUT_ONE: f64 = 1e8;

/// `1/(1 + x^2)`, even if the square overflows while the derivative is not 0 yet.
pub(crate) fn atan_dx(x: f64) -> f64 {
    if x.abs() < MIN_WITHOUT_ONE {
        1.0 / x.mul_add(x, 1.0)
    } else {
        let reciprocal = 1.0 / x;
        reciprocal * reciprocal
    }
}

/// One over the hyperbolic cosine, as `2e/(1 + e^2)` with `e = exp(-|x|)`.
pub(crate) fn sech(x: f64) -> f64 {
    let e = exp(-x.abs());
    2.0 * e / (1.0 + e * e)
}

/// One over the hyperbolic sine, as `-2e/(e^2 - 1)`.
pub(crate) fn csch(x: f64) -> f64 {
    -2.0 * exp(-x.abs()) / expm1(-2.0 * x.abs()) * 1f64.copysign(x)
}

/// The angle whose secant is `x`. Near 1, `acos(1/x)` would lose digits.
pub(crate) fn asec(x: f64) -> f64 {
    if x.abs() < 2.0 {
        atan2(other_leg(x), 1f64.copysign(x))
    } else {
        acos(1.0 / x)
    }
}

/// The angle whose cosecant is `x`.
pub(crate) fn acsc(x: f64) -> f64 {
    if x.abs() < 2.0 {
        atan2(1f64.copysign(x), other_leg(x))
    } else {
        asin(1.0 / x)
    }
}

/// `sqrt(x^2 - 1)`: a leg of the right triangle whose other leg is 1 and whose hypotenuse is `|x|`.
fn other_leg(x: f64) -> f64 {
    x.mul_add(x, -1.0).sqrt()
}

/// `1/(|x|*sqrt(x^2 - 1))`; NaN between -1 and 1.
pub(crate) fn asec_dx(x: f64) -> f64 {
    acosh_dx(x.abs()) / x.abs()
}

/// `1/sqrt(x^2 - 1)`; NaN below 1, even below -1, where `(x - 1)*(x + 1)` is positive again.
pub(crate) fn acosh_dx(x: f64) -> f64 {
    if x < 1.0 {
        f64::NAN
    } else if x < MIN_WITHOUT_ONE {
        1.0 / ((x - 1.0) * (x + 1.0)).sqrt()
    } else {
        1.0 / x
    }
}

/// `1/(1 - x^2)`; NaN outside -1 to 1.
pub(crate) fn atanh_dx(x: f64) -> f64 {
    if x.abs() > 1.0 {
        f64::NAN
    } else {
        1.0 / ((1.0 - x) * (1.0 + x))
    }
}

/// `ln(1 + exp(x))`, also where `exp(x)` overflows or 1 would absorb it.
pub(crate) fn softplus(x: f64) -> f64 {
    let tail = log1p(exp(-x.abs()));
    if x > 0.0 { x + tail } else { tail }
}

/// `x/(1 + |x|)`.
pub(crate) fn softsign(x: f64) -> f64 {
    if x.is_infinite() {
        // inf/inf would be NaN.
        x.signum()
    } else {
        x / (1.0 + x.abs())
    }
}

/// `1/(1 + |x|)^2`, by two divisions, because the square would overflow earlier.
pub(crate) fn softsign_dx(x: f64) -> f64 {
    let divisor = 1.0 + x.abs();
    1.0 / divisor / divisor
}

/// `x*sigmoid(x)`.
pub(crate) fn silu(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        // -inf*0 would be NaN.
        -0.0
    } else if x < -700.0 {
        // The sigmoid may be subnormal and lose digits, although the product is normal. Here `sigmoid(x)` is `exp(x)`.
        let half = exp(0.5 * x);
        x * half * half
    } else {
        x * sigmoid(x)
    }
}

/// `sigmoid(x)*(1 + x*sigmoid(-x))`. Near its zero, where digits cancel, the Taylor series around the zero.
pub(crate) fn silu_dx(x: f64) -> f64 {
    if x.is_infinite() {
        return truth(x > 0.0);
    }
    let offset = (x - SILU_LOWEST[0]) - SILU_LOWEST[1];
    // Within this distance, 15 terms of the series are enough.
    if offset.abs() < 0.25 {
        let terms = SILU_SLOPE.iter().rev();
        return offset * terms.fold(0.0, |sum, c| sum * offset + c);
    }
    if x < -700.0 {
        // As in [`silu`].
        let half = exp(0.5 * x);
        return (1.0 + x) * half * half;
    }
    sigmoid(x) * (1.0 + x * sigmoid(-x))
}

/// The point of the minimum of silu, as a sum of two doubles.
const SILU_LOWEST: [f64; 2] = [-1.278_464_542_761_073_7, -1.094_699_418_309_343_7e-16];

/// The Taylor series of the slope of silu around its minimum, from the linear term on.
#[rustfmt::skip]
const SILU_SLOPE: [f64; 15] = [
    0.217_811_705_719_800_1, 0.146_648_796_996_946_9, 0.018_874_814_223_782_312,
    -0.015_222_655_223_188_032, -0.006_606_589_138_356_696, 0.000_126_627_410_081_122,
    0.000_798_521_881_839_799_8, 0.000_185_707_243_611_864_96, -4.090_534_237_428_612e-5,
    -2.973_354_221_326_391_7e-5, -2.942_631_888_842_464e-6, 2.346_029_682_463_866e-6,
    8.599_695_028_268_575e-7, -3.051_244_750_055_421e-8, -9.266_646_309_267_441e-8,
];
