//! Which points of a fit a leaf takes part in: none, one, or several.
//!
//! A leaf that belongs to one point alone is a part of the data. One sweep over the graph below all points finds out, and
//! on its way the derivative of that one point by the leaf.

use std::rc::Rc;

use crate::graph::{Node, Order};

/// The points that depend on a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Points {
    /// None.
    None,
    /// This one alone, with its derivative by the leaf.
    One(usize, f64),
    /// Several.
    Several,
}

/// What is known of the nodes below all points.
#[derive(Debug)]
pub(crate) struct Reach {
    order: Order,
    points: Vec<Points>,
}

impl Reach {
    /// Of these points.
    pub(crate) fn of(points: &[Rc<Node>]) -> Reach {
        let order = Order::below(points);
        let mut found = vec![Points::None; order.nodes().len()];
        for (place, point) in points.iter().enumerate() {
            if let Some(slot) = order.position(point) {
                found[slot] = match found[slot] {
                    Points::None => Points::One(place, 1.0),
                    _ => Points::Several,
                };
            }
        }
        let mut operands = Vec::new();
        for (slot, node) in order.nodes().iter().enumerate() {
            let Some(op) = node.op() else { continue };
            let above = found[slot];
            operands.clear();
            operands.extend(node.operands().iter().map(|below| below.data()));
            let locals = match above {
                Points::One(..) => op.locals(&operands, node.data()),
                _ => Vec::new(),
            };
            for (at, below) in node.operands().iter().enumerate() {
                let Some(slot) = order.position(below) else {
                    continue;
                };
                found[slot] = match (found[slot], above) {
                    (Points::None, Points::One(point, grad)) => {
                        Points::One(point, grad * locals[at])
                    }
                    (Points::One(known, so_far), Points::One(point, grad)) if known == point => {
                        Points::One(point, so_far + grad * locals[at])
                    }
                    (known, Points::None) => known,
                    _ => Points::Several,
                };
            }
        }
        Reach {
            order,
            points: found,
        }
    }

    /// The points that depend on this leaf.
    pub(crate) fn points(&self, leaf: &Node) -> Points {
        let slot = self.order.position(leaf);
        slot.map_or(Points::None, |slot| self.points[slot])
    }

    /// All leaves below the points, oldest first.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Rc<Node>> {
        let nodes = self.order.nodes().iter();
        let mut leaves: Vec<&Rc<Node>> = nodes.filter(|node| node.is_leaf()).collect();
        leaves.sort_by_key(|leaf| leaf.id());
        leaves.into_iter()
    }
}
