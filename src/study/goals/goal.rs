//! The goal of `:minimize`: the target, its constraints, and the leaves to move.
//!
//! `minimize` searches; `penalties` and `second_order` help it.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Jacobian, Node, Order, gradients};
use chainrule_stop as stop;

/// The most derivatives, points or equations times leaves, that a pass of a search may compute.
pub const MOST_FIT_DERIVATIVES: usize = 20_000_000;

/// Is called for each pass of a search with its number, a value to watch and the point, and says whether to go on. A long
/// pass asks more than once.
pub(crate) type SearchWatch<'w> = &'w mut dyn FnMut(u64, f64, &[f64]) -> bool;

/// A target to make as small as possible, with its constraints.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The target, and the excess of each constraint: 0 where it holds, or less unless it is an equation.
    pub(crate) roots: Vec<Rc<Node>>,
    /// Whether each constraint is an equation.
    pub(crate) equations: Vec<bool>,
}

impl Goal {
    /// The constraints, by place, that are equations or have a multiplier.
    pub(super) fn active(&self, multipliers: &[f64]) -> Vec<usize> {
        let is_active = |place: &usize| self.equations[*place] || multipliers[*place] != 0.0;
        (0..self.equations.len()).filter(is_active).collect()
    }
}

/// The equations that hold at a minimum: the slopes of the target that the active constraints do not balance are 0, and so
/// are the excesses of these constraints.
pub(super) struct MinimumEquations {
    active: Vec<usize>,
    /// The leaves of the goal, and all that the equations are differentiated by.
    leaves: usize,
    by: usize,
    /// Of the slopes of the target, of those of each active constraint, and of the excesses of these.
    jacobian: Jacobian,
}

impl MinimumEquations {
    /// None if there are too many derivatives. The leaves of the goal come first in `by`.
    pub(super) fn of(
        session: &mut Session,
        goal: &Goal,
        active: Vec<usize>,
        by: &[Rc<Node>],
    ) -> Option<MinimumEquations> {
        let n = goal.leaves.len();
        if (n * (1 + active.len())).saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
            return None;
        }
        let excesses = active.iter().map(|place| &goal.roots[place + 1]);
        let mut roots = Vec::new();
        for root in std::iter::once(&goal.roots[0]).chain(excesses.clone()) {
            roots.extend(session.derivatives(root, &goal.leaves).ok()?);
        }
        roots.extend(excesses.cloned());
        Some(MinimumEquations {
            active,
            leaves: n,
            by: by.len(),
            jacobian: Jacobian::of(&roots, by),
        })
    }

    /// The derivatives of each equation at a point: by the leaves, by the multipliers, and by the rest of `by`.
    pub(super) fn rows(&mut self, at: &[f64], multipliers: &[f64]) -> Vec<Vec<f64>> {
        let (n, count) = (self.leaves, self.active.len());
        self.jacobian.values(at);
        let rows = self.jacobian.rows();
        let mut rows: Vec<Vec<f64>> = rows.chunks(self.by).map(<[f64]>::to_vec).collect();
        let mut excesses = rows.split_off(n * (1 + count));
        let curves = rows.split_off(n);
        for (place, curves) in self.active.iter().zip(curves.chunks_exact(n)) {
            for (number, curve) in rows.iter_mut().flatten().zip(curves.iter().flatten()) {
                *number += multipliers[*place] * curve;
            }
        }
        for (at, row) in rows.iter_mut().enumerate() {
            row.splice(n..n, excesses.iter().map(|excess| excess[at]));
        }
        for excess in &mut excesses {
            excess.splice(n..n, vec![0.0; count]);
        }
        rows.extend(excesses);
        rows
    }
}

/// For each node of an order whether it is one of these leaves or depends on one.
pub(crate) fn depends_on_leaves(order: &Order, is_leaf: impl Fn(&Node) -> bool) -> Vec<bool> {
    let mut depends = vec![false; order.nodes().len()];
    // Operands come after their users.
    for (place, node) in stop::with_checks(order.nodes().iter().enumerate().rev()) {
        let mut operands = node.operands().iter();
        depends[place] = is_leaf(node)
            || operands.any(|below| order.slot(below).is_some_and(|place| depends[place]));
    }
    depends
}

/// An operation below the root that is at a kink now, that the moved leaves can move, and whose gradient is not 0.
pub(crate) fn kink_below(root: &Rc<Node>, is_moved: impl Fn(&Node) -> bool) -> Option<Rc<Node>> {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let moves = depends_on_leaves(&order, is_moved);
    for (slot, (node, grad)) in order.nodes().iter().zip(&grads).enumerate().rev() {
        let Some(op) = node.op() else { continue };
        if moves[slot] && *grad != 0.0 && !op.kinks.is_empty() {
            let operands: Vec<f64> = node.operands().iter().map(|below| below.data()).collect();
            if op.kinks.iter().any(|kink| (kink.holds)(&operands)) {
                return Some(Rc::clone(node));
            }
        }
    }
    None
}
