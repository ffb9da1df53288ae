//! `:check`: every gradient against differences. Nothing is changed: it works on a plan.
//!
//! The slope is extrapolated from central differences over shrinking steps, with an estimate of its own error (Ridders'
//! method), so that a step need not be guessed. Where the two disagree, the one-sided slopes and the rows of the
//! operations tell whether it is a kink, a point where there is no number, or an error.

use std::rc::Rc;

use super::Session;
use super::error::Error;
use crate::graph::backward::gradients;
use crate::graph::{Node, Order, Plan};

/// One gradient and the slope beside it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The node.
    pub node: Rc<Node>,
    /// Its gradient.
    pub grad: f64,
    /// The slope.
    pub difference: f64,
    /// How far they are apart, relative to the larger one.
    pub error: f64,
    /// What to think of it.
    pub verdict: Verdict,
    /// The node at which a convention or a missing number decides, with the reason.
    pub because: Option<(Rc<Node>, String)>,
}

/// What to think of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The slope is the gradient.
    Ok,
    /// There are two slopes, and the gradient is the one agreed on, between them.
    Kink,
    /// The slope grows without end, as the gradient says.
    Infinite,
    /// There is no number to compare.
    NotANumber,
    /// The slope cannot be told well enough: the function is too rough or too steep here.
    Unclear,
    /// They differ.
    Wrong,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Kink => "kink",
            Verdict::Infinite => "infinite",
            Verdict::NotANumber => "no number",
            Verdict::Unclear => "unclear",
            Verdict::Wrong => "wrong",
        }
    }

    /// Is the gradient as it should be?
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Ok | Verdict::Kink | Verdict::Infinite)
    }
}

/// How far gradient and slope may be apart, relative to the larger.
const TOLERANCE: f64 = 1e-6;
/// How many steps are tried, each `SHRINK` times smaller than the one before.
const STEPS: usize = 12;
const SHRINK: f64 = 2.0;

/// The root's data as a function of one node's.
struct Line {
    plan: Plan,
    place: usize,
    at: f64,
    /// The root's data at the point itself.
    here: f64,
}

impl Line {
    fn value(&mut self, by: f64) -> f64 {
        self.plan.set(self.place, self.at + by);
        self.plan.forward_but(self.place);
        self.plan.root_data()
    }

    /// What is bumped is changed by exactly this much: the sum may round.
    fn moved(&self, by: f64) -> f64 {
        (self.at + by) - self.at
    }

    fn central(&mut self, h: f64) -> f64 {
        let span = self.moved(h) - self.moved(-h);
        (self.value(h) - self.value(-h)) / span
    }

    fn one_sided(&mut self, h: f64) -> f64 {
        let here = self.value(0.0);
        (self.value(h) - here) / self.moved(h)
    }

    /// The slope and how far it may be off. A function may bend on the scale of what is bumped, or of 1, or of less.
    fn slope(&mut self) -> (f64, f64) {
        let size = self.at.abs();
        let starts = [0.01 * size.max(1.0), 0.01, 0.01 * size, 1e-5 * size];
        let tried = starts
            .into_iter()
            .filter(|start| *start > 0.0 && start.is_finite());
        let found: Vec<(f64, f64)> = tried.map(|start| self.slope_from(start)).collect();
        let best = found
            .into_iter()
            .min_by(|one, other| one.1.total_cmp(&other.1));
        best.unwrap_or((f64::NAN, f64::INFINITY))
    }

    /// Differences over steps from `h` on, and what they tend to: the best of a triangle of extrapolations.
    fn slope_from(&mut self, mut h: f64) -> (f64, f64) {
        let mut above: Vec<f64> = Vec::new();
        let mut best = (f64::NAN, f64::INFINITY);
        for _ in 0..STEPS {
            let mut row = vec![self.central(h)];
            let mut factor = SHRINK * SHRINK;
            for (place, coarse) in above.iter().enumerate() {
                let fine = row[place];
                let next = (fine * factor - coarse) / (factor - 1.0);
                // Agreement by chance is no better than what rounding leaves.
                let rounding = f64::EPSILON * self.here.abs() / h;
                let off = (next - fine).abs().max((next - coarse).abs()).max(rounding);
                if next.is_finite() && off < best.1 {
                    best = (next, off);
                }
                row.push(next);
                factor *= SHRINK * SHRINK;
            }
            above = row;
            h /= SHRINK;
        }
        best
    }
}

