//! Second derivatives at a minimum: Newton's method for its last digits, and whether it is one.
//!
//! They are derivatives of nodes, as `grad()` builds them. Constraints that press take part with their multipliers (the
//! conditions of Karush, Kuhn and Tucker).

use std::rc::Rc;

use super::descent::{LEVEL, Verdict, largest};
use super::goal::Goal;
use super::linear::{Factors, eigenvalues, norm};
use super::penalties::{At, Penalised};
use crate::graph::{Jacobian, Node};
use crate::session::Session;
use crate::stop;

/// Up to so many leaves, and as many constraints that press, second derivatives are computed.
const FEW_LEAVES: usize = 60;
/// The most steps of Newton's method.
const STEPS: usize = 5;
/// They must become shorter at least to this part. To a flat point they go on for ever.
const SHORTER: f64 = 0.7;
/// Eigenvalues below this part of the largest count as 0.
const NO_CURVATURE: f64 = 1e-9;
/// What a step may add to the target, as a part of it: it is only rounding.
const RISE: f64 = 1e-14;
/// A step of less than this part of the way is rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// A step of less than this part of the way goes nowhere.
const SETTLED: f64 = 1e-6;

/// Finds the last digits of a point and of the multipliers, if they can be, and what second derivatives show: a minimum if
/// Newton's steps come to an end, beside the way from `start`, and of the curvatures within the constraints as many are
/// positive as there are leaves. A step may also lead over an edge. Otherwise it is not known.
pub(super) fn finish(
    session: &mut Session,
    goal: &Goal,
    model: &mut Penalised,
    point: &mut Vec<f64>,
    start: &[f64],
) -> Option<Verdict> {
    let presses =
        |place: &usize| goal.constraints[*place].is_equation || model.multipliers[*place] > 0.0;
    let pressing: Vec<usize> = (0..goal.constraints.len()).filter(presses).collect();
    let n = point.len();
    if n.max(pressing.len()) > FEW_LEAVES {
        return None;
    }
    let excesses = pressing
        .iter()
        .map(|&place| &goal.constraints[place].excess);
    let mut slopes: Vec<Rc<Node>> = Vec::new();
    for root in std::iter::once(&goal.target).chain(excesses) {
        slopes.extend(session.derivatives(root, &goal.leaves).ok()?);
    }
    let mut curves = Jacobian::of(&slopes, &goal.leaves);
    let (mut last, mut is_exact) = (f64::INFINITY, false);
    for _ in 0..STEPS {
        stop::ask_now();
        let here = model.at(point);
        curves.values(point);
        let system = System::of(&curves.rows(), &here, &model.multipliers, &pressing);
        let step = system.step();
        let parts = step.iter().zip(&system.units);
        let mut parts = parts.map(|(part, unit)| part / unit);
        let next = point.iter().zip(&mut parts).map(|(x, part)| x - part);
        let next: Vec<f64> = next.collect();
        let mut multipliers = model.multipliers.clone();
        for (&place, part) in pressing.iter().zip(parts) {
            multipliers[place] -= part;
        }
        let there = model.at(&next);
        // A point that was just outside of a constraint may have to rise to it.
        let missed = here.excess.iter().zip(&model.multipliers);
        let missed: f64 = missed.map(|(excess, press)| (excess * press).abs()).sum();
        let size = here.value.abs();
        let farthest = here.error(&model.multipliers).max(LEVEL * (1.0 + size));
        let is_no_worse = there.value <= here.value + 2.0 * missed + RISE * size
            && there.error(&multipliers) <= farthest;
        let way = point.iter().zip(start).zip(&system.units);
        let way = way.flat_map(|((x, from), unit)| [x * unit, (x - from) * unit]);
        let (length, way) = (norm(&step), norm(&way.collect::<Vec<f64>>()));
        let moved = norm(&step[..n]);
        let is_shorter = length > f64::EPSILON * way && length < SHORTER * last;
        if is_shorter && !is_exact && is_no_worse {
            (*point, model.multipliers, last) = (next, multipliers, length);
            // The system is linear in the multipliers: where the leaves stay, a further step only adds rounding to them.
            is_exact = moved <= ROUNDING * way;
            continue;
        }
        if moved > SETTLED * way {
            return None;
        }
        if !there.error(&multipliers).is_finite() {
            return Some(Verdict::Edge);
        }
        return (system.positive() >= n).then_some(Verdict::Minimum);
    }
    None
}

/// The matrix of Newton's method and what its step should bring to 0, in units of the unknowns.
struct System {
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// In these the curvatures of each leaf and the slopes of each constraint are close to 1: unknowns of any size count
    /// alike.
    units: Vec<f64>,
}

impl System {
    /// `curves` has the second derivatives of the target and of the constraints that press, one after the other.
    fn of(curves: &[f64], here: &At, multipliers: &[f64], pressing: &[usize]) -> System {
        let n = here.slopes.len();
        let size = n + pressing.len();
        let weights = pressing.iter().map(|&place| multipliers[place]);
        let weights: Vec<f64> = std::iter::once(1.0).chain(weights).collect();
        let curve = |at: usize| -> f64 {
            let each = weights.iter().zip(curves.chunks_exact(n * n));
            each.map(|(weight, curves)| weight * curves[at]).sum()
        };
        let entry = |row: usize, column: usize| {
            if row < n && column < n {
                f64::midpoint(curve(row * n + column), curve(column * n + row))
            } else {
                0.0
            }
        };
        let entries = (0..size * size).map(|at| entry(at / size, at % size));
        let mut matrix: Vec<f64> = entries.collect();
        for (row, &place) in (n..).zip(pressing) {
            for &(leaf, slope) in &here.excess_slopes[place] {
                matrix[row * size + leaf] = slope;
                matrix[leaf * size + row] = slope;
            }
        }
        let unit = |size: f64| Some(size).filter(|size| size.is_normal()).unwrap_or(1.0);
        let rows = || matrix.chunks_exact(size);
        // Slopes of a constraint may be far smaller or larger than curvatures, so that its unit follows those of leaves.
        let leaves = rows().take(n);
        let leaves = leaves.map(|row| unit(largest(row[..n].iter().copied()).sqrt()));
        let mut units: Vec<f64> = leaves.collect();
        for row in rows().skip(n) {
            let slopes = row.iter().zip(&units[..n]);
            units.push(unit(largest(slopes.map(|(slope, unit)| slope / unit))));
        }
        for (at, entry) in matrix.iter_mut().enumerate() {
            *entry = *entry / units[at / size] / units[at % size];
        }
        let excess = pressing.iter().map(|&place| here.excess[place]);
        let right = here.balance(multipliers).into_iter().chain(excess);
        System {
            right: right.zip(&units).map(|(part, unit)| part / unit).collect(),
            matrix,
            units,
        }
    }

    /// Newton's step, which is to be subtracted.
    fn step(&self) -> Vec<f64> {
        let factors = Factors::of(&self.matrix, self.units.len(), &self.right);
        factors.solve(factors.rank(NO_CURVATURE))
    }

    /// How many curvatures are positive.
    fn positive(&self) -> usize {
        let curvatures = eigenvalues(self.matrix.clone(), self.units.len());
        let least = NO_CURVATURE * largest(curvatures.iter().copied());
        curvatures.iter().filter(|one| **one > least).count()
    }
}
