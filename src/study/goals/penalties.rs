//! Constraints as penalties with multipliers (an augmented Lagrangian).
//!
//! A penalty alone holds a constraint only roughly, unless it is very steep. So after each descent the multipliers take
//! over what the penalties have pressed; in the end the multipliers alone balance the slopes of the target.

use std::rc::Rc;

use super::descent::{self, LEVEL, Place, Verdict, largest};
use super::goal::Goal;
use super::linear::norm;
use crate::graph::{Jacobian, Node};

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

/// The values and derivatives of a target and its constraints at a point.
pub(super) struct At {
    pub(super) value: f64,
    pub(super) slopes: Vec<f64>,
    /// For each constraint how far it is from holding: 0 or, unless it is an equation, less where it holds.
    pub(super) excess: Vec<f64>,
    /// The excesses of constraints that do not hold, and 0 for those that do.
    missing: Vec<f64>,
    /// The slopes of the excesses: for each the places of leaves, with the slope by each.
    pub(super) excess_slopes: Vec<Vec<(usize, f64)>>,
}

impl At {
    /// The slopes of the target together with those of the constraints, each times its multiplier.
    pub(super) fn balance(&self, multipliers: &[f64]) -> Vec<f64> {
        self.pressed(self.slopes.clone(), multipliers)
    }

    /// These slopes together with those of the constraints, each times its factor.
    fn pressed(&self, mut slopes: Vec<f64>, factors: &[f64]) -> Vec<f64> {
        for (factor, excess) in factors.iter().zip(&self.excess_slopes) {
            for (leaf, part) in excess {
                slopes[*leaf] += factor * part;
            }
        }
        slopes
    }

    /// How far it is from a minimum: the largest slope that is not balanced, or the most that a constraint is from
    /// holding. NaN is farther than any number.
    pub(super) fn error(&self, multipliers: &[f64]) -> f64 {
        let slopes = self.balance(multipliers);
        largest(self.missing.iter().copied().chain(slopes))
    }
}

/// How strongly a constraint changes with the leaves.
pub(super) fn length(slopes: &[(usize, f64)]) -> f64 {
    norm(&slopes.iter().map(|(_, slope)| *slope).collect::<Vec<f64>>())
}

impl Penalised {
    /// The target alone: as long as no penalties are given, the constraints have no weight.
    pub(super) fn of(goal: &Goal) -> Penalised {
        let mut roots: Vec<Rc<Node>> = vec![Rc::clone(&goal.target)];
        roots.extend(goal.constraints.iter().map(|it| Rc::clone(&it.excess)));
        let count = goal.constraints.len();
        Penalised {
            jacobian: Jacobian::of(&roots, &goal.leaves),
            equations: goal.constraints.iter().map(|it| it.is_equation).collect(),
            units: vec![1.0; count],
            multipliers: vec![0.0; count],
            penalty: 1.0,
        }
    }

    /// Chooses the weights for a descent from this point: there the penalties pull harder than the target.
    pub(super) fn begin(&mut self, start: &[f64]) {
        let at = self.at(start);
        let unit = |slopes: &Vec<(usize, f64)>| {
            let unit = length(slopes);
            if unit > 0.0 { unit } else { 1.0 }
        };
        self.units = at.excess_slopes.iter().map(unit).collect();
        let distance = norm(&self.distances(&at));
        let distance = distance.max(1e-3 * norm(start)).max(1e-6);
        let pull = norm(&at.slopes)
            .max(at.value.abs() / f64::max(norm(start), 1.0))
            .max(1e-3);
        self.penalty = 10.0 * pull / distance;
    }

    /// Values and derivatives at a point, without penalties.
    pub(super) fn at(&mut self, point: &[f64]) -> At {
        let mut values = self.jacobian.values(point);
        let mut rows = self.jacobian.sparse_rows().into_iter();
        let mut slopes = vec![0.0; point.len()];
        for (leaf, slope) in rows.next().unwrap_or_default() {
            slopes[leaf] = slope;
        }
        let excess = values.split_off(1);
        let missing = excess.iter().zip(&self.equations);
        At {
            value: values[0],
            slopes,
            missing: missing
                .map(|(&excess, &equation)| {
                    if !equation && excess < 0.0 {
                        0.0
                    } else {
                        excess
                    }
                })
                .collect(),
            excess,
            excess_slopes: rows.collect(),
        }
    }

