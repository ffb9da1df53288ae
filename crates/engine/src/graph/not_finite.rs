//! Finds the node where a NaN or an infinity first appears, for notes and reports.
//!
//! Most nodes that are not finite only pass on a NaN or an infinity of their operands.

use std::rc::Rc;

use super::node::Node;

/// Whether a NaN or an infinity first appears at this node. An infinity that comes from an infinite operand does not
/// count, but the NaN of `0*inf` is new.
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

/// Finds the node where the first NaN or infinity appeared: the oldest one that is at fault, or is a leaf that is not
/// finite. A literal such as `inf` is not at fault, because it was written on purpose.
pub fn first_not_finite<'n>(nodes: impl IntoIterator<Item = &'n Rc<Node>>) -> Option<&'n Rc<Node>> {
    let begins =
        |node: &&Rc<Node>| is_at_fault(node) || (node.is_leaf() && !node.data().is_finite());
    nodes
        .into_iter()
        .filter(begins)
        .min_by_key(|node| node.id())
}
