//! Defines the goal of `:minimize`: the target, its constraints, the leaves to move, and the equations at a minimum.
//!
//! `minimize` searches; `penalties` and `second_order` help it.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Jacobian, Node, Order, gradients};
use chainrule_stop as stop;

/// The most derivatives, points or equations times leaves, that a pass of a search may compute.
pub const MOST_FIT_DERIVATIVES: usize = 20_000_000;

/// A function that a search calls for each pass with the number of the pass, a value to watch, and the point. It returns
/// whether the search goes on. A long pass calls it more than once.
pub(crate) type SearchWatch<'w> = &'w mut dyn FnMut(u64, f64, &[f64]) -> bool;

/// The progress of searches that follow one another.
pub(super) struct Progress<'w> {
    watch: SearchWatch<'w>,
    /// The passes of the searches that have ended.
    pub(super) passes: u64,
    pub(super) is_stopped: bool,
}

impl Progress<'_> {
    pub(super) fn watched_by(watch: SearchWatch) -> Progress {
        Progress {
            watch,
            passes: 0,
            is_stopped: false,
        }
    }

    /// Asks whether to go on after this pass of the present search. Once stopped, no search goes on.
    pub(super) fn goes_on(&mut self, pass: u64, value: f64, point: &[f64]) -> bool {
        self.is_stopped = self.is_stopped || !(self.watch)(self.passes + pass, value, point);
        !self.is_stopped
    }
}

/// A target to make as small as possible, with its constraints.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The target, then the excess of each constraint. The excess of an equation that holds is 0, and the excess of an
    /// inequality that holds is at most 0.
    pub(crate) roots: Vec<Rc<Node>>,
    /// Whether each constraint is an equation.
    pub(crate) equations: Vec<bool>,
}

impl Goal {
    /// Returns the indices of the active constraints: equations, and inequalities with a multiplier.
    pub(super) fn active(&self, multipliers: &[f64]) -> Vec<usize> {
        let is_active = |index: &usize| self.equations[*index] || multipliers[*index] != 0.0;
        (0..self.equations.len()).filter(is_active).collect()
    }
}

/// The equations that hold at a minimum (Karush, Kuhn and Tucker): the slopes of the target that the active constraints do
/// not balance are 0, and so are the excesses of these constraints.
pub(super) struct MinimumEquations {
    /// The indices of the active constraints.
    active: Vec<usize>,
    /// The number of the leaves of the goal.
    leaf_count: usize,
    /// The number of leaves that the equations are differentiated by.
    by_count: usize,
    /// The roots are the slopes of the target, the slopes of each active constraint, and the excesses of these constraints.
    jacobian: Jacobian,
}

impl MinimumEquations {
    /// Returns the equations, or `None` if there are too many derivatives. The leaves of the goal come first in `by`.
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
        let excesses = active.iter().map(|index| &goal.roots[index + 1]);
        let mut roots = Vec::new();
        for root in std::iter::once(&goal.roots[0]).chain(excesses.clone()) {
            roots.extend(session.derivatives(root, &goal.leaves).ok()?);
        }
        roots.extend(excesses.cloned());
        Some(MinimumEquations {
            active,
            leaf_count: n,
            by_count: by.len(),
            jacobian: Jacobian::of(&roots, by),
        })
    }

    /// Returns the derivatives of each equation at a point: by the leaves, by the multipliers, and by the rest of `by`.
    pub(super) fn rows(&mut self, at: &[f64], multipliers: &[f64]) -> Vec<Vec<f64>> {
        let (n, count) = (self.leaf_count, self.active.len());
        self.jacobian.values(at);
        let flat_rows = self.jacobian.rows();
        let chunks = flat_rows.chunks(self.by_count);
        let mut rows: Vec<Vec<f64>> = chunks.map(<[f64]>::to_vec).collect();
        let mut excess_rows = rows.split_off(n * (1 + count));
        let curvatures = rows.split_off(n);
        for (index, of_constraint) in self.active.iter().zip(curvatures.chunks_exact(n)) {
            let entries = of_constraint.iter().flatten();
            for (entry, curvature) in rows.iter_mut().flatten().zip(entries) {
                *entry += multipliers[*index] * curvature;
            }
        }
        // The derivative of a balanced slope by a multiplier is the slope of the excess.
        for (leaf, row) in rows.iter_mut().enumerate() {
            row.splice(n..n, excess_rows.iter().map(|excess_row| excess_row[leaf]));
        }
        // An excess does not depend on the multipliers.
        for excess_row in &mut excess_rows {
            excess_row.splice(n..n, vec![0.0; count]);
        }
        rows.extend(excess_rows);
        rows
    }
}

/// Returns for each node of an order whether it is one of these leaves or depends on one.
pub(crate) fn depends_on_leaves(order: &Order, is_leaf: impl Fn(&Node) -> bool) -> Vec<bool> {
    let mut depends = vec![false; order.nodes().len()];
    // Operands come after their users.
    for (slot, node) in stop::with_checks(order.nodes().iter().enumerate().rev()) {
        let mut operands = node.operands().iter();
        depends[slot] = is_leaf(node)
            || operands.any(|operand| order.slot(operand).is_some_and(|below| depends[below]));
    }
    depends
}

/// Returns an operation below the root that is at a kink now, if the moved leaves can move it and its grad is not 0.
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
