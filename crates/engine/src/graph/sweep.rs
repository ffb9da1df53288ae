//! The backward pass: the chain rule as a loop over the slots of an order.
//!
//! There is one loop, [`Sweepable::sweep`]. It names no operation: local derivatives come from the rows of the table. It
//! hands what each node passes on to a visitor, which adds it to the grad of the operand and does what else it is there
//! for: `:walk` notes each contribution, `:wrong` makes mistakes, `:explain` collects the edges of paths, and a row of a
//! Jacobian is a sweep over a part of the graph. It goes through the nodes themselves, or through the graph as numbers at
//! other data. Repeated passes that only want grads take `runs`, which gives the same bits.

use std::cell::LazyCell;

use super::flat::FlatGraph;
use crate::ops::chain;

/// What a node contributes to the grad of one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// The slot of the node.
    pub slot: usize,
    /// The node's grad in this sweep.
    pub upstream: f64,
    /// The position of the operand.
    pub operand: usize,
    /// The slot of the operand.
    pub below: usize,
    /// The node's local derivative with respect to the operand.
    pub local: f64,
    /// Upstream times local, by the rules of [`chain`].
    pub amount: f64,
}

/// A graph by slots, at some data, as a sweep sees it.
pub(super) trait Sweepable {
    /// One node's turn: what it passes on to each operand that varies, from left to right.
    fn turn(&self, slot: usize, upstream: f64, visit: impl FnMut(Contribution));

    /// Goes through these slots, users before operands. `visit` gets the grad of the operand with what is to be added.
    #[inline]
    fn sweep(
        &self,
        slots: impl IntoIterator<Item = usize>,
        grads: &mut [f64],
        mut visit: impl FnMut(&mut f64, Contribution),
    ) {
        for slot in slots {
            let upstream = grads[slot];
            self.turn(slot, upstream, |passed| {
                visit(&mut grads[passed.below], passed);
            });
        }
    }
}

/// A graph as numbers, at other data.
#[derive(Clone, Copy)]
pub(super) struct FlatSweep<'g> {
    pub(super) graph: &'g FlatGraph,
    /// The data by slot.
    pub(super) data: &'g [f64],
    /// The local derivatives by all operands of all nodes, where they were computed before.
    pub(super) locals: Option<&'g [f64]>,
}

impl Sweepable for FlatSweep<'_> {
    #[inline]
    fn turn(&self, slot: usize, upstream: f64, mut visit: impl FnMut(Contribution)) {
        let (graph, data) = (self.graph, self.data);
        let (operands, out) = (graph.operands(slot), data[slot]);
        let values = operands.iter().map(|it| data[*it as usize]);
        let broken = LazyCell::new(|| values.clone().any(f64::is_nan));
        let computed = LazyCell::new(|| match graph.op(slot) {
            Some(op) => op.locals(&values.clone().collect::<Vec<f64>>(), out),
            None => Vec::new(),
        });
        let locals = self.locals.map(|locals| &locals[graph.places(slot)]);
        let locals = locals.unwrap_or_else(|| &computed);
        for (operand, (&below, &local)) in operands.iter().zip(locals).enumerate() {
            let below = below as usize;
            if below < graph.varying() {
                visit(Contribution {
                    slot,
                    upstream,
                    operand,
                    below,
                    local,
                    amount: chain(upstream, local, out, || *broken),
                });
            }
        }
    }
}
