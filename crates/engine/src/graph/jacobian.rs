//! Computes the derivatives of several roots by several leaves, for any values of the leaves, as `:fit`, `:solve`,
//! `:minimize` and `:budget` need them.
//!
//! One forward sweep over the graph below all roots computes their values, and the local derivatives are computed once.
//! Then a backward sweep over the nodes between a root and the leaves computes the row of this root. If a thousand roots
//! share few nodes, all rows together cost no more than a few passes over the whole graph.

use std::rc::Rc;

use super::flat::FlatGraph;
use super::node::Node;
use super::order::Order;
use super::sweep::{FlatSweep, Sweepable};
use chainrule_stop as stop;

/// Roots and leaves with the graph between them, in flat arrays with data of their own.
#[derive(Debug)]
pub struct Jacobian {
    order: Order,
    /// The data by slot. The slots of constants follow those of the order.
    data: Vec<f64>,
    /// The slot of each root.
    roots: Vec<u32>,
    /// The slot of each leaf, or `None` if no root depends on it.
    leaves: Vec<Option<u32>>,
    /// The slot of the leaf that is a computed node.
    fixed: Option<usize>,
    /// Whether the node in each slot depends on a leaf.
    depends: Vec<bool>,
    /// The slots of the computed nodes that depend on a leaf, operands first.
    computed: Vec<u32>,
    /// The local derivative by each operand of each node.
    locals: Vec<f64>,
    /// The computed nodes between each root and the leaves, as slots, users before operands.
    nodes_of_row: Vec<Vec<u32>>,
}

impl Jacobian {
    /// Prepares the derivatives of these roots by these leaves, of which one may be a computed node that counts as a leaf.
    /// The data is that of the nodes until [`Jacobian::values`] sets other data.
    pub fn of(roots: &[Rc<Node>], leaves: &[Rc<Node>]) -> Jacobian {
        let order = Order::below(roots);
        let graph = order.flat();
        let mut data = order.data();
        let slot_of = |node: &Rc<Node>| order.slot(node).map(|slot| slot as u32);
        let leaf_slots: Vec<Option<u32>> = leaves.iter().map(slot_of).collect();
        let mut root_slots = Vec::with_capacity(roots.len());
        for root in roots {
            root_slots.push(slot_of(root).unwrap_or_else(|| {
                // A constant root gets a slot of its own.
                data.push(root.data());
                data.len() as u32 - 1
            }));
        }
        let mut depends = vec![false; data.len()];
        for leaf in leaf_slots.iter().flatten() {
            depends[*leaf as usize] = true;
        }
        let computed = mark_dependent(graph, &mut depends);
        let mut slots = leaf_slots.iter().flatten().map(|slot| *slot as usize);
        let fixed = slots.find(|slot| *slot < graph.varying() && graph.op(*slot).is_some());
        let mut nodes_of_row = nodes_of_rows(graph, &root_slots, &depends);
        if fixed.is_some() {
            // A sweep that leaves out the node passes nothing on to its operands.
            let keep = |row: &mut Vec<u32>| row.retain(|slot| fixed != Some(*slot as usize));
            nodes_of_row.iter_mut().for_each(keep);
        }
        Jacobian {
            nodes_of_row,
            locals: vec![0.0; graph.uses()],
            data,
            roots: root_slots,
            leaves: leaf_slots,
            fixed,
            depends,
            computed,
            order,
        }
    }

    /// Sets the data of the leaves and returns the values of the roots.
    pub fn values(&mut self, leaves: &[f64]) -> Vec<f64> {
        for (slot, &data) in self.leaves.iter().zip(leaves) {
            if let Some(slot) = slot {
                self.data[*slot as usize] = data;
            }
        }
        let (sections, graph) = (self.order.sections(), self.order.flat());
        sections.forward(graph, &mut self.data, self.fixed);
        let roots = self.roots.iter();
        roots.map(|&root| self.data[root as usize]).collect()
    }

    /// The derivatives at the data of the last [`Jacobian::values`], row by row: for each root one number for each leaf.
    pub fn rows(&mut self) -> Vec<f64> {
        self.compute_locals();
        let mut grads = vec![0.0; self.data.len()];
        let mut rows = Vec::with_capacity(self.roots.len() * self.leaves.len());
        for row in stop::with_checks(0..self.roots.len()) {
            self.sweep(row, &mut grads);
            let grad_of = |leaf: &Option<u32>| leaf.map_or(0.0, |slot| grads[slot as usize]);
            rows.extend(self.leaves.iter().map(grad_of));
            for slot in self.leaves.iter().flatten() {
                grads[*slot as usize] = 0.0;
            }
        }
        rows
    }

