//! The forward pass: after leaves have changed, recompute exactly the nodes above them.
//!
//! The order is asked for by the caller, who knows which nodes still matter to somebody.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use super::users::Users;

/// A node whose data was recomputed, and what it was.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The node; its data is the new one.
    pub node: Rc<Node>,
    /// Its data before.
    pub before: f64,
}

/// Recomputes every node of `order` that depends on one of the leaves. Says which, in that order.
pub fn recompute(order: &Order, leaves: &[Rc<Node>]) -> Vec<Moved> {
    let mut touched = vec![false; order.nodes().len()];
    for leaf in leaves {
        if let Some(position) = order.position(leaf) {
            touched[position] = true;
        }
    }
    let mut moved = Vec::new();
    order.lay_out();
    for (position, node) in order.nodes().iter().enumerate().rev() {
        if node
            .operands()
            .iter()
            .any(|operand| operand.varies() && touched[Order::slot(operand)])
        {
            touched[position] = true;
            moved.push(again(node));
        }
    }
    moved
}

/// The same from an index of users, which only looks at what moves.
pub fn recompute_above(users: &Users, leaves: &[Rc<Node>]) -> Vec<Moved> {
    users.above(leaves).iter().map(again).collect()
}

fn again(node: &Rc<Node>) -> Moved {
    let before = node.data();
    node.put(node.compute());
    Moved {
        node: Rc::clone(node),
        before,
    }
}
