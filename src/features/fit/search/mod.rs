//! Fits a model to data: moves leaves to minimize the sum of the squared residuals, and computes how well the data
//! determine the leaves. Leaves are indices and numbers here; a [`FitModel`] knows their nodes.
//!
//! At the end of the search the derivatives of all points by all leaves make a matrix. The inverse of its normal matrix is
//! the covariance of the leaves, in units of the variance of the data.

mod linear_leaves;
mod signs;
mod starts;
mod values_to_try;

pub(super) use self::linear_leaves::{curved_leaves, every_nth};
pub(super) use self::starts::starts;

use self::signs::tidy_signs;

use crate::search::differences::Differences;
use crate::search::least_squares::{
    DEPENDENT, NEARLY_DEPENDENT, NearestPoint, Residuals, SearchEnd, Tangents, in_trust_region,
};
use crate::search::linear::norm;
use crate::search::{Progress, SearchWatch};
use chainrule_engine::ops;
use chainrule_session::uncertainty::JointErrors;
use chainrule_stop as stop;

/// The most passes of a search. All problems of NIST converge earlier.
const MOST_PASSES_EACH: u64 = 1_000;
/// The most passes of the two searches of a fit whose weights follow the slopes of the model.
pub(crate) const MOST_PASSES: u64 = 2 * MOST_PASSES_EACH;
/// The first step of a search is no longer than this many times the size of the start. MINPACK's `factor`, usually 100, is
/// much bolder.
const FIRST_RADIUS: f64 = 2.0;

/// The most leaves of a failed fit for which the search looks for starts.
const MOST_SUGGESTED: usize = 30;
/// A fit is better than another if its residuals are shorter than this fraction of the other residuals, so that rounding
/// does not decide.
const BETTER_LENGTH: f64 = 0.999;
/// A fit with a smaller R² may have begun at a wrong place, so another start is tried.
const GOOD_R2: f64 = 0.8;
/// A leaf is loose if its deviation is more than this many times its value, and it follows another leaf.
const LOOSE_DEVIATION: f64 = 10.0;
/// A leaf follows another one if their correlation is greater than this.
const LOOSE_CORRELATION: f64 = 0.99;

/// A model with its data.
pub(super) trait FitModel {
    /// Whether the deviations of the points are known. Then they are the units of the residuals.
    fn has_deviations(&self) -> bool;

    /// Returns the residuals of all points. Their units move with the leaves if the deviations do, unless `has_fixed_units`.
    fn residuals(&self, has_fixed_units: bool) -> Differences;

    /// Returns the residuals at some of the points, as functions of the leaves with these indices, in units that do not move.
    fn some_residuals(&self, leaves: &[usize]) -> Differences;
}

/// The result of a fit.
pub(crate) struct FoundFit {
    /// The end of the search, with the data of the leaves.
    pub(crate) nearest: NearestPoint,
    /// The unit of each residual at this point: a residual is (model - data)/unit.
    pub(super) units: Vec<f64>,
    /// The degrees of freedom: the points less the leaves that are not held.
    pub(crate) freedom: usize,
    /// The sum of the squares of data minus model.
    pub(crate) sum_of_squares: f64,
    /// The root of the mean square of data minus model.
    pub(crate) rms: f64,
    /// The part of the variance of the data that the model explains; `None` if the data do not vary, or there is no
    /// freedom.
    pub(crate) r2: Option<f64>,
    /// The sum of squares in units of the deviations.
    pub(crate) chi2: Option<f64>,
    /// The probability of a χ² of at least this, if model and deviations are right: the p-value.
    pub(crate) chance: Option<f64>,
    /// Akaike's information criterion, which is lower for the better of two models of the same data with the same `±`. It
    /// is the one for few points, `AICc`, if the deviations are not known. `None` without enough degrees of freedom.
    pub(crate) aic: Option<f64>,
    /// The uncertainties of the leaves; `None` if the data do not determine them. There are no deviations if there are only
    /// as many points as leaves, and no deviations of the data.
    pub(crate) certainty: Option<JointErrors>,
}

