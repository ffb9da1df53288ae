//! An index of the nodes below some roots, for many derivatives of one root, one after the other: it finds what lies
//! between the root and a leaf without a search through all nodes. It keeps no node alive.

use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashSet;

use super::below::reachable;
use crate::graph::node::{Node, NodeId};

/// Nodes at and below some roots, operands first. Of use while the roots are alive.
#[derive(Debug, Default)]
pub struct IndexedNodes {
    roots: Vec<Weak<Node>>,
    nodes: Vec<IndexedNode>,
}

#[derive(Debug)]
struct IndexedNode {
    id: NodeId,
    node: Weak<Node>,
    /// The place of each user, and the position of the node among its operands.
    uses: Vec<(usize, usize)>,
    /// The place of the highest node with the same grad: a chain of sums leads up to it, and nothing else uses a part of
    /// the chain.
    top: usize,
}

/// A node on the paths from a root to some ends.
#[derive(Debug)]
pub struct PathNode {
    /// The node.
    pub node: Rc<Node>,
    /// The node whose grad is also that of this node: itself, or a newer node on the paths.
    pub top: NodeId,
    /// The positions of the operands on the paths in order, except those that have the grad of a top.
    pub positions: Vec<usize>,
}

impl IndexedNodes {
    /// Indexes the nodes at and below some roots whose ids are at least `from`. Also returns these nodes.
    pub fn below(roots: &[Rc<Node>], from: NodeId) -> (IndexedNodes, Vec<Rc<Node>>) {
        let found = reachable(roots, from);
        let mut nodes: Vec<IndexedNode> = Vec::with_capacity(found.len());
        for (place, node) in found.iter().enumerate() {
            for (position, operand) in node.operands().iter().enumerate() {
                // The older nodes carry their places.
                let operand_place = operand.carried_index.get() as usize;
                if operand.id() >= from {
                    nodes[operand_place].uses.push((place, position));
                }
            }
            node.carried_index.set(place as u32);
            nodes.push(IndexedNode {
                id: node.id(),
                node: Rc::downgrade(node),
                uses: Vec::new(),
                top: place,
            });
        }
        // The derivative of a derivative depends on all nodes of its paths.
        let has_generated = found.iter().any(|node| node.is_generated());
        let root_ids: FxHashSet<NodeId> = roots.iter().map(|root| root.id()).collect();
        for place in (0..nodes.len()).rev().filter(|_| !has_generated) {
            if let [(user, position)] = nodes[place].uses[..]
                && !root_ids.contains(&nodes[place].id)
                && let Some(op) = found[user].op()
                && op.derivable_text(position, found[user].operands().len()) == "1"
            {
                nodes[place].top = nodes[user].top;
            }
        }
        let roots = roots.iter().map(Rc::downgrade).collect();
        (IndexedNodes { roots, nodes }, found)
    }

    /// Whether the index is that of these roots.
    pub fn is_of(&self, roots: &[Rc<Node>]) -> bool {
        let known = self.roots.iter().map(Weak::as_ptr);
        known.eq(roots.iter().map(Rc::as_ptr))
    }

    /// The number of nodes with ids up to this one.
    pub fn count_up_to(&self, id: NodeId) -> usize {
        self.nodes.partition_point(|node| node.id <= id)
    }

    /// The node at a place.
    pub fn node(&self, place: usize) -> Rc<Node> {
        let node = self.nodes[place].node.upgrade();
        node.expect("a root holds it")
    }

    /// The nodes on the paths from the roots down to `ends`, both included, newest first. Of a chain of sums that nothing
    /// else uses, they have only the end and the top.
    pub fn path(&self, roots: &[Rc<Node>], ends: &[Rc<Node>]) -> Vec<PathNode> {
        if !self.is_of(roots) {
            let oldest = ends.iter().map(|end| end.id()).min();
            let (indexed, _) = IndexedNodes::below(roots, oldest.unwrap_or(NodeId::MAX));
            return indexed.path(roots, ends);
        }
        let place_of = |end: &Rc<Node>| self.nodes.binary_search_by_key(&end.id(), |node| node.id);
        let places = ends.iter().filter_map(|end| place_of(end).ok());
        let mut found: BTreeMap<usize, Vec<usize>> = places.map(|it| (it, Vec::new())).collect();
        let mut next = 0;
        // Users stand at later places, so the positions of the next place are complete.
        while let Some((&place, positions)) = found.range_mut(next..).next() {
            positions.sort_unstable();
            let top = self.top(place);
            if top == place {
                for (user, position) in &self.nodes[place].uses {
                    found.entry(*user).or_default().push(*position);
                }
            } else {
                found.entry(top).or_default();
            }
            next = place + 1;
        }
        let path = found.into_iter().rev().map(|(at, positions)| PathNode {
            node: self.node(at),
            top: self.nodes[self.top(at)].id,
            positions,
        });
        path.collect()
    }

    /// The place of the highest node with the same grad. A sum that is NaN passes its grad on by other rules, and if a
    /// part of a chain is NaN, so is its top.
    fn top(&self, place: usize) -> usize {
        let top = self.nodes[place].top;
        if self.node(top).data().is_nan() {
            place
        } else {
            top
        }
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::graph::{Graph, Pass};
    use crate::ops::{Shape, operator};

    /// The grad of an end by a sweep along the path alone.
    fn grad_along(path: Vec<PathNode>, root: &Node, end: &Node) -> f64 {
        let mut grads = FxHashMap::from_iter([(root.id(), 1.0)]);
        for step in path {
            let upstream = grads[&step.top];
            grads.insert(step.node.id(), upstream);
            let locals = step.node.locals();
            for position in step.positions {
                let operand = step.node.operands()[position].id();
                *grads.entry(operand).or_default() += upstream * locals[position];
            }
        }
        grads.get(&end.id()).copied().unwrap_or(0.0)
    }

    #[test]
    fn a_sweep_along_a_path_gives_the_grad_of_a_pass() {
        let mut graph = Graph::default();
        let mut nodes: Vec<Rc<Node>> = (1..=6).map(|k| graph.leaf(f64::from(k), false)).collect();
        let signs = ["+", "+", "-", "+", "*", "+", "+"];
        for at in 0..60 {
            let op = operator(signs[at % 7], Shape::Infix).expect("there is one");
            // Many nodes have one user, some have several or a user in which they stand twice.
            let operands = [&nodes[at], &nodes[at / 2 + at * 5 % 6]].map(Rc::clone);
            nodes.push(graph.apply(op, &operands));
        }
        let mut passed_over = 0;
        for root in &nodes {
            let (indexed, below) = IndexedNodes::below(std::slice::from_ref(root), 0);
            let pass = Pass::run(root, &graph);
            for end in &nodes {
                let [roots, ends] = [root, end].map(std::slice::from_ref);
                let path = indexed.path(roots, ends);
                let lengths = path.iter().filter(|step| step.top != step.node.id());
                passed_over += lengths.count();
                let grad = pass.grad(end).unwrap_or(0.0);
                assert_eq!(
                    grad_along(path, root, end),
                    grad,
                    "of {} by {}",
                    root.id(),
                    end.id()
                );
            }
            assert_eq!(indexed.count_up_to(root.id()), below.len());
        }
        assert!(
            passed_over > 100,
            "only {passed_over} nodes have the grad of another"
        );
    }
}
