//! Second derivatives at a minimum: Newton's method for its last digits, and the kind of point it is.
//!
//! The derivatives are nodes, as `grad()` builds them, and their own derivatives are the rows of a Jacobian. Constraints
//! that press take part with their multipliers (the conditions of Karush, Kuhn and Tucker).

use std::rc::Rc;

use super::goal::{Goal, Model, Verdict};
use super::linear::{Factors, dot, eigenvalues, norm};
use super::penalties::Constrained;
use crate::graph::{Jacobian, Node};
use crate::session::Session;

/// Up to so many leaves second derivatives are computed.
const FEW_LEAVES: usize = 60;
/// The most steps of Newton's method.
const STEPS: usize = 12;
/// Eigenvalues below this part of the largest count as 0.
const NO_CURVATURE: f64 = 1e-9;
/// A step of less than this part of the way goes nowhere.
const SETTLED: f64 = 1e-6;
/// What a step may add to the target, as a part of it: it is only rounding.
const RISE: f64 = 1e-9;

/// A point with the multipliers of all constraints.
#[derive(Clone, Debug)]
pub(super) struct Kkt {
    pub(super) point: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
}

/// The second derivatives of a target and of the constraints that press.
pub(super) struct SecondOrder {
    jacobian: Jacobian,
    leaves: usize,
    /// The places of these constraints.
    pressing: Vec<usize>,
}

/// The matrix of Newton's method and what its step should bring to 0.
struct System {
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// The units of the unknowns, in which the matrix is.
    units: Vec<f64>,
}

/// Divides rows and columns of a symmetric matrix by units, which it returns, so that the largest entry of each row
/// comes close to 1: unknowns of any size count alike.
fn balanced(matrix: &mut [f64], size: usize) -> Vec<f64> {
    let mut units = vec![1.0; size];
    for _ in 0..BALANCINGS {
        let largest = |row: &[f64]| {
            row.iter()
                .fold(0.0, |most: f64, entry| most.max(entry.abs()))
        };
        let roots = matrix.chunks_exact(size).map(|row| largest(row).sqrt());
        let usable = |root: f64| {
            if root > 0.0 && root.is_finite() {
                root
            } else {
                1.0
            }
        };
        let roots: Vec<f64> = roots.map(usable).collect();
        for (at, entry) in matrix.iter_mut().enumerate() {
            *entry = *entry / roots[at / size] / roots[at % size];
        }
        for (unit, root) in units.iter_mut().zip(&roots) {
            *unit *= root;
        }
    }
    units
}

/// Each balancing takes the root of what is left to do: this is enough for sizes that differ by 1e30.
const BALANCINGS: usize = 8;

impl SecondOrder {
    /// None for too many leaves, or if the derivatives cannot be built.
    pub(super) fn of(
        session: &mut Session,
        goal: &Goal,
        multipliers: &[f64],
    ) -> Option<SecondOrder> {
        let leaves = goal.leaves.len();
        if leaves > FEW_LEAVES {
            return None;
        }
        let presses = |place: &usize| {
            goal.constraints[*place].direction.is_none() || multipliers[*place] > 0.0
        };
        let pressing: Vec<usize> = (0..multipliers.len()).filter(presses).collect();
        let sides = pressing.iter().flat_map(|&place| {
            let constraint = &goal.constraints[place];
            [&constraint.left, &constraint.right]
        });
        let mut slopes: Vec<Rc<Node>> = Vec::new();
        for root in std::iter::once(&goal.target).chain(sides) {
            slopes.extend(session.derivatives(root, &goal.leaves).ok()?);
        }
        Some(SecondOrder {
            jacobian: Jacobian::of(&slopes, &goal.leaves),
            leaves,
            pressing,
        })
    }

