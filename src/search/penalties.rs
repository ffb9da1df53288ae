//! Minimizes a target with constraints, which become penalties with multipliers: an augmented Lagrangian, by the method of
//! Hestenes, Powell and Rockafellar. The bounds of a fit are no constraints here: `least_squares` keeps them.
//!
//! A penalty alone holds a constraint only roughly, unless it is very steep. So after each descent the multipliers take
//! over the pressure of the penalties. In the end the multipliers alone balance the slopes of the target.
//!
//! `minimize` calls this, and `second_order` helps it.

use std::rc::Rc;

use super::bfgs::{GTOL, PointKind, SearchPoint, descend, largest};
use super::linear::norm;
use chainrule_engine::graph::{Jacobian, Node};

/// The most renewals of the multipliers. It takes eight until the tolerance has fallen to `GTOL`.
const MOST_RENEWALS: usize = 50;
/// A descent that falls without end counts as this many renewals, so that at most five are tried.
const RENEWALS_OF_ENDLESS: usize = MOST_RENEWALS / 5;
/// A constraint holds exactly if leaves that move by this fraction of their size can make it hold. The square root of this
/// is enough for a result.
const EXACT_DISTANCE: f64 = 1e-9;
/// `ftol`: a difference below this part of a value is lost in rounding.
const FTOL: f64 = 1e-14;
/// Smaller leaves count as if they had this size, so that a solution at 0 can be found.
const LEAST_SIZE: f64 = 1e-6;
/// A penalty pulls this many times harder than the target at the start of the descent.
const FIRST_PULL: f64 = 10.0;
/// The penalty grows by this factor if a renewal has left more than `TOO_SLOW` of the distance (the usual 10 and 0.25).
const PENALTY_GROWTH: f64 = 10.0;
const TOO_SLOW: f64 = 0.25;
/// The penalty grows by this factor if it does not stop the target from falling without end.
const ENDLESS_PENALTY_GROWTH: f64 = 100.0;
/// The tolerance of the slopes in the first descent, and the factor by which it falls with each renewal: as long as the
/// multipliers are rough, exact minima are wasted.
const FIRST_TOLERANCE: f64 = 1e-3;
const TOLERANCE_FACTOR: f64 = 0.1;

/// A target to make as small as possible, with its constraints.
pub(crate) struct Goal {
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The target, then the excess of each constraint. The excess of an equation that holds is 0, and the excess of an
    /// inequality that holds is at most 0.
    pub(crate) roots: Vec<Rc<Node>>,
    /// Whether each constraint is an equation.
    pub(crate) equations: Vec<bool>,
}

impl Goal {
    /// Returns the indices of the active constraints: equations, and inequalities with a multiplier.
    pub(crate) fn active(&self, multipliers: &[f64]) -> Vec<usize> {
        let is_active = |index: &usize| self.equations[*index] || multipliers[*index] != 0.0;
        (0..self.equations.len()).filter(is_active).collect()
    }
}

/// A point with the multipliers of the constraints.
pub(crate) struct ConstrainedPoint {
    pub(crate) point: SearchPoint,
    pub(crate) multipliers: Vec<f64>,
}

impl ConstrainedPoint {
    /// Returns the point with the slopes of the target that the constraints do not balance.
    pub(crate) fn balance(&self) -> SearchPoint {
        self.point.clone().balance(&self.multipliers)
    }

    /// Returns the leaves after each leaf at a bound is set on it, and the others are moved, to first order, to where the
    /// other active constraints hold. A bound is a constraint with a slope by a single leaf.
    fn leaves_on_bounds(&self, equations: &[bool]) -> Vec<f64> {
        let here = &self.point;
        let is_active = |&place: &usize| {
            equations[place] || self.multipliers[place] != 0.0 || here.excess[place] > 0.0
        };
        let mut active: Vec<usize> = (0..equations.len()).filter(is_active).collect();
        active.sort_by_key(|&place| here.excess_slopes[place].len());
        let mut x = here.x.clone();
        let mut is_set = vec![false; x.len()];
        for place in active {
            let slopes = &here.excess_slopes[place];
            let changes = slopes
                .iter()
                .map(|(leaf, slope)| slope * (x[*leaf] - here.x[*leaf]));
            let excess = here.excess[place] + changes.sum::<f64>();
            let free = slopes.iter().filter(|(leaf, _)| !is_set[*leaf]);
            let square: f64 = free.clone().map(|(_, slope)| slope * slope).sum();
            for (leaf, slope) in free {
                x[*leaf] -= excess * slope / square;
            }
            if let [(leaf, _)] = slopes[..] {
                is_set[leaf] = true;
            }
        }
        x
    }
}

