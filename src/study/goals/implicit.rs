//! The uncertainties of what `:fit`, `:solve` and `:minimize` find.
//!
//! Where a search ends, equations F(x, s) = 0 hold between the leaves x that it moved and the other leaves s below them,
//! and keep holding while s moves: ∂F/∂x·dx/ds = -∂F/∂s, the implicit function theorem. At a minimum, F are the slopes of
//! the target that the constraints do not balance, and the constraints that hold; in a fit, the slopes of χ². All
//! derivatives are exact, as `grad()` builds them. Any s may get an uncertainty later, so all of them count. Those that
//! give the points of a fit their weights move the leaves as the tangents say: their effects are those of the weights.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::differences::Differences;
use super::fit::{Certainty, FitProblem, FoundFit, correlations};
use super::formula::{apply, list_of};
use super::goal::{Goal, MOST_FIT_DERIVATIVES, MinimumEquations};
use super::least_squares::{Residuals, SearchEnd};
use super::linear::{Factors, divide_columns, lengths, norm};
use super::minimize::Minimum;
use crate::session::uncertainty::JointErrors;
use crate::session::{Session, Widths};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_stop as stop;

/// The most sources of a found leaf.
pub const MOST_SOURCES: usize = 2_000;

/// Of more points than this, the tangents have to do where no constant is uncertain.
const MANY_POINTS: usize = 10_000;

/// The equations tell unknowns apart if each column is longer than this part of the longest.
const DISTINCT: f64 = 1e-11;

/// The leaves below some roots that a search does not move.
pub(crate) fn unmoved_leaves(roots: &[Rc<Node>], moved: &[Rc<Node>]) -> Vec<Rc<Node>> {
    let moved: FxHashSet<NodeId> = moved.iter().map(|leaf| leaf.id()).collect();
    let mut leaves = Order::below(roots).nodes().to_vec();
    leaves.retain(|node| node.is_leaf() && !moved.contains(&node.id()));
    leaves
}

/// The sources that count of these possible ones: all of them, or if they are many only those that are uncertain now.
/// None if these are too many, too.
pub(crate) fn counted_sources(
    session: &Session,
    mut possible: Vec<Rc<Node>>,
) -> Option<Vec<Rc<Node>>> {
    if possible.len() > MOST_SOURCES {
        possible.retain(|leaf| session.uncertainty(leaf) > Some(0.0));
    }
    (possible.len() <= MOST_SOURCES).then_some(possible)
}

/// The derivatives by each source of leaves that solve equations at a point. None if they are not known there.
pub(crate) fn slopes_of_solution(
    session: &mut Session,
    [left, right]: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
) -> Option<Vec<Vec<f64>>> {
    slopes_by_sources(session, leaves, point, sources, |_, by, at| {
        let mut sides = Differences::of(left, right, by, vec![1.0; leaves.len()], &[]);
        sides.values(at);
        let rows = sides.rows();
        Some(rows.chunks(by.len()).map(<[f64]>::to_vec).collect())
    })
}

/// The derivatives by each source of leaves at a minimum, and of the multipliers.
pub(crate) fn slopes_of_minimum(
    session: &mut Session,
    goal: &Goal,
    minimum: &Minimum,
    sources: &[Rc<Node>],
) -> Option<Vec<Vec<f64>>> {
    let (leaves, point) = (&goal.leaves, &minimum.point.x);
    slopes_by_sources(session, leaves, point, sources, |session, by, at| {
        minimum_rows(session, goal, &minimum.multipliers, by, at)
    })
}

