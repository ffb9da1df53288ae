//! Takes the elementary functions from the crate `pxfm`, and corrects some of them. They give the same numbers on every
//! machine.
//!
//! At 3,000 to 7,000 tested points for each function, the crate gave the nearest double: at random points, subnormal
//! numbers, points near zeros and poles, and large arguments, with and without fused multiply-add. The C library does not
//! round correctly, and it differs from system to system. Rarer errors of the crate (version 0.1.30) are known. The
//! functions below correct them, or are faster at the same accuracy. `docs/reference/operations.md` has the figures.

use super::tanh_and_sigmoid::sigmoid;

pub(crate) use pxfm::{
    f_acos as acos, f_acosh as acosh, f_asin as asin, f_asinh as asinh, f_atan as atan,
    f_atanh as atanh, f_cbrt as cbrt, f_cos as cos, f_cosh as cosh, f_cot as cot, f_csc as csc,
    f_erf as erf, f_erfc as erfc, f_exp2 as exp2, f_expm1 as expm1, f_log as ln, f_log1p as log1p,
    f_log2 as log2, f_log10 as log10, f_sec as sec, f_sin as sin, f_tan as tan,
};

/// `e^x`. For subnormal results, the crate's function is wrong at one number in 40,000, such as -708.6503886555931. There
/// `e^x/(e^x + 1)` is equal to the last digit.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -708.0 {
        sigmoid(x)
    } else {
        pxfm::f_exp(x)
    }
}

/// The hyperbolic sine. The crate's function loses the sign of -0.
pub(crate) fn sinh(x: f64) -> f64 {
    pxfm::f_sinh(x).copysign(x)
}

/// The angle of a point. The crate's function loses the sign of an angle that underflows to 0.
pub(crate) fn atan2(ordinate: f64, abscissa: f64) -> f64 {
    pxfm::f_atan2(ordinate, abscissa).copysign(ordinate)
}

/// `1/sqrt(x)`. At -0 it is inf, too: the limit from inside the domain.
pub(crate) fn rsqrt(x: f64) -> f64 {
    pxfm::f_rsqrt(x).abs()
}

/// `x^y`. (Whole powers below 1e-302 may be off by two units in the last place.)
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 2.0 {
        // As accurate as the crate's function, and faster.
        x * x
    } else if y == 0.0 || x == 1.0 {
        // The crate's function is wrong for `nan^0` and `1^nan`.
        1.0
    } else if y == -2.0 {
        squared_reciprocal(x)
    } else if y == -0.5 && x > 0.0 {
        // The crate's function is wrong near the largest numbers.
        rsqrt(x)
    } else if x == 10.0 && y < -307.0 {
        // The crate's function is wrong for a subnormal `10^y`, but not for the same number as `100^(y/2)`.
        pxfm::f_pow(100.0, y / 2.0)
    } else {
        pxfm::f_pow(x, y)
    }
}

/// `1/x^2`, for which the crate's power is wrong near the largest numbers.
///
/// The reciprocal and its square are rounded. Their errors are added to the square `r*r`: the exact reciprocal is
/// `r + r*(1 - r*x)` to first order, so the exact square is larger by `2*r*r*(1 - r*x)`.
fn squared_reciprocal(x: f64) -> f64 {
    let reciprocal = 1.0 / x;
    let square = reciprocal * reciprocal;
    if !square.is_normal() {
        // The errors would be subnormal or NaN.
        return square;
    }
    let reciprocal_error = (-reciprocal).mul_add(x, 1.0) * reciprocal;
    let square_error = reciprocal.mul_add(reciprocal, -square);
    square + (square_error + 2.0 * reciprocal * reciprocal_error)
}