impl FoundFit {
    /// Returns the first leaf, by its index, that can take any value if others follow.
    pub(crate) fn loose_leaf(&self) -> Option<usize> {
        let deviations = &self.certainty.as_ref()?.deviations;
        let size = |leaf: usize| self.nearest.point[leaf].abs();
        let is_wide = |leaf: usize| deviations[leaf] > LOOSE_DEVIATION * size(leaf);
        (0..deviations.len()).find(|&leaf| is_wide(leaf) && self.correlated_leaves(leaf).len() > 1)
    }

    /// Returns the leaves that follow a leaf, and the leaf itself.
    fn correlated_leaves(&self, leaf: usize) -> Vec<usize> {
        let correlations = self.certainty.iter().map(|it| &it.correlations);
        let mut rows = correlations.flat_map(|all| all.chunks(self.nearest.point.len()));
        let row = rows.nth(leaf).into_iter().flatten().enumerate();
        let strong = row.filter(|(_, correlation)| correlation.abs() > LOOSE_CORRELATION);
        strong.map(|(other, _)| other).collect()
    }

    /// Returns the standard deviation of the leaf with this index, if it is known. A leaf that is held at a bound has none.
    pub(crate) fn deviation(&self, leaf: usize) -> Option<f64> {
        let deviation = self.certainty.as_ref()?.deviations.get(leaf).copied();
        deviation.filter(|_| !self.nearest.held.contains(&leaf))
    }

    /// Returns R² if it is low. If a leaf is held at a bound, returns `None`, because another start would not help.
    pub(crate) fn low_r2(&self) -> Option<f64> {
        self.r2
            .filter(|r2| self.nearest.held.is_empty() && *r2 < GOOD_R2)
    }

    /// Returns whether a model with this R² is better than a constant by an F test at 5 %. Paulson's formula turns F into a
    /// number of standard deviations.
    pub(crate) fn is_better_than_constant(&self, r2: f64) -> bool {
        let (more, freedom) = (self.nearest.point.len().max(2) - 1, self.freedom as f64);
        let root = (r2 / (1.0 - r2) * freedom / more as f64).cbrt();
        let [of_model, of_rest] = [more as f64, freedom].map(|count| 2.0 / (9.0 * count));
        let distance = (1.0 - of_rest) * root - (1.0 - of_model);
        distance > 1.645 * (of_rest * root * root + of_model).sqrt()
    }

    /// Returns whether another start may be better.
    fn has_failed(&self) -> bool {
        let is_doubtful = self.loose_leaf().is_some() || self.low_r2().is_some();
        let end = &self.nearest.end;
        *end != SearchEnd::Stopped && (*end != SearchEnd::Settled || is_doubtful)
    }

    /// Returns whether the fit is better than another one that has failed. If the data do not determine the leaves, it is no
    /// better.
    fn is_better_than(&self, failed: &FoundFit) -> bool {
        let [length, failed_length] = [self, failed].map(|fit| norm(&fit.nearest.residuals));
        let is_nearer = length < BETTER_LENGTH * failed_length || failed_length.is_nan();
        self.certainty.is_some() && is_nearer
    }
}

/// Fits from the data `given` of the leaves. If that fails, and `can_begin_elsewhere`, fits from starts that the data
/// suggest, and returns these with the fit if it is better. `across` has the horizontal position of each point, or is empty.
/// Calls `watch` for each pass with the root of the mean square, to ask whether to go on.
pub(super) fn fit_once_or_twice(
    model: &impl FitModel,
    given: &[f64],
    can_begin_elsewhere: bool,
    across: &[f64],
    watch: SearchWatch,
) -> (FoundFit, Option<Vec<f64>>) {
    let first = fit(model, given, watch);
    if !can_begin_elsewhere || !first.has_failed() || given.len() > MOST_SUGGESTED {
        return (first, None);
    }
    let all: Vec<usize> = (0..given.len()).collect();
    let suggested = stop::run_stoppable(|| starts(model, &all, across));
    let Some(starts) = suggested.ok().flatten() else {
        return (first, None);
    };
    let passes = first.nearest.passes;
    let mut watch_on = |pass, value, point: &[f64]| watch(passes + pass, value, point);
    let again = fit(model, &starts, &mut watch_on);
    if again.is_better_than(&first) {
        return (again, Some(starts));
    }
    (first, None)
}

