//! The derivatives of the gamma function and of the factorial, of every order, and of the logarithm of gamma.
//!
//! Each is the function times a sum of products of `digamma`, `trigamma` and higher orders. The sum is computed first:
//! where the function is infinite, its terms would be infinities of different sign.

use super::gamma;
use super::gamma::{factorial_pole, pole, times};
use super::polygamma::{digamma, digamma_factorial, polygamma};

/// `gamma(x)*digamma(x)`.
pub(crate) fn gamma_dx(x: f64, out: f64) -> f64 {
    if pole(x) {
        f64::NAN
    } else {
        times(x, out, digamma(x))
    }
}

/// `x!*digamma(x + 1)`.
pub(crate) fn factorial_dx(x: f64, out: f64) -> f64 {
    if factorial_pole(x) {
        f64::NAN
    } else {
        times(1.0 + x, out, digamma_factorial(x))
    }
}

/// `digamma(x)`, with no derivative at the poles.
pub(crate) fn lgamma_dx(x: f64) -> f64 {
    if pole(x) { f64::NAN } else { digamma(x) }
}

/// The largest order.
const MOST: f64 = 300.0;

/// Is it an order of derivatives?
pub(crate) fn has_order(order: f64) -> bool {
    (1.0..=MOST).contains(&order) && order.fract() == 0.0
}

/// The derivative of `gamma` of this order.
pub(crate) fn gamma(order: f64, x: f64) -> f64 {
    if !has_order(order) || x.is_nan() || pole(x) {
        return f64::NAN;
    }
    let out = gamma::gamma(x);
    if order == 1.0 {
        gamma_dx(x, out)
    } else if x.is_infinite() {
        x
    } else {
        times(x, out, factor(order, digamma(x), x))
    }
}

/// The derivative of the factorial of this order.
pub(crate) fn factorial(order: f64, x: f64) -> f64 {
    if !has_order(order) || x.is_nan() || factorial_pole(x) {
        return f64::NAN;
    }
    let out = gamma::factorial(x);
    if order == 1.0 {
        factorial_dx(x, out)
    } else if x.is_infinite() {
        x
    } else {
        times(x + 1.0, out, factor(order, digamma_factorial(x), x + 1.0))
    }
}

/// The derivative of `gamma` of this order, divided by `gamma`: by the product rule each order is a sum of the lower
/// ones times derivatives of `digamma`, with binomial coefficients.
fn factor(order: f64, digamma: f64, x: f64) -> f64 {
    let order = order as usize;
    let mut factors = vec![1.0];
    let mut slopes = Vec::with_capacity(order);
    for n in 0..order {
        slopes.push(if n == 0 {
            digamma
        } else {
            polygamma(n as f64, x)
        });
        let mut count = 1.0;
        let mut sum = 0.0;
        for (k, slope) in slopes.iter().enumerate() {
            sum += count * (factors[n - k] * slope);
            count *= (n - k) as f64 / (k + 1) as f64;
        }
        factors.push(sum);
    }
    factors[order]
}
