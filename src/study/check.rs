//! Checks gradients for `:check`: compares them with slopes from finite differences.
//!
//! Each step of each node evaluates the whole graph. If there are too many nodes, only a sample is checked, and the slope
//! in one direction in which all leaves move. If gradient and slope disagree, the one-sided slopes and the rows of the
//! operations decide whether the point is a kink, has no derivative, or has a wrong gradient.

use std::rc::Rc;

use super::finite_differences::{ERROR_FACTOR, Move, MovedFunction, SlopeEstimate};
use chainrule_engine::graph::{Node, Order, gradients, values};
use chainrule_engine::ops::Op;
use chainrule_program::random::Sequence;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Check {
    /// A row for each checked node. If only a sample was checked, the last row is for all leaves at once.
    pub rows: Vec<CheckRow>,
    /// The number of all nodes, if only a sample was checked.
    pub sampled: Option<usize>,
    /// If a verdict is not `Ok`, the first node at which a convention applies or that is outside its domain.
    pub because: Option<Rc<Node>>,
}

/// The comparison of a gradient with a slope.
#[derive(Clone, Debug)]
pub struct CheckRow {
    /// The node; `None` for the row in which all leaves move at once.
    pub node: Option<Rc<Node>>,
    /// The gradient of the node; if all leaves move, the sum of their gradients, each times the movement of the leaf.
    pub grad: f64,
    /// The slope, from finite differences.
    pub difference: f64,
    /// The difference divided by the larger of the two.
    pub error: f64,
    /// The result of the comparison.
    pub verdict: CheckVerdict,
}

/// The result of comparing a gradient with a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// The slope equals the gradient.
    Ok,
    /// The slopes from left and right differ, and the gradient is the value between them set by convention.
    Kink,
    /// The slope grows without bound, and the gradient is infinite.
    Infinite,
    /// There is no number to compare.
    NotANumber,
    /// The slope cannot be determined well enough: the function is too rough or too steep here.
    Unclear,
    /// Slope and gradient differ.
    Wrong,
}

impl CheckVerdict {
    /// Returns the word for the result in tables.
    pub fn word(self) -> &'static str {
        match self {
            CheckVerdict::Ok => "ok",
            CheckVerdict::Kink => "kink",
            CheckVerdict::Infinite => "infinite",
            CheckVerdict::NotANumber => "no number",
            CheckVerdict::Unclear => "unclear",
            CheckVerdict::Wrong => "wrong",
        }
    }

    /// Returns whether the gradient is as it should be.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Ok | Self::Kink | Self::Infinite)
    }
}

/// The largest relative difference that counts as equal. Finite differences are exact to eight digits and more, and a wrong
/// derivative differs in the first digits.
const TOLERANCE: f64 = 1e-6;

/// The largest product of checked nodes and nodes of the graph. Each checked node takes some dozen evaluations of the
/// graph, which is a few seconds in all.
const MOST_PRODUCT: usize = 4_000_000;

/// The number of nodes in a sample, if checking all nodes would take too long.
const SAMPLE_SIZE: usize = 200;

/// The seed of the sample, so that it is always the same one.
const SEED: u64 = 1;

/// Checks the gradients of a root with respect to some of the nodes below it.
pub fn check(root: &Rc<Node>, nodes: &[Rc<Node>]) -> Check {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let product = nodes.len().saturating_mul(order.nodes().len());
    if product <= MOST_PRODUCT || nodes.len() <= SAMPLE_SIZE {
        return compare(root, &order, &grads, nodes, &[]);
    }
    let mut random = Sequence::of(SEED);
    let chosen = sample(nodes, &order, &mut random);
    // All leaves move by their sizes, up or down by chance.
    let leaves = nodes.iter().filter(|node| node.is_leaf());
    let slots = leaves.filter_map(|leaf| order.slot(leaf));
    let random_move = |slot: usize| {
        let size = order.nodes()[slot].data().abs().max(1.0);
        let by = if random.fraction() < 0.5 { size } else { -size };
        Move { slot, by }
    };
    let direction: Vec<Move> = slots.map(random_move).collect();
    Check {
        sampled: Some(nodes.len()),
        ..compare(root, &order, &grads, &chosen, &direction)
    }
}