/// Fits the model. The search begins with the data `start` of the leaves, at which all points must be finite.
fn fit(model: &impl FitModel, start: &[f64], watch: SearchWatch) -> FoundFit {
    let mut progress = Progress::watched_by(watch);
    let mut system = model.residuals(false);
    let mut first = start.to_vec();
    if system.has_moving_units {
        // Far from the data, weights that follow the slopes lead astray.
        first = search(&mut model.residuals(true), start, &mut progress).point;
    }
    let mut nearest = search(&mut system, &first, &mut progress);
    if nearest.end == SearchEnd::Settled && start.len() <= MOST_SUGGESTED {
        let all: Vec<usize> = (0..start.len()).collect();
        let tidied = tidy_signs(&mut model.some_residuals(&all), start, &nearest.point);
        if let Some(tidy) = tidied {
            nearest = search(&mut system, &tidy, &mut progress);
        }
    }
    nearest.passes = progress.passes;
    // The last point that the search tried may be another one, and `found_fit` reads data and units at the nearest one.
    system.values(&nearest.point);
    let mut found = found_fit(model.has_deviations(), nearest, system);
    // After a stop the user does not wait for this.
    if is_complete(&found.nearest.end)
        && let Some(leaves) = undetermined_leaves(model, start, &found)
    {
        found.nearest.end = SearchEnd::Undetermined(leaves);
        found.certainty = None;
    }
    found
}

/// Returns the indices of leaves that the data do not tell apart where a search has ended, if there are any.
///
/// Leaves in which the model is linear have a single best value, so only rounding makes them undetermined. Others may run
/// away together, along a valley that falls more and more slowly: then some hardly add to the derivatives, or the search
/// does not settle, and one of them is loose.
fn undetermined_leaves(
    model: &impl FitModel,
    start: &[f64],
    found: &FoundFit,
) -> Option<Vec<usize>> {
    let nearest = &found.nearest;
    let dependent = nearest.undetermined_unknowns(DEPENDENT);
    if dependent.is_some() {
        return dependent;
    }
    if nearest.end != SearchEnd::Settled
        && let Some(leaf) = found.loose_leaf()
    {
        return Some(found.correlated_leaves(leaf));
    }
    let leaves = nearest.undetermined_unknowns(NEARLY_DEPENDENT)?;
    let curved = curved_leaves(model, &[start.to_vec(), nearest.point.clone()]);
    let has_curved = leaves.iter().any(|leaf| curved.contains(leaf));
    has_curved.then_some(leaves)
}

/// Returns whether a search has ended by itself, at a point that determines the leaves.
fn is_complete(end: &SearchEnd) -> bool {
    use SearchEnd::{Exhausted, Settled, Stuck};
    matches!(end, Settled | Stuck | Exhausted)
}

/// Searches from one start.
fn search(system: &mut Differences, start: &[f64], progress: &mut Progress) -> NearestPoint {
    let mut first = start.to_vec();
    system.clamp(&mut first);
    let mut nearest = NearestPoint::at(system, &first);
    if let Some(entry) = nearest.rows.iter().position(|number| !number.is_finite()) {
        let (point, leaf) = (entry / start.len(), entry % start.len());
        nearest.end = SearchEnd::Undefined { point, leaf };
        return nearest;
    }
    let root_of_count = (nearest.residuals.len() as f64).sqrt();
    let watch = &mut |pass, length: f64, point: &[f64]| {
        progress.goes_on(pass, length / root_of_count, point)
    };
    let found = in_trust_region(system, &nearest, FIRST_RADIUS, MOST_PASSES_EACH, watch);
    progress.passes += found.passes;
    found
}