    /// Value and gradient at a point, with the penalties.
    fn penalised(&mut self, point: Vec<f64>) -> Place {
        let at = self.at(&point);
        let pressed = self.pressed(&at.excess);
        let mut value = at.value;
        for ((pressed, multiplier), unit) in pressed.iter().zip(&self.multipliers).zip(&self.units)
        {
            let weight = self.penalty / (unit * unit);
            value += (pressed * pressed - multiplier * multiplier) / (2.0 * weight);
        }
        Place {
            point,
            value,
            slopes: at.balance(&pressed),
        }
    }

    /// Each multiplier together with its share of the penalty; never below 0 for an inequality.
    fn pressed(&self, excess: &[f64]) -> Vec<f64> {
        let pressed = |(place, excess): (usize, &f64)| {
            let unit = self.units[place];
            let pressed = self.multipliers[place] + self.penalty * excess / (unit * unit);
            // A NaN stays one.
            if !self.equations[place] && pressed < 0.0 {
                0.0
            } else {
                pressed
            }
        };
        excess.iter().enumerate().map(pressed).collect()
    }

    /// How far the leaves have to move for each constraint to hold.
    fn distances(&self, at: &At) -> Vec<f64> {
        let each = at.missing.iter().zip(&self.units);
        each.map(|(missing, unit)| missing / unit).collect()
    }

    /// The most that the leaves have to move for a constraint to hold, as a part of their size.
    fn missing(&mut self, point: &[f64]) -> f64 {
        let at = self.at(point);
        largest(self.distances(&at)) / norm(point).max(SMALL)
    }

    pub(super) fn holds(&mut self, point: &[f64]) -> bool {
        self.missing(point) <= HOLDS.sqrt()
    }

    pub(super) fn run(
        &mut self,
        start: Vec<f64>,
        go_on: &mut impl FnMut(f64) -> bool,
    ) -> (Place, Verdict) {
        let (mut point, mut missing) = (start, f64::INFINITY);
        let is_free = self.units.is_empty();
        let mut exactness = if is_free { LEVEL } else { 1e-3 };
        let mut renewals = 0;
        loop {
            let function = &mut |point| self.penalised(point);
            let (place, end) = descent::descend(function, &point, exactness, go_on);
            if is_free {
                return (place, end);
            }
            let excess = self.at(&place.point).excess;
            self.multipliers = self.pressed(&excess);
            let now = self.missing(&place.point);
            renewals += 1;
            let exact = now <= HOLDS && exactness <= LEVEL;
            if exact || renewals >= RENEWALS || !go_on(place.value) {
                return (place, end);
            }
            if end == Verdict::Endless {
                // The penalties may have been too weak to hold the target.
                self.multipliers.fill(0.0);
                self.penalty *= 100.0;
                renewals += RENEWALS / 5;
                continue;
            }
            if now > 0.25 * missing {
                self.penalty *= 10.0;
            }
            (point, missing) = (place.point, now);
            exactness = f64::max(0.1 * exactness, LEVEL);
        }
    }

    /// A point near another where the constraints hold, as far as a descent of what they miss finds one.
    pub(super) fn feasible(
        &mut self,
        start: &[f64],
        go_on: &mut impl FnMut(f64) -> bool,
    ) -> Vec<f64> {
        let mut missed = |point: Vec<f64>| {
            let at = self.at(&point);
            Place {
                slopes: at.pressed(vec![0.0; point.len()], &at.missing),
                value: 0.5 * norm(&at.missing).powi(2),
                point,
            }
        };
        descent::descend(&mut missed, start, LEVEL, go_on).0.point
    }
}
