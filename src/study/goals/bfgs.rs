//! Descent to a point where all slopes of a function are 0, from values and gradients (Broyden, Fletcher, Goldfarb and
//! Shanno, with limited memory). `:minimize` calls it, and `penalties` for constraints.
//!
//! The curvature along the last steps gives the next direction. The line search halves or doubles a step until the
//! function has fallen and its slope has flattened. That needs no smoothness, so a kink is found too.

use std::collections::VecDeque;

use super::linear::{dot, norm};

/// What kind of point a search has ended at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointKind {
    /// All slopes are small, and the function curves up in each direction.
    Minimum,
    /// All slopes are small, and second derivatives do not show a minimum: a saddle, or flat in some direction.
    Flat,
    /// An operation has a kink there, where slopes jump or are a convention.
    Kink,
    /// Beyond it the function or a slope is not a number.
    Edge,
    /// The function falls without end.
    Endless,
    /// Slopes remain: the host stopped the search, the passes were used up, or rounding hides what leads down.
    Stopped,
}

/// A point with the value and the slopes of a function there, and those of the constraints if it has some.
#[derive(Clone, Debug)]
pub(crate) struct SearchPoint {
    pub(crate) x: Vec<f64>,
    pub(crate) value: f64,
    pub(crate) slopes: Vec<f64>,
    /// For each constraint how far it is from holding: 0 or, unless it is an equation, less where it holds.
    pub(super) excess: Vec<f64>,
    /// The excesses of constraints that do not hold, and 0 for those that do.
    pub(super) missing: Vec<f64>,
    /// The slopes of the excesses: for each the places of leaves, with the slope by each.
    pub(super) excess_slopes: Vec<Vec<(usize, f64)>>,
}

/// The largest of these numbers in absolute value; NaN if there is one.
pub(super) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let sizes = numbers.into_iter().map(f64::abs);
    sizes.max_by(f64::total_cmp).unwrap_or(0.0)
}

impl SearchPoint {
    /// Adds the slopes of the constraints, each times its factor, to those of the function.
    pub(super) fn balance(mut self, factors: &[f64]) -> SearchPoint {
        for (factor, excess) in factors.iter().zip(&self.excess_slopes) {
            for (leaf, part) in excess {
                self.slopes[*leaf] += factor * part;
            }
        }
        self
    }

    /// The largest slope, in absolute value.
    pub(super) fn steepest(&self) -> f64 {
        largest(self.slopes.iter().copied())
    }

    /// Whether all slopes are below this part of 1 + |value|. A function that still falls as an unknown moves away
    /// from 0 is not level, however large its value becomes.
    pub(super) fn is_level(&self, part: f64) -> bool {
        let size = 1.0 + self.value.abs();
        let outward = largest(self.slopes.iter().zip(&self.x).map(|(slope, x)| slope * x));
        self.steepest() <= part * size && outward <= OUTWARD * size
    }

    fn is_finite(&self) -> bool {
        let mut numbers = self.x.iter().chain(&self.slopes);
        self.value.is_finite() && numbers.all(|number| number.is_finite())
    }
}

/// Slopes are small below this part of 1 + |value|.
pub(super) const LEVEL: f64 = 1e-10;
/// A function that changes by more than this part when an unknown does by its own size is still on its way.
const OUTWARD: f64 = 0.1;
/// How many steps tell the curvature.
const STEPS_KEPT: usize = 40;
/// A step must fall by this part of what the slope promises.
const FALL: f64 = 1e-4;
/// And its slope must have flattened to this part.
const FLATTER: f64 = 0.9;
/// How often a step is halved or doubled.
const TRIES: usize = 100;
/// Below this part of a value a difference is lost in rounding.
const ROUNDING: f64 = 1e-14;
/// After more steps than this without an effect the descent ends.
const IDLE: usize = 30;
/// A function falls without end if its value or the point has gone this many times as far as the size of its start.
const ENDLESS: f64 = 1e100;
/// How far beyond the last point `obstacle` looks, as parts of the size of the point.
const BEYOND: [f64; 2] = [1e-6, 1e-9];

/// Descends from `start`, where value and gradient are finite, until it is level to this exactness: then the verdict is
/// that it is flat. Each evaluation after the first is announced to `watch`, which may stop the descent.
pub(super) fn descend(
    function: &mut impl FnMut(Vec<f64>) -> SearchPoint,
    start: &[f64],
    exactness: f64,
    watch: &mut impl FnMut(&SearchPoint) -> bool,
) -> (SearchPoint, PointKind) {
    let mut here = function(start.to_vec());
    let (height, size) = (1.0 + here.value.abs(), 1.0 + norm(start));
    let has_gone = |here: &SearchPoint, times: f64| {
        here.value < -times * height || norm(&here.x) > times * size
    };
    let mut steps: VecDeque<Curvature> = VecDeque::new();
    let (mut idle, mut flattest) = (0, here.steepest());
    loop {
        if here.is_level(exactness) {
            return (here, PointKind::Flat);
        }
        if has_gone(&here, ENDLESS) {
            return (here, PointKind::Endless);
        }
        if !watch(&here) {
            return (here, PointKind::Stopped);
        }
        if idle > IDLE {
            // What a function without end depends on besides is lost in rounding, and then nothing leads down.
            return match obstacle(function, &here) {
                PointKind::Stopped if has_gone(&here, 1.0 / ROUNDING) => (here, PointKind::Endless),
                verdict => (here, verdict),
            };
        }
        let mut direction = downhill(&steps, &here.slopes);
        // A direction that is not a number does not lead down either.
        let leads_down = dot(&direction, &here.slopes) < 0.0;
        if !leads_down {
            steps.clear();
            direction = downhill(&steps, &here.slopes);
        }
        match along(function, &here, &direction, steps.is_empty(), watch) {
            Some(next) => {
                steps.extend(curvature(&here, &next));
                if steps.len() > STEPS_KEPT {
                    steps.pop_front();
                }
                let falls = next.value < here.value - ROUNDING * here.value.abs();
                // Close to the end slopes go up and down with rounding, so the next one is compared with all before it.
                let flattens = next.steepest() < 0.5 * flattest;
                idle = if falls || flattens { 0 } else { idle + 1 };
                flattest = flattest.min(next.steepest());
                here = next;
            }
            None if steps.is_empty() => idle = IDLE + 1,
            // The curvature may mislead where the function is not smooth.
            None => steps.clear(),
        }
    }
}

