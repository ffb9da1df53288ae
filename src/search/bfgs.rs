//! Descends to a point where all slopes of a function are 0, from values and gradients: the method of Broyden, Fletcher,
//! Goldfarb and Shanno, with limited memory (L-BFGS). `penalties` calls it, for targets with and without constraints.
//!
//! The curvature along the last steps gives the next direction. The line search halves or doubles a step until the
//! conditions of Armijo and Wolfe hold: the function has fallen, and its slope has flattened. The method also works on
//! functions that are not smooth (Lewis and Overton), so it finds minima at kinks, too.

use std::collections::VecDeque;

use super::linear::{add_multiple, dot, norm};

/// The kind of point at which a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointKind {
    /// All slopes are small, and the function curves up in each direction.
    Minimum,
    /// All slopes are small, and second derivatives do not show a minimum: a saddle, or flat in some direction.
    Flat,
    /// An operation has a kink at the point: its slope jumps, or is a convention.
    Kink,
    /// Beyond the point the function or a slope is not finite.
    Edge,
    /// The function falls without end.
    Endless,
    /// Slopes remain: the host stopped the search, its passes are used up, or rounding hides the way down.
    Stopped,
}

/// A point with the value and the slopes of a function there, and those of the constraints if it has some.
#[derive(Clone, Debug)]
pub(crate) struct SearchPoint {
    pub(crate) x: Vec<f64>,
    pub(crate) value: f64,
    pub(crate) slopes: Vec<f64>,
    /// The excess of each constraint: 0 if the constraint just holds, and below 0 if an inequality holds with room to
    /// spare.
    pub(crate) excess: Vec<f64>,
    /// The excess of each constraint that does not hold, and 0 for the others.
    pub(crate) missing: Vec<f64>,
    /// The slopes of each excess that are not 0, each with the index of its leaf.
    pub(crate) excess_slopes: Vec<Vec<(usize, f64)>>,
}

/// Returns the largest of these numbers in absolute value; NaN if one of them is.
pub(crate) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let sizes = numbers.into_iter().map(f64::abs);
    sizes.max_by(f64::total_cmp).unwrap_or(0.0)
}

impl SearchPoint {
    /// Adds the slopes of the constraints, each times its multiplier, to those of the function.
    pub(crate) fn balance(mut self, multipliers: &[f64]) -> SearchPoint {
        for (multiplier, excess_slopes) in multipliers.iter().zip(&self.excess_slopes) {
            for (leaf, slope) in excess_slopes {
                self.slopes[*leaf] += multiplier * slope;
            }
        }
        self
    }

    /// Returns the largest slope, in absolute value.
    pub(crate) fn steepest(&self) -> f64 {
        largest(self.slopes.iter().copied())
    }

    /// Returns whether all slopes are at most this fraction of 1 + |value|. Far away a function such as 1/x has small
    /// slopes, too, but is not level, because it still changes with the size of an unknown.
    pub(crate) fn is_level(&self, tolerance: f64) -> bool {
        let size = 1.0 + self.value.abs();
        let relative_slopes = self.slopes.iter().zip(&self.x).map(|(slope, x)| slope * x);
        self.steepest() <= tolerance * size
            && largest(relative_slopes) <= MOST_RELATIVE_SLOPE * size
    }

    pub(crate) fn is_finite(&self) -> bool {
        let mut numbers = self.x.iter().chain(&self.slopes);
        self.value.is_finite() && numbers.all(|number| number.is_finite())
    }
}

/// `gtol`: slopes below this fraction of 1 + |value| are 0. Values are exact to about 1e-16, so near a minimum slopes can
/// be told from 0 down to about the square root, 1e-8; exact derivatives gain some digits.
pub(crate) const GTOL: f64 = 1e-10;
/// A function that changes by more than this part of 1 + |value| when an unknown changes by its own size is not level.
const MOST_RELATIVE_SLOPE: f64 = 0.1;
/// Armijo's condition: a step is good if the function falls by this fraction of the fall that the slope promises (the
/// usual 1e-4).
const ARMIJO: f64 = 1e-4;
/// Wolfe's condition on curvature: the slope must have flattened to this fraction (the usual 0.9 of quasi-Newton methods).
const WOLFE: f64 = 0.9;
/// The number of last steps that tell the curvature. 5 to 20 are usual; more cost little beside a pass.
const MEMORY: usize = 40;
/// The most lengths that are tried along a direction: as many halvings lead below the rounding of any point.
const MOST_LENGTHS: usize = 100;
/// The first length, as a part of the size of the point, while no curvature is known.
const FIRST_LENGTH: f64 = 0.1;
/// `ftol`: a difference below this part of a value is lost in rounding. It is some 50 times the machine epsilon.
const FTOL: f64 = 1e-14;
/// The descent ends after more steps than this that neither fall nor flatten.
const MOST_IDLE_STEPS: usize = 30;
/// A step flattens the function if its largest slope is below this fraction of the smallest one so far.
const FLATTENING: f64 = 0.5;
/// Beyond this many times the size of the start, the function counts as unbounded below. It leaves room for squares,
/// which are finite up to 1e308.
const ENDLESS_SIZES: f64 = 1e100;
/// `obstacle` looks this far beyond the last point, as parts of its size: so near that a smooth function is a line, and
/// so far that its changes are no rounding.
const BEYOND: [f64; 2] = [1e-6, 1e-9];

