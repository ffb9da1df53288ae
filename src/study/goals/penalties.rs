//! Constraints of `:minimize` as penalties with multipliers (an augmented Lagrangian). The bounds of a fit are kept by
//! `least_squares`.
//!
//! A penalty alone holds a constraint only roughly, unless it is very steep. So after each descent the multipliers take
//! over the pressure of the penalties; in the end the multipliers alone balance the slopes of the target.

use super::bfgs::{self, LEVEL, PointKind, SearchPoint, largest};
use super::goal::Goal;
use super::linear::norm;
use chainrule_engine::graph::Jacobian;

/// How often the multipliers are renewed.
const RENEWALS: usize = 50;
/// A constraint holds if leaves that move by this part of their size can make it hold exactly.
const HOLDS: f64 = 1e-9;
/// Leaves smaller than this count as if they were as large.
const SMALL: f64 = 1e-6;

/// The target with its constraints as penalties, in flat arrays.
pub(super) struct Penalised {
    jacobian: Jacobian,
    /// Whether each constraint is an equation.
    equations: Vec<bool>,
    /// By how much each constraint changes with the leaves.
    units: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    penalty: f64,
}

/// How strongly a constraint changes with the leaves.
pub(super) fn length(slopes: &[(usize, f64)]) -> f64 {
    norm(&slopes.iter().map(|(_, slope)| *slope).collect::<Vec<f64>>())
}

impl Penalised {
    /// The target alone: as long as no penalties are given, the constraints have no weight.
    pub(super) fn of(goal: &Goal) -> Penalised {
        let count = goal.equations.len();
        Penalised {
            jacobian: Jacobian::of(&goal.roots, &goal.leaves),
            equations: goal.equations.clone(),
            units: vec![1.0; count],
            multipliers: vec![0.0; count],
            penalty: 1.0,
        }
    }

    /// Chooses the weights for a descent from this point: there the penalties pull harder than the target.
    fn weigh(&mut self, start: &[f64]) {
        let at = self.at(start.to_vec());
        let unit = |slopes: &Vec<(usize, f64)>| match length(slopes) {
            unit if unit > 0.0 => unit,
            _ => 1.0,
        };
        self.units = at.excess_slopes.iter().map(unit).collect();
        let distance = norm(&self.distances(&at));
        let distance = distance.max(1e-3 * norm(start)).max(1e-6);
        let pull = norm(&at.slopes)
            .max(at.value.abs() / f64::max(norm(start), 1.0))
            .max(1e-3);
        self.penalty = 10.0 * pull / distance;
    }

    /// The target and its constraints at a point, without penalties.
    pub(super) fn at(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut values = self.jacobian.values(&x);
        let mut rows = self.jacobian.sparse_rows().into_iter();
        let mut slopes = vec![0.0; x.len()];
        for (leaf, slope) in rows.next().unwrap_or_default() {
            slopes[leaf] = slope;
        }
        let excess = values.split_off(1);
        let missing = excess.iter().enumerate();
        let missing = missing.map(|(place, excess)| self.without_slack(place, *excess));
        SearchPoint {
            x,
            value: values[0],
            slopes,
            missing: missing.collect(),
            excess,
            excess_slopes: rows.collect(),
        }
    }

    /// The target with the penalties at a point.
    fn with_penalties(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut at = self.at(x);
        let pressed = self.pressures(&at.excess);
        for ((pressed, multiplier), unit) in pressed.iter().zip(&self.multipliers).zip(&self.units)
        {
            let weight = self.penalty / (unit * unit);
            at.value += (pressed * pressed - multiplier * multiplier) / (2.0 * weight);
        }
        at.balance(&pressed)
    }

    /// What the constraints miss, as a function to descend: half the sum of squares.
    fn shortfall(&mut self, x: Vec<f64>) -> SearchPoint {
        let mut at = self.at(x);
        at.slopes.fill(0.0);
        at.value = 0.5 * norm(&at.missing).powi(2);
        let missing = at.missing.clone();
        at.balance(&missing)
    }

    /// Each multiplier together with its share of the penalty; never below 0 for an inequality.
    fn pressures(&self, excess: &[f64]) -> Vec<f64> {
        let pressed = |(place, excess): (usize, &f64)| {
            let unit = self.units[place];
            let pressed = self.multipliers[place] + self.penalty * excess / (unit * unit);
            self.without_slack(place, pressed)
        };
        excess.iter().enumerate().map(pressed).collect()
    }

    /// A number of a constraint, or 0 where it is below 0 and not that of an equation. A NaN stays one.
    fn without_slack(&self, place: usize, number: f64) -> f64 {
        if !self.equations[place] && number < 0.0 {
            0.0
        } else {
            number
        }
    }

    /// How far the leaves have to move for each constraint to hold.
    fn distances(&self, at: &SearchPoint) -> Vec<f64> {
        let each = at.missing.iter().zip(&self.units);
        each.map(|(missing, unit)| missing / unit).collect()
    }

    /// The most that the leaves have to move for a constraint to hold, as a part of their size.
    fn farthest(&self, at: &SearchPoint) -> f64 {
        largest(self.distances(at)) / norm(&at.x).max(SMALL)
    }

    pub(super) fn holds(&self, at: &SearchPoint) -> bool {
        self.farthest(at) <= HOLDS.sqrt()
    }

    /// Descends, first to where the constraints hold, since far from there the target could lead astray.
    pub(super) fn run(
        &mut self,
        start: &[f64],
        go_on: &mut impl FnMut(&SearchPoint) -> bool,
    ) -> (SearchPoint, PointKind) {
        let mut point = bfgs::descend(&mut |x| self.shortfall(x), start, LEVEL, go_on).0;
        self.weigh(&point.x);
        let mut missing = f64::INFINITY;
        let is_free = self.units.is_empty();
        let mut exactness = if is_free { LEVEL } else { 1e-3 };
        let mut renewals = 0;
        loop {
            let (found, end) =
                bfgs::descend(&mut |x| self.with_penalties(x), &point.x, exactness, go_on);
            if is_free {
                return (found, end);
            }
            self.multipliers = self.pressures(&found.excess);
            let now = self.farthest(&found);
            renewals += 1;
            let exact = now <= HOLDS && exactness <= LEVEL;
            if exact || renewals >= RENEWALS || !go_on(&found) {
                return (found, end);
            }
            if end == PointKind::Endless {
                // The penalties may have been too weak to hold the target.
                self.multipliers.fill(0.0);
                self.penalty *= 100.0;
                renewals += RENEWALS / 5;
                continue;
            }
            if now > 0.25 * missing {
                self.penalty *= 10.0;
            }
            (point, missing) = (found, now);
            exactness = f64::max(0.1 * exactness, LEVEL);
        }
    }
}
