//! Solving equations: leaves at which pairs of nodes are equal.
//!
//! For a single leaf two values at which the sides differ to opposite directions are looked for, and halved. Otherwise
//! least squares bring the sides together. If that finds no solution, the search begins again at multiples of the first
//! point.

use std::rc::Rc;

use super::differences::Differences;
use super::least_squares::{
    NEGLIGIBLE, NearestPoint, SearchEnd, SearchWatch, in_trust_region, moved,
};
use super::linear::{dependence, norm};
use crate::graph::Node;
use crate::stop;

/// The most passes from one point, and of all searches.
const MOST_EACH: u64 = 40;
pub(crate) const MOST_PASSES: u64 = MOST_EACH * FACTORS.len() as u64;

/// Where a search ended.
#[derive(Debug)]
pub(crate) struct Solution {
    /// The data of the leaves.
    pub(crate) point: Vec<f64>,
    /// Left and right side of each equation there.
    pub(crate) sides: Vec<[f64; 2]>,
    pub(crate) passes: u64,
    pub(crate) end: SearchEnd,
}

/// Sides that differ by less than this part are equal.
const EQUAL: f64 = 1e-12;
/// How much larger the first leaf is at a point next to another.
const PERCENT: f64 = 0.03;
/// The first distance at which another value of a single leaf is tried, as a part of the first one, and how often the
/// distance is doubled.
const NEAR: f64 = 1e-3;
const DISTANCES: i32 = 200;
/// How often the way between two values is halved, at most.
const HALVINGS: u32 = 1_100;

/// What the first point is multiplied by, in turn. A leaf that is 0 there becomes the factor without its
/// sign.
const FACTORS: [f64; 5] = [1.0, -1.0, 0.5, 2.0, 10.0];

/// Looks for data of the leaves at which the equations hold, beginning at their present data, where both sides are
/// finite. There are as many leaves as equations. `watch` hears of each pass and of how far away it is, and says
/// whether to go on.
pub(crate) fn solve(
    equations: &[[Rc<Node>; 2]],
    leaves: &[Rc<Node>],
    watch: SearchWatch,
) -> Solution {
    let [left, right] = [0, 1].map(|side| -> Vec<Rc<Node>> {
        equations
            .iter()
            .map(|equation| Rc::clone(&equation[side]))
            .collect()
    });
    // Of several equations each counts by how large its right side is, or the left one where that is 0.
    let unit = |[left, right]: &[Rc<Node>; 2]| {
        let sides = [right, left].map(|side| side.data().abs());
        let first = sides.into_iter().find(|side| *side > 0.0);
        first.filter(|_| equations.len() > 1).unwrap_or(1.0)
    };
    let units = equations.iter().map(unit).collect();
    let mut differences = Differences::of(&left, &right, leaves, units);
    // From here on only `watch` stops the search, so that the nearest point is kept.
    stop::undisturbed(|| {
        let first: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
        let mut nearest = NearestPoint::at(&mut differences, &first);
        let (mut passes, mut end) = (0, SearchEnd::Stuck);
        for factor in FACTORS {
            let multiple = |&x: &f64| match x {
                0.0 if factor != 1.0 => factor.abs(),
                _ => x * factor,
            };
            let point: Vec<f64> = first.iter().map(multiple).collect();
            let start = NearestPoint::at(&mut differences, &point);
            if !start.is_finite() {
                continue;
            }
            let mut stopped = false;
            let mut count = |pass: u64, distance: f64| {
                stopped = stopped || !watch(passes + pass, distance);
                !stopped
            };
            let mut found = None;
            if let [x] = point[..] {
                let distance = norm(&start.residuals);
                found = between_sides(&mut differences, x, &mut || count(1, distance))
                    .map(|x| NearestPoint::at(&mut differences, &[x]))
                    .filter(|found| is_solved(&mut differences, &found.point));
            }
            let found = found.unwrap_or_else(|| {
                in_trust_region(&mut differences, &start, 1.0, MOST_EACH, &mut count)
            });
            passes += found.passes;
            let is_nearer = norm(&found.residuals) <= norm(&nearest.residuals);
            let solved = is_solved(&mut differences, &found.point);
            if solved || is_nearer {
                end = if solved {
                    SearchEnd::Settled
                } else {
                    not_solved(&mut differences, &found)
                };
                nearest = found;
            }
            if solved {
                break;
            }
            if stopped {
                end = SearchEnd::Stopped;
                break;
            }
        }
        differences.values(&nearest.point);
        Solution {
            sides: differences.sides(),
            point: nearest.point,
            passes,
            end,
        }
    })
}

