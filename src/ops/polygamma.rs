//! The derivatives of the logarithm of the gamma function: digamma, trigamma and on.
//!
//! Digamma within 200 of zero, where it may cancel, is summed in twice the usual precision from the series of
//! `gamma`; elsewhere it is its asymptotic series, reflected for negative `x`. The higher ones are sums of powers,
//! finished by the Euler-Maclaurin formula.

use super::double::{Double, PI, cot_pi};
use super::gamma::{self, digamma_series, lgamma};

/// From here on the asymptotic series of digamma is good to the last place.
const FAR: f64 = 12.0;

/// `gamma'(x)/gamma(x)`. At 0 minus inf with its sign, at the other poles NaN.
pub(super) fn digamma(x: f64) -> f64 {
    if gamma::pole(x) {
        return if x == 0.0 { -1.0 / x } else { f64::NAN };
    }
    if x >= FAR {
        asymptotic(x)
    } else if x.is_nan() || x.abs() < 1e-20 {
        -1.0 / x
    } else if x > -FAR {
        exact(x).rounded()
    } else {
        let far = asymptotic(-x) - 1.0 / x;
        let near = PI.high * cot_pi(x);
        // Between two poles the parts cancel once; there a plain sum has no digits left.
        if x > -200.0 && (far - near).abs() < 0.25 * far {
            exact(x).rounded()
        } else {
            far - near
        }
    }
}

/// `digamma(x + 1)` for the factorial, without rounding `x + 1` where digamma has a zero beside it.
pub(super) fn digamma_factorial(x: f64) -> f64 {
    if (0.25..2.0).contains(&x) {
        exact(x).plus(Double::of(1.0).over(Double::of(x))).rounded()
    } else {
        digamma(x + 1.0)
    }
}

/// Digamma by its series at the nearest whole number and the recurrence `digamma(x + 1) = digamma(x) + 1/x`.
fn exact(x: f64) -> Double {
    let nearest = x.round();
    let reciprocal = |x: f64| Double::of(1.0).over(Double::of(x));
    let mut sum = digamma_series(x - nearest);
    if nearest >= 1.0 {
        let mut below = 1.0;
        while below < nearest {
            sum = sum.plus(reciprocal(x - below));
            below += 1.0;
        }
    } else {
        let mut above = -nearest;
        while above >= 0.0 {
            sum = sum.plus(reciprocal(x + above).negated());
            above -= 1.0;
        }
    }
    sum
}

/// `ln(x) - 1/(2x) - sum of B(2k)/(2k x^2k)`.
fn asymptotic(x: f64) -> f64 {
    const SERIES: [f64; 9] = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32_760.0,
        1.0 / 12.0,
        -3617.0 / 8160.0,
        43_867.0 / 14_364.0,
    ];
    let square = 1.0 / x / x;
    let tail = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) * square;
    x.ln() - (0.5 / x + tail)
}

/// The derivative of digamma. It has no zeros; inf at the poles.
pub(super) fn trigamma(x: f64) -> f64 {
    polygamma(1.0, x)
}

/// [`polygamma`] as a derivative: there is none at the poles, where the value may be an infinity.
pub(super) fn local(order: f64, x: f64) -> f64 {
    if gamma::pole(x) {
        f64::NAN
    } else {
        polygamma(order, x)
    }
}

/// The derivative of [`polygamma`] by its second operand: the next order, if there is this one.
pub(super) fn raised(order: f64, x: f64) -> f64 {
    if whole_order(order) {
        local(order + 1.0, x)
    } else {
        f64::NAN
    }
}

/// The derivative of digamma of a whole order from 0 (digamma itself); NaN for any other order.
pub(super) fn polygamma(order: f64, x: f64) -> f64 {
    if !whole_order(order) || x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if order == 0.0 {
        return digamma(x);
    }
    let odd = order % 2.0 != 0.0;
    if gamma::pole(x) {
        return match (odd, x == 0.0) {
            (true, _) => f64::INFINITY,
            (false, true) => -1.0 / x,
            (false, false) => f64::NAN,
        };
    }
    let sign = if odd { 1.0 } else { -1.0 };
    if x > 0.0 {
        return sign * powers(order, x);
    }
    // The terms left of 0 are, mirrored, a stretch of the same sum from the distance to the pole above on.
    let distance = -x - (-x).floor();
    let right = one_minus(distance);
    let left = Double::of(distance);
    let beyond = one_minus(x);
    if odd || order > CANCELLING {
        let sum = |x: Double| powers(order, x.rounded());
        let (left, right, beyond) = (sum(left), sum(right), sum(beyond));
        if odd {
            return right + (left - beyond);
        }
        let difference = left - right;
        return if difference.is_nan() && distance != 0.5 {
            // Both are beyond all numbers, and the nearer pole wins.
            f64::INFINITY.copysign(0.5 - distance)
        } else if distance == 0.5 {
            -beyond
        } else {
            difference - beyond
        };
    }
    // Between two poles the sums cancel once.
    let sum = |x: Double| exact_powers(order, x);
    sum(left)
        .plus(sum(right).negated())
        .plus(sum(beyond).negated())
        .rounded()
}

