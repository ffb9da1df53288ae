//! A single finite difference, for `:nudge`: moves one node a little and compares the root's change with the gradient.
//! This works on a plan, so nothing is changed.
//!
//! An inner node can be moved too, as if it were a leaf, which shows its local derivative.

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

/// The step that loses fewest digits, relative to the size of the data: about the square root of the machine epsilon.
fn step(data: f64) -> f64 {
    // Rounded to a power of two, so that moving the node causes no rounding error.
    let size = Some(data.abs()).filter(|size| size.is_finite());
    (f64::EPSILON.sqrt() * size.map_or(1.0, |size| size.max(1.0)))
        .log2()
        .round()
        .exp2()
}

/// Moves a node and compares the slope of the root with the gradient.
pub fn nudge(root: &Rc<Node>, node: &Rc<Node>, h: Option<f64>) -> Nudge {
    let h = h.unwrap_or_else(|| step(node.data()));
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let (mut grad, before, mut after) = (0.0, root.data(), root.data());
    if let Some(place) = order.slot(node) {
        grad = grads[place];
        let mut plan = Plan::of(root);
        plan.set(place, node.data() + h);
        plan.forward(Some(place));
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
