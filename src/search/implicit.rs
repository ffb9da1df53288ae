//! Computes how leaves that a search has found follow the other leaves, by the implicit function theorem.
//!
//! At the end of a search, equations F(x, s) = 0 hold between the moved leaves x and the other leaves s, which are called
//! sources here. The equations continue to hold while s moves, so ∂F/∂x·dx/ds = -∂F/∂s. At a minimum, F are the slopes of
//! the target that the constraints do not balance, and the active constraints. In a fit, F are the slopes of χ².
//!
//! All derivatives are exact, as `grad()` builds them. Any source may get an uncertainty later, so the session stores the
//! derivatives by all of them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::linear::{Factors, divide_columns, lengths, norm};
use super::{MOST_FIT_DERIVATIVES, MOST_SOURCES};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_session::Session;
use chainrule_stop as stop;

/// The equations determine the unknowns if each column is longer than this fraction of the longest, as in a search of
/// least squares.
const MIN_COLUMN_RATIO: f64 = 1e-11;

/// The derivatives of found leaves: a list for each source.
pub(crate) type Slopes = Vec<Vec<f64>>;

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
        possible.retain(|leaf| session.names().uncertain.has_width(leaf));
    }
    (possible.len() <= MOST_SOURCES).then_some(possible)
}

/// Returns the derivatives, by each source, of leaves that equations tie to the sources, and of the further unknowns of the
/// equations, if there are some. `equations` returns a row for each equation: its derivatives by the leaves, by the further
/// unknowns, and by the sources.
pub(crate) fn slopes_by_sources(
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
pub(crate) fn point_with_sources(point: &[f64], sources: &[Rc<Node>]) -> Vec<f64> {
    let data = sources.iter().map(|source| source.data());
    point.iter().copied().chain(data).collect()
}

/// Calls a function, and removes the nodes that it builds. Returns `None` if the host stops it.
pub(crate) fn run_until_stopped<T>(
    session: &mut Session,
    find: impl FnOnce(&mut Session) -> Option<T>,
) -> Option<T> {
    let host = session.host();
    let found = session.look(|it| stop::run_until_stopped(move || host.stop(), || find(it)));
    found.ok()?
}

/// Returns the derivatives of the unknowns by each of the `count` sources. `None` if the equations do not determine the
/// unknowns.
pub(crate) fn slopes_of_unknowns(mut equations: Vec<Vec<f64>>, count: usize) -> Option<Slopes> {
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