/// Descends from `start`, where value and gradient are finite, until the slopes are 0 up to this tolerance: then the
/// verdict is that the point is flat. Asks `watch` after each evaluation but the first whether to go on.
///
/// The last curvature sets the scale of a direction, or the oldest one if `must_use_oldest`. Across kinks the curvature grows
/// without end, and by the last one the steps may end above a minimum. So a descent that has ended at a kink begins again
/// by the oldest one, and the lower point counts.
pub(crate) fn descend(
    function: &mut impl FnMut(Vec<f64>) -> SearchPoint,
    start: &[f64],
    tolerance: f64,
    must_use_oldest: bool,
    watch: &mut impl FnMut(&SearchPoint) -> bool,
) -> (SearchPoint, PointKind) {
    let mut here = function(start.to_vec());
    let (height, size) = (1.0 + here.value.abs(), 1.0 + norm(start));
    let has_gone = |point: &SearchPoint, times: f64| {
        point.value < -times * height || norm(&point.x) > times * size
    };
    let mut memory: VecDeque<Curvature> = VecDeque::new();
    let (mut idle_steps, mut flattest) = (0, here.steepest());
    let mut is_stuck = false;
    loop {
        if here.is_level(tolerance) {
            return (here, PointKind::Flat);
        }
        if has_gone(&here, ENDLESS_SIZES) {
            return (here, PointKind::Endless);
        }
        if !watch(&here) {
            return (here, PointKind::Stopped);
        }
        if is_stuck || idle_steps > MOST_IDLE_STEPS {
            // A function without end may depend on further unknowns so little that rounding hides them, and then nothing
            // leads down.
            let verdict = match obstacle(function, &here) {
                PointKind::Stopped if has_gone(&here, 1.0 / FTOL) => PointKind::Endless,
                other => other,
            };
            let is_first = verdict == PointKind::Kink && !must_use_oldest;
            let again = is_first.then(|| descend(function, start, tolerance, true, watch));
            let lower = again.filter(|(end, _)| end.value < here.value);
            return lower.unwrap_or((here, verdict));
        }
        let direction = downhill(&mut memory, &here.slopes, must_use_oldest);
        // A direction from curvatures has a length; the first one has none.
        let own_length = (!memory.is_empty()).then_some(1.0);
        let first_length = own_length.unwrap_or_else(|| cautious_length(&here, &direction));
        match line_search(function, &here, &direction, first_length, watch) {
            Some(next) => {
                memory.extend(curvature(&here, &next));
                if memory.len() > MEMORY {
                    memory.pop_front();
                }
                let falls = next.value < here.value - FTOL * here.value.abs();
                // Near the end rounding moves slopes up and down, so all slopes before count.
                let flattens = next.steepest() < FLATTENING * flattest;
                idle_steps = if falls || flattens { 0 } else { idle_steps + 1 };
                flattest = flattest.min(next.steepest());
                here = next;
            }
            None if memory.is_empty() => is_stuck = true,
            // The curvature may mislead if the function is not smooth.
            None => memory.clear(),
        }
    }
}

/// Returns the first length to try along a direction whose length says nothing: a fraction of the size of the point, no
/// longer than the direction, and long enough to move the point at all.
fn cautious_length(here: &SearchPoint, direction: &[f64]) -> f64 {
    let size = norm(&here.x);
    let least = f64::EPSILON * size / norm(direction);
    let length = FIRST_LENGTH * f64::max(size, 1.0) / norm(direction);
    length.min(1.0).max(least)
}

