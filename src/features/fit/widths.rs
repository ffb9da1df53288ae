//! The uncertainties of the leaves of a fit: from the scatter or the weights of the points, and from the uncertainties of
//! other leaves. In a fit, the equations of `implicit` are that the slopes of χ² are 0.
//!
//! Two kinds of leaves follow the tangents of a fit instead of exact second derivatives: the leaves that give the points
//! their weights, and the constants of a fit with very many points.

use std::rc::Rc;

use super::problem::FitProblem;
use super::search::FoundFit;
use crate::search::differences::Differences;
use crate::search::implicit::{
    Slopes, counted_sources, point_with_sources, run_until_stopped, slopes_by_sources,
};
use crate::search::least_squares::{Residuals, SearchEnd};
use crate::search::penalties::Goal;
use crate::search::second_order::MinimumEquations;
use crate::search::{MOST_FIT_DERIVATIVES, apply, list_of};
use crate::session::uncertainty::JointErrors;
use crate::session::{Session, Widths};
use chainrule_engine::graph::Node;

/// If a fit has more points than this, and no constant is uncertain, the tangents replace exact second derivatives.
const MANY_POINTS: usize = 10_000;

/// The uncertainties of the leaves of a fit, with the other leaves that they follow from.
#[derive(Default)]
pub(crate) struct FitWidths {
    /// The uncertainties of the leaves that are not held at a bound.
    pub(crate) widths: Widths,
    /// The constants of the fit whose effects count; empty if the effects are not known.
    pub(crate) constants: Vec<Rc<Node>>,
    /// The leaves that give the points their weights, if their effects count; empty if the effects are not known.
    pub(crate) weighting: Vec<Rc<Node>>,
}

/// Returns the uncertainties of the leaves of a fit, or `None` if the fit does not determine them.
pub(crate) fn of_fit(
    session: &mut Session,
    problem: &FitProblem,
    found: &FoundFit,
) -> Option<FitWidths> {
    let certainty = found.certainty.clone();
    let mut joint = Some(certainty.filter(|it| !it.deviations.is_empty())?);
    let mut counted = FitWidths::default();
    let mut slopes = Vec::new();
    if found.nearest.end == SearchEnd::Settled {
        if let Some(few) = some_sources(session, problem.weighting.clone()) {
            let by_weighting = |_: &mut Session| Some(slopes_by_tangents(problem, found, &few));
            slopes = run_until_stopped(session, by_weighting)?;
            // The deviations of the data come from these sources, and count only once.
            joint = None;
            counted.weighting = few;
        }
        if let Some(few) = some_sources(session, problem.constants.clone())
            && let Some(by_constants) = slopes_by_constants(session, problem, found, &few)
        {
            slopes.extend(by_constants);
            counted.constants = few;
        }
    }
    let sources = [&counted.weighting[..], &counted.constants].concat();
    let uncertain = &session.names().uncertain;
    let widths = uncertain.of_found(&found.nearest.point, joint, &sources, &slopes);
    let leaves = problem.leaves.iter().cloned().zip(widths).enumerate();
    let free = leaves.filter(|(leaf, _)| !found.nearest.held.contains(leaf));
    counted.widths = free.map(|(_, width)| width).collect();
    Some(counted)
}

/// Returns the sources to differentiate by, or `None` if there are none or too many.
fn some_sources(session: &Session, possible: Vec<Rc<Node>>) -> Option<Vec<Rc<Node>>> {
    counted_sources(session, possible).filter(|sources| !sources.is_empty())
}

/// Returns the present uncertainties of leaves.
pub(crate) fn certainty_now(session: &Session, leaves: &[Rc<Node>]) -> JointErrors {
    let covariance = session.names().uncertain.covariance(leaves);
    JointErrors::of_covariance(&covariance, leaves.len())
}

/// Returns the derivatives of fitted leaves by each of these sources, to first order.
fn slopes_by_tangents(problem: &FitProblem, found: &FoundFit, sources: &[Rc<Node>]) -> Slopes {
    let by = [&problem.leaves[..], sources].concat();
    let at = point_with_sources(&found.nearest.point, sources);
    // The weights are constant here, as they are in the covariance.
    let units = found.units.clone();
    let mut points = Differences::of(&problem.model, &problem.data, &by, units, &[]);
    points.values(&at);
    let rows = points.rows();
    let column = |index: usize| rows.iter().skip(index).step_by(by.len()).copied().collect();
    let changes = (problem.leaves.len()..by.len()).map(column).collect();
    found.nearest.responses(changes)
}

/// Returns the derivatives of fitted leaves by each of these constants: the slopes of χ² stay 0 while a constant moves, and
/// leaves that are held do not move. If no constant is uncertain yet, and there are very many points, exact second
/// derivatives would take too long for numbers that may never be used, so the tangents replace them.
fn slopes_by_constants(
    session: &mut Session,
    problem: &FitProblem,
    found: &FoundFit,
    constants: &[Rc<Node>],
) -> Option<Slopes> {
    let (leaves, nearest) = (&problem.leaves, &found.nearest);
    let is_uncertain = |leaf: &Rc<Node>| session.is_uncertain(leaf);
    let points = problem.model.len();
    if !constants.iter().any(is_uncertain) && points > MANY_POINTS {
        let is_affordable = points.saturating_mul(constants.len()) <= MOST_FIT_DERIVATIVES;
        let slopes = |_: &mut Session| Some(slopes_by_tangents(problem, found, constants));
        return is_affordable.then(|| run_until_stopped(session, slopes))?;
    }
    let equations = |builder: &mut Session, by: &[Rc<Node>], at: &[f64]| {
        let goal = goal_of_fit(builder, problem, &nearest.held)?;
        let multipliers = vec![0.0; nearest.held.len()];
        Some(MinimumEquations::of(builder, &goal, &multipliers, by)?.rows(at, &multipliers))
    };
    slopes_by_sources(session, leaves, &nearest.point, constants, equations)
}

/// Returns a fit as a goal: χ² is the target, and each leaf that is held is a constraint.
fn goal_of_fit(session: &mut Session, problem: &FitProblem, held: &[usize]) -> Option<Goal> {
    let mut roots = vec![chi_squared(session, problem)?];
    roots.extend(held.iter().map(|&leaf| Rc::clone(&problem.leaves[leaf])));
    Some(Goal {
        leaves: problem.leaves.clone(),
        roots,
        equations: vec![true; held.len()],
    })
}

/// Builds χ² of a fit, or the sum of squares if the deviations are not known.
fn chi_squared(session: &mut Session, problem: &FitProblem) -> Option<Rc<Node>> {
    // Without known deviations all points have the same weight.
    let deviations = match &problem.deviations {
        _ if !problem.moving_deviations.is_empty() => list_of(&problem.moving_deviations),
        Some(known) => session.constants(known),
        None => session.constants(&vec![1.0; problem.data.len()]),
    };
    let sides = vec![list_of(&problem.model), list_of(&problem.data)];
    let differences = apply(session, "-", sides).ok()?;
    let residuals = apply(session, "/", vec![differences, deviations]).ok()?;
    let squares = apply(session, "*", vec![residuals.clone(), residuals]).ok()?;
    let sum = apply(session, "sum", vec![squares]).ok()?;
    sum.node().cloned()
}