/// Why the equations do not hold where a search ended.
fn not_solved(differences: &mut Differences, found: &NearestPoint) -> SearchEnd {
    let (units, factors) = found.factors();
    let rank = factors.rank(NEGLIGIBLE);
    if rank < units.len() {
        return SearchEnd::Undetermined(dependence(&factors, &units, rank));
    }
    let beyond = moved(&found.point, &factors.solve(rank), &units);
    let off = differences.values(&beyond);
    if off.iter().all(|off| off.is_finite()) {
        SearchEnd::Stuck
    } else {
        SearchEnd::AtEdge
    }
}

/// A value of a single leaf at which the sides of its equation come together: between two at which they differ to
/// opposite directions, found at distances from `start` that are doubled. At a pole the sides do not come together.
fn between_sides(
    differences: &mut Differences,
    start: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<f64> {
    let unit = NEAR * start.abs().max(1.0);
    let first = differences.values(&[start])[0];
    let mut last = [(start, first); 2];
    for doubling in 0..DISTANCES {
        for (side, sign) in last.iter_mut().zip([1.0, -1.0]) {
            if !go_on() {
                return None;
            }
            let x = start + sign * unit * 2_f64.powi(doubling);
            let off = differences.values(&[x])[0];
            if off.signum() == -side.1.signum() {
                let found = halved(differences, *side, (x, off), go_on);
                if found.is_some() {
                    return found;
                }
            }
            if off.is_finite() {
                *side = (x, off);
            }
        }
    }
    None
}

/// Where the sides come together between two values.
fn halved(
    differences: &mut Differences,
    mut one: (f64, f64),
    mut other: (f64, f64),
    go_on: &mut dyn FnMut() -> bool,
) -> Option<f64> {
    let before = one.1.abs().min(other.1.abs());
    for _ in 0..HALVINGS {
        let x = f64::midpoint(one.0, other.0);
        let off = differences.values(&[x])[0];
        if x == one.0 || x == other.0 || off.is_nan() || !go_on() {
            break;
        }
        if off.signum() == one.1.signum() {
            one = (x, off);
        } else {
            other = (x, off);
        }
    }
    let nearer = if one.1.abs() < other.1.abs() {
        one
    } else {
        other
    };
    // Adding 0 makes a -0 a 0.
    (nearer.1.abs() < before).then_some(nearer.0 + 0.0)
}

/// Whether a point solves the equations, as well as can be told with rounded numbers: the sides are equal to 12
/// digits, or differ by less than 1e-12 of what they do where each leaf is some percent larger.
fn is_solved(differences: &mut Differences, point: &[f64]) -> bool {
    let larger = point
        .iter()
        .zip(1..)
        .map(|(x, k)| x + PERCENT * x * f64::from(k));
    let off = |[left, right]: [f64; 2]| (left - right).abs();
    differences.values(&larger.collect::<Vec<f64>>());
    let around = differences.sides();
    differences.values(point);
    let mut each = differences.sides().into_iter().zip(around);
    each.all(|(now, around)| {
        let size = now[0].abs().max(now[1].abs());
        // A side that is infinite or NaN is equal to nothing.
        [size, off(around)]
            .iter()
            .any(|size| size.is_finite() && off(now) <= EQUAL * size)
    })
}