/// `1 - x` without rounding.
fn one_minus(x: f64) -> Double {
    Double::of(1.0).plus(Double::of(-x))
}

/// Up to this even order the sums that cancel left of 0 are taken in twice the usual precision.
const CANCELLING: f64 = 12.0;

/// Is it an order that [`polygamma`] knows?
pub(super) fn whole_order(order: f64) -> bool {
    order >= 0.0 && order.fract() == 0.0
}

/// `n!` times the sum of `1/(x + k)^(n + 1)` over all `k` from 0, for a positive `x`.
fn powers(order: f64, x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    // The last division by x waits for the sum, which is large where 1/x^(n + 1) vanishes.
    leading(order, x) * (relative_sum(order + 1.0, x) / x)
}

/// The same in twice the usual precision, for a small order: terms one by one as far as the rest is small.
fn exact_powers(order: f64, x: Double) -> Double {
    const FAR: f64 = 60.0;
    let reciprocal_power = |x: Double| {
        let mut power = x;
        for _ in 0..order as usize {
            power = power.times(x);
        }
        Double::of(1.0).over(power)
    };
    let mut sum = Double::of(0.0);
    let mut k = 0.0;
    while x.high + k < FAR {
        sum = sum.plus(reciprocal_power(x.plus(Double::of(k))));
        k += 1.0;
    }
    let a = x.plus(Double::of(k)).rounded();
    let rest = reciprocal_power(Double::of(a)).high * relative_sum(order + 1.0, a);
    let factorial = (1..=order as usize).fold(1.0, |product, k| product * k as f64);
    sum.plus(Double::of(rest)).scaled(factorial)
}

/// Up to this order `n!/x^n` is multiplied out; above, a logarithm loses up to four digits.
const MULTIPLIED: f64 = 10_000.0;

/// A power of two far from both ends of what a number can be.
const SHIFT: f64 = 1.157_920_892_373_162e77; // 2^256

/// `n!/x^n`.
fn leading(order: f64, x: f64) -> f64 {
    if order > MULTIPLIED {
        return (lgamma(order + 1.0) - order * x.ln()).exp();
    }
    let divisor = Double::of(x);
    let mut product = Double::of(1.0);
    // Powers of `SHIFT` that were taken out of the product: on its way it may go beyond what it comes to.
    let mut shifts = 0_i32;
    let mut k = 1.0;
    while k <= order {
        product = product.scaled(k).over(divisor);
        if product.high > SHIFT {
            (product, shifts) = (product.scaled(1.0 / SHIFT), shifts + 1);
        } else if product.high < 1.0 / SHIFT {
            (product, shifts) = (product.scaled(SHIFT), shifts - 1);
        }
        k += 1.0;
    }
    let mut rounded = product.rounded();
    // Once too large or too small it stays so.
    for _ in 0..shifts.abs().min(5) {
        rounded *= if shifts > 0 { SHIFT } else { 1.0 / SHIFT };
    }
    // An exact product that overflows leaves inf - inf behind.
    if rounded.is_nan() {
        f64::INFINITY
    } else {
        rounded
    }
}

/// The sum of `(x/(x + k))^s` over all `k` from 0: terms up to where the Euler-Maclaurin formula takes over.
fn relative_sum(s: f64, x: f64) -> f64 {
    // B(2j)/(2j)!
    const SERIES: [f64; 12] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30_240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        -5.284_190_138_687_493e-10,
        1.338_253_653_068_467_9e-11,
        -3.389_680_296_322_582_7e-13,
        8.586_062_056_277_845e-15,
        -2.174_868_698_558_062e-16,
        5.509_002_828_360_229_5e-18,
        -1.395_446_468_581_252_3e-19,
    ];
    let term = |k: f64| (-s * (k / x).ln_1p()).exp();
    let start = 12.0 + s;
    let mut terms = [0.0; 128];
    let mut count = 0;
    let mut k = 0.0;
    while x + k < start && count < terms.len() {
        let next = term(k);
        if next < 1e-18 {
            break;
        }
        terms[count] = next;
        count += 1;
        k += 1.0;
    }
    let a = x + k;
    let last = term(k);
    let mut tail = 0.0;
    if last >= 1e-18 {
        let mut factor = s / a;
        let mut correction = 0.0;
        for (j, c) in SERIES.iter().enumerate() {
            let part = c * factor;
            correction += part;
            if part.abs() < 1e-18 {
                break;
            }
            let step = s + 2.0 * j as f64;
            factor *= (step + 1.0) / a * ((step + 2.0) / a);
        }
        tail = last * (a / (s - 1.0) + 0.5 + correction);
    }
    // From the small end up, so that the large terms are rounded last.
    terms[..count]
        .iter()
        .rev()
        .fold(tail, |sum, term| sum + term)
}
