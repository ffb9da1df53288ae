//! Computes the derivatives of the logarithm of the gamma function (digamma, trigamma and the higher orders), and the
//! derivatives of gamma and the factorial, which need digamma.
//!
//! Digamma and trigamma come from the crate `pxfm`. Near the zeros of digamma, where digits cancel, the series in `gamma`
//! computes the value in twice the usual precision. The higher orders are sums of powers, and the Euler-Maclaurin formula
//! gives the tails of these sums. The higher orders are defined here only for numbers above 0.

use super::double::Double;
use super::gamma::{digamma_series, is_factorial_pole, is_pole, times_gamma};
use super::source::{exp, ln, log1p};

/// From this number on, all terms of the asymptotic series but the first are negligible. The crate's functions would
/// overflow at still larger numbers.
const ASYMPTOTIC_FROM: f64 = 1e17;

/// `gamma'(x)/gamma(x)`. It is -inf at 0, inf at -0, and NaN at the other poles.
pub(crate) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return -1.0 / x;
    } else if is_pole(x) {
        return f64::NAN;
    } else if x > ASYMPTOTIC_FROM {
        return ln(x);
    }
    let value = pxfm::f_digamma(x);
    // Near a zero, digits have cancelled, so the value is computed again. The recurrence has one step for each whole number
    // between x and 0, so it would take too long below -1e4.
    if value.abs() < 0.02 && x > -1e4 {
        exact_digamma(x).round()
    } else {
        value
    }
}

/// `digamma(x + 1)` for the factorial. Near the zero of digamma, `x + 1` is not rounded.
pub(crate) fn digamma_factorial(x: f64) -> f64 {
    if (0.25..2.0).contains(&x) {
        let reciprocal = Double::of(1.0).over(Double::of(x));
        exact_digamma(x).plus(reciprocal).round()
    } else {
        digamma(x + 1.0)
    }
}

/// Digamma in twice the usual precision. The series gives `digamma(1 + u)`, where `u` is `x` minus the nearest whole
/// number. The recurrence `digamma(x + 1) = digamma(x) + 1/x` leads from `1 + u` up or down to `x`.
fn exact_digamma(x: f64) -> Double {
    let nearest = x.round();
    let reciprocal = |number: f64| Double::of(1.0).over(Double::of(number));
    let whole = nearest as i32;
    let first = digamma_series(x - nearest);
    // At most one of the two ranges has numbers. For `x = 3 + u` the steps up are `1/(2 + u)` and `1/(1 + u)`, and for
    // `x = -1 + u` the steps down are `-1/u` and `-1/(-1 + u)`.
    let up = (1..whole).map(|k| reciprocal(x - f64::from(k)));
    let down = (0..=-whole).map(|k| reciprocal(x + f64::from(k)).negate());
    up.chain(down.rev()).fold(first, Double::plus)
}

/// The derivative of digamma. It has no zeros. At the poles it is inf.
pub(crate) fn trigamma(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        // There is no limit between poles.
        f64::NAN
    } else if x > ASYMPTOTIC_FROM {
        1.0 / x
    } else {
        pxfm::f_trigamma(x)
    }
}

/// The highest order whose values can be computed: 170! is the largest factorial that is a finite double.
const HIGHEST_ORDER: f64 = 170.0;

/// Whether [`polygamma`] is defined for this order.
pub(crate) fn is_order(order: f64) -> bool {
    (0.0..=HIGHEST_ORDER).contains(&order) && order.fract() == 0.0
}

/// The derivative of digamma with this order, at an `x` above 0. Order 0 is digamma itself. Returns NaN for other operands.
pub(crate) fn polygamma(order: f64, x: f64) -> f64 {
    if !is_order(order) || x.is_nan() || x <= 0.0 {
        return f64::NAN;
    } else if order == 0.0 {
        return digamma(x);
    } else if order == 1.0 {
        return trigamma(x);
    }
    let size = if x.is_infinite() {
        0.0
    } else {
        // The last division by x comes after the sum, which is large if 1/x^(n + 1) would underflow.
        factorial_over_power(order, x) * (relative_sum(order + 1.0, x) / x)
    };
    if order % 2.0 == 0.0 { -size } else { size }
}

