//! The goal of `:minimize`: the target, its constraints, and the leaves to move.
//!
//! `minimize` searches; `penalties` and `second_order` help it.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Node, Order, gradients};

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

    /// The slopes of the target, then those of each of these constraints, as nodes.
    pub(super) fn slopes(&self, session: &mut Session, active: &[usize]) -> Option<Vec<Rc<Node>>> {
        let mut slopes = Vec::new();
        for place in std::iter::once(0).chain(active.iter().map(|place| place + 1)) {
            slopes.extend(session.derivatives(&self.roots[place], &self.leaves).ok()?);
        }
        Some(slopes)
    }
}

/// An operation below the root that is at a kink now, that the moved leaves can move, and whose gradient is not 0.
pub(crate) fn kink_below(root: &Rc<Node>, is_moved: impl Fn(&Node) -> bool) -> Option<Rc<Node>> {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let nodes = order.nodes();
    let mut moves = vec![false; nodes.len()];
    for (slot, (node, grad)) in nodes.iter().zip(&grads).enumerate().rev() {
        moves[slot] = is_moved(node);
        let Some(op) = node.op() else { continue };
        let below = node.operands().iter();
        moves[slot] = below
            .filter_map(|below| order.slot(below))
            .any(|below| moves[below]);
        if moves[slot] && *grad != 0.0 && !op.kinks.is_empty() {
            let operands: Vec<f64> = node.operands().iter().map(|below| below.data()).collect();
            if op.kinks.iter().any(|kink| (kink.holds)(&operands)) {
                return Some(Rc::clone(node));
            }
        }
    }
    None
}
