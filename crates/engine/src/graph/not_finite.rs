//! Finds the node where a NaN or an infinity first appears, for notes and reports.
//!
//! Most nodes that are not finite only pass on the NaN or the infinity of an operand.

use std::rc::Rc;

use super::node::Node;

/// Whether a NaN or an infinity first appears at this node. An infinity does not count if an operand is infinite or NaN; a
/// NaN does not count if an operand is NaN. So the NaN of `0*inf` counts.
pub fn is_at_fault(node: &Node) -> bool {
    let data = node.data();
    let operands = node.operands();
    if data.is_finite() || operands.is_empty() {
        return false;
    }
    if data.is_nan() {
        return !operands.iter().any(|operand| operand.data().is_nan());
    }
    operands.iter().all(|operand| operand.data().is_finite())
}

/// Finds the node where the first NaN or infinity appeared: the oldest node that is at fault or is a leaf that is not
/// finite. A literal such as `inf` is not at fault, because it was written on purpose.
pub fn first_not_finite<'n>(nodes: impl IntoIterator<Item = &'n Rc<Node>>) -> Option<&'n Rc<Node>> {
    let is_origin =
        |node: &&Rc<Node>| is_at_fault(node) || (node.is_leaf() && !node.data().is_finite());
    let origins = nodes.into_iter().filter(is_origin);
    origins.min_by_key(|node| node.id())
}
