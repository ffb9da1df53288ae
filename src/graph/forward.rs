//! The forward pass: after leaves have changed, recompute exactly the nodes above them.
//!
//! The order is asked for by the caller, who knows which nodes still matter to somebody.

use std::rc::Rc;

use super::node::{Node, differ};
use super::order::Order;
use super::users::Users;

/// Recomputes every node of `order` that depends on one of the leaves. Tells which changed and what its data was,
/// operands first.
pub fn recompute(order: &Order, leaves: &[Rc<Node>], mut tell: impl FnMut(&Rc<Node>, f64)) {
    if let Some(mut copy) = order.copy() {
        copy.forward(order, |node, data| {
            let before = node.data();
            node.put(data);
            tell(node, before);
        });
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

/// The same from an index of users, which only looks at users of what changes.
pub fn recompute_above(users: &Users, leaves: &[Rc<Node>], mut tell: impl FnMut(&Rc<Node>, f64)) {
    users.follow(leaves, |node| again(node, &mut tell));
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
