//! The derivatives of several nodes by several leaves, at any data: a matrix with a row for each node.
//!
//! One forward sweep over the graph below all of the nodes gives their values. The local derivatives are computed once;
//! then each row is a backward sweep over the part of the graph between its own node and the leaves. So a sum of
//! squares of many small residuals costs no more than a few passes over all of them.

use std::cmp::Reverse;
use std::rc::Rc;

use super::lowered::FlatGraph;
use super::repeats;
use crate::graph::node::Node;
use crate::graph::order::Order;
use crate::ops::{Rule, TABLE, chain};
use crate::stop;

/// Roots and leaves with the graph between them, in flat arrays with data of their own.
#[derive(Debug)]
pub struct Jacobian {
    lowered: Rc<FlatGraph>,
    /// The data by slot. Slots are places in the order of a pass; behind them stand constants.
    data: Vec<f64>,
    /// The slot of each root.
    roots: Vec<u32>,
    /// The slot of each leaf that a root depends on.
    leaves: Vec<Option<u32>>,
    /// Computed nodes that depend on the leaves, operands before users.
    steps: Vec<FlatNode>,
    /// The operands of all steps.
    edges: Vec<Edge>,
    /// For each root the steps between it and the leaves, users before operands.
    parts: Vec<Vec<u32>>,
    /// The grads of the row that is being computed, by slot; 0 between two rows.
    grads: Vec<f64>,
}

/// A computed node that depends on the leaves.
#[derive(Clone, Copy, Debug)]
struct FlatNode {
    slot: u32,
    /// The place of its operation in the table.
    row: u8,
    /// Where its operands begin and end.
    from: u32,
    to: u32,
}

/// An operand of a step.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The slot of its data.
    slot: u32,
    /// Whether it depends on the leaves.
    depends: bool,
    /// The local derivative by it.
    local: f64,
}

/// No step.
const NONE: u32 = u32::MAX;

impl Jacobian {
    /// Of these roots by these leaves, starting at their data.
    pub fn of(roots: &[Rc<Node>], leaves: &[Rc<Node>]) -> Jacobian {
        Jacobian::in_order(&Order::below(roots), roots, leaves)
    }

    /// The same, where the order of what is below the roots is known.
    pub fn in_order(order: &Order, roots: &[Rc<Node>], leaves: &[Rc<Node>]) -> Jacobian {
        let nodes = order.nodes();
        let lowered = repeats::lowered(order);
        let mut data = lowered.data(order);
        let slots = leaves.iter().map(|leaf| order.position(leaf));
        let leaves: Vec<Option<u32>> = slots.map(|slot| slot.map(|slot| slot as u32)).collect();
        let mut depends = vec![false; nodes.len()];
        for slot in leaves.iter().flatten() {
            depends[*slot as usize] = true;
        }
        order.stamp_positions();
        let mut slot_of = |node: &Node| {
            if node.varies() {
                return Order::slot(node) as u32;
            }
            data.push(node.data());
            data.len() as u32 - 1
        };
        let roots = roots.iter().map(|root| slot_of(root)).collect();
        let mut places = vec![NONE; nodes.len()];
        let (mut steps, mut edges) = (Vec::new(), Vec::new());
        for (slot, node) in stop::asking(nodes.iter().enumerate().rev()) {
            let reaches = |below: &Rc<Node>| below.varies() && depends[Order::slot(below)];
            let Some(op) = node.op().filter(|_| node.operands().iter().any(reaches)) else {
                continue;
            };
            let from = edges.len() as u32;
            edges.extend(node.operands().iter().map(|below| Edge {
                slot: slot_of(below),
                depends: reaches(below),
                local: 1.0,
            }));
            depends[slot] = true;
            places[slot] = steps.len() as u32;
            steps.push(FlatNode {
                slot: slot as u32,
                row: op.index() as u8,
                from,
                to: edges.len() as u32,
            });
        }
        let mut jacobian = Jacobian {
            lowered,
            grads: vec![0.0; nodes.len()],
            data,
            roots,
            leaves,
            steps,
            edges,
            parts: Vec::new(),
        };
        jacobian.parts = jacobian.parts_of_roots(&places);
        jacobian
    }

