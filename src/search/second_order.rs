//! Finishes a search for a minimum with second derivatives: Newton's method finds the last digits, and the signs of the
//! curvatures show whether the point is a minimum.
//!
//! The derivatives are those of nodes, as `grad()` builds them. Active constraints take part with their multipliers:
//! Newton's method solves the equations of Karush, Kuhn and Tucker. `implicit` uses these equations, too.

use std::rc::Rc;

use super::MOST_FIT_DERIVATIVES;
use super::bfgs::{GTOL, PointKind, largest};
use super::linear::{self, Factors, add_multiple, divide_columns, norm};
use super::penalties::{ConstrainedPoint, Goal, Penalised};
use chainrule_engine::graph::{Jacobian, Node, Order};
use chainrule_program::Environment as _;
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most leaves, and the most active constraints, for which second derivatives are computed: the number of these
/// derivatives grows with the square of both.
const MOST_LEAVES: usize = 60;
/// The most steps of Newton's method. Near a minimum each step doubles the correct digits.
const MOST_STEPS: usize = 5;
/// Each step must be shorter than this fraction of the step before. At a point that is flat to a high order, steps shrink
/// too slowly to come to an end: for `x^6`, to 4/5.
const MAX_STEP_RATIO: f64 = 0.7;
/// A curvature below this fraction of the largest counts as 0: rounding leaves at most seven digits of it.
const ZERO_CURVATURE: f64 = 1e-9;
/// The weight of constraints against the curvatures of the target in `is_positive`: large enough to outweigh a negative
/// curvature, and small enough to leave ten digits of the other curvatures.
const CONSTRAINT_STIFFNESS: f64 = 1e6;
/// `ftol`: a rise of the target by at most this fraction is taken for rounding.
const FTOL: f64 = 1e-14;
/// `xtol`: a step below this fraction of the scale of steps is rounding.
const XTOL: f64 = 16.0 * f64::EPSILON;
/// A search whose next step is below this fraction of the scale of steps has converged, even if rounding hides the last
/// digits.
const CONVERGED_STEP: f64 = 1e-6;

/// Takes a few of Newton's steps from a point, as long as each makes it no worse, and classifies the last point:
///
/// - `Minimum`: the next step is negligible, and the curvatures within the constraints are positive.
/// - `Edge`: the next step is negligible or NaN, and leaves the domain.
/// - `None`: the steps have not converged, or a curvature is not positive.
///
/// If the host stops this, `here` is the point after the last step.
pub(crate) fn finish(
    session: &mut Session,
    goal: &Goal,
    model: &mut Penalised,
    here: &mut ConstrainedPoint,
) -> Option<PointKind> {
    let n = goal.leaves.len();
    if n.max(goal.active(&here.multipliers).len()) > MOST_LEAVES {
        return None;
    }
    let mut equations = MinimumEquations::of(session, goal, &here.multipliers, &goal.leaves)?;
    let mut last_length = f64::INFINITY;
    let mut is_exact = false;
    for _ in 0..MOST_STEPS {
        stop::ask_now();
        let rows = equations.rows(&here.point.x, &here.multipliers);
        let system = NewtonSystem::of(&rows, here, &equations.active);
        let step = system.step();
        let there = system.subtract(&step, model);
        let (length, length_of_leaves) = (norm(&step), norm(&step[..n]));
        // The scale for the lengths of steps: the distance of the point from 0 and from the start, in the units.
        let leaves = here.point.x.iter().zip(&goal.leaves).zip(&system.units);
        let parts = leaves.flat_map(|((x, leaf), unit)| [x * unit, (x - leaf.data()) * unit]);
        let scale = norm(&parts.collect::<Vec<f64>>());
        let is_shorter = length > f64::EPSILON * scale && length < MAX_STEP_RATIO * last_length;
        // The step knows nothing of inequalities that are not active.
        let is_no_worse = model.holds(&there.point) && is_no_worse(here, &there);
        if is_exact || !is_shorter || !is_no_worse {
            // No further step helps.
            return if length_of_leaves > CONVERGED_STEP * scale {
                None
            } else if !error(&there).is_finite() {
                Some(PointKind::Edge)
            } else {
                let active = equations.active.iter().map(|index| &goal.roots[index + 1]);
                let used = Order::below(active.chain([&goal.roots[0]]));
                let is_idle = |leaf: usize| used.slot(&goal.leaves[leaf]).is_none();
                let is_minimum = system.is_positive(n, is_idle);
                is_minimum.then_some(PointKind::Minimum)
            };
        }
        *here = there;
        last_length = length;
        // The system is linear in the multipliers, so if the leaves stay, a further step only adds rounding.
        is_exact = length_of_leaves <= XTOL * scale;
    }
    None
}

