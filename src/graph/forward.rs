//! The forward pass: after leaves have changed, recompute exactly the nodes above them.
//!
//! The order is asked for by the caller, who knows which nodes still matter to somebody.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use super::users::Users;

/// A node whose data changed, and what it was.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The node; its data is the new one.
    pub node: Rc<Node>,
    /// Its data before.
    pub before: f64,
}

/// Recomputes every node of `order` that depends on one of the leaves. Says which changed, operands first.
pub fn recompute(order: &Order, leaves: &[Rc<Node>]) -> Vec<Moved> {
    let mut moved = Vec::new();
    if let Some(mut copy) = order.copy() {
        copy.forward(order, |node, data| moved.push(Moved::to(data, node)));
        return moved;
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
            moved.extend(again(node));
        }
    }
    moved
}

/// The same from an index of users, which only looks at users of what changes.
pub fn recompute_above(users: &Users, leaves: &[Rc<Node>]) -> Vec<Moved> {
    let mut moved = Vec::new();
    users.follow(leaves, |node| {
        let change = again(node);
        let changes = change.is_some();
        moved.extend(change);
        changes
    });
    moved
}

fn again(node: &Rc<Node>) -> Option<Moved> {
    let data = node.compute();
    let before = node.data();
    let same = before.to_bits() == data.to_bits() || before.is_nan() && data.is_nan();
    (!same).then(|| Moved::to(data, node))
}

impl Moved {
    fn to(data: f64, node: &Rc<Node>) -> Moved {
        let before = node.data();
        node.put(data);
        Moved {
            node: Rc::clone(node),
            before,
        }
    }
}
