//! Finds the nodes below some nodes. Unlike the order of a pass, these lists include constants.
//!
//! Ids bound the searches: a node has a higher id than its operands.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::node::{Node, NodeId};
use crate::graph::order::newest_first;
use chainrule_stop as stop;

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
    // All other nodes that depend on `by` are newer.
    let nodes = reachable(std::slice::from_ref(root), by.id());
    nodes.first().is_some_and(|oldest| Rc::ptr_eq(oldest, by))
}

/// Every node at and below a root, with a level for each, for pictures.
#[derive(Clone, Debug)]
pub struct FullGraph {
    /// Newest first: the root comes first, and operands come after their users.
    pub nodes: Vec<Rc<Node>>,
    /// The level of each node: 0 without operands, and one more than the highest level among the operands with them. For a
    /// node that varies, only operands that vary count, because constants are not in a pass.
    pub levels: Vec<u32>,
    places: FxHashMap<NodeId, usize>,
}

impl FullGraph {
    /// Collects everything below a root.
    pub fn below(root: &Rc<Node>) -> FullGraph {
        let nodes = nodes_below(root, usize::MAX).expect("the search has no limit");
        let ids = nodes.iter().map(|node| node.id());
        let places: FxHashMap<NodeId, usize> = ids.zip(0..).collect();
        let mut levels = vec![0; nodes.len()];
        for (place, node) in stop::with_checks(nodes.iter().enumerate().rev()) {
            let is_counted = |operand: &&Rc<Node>| operand.varies() || !node.varies();
            let operands = node.operands().iter().filter(is_counted);
            let level_above = |operand: &Rc<Node>| levels[places[&operand.id()]] + 1;
            levels[place] = operands.map(level_above).max().unwrap_or(0);
        }
        FullGraph {
            nodes,
            levels,
            places,
        }
    }

    /// A node's index in `nodes`.
    pub fn place(&self, node: &Node) -> Option<usize> {
        self.places.get(&node.id()).copied()
    }
}
