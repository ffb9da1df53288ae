//! Slopes by differences, with a bound on their own error: of a whole function, and of a graph operation by operation.
//!
//! A slope is extrapolated from central differences over shrinking steps (Ridders' method), so that a step need not be
//! guessed. One of a whole function costs some hundred passes for each leaf. Beyond that each operation is bumped by
//! itself, one operand at a time, and the slopes are multiplied and added from the root down: the cost of all leaves
//! together is that of the graph. Either way no derivative of a row is believed.

use std::rc::Rc;

use super::{Verdict, verdict};
use crate::graph::{Node, Order};
use crate::ops::{Op, chain};
use crate::session::Error;
use crate::session::Host;

/// How many steps are tried, each `SHRINK` times smaller than the one before.
const STEPS: usize = 12;
const SHRINK: f64 = 2.0;

/// The slope of an operation that is known so well is not looked for with other steps.
const ENOUGH: f64 = 1e-12;

/// Values of operations are right to so many units in the last place.
const ULPS: f64 = 4.0;

/// Of an operation with more operands it is asked oftener whether to stop.
const OPERANDS_PER_QUESTION: usize = 1 << 12;

/// A slope, how far it may be off, the slopes to the right and to the left, and the size of what it was summed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlopeEstimate {
    pub(crate) value: f64,
    pub(crate) off: f64,
    pub(crate) sides: (f64, f64),
    pub(crate) scale: f64,
}

/// A function of one number.
pub(crate) struct BumpedFunction<F> {
    /// Where its slope is wanted.
    pub(crate) at: f64,
    /// Its value there.
    pub(crate) here: f64,
    /// How far a value may be off by rounding.
    pub(crate) rounding: f64,
    /// The function.
    pub(crate) value: F,
}

impl<F: FnMut(f64) -> f64> BumpedFunction<F> {
    /// The slope. A function may bend on the scale of what is bumped, or of 1, or of less.
    pub(crate) fn slope(&mut self) -> SlopeEstimate {
        let size = self.at.abs();
        let starts = [0.01 * size.max(1.0), 0.01, 0.01 * size, 1e-5 * size];
        self.slope_over(&starts, 0.0)
    }

    /// The best slope that is found from these steps on; one that is relatively as good as `enough` will do.
    fn slope_over(&mut self, starts: &[f64], enough: f64) -> SlopeEstimate {
        let mut best = (f64::NAN, f64::INFINITY);
        for &start in starts {
            if start > 0.0 && start.is_finite() {
                let found = self.slope_from(start, enough);
                best = if found.1 < best.1 { found } else { best };
            }
            if best.1 <= enough * best.0.abs() {
                break;
            }
        }
        let h = 1e-7 * self.at.abs().max(1.0);
        SlopeEstimate {
            value: best.0,
            off: best.1.max(self.roughness(best.0)),
            sides: (self.one_sided(h), self.one_sided(-h)),
            scale: 0.0,
        }
    }

    /// How far the finest differences there are contradict a slope, more than rounding explains: `sin` at 1e17 looks flat
    /// from afar, since each of its values is as good as any other.
    fn roughness(&mut self, slope: f64) -> f64 {
        let finest = f64::EPSILON * self.at.abs().max(1e-100);
        let mut most = 0.0_f64;
        for h in [finest, 2.0 * finest, 4.0 * finest, 8.0 * finest] {
            let off = (self.central(h) - slope).abs() - 16.0 * self.rounding / h;
            most = most.max(if off.is_finite() { off } else { 0.0 });
        }
        most
    }

    /// Differences over steps from `h` on, and what they tend to: the best of a triangle of extrapolations.
    fn slope_from(&mut self, mut h: f64, enough: f64) -> (f64, f64) {
        let mut above = [0.0; STEPS];
        let mut best = (f64::NAN, f64::INFINITY);
        for turn in 0..STEPS {
            let mut row = [0.0; STEPS];
            row[0] = self.central(h);
            let mut factor = SHRINK * SHRINK;
            for place in 0..turn {
                let (fine, coarse) = (row[place], above[place]);
                let next = (fine * factor - coarse) / (factor - 1.0);
                // Agreement by chance is no better than what rounding leaves.
                let off = (next - fine).abs().max((next - coarse).abs());
                let off = off.max(self.rounding / h);
                if next.is_finite() && off < best.1 {
                    best = (next, off);
                }
                row[place + 1] = next;
                factor *= SHRINK * SHRINK;
            }
            // Two steps that change nothing at all: another operand decides.
            let idle = enough > 0.0 && turn > 0 && row[0] == 0.0 && above[0] == 0.0;
            if idle || best.1 < enough * best.0.abs() {
                break;
            }
            above = row;
            h /= SHRINK;
        }
        best
    }

