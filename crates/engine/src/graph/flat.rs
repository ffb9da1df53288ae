//! Stores the graph of an order in flat arrays: the operation of each slot, and the slots of its operands.
//!
//! Constant operands have slots after those of the order. The arrays never change: each engine that uses them has data and
//! grads of its own, by slot.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::node::Node;
use super::rule::{Carried, NodeRule};
use crate::ops::{MAX_OPERANDS, Op, TABLE, at_row};

/// Stands for the row of a leaf, which has no operation.
const LEAF: u8 = u8::MAX;

const _: () = assert!(MAX_OPERANDS <= u32::MAX as usize && TABLE.len() < LEAF as usize);

/// The operations and operands of all nodes of an order, users before operands.
#[derive(Debug, Default)]
pub(super) struct FlatGraph {
    /// The row of each slot's operation in the table.
    rows: Vec<u8>,
    /// The index in `operands` of the first operand of each slot. The last entry is the end of `operands`.
    starts: Vec<u32>,
    /// The operands of all nodes, as slots.
    operands: Vec<u32>,
    /// The data of the constants, whose slots follow those of the order.
    constants: Vec<f64>,
    /// The rules that nodes carry, by slot.
    carried: FxHashMap<usize, Rc<dyn Carried>>,
}

impl FlatGraph {
    /// The graph of these nodes, users before operands. `slot_of` returns the slot of a node that varies.
    pub(super) fn of(nodes: &[Rc<Node>], slot_of: impl Fn(&Rc<Node>) -> usize) -> FlatGraph {
        let mut flat = FlatGraph::default();
        for (slot, node) in nodes.iter().enumerate() {
            flat.carried
                .extend(node.carried().map(|it| (slot, Rc::clone(it))));
            flat.starts.push(flat.operands.len() as u32);
            flat.rows.push(node.op().map_or(LEAF, |op| op.row));
            for operand in node.operands() {
                flat.operands.push(if operand.varies() {
                    slot_of(operand) as u32
                } else {
                    flat.constants.push(operand.data());
                    (nodes.len() + flat.constants.len() - 1) as u32
                });
            }
        }
        flat.starts.push(flat.operands.len() as u32);
        flat.operands.shrink_to_fit();
        flat.constants.shrink_to_fit();
        flat
    }

    /// The number of slots, without those of constants.
    pub(super) fn varying(&self) -> usize {
        self.rows.len()
    }

    /// The operation of a slot, or `None` for a leaf.
    #[inline]
    pub(super) fn op(&self, slot: usize) -> Option<&'static Op> {
        at_row(self.rows[slot])
    }

    /// The operation of a slot, with the rule that its node carries. `None` for a leaf.
    #[inline]
    pub(super) fn rule(&self, slot: usize) -> Option<NodeRule<'_>> {
        let op = self.op(slot)?;
        let carried = self.carried.get(&slot);
        Some(NodeRule { op, carried })
    }

    /// The range of a slot's operands in an array with an entry for each operand of each slot.
    #[inline]
    pub(super) fn operand_range(&self, slot: usize) -> Range<usize> {
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }

    /// The operands of a slot, as slots. A leaf has none.
    #[inline]
    pub(super) fn operands(&self, slot: usize) -> &[u32] {
        &self.operands[self.operand_range(slot)]
    }

    /// The operands of the nodes in these slots, node by node.
    pub(super) fn operands_of(&self, slots: Range<u32>) -> &[u32] {
        let [start, end] = [slots.start, slots.end].map(|slot| self.starts[slot as usize] as usize);
        &self.operands[start..end]
    }

    /// The number of operands of all nodes together.
    pub(super) fn uses(&self) -> usize {
        self.operands.len()
    }

    /// The data of these nodes, followed by that of the constants.
    pub(super) fn data(&self, nodes: &[Rc<Node>]) -> Vec<f64> {
        let mut data = Vec::with_capacity(nodes.len() + self.constants.len());
        data.extend(nodes.iter().map(|node| node.data()));
        data.extend(&self.constants);
        data
    }

    /// Neighbours with the same operation on the same number of operands, as ranges of slots. Leaves are left out.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<u32>> {
        let first = self.block_at(0);
        std::iter::successors(first, |block| self.block_at(block.end as usize))
            .filter(|block| self.op(block.start as usize).is_some())
    }

    /// The block of neighbours that begins at a slot.
    fn block_at(&self, first: usize) -> Option<Range<u32>> {
        if first >= self.varying() {
            return None;
        }
        let kind = |slot: usize| (self.rows[slot], self.operand_range(slot).len());
        let end = (first + 1..self.varying()).find(|&slot| kind(slot) != kind(first));
        Some(first as u32..end.unwrap_or(self.varying()) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl FlatGraph {
        /// A graph of operations on two operands, followed by leaves.
        pub(in crate::graph) fn of_pairs(
            nodes: &[(&Op, [u32; 2])],
            varying: usize,
            constants: Vec<f64>,
        ) -> FlatGraph {
            let rows = nodes.iter().map(|(op, _)| op.row);
            let end = 2 * nodes.len() as u32;
            FlatGraph {
                rows: rows.chain(std::iter::repeat(LEAF)).take(varying).collect(),
                starts: (0..=varying as u32).map(|slot| end.min(2 * slot)).collect(),
                operands: nodes.iter().flat_map(|(_, pair)| *pair).collect(),
                constants,
                carried: FxHashMap::default(),
            }
        }
    }
}
