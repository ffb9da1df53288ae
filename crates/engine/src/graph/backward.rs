//! Sweeps backward node by node, at the nodes' own data, for `:grad`, `:walk` and `:guess`. `sweep` has the loop.
//!
//! This sweep is the reference: every other engine must give the same bits at the same data.

use std::cell::LazyCell;
use std::rc::Rc;

use super::node::Node;
use super::order::{MarkedOrder, Order};
use super::sweep::{Contribution, Contributor, Sweepable};

/// The nodes of an order at their own data.
impl Sweepable for MarkedOrder<'_> {
    #[inline]
    fn contributions(&self, user: usize, upstream: f64, visit: impl FnMut(Contribution)) {
        let node = &self.nodes()[user];
        contributions(node, user, upstream, |operand| self.slot(operand), visit);
    }
}

/// Visits the contribution of a node to each operand that varies, from left to right. `slot_of` returns an operand's slot.
#[inline]
fn contributions(
    node: &Node,
    user: usize,
    upstream: f64,
    slot_of: impl Fn(&Rc<Node>) -> usize,
    mut visit: impl FnMut(Contribution),
) {
    // This is computed at most once, because a sum may have a million operands.
    let operand_is_nan = LazyCell::new(|| node.operands().iter().any(|it| it.data().is_nan()));
    let contributor = Contributor {
        user,
        upstream,
        data: node.data(),
    };
    node.each_local(|position, operand, local| {
        let operand_slot = slot_of(operand);
        visit(contributor.contribution(position, operand_slot, local, || *operand_is_nan));
    });
}

/// Sweeps once from `root` over an order that contains it. Returns the grads in that order. `visit` gets each contribution.
/// It must not search the graph, because searches overwrite the slots that the nodes carry.
pub fn gradients(order: &Order, root: &Node, mut visit: impl FnMut(Contribution)) -> Vec<f64> {
    let mut grads = vec![0.0; order.nodes().len()];
    let marked = order.mark_nodes();
    if let Some(start) = order.slot(root) {
        grads[start] = 1.0;
        // Users come before operands, so a node's grad is complete when its turn comes.
        marked.sweep(start..grads.len(), &mut grads, |grad, contribution| {
            *grad += contribution.amount;
            visit(contribution);
        });
    }
    grads
}

/// Returns the contributions of a node with this grad to its operands. They have no slots.
pub fn contributions_of(node: &Node, upstream: f64) -> Vec<Contribution> {
    let mut all = Vec::new();
    contributions(
        node,
        0,
        upstream,
        |_| 0,
        |contribution| all.push(contribution),
    );
    all
}

/// Sweeps a single node, for `:walk`. `grads` has one entry for each node of the order. `visit` gets the grad of an operand
/// before a contribution, and the contribution.
pub fn sweep_one_node(
    order: &Order,
    slot: usize,
    grads: &mut [f64],
    mut visit: impl FnMut(f64, Contribution),
) {
    let node = &order.nodes()[slot];
    // The nodes may carry the slots of another order.
    let slot_of = |operand: &Rc<Node>| order.slot(operand).expect("the order has all operands");
    contributions(node, slot, grads[slot], slot_of, |contribution| {
        let grad = &mut grads[contribution.operand_slot];
        visit(*grad, contribution);
        *grad += contribution.amount;
    });
}
