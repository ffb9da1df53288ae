//! A single finite difference, for `:nudge`: moves one node a little and compares the root's change with the gradient.
//! Works on a plan, so nothing is changed.
//!
//! An inner node can be moved too, as if it were a leaf, which shows its local derivative.

use std::rc::Rc;

use crate::graph::{Node, Order, Plan, gradients};

/// The result of a nudge.
#[derive(Clone, Copy, Debug)]
pub struct Nudge {
    /// The step.
    pub h: f64,
    /// Whether the difference is central, with a step to both sides.
    pub central: bool,
    /// The root's data before the step, or at the lower end of a central difference.
    pub before: f64,
    /// The root's data after the step.
    pub after: f64,
    /// The slope of the difference.
    pub slope: f64,
    /// The gradient.
    pub grad: f64,
}

/// The step that loses fewest digits, relative to the size of the data: about the square root of the machine epsilon
/// for a forward difference, the cube root for a central one.
fn step(data: f64, central: bool) -> f64 {
    let relative = if central {
        f64::EPSILON.cbrt()
    } else {
        f64::EPSILON.sqrt()
    };
    // Rounded to a power of two, so that moving the node causes no rounding error.
    let size = Some(data.abs()).filter(|size| size.is_finite());
    (relative * size.map_or(1.0, |size| size.max(1.0)))
        .log2()
        .round()
        .exp2()
}

/// Moves a node and compares the slope of the root with the gradient.
pub fn nudge(root: &Rc<Node>, node: &Rc<Node>, h: Option<f64>, central: bool) -> Nudge {
    let h = h.unwrap_or_else(|| step(node.data(), central));
    let order = Order::below([root]);
    let place = order.position(node);
    let grads = gradients(&order, root, |_| {});
    let grad = place.map_or(0.0, |place| grads[place]);
    let mut plan = Plan::of(root);
    let mut at = |data: f64| match place {
        Some(place) => {
            plan.set(place, data);
            plan.forward_but(place);
            plan.root_data()
        }
        None => root.data(),
    };
    let after = at(node.data() + h);
    let (before, span) = if central {
        (at(node.data() - h), 2.0 * h)
    } else {
        (root.data(), h)
    };
    Nudge {
        h,
        central,
        before,
        after,
        slope: (after - before) / span,
        grad,
    }
}
