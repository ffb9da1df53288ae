//! Finds the subgraph between a root and a node below it: all nodes and edges that are on a path from the root to the node.
//!
//! The loops go over nodes and edges, never over paths, because the number of paths grows exponentially. `paths` lists
//! some of them.

use std::rc::Rc;

use crate::graph::node::Node;
use crate::graph::order::Order;
use crate::graph::sweep::{Contribution, Sweepable};
use crate::ops::chain;

/// The nodes on a path from a root to a node, users first, with their edges.
#[derive(Debug)]
pub struct PathSubgraph {
    /// The order of the root's pass. All slots are those of this order.
    pub order: Order,
    /// All edges, those of users before those of their operands.
    pub edges: Vec<Edge>,
    /// The index in `edges` of the first edge of each slot. The last entry is the end of `edges`.
    starts: Vec<u32>,
    /// For each slot with edges, whether an operand of its node is NaN; false for all other slots. It is computed once,
    /// because a sum may have a million operands and as many edges.
    has_nan_operand: Vec<bool>,
    /// The root's slot.
    pub root: usize,
    /// The slot of the node at which all paths end.
    pub end: usize,
}

/// An edge of the graph: from a node to one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The user's slot.
    pub from: u32,
    /// The operand's slot.
    pub to: u32,
    /// The operand's position among those of the user.
    pub position: u32,
    /// The user's local derivative with respect to the operand.
    pub local: f64,
}

impl Edge {
    /// The edge along which a node contributes.
    fn of(contribution: &Contribution) -> Edge {
        Edge {
            from: contribution.user as u32,
            to: contribution.operand_slot as u32,
            position: contribution.position as u32,
            local: contribution.local,
        }
    }
}

impl PathSubgraph {
    /// The subgraph between a root and a node. Returns `None` if the root does not depend on the node.
    pub fn between(root: &Rc<Node>, last: &Rc<Node>) -> Option<PathSubgraph> {
        let order = Order::below([root]);
        let (root, end) = (order.slot(root)?, order.slot(last)?);
        let mut depends = vec![false; order.nodes().len()];
        depends[end] = true;
        let marked = order.mark_nodes();
        for (slot, node) in order.nodes()[..end].iter().enumerate().rev() {
            let mut operands = node.operands().iter().filter(|it| it.varies());
            depends[slot] = operands.any(|it| depends[marked.slot(it)]);
        }
        let mut has_nan_operand = vec![false; end + 1];
        let mut edges = Vec::new();
        let mut starts = Vec::with_capacity(end + 2);
        for (slot, node) in order.nodes()[..=end].iter().enumerate() {
            starts.push(edges.len() as u32);
            // The paths end at `end`, so its own operands do not matter.
            if slot == end || !depends[slot] {
                continue;
            }
            has_nan_operand[slot] = node.operands().iter().any(|below| below.data().is_nan());
            marked.contributions(slot, 1.0, |contribution| {
                if depends[contribution.operand_slot] {
                    edges.push(Edge::of(&contribution));
                }
            });
        }
        starts.push(edges.len() as u32);
        Some(PathSubgraph {
            order,
            edges,
            starts,
            has_nan_operand,
            root,
            end,
        })
    }

    /// The node in a slot.
    pub fn node(&self, slot: usize) -> &Rc<Node> {
        &self.order.nodes()[slot]
    }

    /// The indices of the edges that leave a slot. The end, and nodes that are on no path, have none.
    pub fn edges_from(&self, slot: usize) -> std::ops::Range<usize> {
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }

    /// Multiplies an amount along an edge, by the same rules as a backward pass.
    pub fn multiply_along(&self, amount: f64, edge: &Edge) -> f64 {
        let user = edge.from as usize;
        let data = self.node(user).data();
        chain(amount, edge.local, data, || self.has_nan_operand[user])
    }

    /// For each slot, the derivative of its node with respect to the end.
    pub fn derivatives(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.end + 1];
        sums[self.end] = 1.0;
        for edge in self.edges.iter().rev() {
            sums[edge.from as usize] += self.multiply_along(sums[edge.to as usize], edge);
        }
        sums
    }

    /// The number of paths: exact up to 2^53, infinite beyond the largest double.
    pub fn path_count(&self) -> f64 {
        let mut counts = vec![0.0; self.end + 1];
        counts[self.end] = 1.0;
        for edge in self.edges.iter().rev() {
            counts[edge.from as usize] += counts[edge.to as usize];
        }
        counts[self.root]
    }
}
