//! The `±` of computed nodes, to first order, from those of the leaves below.
//!
//! Answers and `.sigma` call this file; `study::goals` makes budgets of the same grads.

use std::rc::Rc;

use super::Uncertainty;
use crate::session::limits::MOST_ANSWERED;
use crate::session::tags::Tags;
use chainrule_engine::graph::structure::nodes_below;
use chainrule_engine::graph::{Node, Order, sweep_one_node};
use chainrule_stop as stop;

/// A sum below this part of the sizes of its terms is rounding. A grad is a sum over paths, each rounded a few times.
pub(super) const CANCELLED: f64 = 32.0 * f64::EPSILON;

/// More than [`MOST_ANSWERED`] nodes are below a node, so its uncertainty is not computed for an answer.
pub(crate) struct TooManyNodes;

impl Tags<Uncertainty> {
    /// The standard deviation of a node for an answer; `None` if no leaf below it is uncertain.
    pub(crate) fn answer_deviation(&self, node: &Rc<Node>) -> Result<Option<f64>, TooManyNodes> {
        if node.is_leaf() {
            return Ok(self.width(node));
        }
        let nodes = nodes_below(node, MOST_ANSWERED).ok_or(TooManyNodes)?;
        let is_uncertain = nodes.iter().any(|below| self.width(below).is_some());
        Ok(is_uncertain.then(|| self.node_deviation(node)))
    }

    /// The standard deviation of each of these nodes; empty if all are certain.
    pub(crate) fn deviations(&self, nodes: &[Rc<Node>]) -> Vec<f64> {
        if self.is_empty() {
            return Vec::new();
        }
        let checked = stop::with_checks(nodes.iter());
        let deviations: Vec<f64> = checked.map(|node| self.node_deviation(node)).collect();
        let is_certain = deviations.iter().all(|deviation| *deviation == 0.0);
        if is_certain { Vec::new() } else { deviations }
    }

    /// The standard deviation of a node: 0 if no leaf below it is uncertain.
    pub(crate) fn node_deviation(&self, node: &Rc<Node>) -> f64 {
        if node.is_leaf() || self.is_empty() {
            return self.width(node).unwrap_or(0.0);
        }
        let order = Order::below([node]);
        let (mut leaves, mut grads) = (Vec::new(), Vec::new());
        for (below, grad) in order.nodes().iter().zip(certain_grads(&order)) {
            if self.of(below).is_some() {
                leaves.push(Rc::clone(below));
                grads.push(grad);
            }
        }
        certain(node, self.sources(&leaves).deviation(&grads))
    }
}

/// The value of a node for an answer with this deviation: 0 if all effects cancel and only rounding is left of the terms.
pub(crate) fn answer_value(node: &Node, deviation: f64) -> f64 {
    let is_sum = node.op().is_some_and(|op| matches!(op.spelling, "+" | "-"));
    let size: f64 = node.operands().iter().map(|it| it.data().abs()).sum();
    if deviation == 0.0 && is_sum && node.data().abs() < CANCELLED * size {
        return 0.0;
    }
    node.data()
}

/// The grads below a root. A grad is 0 if its contributions cancel except for rounding.
pub(crate) fn certain_grads(order: &Order) -> Vec<f64> {
    let mut grads = vec![0.0_f64; order.nodes().len()];
    let mut sizes = grads.clone();
    // Slot 0 is that of the root.
    grads.iter_mut().take(1).for_each(|root| *root = 1.0);
    for slot in stop::with_checks(0..grads.len()) {
        if grads[slot].abs() < CANCELLED * sizes[slot] {
            grads[slot] = 0.0;
        }
        sweep_one_node(order, slot, &mut grads, |_, it| {
            sizes[it.operand_slot] += it.amount.abs();
        });
    }
    grads
}

/// The deviation, or NaN for a node whose value is not finite, even if an exact zero absorbs every gradient.
pub(crate) fn certain(node: &Node, deviation: f64) -> f64 {
    if node.data().is_finite() {
        deviation
    } else {
        f64::NAN
    }
}