/// Returns whether the point `there` is no worse than the point `here`, by the target and by the error.
fn is_no_worse(here: &ConstrainedPoint, there: &ConstrainedPoint) -> bool {
    // A point just outside of a constraint may have to rise to it: to first order, by the excess times the multiplier.
    // Twice as much is allowed, because the slopes change on the way.
    let excesses = here.point.excess.iter().zip(&here.multipliers);
    let rises = excesses.map(|(excess, multiplier)| (excess * multiplier).abs());
    let size = here.point.value.abs();
    let most_value = here.point.value + 2.0 * rises.sum::<f64>() + FTOL * size;
    let most_error = error(here).max(GTOL * (1.0 + size));
    there.point.value <= most_value && error(there) <= most_error
}

/// Returns the error of a point as a minimum: the largest slope that the constraints do not balance, or the largest
/// excess of a constraint that does not hold. The error is NaN if one of these is.
fn error(at: &ConstrainedPoint) -> f64 {
    let missing = at.point.missing.iter().copied();
    largest(missing.chain(at.balance().slopes))
}

/// The equations that hold at a minimum (Karush, Kuhn and Tucker). With the target f, the excess cₖ and the multiplier λₖ
/// of each active constraint, and the Lagrangian L = f + Σ λₖ·cₖ, they are ∂L/∂xᵢ = 0 for each leaf, and cₖ = 0.
pub(crate) struct MinimumEquations {
    /// The indices of the active constraints. An inequality without a multiplier is not active, and takes no part.
    active: Vec<usize>,
    /// The number of the leaves of the goal.
    leaf_count: usize,
    /// The roots are ∂f/∂x for all leaves, then ∂c₁/∂x, ∂c₂/∂x and so on, and in the end c₁, c₂ and so on.
    jacobian: Jacobian,
}

impl MinimumEquations {
    /// Returns the equations, or `None` if there are too many derivatives. The leaves of the goal come first in `by`.
    pub(crate) fn of(
        session: &mut Session,
        goal: &Goal,
        multipliers: &[f64],
        by: &[Rc<Node>],
    ) -> Option<MinimumEquations> {
        let active = goal.active(multipliers);
        let n = goal.leaves.len();
        if (n * (1 + active.len())).saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
            return None;
        }
        let excesses = active.iter().map(|index| &goal.roots[index + 1]);
        let mut roots = Vec::new();
        for root in std::iter::once(&goal.roots[0]).chain(excesses.clone()) {
            roots.extend(session.program_mut().derivatives(root, &goal.leaves).ok()?);
        }
        roots.extend(excesses.cloned());
        Some(MinimumEquations {
            active,
            leaf_count: n,
            jacobian: Jacobian::of(&roots, by),
        })
    }

    /// Returns the derivatives of each equation at a point: by the leaves x, by the multipliers λ, and by the rest s of
    /// `by`.
    ///
    /// ```text
    /// ∂²L/∂xᵢ∂x   ∂c/∂xᵢ   ∂²L/∂xᵢ∂s     for each leaf xᵢ
    /// ∂cₖ/∂x      0        ∂cₖ/∂s        for each active constraint
    /// ```
    pub(crate) fn rows(&mut self, at: &[f64], multipliers: &[f64]) -> Vec<Vec<f64>> {
        let (n, count) = (self.leaf_count, self.active.len());
        self.jacobian.values(at);
        let all_rows = self.jacobian.rows();
        let rows: Vec<&[f64]> = all_rows.chunks(at.len()).collect();
        let (target_rows, constraint_rows) = rows.split_at(n);
        let (curvature_rows, excess_rows) = constraint_rows.split_at(n * count);
        let mut equations = Vec::with_capacity(n + count);
        for (leaf, target_row) in target_rows.iter().enumerate() {
            let mut row = target_row.to_vec();
            for (&index, curvatures) in self.active.iter().zip(curvature_rows.chunks_exact(n)) {
                add_multiple(&mut row, multipliers[index], curvatures[leaf]);
            }
            row.splice(n..n, excess_rows.iter().map(|excess_row| excess_row[leaf]));
            equations.push(row);
        }
        for excess_row in excess_rows {
            let (by_leaves, by_rest) = excess_row.split_at(n);
            equations.push([by_leaves, &vec![0.0; count], by_rest].concat());
        }
        equations
    }
}