/// `n!/x^n`.
fn factorial_over_power(order: f64, x: f64) -> f64 {
    let divisor = Double::of(x);
    let factors = (1..=order as u32).map(f64::from);
    let times = |product: Double, k| product.times_plain(k).over(divisor);
    let rounded = factors.fold(Double::of(1.0), times).round();
    // A product that overflows has the rounding error inf - inf.
    if rounded.is_nan() {
        f64::INFINITY
    } else {
        rounded
    }
}

/// Terms below this number do not change a sum whose first term is 1: half a unit in the last place is 1.1e-16.
const NEGLIGIBLE: f64 = 1e-18;

/// The sum of `(x/(x + k))^s` over all `k` from 0. The first terms are computed one by one. The tail comes from the
/// Euler-Maclaurin formula, which is accurate from `x + k = 12 + s` on.
fn relative_sum(s: f64, x: f64) -> f64 {
    let term = |k: f64| exp(-s * log1p(k / x));
    // For every order, at most about 40 terms before the tail are above `NEGLIGIBLE`.
    let mut terms = Vec::new();
    let mut k = 0.0;
    let mut next = term(k);
    while next >= NEGLIGIBLE && x + k < 12.0 + s {
        terms.push(next);
        k += 1.0;
        next = term(k);
    }
    let tail = if next >= NEGLIGIBLE {
        next * relative_tail(s, x + k)
    } else {
        0.0
    };
    // The smallest terms are added first, because that rounds least.
    let ascending = terms.iter().rev();
    ascending.fold(tail, |sum, addend| sum + addend)
}

/// The sum of `(a/(a + k))^s` over all `k` from 0, by the Euler-Maclaurin formula: the integral, half of the first
/// term, and corrections with the derivatives at the first term:
///
/// `a/(s - 1) + 1/2 + sum over j from 1 of B(2j)/(2j)! * s*(s + 1)*...*(s + 2j - 2)/a^(2j - 1)`
fn relative_tail(s: f64, a: f64) -> f64 {
    /// `B(2j)/(2j)!` for `j` from 1, where `B` are Bernoulli's numbers.
    #[rustfmt::skip]
    const SERIES: [f64; 12] = [
        1.0 / 12.0, -1.0 / 720.0, 1.0 / 30_240.0,
        -1.0 / 1_209_600.0, 1.0 / 47_900_160.0, -5.284_190_138_687_493e-10,
        1.338_253_653_068_467_9e-11, -3.389_680_296_322_582_7e-13, 8.586_062_056_277_845e-15,
        -2.174_868_698_558_062e-16, 5.509_002_828_360_229_5e-18, -1.395_446_468_581_252_3e-19,
    ];
    // `s*(s + 1)*...*(s + 2j - 2)/a^(2j - 1)`, and the last factor above the fraction bar.
    let (mut factor, mut last) = (s / a, s);
    let mut correction = 0.0;
    for coefficient in SERIES {
        let next = coefficient * factor;
        correction += next;
        if next.abs() < NEGLIGIBLE {
            break;
        }
        factor *= (last + 1.0) / a * ((last + 2.0) / a);
        last += 2.0;
    }
    a / (s - 1.0) + 0.5 + correction
}

/// `gamma(x)*digamma(x)`.
pub(crate) fn gamma_dx(x: f64, out: f64) -> f64 {
    if is_pole(x) {
        f64::NAN
    } else {
        times_gamma(x, out, digamma(x))
    }
}

/// `x!*digamma(x + 1)`.
pub(crate) fn factorial_dx(x: f64, out: f64) -> f64 {
    if is_factorial_pole(x) {
        f64::NAN
    } else {
        times_gamma(1.0 + x, out, digamma_factorial(x))
    }
}
