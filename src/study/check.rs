//! Gradient checking, for `:check`: compares gradients with finite differences. This works on a plan, so nothing is
//! changed.
//!
//! The whole graph is evaluated again for each step of each node. If there are too many nodes, only some are checked,
//! together with the slope in one direction in which all leaves move. If gradient and slope disagree, the one-sided
//! slopes and the rows of the operations decide whether the point is a kink or has no derivative, or whether the
//! gradient is wrong.

use std::rc::Rc;

use crate::session::random::Sequence;
use chainrule_engine::graph::{Node, Order, Plan, gradients, values};
use chainrule_engine::ops::Op;
use chainrule_stop as stop;

/// What a check has found.
#[derive(Clone, Debug)]
pub struct Check {
    /// A row for each node that was checked. If only some were, the last one is for all leaves at once.
    pub rows: Vec<CheckRow>,
    /// If only some were checked: how many nodes there are.
    pub sampled: Option<usize>,
    /// If a verdict is not that the two are equal: the first node at which a convention applies or that is outside its
    /// domain.
    pub because: Option<Rc<Node>>,
}

/// A gradient and the slope it is compared with.
#[derive(Clone, Debug)]
pub struct CheckRow {
    /// The node; none where all leaves move at once.
    pub node: Option<Rc<Node>>,
    /// Its gradient; where all leaves move, the sum of theirs, each times the movement of its leaf.
    pub grad: f64,
    /// The slope, from finite differences.
    pub difference: f64,
    /// The relative difference: divided by the larger of the two.
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
    /// The word for the result in tables.
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

    /// Whether the gradient is as it should be.
    pub fn is_good(self) -> bool {
        matches!(
            self,
            CheckVerdict::Ok | CheckVerdict::Kink | CheckVerdict::Infinite
        )
    }
}

/// The largest relative difference that counts as equal.
const TOLERANCE: f64 = 1e-6;

/// The largest product of checked nodes and nodes of the graph. Each takes some dozen evaluations of the graph.
const MOST: usize = 4_000_000;

/// How many nodes are checked where all would be too many.
const SAMPLE: usize = 200;

/// The seed by which they are chosen, so that they are always the same ones.
const SEED: u64 = 1;

/// Checks the gradients of a root with respect to some of the nodes below it.
pub fn check(root: &Rc<Node>, nodes: &[Rc<Node>]) -> Check {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    if nodes.len().saturating_mul(order.nodes().len()) <= MOST || nodes.len() <= SAMPLE {
        return compare(root, &order, &grads, nodes, &[]);
    }
    let mut random = Sequence::of(SEED);
    let mut chosen = nodes.to_vec();
    // Data are checked only where there is room left for them.
    chosen.sort_by_key(|node| node.is_frozen());
    let others = chosen.partition_point(|node| !node.is_frozen());
    for at in 0..SAMPLE {
        let end = if at < others { others } else { nodes.len() };
        let left = (end - at) as f64;
        chosen.swap(at, at + (random.fraction() * left) as usize);
    }
    chosen.truncate(SAMPLE);
    chosen.sort_by_key(|node| order.slot(node));
    let leaves = nodes.iter().filter(|node| node.is_leaf());
    let places = leaves.filter_map(|leaf| order.slot(leaf));
    let moves: Vec<(usize, f64)> = places
        .map(|place| {
            let size = order.nodes()[place].data().abs().max(1.0);
            (place, if random.fraction() < 0.5 { size } else { -size })
        })
        .collect();
    Check {
        sampled: Some(nodes.len()),
        ..compare(root, &order, &grads, &chosen, &moves)
    }
}

/// Compares gradients, given in the order's sequence, with finite differences: those of some nodes, and that in the
/// direction in which all of `moves` move. Without moves there is no direction.
fn compare(
    root: &Rc<Node>,
    order: &Order,
    grads: &[f64],
    nodes: &[Rc<Node>],
    moves: &[(usize, f64)],
) -> Check {
    let because = order.nodes().iter().rev().find(|node| is_odd(node));
    let mut function = BumpedFunction::of(root, order, grads);
    let mut row = |node: Option<&Rc<Node>>, grad: f64, at: f64, moves: &[(usize, f64)]| {
        let slope = function.slope_along(at, moves);
        CheckRow {
            node: node.cloned(),
            grad,
            difference: slope.value,
            error: relative_difference(grad, slope.value),
            verdict: verdict(grad, at, slope, because.is_some()),
        }
    };
    // The root does not depend on a node outside the order: both numbers are 0.
    let of_node = |node: &Rc<Node>| {
        let place = order.slot(node);
        let grad = place.map_or(0.0, |place| grads[place]);
        let moves = place.map(|place| (place, 1.0));
        row(Some(node), grad, node.data(), moves.as_slice())
    };
    let mut rows: Vec<CheckRow> = nodes.iter().map(of_node).collect();
    if !moves.is_empty() {
        let grad = moves.iter().map(|&(place, by)| grads[place] * by).sum();
        rows.push(row(None, grad, 0.0, moves));
    }
    Check {
        because: because
            .filter(|_| rows.iter().any(|row| row.verdict != CheckVerdict::Ok))
            .cloned(),
        rows,
        sampled: None,
    }
}