/// Chooses [`SAMPLE_SIZE`] of more nodes by chance. Frozen leaves, which are data, are chosen only if there are too few
/// other nodes.
fn sample(nodes: &[Rc<Node>], order: &Order, random: &mut Sequence) -> Vec<Rc<Node>> {
    let mut chosen = nodes.to_vec();
    chosen.sort_by_key(|node| node.is_frozen());
    let free = chosen.partition_point(|node| !node.is_frozen());
    for index in 0..SAMPLE_SIZE {
        let end = if index < free { free } else { nodes.len() };
        let remaining = (end - index) as f64;
        chosen.swap(index, index + (random.fraction() * remaining) as usize);
    }
    chosen.truncate(SAMPLE_SIZE);
    chosen.sort_by_key(|node| order.slot(node));
    chosen
}

/// Compares gradients by some nodes, and the gradient in a direction unless that is empty, with finite differences. `grads`
/// has a gradient for each slot of the order.
fn compare(
    root: &Rc<Node>,
    order: &Order,
    grads: &[f64],
    nodes: &[Rc<Node>],
    direction: &[Move],
) -> Check {
    let odd_node = order.nodes().iter().rev().find(|node| is_odd(node));
    let has_odd_node = odd_node.is_some();
    let mut function = MovedFunction::of(root, order, grads);
    let mut rows = Vec::with_capacity(nodes.len() + 1);
    for node in nodes {
        // The root does not depend on a node outside the order: both numbers are 0.
        let slot = order.slot(node);
        let grad = slot.map_or(0.0, |slot| grads[slot]);
        let moves = slot.map(|slot| Move { slot, by: 1.0 });
        let slope = function.slope_along(node.data(), moves.as_slice());
        rows.push(row(Some(node), grad, slope, has_odd_node));
    }
    if !direction.is_empty() {
        let grad = direction.iter().map(|it| grads[it.slot] * it.by).sum();
        let slope = function.slope_along(0.0, direction);
        rows.push(row(None, grad, slope, has_odd_node));
    }
    let is_good = rows.iter().all(|row| row.verdict == CheckVerdict::Ok);
    Check {
        because: odd_node.filter(|_| !is_good).cloned(),
        rows,
        sampled: None,
    }
}

/// Compares a gradient with a slope: by a node, or in a direction.
fn row(node: Option<&Rc<Node>>, grad: f64, slope: SlopeEstimate, has_odd_node: bool) -> CheckRow {
    let argument = node.map_or(0.0, |node| node.data());
    CheckRow {
        node: node.cloned(),
        grad,
        difference: slope.value,
        error: relative_difference(grad, slope.value),
        verdict: verdict(grad, argument, slope, has_odd_node),
    }
}

/// Returns the relative difference of two numbers.
fn relative_difference(grad: f64, slope: f64) -> f64 {
    if grad == slope {
        return 0.0;
    }
    (grad - slope).abs() / grad.abs().max(slope.abs())
}

/// The error of a smaller slope is judged as if the slope had this size.
const LEAST_SLOPE: f64 = 1e-3;
/// A slope is certain if its error is at most this fraction of it. An uncertain slope cannot contradict a gradient.
const CERTAIN: f64 = 1e-3;
/// One-sided slopes differ if their difference is more than this fraction: the slope of a smooth function changes less over
/// the small step.
const SIDES_DIFFER: f64 = 1e-3;
/// One-sided slopes are exact up to this much.
const ONE_SIDED_ERROR: f64 = 1e-6;
/// The slope at a point may be infinite if a one-sided slope is above this, because it grows as the step shrinks.
const STEEP_SLOPE: f64 = 1e3;

