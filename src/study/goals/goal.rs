//! What `:minimize` is asked for, in flat arrays.
//!
//! `minimize` searches, `penalties` and `second_order` help it.

use std::rc::Rc;

use super::descent::largest;
use crate::graph::{Jacobian, Node, Pass};

/// What shall become as small as possible.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) target: Rc<Node>,
    pub(crate) leaves: Vec<Rc<Node>>,
    pub(crate) constraints: Vec<Constraint>,
}

/// A relation between two nodes that must hold.
#[derive(Debug)]
pub(crate) struct Constraint {
    pub(crate) left: Rc<Node>,
    pub(crate) right: Rc<Node>,
    /// By how much to multiply the left side less the right one, so that it is at most 0 where the constraint holds;
    /// none for an equation.
    pub(crate) direction: Option<f64>,
}

/// Whether the target, at the present data of the leaves, has a kink that the leaves can move through: an operation is at
/// a kink of its own, and what it passes on counts above.
pub(crate) fn at_kink(goal: &Goal) -> bool {
    kink_below(&goal.target, Node::is_free).is_some()
}

/// An operation below the root that is at such a kink, given which leaves move.
pub(super) fn kink_below(root: &Rc<Node>, is_moved: impl Fn(&Node) -> bool) -> Option<Rc<Node>> {
    let pass = Pass::from(root, 0);
    let nodes = pass.order().nodes();
    let mut moves = vec![false; nodes.len()];
    for (slot, (node, grad)) in nodes.iter().zip(pass.grads()).enumerate().rev() {
        moves[slot] = is_moved(node);
        let Some(op) = node.op() else { continue };
        let below = node.operands().iter();
        moves[slot] = below
            .filter_map(|below| pass.order().position(below))
            .any(|below| moves[below]);
        if moves[slot] && *grad != 0.0 && !op.kinks.is_empty() {
            let operands: Vec<f64> = node.operands().iter().map(|below| below.data()).collect();
            if op.kinks.iter().any(|kink| (kink.holds)(&operands)) {
                return Some(Rc::clone(node));
            }
        }
    }
    None
}

/// Target and constraints in flat arrays.
pub(super) struct Model {
    jacobian: Jacobian,
    pub(super) directions: Vec<Option<f64>>,
}

impl Model {
    pub(super) fn of(goal: &Goal) -> Model {
        let constraints = &goal.constraints;
        let mut roots = vec![Rc::clone(&goal.target)];
        roots.extend(constraints.iter().map(|it| Rc::clone(&it.left)));
        roots.extend(constraints.iter().map(|it| Rc::clone(&it.right)));
        Model {
            jacobian: Jacobian::of(&roots, &goal.leaves),
            directions: constraints.iter().map(|it| it.direction).collect(),
        }
    }

    /// Whether a constraint is met also where its excess is below 0.
    pub(super) fn is_inequality(&self, place: usize) -> bool {
        self.directions[place].is_some()
    }

    /// Values and derivatives at a point.
    pub(super) fn at(&mut self, point: &[f64]) -> At {
        let values = self.jacobian.values(point);
        let rows = self.jacobian.rows();
        let (n, count) = (point.len(), self.directions.len());
        let row = |at: usize| &rows[at * n..][..n];
        let of = |place: usize| {
            let direction = self.directions[place].unwrap_or(1.0);
            let (left, right) = (1 + place, 1 + count + place);
            let slopes = row(left).iter().zip(row(right));
            (
                [values[left], values[right]],
                direction * (values[left] - values[right]),
                slopes
                    .map(|(left, right)| direction * (left - right))
                    .collect(),
            )
        };
        let mut at = At {
            value: values[0],
            slopes: row(0).to_vec(),
            sides: Vec::new(),
            excess: Vec::new(),
            missing: Vec::new(),
            excess_slopes: Vec::new(),
        };
        for (place, (sides, excess, slopes)) in (0..count).map(of).enumerate() {
            let holds = self.is_inequality(place) && excess < 0.0;
            at.sides.push(sides);
            at.excess.push(excess);
            at.missing.push(if holds { 0.0 } else { excess });
            at.excess_slopes.push(slopes);
        }
        at
    }
}

/// The values and derivatives of a target and its constraints at a point.
pub(super) struct At {
    pub(super) value: f64,
    pub(super) slopes: Vec<f64>,
    pub(super) sides: Vec<[f64; 2]>,
    /// For each constraint how far it is from holding: 0 or, unless it is an equation, less where it holds.
    pub(super) excess: Vec<f64>,
    /// The excesses of constraints that do not hold, and 0 for those that do.
    pub(super) missing: Vec<f64>,
    /// The slopes of the excesses.
    pub(super) excess_slopes: Vec<Vec<f64>>,
}

impl At {
    /// The slopes of the target together with those of the constraints, each times its multiplier.
    pub(super) fn balance(&self, multipliers: &[f64]) -> Vec<f64> {
        self.pressed(self.slopes.clone(), multipliers)
    }

    /// These slopes together with those of the constraints, each times its factor.
    pub(super) fn pressed(&self, mut slopes: Vec<f64>, factors: &[f64]) -> Vec<f64> {
        for (factor, excess) in factors.iter().zip(&self.excess_slopes) {
            for (slope, part) in slopes.iter_mut().zip(excess) {
                *slope += factor * part;
            }
        }
        slopes
    }

    /// Whether all of it are numbers.
    pub(super) fn is_finite(&self) -> bool {
        let slopes = std::iter::once(&self.slopes).chain(&self.excess_slopes);
        let numbers = slopes.flatten().chain(&self.excess);
        largest(numbers.copied().chain([self.value])).is_finite()
    }

    /// How far it is from a minimum: the largest slope that is not balanced, or the most that a constraint is from
    /// holding. NaN is farther than any number.
    pub(super) fn error(&self, multipliers: &[f64]) -> f64 {
        let slopes = self.balance(multipliers);
        largest(self.missing.iter().copied().chain(slopes))
    }
}
