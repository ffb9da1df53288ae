//! Fits a model to data: moves leaves to where the sum of the squared residuals is least, and finds out how well the
//! data determine the leaves.
//!
//! The matrix of the derivatives of all points with respect to all leaves, at the end of the search, says how the
//! residuals move with the leaves. The inverse of its normal matrix is the covariance of the leaves in units of the
//! variance of the data.

use std::rc::Rc;

use super::differences::Differences;
use super::goal::SearchWatch;
use super::least_squares::{NearestPoint, Residuals, SearchEnd, Tangents, in_trust_region};
use super::linear::norm;
use chainrule_engine::graph::{Node, Order};
use chainrule_engine::ops;
use chainrule_stop as stop;

/// The most passes of a search, and of both.
const MOST_EACH: u64 = 1_000;
pub(crate) const MOST_PASSES: u64 = 2 * MOST_EACH;
/// How far a search goes at first.
const FIRST_RADIUS: f64 = 2.0;

/// The most leaves of a fit. Its time grows with their square.
pub const MOST_FITTED: usize = 500;

/// An R² of less is rounding.
const ROUNDING: f64 = 1e-12;

/// What is to be fitted: as many nodes of the model as of the data, and at least as many as leaves.
#[derive(Debug)]
pub(crate) struct FitProblem {
    /// The order of what is below the model.
    pub(crate) order: Order,
    /// What the model gives at each point.
    pub(crate) model: Vec<Rc<Node>>,
    /// What it should give.
    pub(crate) data: Vec<Rc<Node>>,
    /// The standard deviation of the data at each point, if it is known; all are positive.
    pub(crate) deviations: Option<Vec<f64>>,
    /// The same with what the uncertainties of the model's own data add through its slopes, if some have one: they
    /// depend on the leaves.
    pub(crate) moving_deviations: Vec<Rc<Node>>,
    /// The leaves of the model that have such uncertainties.
    pub(crate) uncertain_predictors: Vec<Rc<Node>>,
    /// The leaves to move.
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The leaves that stay, and whose uncertainties count in those of the leaves that move, if they have any.
    pub(crate) constants: Vec<Rc<Node>>,
    /// The leaves below a single point, if the deviations are theirs.
    pub(crate) weighting: Vec<Rc<Node>>,
    /// Between which numbers each leaf stays, if some are bounded.
    pub(crate) bounds: Vec<(f64, f64)>,
}

/// What a fit has found.
#[derive(Debug)]
pub(crate) struct FoundFit {
    /// Where the leaves are.
    pub(crate) nearest: NearestPoint,
    /// What the residuals were divided by there.
    pub(super) units: Vec<f64>,
    /// The points less the leaves that are not held.
    pub(crate) freedom: usize,
    /// The sum of the squares of data minus model.
    pub(crate) sum_of_squares: f64,
    /// The root of the mean square that is left of the data.
    pub(crate) rms: f64,
    /// The part of the variance of the data that the model explains; none if the data do not vary. With deviations each
    /// point counts by 1 over the square of its own.
    pub(crate) r2: Option<f64>,
    /// The sum of squares in units of the deviations.
    pub(crate) chi2: Option<f64>,
    /// How likely a χ² of at least this is, if model and deviations are right.
    pub(crate) chance: Option<f64>,
    /// Akaike's information criterion, which is lower for the better of two models of the same data with the same `±`.
    pub(crate) aic: Option<f64>,
    /// How sure the leaves are; none if the data do not determine them.
    pub(crate) certainty: Option<Certainty>,
}

/// If a model explains less than this part of the data, the search may have begun at a wrong place.
const POOR: f64 = 0.8;
/// A leaf is loose if its deviation is more than `WIDE` times its value, and it is correlated with another one beyond `TIED`.
const WIDE: f64 = 10.0;
const TIED: f64 = 0.99;

impl FoundFit {
    /// The first leaf that can take any value as long as others follow.
    pub(crate) fn loose_leaf(&self) -> Option<usize> {
        let certainty = self.certainty.as_ref()?;
        let point = &self.nearest.point;
        let is_loose = |(place, deviation): &(usize, &f64)| {
            let mut row = certainty.correlations[place * point.len()..][..point.len()]
                .iter()
                .enumerate();
            **deviation > WIDE * point[*place].abs()
                && row.any(|(other, part)| other != *place && part.abs() > TIED)
        };
        let mut deviations = certainty.deviations.iter().flatten().enumerate();
        deviations.find(is_loose).map(|(place, _)| place)
    }