/// Judges a gradient by a slope. `has_odd_node` tells whether a convention applies somewhere below the root.
fn verdict(grad: f64, argument: f64, slope: SlopeEstimate, has_odd_node: bool) -> CheckVerdict {
    let size = grad.abs().max(slope.value.abs());
    let difference = (grad - slope.value).abs();
    let is_within_error = difference <= ERROR_FACTOR * slope.error;
    let is_equal = relative_difference(grad, slope.value) <= TOLERANCE
        || is_within_error && slope.error <= TOLERANCE * size.max(LEAST_SLOPE);
    let [least, most] = [slope.left.min(slope.right), slope.left.max(slope.right)];
    let steepest = slope.left.abs().max(slope.right.abs());
    let sides_differ =
        (slope.left - slope.right).abs() > SIDES_DIFFER * steepest.max(ONE_SIDED_ERROR);
    let is_between = (least - ONE_SIDED_ERROR..=most + ONE_SIDED_ERROR).contains(&grad);
    let is_steep = steepest > STEEP_SLOPE || slope.left.is_nan() || slope.right.is_nan();
    if grad.is_nan() || argument.is_nan() {
        CheckVerdict::NotANumber
    } else if grad.is_infinite() && is_steep {
        CheckVerdict::Infinite
    } else if grad.is_infinite() {
        CheckVerdict::Wrong
    } else if sides_differ && is_between && has_odd_node {
        CheckVerdict::Kink
    } else if is_equal {
        CheckVerdict::Ok
    } else if slope.value.is_nan() || slope.error > CERTAIN * size || is_within_error {
        CheckVerdict::Unclear
    } else {
        CheckVerdict::Wrong
    }
}

/// Returns whether a convention applies at a node, or its operands are outside the domain of its operation.
fn is_odd(node: &Rc<Node>) -> bool {
    let values = values(node.operands());
    let is_odd_at = |op: &Op| {
        let mut kinks = op.kinks.iter();
        kinks.any(|kink| (kink.holds)(&values)) || !op.domain.contains(&values)
    };
    node.op().is_some_and(is_odd_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::graph::Graph;
    use chainrule_engine::ops;
    use chainrule_engine::ops::Shape;

    /// `x1^2 + x2^2 + …`: the root and its leaves.
    fn squares(count: usize) -> (Rc<Node>, Vec<Rc<Node>>) {
        let mut graph = Graph::default();
        let op = |sign: &str| ops::operator(sign, Shape::Infix).expect("there is such a sign");
        let leaves: Vec<Rc<Node>> = (0..count)
            .map(|at| graph.leaf(at as f64 - 1.5, false))
            .collect();
        let mut made = |sign: &str, one: &Rc<Node>, other: &Rc<Node>| {
            graph.apply_2(op(sign), Rc::clone(one), Rc::clone(other))
        };
        let mut root = made("*", &leaves[0], &leaves[0]);
        for leaf in &leaves[1..] {
            let square = made("*", leaf, leaf);
            root = made("+", &root, &square);
        }
        (root, leaves)
    }

    /// Where only some nodes are checked, frozen leaves come last.
    #[test]
    fn data_are_checked_last() {
        let (root, leaves) = squares(1500);
        let is_parameter = |at: usize| at.is_multiple_of(500);
        for (at, leaf) in leaves.iter().enumerate() {
            Graph::default().set_frozen(leaf, !is_parameter(at));
        }
        let rows = check(&root, &leaves).rows;
        let free = rows.iter().filter_map(|row| row.node.as_ref());
        assert_eq!(free.filter(|node| node.is_free()).count(), 3);
    }

    /// A wrong gradient, such as a mistake in a row would cause, is found.
    #[test]
    fn a_wrong_gradient_is_found() {
        for count in [3, 300] {
            let (root, leaves) = squares(count);
            let order = Order::below([&root]);
            let right = gradients(&order, &root, |_| {});
            for (place, factor) in [(1, 2.0), (2, 1.001), (0, -1.0), (2, 0.0)] {
                let mut grads = right.clone();
                let at = order.slot(&leaves[place]).expect("it is in the order");
                grads[at] *= factor;
                let checked = compare(&root, &order, &grads, &leaves, &[]);
                for (row, leaf) in checked.rows.iter().zip(0..) {
                    let expected = if leaf == place {
                        CheckVerdict::Wrong
                    } else {
                        CheckVerdict::Ok
                    };
                    assert_eq!(row.verdict, expected, "leaf {leaf} of {count}, {factor}");
                }
            }
        }
    }
}
