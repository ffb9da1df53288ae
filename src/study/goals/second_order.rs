//! Second derivatives at a minimum: they give its last digits by Newton's method, and show whether it is one.
//!
//! They are derivatives of nodes, as `grad()` builds them. Active constraints take part with their multipliers (the
//! conditions of Karush, Kuhn and Tucker).

use super::bfgs::{LEVEL, PointKind, SearchPoint, largest};
use super::goal::{Goal, MinimumEquations};
use super::linear::{self, Factors, divide_columns, norm};
use super::penalties::Penalised;
use crate::session::Session;
use chainrule_stop as stop;

/// The most leaves, and the most active constraints, for which second derivatives are computed.
const FEW_LEAVES: usize = 60;
/// The most steps of Newton's method.
const STEPS: usize = 5;
/// Each step must be at most this part of the one before: towards a flat point, steps shrink too slowly to come to an
/// end.
const SHORTER: f64 = 0.7;
/// A curvature below this part of the largest counts as 0.
const ZERO_CURVATURE: f64 = 1e-9;
/// How much stiffer than the curvatures of the target the constraints are where curvatures are judged.
const STIFF: f64 = 1e6;
/// What a step may add to the target, as a part of it: it is only rounding.
const RISE: f64 = 1e-14;
/// A step of less than this part of the way is rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// A step of less than this part of the way goes nowhere.
const SETTLED: f64 = 1e-6;

/// Takes a few of Newton's steps from a point and its multipliers, and classifies where they end. `Minimum`: they came
/// to an end, and the curvatures within the constraints are positive. `Edge`: a step leaves the domain. None: unknown.
pub(super) fn finish(
    session: &mut Session,
    goal: &Goal,
    model: &mut Penalised,
    here: &mut SearchPoint,
    start: &[f64],
) -> Option<PointKind> {
    let active = goal.active(&model.multipliers);
    let n = here.x.len();
    if n.max(active.len()) > FEW_LEAVES {
        return None;
    }
    let mut equations = MinimumEquations::of(session, goal, active.clone(), &goal.leaves)?;
    let (mut last, mut is_exact) = (f64::INFINITY, false);
    for _ in 0..STEPS {
        stop::ask_now();
        let rows = equations.rows(&here.x, &model.multipliers);
        let system = System::of(&rows, here, &model.multipliers, &active);
        let step = system.step();
        let parts = divide_columns(&step, &system.units);
        let (of_leaves, of_multipliers) = parts.split_at(n);
        let next = here.x.iter().zip(of_leaves).map(|(x, part)| x - part);
        let mut multipliers = model.multipliers.clone();
        for (&place, part) in active.iter().zip(of_multipliers) {
            multipliers[place] -= part;
        }
        let there = model.at(next.collect());
        // A point that was just outside of a constraint may have to rise to it.
        let missed = here.excess.iter().zip(&model.multipliers);
        let missed: f64 = missed
            .map(|(excess, multiplier)| (excess * multiplier).abs())
            .sum();
        let size = here.value.abs();
        let farthest = error(here, &model.multipliers).max(LEVEL * (1.0 + size));
        let is_no_worse = there.value <= here.value + 2.0 * missed + RISE * size
            && error(&there, &multipliers) <= farthest;
        let way = here.x.iter().zip(start).zip(&system.units);
        let way = way.flat_map(|((x, from), unit)| [x * unit, (x - from) * unit]);
        let (length, way) = (norm(&step), norm(&way.collect::<Vec<f64>>()));
        let moved = norm(&step[..n]);
        let is_shorter = length > f64::EPSILON * way && length < SHORTER * last;
        if is_shorter && !is_exact && is_no_worse {
            (*here, model.multipliers, last) = (there, multipliers, length);
            // The system is linear in the multipliers: where the leaves stay, a further step only adds rounding to them.
            is_exact = moved <= ROUNDING * way;
            continue;
        }
        if moved > SETTLED * way {
            return None;
        }
        if !error(&there, &multipliers).is_finite() {
            return Some(PointKind::Edge);
        }
        return system.is_positive(n).then_some(PointKind::Minimum);
    }
    None
}

/// How far a point is from a minimum: the largest slope that the constraints do not balance, or the most that one is from
/// holding. NaN is farther than any number.
fn error(point: &SearchPoint, multipliers: &[f64]) -> f64 {
    let slopes = point.clone().balance(multipliers).slopes;
    largest(point.missing.iter().copied().chain(slopes))
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
    /// `rows` are the derivatives of the equations at a minimum.
    fn of(rows: &[Vec<f64>], here: &SearchPoint, multipliers: &[f64], active: &[usize]) -> System {
        let (n, size) = (here.slopes.len(), rows.len());
        let unit = |size: f64| Some(size).filter(|size| size.is_normal()).unwrap_or(1.0);
        // Slopes of a constraint may be far smaller or larger than curvatures, so that its unit follows those of leaves.
        let leaves = rows[..n].iter();
        let leaves = leaves.map(|row| unit(largest(row[..n].iter().copied()).sqrt()));
        let mut units: Vec<f64> = leaves.collect();
        for row in &rows[n..] {
            let slopes = row.iter().zip(&units[..n]);
            units.push(unit(largest(slopes.map(|(slope, unit)| slope / unit))));
        }
        let mut matrix = rows.concat();
        for (at, entry) in matrix.iter_mut().enumerate() {
            *entry = *entry / units[at / size] / units[at % size];
        }
        let excess = active.iter().map(|&place| here.excess[place]);
        let slopes = here.clone().balance(multipliers).slopes;
        let right = slopes.into_iter().chain(excess);
        System {
            right: right.zip(&units).map(|(part, unit)| part / unit).collect(),
            matrix,
            units,
        }
    }

    /// Newton's step, which is to be subtracted.
    fn step(&self) -> Vec<f64> {
        let factors = Factors::of(&self.matrix, self.units.len(), &self.right);
        factors.solve(factors.rank(ZERO_CURVATURE))
    }

    /// Whether the curvatures of the `n` leaves within the constraints are positive: then all are, once stiff springs
    /// resist what leads out of the constraints.
    fn is_positive(&self, n: usize) -> bool {
        let rows: Vec<&[f64]> = self.matrix.chunks_exact(self.units.len()).collect();
        let entry = |at: usize| {
            let (row, column) = (at / n, at % n);
            let springs = rows[n..].iter().map(|slopes| slopes[row] * slopes[column]);
            rows[row][column] + STIFF * springs.sum::<f64>()
        };
        let stiffened: Vec<f64> = (0..n * n).map(entry).collect();
        linear::is_positive(&stiffened, n)
    }
}
