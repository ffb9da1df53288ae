//! The backward pass: the chain rule as a loop over the slots of an order.
//!
//! There is one loop, [`BackwardSweep`]. It names no operation: local derivatives come from the rows of the table. It
//! hands what each node passes on to a visitor, which adds it to the grad of the operand and does what else it is there
//! for: `:walk` notes each contribution, `:wrong` makes mistakes, `:explain` collects the edges of paths, and a row of a
//! Jacobian is a sweep over a part of the graph. Passes that only want grads take `runs`, which gives the same bits.

use std::cell::LazyCell;
use std::rc::Rc;

use super::flat::FlatGraph;
use super::node::Node;
use super::order::Order;
use crate::ops::chain;

/// A graph at some data, for backward sweeps.
#[derive(Clone, Copy)]
pub(super) struct BackwardSweep<'g, D> {
    pub(super) graph: &'g FlatGraph,
    /// The data by slot.
    pub(super) data: D,
    /// The local derivatives by all operands of all nodes, where they were computed before.
    pub(super) locals: Option<&'g [f64]>,
}

/// What a node passes on to one of its operands.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    /// The slot of the node.
    pub(super) slot: usize,
    /// The node's grad.
    pub(super) upstream: f64,
    /// The position of the operand.
    pub(super) operand: usize,
    /// The slot of the operand.
    pub(super) below: usize,
    /// The node's local derivative with respect to the operand.
    pub(super) local: f64,
    /// Upstream times local, by the rules of [`chain`].
    pub(super) amount: f64,
}

impl<D: Fn(usize) -> f64> BackwardSweep<'_, D> {
    /// Goes through these slots, users before operands. `visit` gets the grad of the operand with what is to be added.
    #[inline]
    pub(super) fn over(
        &self,
        slots: impl IntoIterator<Item = usize>,
        grads: &mut [f64],
        mut visit: impl FnMut(&mut f64, Passed),
    ) {
        for slot in slots {
            let upstream = grads[slot];
            self.turn(slot, upstream, |passed| {
                visit(&mut grads[passed.below], passed);
            });
        }
    }

    /// One node's turn: what it passes on to each operand that varies, from left to right.
    #[inline]
    pub(super) fn turn(&self, slot: usize, upstream: f64, mut visit: impl FnMut(Passed)) {
        let operands = self.graph.operands(slot);
        let (data, out) = (
            |below: &u32| (self.data)(*below as usize),
            (self.data)(slot),
        );
        let varies = |below: &u32| (*below as usize) < self.graph.varying();
        // Asked at most once: a sum may have a million operands.
        let broken = LazyCell::new(|| operands.iter().any(|below| data(below).is_nan()));
        let mut pass = |operand: usize, below: &u32, local: f64| {
            visit(Passed {
                slot,
                upstream,
                operand,
                below: *below as usize,
                local,
                amount: chain(upstream, local, out, || *broken),
            });
        };
        if let Some(locals) = self.locals {
            let pairs = operands.iter().zip(&locals[self.graph.places(slot)]);
            for (operand, (below, local)) in pairs.enumerate() {
                if varies(below) {
                    pass(operand, below, *local);
                }
            }
        } else if let Some(op) = self.graph.op(slot) {
            op.each_local(operands, out, data, varies, pass);
        }
    }
}

/// What one node contributes to the grad of one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Contribution<'n> {
    /// The node that passes it on.
    pub node: &'n Rc<Node>,
    /// The position of the operand that receives it.
    pub operand: usize,
    /// The node's grad in this sweep.
    pub upstream: f64,
    /// The node's local derivative with respect to the operand.
    pub local: f64,
    /// Upstream times local, by the rules of [`chain`].
    pub amount: f64,
    /// The operand's grad before it is added.
    pub before: f64,
    /// The operand's grad after.
    pub after: f64,
}

/// One sweep from `root` over an order that contains it. Returns the grads, in that order.
pub fn gradients(order: &Order, root: &Node, visit: impl FnMut(Contribution)) -> Vec<f64> {
    let mut grads = vec![0.0; order.nodes().len()];
    if let Some(start) = order.position(root) {
        grads[start] = 1.0;
        let data = order.data();
        let sweep = BackwardSweep {
            graph: order.graph(),
            data: |slot: usize| data[slot],
            locals: None,
        };
        // Users come before operands, so a node's grad is complete when its turn comes.
        sweep.over(start..grads.len(), &mut grads, adding(order, visit));
    }
    grads
}

/// One node's turn in a sweep that the user walks through. `grads` has one entry for each node of the order.
pub fn turn(order: &Order, place: usize, grads: &mut [f64], visit: impl FnMut(Contribution)) {
    let sweep = BackwardSweep {
        graph: order.graph(),
        data: |slot| order.datum(slot),
        locals: None,
    };
    sweep.over([place], grads, adding(order, visit));
}

/// A visitor that adds each contribution, and tells it in terms of nodes.
fn adding(order: &Order, mut visit: impl FnMut(Contribution)) -> impl FnMut(&mut f64, Passed) {
    move |grad, passed| {
        let before = *grad;
        *grad += passed.amount;
        visit(Contribution {
            node: &order.nodes()[passed.slot],
            operand: passed.operand,
            upstream: passed.upstream,
            local: passed.local,
            amount: passed.amount,
            before,
            after: *grad,
        });
    }
}
