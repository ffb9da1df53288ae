//! Finds minima of a node over leaves, with or without constraints, and the kind of each point that it finds.
//!
//! `penalties` adds the constraints to the target and calls `bfgs` to descend. If there are few leaves, `second_order` then
//! finds the last digits, and judges by second derivatives whether the point is a minimum. They also tell how the leaves
//! follow others, and how uncertain leaves are at the maximum of a likelihood.

use std::rc::Rc;

use crate::search::bfgs::{GTOL, PointKind, SearchPoint};
use crate::search::implicit::{Slopes, run_until_stopped, slopes_by_sources, slopes_of_unknowns};
use crate::search::penalties::{ConstrainedPoint, Goal, Penalised, gradient_length};
use crate::search::second_order::{self, MinimumEquations};
use crate::search::{Progress, SearchWatch};
use chainrule_engine::graph::Node;
use chainrule_session::uncertainty::JointErrors;
use chainrule_session::{Session, Widths};
use chainrule_stop as stop;

/// The most passes of one search.
pub(crate) const MOST_PASSES: u64 = 100_000;

/// A constraint whose multiplier presses on the target with less than this fraction of 1 + |target| has no price: the
/// pressure is rounding, some 50 times the machine epsilon.
const LEAST_PRESSURE: f64 = 1e-14;

/// A variance below this fraction of the variance by the curvature alone is rounding: a constraint holds the leaf.
const LEAST_VARIANCE: f64 = 1e-12;

/// The end of a search.
pub(crate) struct Minimum {
    /// The leaves, the target, and its slopes.
    pub(crate) point: SearchPoint,
    /// The largest slope that the constraints do not balance.
    pub(crate) steepest: f64,
    pub(crate) passes: u64,
    /// Whether the host stopped the search.
    pub(crate) is_interrupted: bool,
    /// `None` if no point was found at which the constraints hold.
    pub(crate) verdict: Option<PointKind>,
    /// The price of each constraint: by how much the target grows if the excess has to be smaller by 1.
    pub(crate) multipliers: Vec<f64>,
}

/// Searches for the data of the leaves with the least value of the target. The search begins at the present data, where the
/// target, the constraints and all slopes are finite.
pub(crate) fn minimize(session: &mut Session, goal: &Goal, watch: SearchWatch) -> Minimum {
    let mut progress = Progress::watched_by(watch);
    // From here on only `watch` stops the search, so that the best point is kept.
    stop::run_to_end(|| search(session, goal, &mut progress))
}

/// Returns whether the host has stopped the search, or its passes are used up.
fn has_ended(progress: &Progress) -> bool {
    progress.is_stopped || progress.passes >= MOST_PASSES
}

/// Counts a pass, and asks whether to go on after it.
fn goes_on(progress: &mut Progress, here: &SearchPoint) -> bool {
    if has_ended(progress) {
        return false;
    }
    progress.passes += 1;
    progress.goes_on(0, here.value, &here.x)
}

/// Descends, improves the point by second derivatives, and classifies it.
fn search(session: &mut Session, goal: &Goal, progress: &mut Progress) -> Minimum {
    let start: Vec<f64> = goal.leaves.iter().map(|leaf| leaf.data()).collect();
    let mut model = Penalised::of(goal);
    let (descended, end) = model.run(&start, &mut |here| goes_on(progress, here));
    let mut found = ConstrainedPoint {
        point: model.at(descended.x.clone()),
        multipliers: model.multipliers.clone(),
    };
    let holds = model.holds(&found.point);
    let mut kind_by_curvature = None;
    if holds && end != PointKind::Endless && goes_on(progress, &descended) {
        let host = session.host();
        let finish = || second_order::finish(session, goal, &mut model, &mut found);
        // If the host stops this, the point after the last of Newton's steps stays.
        let classified = stop::run_until_stopped(move || host.stop(), finish);
        kind_by_curvature = classified.ok().flatten();
        // Asks the host again, so that `progress` knows of the stop.
        goes_on(progress, &descended);
    }
    model.set_on_bounds(&mut found);
    let balanced = found.balance();
    let verdict = match end {
        PointKind::Endless => Some(end),
        _ if !holds => None,
        _ if has_ended(progress) => Some(PointKind::Stopped),
        _ if kind_by_curvature.is_some() => kind_by_curvature,
        _ if balanced.is_level(GTOL) => Some(PointKind::Flat),
        // The point was level to the looser tolerance of an early descent, but no renewal of the multipliers was left.
        PointKind::Flat => Some(PointKind::Stopped),
        _ => Some(end),
    };
    Minimum {
        steepest: balanced.steepest(),
        passes: progress.passes,
        is_interrupted: progress.is_stopped,
        verdict,
        multipliers: prices(&found),
        point: found.point,
    }
}