    /// The derivatives other than 0, row by row: pairs of a leaf's index and the derivative by it. A leaf that a root
    /// does not depend on costs nothing.
    pub fn sparse_rows(&mut self) -> Vec<Vec<(usize, f64)>> {
        self.compute_locals();
        let mut grads = vec![0.0; self.data.len()];
        let mut leaf_indices = vec![None; self.data.len()];
        for (index, slot) in self.leaves.iter().enumerate() {
            if let Some(slot) = slot {
                leaf_indices[*slot as usize] = Some(index);
            }
        }
        let graph = self.order.flat();
        let mut rows = vec![Vec::new(); self.roots.len()];
        for (row, entries) in stop::with_checks(rows.iter_mut().enumerate()) {
            self.sweep(row, &mut grads);
            let nodes = self.nodes_of_row[row].iter();
            let operands = nodes.flat_map(|slot| graph.operands(*slot as usize));
            for &slot in operands.chain([&self.roots[row]]) {
                let grad = &mut grads[slot as usize];
                if let Some(index) = leaf_indices[slot as usize]
                    && *grad != 0.0
                {
                    // All grads are 0 before the next row.
                    entries.push((index, std::mem::take(grad)));
                }
            }
        }
        rows
    }

    /// Computes the grads of the leaves below a root by a backward sweep. All grads are 0 before the sweep, and only
    /// those of leaves may differ from 0 after it.
    fn sweep(&self, row: usize, grads: &mut [f64]) {
        // Local slices, because the compiler would load the fields of `self` again after each store.
        let (data, depends) = (&self.data[..], &self.depends[..]);
        let graph = FlatSweep {
            graph: self.order.flat(),
            data,
            locals: Some(&self.locals),
        };
        let nodes = || self.nodes_of_row[row].iter().map(|slot| *slot as usize);
        let root = self.roots[row] as usize;
        grads[root] = if depends[root] { 1.0 } else { 0.0 };
        graph.sweep(nodes(), grads, |grad, contribution| {
            if depends[contribution.operand_slot] {
                *grad += contribution.amount;
            }
        });
        for slot in nodes() {
            grads[slot] = 0.0;
        }
    }

    /// Computes the local derivatives of all computed nodes that depend on a leaf, at the current data.
    fn compute_locals(&mut self) {
        let graph = self.order.flat();
        for slot in stop::with_checks(self.computed.iter().map(|slot| *slot as usize)) {
            let Some(rule) = graph.rule(slot) else {
                continue;
            };
            let locals = &mut self.locals[graph.operand_range(slot)];
            rule.each_local(
                graph.operands(slot),
                self.data[slot],
                |below| self.data[*below as usize],
                |below| self.depends[*below as usize],
                |position, _, local| locals[position] = local,
            );
        }
    }
}

/// Marks the nodes that depend on a marked leaf. Returns their slots, operands first, without those of leaves.
fn mark_dependent(graph: &FlatGraph, is_marked: &mut [bool]) -> Vec<u32> {
    let mut computed = Vec::new();
    for slot in stop::with_checks((0..graph.varying()).rev()) {
        let mut operands = graph.operands(slot).iter();
        if operands.any(|below| is_marked[*below as usize]) {
            is_marked[slot] = true;
            computed.push(slot as u32);
        }
    }
    computed
}

/// The computed nodes between each root and the leaves, as slots, users before operands.
fn nodes_of_rows(graph: &FlatGraph, roots: &[u32], depends: &[bool]) -> Vec<Vec<u32>> {
    const NO_ROW: u32 = u32::MAX;
    // The last row whose search has reached each slot.
    let mut rows = vec![NO_ROW; depends.len()];
    let mut nodes_of_row = Vec::with_capacity(roots.len());
    for (row, &root) in stop::with_checks((0..).zip(roots)) {
        let mut nodes = Vec::new();
        let mut waiting = vec![root];
        while let Some(slot) = waiting.pop() {
            stop::ask(nodes.len());
            let is_new = std::mem::replace(&mut rows[slot as usize], row) != row;
            if is_new && depends[slot as usize] && !graph.operands(slot as usize).is_empty() {
                nodes.push(slot);
                waiting.extend(graph.operands(slot as usize));
            }
        }
        nodes.sort_unstable();
        nodes_of_row.push(nodes);
    }
    nodes_of_row
}
