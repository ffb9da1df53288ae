//! Computes quantiles of Student's t distribution.
//!
//! The density is `gamma((n + 1)/2)/(gamma(n/2)*sqrt(n*pi))*(1 + t^2/n)^(-(n + 1)/2)`. Newton's method finds the number with
//! a given part of the density above it, or between it and 0 if it is near 0.

use super::source::{cosh, exp, expm1, ln, log1p, sinh};
use std::f64::consts::{FRAC_PI_2, PI};

/// With more degrees of freedom, the distribution is the normal one to the last digit.
const NORMAL: f64 = 1e20;
/// The most steps of Newton's method. It takes six at most, because the curves are nearly straight.
const MOST_STEPS: usize = 20;

/// The number below which Student's t with `n` degrees of freedom lies with the probability `p`. NaN unless p is between 0
/// and 1, and n is at least 1.
pub fn student(p: f64, n: f64) -> f64 {
    if !(0.0 < p && p < 1.0 && n >= 1.0) {
        return f64::NAN;
    }
    let (n, tail) = (n.min(NORMAL), p.min(1.0 - p));
    let size = if tail < 0.25 {
        far_quantile(tail, n)
    } else {
        near_quantile((p - 0.5).abs(), n)
    };
    size.copysign(p - 0.5)
}

/// The positive number above which t lies with a probability below 1/4.
///
/// Newton's method finds `v = n/2*ln(1 + t^2/n)`, with which the logarithm of the tail is nearly linear, and convex. With
/// `k = t^2/(n + t^2)` and `r = x/t - 1`, the tail is `gamma_ratio(n/2)/sqrt(pi)*exp(-v)*sqrt(k)*J`, and J is the integral
/// of `(1 + k*r*(2 + r))^(-(n + 1)/2)` over positive r.
fn far_quantile(tail: f64, n: f64) -> f64 {
    let constant = ln(gamma_ratio(n / 2.0)) - 0.5 * ln(PI) - ln(tail);
    let part = |v: f64| -expm1(-2.0 * v / n);
    // Less than any root, so that the steps go one way.
    let mut v = 0.05;
    for _ in 0..MOST_STEPS {
        let k = part(v);
        let integral = tail_integral(n, k);
        let step = (constant - v + 0.5 * ln(k) + ln(integral)) * n * k * integral;
        v += step;
        if step.abs() <= 1e-14 * v {
            break;
        }
    }
    (n * part(v)).sqrt() * exp(v / n)
}

/// The integral J by the double exponential rule: `r = exp(pi/2*sinh(u))`, in units of the distance over which the
/// integrand falls. With steps of 1/16 it is right to the last digits for all n.
fn tail_integral(n: f64, k: f64) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    let unit = 1.0 / ((n + 1.0) * k);
    let term = |at: i32| {
        let u = STEP * f64::from(at);
        let r = unit * exp(FRAC_PI_2 * sinh(u));
        r * cosh(u) * exp(-0.5 * (n + 1.0) * log1p(k * r * (2.0 + r)))
    };
    FRAC_PI_2 * STEP * (-68..=68).map(term).sum::<f64>()
}

/// The positive number below which t lies with the probability 1/2 plus `part`, which is at most 1/4.
fn near_quantile(part: f64, n: f64) -> f64 {
    let peak = gamma_ratio(n / 2.0) / (n * PI).sqrt();
    let mut t = part / peak;
    for _ in 0..MOST_STEPS {
        let density = peak * exp(-0.5 * (n + 1.0) * log1p(t * t / n));
        // The probability between 0 and t is t*density times a hypergeometric series, whose terms are all positive.
        let (mut sum, mut term, mut count) = (0.0, 1.0, 0.0);
        while term > 1e-17 * sum {
            sum += term;
            term *= (0.5 * (n + 1.0) + count) / (1.5 + count) * (t * t / (n + t * t));
            count += 1.0;
        }
        let step = part / density - t * sum;
        t += step;
        if step.abs() <= 1e-14 * t {
            break;
        }
    }
    t
}

/// `gamma(a + 1/2)/gamma(a)`, by its series for large a. The logarithms of gamma would lose the digits.
fn gamma_ratio(a: f64) -> f64 {
    #[rustfmt::skip]
    const SERIES: [f64; 8] = [
        1.0, -1.0 / 8.0, 1.0 / 128.0, 5.0 / 1024.0, -21.0 / 32768.0, -399.0 / 262_144.0, 869.0 / 4_194_304.0,
        39325.0 / 33_554_432.0,
    ];
    let (mut large, mut factor) = (a, 1.0);
    while large < 32.0 {
        factor *= large / (large + 0.5);
        large += 1.0;
    }
    let series = SERIES
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum / large + term);
    factor * series * large.sqrt()
}