    /// R² if it is low, unless a bound keeps the model from the data wherever the search begins.
    pub(crate) fn low_r2(&self) -> Option<f64> {
        self.r2
            .filter(|r2| self.nearest.held.is_empty() && *r2 < POOR)
    }

    /// Whether another start may be better.
    pub(super) fn has_failed(&self) -> bool {
        let is_doubtful = self.loose_leaf().is_some() || self.low_r2().is_some();
        let end = &self.nearest.end;
        *end != SearchEnd::Stopped && (*end != SearchEnd::Settled || is_doubtful)
    }

    /// Whether the data determine its leaves, and it is clearly nearer to them than another fit, or that one is nowhere.
    pub(super) fn is_better_than(&self, other: &FoundFit) -> bool {
        let [one, other] = [self, other].map(|fit| norm(&fit.nearest.residuals));
        self.certainty.is_some() && (one < 0.999 * other || other.is_nan())
    }
}

/// How sure fitted leaves are.
#[derive(Debug)]
pub(crate) struct Certainty {
    /// The standard deviation of each leaf; none if there are as many points as leaves and no deviations of the data.
    pub(crate) deviations: Option<Vec<f64>>,
    /// The correlation of each leaf with each, row by row.
    pub(crate) correlations: Vec<f64>,
}

impl FitProblem {
    /// The standard deviation of each point at the present data of the leaves, if it is known.
    pub(crate) fn deviations_now(&self) -> Option<Vec<f64>> {
        if self.moving_deviations.is_empty() {
            return self.deviations.clone();
        }
        let nodes = self.moving_deviations.iter();
        Some(nodes.map(|node| node.data()).collect())
    }

    /// The residuals, in units that are these nodes or else the deviations of the data.
    fn residuals(&self, moving_units: &[Rc<Node>]) -> Differences {
        let (model, data, leaves) = (&self.model, &self.data, &self.leaves);
        let units = self.deviations.clone();
        let units = units.unwrap_or_else(|| vec![1.0; model.len()]);
        let mut system = Differences::of(model, data, leaves, units, moving_units);
        system.bounds.clone_from(&self.bounds);
        system
    }
}

/// Fits the model, beginning at this data of the leaves, where all points must be finite. `watch` is called for each pass
/// with the root of the mean square there, and says whether to go on.
pub(crate) fn fit(problem: &FitProblem, start: &[f64], watch: SearchWatch) -> FoundFit {
    let n = start.len();
    let root = (problem.model.len() as f64).sqrt();
    let mut passes = 0;
    let mut search = |system: &mut Differences, start: &[f64]| {
        let mut first = start.to_vec();
        system.clamp(&mut first);
        let mut nearest = NearestPoint::at(system, &first);
        if let Some(at) = nearest.rows.iter().position(|number| !number.is_finite()) {
            let (point, leaf) = (at / n, at % n);
            nearest.end = SearchEnd::Undefined { point, leaf };
            return nearest;
        }
        let watch =
            &mut |pass, length: f64, point: &[f64]| watch(passes + pass, length / root, point);
        nearest = in_trust_region(system, &nearest, FIRST_RADIUS, MOST_EACH, watch);
        passes += nearest.passes;
        nearest
    };
    let mut system = problem.residuals(&problem.moving_deviations);
    let mut nearest = if problem.moving_deviations.is_empty() {
        search(&mut system, start)
    } else {
        // Far from the data, weights that follow the slopes lead astray.
        let plain = search(&mut problem.residuals(&[]), start);
        search(&mut system, &plain.point)
    };
    nearest.passes = passes;
    let mut is_determined = false;
    // Where a fit is stopped, this may take too long to find out.
    if !matches!(
        nearest.end,
        SearchEnd::Stopped | SearchEnd::Undefined { .. }
    ) {
        match nearest.undetermined_unknowns() {
            Some(leaves) => nearest.end = SearchEnd::Undetermined(leaves),
            None => is_determined = true,
        }
    }
    let residuals = &nearest.residuals;
    let (count, length) = (residuals.len() as f64, norm(residuals));
    let freedom = residuals.len() + nearest.held.len() - n;
    let scatter = match &problem.deviations {
        Some(_) => Some(1.0),
        None => (freedom > 0).then(|| length / (freedom as f64).sqrt()),
    };
    system.values(&nearest.point);
    let (deviations, data) = (&system.units, &system.right);
    let plain = residuals.iter().zip(deviations);
    let plain: Vec<f64> = plain.map(|(residual, unit)| residual * unit).collect();
    let rest = norm(&plain);
    let chi2 = (problem.deviations.as_ref()).map(|_| length.powi(2));
    let chance = chi2.filter(|_| freedom > 0);
    let chance = chance.map(|chi2| chance_of(chi2, freedom));
    let lack = chi2.unwrap_or_else(|| count * (rest * rest / count).ln());
    let moving = problem.moving_deviations.iter().zip(deviations);
    let weights: f64 = moving.map(|(_, deviation)| 2.0 * deviation.ln()).sum();
    let aic = lack + weights + 2.0 * (n - nearest.held.len()) as f64;
    FoundFit {
        aic: Some(aic).filter(|aic| aic.is_finite()),
        sum_of_squares: rest * rest,
        rms: rest / root,
        r2: explained_part(length, data, deviations).filter(|_| freedom > 0),
        chi2,
        chance: chance.filter(|chance| chance.is_finite()),
        certainty: is_determined.then(|| certainty(nearest.tangents(), scatter)),
        freedom,
        units: system.units,
        nearest,
    }
}

