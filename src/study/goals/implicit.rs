//! Computes how leaves that a search has found follow the other leaves, by the implicit function theorem, and the
//! uncertainties of leaves at the maximum of a likelihood and at the end of a fit. Those of a fit come from the scatter or
//! the weights of the points, and from the uncertainties of other leaves.
//!
//! At the end of a search, equations F(x, s) = 0 hold between the moved leaves x and the other leaves s, which are called
//! sources here. The equations continue to hold while s moves, so ∂F/∂x·dx/ds = -∂F/∂s. At a minimum, F are the slopes of
//! the target that the constraints do not balance, and the active constraints. In a fit, F are the slopes of χ².
//!
//! All derivatives are exact, as `grad()` builds them. Any source may get an uncertainty later, so the session stores the
//! derivatives by all of them.
//!
//! Two kinds of leaves follow the tangents of a fit instead of exact second derivatives: the leaves that give the points
//! their weights, and the constants of a fit with very many points.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::differences::Differences;
use super::fit::{FoundFit, joint_errors};
use super::fit_problem::FitProblem;
use super::least_squares::{Residuals, SearchEnd};
use super::linear::{Factors, divide_columns, lengths, norm};
use super::minimize::Minimum;
use super::penalties::Goal;
use super::second_order::MinimumEquations;
use super::{MOST_FIT_DERIVATIVES, MOST_SOURCES, apply, list_of};
use crate::session::uncertainty::JointErrors;
use crate::session::{Session, Widths};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_stop as stop;

/// The equations determine the unknowns if each column is longer than this fraction of the longest, as in a search of
/// least squares.
const MIN_COLUMN_RATIO: f64 = 1e-11;

/// A variance below this fraction of the variance by the curvature alone is rounding: a constraint holds the leaf.
const LEAST_VARIANCE: f64 = 1e-12;

/// The derivatives of found leaves: a list for each source.
type Slopes = Vec<Vec<f64>>;

/// Returns the leaves below some roots that a search does not move.
pub(crate) fn unmoved_leaves(roots: &[Rc<Node>], moved: &[Rc<Node>]) -> Vec<Rc<Node>> {
    let moved: FxHashSet<NodeId> = moved.iter().map(|leaf| leaf.id()).collect();
    let mut leaves = Order::below(roots).nodes().to_vec();
    leaves.retain(|node| node.is_leaf() && !moved.contains(&node.id()));
    leaves
}

/// Returns the sources to differentiate by: all possible ones, or if they are too many those that are uncertain now.
/// `None` if these are too many, too.
pub(crate) fn counted_sources(
    session: &Session,
    mut possible: Vec<Rc<Node>>,
) -> Option<Vec<Rc<Node>>> {
    if possible.len() > MOST_SOURCES {
        possible.retain(|leaf| session.is_uncertain(leaf));
    }
    (possible.len() <= MOST_SOURCES).then_some(possible)
}

/// Returns the derivatives, by each source, of leaves that solve equations at a point. `None` if the derivatives are not
/// known.
pub(crate) fn slopes_of_solution(
    session: &mut Session,
    [left, right]: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
) -> Option<Slopes> {
    let equations = |_: &mut Session, by: &[Rc<Node>], at: &[f64]| {
        let mut sides = Differences::of(left, right, by, vec![1.0; leaves.len()], &[]);
        sides.values(at);
        let rows = sides.rows();
        Some(rows.chunks(by.len()).map(<[f64]>::to_vec).collect())
    };
    slopes_by_sources(session, leaves, point, sources, equations)
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
    let joint = joint_errors(&covariance, n);
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

/// Returns the derivatives, by each source, of leaves that equations tie to the sources, and of the further unknowns of the
/// equations, if there are some. `equations` returns a row for each equation: its derivatives by the leaves, by the further
/// unknowns, and by the sources.
fn slopes_by_sources(
    session: &mut Session,
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
    equations: impl FnOnce(&mut Session, &[Rc<Node>], &[f64]) -> Option<Vec<Vec<f64>>>,
) -> Option<Slopes> {
    let by = [leaves, sources].concat();
    if leaves.len().saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
        return None;
    }
    let at = point_with_sources(point, sources);
    run_until_stopped(session, |session| {
        slopes_of_unknowns(equations(session, &by, &at)?, sources.len())
    })
}

/// Returns the data of the leaves, then those of the sources.
fn point_with_sources(point: &[f64], sources: &[Rc<Node>]) -> Vec<f64> {
    let data = sources.iter().map(|source| source.data());
    point.iter().copied().chain(data).collect()
}

/// Calls a function, and removes the nodes that it builds. Returns `None` if the host stops it.
fn run_until_stopped<T>(
    session: &mut Session,
    find: impl FnOnce(&mut Session) -> Option<T>,
) -> Option<T> {
    let host = session.host();
    let found = session.look(|it| stop::run_until_stopped(move || host.stop(), || find(it)));
    found.ok()?
}

/// Returns the derivatives of the unknowns by each of the `count` sources. `None` if the equations do not determine the
/// unknowns.
fn slopes_of_unknowns(mut equations: Vec<Vec<f64>>, count: usize) -> Option<Slopes> {
    let n = equations.len();
    // Equations and unknowns of different sizes are brought to the size 1.
    for row in &mut equations {
        let unit = norm(&row[..n]);
        for number in row {
            *number /= unit;
        }
    }
    let entries = equations.iter().flat_map(|row| &row[..n]).copied();
    let by_unknowns: Vec<f64> = entries.collect();
    let units = lengths(&by_unknowns, n);
    let right_side = |source: usize| equations.iter().map(|row| -row[source]).collect();
    let right_sides = (n..n + count).map(right_side).collect();
    let factors = Factors::of_several(&divide_columns(&by_unknowns, &units), n, right_sides);
    if factors.rank(MIN_COLUMN_RATIO) < n {
        return None;
    }
    let solutions = factors.solutions();
    let slopes: Vec<Vec<f64>> = solutions.map(|it| divide_columns(&it, &units)).collect();
    let is_finite = slopes.iter().flatten().all(|slope| slope.is_finite());
    is_finite.then_some(slopes)
}

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
    joint_errors(&covariance, leaves.len())
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
