//! Computes slopes from finite differences, for `:check`: extrapolated central differences, an error bound, and one-sided
//! slopes. For `:nudge`, moves one node a little. The steps are taken on a plan, so the graph does not change. An inner node
//! moves as if it were a leaf, which shows the gradient with respect to the node.

use std::rc::Rc;

use chainrule_engine::graph::{Node, Order, Plan, gradients};
use chainrule_stop as stop;

/// An error bound is an estimate: differences up to this many times as large are within it.
pub(super) const ERROR_FACTOR: f64 = 10.0;

/// A slot that moves, and how far it moves while the argument of the function changes by 1. Several slots are leaves;
/// one alone may be any node, whose data is then not computed from its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) slot: usize,
    pub(super) by: f64,
}

/// The most steps of one extrapolation. The last step is 2000 times smaller than the first.
const MOST_STEPS: usize = 12;
/// The factor by which each step is shorter than the step before.
const SHRINK: f64 = 2.0;

/// Once the relative error of a slope is this small, no other steps are tried.
const SMALL_ERROR: f64 = 1e-10;

/// Differences of this many times the rounding error are still explained by it.
const ROUNDING_SLACK: f64 = 16.0;
/// The finest steps are relative to the argument, and at 0 to this number, so that no step is 0.
const LEAST_SIZE: f64 = 1e-100;

/// The step of one-sided slopes, as a fraction of the argument or of 1: near the square root of the machine epsilon, which
/// loses fewest digits.
const ONE_SIDED_STEP: f64 = 1e-7;

/// A slope, its error bound, and the slopes on both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeEstimate {
    pub(super) value: f64,
    pub(super) error: f64,
    pub(super) right: f64,
    pub(super) left: f64,
}

/// The best slope from steps that begin with `start`, and its error bound.
#[derive(Clone, Copy, Debug)]
struct StepEstimate {
    start: f64,
    value: f64,
    error: f64,
}

/// The root as a function of one number, the argument: as it changes, some slots move.
pub(super) struct MovedFunction {
    plan: Plan,
    /// The argument at which the slope is wanted.
    argument: f64,
    /// The moves, each with the data of its slot before it.
    moved: Vec<(Move, f64)>,
    /// The root's data before any move.
    unmoved_root: f64,
    /// The rounding error of the root: of the errors of all computed nodes, each times the node's grad, the root of the
    /// sum of squares.
    rounding: f64,
}

impl MovedFunction {
    pub(super) fn of(root: &Rc<Node>, order: &Order, grads: &[f64]) -> MovedFunction {
        let computed = order.nodes().iter().zip(grads);
        // Errors of rounding have either sign, so their squares add up. Here each is divided by the machine epsilon.
        let squared_errors = computed
            .filter(|(node, _)| !node.is_leaf())
            .map(|(node, grad)| (grad * node.data()).powi(2))
            .filter(|square| square.is_finite());
        let size = squared_errors.sum::<f64>().sqrt().max(root.data().abs());
        MovedFunction {
            plan: Plan::of(root),
            argument: 0.0,
            moved: Vec::new(),
            unmoved_root: root.data(),
            rounding: f64::EPSILON * size,
        }
    }

    /// Returns the slope at an argument with which these slots move.
    pub(super) fn slope_along(&mut self, argument: f64, moves: &[Move]) -> SlopeEstimate {
        let data = self.plan.data();
        let moved = moves.iter().map(|it| (*it, data[it.slot]));
        self.moved = moved.collect();
        self.argument = argument;
        let best = self.best_slope();
        let h = ONE_SIDED_STEP * argument.abs().max(1.0);
        let slope = SlopeEstimate {
            value: best.value,
            error: best.error.max(self.roughness(best.value)),
            right: self.one_sided_slope(h),
            left: self.one_sided_slope(-h),
        };
        // Gives the moved slots their data back, for the slope by the next node.
        self.value(argument);
        slope
    }

