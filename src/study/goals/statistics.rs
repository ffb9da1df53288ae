//! Computes statistics of lists of numbers: R², the probability of a χ², and standard deviations with correlations.

use super::linear::norm;
use crate::session::uncertainty::JointErrors;
use chainrule_engine::ops;
use chainrule_stop as stop;

/// A smaller R² is rounding.
const LEAST_R2: f64 = 1e-12;

/// Returns R²: the part of the variance of the data that a model explains, or `None` if the data do not vary. `length` is
/// the length of the residuals in units of the deviations, and each point counts by 1 over the square of its deviation.
pub(super) fn explained_part(length: f64, data: &[f64], deviations: &[f64]) -> Option<f64> {
    let weights = deviations.iter().map(|deviation| deviation.powi(-2));
    let total: f64 = weights.clone().sum();
    let weighted = weights.zip(data).map(|(weight, data)| weight * data);
    let mean = weighted.sum::<f64>() / total;
    let points = data.iter().zip(deviations);
    let around_mean = points.map(|(value, deviation)| (value - mean) / deviation);
    let variation = norm(&around_mean.collect::<Vec<f64>>());
    let r2 = 1.0 - (length / variation).powi(2);
    if variation == 0.0 || !r2.is_finite() {
        return None;
    }
    Some(if r2.abs() < LEAST_R2 { 0.0 } else { r2 })
}

/// Returns the probability that χ² of a right model is at least this: the upper incomplete gamma function
/// Q(freedom/2, x) with x = χ²/2.
///
/// For an even freedom it is the sum of x^k·e^-x/Γ(k + 1) for k = 0, 1, … below freedom/2. For an odd freedom k begins with
/// 1/2, and erfc(√x) is added. Logarithms keep the terms from overflowing.
pub(super) fn chance_of(chi2: f64, freedom: usize) -> f64 {
    let call = |name, x: f64| ops::function(name, 1).expect("it is there").value(&[x]);
    let x = chi2 / 2.0;
    if x == 0.0 {
        return 1.0;
    }
    let (first_k, added) = if freedom.is_multiple_of(2) {
        (0.0, 0.0)
    } else {
        (0.5, call("erfc", x.sqrt()))
    };
    let exponents = (0..freedom / 2).map(|step| first_k + step as f64);
    let terms = exponents.map(|k| (k * x.ln() - x - call("lgamma", k + 1.0)).exp());
    f64::min(added + stop::with_checks(terms).sum::<f64>(), 1.0)
}

/// Returns the standard deviations of a matrix of covariances, and its correlations, row by row.
pub(super) fn joint_errors(covariance: &[f64], n: usize) -> JointErrors {
    let deviations: Vec<f64> = (0..n).map(|at| covariance[at * n + at].sqrt()).collect();
    let mut correlations = vec![1.0; n * n];
    for row in 0..n {
        for column in row + 1..n {
            let correlation = match covariance[row * n + column] {
                0.0 => 0.0,
                entry => (entry / (deviations[row] * deviations[column])).clamp(-1.0, 1.0),
            };
            // Only the upper half is read, so that rounding leaves the matrix symmetric.
            correlations[row * n + column] = correlation;
            correlations[column * n + row] = correlation;
        }
    }
    JointErrors {
        deviations,
        correlations,
    }
}

#[cfg(test)]
mod tests {
    use super::chance_of;

    /// The numbers are those of mpmath's `gammainc(freedom/2, chi2/2, inf, regularized=True)` with 40 digits.
    #[test]
    fn chances_are_those_of_the_incomplete_gamma_function() {
        for (chi2, freedom, want) in [
            (0.0, 5, 1.0),
            (1e-12, 1, 0.999_999_202_115_439_2),
            (3.84, 1, 0.050_043_521_248_705_106),
            (1000.0, 1, 1.795_832_784_800_726_2e-219),
            (1400.0, 1, 2.101_014_516_264_217_6e-306),
            (5.99, 2, 0.050_036_627_086_586_28),
            (0.001, 2, 0.999_500_124_979_169_3),
            (11.866_353, 8, 0.157_267_237_642_308_65),
            (5.35, 8, 0.719_595_982_818_983),
            (0.01, 8, 0.999_999_999_974_062_3),
            (93.0, 8, 1.142_408_262_500_362_7e-16),
            (50.0, 51, 0.513_358_232_549_116_8),
            (51.0, 51, 0.473_660_653_281_969_16),
            (52.0, 51, 0.434_732_080_691_446_4),
            (999.0, 1000, 0.502_975_706_170_884),
            (1100.0, 1000, 0.014_614_408_126_295_194),
            (4000.0, 1000, 0.0),
            (10.0, 1000, 1.0),
            (1_000_000.0, 1_000_000, 0.499_811_936_803_394_5),
            (1_002_000.0, 999_999, 0.078_614_901_862_538_35),
            (1.3, 3, 0.729_133_076_271_248_1),
            (1e+308, 3, 0.0),
            (2900.0, 3, 0.0),
        ] {
            let got = chance_of(chi2, freedom);
            let off = (got - want).abs();
            assert!(off <= 1e-8 * want, "{chi2}, {freedom}: {got} for {want}");
        }
    }
}