/// The linear equations for a step of Newton's method. The unknowns are the leaves, then the active multipliers, each in
/// its unit.
struct NewtonSystem<'a> {
    here: &'a ConstrainedPoint,
    /// The indices of the active constraints.
    active: &'a [usize],
    /// The derivatives of each equation by each unknown, row by row.
    matrix: Vec<f64>,
    /// The numbers that the step should bring to 0.
    right: Vec<f64>,
    /// The unit of each unknown. In these units the curvatures of each leaf and the slopes of each constraint are about 1.
    units: Vec<f64>,
}

impl<'a> NewtonSystem<'a> {
    /// Builds the equations from `rows`, the derivatives of the equations at a minimum.
    fn of(rows: &[Vec<f64>], here: &'a ConstrainedPoint, active: &'a [usize]) -> Self {
        let units = units_of(rows, here.point.x.len());
        let count = rows.len();
        let mut matrix = rows.concat();
        for (index, entry) in matrix.iter_mut().enumerate() {
            // The matrix is symmetric, so rows and columns have the same units.
            *entry = *entry / units[index / count] / units[index % count];
        }
        let excesses = active.iter().map(|&place| here.point.excess[place]);
        let slopes = here.balance().slopes;
        let right = slopes.into_iter().chain(excesses).zip(&units);
        NewtonSystem {
            here,
            active,
            right: right.map(|(part, unit)| part / unit).collect(),
            matrix,
            units,
        }
    }

    /// Returns Newton's step in the units; `subtract` takes it. Unknowns that add no curvature stay.
    fn step(&self) -> Vec<f64> {
        let factors = Factors::of(&self.matrix, self.units.len(), &self.right);
        factors.solve(factors.rank(ZERO_CURVATURE))
    }

    /// Returns the point after a step.
    fn subtract(&self, step: &[f64], model: &mut Penalised) -> ConstrainedPoint {
        let parts = divide_columns(step, &self.units);
        let from = &self.here.point.x;
        let (of_leaves, of_multipliers) = parts.split_at(from.len());
        let leaves = from.iter().zip(of_leaves);
        let mut multipliers = self.here.multipliers.clone();
        for (&place, part) in self.active.iter().zip(of_multipliers) {
            multipliers[place] -= part;
        }
        ConstrainedPoint {
            point: model.at(leaves.map(|(x, part)| x - part).collect()),
            multipliers,
        }
    }

    /// Returns whether the curvatures of the `n` leaves within the constraints are positive. Stiff springs resist the
    /// directions that lead out of the constraints, and then all curvatures must be positive. Leaves that change nothing
    /// are left out.
    fn is_positive(&self, n: usize, is_idle: impl Fn(usize) -> bool) -> bool {
        let rows: Vec<&[f64]> = self.matrix.chunks_exact(self.units.len()).collect();
        let entry = |index: usize| {
            let (row, column) = (index / n, index % n);
            let springs = rows[n..].iter().map(|slopes| slopes[row] * slopes[column]);
            rows[row][column] + CONSTRAINT_STIFFNESS * springs.sum::<f64>()
        };
        let mut stiffened: Vec<f64> = (0..n * n).map(entry).collect();
        for leaf in (0..n).filter(|leaf| is_idle(*leaf)) {
            stiffened[leaf * n + leaf] = 1.0;
        }
        linear::is_positive(&stiffened, n)
    }
}

/// Returns the units of `n` leaves and of the multipliers after them. Slopes of a constraint may be far smaller or larger
/// than curvatures, so its unit follows those of the leaves.
fn units_of(rows: &[Vec<f64>], n: usize) -> Vec<f64> {
    let (of_leaves, of_constraints) = rows.split_at(n);
    let mut units = Vec::with_capacity(rows.len());
    for row in of_leaves {
        let curvature = largest(row[..n].iter().copied());
        units.push(normal_or_one(curvature.sqrt()));
    }
    for row in of_constraints {
        let slopes = row.iter().zip(&units[..n]);
        let slope = largest(slopes.map(|(slope, unit)| slope / unit));
        units.push(normal_or_one(slope));
    }
    units
}

/// Returns a unit, or 1 if one cannot divide by it: 0, infinity, NaN, or a number with too few digits.
fn normal_or_one(unit: f64) -> f64 {
    if unit.is_normal() { unit } else { 1.0 }
}
