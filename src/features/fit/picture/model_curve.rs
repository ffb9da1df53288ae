//! The fitted model as a curve along the predictor, and the standard deviations of the model, which make the band.

use crate::command::prelude::*;
use crate::features::fit::widths::FinishedFit;
use crate::plotting::sampling::{SampleAxis, sample_curves};
use chainrule_engine::graph::Jacobian;
use chainrule_report::Curve;
use chainrule_session::uncertainty::Sources;

/// The most points that are compared with the sampled curve: enough to find a second list in the model.
const MOST_CHECKED: usize = 200;
/// Two values of the model are equal if their relative difference is at most this one, which rounding does not reach.
const TOLERANCE: f64 = 1e-9;
/// Samples a curve for these points: the model of the first point, while the predictor of this point goes through the
/// range. Returns `None` if the curve misses a point, because then the points differ in more than the predictor.
pub(super) fn sample_model(
    model: &[Rc<Node>],
    leaves: &[Rc<Node>],
    points: &[usize],
    axis: SampleAxis,
) -> Option<Curve> {
    let first = *points.first()?;
    if axis.range.0 >= axis.range.1 {
        return None;
    }
    let root = std::slice::from_ref(&model[first]);
    let mut jacobian = Jacobian::of(root, std::slice::from_ref(&leaves[first]));
    let mut passes_through = |point: usize| {
        let value = model[point].data();
        let found = jacobian.values(&[leaves[point].data()])[0];
        (found - value).abs() <= TOLERANCE * (value.abs() + found.abs())
    };
    let mut checked = points.iter().step_by(points.len().div_ceil(MOST_CHECKED));
    if !checked.all(|point| passes_through(*point)) {
        return None;
    }
    sample_curves(root, &leaves[first], axis).pop()
}

/// The standard deviations of the model to first order, from the fitted leaves and from constants with a `±`.
pub(super) struct ModelBand<'p> {
    model: &'p [Rc<Node>],
    uncertain: Vec<Rc<Node>>,
    sources: Sources,
}

impl ModelBand<'_> {
    pub(super) fn of<'p>(session: &Session, fit: &FinishedFit<'p>) -> ModelBand<'p> {
        let points = &fit.problem.points;
        let uncertain = [&points.leaves[..], &fit.constants].concat();
        ModelBand {
            model: &points.model,
            sources: session.names().uncertain.sources(&uncertain),
            uncertain,
        }
    }

    /// The deviations of the model of one point while the leaf `mover` takes the x of each of these points of a curve.
    pub(super) fn along(&self, point: usize, mover: &Rc<Node>, curve: &[(f64, f64)]) -> Vec<f64> {
        let leaves = [&self.uncertain[..], std::slice::from_ref(mover)].concat();
        let root = std::slice::from_ref(&self.model[point]);
        let mut jacobian = Jacobian::of(root, &leaves);
        let mut data = values(&leaves);
        let mut deviations = Vec::new();
        for (x, _) in stop::with_checks(curve.iter()) {
            data[self.uncertain.len()] = *x;
            jacobian.values(&data);
            // The last derivative is that by the mover, which is exact.
            deviations.push(self.sources.deviation(&jacobian.rows()));
        }
        if_all_known(deviations)
    }

    /// The deviations of the model at these points of the data.
    pub(super) fn at_points(&self, points: &[usize]) -> Vec<f64> {
        let data = values(&self.uncertain);
        let mut jacobian = Jacobian::of(self.model, &self.uncertain);
        jacobian.values(&data);
        let rows = jacobian.rows();
        let row = |at: &usize| &rows[at * data.len()..][..data.len()];
        let checked_points = stop::with_checks(points.iter());
        let deviations = checked_points.map(|at| self.sources.deviation(row(at)));
        if_all_known(deviations.collect())
    }
}

/// Returns no deviations if one of them is not known, because a band with gaps misleads.
fn if_all_known(mut deviations: Vec<f64>) -> Vec<f64> {
    if !deviations.iter().all(|sigma| sigma.is_finite()) {
        deviations.clear();
    }
    deviations
}