    fn system(&mut self, model: &mut Model, at: &Kkt) -> System {
        let (n, count) = (self.leaves, self.pressing.len());
        let size = n + count;
        self.jacobian.values(&at.point);
        let rows = self.jacobian.rows();
        let block = |place: usize| &rows[place * n * n..][..n * n];
        let mut curves = block(0).to_vec();
        for (place, &constraint) in self.pressing.iter().enumerate() {
            let factor = at.multipliers[constraint] * model.directions[constraint].unwrap_or(1.0);
            let sides = block(1 + 2 * place).iter().zip(block(2 + 2 * place));
            for (curve, (left, right)) in curves.iter_mut().zip(sides) {
                *curve += factor * (left - right);
            }
        }
        let there = model.at(&at.point);
        let mut matrix = vec![0.0; size * size];
        for row in 0..n {
            for column in 0..n {
                let curve = f64::midpoint(curves[row * n + column], curves[column * n + row]);
                matrix[row * size + column] = curve;
            }
            for (place, &constraint) in self.pressing.iter().enumerate() {
                let slope = there.excess_slopes[constraint][row];
                matrix[row * size + n + place] = slope;
                matrix[(n + place) * size + row] = slope;
            }
        }
        let units = balanced(&mut matrix, size);
        let excess = self.pressing.iter().map(|&place| there.excess[place]);
        let right = there.balance(&at.multipliers).into_iter().chain(excess);
        let right = right.zip(&units).map(|(part, unit)| part / unit).collect();
        System {
            matrix,
            right,
            units,
        }
    }

    /// Newton's steps, as long as they become shorter.
    pub(super) fn improve(&mut self, model: &mut Model, found: &mut Kkt) {
        let mut last = f64::INFINITY;
        let mut before: Option<Kkt> = None;
        // A point that was just outside of a constraint may have to rise to it, which the multipliers weigh up.
        let multipliers = found.multipliers.clone();
        let weighed = |model: &mut Model, point: &[f64]| {
            let at = model.at(point);
            at.value + dot(&multipliers, &at.excess)
        };
        let value = weighed(model, &found.point);
        for _ in 0..STEPS {
            let system = self.system(model, found);
            let size = system.right.len();
            let factors = Factors::of(&system.matrix, size, &system.right);
            let step = factors.solve(factors.rank(NO_CURVATURE));
            let length = norm(&step);
            let rises = weighed(model, &found.point) > value + RISE * (1.0 + value.abs());
            let (shorter, longer) = (length < 0.7 * last, length > last || length.is_nan());
            if !shorter || rises {
                if let Some(before) = before.filter(|_| longer || rises) {
                    *found = before;
                }
                return;
            }
            if length == 0.0 {
                return;
            }
            before = Some(found.clone());
            last = length;
            let parts = step
                .iter()
                .zip(&system.units)
                .map(|(part, unit)| part / unit);
            let (leaves, multipliers): (Vec<_>, Vec<_>) = parts
                .enumerate()
                .partition(|(place, _)| *place < self.leaves);
            for (x, (_, part)) in found.point.iter_mut().zip(leaves) {
                *x -= part;
            }
            for (&constraint, (_, part)) in self.pressing.iter().zip(multipliers) {
                found.multipliers[constraint] -= part;
            }
        }
    }

    /// The kind of the point, from the signs of the curvatures within the constraints: those of the whole matrix, less
    /// one of each sign for each constraint. None where Newton's next step would still lead away.
    pub(super) fn curvature(
        &mut self,
        model: &mut Model,
        found: &Kkt,
        start: &[f64],
    ) -> Option<Verdict> {
        let system = self.system(model, found);
        let size = system.right.len();
        let factors = Factors::of(&system.matrix, size, &system.right);
        let step = factors.solve(factors.rank(NO_CURVATURE));
        let mut way = Vec::new();
        for ((x, from), unit) in found.point.iter().zip(start).zip(&system.units) {
            way.extend([x * unit, (x - from) * unit]);
        }
        let next = norm(&step[..self.leaves]);
        if next.is_nan() || next > SETTLED * norm(&way) {
            return None;
        }
        let values = eigenvalues(system.matrix, size);
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let most = values
            .iter()
            .fold(0.0, |most: f64, value| most.max(value.abs()));
        let down = values
            .iter()
            .filter(|value| **value < -NO_CURVATURE * most)
            .count();
        let level = values
            .iter()
            .any(|value| value.abs() <= NO_CURVATURE * most);
        Some(if down > self.pressing.len() {
            Verdict::Saddle
        } else if level {
            Verdict::Level
        } else {
            Verdict::Minimum
        })
    }
}