    /// Returns the root's data at an argument.
    fn value(&mut self, argument: f64) -> f64 {
        stop::check_before(self.plan.order().nodes().len());
        for (slot_move, before) in &self.moved {
            let data = before + slot_move.by * (argument - self.argument);
            self.plan.set(slot_move.slot, data);
        }
        // `forward` must not compute the only slot anew if it is an inner node. Of several slots it computes none: they
        // are leaves.
        if let Some((first, _)) = self.moved.first() {
            self.plan.forward(Some(first.slot));
        }
        self.plan.root_data()
    }

    /// Returns the slope with the smallest error. Tries several first steps, because a function may bend on the scale
    /// of its argument, of 1, or of less.
    fn best_slope(&mut self) -> StepEstimate {
        let size = self.argument.abs();
        let large = size.max(1.0);
        let mut best = self.slope_from(0.01);
        let mut tried = vec![best];
        for start in [0.01 * size, 0.01 * large, 1.0, 1e-5 * large] {
            if best.error <= SMALL_ERROR * best.value.abs() {
                break;
            }
            if start > 0.0 && start.is_finite() {
                let found = self.slope_from(start);
                if found.error < best.error {
                    best = found;
                }
                tried.push(found);
            }
        }
        // The slope over a step that is too long, such as many periods of a sine, is contradicted by a shorter step.
        let shorter = tried.iter().filter(|it| it.start < best.start);
        let contradictions =
            shorter.map(|it| (it.value - best.value).abs() - ERROR_FACTOR * it.error);
        let error = contradictions.fold(best.error, f64::max);
        StepEstimate { error, ..best }
    }

    /// Returns how far the finest possible differences contradict a slope, beyond what rounding explains. `sin` at 1e17
    /// looks flat from afar, although neighbouring values have nothing in common.
    fn roughness(&mut self, slope: f64) -> f64 {
        let finest = f64::EPSILON * self.argument.abs().max(LEAST_SIZE);
        let mut most = 0.0_f64;
        for h in [finest, 2.0 * finest, 4.0 * finest, 8.0 * finest] {
            let difference = (self.central_slope(h) - slope).abs();
            let unexplained = difference - ROUNDING_SLACK * self.rounding / h;
            if unexplained.is_finite() {
                most = most.max(unexplained);
            }
        }
        most
    }

    /// Extrapolates central differences with ever shorter steps, in a triangle (Ridders' method). The error of a
    /// central difference is a series in h², h⁴ and so on. With a step shorter by the factor s,
    /// `(s²·fine - coarse)/(s² - 1)` is without the part in h²; the next column, with s⁴, is without that in h⁴. So the
    /// `factor` of a column is s², s⁴, s⁶.
    fn slope_from(&mut self, start: f64) -> StepEstimate {
        let mut h = start;
        let mut last_row = [0.0; MOST_STEPS];
        let mut best = StepEstimate {
            start,
            value: f64::NAN,
            error: f64::INFINITY,
        };
        for step in 0..MOST_STEPS {
            let mut row = [0.0; MOST_STEPS];
            row[0] = self.central_slope(h);
            let mut factor = SHRINK * SHRINK;
            for column in 0..step {
                let (fine, coarse) = (row[column], last_row[column]);
                let value = (fine * factor - coarse) / (factor - 1.0);
                // Two values may agree by chance, so the error is at least that of rounding.
                let change = (value - fine).abs().max((value - coarse).abs());
                let error = change.max(self.rounding / h);
                if value.is_finite() && error < best.error {
                    (best.value, best.error) = (value, error);
                }
                row[column + 1] = value;
                factor *= SHRINK * SHRINK;
            }
            if best.error < SMALL_ERROR * best.value.abs() {
                break;
            }
            last_row = row;
            h /= SHRINK;
        }
        best
    }

    /// Returns the change of the argument by this step, after the sum is rounded.
    fn real_step(&self, by: f64) -> f64 {
        (self.argument + by) - self.argument
    }

    fn central_slope(&mut self, h: f64) -> f64 {
        let span = self.real_step(h) - self.real_step(-h);
        (self.value(self.argument + h) - self.value(self.argument - h)) / span
    }

    fn one_sided_slope(&mut self, h: f64) -> f64 {
        (self.value(self.argument + h) - self.unmoved_root) / self.real_step(h)
    }
}

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
