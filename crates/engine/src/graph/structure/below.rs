//! Finds the nodes below some nodes, and those between two nodes.
//!
//! Ids bound the searches: a node has a higher id than its operands.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::node::{Node, NodeId};
use crate::graph::order::newest_first;

/// Every node at and below the roots whose id is at least `from`, each once, operands first.
pub fn reachable(roots: &[Rc<Node>], from: NodeId) -> Vec<Rc<Node>> {
    let newest = newest_first(roots, |node| node.id() >= from, usize::MAX);
    let mut found = newest.expect("the search has no limit");
    found.reverse();
    found
}

/// Every node at and below this one, newest first. Returns `None` if there are more than `most`.
pub fn nodes_below(root: &Rc<Node>, most: usize) -> Option<Vec<Rc<Node>>> {
    newest_first([root], |_| true, most)
}

/// Whether `root` depends on `by`.
pub fn depends_on(root: &Rc<Node>, by: &Rc<Node>) -> bool {
    !between(root, std::slice::from_ref(by)).is_empty()
}

/// The nodes on the paths from `root` down to `ends`, both included, operands first. Empty if there is no path.
pub fn between(root: &Rc<Node>, ends: &[Rc<Node>]) -> Vec<Rc<Node>> {
    // Everything that depends on an end has a higher id.
    let oldest = ends.iter().map(|end| end.id()).min().unwrap_or(NodeId::MAX);
    let mut nodes = reachable(std::slice::from_ref(root), oldest);
    let mut on_path: FxHashSet<NodeId> = ends.iter().map(|end| end.id()).collect();
    for node in &nodes {
        let mut operands = node.operands().iter();
        if operands.any(|operand| on_path.contains(&operand.id())) {
            on_path.insert(node.id());
        }
    }
    nodes.retain(|node| on_path.contains(&node.id()));
    nodes
}