/// Looks along a direction for a point where the function has fallen and flattened, or at least fallen.
fn along(
    function: &mut impl FnMut(Vec<f64>) -> SearchPoint,
    here: &SearchPoint,
    direction: &[f64],
    first: bool,
    watch: &mut impl FnMut(&SearchPoint) -> bool,
) -> Option<SearchPoint> {
    let slope = dot(direction, &here.slopes);
    let (mut short, mut long) = (0.0, f64::INFINITY);
    let size = norm(&here.x);
    // The first direction says nothing about the length.
    let mut length = if first {
        let least = f64::EPSILON * size / norm(direction);
        (0.1 * f64::max(size, 1.0) / norm(direction))
            .min(1.0)
            .max(least)
    } else {
        1.0
    };
    let mut lowest: Option<SearchPoint> = None;
    for attempt in 0..TRIES {
        let point = beyond(&here.x, direction, length);
        if point == here.x || attempt > 0 && !watch(here) {
            break;
        }
        let there = function(point);
        let reached = dot(direction, &there.slopes);
        let fallen = there.value <= here.value + FALL * length * slope;
        // Close to the end the values are equal but for rounding, and the slopes decide.
        let level = there.value <= here.value + ROUNDING * here.value.abs()
            && reached.abs() <= FLATTER * -slope;
        if !there.is_finite() || !(fallen || level) {
            long = length;
        } else if reached < FLATTER * slope {
            short = length;
            // The first of equal ones stays.
            lowest = lowest.filter(|it| it.value <= there.value).or(Some(there));
        } else {
            return Some(there);
        }
        length = if long.is_finite() {
            f64::midpoint(short, long)
        } else {
            2.0 * length
        };
    }
    // At a kink and at an edge the slope never flattens.
    lowest.filter(|lowest| lowest.value < here.value)
}

/// The point that is `length` times the direction away.
fn beyond(point: &[f64], direction: &[f64], length: f64) -> Vec<f64> {
    let parts = point.iter().zip(direction);
    parts.map(|(x, part)| x + length * part).collect()
}

/// Why no step leads down from a point with slopes: beyond it the function is not defined, or it has a pole there, or its
/// slope jumps, which does not depend on how far beyond. Otherwise rounding hides the way.
fn obstacle(function: &mut impl FnMut(Vec<f64>) -> SearchPoint, here: &SearchPoint) -> PointKind {
    let steep = norm(&here.slopes);
    let lengths = BEYOND.map(|part| part * norm(&here.x).max(1.0));
    let down: Vec<f64> = here.slopes.iter().map(|slope| -slope / steep).collect();
    let points = lengths.map(|length| function(beyond(&here.x, &down, length)));
    if !points.iter().all(SearchPoint::is_finite) {
        return PointKind::Edge;
    }
    let [(far_rise, far_jump), (rise, jump)] = points.map(|there| {
        let jump = dot(&down, &there.slopes) + steep;
        (there.value - here.value, jump)
    });
    if rise > 0.5 * far_rise && rise < steep * lengths[1] {
        PointKind::Endless
    } else if jump > 0.5 * far_jump && far_jump > 0.0 {
        PointKind::Kink
    } else {
        PointKind::Stopped
    }
}

/// A step and how the slopes changed over it.
struct Curvature {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

/// The direction downhill, by what the last steps have shown of the curvature.
fn downhill(steps: &VecDeque<Curvature>, slopes: &[f64]) -> Vec<f64> {
    let mut direction: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
    let mut parts = Vec::with_capacity(steps.len());
    for past in steps.iter().rev() {
        let part = dot(&past.step, &direction) / past.product;
        add(&mut direction, -part, &past.change);
        parts.push(part);
    }
    if let Some(last) = steps.back() {
        let scale = last.product / dot(&last.change, &last.change);
        for part in &mut direction {
            *part *= scale;
        }
    }
    for (past, part) in steps.iter().zip(parts.into_iter().rev()) {
        let back = dot(&past.change, &direction) / past.product;
        add(&mut direction, part - back, &past.step);
    }
    direction
}

/// What a step has shown of the curvature, if anything.
fn curvature(from: &SearchPoint, to: &SearchPoint) -> Option<Curvature> {
    let mut step = to.x.clone();
    add(&mut step, -1.0, &from.x);
    let mut change = to.slopes.clone();
    add(&mut change, -1.0, &from.slopes);
    let product = dot(&step, &change);
    // A product that is not a number tells nothing either.
    let tells = product > f64::EPSILON * norm(&step) * norm(&change);
    tells.then_some(Curvature {
        step,
        change,
        product,
    })
}

/// Adds a multiple of a vector.
fn add(to: &mut [f64], factor: f64, vector: &[f64]) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += factor * part;
    }
}
