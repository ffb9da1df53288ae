//! Constraints as penalties with multipliers (an augmented Lagrangian).
//!
//! A penalty alone holds a constraint only roughly, unless it is very steep. So after each descent the multipliers take
//! over what the penalties have pressed; in the end the multipliers alone balance the slopes of the target.

use super::descent::{self, LEVEL, Place, Verdict, largest};
use super::goal::Model;
use super::linear::norm;

/// How often the multipliers are renewed.
const RENEWALS: usize = 50;
/// A constraint holds if its sides differ by less than this part.
const HOLDS: f64 = 1e-9;

/// Sides smaller than this are compared as if they were as large.
const SMALL_SIDE: f64 = 1e-6;

/// The target with its constraints as penalties.
pub(super) struct Penalised<'m> {
    model: &'m mut Model,
    /// The units of the constraints: by how much they change with the leaves.
    units: Vec<f64>,
    multipliers: Vec<f64>,
    penalty: f64,
}

impl<'m> Penalised<'m> {
    /// Value and gradient at a point.
    fn at(&mut self, point: &[f64]) -> (f64, Vec<f64>) {
        let at = self.model.at(point);
        let (mut value, mut factors) = (at.value, Vec::new());
        for (place, excess) in at.excess.iter().enumerate() {
            let multiplier = self.multipliers[place];
            let pressed = self.pressed(place, *excess);
            value += (pressed * pressed - multiplier * multiplier) / (2.0 * self.penalty);
            factors.push(pressed / self.units[place]);
        }
        (value, at.balance(&factors))
    }

    pub(super) fn begin(model: &'m mut Model, start: &[f64]) -> Penalised<'m> {
        let at = model.at(start);
        let unit = |slopes: &Vec<f64>| Some(norm(slopes)).filter(|unit| *unit > 0.0).unwrap_or(1.0);
        let units: Vec<f64> = at.excess_slopes.iter().map(unit).collect();
        let distances = at.missing.iter().zip(&units);
        let distances: Vec<f64> = distances.map(|(missing, unit)| missing / unit).collect();
        let distance = norm(&distances).max(1e-3 * norm(start)).max(1e-6);
        // At the start the penalties pull harder than the target.
        let pull = norm(&at.slopes)
            .max(at.value.abs() / f64::max(norm(start), 1.0))
            .max(1e-3);
        Penalised {
            penalty: 10.0 * pull / distance,
            multipliers: vec![0.0; units.len()],
            units,
            model,
        }
    }

    /// A multiplier together with its share of the penalty; never below 0 for an inequality.
    fn pressed(&self, place: usize, excess: f64) -> f64 {
        let pressed = self.multipliers[place] + self.penalty * excess / self.units[place];
        // A NaN stays one.
        if self.model.is_inequality(place) && pressed < 0.0 {
            0.0
        } else {
            pressed
        }
    }

    /// The multipliers in the units of the constraints.
    pub(super) fn unscaled(&self) -> Vec<f64> {
        self.multipliers
            .iter()
            .zip(&self.units)
            .map(|(multiplier, unit)| multiplier / unit)
            .collect()
    }

    /// The most that a constraint is from holding, as a part of the size of its sides.
    fn missing(&mut self, point: &[f64]) -> f64 {
        let at = self.model.at(point);
        let each = at.missing.iter().zip(&at.sides);
        let parts = each
            .map(|(missing, [left, right])| missing / left.abs().max(right.abs()).max(SMALL_SIDE));
        largest(parts)
    }

    pub(super) fn holds(&mut self, point: &[f64]) -> bool {
        self.missing(point) <= HOLDS.sqrt()
    }

    pub(super) fn run(
        &mut self,
        start: Vec<f64>,
        go_on: &mut impl FnMut(f64) -> bool,
    ) -> (Place, Verdict) {
        if self.units.is_empty() {
            let function = &mut |point: &[f64]| self.at(point);
            return descent::descend(function, &start, |place| place.is_level(LEVEL), go_on);
        }
        let (mut point, mut missing) = (start, f64::INFINITY);
        let mut exactness = 1e-3;
        let mut renewals = 0;
        loop {
            let function = &mut |point: &[f64]| self.at(point);
            let level = |place: &Place| place.is_level(exactness);
            let (place, end) = descent::descend(function, &point, level, go_on);
            let excess = self.model.at(&place.point).excess;
            self.multipliers = (0..excess.len())
                .map(|at| self.pressed(at, excess[at]))
                .collect();
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
}

/// A point near another where the constraints hold, as far as a descent of what they miss finds one.
pub(super) fn feasible(
    model: &mut Model,
    start: &[f64],
    go_on: &mut impl FnMut(f64) -> bool,
) -> Vec<f64> {
    let mut missed = |point: &[f64]| {
        let at = model.at(point);
        let slopes = at.pressed(vec![0.0; point.len()], &at.missing);
        (0.5 * norm(&at.missing).powi(2), slopes)
    };
    let level = |place: &Place| place.is_level(LEVEL);
    descent::descend(&mut missed, start, level, go_on).0.point
}