/// The relative difference of two numbers.
fn relative_difference(grad: f64, slope: f64) -> f64 {
    if grad == slope {
        return 0.0;
    }
    (grad - slope).abs() / grad.abs().max(slope.abs())
}

/// Judges a gradient by a slope; `kink` says that a convention applies somewhere below the root.
fn verdict(grad: f64, at: f64, found: SlopeEstimate, kink: bool) -> CheckVerdict {
    let SlopeEstimate {
        value: slope,
        off,
        sides,
    } = found;
    let size = grad.abs().max(slope.abs());
    let away = (grad - slope).abs();
    // They agree within the slope's own error bound, provided that this is small beside the slope, or beside 1.
    let agrees = relative_difference(grad, slope) <= TOLERANCE
        || away <= 10.0 * off && off <= 1e-6 * size.max(1e-3);
    let differ = (sides.0 - sides.1).abs() > 1e-3 * sides.0.abs().max(sides.1.abs()).max(1e-6);
    let between = sides.0.min(sides.1) - 1e-6 <= grad && grad <= sides.0.max(sides.1) + 1e-6;
    // Near an infinite slope the difference quotient grows as the step shrinks.
    let steep = sides.0.abs().max(sides.1.abs()) > 1e3 || sides.0.is_nan() || sides.1.is_nan();
    if grad.is_nan() || at.is_nan() {
        CheckVerdict::NotANumber
    } else if grad.is_infinite() && steep {
        CheckVerdict::Infinite
    } else if grad.is_infinite() {
        CheckVerdict::Wrong
    } else if differ && between && kink {
        CheckVerdict::Kink
    } else if agrees {
        CheckVerdict::Ok
    } else if slope.is_nan() || off > 1e-3 * size || away <= 10.0 * off {
        // The slope is too uncertain to contradict the gradient.
        CheckVerdict::Unclear
    } else {
        CheckVerdict::Wrong
    }
}

/// Whether a convention applies at a node, or it is outside its domain.
fn is_odd(node: &Rc<Node>) -> bool {
    let values = values(node.operands());
    let odd = |op: &Op| {
        let mut kinks = op.kinks.iter();
        kinks.any(|kink| (kink.holds)(&values)) || !op.domain.contains(&values)
    };
    node.op().is_some_and(odd)
}

/// How many steps are tried, each `SHRINK` times smaller than the one before.
const STEPS: usize = 12;
const SHRINK: f64 = 2.0;

/// Once the relative error of a slope is this small, no other steps are tried.
const ENOUGH: f64 = 1e-10;

/// A slope, its error bound, and the slopes to the right and to the left.
#[derive(Clone, Copy, Debug)]
struct SlopeEstimate {
    value: f64,
    off: f64,
    sides: (f64, f64),
}

/// The best slope from steps that begin with this one, and its error bound.
#[derive(Clone, Copy, Debug)]
struct StepEstimate {
    start: f64,
    value: f64,
    off: f64,
}

/// The root as a function of one number, with which some slots move.
struct BumpedFunction {
    plan: Plan,
    /// Where its slope is wanted.
    at: f64,
    /// The slots, by how much each moves when the number does by 1, and its data there.
    moves: Vec<(usize, f64, f64)>,
    /// The root's data there.
    here: f64,
    /// The rounding error of the root: that of each computed node, times its grad.
    rounding: f64,
}

impl BumpedFunction {
    fn of(root: &Rc<Node>, order: &Order, grads: &[f64]) -> BumpedFunction {
        let computed = order.nodes().iter().zip(grads);
        // Errors of rounding have either sign, so their squares add up.
        let rounded = computed
            .filter(|(node, _)| !node.is_leaf())
            .map(|(node, grad)| (grad * node.data()).powi(2))
            .filter(|rounded| rounded.is_finite());
        BumpedFunction {
            plan: Plan::of(root),
            at: 0.0,
            moves: Vec::new(),
            here: root.data(),
            rounding: f64::EPSILON * rounded.sum::<f64>().sqrt().max(root.data().abs()),
        }
    }

