//! Numerical differentiation with error bounds: of a whole function, and of a graph operation by operation.
//!
//! A slope is extrapolated from central differences over shrinking steps (Ridders' method), so no step has to be
//! guessed. For a whole function this takes some hundred passes for each leaf. For large graphs, each operand of each
//! operation is moved by itself, and the local slopes are multiplied and added from the root down, which takes time
//! proportional to the size of the graph for all leaves together. Neither way uses a derivative of a row.

use std::rc::Rc;

use super::{Verdict, verdict};
use crate::graph::{Node, Order, values};
use crate::ops::{Op, chain};
use crate::session::{Error, Host};

/// How many steps are tried, each `SHRINK` times smaller than the one before.
const STEPS: usize = 12;
const SHRINK: f64 = 2.0;

/// Once the relative error of a local slope is this small, no other steps are tried.
const ENOUGH: f64 = 1e-12;

/// The assumed error of an operation's value, in units in the last place.
const ULPS: f64 = 4.0;

/// How many operands are moved between two checks whether to stop.
const OPERANDS_PER_QUESTION: usize = 1 << 12;

/// A slope, its error bound, the slopes to the right and to the left, and the size of its largest contribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlopeEstimate {
    pub(crate) value: f64,
    pub(crate) off: f64,
    pub(crate) sides: (f64, f64),
    pub(crate) scale: f64,
}

/// A function of one number, to be differentiated.
pub(crate) struct BumpedFunction<F> {
    /// Where its slope is wanted.
    pub(crate) at: f64,
    /// Its value there.
    pub(crate) here: f64,
    /// The rounding error of its values.
    pub(crate) rounding: f64,
    /// The function.
    pub(crate) value: F,
}

impl<F: FnMut(f64) -> f64> BumpedFunction<F> {
    /// The slope. Several initial steps are tried, because a function may bend on the scale of its argument, of 1, or
    /// of less.
    pub(crate) fn slope(&mut self) -> SlopeEstimate {
        let size = self.at.abs();
        let starts = [0.01 * size.max(1.0), 0.01, 0.01 * size, 1e-5 * size];
        self.slope_over(&starts, 0.0)
    }

    /// The best slope found from these initial steps, ending early at a relative error of `enough`.
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

    /// How far the finest possible differences contradict a slope, beyond what rounding explains. `sin` at 1e17 looks
    /// flat from afar, although neighbouring values have nothing in common.
    fn roughness(&mut self, slope: f64) -> f64 {
        let finest = f64::EPSILON * self.at.abs().max(1e-100);
        let mut most = 0.0_f64;
        for h in [finest, 2.0 * finest, 4.0 * finest, 8.0 * finest] {
            let off = (self.central(h) - slope).abs() - 16.0 * self.rounding / h;
            most = most.max(if off.is_finite() { off } else { 0.0 });
        }
        most
    }

    /// Ridders' method: a triangle of extrapolations from central differences. Returns the best slope and its error
    /// bound.
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
                // Two values may agree by chance, so the error is at least the one by rounding.
                let off = (next - fine).abs().max((next - coarse).abs());
                let off = off.max(self.rounding / h);
                if next.is_finite() && off < best.1 {
                    best = (next, off);
                }
                row[place + 1] = next;
                factor *= SHRINK * SHRINK;
            }
            // Two steps in a row change nothing: the value depends on another operand (as in `max`).
            let idle = enough > 0.0 && turn > 0 && row[0] == 0.0 && above[0] == 0.0;
            if idle || best.1 < enough * best.0.abs() {
                break;
            }
            above = row;
            h /= SHRINK;
        }
        best
    }

    /// By how much the argument really changes, since the sum may be rounded.
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

/// The root's slope with respect to each node, composed of local slopes, in the order of the pass.
pub(crate) struct BySteps {
    /// The slope.
    pub(crate) slopes: Vec<f64>,
    /// The same, with the conventional derivative of each operation that is at a kink or at an infinite slope.
    pub(crate) agreed: Vec<f64>,
    /// The error bound of both.
    pub(crate) offs: Vec<f64>,
    /// The size of the largest contribution: contributions may cancel.
    pub(crate) scales: Vec<f64>,
    /// Whether there is a kink between the root and the node.
    pub(crate) kinked: Vec<bool>,
}

