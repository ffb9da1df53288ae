//! Solves equations: finds leaves at which pairs of nodes are equal.
//!
//! Where the leaves already solve them, they stay. Otherwise least squares bring the sides together. For a single leaf, two
//! values at which the sides differ in opposite directions are looked for as well, nearer than what least squares have
//! found, and the interval is bisected. If nothing is found, the search begins again at multiples of the first point.

use std::rc::Rc;

use super::differences::Differences;
use super::goal::SearchWatch;
use super::least_squares::{NearestPoint, Residuals, SearchEnd, in_trust_region};
use super::linear::norm;
use chainrule_engine::graph::{Node, Plan};
use chainrule_stop as stop;

/// The most passes from one point, and of all searches. Where the sides only touch, each pass halves the distance.
const MOST_EACH: u64 = 80;
pub(crate) const MOST_PASSES: u64 = MOST_EACH * FACTORS.len() as u64;

/// Sides that differ by less than this part are equal.
const EQUAL: f64 = 1e-12;
/// Sides that differ by no more than this part of what they are computed from are equal but for rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// The first distance at which another value of a single leaf is tried, as a part of the first one, and how often the
/// distance is doubled.
const NEAR: f64 = 1e-3;
const DISTANCES: i32 = 200;

/// What the first point is multiplied by, in turn. A leaf that is 0 there becomes the factor without its
/// sign.
const FACTORS: [f64; 5] = [1.0, -1.0, 0.5, 2.0, 10.0];

/// Looks for data of the leaves at which all left sides are equal to the right ones, beginning at their present data,
/// where both sides are finite. There are as many leaves as equations, and each stays within its bounds, if some are
/// bounded. `watch` is called for each pass with the distance of the sides, and says whether to go on.
pub(crate) fn solve(
    [left, right]: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    bounds: Vec<(f64, f64)>,
    watch: SearchWatch,
) -> NearestPoint {
    // Each of several equations counts by the size of its right side, or of its left side where that is 0.
    let unit = |(left, right): (&Rc<Node>, &Rc<Node>)| {
        let sides = [right, left].map(|side| side.data().abs());
        let first = sides.into_iter().find(|side| *side > 0.0);
        first.filter(|_| leaves.len() > 1).unwrap_or(1.0)
    };
    let units = left.iter().zip(right).map(unit).collect();
    let mut differences = Differences::of(left, right, leaves, units, &[]);
    differences.bounds = bounds;
    // From here on only `watch` stops the search, so that the nearest point is kept.
    stop::run_to_end(|| {
        let mut first: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
        differences.clamp(&mut first);
        let mut nearest = NearestPoint::at(&mut differences, &first);
        let sides = [left, right];
        if is_solved(&mut differences, sides, leaves, &first) {
            return nearest;
        }
        let mut passes = 0;
        for factor in FACTORS {
            let multiple = |&x: &f64| match x {
                0.0 if factor != 1.0 => factor.abs(),
                _ => x * factor,
            };
            let mut point: Vec<f64> = first.iter().map(multiple).collect();
            differences.clamp(&mut point);
            let start = NearestPoint::at(&mut differences, &point);
            if !start.is_finite() {
                continue;
            }
            let mut stopped = false;
            let mut count = |pass: u64, distance: f64, point: &[f64]| {
                stopped = stopped || !watch(passes + pass, distance, point);
                !stopped
            };
            let mut found = in_trust_region(&mut differences, &start, 1.0, MOST_EACH, &mut count);
            let spent = found.passes;
            let mut solved = is_solved(&mut differences, sides, leaves, &found.point);
            if let &[x] = &point[..] {
                let distance = norm(&start.residuals);
                let mut go_on = || count(spent, distance, &point);
                let way = (found.point[0] - x).abs();
                let most = if solved { way } else { f64::INFINITY };
                if let Some(x) = between_sides(&mut differences, x, most, &mut go_on)
                    && is_solved(&mut differences, sides, leaves, &[x])
                {
                    found = NearestPoint::at(&mut differences, &[x]);
                    solved = true;
                }
            }
            passes += spent;
            if solved || norm(&found.residuals) <= norm(&nearest.residuals) {
                nearest = found;
            }
            nearest.passes = passes;
            if solved || stopped {
                nearest.end = if solved {
                    SearchEnd::Settled
                } else {
                    SearchEnd::Stopped
                };
                return nearest;
            }
        }
        let undetermined = nearest.undetermined_unknowns();
        let undetermined = undetermined.filter(|_| nearest.is_finite());
        nearest.end = undetermined.map_or(SearchEnd::Stuck, SearchEnd::Undetermined);
        nearest
    })
}

/// A value of a single leaf at which the sides of its equation come together. It bisects between two values at which
/// they differ in opposite directions, and finds these by doubling the distance from `start`, up to `most`. At a pole the
/// sides do not come together: none.
fn between_sides(
    differences: &mut Differences,
    start: f64,
    most: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<f64> {
    let unit = NEAR * start.abs().max(1.0);
    let mut off = |x: f64| {
        let mut point = [x];
        differences.clamp(&mut point);
        (point[0], differences.values(&point)[0])
    };
    let mut last = [off(start); 2];
    let distances = (0..DISTANCES).map(|doubling| unit * 2_f64.powi(doubling));
    for distance in distances.take_while(|distance| *distance < 2.0 * most) {
        for (side, sign) in last.iter_mut().zip([1.0, -1.0]) {
            let (mut one, mut other) = (*side, off(start + sign * distance.min(most)));
            if other.1.is_finite() {
                *side = other;
            }
            let before = one.1.abs().min(other.1.abs());
            while go_on() && other.1.signum() == -one.1.signum() {
                let middle = off(f64::midpoint(one.0, other.0));
                if middle.0 == one.0 || middle.0 == other.0 {
                    if other.1.abs() <= one.1.abs() {
                        one = other;
                    }
                    if one.1.abs() < before {
                        // Adding 0 makes a -0 a 0.
                        return Some(one.0 + 0.0);
                    }
                    break;
                }
                if middle.1.signum() == one.1.signum() {
                    one = middle;
                } else {
                    other = middle;
                }
            }
            if !go_on() {
                return None;
            }
        }
    }
    None
}

/// Whether a point solves the equations, as well as can be told with rounded numbers: the sides are equal to 12 digits,
/// or differ by no more than the rounding of what they are computed from.
fn is_solved(
    differences: &mut Differences,
    [left, right]: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    point: &[f64],
) -> bool {
    differences.values(point);
    let sides = differences.left.iter().zip(&differences.right);
    sides.enumerate().all(|(at, (one, other))| {
        let off = (one - other).abs();
        let size = one.abs().max(other.abs());
        let rounding = || {
            let terms = [&left[at], &right[at]].map(|side| size_of_terms(side, leaves, point));
            ROUNDING * (terms[0] + terms[1])
        };
        // A side that is infinite or NaN is equal to nothing.
        size.is_finite() && (off <= EQUAL * size || off <= rounding())
    })
}

/// The sum of the data of all nodes below one, each times its grad, at a point.
fn size_of_terms(node: &Rc<Node>, leaves: &[Rc<Node>], point: &[f64]) -> f64 {
    let mut plan = Plan::of(node);
    for (leaf, data) in leaves.iter().zip(point) {
        if let Some(slot) = plan.order().slot(leaf) {
            plan.set(slot, *data);
        }
    }
    plan.forward(None);
    plan.backward();
    let each = plan.data().iter().zip(plan.grads());
    each.map(|(data, grad)| (data * grad).abs()).sum()
}
