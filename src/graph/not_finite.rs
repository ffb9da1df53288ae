//! Where a NaN or an infinity begins.
//!
//! Most nodes that are not finite only pass on what came from below.

use std::rc::Rc;

use super::node::Node;

/// Is it here that a NaN or an infinity comes up? Infinite operands pass infinity on, but `0*inf` is a new NaN.
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

/// Where the first NaN or infinity among these nodes began: the oldest that is at fault or is a leaf. A literal that
/// says `inf` began nothing; what comes of it is asked like any other.
pub fn first_not_finite<'n>(nodes: impl IntoIterator<Item = &'n Rc<Node>>) -> Option<&'n Rc<Node>> {
    let began =
        |node: &&Rc<Node>| is_at_fault(node) || (node.is_leaf() && !node.data().is_finite());
    nodes.into_iter().filter(began).min_by_key(|node| node.id())
}
