//! What `:minimize` is asked for.
//!
//! `minimize` searches, `penalties` and `second_order` help it.

use std::rc::Rc;

use crate::graph::{Node, Order, gradients};

/// What shall become as small as possible.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The target, and the excess of each constraint: 0 where it holds, or less unless it is an equation.
    pub(crate) roots: Vec<Rc<Node>>,
    /// Whether each constraint is an equation.
    pub(crate) equations: Vec<bool>,
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