/// The uncertainties of leaves at a minimum of a negative logarithm of a likelihood: their covariance is the inverse of
/// the second derivatives, within the constraints that hold. A leaf that these hold in place has none.
pub(crate) fn of_likelihood(
    session: &mut Session,
    goal: &Goal,
    minimum: &Minimum,
) -> Option<Widths> {
    let (n, point) = (goal.leaves.len(), &minimum.point.x);
    let (curves, columns) = run_until_stopped(session, |session| {
        let multipliers = &minimum.multipliers;
        let mut rows = minimum_rows(session, goal, multipliers, &goal.leaves, point)?;
        let curves: Vec<f64> = (0..n).map(|at| rows[at][at]).collect();
        for (at, row) in rows.iter_mut().enumerate() {
            row.extend((0..n).map(|column| if column == at { -1.0 } else { 0.0 }));
        }
        Some((curves, follow(rows, n)?))
    })?;
    let rows = columns.iter().map(|column| &column[..n]);
    let covariance: Vec<f64> = rows.flatten().copied().collect();
    let (deviations, correlations) = correlations(&covariance, n);
    let joint = JointErrors {
        deviations,
        correlations,
    };
    let uncertain = &session.names().uncertain;
    let found = uncertain.of_found(point, Some(joint), &[], &[]);
    let each = goal.leaves.iter().cloned().zip(found).enumerate();
    let free = each.filter(|(at, _)| columns[*at][*at] * curves[*at] > HELD);
    Some(free.map(|(_, width)| width).collect())
}

/// A variance below this part of what the curvature alone would leave is rounding.
const HELD: f64 = 1e-12;

/// The derivatives of the equations at a minimum. A constraint without a price does not take part unless it is an equation.
fn minimum_rows(
    session: &mut Session,
    goal: &Goal,
    multipliers: &[f64],
    by: &[Rc<Node>],
    at: &[f64],
) -> Option<Vec<Vec<f64>>> {
    let equations = MinimumEquations::of(session, goal, goal.active(multipliers), by);
    Some(equations?.rows(at, multipliers))
}

/// The derivatives by each of the sources of leaves that follow them as equations say, and of further unknowns.
/// `equations` gives a row for each equation: its derivatives by the leaves, by these unknowns, and by the sources.
fn slopes_by_sources(
    session: &mut Session,
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
    equations: impl FnOnce(&mut Session, &[Rc<Node>], &[f64]) -> Option<Vec<Vec<f64>>>,
) -> Option<Vec<Vec<f64>>> {
    let by = [leaves, sources].concat();
    if leaves.len().saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
        return None;
    }
    let at = sources.iter().map(|source| source.data());
    let at: Vec<f64> = point.iter().copied().chain(at).collect();
    run_until_stopped(session, |session| {
        follow(equations(session, &by, &at)?, sources.len())
    })
}

/// What this finds, without a trace in the session. None if the host stops it.
fn run_until_stopped<T>(
    session: &mut Session,
    find: impl FnOnce(&mut Session) -> Option<T>,
) -> Option<T> {
    let host = session.host();
    session
        .look(|session| stop::run_until_stopped(move || host.stop(), || find(session)))
        .ok()?
}

/// The derivatives of the unknowns by each of the `count` sources. None if the equations do not determine them.
fn follow(mut equations: Vec<Vec<f64>>, count: usize) -> Option<Vec<Vec<f64>>> {
    let n = equations.len();
    // Equations and unknowns of any size count alike.
    for row in &mut equations {
        let unit = norm(&row[..n]);
        for number in row {
            *number /= unit;
        }
    }
    let left = equations.iter().flat_map(|row| &row[..n]).copied();
    let left: Vec<f64> = left.collect();
    let units = lengths(&left, n);
    let right = |at: usize| equations.iter().map(|row| -row[at]).collect();
    let rights = (n..n + count).map(right).collect();
    let factors = Factors::of_several(&divide_columns(&left, &units), n, rights);
    if factors.rank(DISTINCT) < n {
        return None;
    }
    let slopes = factors.solutions().map(|it| divide_columns(&it, &units));
    let slopes: Vec<Vec<f64>> = slopes.collect();
    let is_finite = slopes.iter().flatten().all(|slope| slope.is_finite());
    is_finite.then_some(slopes)
}