impl Session {
    /// Checks the gradients of a root by some of the nodes below it.
    pub fn check(&self, root: &Rc<Node>, nodes: &[Rc<Node>]) -> Result<Vec<Checked>, Error> {
        let order = Order::below([root]);
        let grads = gradients(&order, root, |_| {});
        let because = reason(&order);
        let mut plan = Plan::of(root);
        let mut checked = Vec::with_capacity(nodes.len());
        for node in nodes {
            if self.host.stop() {
                return Err(Error::Interrupted);
            }
            let Some(place) = order.position(node) else {
                checked.push(judged(node, 0.0, (0.0, 0.0), (0.0, 0.0), None));
                continue;
            };
            let mut line = Line {
                plan,
                place,
                at: node.data(),
                here: root.data(),
            };
            let slope = line.slope();
            let h = 1e-7 * node.data().abs().max(1.0);
            let sides = (line.one_sided(h), line.one_sided(-h));
            line.value(0.0);
            plan = line.plan;
            checked.push(judged(node, grads[place], slope, sides, because.as_ref()));
        }
        Ok(checked)
    }
}

fn judged(
    node: &Rc<Node>,
    grad: f64,
    (slope, off): (f64, f64),
    sides: (f64, f64),
    because: Option<&(Rc<Node>, String)>,
) -> Checked {
    let size = grad.abs().max(slope.abs());
    let apart = (grad - slope).abs();
    let error = if grad == slope { 0.0 } else { apart / size };
    // What a difference can see: not more than its own error, as long as that is small beside 1 or beside the slope.
    let agrees = error <= TOLERANCE || apart <= 10.0 * off && off <= 1e-6 * size.max(1e-3);
    let differ = (sides.0 - sides.1).abs() > 1e-3 * sides.0.abs().max(sides.1.abs()).max(1e-6);
    let between = sides.0.min(sides.1) - 1e-6 <= grad && grad <= sides.0.max(sides.1) + 1e-6;
    let verdict = if grad.is_nan() || node.data().is_nan() {
        Verdict::NotANumber
    } else if grad.is_infinite() {
        // On the way to an infinite slope the difference grows as the step shrinks.
        let steep = sides.0.abs().max(sides.1.abs()) > 1e3 || sides.0.is_nan() || sides.1.is_nan();
        if steep {
            Verdict::Infinite
        } else {
            Verdict::Wrong
        }
    } else if differ && between && because.is_some() {
        Verdict::Kink
    } else if agrees {
        Verdict::Ok
    } else if slope.is_nan() || off > 1e-3 * size {
        Verdict::Unclear
    } else {
        Verdict::Wrong
    };
    Checked {
        node: Rc::clone(node),
        grad,
        difference: slope,
        error,
        verdict,
        because: because.filter(|_| verdict != Verdict::Ok).cloned(),
    }
}

/// The first node, operands first, at which a convention is taken or that has no number.
fn reason(order: &Order) -> Option<(Rc<Node>, String)> {
    for node in order.nodes().iter().rev() {
        let Some(op) = node.op() else { continue };
        let values: Vec<f64> = node
            .operands()
            .iter()
            .map(|operand| operand.data())
            .collect();
        if let Some(kink) = op.kinks.iter().find(|kink| (kink.holds)(&values)) {
            return Some((Rc::clone(node), format!("{}: {}", kink.at, kink.convention)));
        }
        if !op.domain.contains(&values) {
            return Some((Rc::clone(node), "it is outside its domain".to_string()));
        }
    }
    None
}
