//! Finds the nodes that depend on some leaves, and a kink that these leaves can move.

use std::rc::Rc;

use chainrule_engine::graph::{Node, Order, gradients, values};
use chainrule_engine::ops::Kink;
use chainrule_stop as stop;

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
    // From the operands up, so that the cause comes before its effects.
    let mut slots = (0..grads.len()).rev();
    let at_kink =
        |slot: &usize| moves[*slot] && grads[*slot] != 0.0 && is_at_kink(&order.nodes()[*slot]);
    slots
        .find(at_kink)
        .map(|slot| Rc::clone(&order.nodes()[slot]))
}

/// Returns whether a node is at a kink of its operation.
fn is_at_kink(node: &Node) -> bool {
    let holds = |kink: &Kink| (kink.holds)(&values(node.operands()));
    node.op().is_some_and(|op| op.kinks.iter().any(holds))
}
