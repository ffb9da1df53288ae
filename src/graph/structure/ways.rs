//! What lies below a node, and between two nodes.
//!
//! Ids bound the searches: a node is newer than its operands.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::node::{Node, NodeId};

/// Every node at and below `root` whose id is at least `from`, each once, operands first.
pub fn reachable(root: &Rc<Node>, from: NodeId) -> Vec<Rc<Node>> {
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if node.id() >= from && seen.insert(node.id()) {
            found.push(Rc::clone(node));
            waiting.extend(node.operands());
        }
    }
    found.sort_unstable_by_key(|node| node.id());
    found
}

/// Whether `root` depends on `by`.
pub fn leads(root: &Rc<Node>, by: &Rc<Node>) -> bool {
    !between(root, std::slice::from_ref(by)).is_empty()
}

/// The nodes on the paths from `root` down to any of `ends`, all included, operands first; none if there is no path.
pub fn between(root: &Rc<Node>, ends: &[Rc<Node>]) -> Vec<Rc<Node>> {
    // Everything that depends on a node has a higher id.
    let oldest = ends.iter().map(|end| end.id()).min();
    let mut nodes = reachable(root, oldest.unwrap_or(NodeId::MAX));
    let mut on_way: FxHashSet<NodeId> = ends.iter().map(|end| end.id()).collect();
    for node in &nodes {
        let mut operands = node.operands().iter();
        if operands.any(|operand| on_way.contains(&operand.id())) {
            on_way.insert(node.id());
        }
    }
    nodes.retain(|node| on_way.contains(&node.id()));
    if on_way.contains(&root.id()) {
        nodes
    } else {
        Vec::new()
    }
}
