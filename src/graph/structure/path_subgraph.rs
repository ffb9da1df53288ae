//! What lies between a root and a node below it: the nodes on some path, and the edges that lead towards the node.
//!
//! Everything here is asked once for each node or edge, never once for each path: paths may be more than atoms. Nothing
//! is listed here; see `paths`.

use std::rc::Rc;

use super::count::Count;
use crate::graph::node::Node;
use crate::graph::order::Order;
use crate::ops::chain;

/// The nodes on a path from a root to a node, users first, with their edges.
#[derive(Debug)]
pub struct PathSubgraph {
    order: Order,
    edges: Vec<Edge>,
    /// Where the edges of each position begin; one more entry than positions.
    starts: Vec<u32>,
    root: usize,
    end: usize,
}

/// A step of a path: from a node to one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where the user stands in the order.
    pub from: u32,
    /// Where the operand stands.
    pub to: u32,
    /// Which operand it is.
    pub operand: u32,
    /// The user's derivative by it.
    pub local: f64,
}

impl PathSubgraph {
    /// The web between a root and a node; `None` where the root does not depend on the node.
    pub fn between(root: &Rc<Node>, node: &Rc<Node>) -> Option<PathSubgraph> {
        let order = Order::below([root]);
        let (root, end) = (order.position(root)?, order.position(node)?);
        order.lay_out();
        let nodes = order.nodes();
        let mut reaches = vec![false; end + 1];
        reaches[end] = true;
        let leads = |reaches: &[bool], operand: &Rc<Node>| {
            operand.varies() && reaches.get(Order::slot(operand)) == Some(&true)
        };
        for (place, user) in nodes[..end].iter().enumerate().rev() {
            let mut operands = user.operands().iter();
            reaches[place] = operands.any(|operand| leads(&reaches, operand));
        }
        let mut edges = Vec::new();
        let mut starts = Vec::with_capacity(end + 2);
        for (place, user) in nodes[..=end].iter().enumerate() {
            starts.push(edges.len() as u32);
            if place == end || !reaches[place] {
                continue;
            }
            for (operand, below) in user.operands().iter().enumerate() {
                if leads(&reaches, below) {
                    edges.push(Edge {
                        from: place as u32,
                        to: Order::slot(below) as u32,
                        operand: operand as u32,
                        local: user.local(operand),
                    });
                }
            }
        }
        starts.push(edges.len() as u32);
        Some(PathSubgraph {
            order,
            edges,
            starts,
            root,
            end,
        })
    }

    /// The order of the root's pass.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Where the root stands.
    pub fn root(&self) -> usize {
        self.root
    }

    /// Where the node stands that all paths end at.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The node at a position.
    pub fn node(&self, place: usize) -> &Rc<Node> {
        &self.order.nodes()[place]
    }

    /// All edges, those of users first before those of their operands.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Which of the edges leave a position; none leave a node that is on no path, and the end.
    pub fn leaving(&self, place: usize) -> std::ops::Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    /// What becomes of an amount that goes along an edge: the rule of the sweep.
    pub fn along(&self, amount: f64, edge: &Edge) -> f64 {
        let user = self.node(edge.from as usize);
        let data = user.data();
        let broken = || user.operands().iter().any(|below| below.data().is_nan());
        chain(amount, edge.local, data, broken)
    }

    /// The derivative of every position's node by the end.
    pub fn derivatives(&self) -> Vec<f64> {
        let mut found = vec![0.0; self.end + 1];
        found[self.end] = 1.0;
        for edge in self.edges.iter().rev() {
            found[edge.from as usize] += self.along(found[edge.to as usize], edge);
        }
        found
    }

    /// How many paths there are.
    pub fn count(&self) -> Count {
        let mut counts = vec![Count::ZERO; self.end + 1];
        counts[self.end] = Count::ONE;
        for edge in self.edges.iter().rev() {
            let from = edge.from as usize;
            counts[from] = counts[from].plus(counts[edge.to as usize]);
        }
        counts[self.root]
    }
}
