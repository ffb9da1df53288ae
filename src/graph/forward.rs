//! The forward pass: after leaves have changed, recompute exactly the nodes above them.
//!
//! Over an order, for who goes through the same graph again and again, or over all nodes that are alive, by the index of
//! users.

use std::rc::Rc;

use super::living::Living;
use super::node::{Node, differ};
use super::order::Order;
use super::plan;

/// Recomputes every node of `order` that depends on one of the leaves. Tells which changed and what its data was,
/// operands first.
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
    order.lay_out();
    for (position, node) in order.nodes().iter().enumerate().rev() {
        if node
            .operands()
            .iter()
            .any(|operand| operand.varies() && touched[Order::slot(operand)])
        {
            touched[position] = true;
            again(node, &mut tell);
        }
    }
}

/// The same for every node that is alive. Only users of what changes are looked at.
pub(super) fn recompute_above(
    living: &mut Living,
    leaves: &[Rc<Node>],
    mut tell: impl FnMut(&Rc<Node>, f64),
) {
    living.follow(leaves, |node| again(node, &mut tell));
}

/// Computes a node anew. Says whether its data changed.
fn again(node: &Rc<Node>, tell: &mut impl FnMut(&Rc<Node>, f64)) -> bool {
    let data = node.compute();
    let before = node.data();
    let changes = differ(before, data);
    if changes {
        node.put(data);
        tell(node, before);
    }
    changes
}
