//! Sweeps through the nodes of an order, at their own data.
//!
//! They are the reference: whatever else gives grads gives the same bits.

use std::cell::LazyCell;

use super::node::Node;
use super::order::{MarkedOrder, Order};
use super::sweep::{Contribution, Sweepable};
use crate::ops::chain;

/// The nodes of an order at their own data.
impl Sweepable for MarkedOrder<'_> {
    #[inline]
    fn turn(&self, slot: usize, upstream: f64, mut visit: impl FnMut(Contribution)) {
        let node = self.node(slot);
        let data = node.data();
        // Asked at most once: a sum may have a million operands.
        let broken = LazyCell::new(|| node.operands().iter().any(|it| it.data().is_nan()));
        node.each_local(|operand, below, local| {
            visit(Contribution {
                slot,
                upstream,
                operand,
                below: self.place(below),
                local,
                amount: chain(upstream, local, data, || *broken),
            });
        });
    }
}

/// One sweep from `root` over an order that contains it. Returns the grads, in that order. While it goes, `visit` must not
/// search the graph, since searches mark nodes.
pub fn gradients(order: &Order, root: &Node, mut visit: impl FnMut(Contribution)) -> Vec<f64> {
    let mut grads = vec![0.0; order.nodes().len()];
    let marked = order.mark_nodes();
    if let Some(start) = order.position(root) {
        grads[start] = 1.0;
        // Users come before operands, so a node's grad is complete when its turn comes.
        marked.sweep(start..grads.len(), &mut grads, |grad, given| {
            *grad += given.amount;
            visit(given);
        });
    }
    grads
}

/// One node's turn in a sweep that the user walks through. `grads` has one entry for each node of the order. `visit` gets
/// the grad of the operand before each contribution.
pub fn turn(
    order: &Order,
    place: usize,
    grads: &mut [f64],
    mut visit: impl FnMut(f64, Contribution),
) {
    // Another order may have marked the operands since the last turn.
    let marked = order.mark_operands(place);
    marked.sweep([place], grads, |grad, given| {
        visit(*grad, given);
        *grad += given.amount;
    });
}
