//! Sweeps backward through the slots of an order: applies the chain rule at each node.
//!
//! [`Sweepable::contributions`] is the chain rule at one node. `backward` implements it for nodes, and this file implements
//! it for flat arrays with data supplied by the caller ([`FlatSweep`]). [`Sweepable::sweep`] is the loop over the slots. It
//! hands each contribution to a visitor, which adds the contribution to the grad of the operand. Repeated passes that need
//! only grads use `runs`, which gives the same bits.

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

/// A graph that can be swept slot by slot.
pub(super) trait Sweepable {
    /// Visits the contribution of the node in a slot to each operand that varies, from left to right.
    fn contributions(&self, user: usize, upstream: f64, visit: impl FnMut(Contribution));

    /// Sweeps these slots, users before operands. `visit` gets the grad of an operand and a contribution to it.
    #[inline]
    fn sweep(
        &self,
        slots: impl IntoIterator<Item = usize>,
        grads: &mut [f64],
        mut visit: impl FnMut(&mut f64, Contribution),
    ) {
        for slot in slots {
            self.contributions(slot, grads[slot], |contribution| {
                visit(&mut grads[contribution.operand_slot], contribution);
            });
        }
    }
}

/// A flat graph with the data to sweep it at.
#[derive(Clone, Copy)]
pub(super) struct FlatSweep<'g> {
    pub(super) graph: &'g FlatGraph,
    /// The data by slot.
    pub(super) data: &'g [f64],
    /// Precomputed local derivatives, one per operand, indexed by [`FlatGraph::operand_range`].
    pub(super) locals: Option<&'g [f64]>,
}

impl Sweepable for FlatSweep<'_> {
    #[inline]
    fn contributions(&self, user: usize, upstream: f64, mut visit: impl FnMut(Contribution)) {
        let (graph, data) = (self.graph, self.data);
        let (operands, out) = (graph.operands(user), data[user]);
        let data_of = |slot: &u32| data[*slot as usize];
        let operand_is_nan = LazyCell::new(|| operands.iter().map(data_of).any(f64::is_nan));
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
        if let Some(all_locals) = self.locals {
            let locals = &all_locals[graph.operand_range(user)];
            for (position, (slot, local)) in operands.iter().zip(locals).enumerate() {
                if varies(slot) {
                    contribute(position, slot, *local);
                }
            }
        } else if let Some(rule) = graph.rule(user) {
            rule.each_local(operands, out, data_of, varies, contribute);
        }
    }
}
