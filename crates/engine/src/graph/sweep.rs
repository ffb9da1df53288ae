//! The backward pass: the chain rule as a loop over the slots of an order.
//!
//! [`Sweepable::contributions`] is the chain rule at one node, with the nodes' own data (`backward`) or in flat arrays
//! with other data (here). [`Sweepable::sweep`] is the loop in pass order. It hands each contribution to a visitor,
//! which adds it to the grad of the operand. The faulty passes have loops of their own, and `:explain` collects the
//! edges of paths node by node. Repeated passes that need only grads use `runs`, which gives the same bits.

use std::cell::LazyCell;

use super::flat::FlatGraph;
use crate::ops::chain;

/// The contribution of a node to the grad of one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// The slot of the node.
    pub user: usize,
    /// The node's grad in this sweep.
    pub upstream: f64,
    /// The position of the operand among those of the node.
    pub position: usize,
    /// The slot of the operand.
    pub operand_slot: usize,
    /// The node's local derivative with respect to the operand.
    pub local: f64,
    /// Upstream times local, by the rules of [`chain`].
    pub amount: f64,
}

/// A node that contributes to the grads of its operands.
#[derive(Clone, Copy)]
pub(super) struct Contributor {
    /// The slot of the node.
    pub(super) user: usize,
    /// The node's grad in this sweep.
    pub(super) upstream: f64,
    /// The node's data.
    pub(super) data: f64,
}

impl Contributor {
    /// The contribution to one operand.
    #[inline]
    pub(super) fn contribution(
        self,
        position: usize,
        operand_slot: usize,
        local: f64,
        operand_is_nan: impl FnOnce() -> bool,
    ) -> Contribution {
        Contribution {
            user: self.user,
            upstream: self.upstream,
            position,
            operand_slot,
            local,
            amount: chain(self.upstream, local, self.data, operand_is_nan),
        }
    }
}

/// A graph by slots, at some data, that a sweep can go through.
pub(super) trait Sweepable {
    /// Visits the contribution of the node in a slot to each operand that varies, from left to right.
    fn contributions(&self, user: usize, upstream: f64, visit: impl FnMut(Contribution));

    /// Goes through these slots, users before operands. `visit` gets the grad of an operand and a contribution to it.
    #[inline]
    fn sweep(
        &self,
        slots: impl IntoIterator<Item = usize>,
        grads: &mut [f64],
        mut visit: impl FnMut(&mut f64, Contribution),
    ) {
        for slot in slots {
            let upstream = grads[slot];
            self.contributions(slot, upstream, |contribution| {
                visit(&mut grads[contribution.operand_slot], contribution);
            });
        }
    }
}

/// A graph in flat arrays, at other data.
#[derive(Clone, Copy)]
pub(super) struct FlatSweep<'g> {
    pub(super) graph: &'g FlatGraph,
    /// The data by slot.
    pub(super) data: &'g [f64],
    /// The local derivatives by all operands of all nodes, if they are known already.
    pub(super) locals: Option<&'g [f64]>,
}

impl Sweepable for FlatSweep<'_> {
    #[inline]
    fn contributions(&self, user: usize, upstream: f64, mut visit: impl FnMut(Contribution)) {
        let (graph, data) = (self.graph, self.data);
        let (operands, out) = (graph.operands(user), data[user]);
        let values = operands.iter().map(|it| data[*it as usize]);
        let operand_is_nan = LazyCell::new(|| values.clone().any(f64::is_nan));
        let varies = |slot: &u32| (*slot as usize) < graph.varying();
        let contributor = Contributor {
            user,
            upstream,
            data: out,
        };
        let mut contribute = |position, slot: &u32, local| {
            let operand_slot = *slot as usize;
            visit(contributor.contribution(position, operand_slot, local, || *operand_is_nan));
        };
        match (self.locals, graph.op(user)) {
            (Some(all_locals), _) => {
                let locals = &all_locals[graph.operand_range(user)];
                let pairs = operands.iter().zip(locals).enumerate();
                pairs
                    .filter(|(_, (slot, _))| varies(slot))
                    .for_each(|(position, (slot, local))| contribute(position, slot, *local));
            }
            (None, Some(op)) => {
                let data_of = |slot: &u32| data[*slot as usize];
                op.each_local(operands, out, data_of, varies, contribute);
            }
            (None, None) => {}
        }
    }
}