/// Returns the multipliers, with 0 for constraints that do not press on the target.
fn prices(found: &ConstrainedPoint) -> Vec<f64> {
    let least_pressure = LEAST_PRESSURE * (1.0 + found.point.value.abs());
    let mut prices = found.multipliers.clone();
    for (price, slopes) in prices.iter_mut().zip(&found.point.excess_slopes) {
        let has_price = price.abs() * gradient_length(slopes) > least_pressure;
        if !has_price {
            *price = 0.0;
        }
    }
    prices
}

/// Returns the derivatives, by each source, of leaves at a minimum, and of the multipliers.
pub(crate) fn slopes_of_minimum(
    session: &mut Session,
    goal: &Goal,
    minimum: &Minimum,
    sources: &[Rc<Node>],
) -> Option<Slopes> {
    let (leaves, point, multipliers) = (&goal.leaves, &minimum.point.x, &minimum.multipliers);
    slopes_by_sources(session, leaves, point, sources, |session, by, at| {
        let mut equations = MinimumEquations::of(session, goal, multipliers, by)?;
        Some(equations.rows(at, multipliers))
    })
}

/// Returns the uncertainties of leaves at a minimum of the negative logarithm of a likelihood. Their covariance is the
/// inverse of the second derivatives, within the active constraints. A leaf that the constraints hold in place has no
/// uncertainty.
pub(crate) fn of_likelihood(
    session: &mut Session,
    goal: &Goal,
    minimum: &Minimum,
) -> Option<Widths> {
    let n = goal.leaves.len();
    let (point, multipliers) = (&minimum.point.x, &minimum.multipliers);
    let (rows, columns) = run_until_stopped(session, |session| {
        let mut equations = MinimumEquations::of(session, goal, multipliers, &goal.leaves)?;
        let rows = equations.rows(point, multipliers);
        let columns = slopes_of_unknowns(with_unit_sources(rows.clone(), n), n)?;
        Some((rows, columns))
    })?;
    let covariance: Vec<f64> = columns.iter().flat_map(|it| &it[..n]).copied().collect();
    let joint = JointErrors::of_covariance(&covariance, n);
    let uncertain = &session.names().uncertain;
    let found = uncertain.of_found(point, Some(joint), &[], &[]);
    let widths = goal.leaves.iter().cloned().zip(found).enumerate();
    // By its curvature alone, a leaf would have the variance 1/curvature.
    let is_free = |leaf: usize| columns[leaf][leaf] * rows[leaf][leaf] > LEAST_VARIANCE;
    let free = widths.filter(|(leaf, _)| is_free(*leaf));
    Some(free.map(|(_, width)| width).collect())
}

/// Adds `n` sources to the rows, one for each of the first equations. A source of 1 shifts its equation by 1, so the
/// derivatives of the leaves by these sources are the inverse matrix.
fn with_unit_sources(mut rows: Vec<Vec<f64>>, n: usize) -> Vec<Vec<f64>> {
    for (equation, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|source| if source == equation { -1.0 } else { 0.0 }));
    }
    rows
}