    /// The slope where these slots move, each by its part of a number that is `at` now.
    fn slope_along(&mut self, at: f64, moves: &[(usize, f64)]) -> SlopeEstimate {
        let data = self.plan.data();
        let moves = moves.iter().map(|&(slot, by)| (slot, by, data[slot]));
        self.moves = moves.collect();
        self.at = at;
        let slope = self.slope();
        // Restores the plan for the next node.
        self.value(at);
        slope
    }

    fn value(&mut self, bumped: f64) -> f64 {
        stop::check_before(self.plan.order().nodes().len());
        for &(slot, by, before) in &self.moves {
            self.plan.set(slot, before + by * (bumped - self.at));
        }
        // A single one may be an inner node, which keeps its data; several are leaves.
        if let Some(&(slot, ..)) = self.moves.first() {
            self.plan.forward(Some(slot));
        }
        self.plan.root_data()
    }

    /// The slope. Several initial steps are tried, because a function may bend on the scale of its argument, of 1, or
    /// of less.
    fn slope(&mut self) -> SlopeEstimate {
        let size = self.at.abs();
        let large = size.max(1.0);
        let mut best = self.slope_from(0.01);
        let mut tried = vec![best];
        for start in [0.01 * size, 0.01 * large, 1.0, 1e-5 * large] {
            if best.off <= ENOUGH * best.value.abs() {
                break;
            }
            if start > 0.0 && start.is_finite() {
                let found = self.slope_from(start);
                best = if found.off < best.off { found } else { best };
                tried.push(found);
            }
        }
        // A step longer than what it measures, such as many periods of a sine, is contradicted by a shorter one.
        let shorter = tried.iter().filter(|it| it.start < best.start);
        let doubts = shorter.map(|it| (it.value - best.value).abs() - 10.0 * it.off);
        let doubt = doubts.fold(best.off, f64::max);
        let h = 1e-7 * self.at.abs().max(1.0);
        SlopeEstimate {
            value: best.value,
            off: doubt.max(self.roughness(best.value)),
            sides: (self.one_sided_slope(h), self.one_sided_slope(-h)),
        }
    }

    /// How far the finest possible differences contradict a slope, beyond what rounding explains. `sin` at 1e17 looks
    /// flat from afar, although neighbouring values have nothing in common.
    fn roughness(&mut self, slope: f64) -> f64 {
        let finest = f64::EPSILON * self.at.abs().max(1e-100);
        let mut most = 0.0_f64;
        for h in [finest, 2.0 * finest, 4.0 * finest, 8.0 * finest] {
            let off = (self.central_slope(h) - slope).abs() - 16.0 * self.rounding / h;
            most = most.max(if off.is_finite() { off } else { 0.0 });
        }
        most
    }

    /// Ridders' method: a triangle of extrapolations from central differences, with ever shorter steps.
    fn slope_from(&mut self, start: f64) -> StepEstimate {
        let (mut h, mut above) = (start, [0.0; STEPS]);
        let mut best = StepEstimate {
            start,
            value: f64::NAN,
            off: f64::INFINITY,
        };
        for turn in 0..STEPS {
            let mut row = [0.0; STEPS];
            row[0] = self.central_slope(h);
            let mut factor = SHRINK * SHRINK;
            for place in 0..turn {
                let (fine, coarse) = (row[place], above[place]);
                let next = (fine * factor - coarse) / (factor - 1.0);
                // Two values may agree by chance, so the error is at least the one by rounding.
                let off = (next - fine).abs().max((next - coarse).abs());
                let off = off.max(self.rounding / h);
                if next.is_finite() && off < best.off {
                    (best.value, best.off) = (next, off);
                }
                row[place + 1] = next;
                factor *= SHRINK * SHRINK;
            }
            if best.off < ENOUGH * best.value.abs() {
                break;
            }
            above = row;
            h /= SHRINK;
        }
        best
    }

    /// By how much the argument really changes, since the sum may be rounded.
    fn real_step(&self, by: f64) -> f64 {
        (self.at + by) - self.at
    }

    fn central_slope(&mut self, h: f64) -> f64 {
        let span = self.real_step(h) - self.real_step(-h);
        (self.value(self.at + h) - self.value(self.at - h)) / span
    }

    fn one_sided_slope(&mut self, h: f64) -> f64 {
        (self.value(self.at + h) - self.here) / self.real_step(h)
    }
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
            Graph::default().freeze(leaf, !is_parameter(at));
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