impl BySteps {
    /// Finds the local slopes of every operation below the first node of an order.
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
        let mut bumped = 0;
        for (place, node) in order.nodes().iter().enumerate() {
            let Some(op) = node.op() else { continue };
            let values = values(node.operands());
            let kink = op.kinks.iter().any(|kink| (kink.holds)(&values));
            let locals = node.locals();
            let beside = Beside::of(op, &values, node.data());
            for (position, operand) in node.operands().iter().enumerate() {
                let (mut few, moved) = beside.moved(position);
                bumped += few.len();
                if bumped > OPERANDS_PER_QUESTION {
                    bumped = 0;
                    if host.stop() {
                        return Err(Error::Interrupted);
                    }
                }
                if let Some(below) = order.position(operand).filter(|_| operand.varies()) {
                    let step = LocalSlope::of(op, (&mut few, moved), locals[position], kink);
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
        // Beyond a kink the slope may be 0 by convention, and the kink still counts.
        self.kinked[below] |= goes_on || counts && step.kink;
        self.offs[below] += times(agreed.abs(), step.off);
        self.offs[below] += times(self.offs[place], step.agreed.abs());
    }
}

/// The operands of an operation, of which one is moved. Where there may be any number of them, those before it and
/// those behind it are put together, so that a value costs the same however many there are.
struct Beside<'v> {
    values: &'v [f64],
    /// What the operands up to each place come to, and from each place on; empty if all are needed one by one.
    up_to: Vec<f64>,
    from: Vec<f64>,
}

impl<'v> Beside<'v> {
    fn of(op: &Op, values: &'v [f64], here: f64) -> Beside<'v> {
        let mut beside = Beside {
            values,
            up_to: Vec::new(),
            from: Vec::new(),
        };
        if op.arity().1.is_some() || values.len() <= 3 {
            return beside;
        }
        let add = |so_far: &mut Option<f64>, value: f64| {
            *so_far = Some(so_far.map_or(value, |so_far| op.value(&[so_far, value])));
            *so_far
        };
        let up_to: Vec<f64> = values.iter().copied().scan(None, add).collect();
        let mut from: Vec<f64> = values.iter().rev().copied().scan(None, add).collect();
        from.reverse();
        // A part of a product may overflow or vanish where the whole does not.
        let is_right = |all: f64| {
            all == here
                || all.is_nan() && here.is_nan()
                || op.adds() && all.is_finite()
                || (all - here).abs() <= 1e-9 * here.abs()
        };
        if is_right(up_to[values.len() - 1]) && is_right(from[0]) {
            (beside.up_to, beside.from) = (up_to, from);
        }
        beside
    }

    /// The operand at `position` with what is beside it, and its place there.
    fn moved(&self, position: usize) -> (Vec<f64>, usize) {
        if self.from.is_empty() {
            return (self.values.to_vec(), position);
        }
        let before = position.checked_sub(1).map(|last| self.up_to[last]);
        let behind = self.from.get(position + 1).copied();
        let place = usize::from(before.is_some());
        let few = before
            .into_iter()
            .chain([self.values[position]])
            .chain(behind);
        (few.collect(), place)
    }
}

/// The slope of an operation with respect to one operand.
#[derive(Clone, Copy)]
struct LocalSlope {
    slope: f64,
    agreed: f64,
    off: f64,
    kink: bool,
}

impl LocalSlope {
    /// `local` is what the row says, `kink` whether the operation is at one.
    fn of(
        op: &'static Op,
        (values, position): (&mut [f64], usize),
        local: f64,
        kink: bool,
    ) -> LocalSlope {
        let (at, here) = (values[position], op.value(values));
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
        // A small operand of a large sum shows only with a step of the sum's size.
        let large = 0.01 * here.abs();
        let starts = [0.01 * size.max(1.0), large, 0.01 * size, 1e-5 * size, 0.01];
        let found = curve.slope_over(&starts, ENOUGH);
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

/// A product in which an exact zero absorbs infinity and NaN.
fn times(one: f64, other: f64) -> f64 {
    if one == 0.0 || other == 0.0 {
        0.0
    } else {
        one * other
    }
}
