//! Second derivatives at a minimum: Newton's method for its last digits, and the kind of point it is.
//!
//! The derivatives are nodes, as `grad()` builds them, and their own derivatives are the rows of a Jacobian. Constraints
//! that press take part with their multipliers (the conditions of Karush, Kuhn and Tucker).

use std::rc::Rc;

use super::descent::{LEVEL, Verdict, largest};
use super::goal::Goal;
use super::linear::{Factors, eigenvalues, norm};
use super::penalties::Penalised;
use crate::graph::{Jacobian, Node};
use crate::session::Session;
use crate::stop;

/// Up to so many leaves, and as many constraints that press, second derivatives are computed.
pub(crate) const FEW_LEAVES: usize = 60;
/// The most steps of Newton's method.
const STEPS: usize = 3;
/// Eigenvalues below this part of the largest count as 0.
const NO_CURVATURE: f64 = 1e-9;
/// A step of less than this part of the way goes nowhere.
const SETTLED: f64 = 1e-6;
/// Where the curvatures change by more than this part over such a step, they are not those of a minimum.
const STEADY: f64 = 0.2;
/// What a step may add to the target, as a part of it: it is only rounding.
const RISE: f64 = 1e-14;

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
}

impl System {
    /// Units in which the largest entry of each row comes close to 1: unknowns of any size count alike.
    fn units(&self) -> Vec<f64> {
        let rows = self.matrix.chunks_exact(self.right.len());
        let unit = |row: &[f64]| {
            let root = largest(row.iter().copied()).sqrt();
            Some(root).filter(|root| root.is_normal()).unwrap_or(1.0)
        };
        rows.map(unit).collect()
    }

    /// The matrix in these units of the unknowns.
    fn matrix_in(&self, units: &[f64]) -> Vec<f64> {
        let size = units.len();
        let entries = self.matrix.iter().enumerate();
        let divided = |(at, entry)| entry / units[at / size] / units[at % size];
        entries.map(divided).collect()
    }

    /// Newton's step in these units.
    fn step(&self, units: &[f64]) -> Vec<f64> {
        let right = self.right.iter().zip(units).map(|(part, unit)| part / unit);
        let right: Vec<f64> = right.collect();
        let factors = Factors::of(&self.matrix_in(units), units.len(), &right);
        factors.solve(factors.rank(NO_CURVATURE))
    }
}

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
        let presses =
            |place: &usize| goal.constraints[*place].is_equation || multipliers[*place] > 0.0;
        let pressing: Vec<usize> = (0..multipliers.len()).filter(presses).collect();
        if pressing.len() > FEW_LEAVES {
            return None;
        }
        let excesses = pressing
            .iter()
            .map(|&place| &goal.constraints[place].excess);
        let mut slopes: Vec<Rc<Node>> = Vec::new();
        for root in std::iter::once(&goal.target).chain(excesses) {
            slopes.extend(session.derivatives(root, &goal.leaves).ok()?);
        }
        Some(SecondOrder {
            jacobian: Jacobian::of(&slopes, &goal.leaves),
            leaves,
            pressing,
        })
    }

    fn system(&mut self, model: &mut Penalised, at: &Kkt) -> System {
        let (n, count) = (self.leaves, self.pressing.len());
        let size = n + count;
        self.jacobian.values(&at.point);
        let rows = self.jacobian.rows();
        let block = |place: usize| &rows[place * n * n..][..n * n];
        let mut curves = block(0).to_vec();
        for (place, &constraint) in self.pressing.iter().enumerate() {
            for (curve, part) in curves.iter_mut().zip(block(1 + place)) {
                *curve += at.multipliers[constraint] * part;
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
        let excess = self.pressing.iter().map(|&place| there.excess[place]);
        let right = there.balance(&at.multipliers).into_iter().chain(excess);
        System {
            matrix,
            right: right.collect(),
        }
    }

    /// Where a step in these units leads.
    fn after(&self, from: &Kkt, step: &[f64], units: &[f64]) -> Kkt {
        let mut to = from.clone();
        let mut parts = step.iter().zip(units).map(|(part, unit)| part / unit);
        for (x, part) in to.point.iter_mut().zip(&mut parts) {
            *x -= part;
        }
        for (&constraint, part) in self.pressing.iter().zip(parts) {
            to.multipliers[constraint] -= part;
        }
        to
    }

    /// Newton's steps, as long as they become shorter and lead to points that are no worse.
    pub(super) fn improve(&mut self, model: &mut Penalised, found: &mut Kkt) {
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            stop::ask_now();
            let system = self.system(model, found);
            let units = system.units();
            let step = system.step(&units);
            let length = norm(&step);
            // A step that is not a number is no shorter.
            let shorter = length > 0.0 && length < 0.7 * last;
            let next = self.after(found, &step, &units);
            let [here, there] = [&*found, &next].map(|at| model.at(&at.point));
            // A point that was just outside of a constraint may have to rise to it.
            let missed = found.multipliers.iter().zip(&here.excess);
            let missed: f64 = missed
                .map(|(multiplier, excess)| (multiplier * excess).abs())
                .sum();
            let highest = here.value + 2.0 * missed + RISE * here.value.abs();
            let size = LEVEL * (1.0 + here.value.abs());
            let farthest = here.error(&found.multipliers).max(size);
            let no_worse = there.is_finite()
                && there.value <= highest
                && there.error(&next.multipliers) <= farthest;
            if !shorter || !no_worse {
                return;
            }
            (*found, last) = (next, length);
        }
    }

    /// Whether the point is a minimum, from the signs of the curvatures within the constraints: of those of the whole
    /// matrix, as many are positive as there are leaves. Newton's next step must lead nowhere, and the curvatures be the
    /// same there. Otherwise it is not known, except that such a step may lead over an edge.
    pub(super) fn kind(
        &mut self,
        model: &mut Penalised,
        found: &Kkt,
        start: &[f64],
    ) -> Option<Verdict> {
        let system = self.system(model, found);
        let units = system.units();
        let step = system.step(&units);
        let mut way = Vec::new();
        for ((x, from), unit) in found.point.iter().zip(start).zip(&units) {
            way.extend([x * unit, (x - from) * unit]);
        }
        let settled = norm(&step[..self.leaves]) <= SETTLED * norm(&way);
        if !settled {
            return None;
        }
        let next = self.after(found, &step, &units);
        if !model.at(&next.point).is_finite() {
            return Some(Verdict::Edge);
        }
        let [here, there] = [system, self.system(model, &next)]
            .map(|system| eigenvalues(system.matrix_in(&units), units.len()));
        let most = largest(here.iter().copied());
        let steady = |(here, there): (&f64, &f64)| {
            *here > NO_CURVATURE * most && (here - there).abs() <= STEADY * here
        };
        let mut curvatures = here.iter().zip(&there).rev().take(self.leaves);
        curvatures.all(steady).then_some(Verdict::Minimum)
    }
}
