//! The fitted model as a curve along the predictor.

use crate::command::prelude::*;
use crate::plotting::sampling::{SampleAxis, sample_curves};
use chainrule_engine::graph::Jacobian;
use chainrule_report::Curve;

/// The most points that are compared with the sampled curve: enough to find a second list in the model.
const MOST_CHECKED: usize = 200;
/// Two values of the model are equal if their relative difference is at most this one, which rounding does not reach.
const TOLERANCE: f64 = 1e-9;
/// Samples a curve for these points: the model of the first point, while the predictor of this point goes through the
/// range. Returns `None` if the curve misses a point, because then the points differ in more than the predictor.
pub(super) fn sample_model(
    model: &[Rc<Node>],
    nodes: &[Rc<Node>],
    points: &[usize],
    axis: SampleAxis,
) -> Option<Curve> {
    let first = *points.first()?;
    if axis.range.0 >= axis.range.1 {
        return None;
    }
    let root = std::slice::from_ref(&model[first]);
    let mut jacobian = Jacobian::of(root, std::slice::from_ref(&nodes[first]));
    let mut passes_through = |point: usize| {
        let value = model[point].data();
        let found = jacobian.values(&[nodes[point].data()])[0];
        (found - value).abs() <= TOLERANCE * (value.abs() + found.abs())
    };
    let mut checked = points.iter().step_by(points.len().div_ceil(MOST_CHECKED));
    if !checked.all(|point| passes_through(*point)) {
        return None;
    }
    sample_curves(root, &nodes[first], axis).pop()
}
