//! The uncertainties of what `:solve` and `:minimize` find.
//!
//! Where a search ends, equations F(x, s) = 0 hold between the leaves x that it moved and the other leaves s below them,
//! and keep holding while s moves: ∂F/∂x·dx/ds = -∂F/∂s, the implicit function theorem. At a minimum, F are the slopes of
//! the target that the constraints do not balance, and the constraints that hold. All derivatives are exact. Any s may
//! get an uncertainty later, so all of them count.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::differences::derivatives;
use super::fit::MOST_FIT_DERIVATIVES;
use super::goal::Goal;
use super::linear::{Factors, divide_columns, lengths, norm};
use super::minimize::Minimum;
use crate::session::uncertainty::Uncertainty;
use crate::session::{Session, Widths};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_stop as stop;

/// The equations tell unknowns apart if each column is longer than this part of the longest.
const DISTINCT: f64 = 1e-11;

/// The leaves below some roots that a search does not move.
pub(crate) fn unmoved_leaves(roots: &[Rc<Node>], moved: &[Rc<Node>]) -> Vec<Rc<Node>> {
    let moved: FxHashSet<NodeId> = moved.iter().map(|leaf| leaf.id()).collect();
    let mut leaves = Order::below(roots).nodes().to_vec();
    leaves.retain(|node| node.is_leaf() && !moved.contains(&node.id()));
    leaves
}

/// The uncertainties of leaves that solve equations at a point. None if they are not known there.
pub(crate) fn of_solution(
    session: &mut Session,
    sides: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
) -> Option<Widths> {
    follow_sources(session, leaves, point, sources, |_, by, at| {
        let mut rows = derivatives(&sides.concat(), by, at);
        let right = rows.split_off(leaves.len());
        for (left, right) in rows.iter_mut().flatten().zip(right.iter().flatten()) {
            *left -= right;
        }
        Some(rows)
    })
}

/// The uncertainties of leaves at a minimum. A constraint without a price does not take part unless it is an equation.
pub(crate) fn of_minimum(
    session: &mut Session,
    goal: &Goal,
    minimum: &Minimum,
    sources: &[Rc<Node>],
) -> Option<Widths> {
    let n = goal.leaves.len();
    let active = goal.active(&minimum.multipliers);
    let count = active.len();
    let size = (n * (1 + count)).saturating_mul(n + sources.len());
    if size > MOST_FIT_DERIVATIVES {
        return None;
    }
    let excesses = active.iter().map(|place| Rc::clone(&goal.roots[place + 1]));
    let excesses: Vec<Rc<Node>> = excesses.collect();
    follow_sources(
        session,
        &goal.leaves,
        &minimum.point.x,
        sources,
        |session, by, at| {
            let slopes = goal.slopes(session, &active)?;
            let mut rows = derivatives(&slopes, by, at);
            let of_excesses = rows.split_off(n);
            for (place, curves) in active.iter().zip(of_excesses.chunks_exact(n)) {
                let weight = minimum.multipliers[*place];
                for (number, curve) in rows.iter_mut().flatten().zip(curves.iter().flatten()) {
                    *number += weight * curve;
                }
            }
            // The multipliers are unknowns, too: they stand behind the leaves.
            let excesses = derivatives(&excesses, by, at);
            for (at, row) in rows.iter_mut().enumerate() {
                row.splice(n..n, excesses.iter().map(|excess| excess[at]));
            }
            rows.extend(excesses.into_iter().map(|mut row| {
                row.splice(n..n, vec![0.0; count]);
                row
            }));
            Some(rows)
        },
    )
}

/// The uncertainties of leaves that follow their sources as equations say. `equations` gives a row for each one: its
/// derivatives by the leaves, by further unknowns, and by the sources.
fn follow_sources(
    session: &mut Session,
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
    equations: impl FnOnce(&mut Session, &[Rc<Node>], &[f64]) -> Option<Vec<Vec<f64>>>,
) -> Option<Widths> {
    let by = [leaves, sources].concat();
    if leaves.len().saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
        return None;
    }
    let at = sources.iter().map(|source| source.data());
    let at: Vec<f64> = point.iter().copied().chain(at).collect();
    let host = session.host();
    let slopes = session.look(|session| {
        let slopes = || follow(equations(session, &by, &at)?, sources.len());
        stop::run_until_stopped(move || host.stop(), slopes)
    });
    let slopes = slopes.ok()??;
    let known = &session.names().uncertain;
    let own = known.possible_sources(sources);
    let width = |(place, leaf): (usize, &Rc<Node>)| {
        let by_sources: Vec<f64> = slopes.iter().map(|column| column[place]).collect();
        let each = own.leaves.iter().cloned().zip(own.slopes(&by_sources));
        let each = each.filter(|(_, slope)| *slope != 0.0).collect();
        let found = Uncertainty::of_search(known.of(leaf), point[place], each);
        (Rc::clone(leaf), found)
    };
    Some(leaves.iter().enumerate().map(width).collect())
}

/// The derivatives of the unknowns by each of the `count` sources. None if the equations do not determine them.
pub(super) fn follow(mut equations: Vec<Vec<f64>>, count: usize) -> Option<Vec<Vec<f64>>> {
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