/// Computes the statistics of a fit from its residuals. `system` has the data and the units at the nearest point.
fn found_fit(has_deviations: bool, nearest: NearestPoint, system: Differences) -> FoundFit {
    let residuals = &nearest.residuals;
    let (count, length) = (residuals.len() as f64, norm(residuals));
    let moved_count = nearest.point.len() - nearest.held.len();
    let freedom = residuals.len() - moved_count;
    let has_freedom = freedom > 0;
    let with_units = residuals.iter().zip(&system.units);
    let in_units_of_data = with_units.map(|(residual, unit)| residual * unit);
    let distance = norm(&in_units_of_data.collect::<Vec<f64>>());
    let chi2 = has_deviations.then(|| length.powi(2));
    let judged_chi2 = chi2.filter(|_| has_freedom);
    let chance = judged_chi2.map(|sum| chance_of(sum, freedom));
    // The deviation of a residual. Known deviations are its unit.
    let estimated = has_freedom.then(|| length / (freedom as f64).sqrt());
    let scatter = if has_deviations { Some(1.0) } else { estimated };
    // -2·ln(likelihood), except for a constant that all models of the data share, is χ², or n·ln(mean square) if the
    // deviations are unknown. Deviations that move with the leaves are no such constant, and add the sum of
    // 2·ln(deviation).
    let moving = Some(&system.units).filter(|_| system.has_moving_units);
    let logarithms = moving.into_iter().flatten().map(|unit| 2.0 * unit.ln());
    let unknowns = moved_count as f64;
    let (aic, least_freedom) = if let Some(chi2) = chi2 {
        (chi2 + logarithms.sum::<f64>() + 2.0 * unknowns, 1)
    } else {
        // The scatter is one more unknown, and unknowns cost more with few points.
        let cost = 2.0 * (unknowns + 1.0) / (freedom as f64 - 2.0);
        (count * ((distance * distance / count).ln() + cost), 3)
    };
    FoundFit {
        sum_of_squares: distance * distance,
        rms: distance / count.sqrt(),
        r2: explained_part(length, &system.right, &system.units).filter(|_| has_freedom),
        chi2,
        chance: chance.filter(|chance| chance.is_finite()),
        aic: (freedom >= least_freedom && aic.is_finite()).then_some(aic),
        certainty: is_complete(&nearest.end).then(|| certainty(nearest.tangents(), scatter)),
        freedom,
        units: system.units,
        nearest,
    }
}

/// Returns the deviations of the leaves and their correlations. `scatter` is the deviation of a residual.
fn certainty(Tangents { units, factors, .. }: &Tangents, scatter: Option<f64>) -> JointErrors {
    let mut joint = JointErrors::of_covariance(&factors.inverse_of_normal(), units.len());
    for (deviation, unit) in joint.deviations.iter_mut().zip(units) {
        *deviation = scatter.unwrap_or(f64::NAN) * *deviation / unit;
    }
    // Rounding alone makes no correlation.
    let rounding = joint
        .correlations
        .iter_mut()
        .filter(|it| it.abs() < ROUNDING);
    rounding.for_each(|it| *it = 0.0);
    if !joint.deviations.iter().all(|it| it.is_finite()) {
        joint.deviations.clear();
    }
    joint
}

/// A smaller R² or correlation is rounding.
const ROUNDING: f64 = 1e-12;

/// Returns R²: the part of the variance of the data that a model explains, or `None` if the data do not vary. `length` is
/// the length of the residuals in units of the deviations, and each point counts by 1 over the square of its deviation.
fn explained_part(length: f64, data: &[f64], deviations: &[f64]) -> Option<f64> {
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
    Some(if r2.abs() < ROUNDING { 0.0 } else { r2 })
}

/// Returns the probability that χ² of a right model is at least this: the upper incomplete gamma function
/// Q(freedom/2, x) with x = χ²/2.
///
/// For an even freedom it is the sum of x^k·e^-x/Γ(k + 1) for k = 0, 1, … below freedom/2. For an odd freedom k begins with
/// 1/2, and erfc(√x) is added. Logarithms keep the terms from overflowing.
fn chance_of(chi2: f64, freedom: usize) -> f64 {
    let call = |name, x: f64| ops::function(name, 1).expect("it is there").value(&[x]);
    let x = chi2 / 2.0;
    if x == 0.0 {
        return 1.0;
    }
    let is_even = freedom.is_multiple_of(2);
    let first_k = if is_even { 0.0 } else { 0.5 };
    let added = if is_even { 0.0 } else { call("erfc", x.sqrt()) };
    let exponents = (0..freedom / 2).map(|step| first_k + step as f64);
    let terms = exponents.map(|k| (k * x.ln() - x - call("lgamma", k + 1.0)).exp());
    f64::min(added + stop::with_checks(terms).sum::<f64>(), 1.0)
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