/// The target with its constraints as penalties, in flat arrays.
pub(crate) struct Penalised {
    jacobian: Jacobian,
    /// Whether each constraint is an equation.
    equations: Vec<bool>,
    /// The length of the gradient of each constraint: how strongly it changes with the leaves.
    units: Vec<f64>,
    /// The multiplier of each constraint.
    pub(crate) multipliers: Vec<f64>,
    /// The weight of all penalties. That of each constraint is this, divided by the square of its unit.
    penalty: f64,
}

/// Returns the length of a gradient.
pub(crate) fn gradient_length(slopes: &[(usize, f64)]) -> f64 {
    norm(&slopes.iter().map(|(_, slope)| *slope).collect::<Vec<f64>>())
}

impl Penalised {
    /// Returns the target with constraints that have no multipliers yet.
    pub(crate) fn of(goal: &Goal) -> Penalised {
        let count = goal.equations.len();
        Penalised {
            jacobian: Jacobian::of(&goal.roots, &goal.leaves),
            equations: goal.equations.clone(),
            units: vec![1.0; count],
            multipliers: vec![0.0; count],
            penalty: 1.0,
        }
    }

    /// Chooses the penalty for a descent from this point: there it pulls harder than the target.
    fn choose_penalty(&mut self, start: &[f64]) {
        let here = self.at(start.to_vec());
        let unit = |slopes: &Vec<(usize, f64)>| match gradient_length(slopes) {
            length if length > 0.0 => length,
            _ => 1.0,
        };
        self.units = here.excess_slopes.iter().map(unit).collect();
        let size = norm(start);
        // Where the constraints hold, or the target is flat, a thousandth of the usual size stands in for 0.
        let distances = norm(&self.distances(&here));
        let distance = distances.max(1e-3 * size).max(LEAST_SIZE);
        let relative_value = here.value.abs() / size.max(1.0);
        let pull_of_target = norm(&here.slopes).max(relative_value).max(1e-3);
        self.penalty = FIRST_PULL * pull_of_target / distance;
    }

    /// Returns the target and its constraints at a point, without penalties.
    pub(crate) fn at(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut values = self.jacobian.values(&x);
        let mut rows = self.jacobian.sparse_rows().into_iter();
        let mut slopes = vec![0.0; x.len()];
        for (leaf, slope) in rows.next().unwrap_or_default() {
            slopes[leaf] = slope;
        }
        // The first root is the target, and the others are the excesses.
        let excess = values.split_off(1);
        let excesses = excess.iter().enumerate();
        let missing = excesses.map(|(place, number)| self.without_slack(place, *number));
        SearchPoint {
            x,
            value: values[0],
            slopes,
            missing: missing.collect(),
            excess,
            excess_slopes: rows.collect(),
        }
    }

    /// Returns the augmented Lagrangian at a point: f + Σ (p² - λ²)/(2w), with the target f, and the pressure p, the
    /// multiplier λ and the weight w of each constraint.
    fn with_penalties(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut here = self.at(x);
        let pressures = self.pressures(&here.excess);
        for (place, pressure) in pressures.iter().enumerate() {
            let (multiplier, unit) = (self.multipliers[place], self.units[place]);
            // The weight depends on how strongly the constraint changes with the leaves.
            let weight = self.penalty / (unit * unit);
            let change = pressure * pressure - multiplier * multiplier;
            here.value += change / (2.0 * weight);
        }
        here.balance(&pressures)
    }

