//! The forward pass: after leaves have changed, recomputes exactly the nodes that depend on them.
//!
//! [`recompute`] goes through an order, for callers that repeat passes over the same graph; `recompute_above` goes
//! through all living nodes with the index of users.

use std::rc::Rc;

use super::living::Living;
use super::node::{Node, differ};
use super::order::Order;
use super::plan;

/// Recomputes every node of `order` that depends on one of the leaves. Calls `tell` with each node that changes and the
/// data it had before, operands before users.
pub fn recompute(order: &Order, leaves: &[Rc<Node>], mut tell: impl FnMut(&Rc<Node>, f64)) {
    let mut put = |node: &Rc<Node>, data: f64| {
        let before = node.data();
        node.put(data);
        tell(node, before);
    };
    if plan::copy(order, |copy| copy.forward(order, &mut put)).is_some() {
        return;
    }
    let mut touched = vec![false; order.nodes().len()];
    for leaf in leaves {
        if let Some(position) = order.position(leaf) {
            touched[position] = true;
        }
    }
    order.stamp_positions();
    for (position, node) in order.nodes().iter().enumerate().rev() {
        let is_touched = |below: &Rc<Node>| below.varies() && touched[Order::slot(below)];
        if node.operands().iter().any(is_touched) {
            touched[position] = true;
            recompute_node(node, &mut tell);
        }
    }
}

/// The same for all living nodes. Visits only the users of nodes that change.
pub(super) fn recompute_above(
    living: &mut Living,
    leaves: &[Rc<Node>],
    mut tell: impl FnMut(&Rc<Node>, f64),
) {
    living.follow(leaves, |node| recompute_node(node, &mut tell));
}

/// Computes a node's data anew, and returns whether it changed.
fn recompute_node(node: &Rc<Node>, tell: &mut impl FnMut(&Rc<Node>, f64)) -> bool {
    let data = node.compute();
    let before = node.data();
    let changes = differ(before, data);
    if changes {
        node.put(data);
        tell(node, before);
    }
    changes
}