/// Searches along a direction for a point at which the conditions of Armijo and Wolfe hold. If there is none, returns the
/// lowest point at which the condition of Armijo holds.
fn line_search(
    function: &mut impl FnMut(Vec<f64>) -> SearchPoint,
    here: &SearchPoint,
    direction: &[f64],
    first_length: f64,
    watch: &mut impl FnMut(&SearchPoint) -> bool,
) -> Option<SearchPoint> {
    let slope = dot(direction, &here.slopes);
    let mut length = first_length;
    let (mut too_short, mut too_long) = (0.0, f64::INFINITY);
    let mut lowest: Option<SearchPoint> = None;
    for attempt in 0..MOST_LENGTHS {
        let point = beyond(&here.x, direction, length);
        if point == here.x || attempt > 0 && !watch(here) {
            break;
        }
        let there = function(point);
        let slope_there = dot(direction, &there.slopes);
        let has_fallen = there.value <= here.value + ARMIJO * length * slope;
        // Near the end values differ only by rounding, and the slopes decide.
        let has_flattened = there.value <= here.value + FTOL * here.value.abs()
            && slope_there.abs() <= WOLFE * -slope;
        if !there.is_finite() || !(has_fallen || has_flattened) {
            too_long = length;
        } else if slope_there < WOLFE * slope {
            too_short = length;
            // Of points with equal values the first one stays.
            lowest = lowest.filter(|it| it.value <= there.value).or(Some(there));
        } else {
            return Some(there);
        }
        length = if too_long.is_finite() {
            f64::midpoint(too_short, too_long)
        } else {
            2.0 * length
        };
    }
    // At a kink and at an edge the slope never flattens.
    lowest.filter(|lowest| lowest.value < here.value)
}

/// Returns the point that is `length` times the direction away.
fn beyond(point: &[f64], direction: &[f64], length: f64) -> Vec<f64> {
    let parts = point.iter().zip(direction);
    parts.map(|(x, part)| x + length * part).collect()
}

/// Finds why no step leads down from a point with slopes. Beyond it the function is not defined (an edge), has a pole, or
/// has a slope that jumps (a kink). Otherwise rounding hides the way.
fn obstacle(function: &mut impl FnMut(Vec<f64>) -> SearchPoint, here: &SearchPoint) -> PointKind {
    let steepness = norm(&here.slopes);
    let downhill: Vec<f64> = here.slopes.iter().map(|slope| -slope / steepness).collect();
    let lengths = BEYOND.map(|part| part * norm(&here.x).max(1.0));
    let points = lengths.map(|length| function(beyond(&here.x, &downhill, length)));
    if !points.iter().all(SearchPoint::is_finite) {
        return PointKind::Edge;
    }
    let [far_rise, near_rise] = points.each_ref().map(|there| there.value - here.value);
    let slope_change = |there: &SearchPoint| dot(&downhill, &there.slopes) + steepness;
    let [far_change, near_change] = points.each_ref().map(slope_change);
    // A smooth function rises, and its slope changes, in proportion to the distance. A pole and a jump do not depend on
    // the distance.
    if near_rise > 0.5 * far_rise && near_rise < steepness * lengths[1] {
        PointKind::Endless
    } else if near_change > 0.5 * far_change && far_change > 0.0 {
        PointKind::Kink
    } else {
        PointKind::Stopped
    }
}

/// A step, the change of the slopes over it, and the product of the two.
struct Curvature {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

/// Returns a direction downhill. Forgets the curvatures if they do not lead down.
fn downhill(memory: &mut VecDeque<Curvature>, slopes: &[f64], must_use_oldest: bool) -> Vec<f64> {
    let direction = quasi_newton_direction(memory, slopes, must_use_oldest);
    // A direction that is not a number does not lead down either.
    if dot(&direction, slopes) < 0.0 {
        return direction;
    }
    memory.clear();
    quasi_newton_direction(memory, slopes, must_use_oldest)
}

/// Returns the direction against the slopes, corrected by the curvatures: the two loops of L-BFGS (Nocedal).
fn quasi_newton_direction(
    memory: &VecDeque<Curvature>,
    slopes: &[f64],
    must_use_oldest: bool,
) -> Vec<f64> {
    let mut direction: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
    let mut alphas = Vec::with_capacity(memory.len());
    for past in memory.iter().rev() {
        let alpha = dot(&past.step, &direction) / past.product;
        add_multiple(&mut direction, -alpha, &past.change);
        alphas.push(alpha);
    }
    let setting_scale = if must_use_oldest {
        memory.front()
    } else {
        memory.back()
    };
    if let Some(past) = setting_scale {
        let scale = past.product / dot(&past.change, &past.change);
        for part in &mut direction {
            *part *= scale;
        }
    }
    for (past, alpha) in memory.iter().zip(alphas.into_iter().rev()) {
        let beta = dot(&past.change, &direction) / past.product;
        add_multiple(&mut direction, alpha - beta, &past.step);
    }
    direction
}

/// Returns the curvature along a step, if it is positive beyond rounding.
fn curvature(from: &SearchPoint, to: &SearchPoint) -> Option<Curvature> {
    let mut step = to.x.clone();
    add_multiple(&mut step, -1.0, &from.x);
    let mut change = to.slopes.clone();
    add_multiple(&mut change, -1.0, &from.slopes);
    let product = dot(&step, &change);
    // A NaN is not positive.
    let is_positive = product > f64::EPSILON * norm(&step) * norm(&change);
    is_positive.then_some(Curvature {
        step,
        change,
        product,
    })
}