    /// What is bumped is changed by exactly this much: the sum may round.
    fn moved(&self, by: f64) -> f64 {
        (self.at + by) - self.at
    }

    fn central(&mut self, h: f64) -> f64 {
        let span = self.moved(h) - self.moved(-h);
        ((self.value)(self.at + h) - (self.value)(self.at - h)) / span
    }

    fn one_sided(&mut self, h: f64) -> f64 {
        ((self.value)(self.at + h) - self.here) / self.moved(h)
    }
}

/// What the slopes of single operations say of the root's slope by each node, in the order of the pass.
pub(crate) struct BySteps {
    /// The slope.
    pub(crate) slopes: Vec<f64>,
    /// The same where each operation at a kink, or at an infinite slope, has the derivative agreed on.
    pub(crate) agreed: Vec<f64>,
    /// How far either may be off.
    pub(crate) offs: Vec<f64>,
    /// How large the largest contribution is: they may cancel.
    pub(crate) scales: Vec<f64>,
    /// Is there a kink on the way?
    pub(crate) kinked: Vec<bool>,
}

impl BySteps {
    /// Bumps every operation below the first node of an order.
    pub(crate) fn of(order: &Order, host: &dyn Host) -> Result<BySteps, Error> {
        let count = order.nodes().len();
        let zeros = || vec![0.0; count];
        let mut found = BySteps {
            slopes: zeros(),
            agreed: zeros(),
            offs: zeros(),
            scales: zeros(),
            kinked: vec![false; count],
        };
        if count > 0 {
            (found.slopes[0], found.agreed[0]) = (1.0, 1.0);
        }
        let mut values = Vec::new();
        let mut bumped = 0;
        for (place, node) in order.nodes().iter().enumerate() {
            let Some(op) = node.op() else { continue };
            values.clear();
            values.extend(node.operands().iter().map(|operand| operand.data()));
            for (position, operand) in node.operands().iter().enumerate() {
                bumped += values.len();
                if bumped > OPERANDS_PER_QUESTION {
                    bumped = 0;
                    if host.stop() {
                        return Err(Error::Interrupted);
                    }
                }
                if let Some(below) = order.position(operand).filter(|_| operand.varies()) {
                    let step = LocalSlope::of(op, node, position, &mut values);
                    found.pass_on(place, below, node, step);
                }
            }
        }
        Ok(found)
    }

    fn pass_on(&mut self, place: usize, below: usize, node: &Rc<Node>, step: LocalSlope) {
        let broken = || node.operands().iter().any(|below| below.data().is_nan());
        let (slope, agreed) = (self.slopes[place], self.agreed[place]);
        self.slopes[below] += times(slope, step.slope);
        let contribution = chain(agreed, step.agreed, node.data(), broken);
        self.agreed[below] += contribution;
        self.scales[below] = self.scales[below].max(contribution.abs());
        let counts = slope != 0.0 || agreed != 0.0;
        let goes_on = self.kinked[place] && (step.slope != 0.0 || step.agreed != 0.0);
        // Behind a kink the slope may be 0 by agreement.
        self.kinked[below] |= goes_on || counts && step.kink;
        self.offs[below] += times(agreed.abs(), step.off);
        self.offs[below] += times(self.offs[place], step.agreed.abs());
    }
}

/// What is known of an operation by one of its operands.
#[derive(Clone, Copy)]
struct LocalSlope {
    slope: f64,
    agreed: f64,
    off: f64,
    kink: bool,
}

impl LocalSlope {
    fn of(op: &'static Op, node: &Node, position: usize, values: &mut [f64]) -> LocalSlope {
        let (at, here) = (values[position], node.data());
        let kink = op.kinks.iter().any(|kink| (kink.holds)(values));
        let mut curve = BumpedFunction {
            at,
            here,
            rounding: ULPS * f64::EPSILON * here.abs(),
            value: |bumped: f64| {
                values[position] = bumped;
                op.value(values)
            },
        };
        let size = at.abs();
        // A small operand of a large sum is only seen with a step of the sum's size.
        let large = 0.01 * here.abs();
        let starts = [0.01 * size.max(1.0), large, 0.01 * size, 1e-5 * size, 0.01];
        let found = curve.slope_over(&starts, ENOUGH);
        values[position] = at;
        let local = node.local(position);
        let verdict = verdict(local, at, found, kink);
        let is_choice = matches!(verdict, Verdict::Kink | Verdict::Infinite);
        LocalSlope {
            slope: found.value,
            agreed: if is_choice { local } else { found.value },
            off: if is_choice { 0.0 } else { found.off },
            kink: verdict == Verdict::Kink,
        }
    }
}

/// Nothing times whatever is nothing.
fn times(one: f64, other: f64) -> f64 {
    if one == 0.0 || other == 0.0 {
        0.0
    } else {
        one * other
    }
}