    /// Returns half the sum of the squares of the missing parts of the constraints, as a function to descend.
    fn shortfall(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut here = self.at(x);
        here.slopes.fill(0.0);
        here.value = 0.5 * norm(&here.missing).powi(2);
        let missing = here.missing.clone();
        here.balance(&missing)
    }

    /// Returns the pressure of each constraint on the target: its multiplier plus its weight times its excess. The
    /// pressure of an inequality is never below 0.
    fn pressures(&self, excess: &[f64]) -> Vec<f64> {
        let pressure = |(place, number): (usize, &f64)| {
            let unit = self.units[place];
            let pressure = self.multipliers[place] + self.penalty * number / (unit * unit);
            self.without_slack(place, pressure)
        };
        excess.iter().enumerate().map(pressure).collect()
    }

    /// Returns a number of a constraint, or 0 if it is below 0 and the constraint is an inequality. A NaN stays one.
    fn without_slack(&self, place: usize, number: f64) -> f64 {
        let has_slack = !self.equations[place] && number < 0.0;
        if has_slack { 0.0 } else { number }
    }

    /// Returns how far the leaves have to move for each constraint to hold.
    fn distances(&self, here: &SearchPoint) -> Vec<f64> {
        let missing = here.missing.iter().zip(&self.units);
        missing.map(|(missing, unit)| missing / unit).collect()
    }

    /// Returns the most that the leaves have to move for a constraint to hold, as a part of their size.
    fn farthest(&self, here: &SearchPoint) -> f64 {
        largest(self.distances(here)) / norm(&here.x).max(LEAST_SIZE)
    }

    /// Returns whether all constraints hold.
    pub(crate) fn holds(&self, here: &SearchPoint) -> bool {
        self.farthest(here) <= EXACT_DISTANCE.sqrt()
    }

    /// Sets each leaf that the search has left close to a bound of its own exactly on the bound. The other leaves keep the
    /// other constraints.
    pub(crate) fn set_on_bounds(&mut self, found: &mut ConstrainedPoint) {
        let there = self.at(found.leaves_on_bounds(&self.equations));
        if there.is_finite() && self.holds(&found.point) && self.holds(&there) {
            found.point = there;
        }
    }

    /// Descends to a point where the constraints hold, because elsewhere the target may lead away from such points. Then
    /// descends on the target with penalties, and renews the multipliers until the constraints hold exactly. Returns the
    /// last point, with the penalties, and its kind.
    pub(crate) fn run(
        &mut self,
        start: &[f64],
        go_on: &mut impl FnMut(&SearchPoint) -> bool,
    ) -> (SearchPoint, PointKind) {
        let (mut point, _) = descend(&mut |x| self.shortfall(x), start, GTOL, false, go_on);
        self.choose_penalty(&point.x);
        let mut last_distance = f64::INFINITY;
        // Without constraints the first descent is the last one.
        let is_alone = self.units.is_empty();
        let mut tolerance = if is_alone { GTOL } else { FIRST_TOLERANCE };
        let mut renewals = 0;
        loop {
            let mut penalised = |x| self.with_penalties(x);
            let (found, end) = descend(&mut penalised, &point.x, tolerance, false, go_on);
            self.multipliers = self.pressures(&found.excess);
            let distance = self.farthest(&found);
            renewals += 1;
            let is_exact = distance <= EXACT_DISTANCE && tolerance <= GTOL;
            if is_exact || renewals >= MOST_RENEWALS || !go_on(&found) {
                return (found, end);
            }
            if end == PointKind::Endless {
                // The penalties may have been too weak to hold the target.
                self.multipliers.fill(0.0);
                self.penalty *= ENDLESS_PENALTY_GROWTH;
                renewals += RENEWALS_OF_ENDLESS;
                continue;
            }
            // A steeper penalty would turn the rounding of a large value into a pressure.
            let rounding = f64::min(FTOL * found.value.abs(), EXACT_DISTANCE);
            if distance > f64::max(TOO_SLOW * last_distance, rounding) {
                self.penalty *= PENALTY_GROWTH;
            }
            (point, last_distance) = (found, distance);
            tolerance = f64::max(TOLERANCE_FACTOR * tolerance, GTOL);
        }
    }
}