    /// For each root the steps between it and the leaves. `places` are those of the steps, by slot.
    fn parts_of_roots(&self, places: &[u32]) -> Vec<Vec<u32>> {
        let mut seen = vec![NONE; self.steps.len()];
        let place_of = |slot: u32| {
            let place = places.get(slot as usize).copied();
            place.filter(|&place| place != NONE)
        };
        let part = |(row, &root): (u32, &u32)| {
            let mut part = Vec::from_iter(place_of(root));
            let mut next = 0;
            while let Some(&place) = part.get(next) {
                stop::ask(next);
                let step = self.steps[place as usize];
                let operands = &self.edges[step.from as usize..step.to as usize];
                for below in operands.iter().filter_map(|edge| place_of(edge.slot)) {
                    if std::mem::replace(&mut seen[below as usize], row) != row {
                        part.push(below);
                    }
                }
                next += 1;
            }
            part.sort_unstable_by_key(|&place| Reverse(place));
            part
        };
        stop::asking((0..).zip(&self.roots)).map(part).collect()
    }

    /// How many nodes and parts of rows one evaluation goes through: a measure of its cost.
    pub fn work(&self) -> usize {
        self.data.len() + self.parts.iter().map(Vec::len).sum::<usize>()
    }

    /// The values of the roots at this data of the leaves.
    pub fn values(&mut self, leaves: &[f64]) -> Vec<f64> {
        for (slot, &data) in self.leaves.iter().zip(leaves) {
            if let Some(slot) = slot {
                self.data[*slot as usize] = data;
            }
        }
        self.lowered.forward(&mut self.data, None);
        let roots = self.roots.iter();
        roots.map(|&root| self.data[root as usize]).collect()
    }

    /// The derivatives at the data of the last [`Jacobian::values`], row by row: for each root one number for each leaf.
    pub fn rows(&mut self) -> Vec<f64> {
        self.compute_locals();
        let mut rows = Vec::with_capacity(self.roots.len() * self.leaves.len());
        // Slices, which the compiler need not load anew after each store.
        let (data, steps, edges) = (&self.data[..], &self.steps[..], &self.edges[..]);
        let grads = &mut self.grads[..];
        for (&root, part) in stop::asking(self.roots.iter().zip(&self.parts)) {
            if let Some(grad) = grads.get_mut(root as usize) {
                *grad = 1.0;
            }
            for &place in part {
                let step = steps[place as usize];
                let up = std::mem::take(&mut grads[step.slot as usize]);
                let out = data[step.slot as usize];
                let edges = &edges[step.from as usize..step.to as usize];
                let broken = || edges.iter().any(|edge| data[edge.slot as usize].is_nan());
                for edge in edges.iter().filter(|edge| edge.depends) {
                    grads[edge.slot as usize] += chain(up, edge.local, out, broken);
                }
            }
            let slots = self.leaves.iter();
            rows.extend(slots.map(|slot| slot.map_or(0.0, |slot| grads[slot as usize])));
            for slot in self.leaves.iter().flatten().chain([&root]) {
                if let Some(grad) = grads.get_mut(*slot as usize) {
                    *grad = 0.0;
                }
            }
        }
        rows
    }

    /// Computes the local derivatives of all steps at the present data.
    fn compute_locals(&mut self) {
        let mut operands = Vec::new();
        for step in stop::asking(self.steps.iter()) {
            let op = &TABLE[usize::from(step.row)];
            if op.adds() {
                continue;
            }
            let out = self.data[step.slot as usize];
            let edges = &mut self.edges[step.from as usize..step.to as usize];
            match (&op.rule, edges) {
                (Rule::Unary { dx, .. }, [edge]) => {
                    edge.local = (dx.number)(self.data[edge.slot as usize], out);
                }
                (Rule::Binary { dx, dy, .. }, [left, right]) => {
                    let [x, y] = [left.slot, right.slot].map(|slot| self.data[slot as usize]);
                    if left.depends {
                        left.local = (dx.number)(x, y, out);
                    }
                    if right.depends {
                        right.local = (dy.number)(x, y, out);
                    }
                }
                (_, edges) => {
                    operands.clear();
                    operands.extend(edges.iter().map(|edge| self.data[edge.slot as usize]));
                    for (edge, local) in edges.iter_mut().zip(op.locals(&operands, out)) {
                        edge.local = local;
                    }
                }
            }
        }
    }
}
