//! Lists every node at and below a root, with levels, for pictures. Unlike the order of a pass, this list includes
//! constants.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::node::{Node, NodeId};
use crate::graph::order::newest_first;
use chainrule_stop as stop;

/// Every node at and below a root, with a level for each.
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
        let newest = newest_first([root], |_| true, usize::MAX);
        let nodes = newest.expect("the search has no limit");
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
