//! Moves one node a little, for `:nudge`, and compares the slope of the root's change with the gradient.
//!
//! The move happens on a plan, so the graph does not change. An inner node moves as if it were a leaf, which shows the
//! gradient with respect to the node.

use std::rc::Rc;

use chainrule_engine::graph::{Node, Order, Plan, gradients};

/// The result of a nudge.
#[derive(Clone, Copy, Debug)]
pub struct Nudge {
    /// The step.
    pub h: f64,
    /// The root's data before the step.
    pub before: f64,
    /// The root's data after the step.
    pub after: f64,
    /// The slope of the difference.
    pub slope: f64,
    /// The gradient.
    pub grad: f64,
}

/// Returns the step that loses fewest digits: about the square root of the machine epsilon, relative to the data.
fn best_step(data: f64) -> f64 {
    let finite_size = Some(data.abs()).filter(|size| size.is_finite());
    let step = f64::EPSILON.sqrt() * finite_size.unwrap_or(1.0).max(1.0);
    // Adding a power of two of about this size is exact for data of ordinary size.
    step.log2().round().exp2()
}

/// Moves a node and compares the slope of the root with the gradient.
pub fn nudge(root: &Rc<Node>, node: &Rc<Node>, step: Option<f64>) -> Nudge {
    let h = step.unwrap_or_else(|| best_step(node.data()));
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let before = root.data();
    let (mut grad, mut after) = (0.0, before);
    if let Some(slot) = order.slot(node) {
        grad = grads[slot];
        let mut plan = Plan::of(root);
        plan.set(slot, node.data() + h);
        plan.forward(Some(slot));
        after = plan.root_data();
    }
    Nudge {
        h,
        before,
        after,
        slope: (after - before) / h,
        grad,
    }
}