/// The uncertainties of the leaves of a fit that are not held. If the effects of the constants or of the leaves that give
/// the points their weights are not known, these are taken out of the problem.
pub(crate) fn of_fit(
    session: &mut Session,
    problem: &mut FitProblem,
    found: &FoundFit,
) -> Option<Widths> {
    let lists = [&mut problem.constants, &mut problem.weighting];
    let [constants, weighting] = lists.map(std::mem::take);
    let certainty = found.certainty.as_ref()?;
    let mut joint = Some(JointErrors {
        deviations: certainty.deviations.clone()?,
        correlations: certainty.correlations.clone(),
    });
    let (mut sources, mut slopes) = (Vec::new(), Vec::new());
    let has_settled = found.nearest.end == SearchEnd::Settled;
    if has_settled
        && let Some(few) = counted_sources(session, weighting)
        && !few.is_empty()
    {
        let by_weighting = |_: &mut Session| Some(slopes_by_tangents(problem, found, &few));
        slopes = run_until_stopped(session, by_weighting)?;
        // They stand for all of the deviations.
        joint = None;
        sources.clone_from(&few);
        problem.weighting = few;
    }
    if has_settled
        && let Some(few) = counted_sources(session, constants)
        && !few.is_empty()
        && let Some(by_constants) = slopes_by_constants(session, problem, found, &few)
    {
        slopes.extend(by_constants);
        sources.extend_from_slice(&few);
        problem.constants = few;
    }
    let uncertain = &session.names().uncertain;
    let widths = uncertain.of_found(&found.nearest.point, joint, &sources, &slopes);
    let each = problem.leaves.iter().cloned().zip(widths).enumerate();
    let free = each.filter(|(at, _)| !found.nearest.held.contains(at));
    Some(free.map(|(_, width)| width).collect())
}

/// How sure leaves are now.
pub(crate) fn certainty_now(session: &Session, leaves: &[Rc<Node>]) -> Certainty {
    let covariance = session.names().uncertain.covariance(leaves);
    let (deviations, correlations) = correlations(&covariance, leaves.len());
    Certainty {
        deviations: Some(deviations),
        correlations,
    }
}

/// The derivatives of fitted leaves by each of these sources, as the tangents say.
fn slopes_by_tangents(
    problem: &FitProblem,
    found: &FoundFit,
    sources: &[Rc<Node>],
) -> Vec<Vec<f64>> {
    let by = [&problem.leaves[..], sources].concat();
    let at = sources.iter().map(|source| source.data());
    let at: Vec<f64> = found.nearest.point.iter().copied().chain(at).collect();
    // The weights stay here, as they do in the covariance.
    let units = found.units.clone();
    let mut points = Differences::of(&problem.model, &problem.data, &by, units, &[]);
    points.values(&at);
    let rows = points.rows();
    let column = |place: usize| rows.iter().skip(place).step_by(by.len()).copied().collect();
    let changes = (problem.leaves.len()..by.len()).map(column).collect();
    found.nearest.responses(changes)
}

/// The derivatives of fitted leaves by each of these constants: the slopes of χ² stay 0 while a constant moves. A
/// leaf that is held stays. By constants that only may become uncertain, second derivatives of very many points would
/// take too long.
fn slopes_by_constants(
    session: &mut Session,
    problem: &FitProblem,
    found: &FoundFit,
    constants: &[Rc<Node>],
) -> Option<Vec<Vec<f64>>> {
    let (leaves, nearest) = (&problem.leaves, &found.nearest);
    let is_uncertain = |leaf: &Rc<Node>| session.uncertainty(leaf) > Some(0.0);
    let points = problem.model.len();
    if !constants.iter().any(is_uncertain) && points > MANY_POINTS {
        let is_affordable = points.saturating_mul(constants.len()) <= MOST_FIT_DERIVATIVES;
        let slopes = |_: &mut Session| Some(slopes_by_tangents(problem, found, constants));
        return is_affordable.then(|| run_until_stopped(session, slopes))?;
    }
    slopes_by_sources(
        session,
        leaves,
        &nearest.point,
        constants,
        |session, by, at| {
            let held = nearest.held.iter().map(|&place| &leaves[place]);
            let goal = Goal {
                leaves: leaves.clone(),
                roots: std::iter::once(&chi_squared(session, problem)?)
                    .chain(held)
                    .cloned()
                    .collect(),
                equations: vec![true; nearest.held.len()],
            };
            minimum_rows(session, &goal, &vec![0.0; nearest.held.len()], by, at)
        },
    )
}

/// χ² of a fit, times some number.
fn chi_squared(session: &mut Session, problem: &FitProblem) -> Option<Rc<Node>> {
    // Without known deviations all points count alike.
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