/// R²: the part of the variance of the data that a model explains from which the data are this far.
fn explained_part(length: f64, data: &[f64], deviations: &[f64]) -> Option<f64> {
    let weights = deviations.iter().map(|deviation| deviation.powi(-2));
    let total: f64 = weights.clone().sum();
    let mean = weights.zip(data).map(|(weight, data)| weight * data);
    let mean = mean.sum::<f64>() / total;
    let around = (data.iter().zip(deviations)).map(|(data, deviation)| (data - mean) / deviation);
    let around = norm(&around.collect::<Vec<f64>>());
    let part = 1.0 - (length / around).powi(2);
    let is_rounding = part.abs() < ROUNDING;
    (around > 0.0 && part.is_finite()).then_some(if is_rounding { 0.0 } else { part })
}

/// The probability that χ² of a right model is at least this: the upper incomplete gamma function Q(freedom/2, χ²/2), as
/// erfc(√x) or 0 and a sum of x^k·e^-x/Γ(k + 1).
fn chance_of(chi2: f64, freedom: usize) -> f64 {
    let call = |name, x: f64| ops::function(name, 1).expect("it is there").value(&[x]);
    let x = chi2 / 2.0;
    if x == 0.0 {
        return 1.0;
    }
    let (first, rest) = match freedom % 2 {
        0 => (0.0, 0.0),
        _ => (0.5, call("erfc", x.sqrt())),
    };
    let powers = (0..freedom / 2).map(|step| first + step as f64);
    let terms = powers.map(|power| (power * x.ln() - x - call("lgamma", power + 1.0)).exp());
    f64::min(rest + stop::with_checks(terms).sum::<f64>(), 1.0)
}

/// The deviations of the leaves and their correlations. `scatter` is the deviation of a residual.
fn certainty(Tangents { units, factors, .. }: &Tangents, scatter: Option<f64>) -> Certainty {
    let (lengths, correlations) = correlations(&factors.inverse_of_normal(), units.len());
    let deviations = scatter.map(|scatter| {
        let each = lengths.iter().zip(units);
        each.map(|(length, unit)| scatter * length / unit).collect()
    });
    Certainty {
        deviations: deviations.filter(|all: &Vec<f64>| all.iter().all(|one| one.is_finite())),
        correlations,
    }
}

/// The standard deviations that a matrix of covariances has, and the correlations, row by row.
pub(super) fn correlations(covariance: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let lengths: Vec<f64> = (0..n).map(|at| covariance[at * n + at].sqrt()).collect();
    let correlation = |at: usize| {
        let (row, column) = (at / n, at % n);
        if row == column {
            return 1.0;
        }
        // Half of the entries are used, so that rounding leaves the matrix symmetric.
        match covariance[row.min(column) * n + row.max(column)] {
            0.0 => 0.0,
            entry => (entry / (lengths[row] * lengths[column])).clamp(-1.0, 1.0),
        }
    };
    let correlations = (0..n * n).map(correlation).collect();
    (lengths, correlations)
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
