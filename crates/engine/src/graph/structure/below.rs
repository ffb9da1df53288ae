//! What lies below some nodes, and between two nodes.
//!
//! Ids bound the searches: a node is newer than its operands.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::adjacency::Adjacency;
use crate::graph::node::{Node, NodeId};
use crate::graph::order::newest_first;

/// Every node at and below the roots whose id is at least `from`, each once, operands first.
pub fn reachable(roots: &[Rc<Node>], from: NodeId) -> Vec<Rc<Node>> {
    let mut found = newest_first(roots, |node| node.id() >= from, usize::MAX).unwrap_or_default();
    found.reverse();
    found
}

/// Every node at and below this one, newest first, unless they are more than `most`.
pub fn nodes_below(root: &Rc<Node>, most: usize) -> Option<Vec<Rc<Node>>> {
    newest_first([root], |_| true, most)
}

/// Whether `root` depends on `by`.
pub fn depends_on(root: &Rc<Node>, by: &Rc<Node>) -> bool {
    !between(root, std::slice::from_ref(by)).is_empty()
}

/// The nodes on the paths from `root` down to `ends`, both included, operands first; none if there is no path.
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
    if on_path.contains(&root.id()) {
        nodes
    } else {
        Vec::new()
    }
}

/// The nodes at and below some roots, operands first, with the users of each. It finds the nodes on the paths down to a
/// node without a look at the others.
#[derive(Debug)]
pub struct UsersBelow {
    ids: Vec<NodeId>,
    nodes: Vec<Rc<Node>>,
    /// The places of the users of each node.
    users: Adjacency,
}

impl UsersBelow {
    /// Everything at and below these nodes.
    pub fn of(roots: &[Rc<Node>]) -> UsersBelow {
        let nodes = reachable(roots, 0);
        let mut below = UsersBelow {
            ids: nodes.iter().map(|node| node.id()).collect(),
            users: Adjacency::default(),
            nodes,
        };
        let mut pairs = Vec::new();
        for (user, node) in (0..).zip(&below.nodes) {
            let operands = node.operands().iter().filter_map(|it| below.place(it));
            pairs.extend(operands.map(|operand| (operand, user)));
        }
        below.users = Adjacency::of_pairs(below.nodes.len(), &pairs);
        below
    }

    /// How many of the nodes have an id up to this one.
    pub fn count_up_to(&self, id: NodeId) -> usize {
        self.ids.partition_point(|known| *known <= id)
    }

    /// Whether it has a node.
    pub fn contains(&self, node: &Node) -> bool {
        self.place(node).is_some()
    }

    /// All of the nodes, operands first.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// The nodes on the paths from the roots down to `ends`, both included, operands first.
    pub fn nodes_down_to(&self, ends: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let mut waiting: Vec<u32> = ends.iter().filter_map(|end| self.place(end)).collect();
        let mut found: FxHashSet<u32> = waiting.iter().copied().collect();
        while let Some(place) = waiting.pop() {
            let users = self.users.of(place).iter().copied();
            waiting.extend(users.filter(|user| found.insert(*user)));
        }
        let mut places: Vec<u32> = found.into_iter().collect();
        places.sort_unstable();
        let node = |place: &u32| Rc::clone(&self.nodes[*place as usize]);
        places.iter().map(node).collect()
    }

    fn place(&self, node: &Node) -> Option<u32> {
        let found = self.ids.binary_search(&node.id());
        found.ok().map(|place| place as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::ops::{Shape, operator};

    /// In a lattice, whose nodes are each used twice, it finds what a search from the top finds.
    #[test]
    fn the_way_to_a_node_is_that_of_a_search_from_the_root() {
        let plus = operator("+", Shape::Infix).expect("there is one");
        let mut graph = Graph::default();
        let mut nodes: Vec<Rc<Node>> = (0..8).map(|_| graph.leaf(1.0, false)).collect();
        for at in 0..100 {
            let (x, y) = (Rc::clone(&nodes[at]), Rc::clone(&nodes[at + 3]));
            nodes.push(graph.apply_2(plus, x, y));
        }
        let ids = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.id()).collect::<Vec<_>>();
        for root in &nodes {
            let below = UsersBelow::of(std::slice::from_ref(root));
            assert_eq!(
                ids(below.nodes()),
                ids(&reachable(std::slice::from_ref(root), 0))
            );
            for end in &nodes {
                let end = std::slice::from_ref(end);
                assert_eq!(
                    ids(&below.nodes_down_to(end)),
                    ids(&between(root, end)),
                    "from {} to {}",
                    root.id(),
                    end[0].id()
                );
            }
        }
    }
}
