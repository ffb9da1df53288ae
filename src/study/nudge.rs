//! `:nudge`: bump one node by a little, and see how the root moves. Nothing is changed: it works on a plan.
//!
//! An inner node is taken for a leaf for this once, so that a local derivative can be seen: c of d.

use std::rc::Rc;

use crate::graph::gradients;
use crate::graph::{Node, Order, Plan};

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub struct Nudge {
    /// By how much.
    pub h: f64,
    /// The difference was taken on both sides.
    pub central: bool,
    /// The root's data before, or at the lower end of a central difference.
    pub before: f64,
    /// The root's data after.
    pub after: f64,
    /// The slope of the difference.
    pub slope: f64,
    /// The gradient.
    pub grad: f64,
}

/// The step that a forward difference loses fewest digits with, about the square root of the precision of a double;
/// the cube root for a central one. Relative to the size of what is bumped.
fn step(data: f64, central: bool) -> f64 {
    let relative = if central {
        f64::EPSILON.cbrt()
    } else {
        f64::EPSILON.sqrt()
    };
    // A power of two near it: the bump itself is then free of rounding.
    let size = if data.is_finite() {
        data.abs().max(1.0)
    } else {
        1.0
    };
    (relative * size).log2().round().exp2()
}

/// Bumps a node and compares the slope of the root with the gradient.
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
