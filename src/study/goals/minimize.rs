//! Minima of a node over leaves, with or without constraints, and what kind of points they are.
//!
//! Constraints join the function as penalties with multipliers (an augmented Lagrangian): after each descent the
//! multipliers take over what the penalties still lack, so that the penalties need not become steep. Where second
//! derivatives are affordable, Newton's method finds the last digits, and their signs tell a minimum from a saddle.

use std::rc::Rc;

use super::descent::{self, DescentEnd, Function, Place};
use super::linear::norm;
use super::second_order::{Kkt, SecondOrder};
use crate::graph::{Jacobian, Node};
use crate::session::Session;

/// Slopes are small below this part of 1 + |T|.
const LEVEL: f64 = 1e-10;
/// The most passes of one search.
pub(crate) const MOST_PASSES: u64 = 100_000;
/// How often the multipliers are renewed.
const RENEWALS: usize = 50;
/// A constraint holds if its sides differ by less than this part.
const HOLDS: f64 = 1e-9;

/// What shall become as small as possible.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) target: Rc<Node>,
    pub(crate) leaves: Vec<Rc<Node>>,
    pub(crate) constraints: Vec<Constraint>,
}

/// A relation between two nodes that must hold.
#[derive(Debug)]
pub(crate) struct Constraint {
    pub(crate) left: Rc<Node>,
    pub(crate) right: Rc<Node>,
    /// By how much to multiply the left side less the right one, so that it is at most 0 where the constraint holds;
    /// none for an equation.
    pub(crate) direction: Option<f64>,
}

/// Where a search ended.
#[derive(Debug)]
pub(crate) struct Minimum {
    pub(crate) point: Vec<f64>,
    pub(crate) value: f64,
    /// The slopes of the target.
    pub(crate) slopes: Vec<f64>,
    /// The largest slope that the constraints do not balance.
    pub(crate) steepest: f64,
    pub(crate) passes: u64,
    pub(crate) verdict: Verdict,
    /// For each constraint its sides.
    pub(crate) sides: Vec<[f64; 2]>,
    /// For each constraint what one more of its right side adds to the target.
    pub(crate) prices: Vec<f64>,
}

/// What kind of point it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All slopes are small, and the function curves up in each direction.
    Minimum,
    /// All slopes are small, and the curvature is not known, or 0 in some direction.
    Level,
    /// All slopes are small, and the function curves down in some direction.
    Saddle,
    /// Slopes remain, and no step leads down.
    Stuck,
    /// The target falls without end.
    Endless,
    /// No point was found where the constraints hold.
    Impossible,
    /// The passes were used up.
    Exhausted,
    /// The host wanted to stop.
    Stopped,
}

/// Looks for the leaves' data with the least value of the target, beginning at their present data, where all is finite.
pub(crate) fn minimize(
    session: &mut Session,
    goal: &Goal,
    watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Minimum {
    let start: Vec<f64> = goal.leaves.iter().map(|leaf| leaf.data()).collect();
    let mut model = Model::of(goal);
    let mut search = Penalised::at(&mut model, &start);
    let (mut place, end) = search.run(start, watch);
    let (multipliers, passes, holds) =
        (search.unscaled(), search.passes, search.holds(&place.point));
    let mut found = Kkt {
        point: place.point.clone(),
        multipliers,
    };
    let is_end = holds && matches!(end, DescentEnd::Level | DescentEnd::Stuck);
    let second = if is_end {
        SecondOrder::of(session, goal, &found.multipliers)
    } else {
        None
    };
    let mut curves = None;
    if let Some(mut second) = second {
        second.improve(&mut model, &mut found);
        curves = Some(second.curvature(&mut model, &found));
        place = Place {
            point: found.point.clone(),
            ..place
        };
    }
    let at = model.at(&place.point);
    let steepest = at
        .balance(&found.multipliers)
        .iter()
        .fold(0.0, |most, slope| f64::max(most, slope.abs()));
    let verdict = match end {
        DescentEnd::Stopped if passes >= MOST_PASSES => Verdict::Exhausted,
        DescentEnd::Stopped => Verdict::Stopped,
        DescentEnd::Endless => Verdict::Endless,
        _ if !holds => Verdict::Impossible,
        _ if steepest > LEVEL * (1.0 + at.value.abs()) && end == DescentEnd::Stuck => {
            Verdict::Stuck
        }
        _ => curves.unwrap_or(Verdict::Level),
    };
    let directions = goal
        .constraints
        .iter()
        .map(|constraint| constraint.direction.unwrap_or(1.0));
    Minimum {
        value: at.value,
        slopes: at.slopes,
        steepest,
        passes,
        verdict,
        prices: found
            .multipliers
            .iter()
            .zip(directions)
            .map(|(multiplier, direction)| -multiplier * direction + 0.0)
            .collect(),
        sides: at.sides,
        point: place.point,
    }
}

/// Target and constraints in flat arrays.
pub(super) struct Model {
    jacobian: Jacobian,
    pub(super) directions: Vec<Option<f64>>,
}

/// Their values and derivatives at a point.
pub(super) struct At {
    pub(super) value: f64,
    slopes: Vec<f64>,
    sides: Vec<[f64; 2]>,
    /// For each constraint how far it is from holding: 0 or, unless it is an equation, less where it holds.
    pub(super) excess: Vec<f64>,
    /// The slopes of the excesses.
    pub(super) excess_slopes: Vec<Vec<f64>>,
}

impl Model {
    fn of(goal: &Goal) -> Model {
        let target = std::iter::once(Rc::clone(&goal.target));
        let left = goal
            .constraints
            .iter()
            .map(|constraint| Rc::clone(&constraint.left));
        let right = goal
            .constraints
            .iter()
            .map(|constraint| Rc::clone(&constraint.right));
        let roots: Vec<Rc<Node>> = target.chain(left).chain(right).collect();
        Model {
            jacobian: Jacobian::of(&roots, &goal.leaves),
            directions: goal
                .constraints
                .iter()
                .map(|constraint| constraint.direction)
                .collect(),
        }
    }

    pub(super) fn at(&mut self, point: &[f64]) -> At {
        let values = self.jacobian.values(point);
        let rows = self.jacobian.rows();
        let (n, count) = (point.len(), self.directions.len());
        let row = |at: usize| &rows[at * n..][..n];
        let of = |place: usize| {
            let direction = self.directions[place].unwrap_or(1.0);
            let (left, right) = (1 + place, 1 + count + place);
            let slopes = row(left).iter().zip(row(right));
            (
                [values[left], values[right]],
                direction * (values[left] - values[right]),
                slopes
                    .map(|(left, right)| direction * (left - right))
                    .collect(),
            )
        };
        let mut at = At {
            value: values[0],
            slopes: row(0).to_vec(),
            sides: Vec::new(),
            excess: Vec::new(),
            excess_slopes: Vec::new(),
        };
        for (sides, excess, slopes) in (0..count).map(of) {
            at.sides.push(sides);
            at.excess.push(excess);
            at.excess_slopes.push(slopes);
        }
        at
    }
}

impl At {
    /// The slopes of the target together with those of the constraints, each times its multiplier.
    pub(super) fn balance(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut slopes = self.slopes.clone();
        for (multiplier, excess) in multipliers.iter().zip(&self.excess_slopes) {
            for (slope, part) in slopes.iter_mut().zip(excess) {
                *slope += multiplier * part;
            }
        }
        slopes
    }
}

/// The target with its constraints as penalties.
struct Penalised<'m> {
    model: &'m mut Model,
    /// The units of the constraints: by how much they change with the leaves.
    units: Vec<f64>,
    multipliers: Vec<f64>,
    penalty: f64,
    passes: u64,
}

impl Function for Penalised<'_> {
    fn at(&mut self, point: &[f64]) -> (f64, Vec<f64>) {
        self.passes += 1;
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
}

impl<'m> Penalised<'m> {
    fn at(model: &'m mut Model, start: &[f64]) -> Penalised<'m> {
        let at = model.at(start);
        let unit = |slopes: &Vec<f64>| Some(norm(slopes)).filter(|unit| *unit > 0.0).unwrap_or(1.0);
        let units: Vec<f64> = at.excess_slopes.iter().map(unit).collect();
        let missed = at.excess.iter().zip(&units).zip(&model.directions);
        let missed = missed.map(|((excess, unit), direction)| {
            if direction.is_some() {
                excess.max(0.0) / unit
            } else {
                excess / unit
            }
        });
        let squares: f64 = missed.map(|missed| missed * missed).sum();
        Penalised {
            penalty: (10.0 * at.value.abs().max(1.0) / squares.max(1.0)).clamp(1e-6, 10.0),
            multipliers: vec![0.0; units.len()],
            passes: 0,
            units,
            model,
        }
    }

    /// A multiplier together with its share of the penalty; never below 0 for an inequality.
    fn pressed(&self, place: usize, excess: f64) -> f64 {
        let pressed = self.multipliers[place] + self.penalty * excess / self.units[place];
        if self.model.directions[place].is_some() {
            pressed.max(0.0)
        } else {
            pressed
        }
    }

    /// The multipliers in the units of the constraints.
    fn unscaled(&self) -> Vec<f64> {
        self.multipliers
            .iter()
            .zip(&self.units)
            .map(|(multiplier, unit)| multiplier / unit)
            .collect()
    }

    /// How far each constraint is from holding, as a part of the size of its sides.
    fn missing(&mut self, point: &[f64]) -> f64 {
        let at = self.model.at(point);
        let each = at.excess.iter().zip(&at.sides).zip(&self.model.directions);
        let parts = each.map(|((excess, [left, right]), direction)| {
            let missing = if direction.is_some() {
                excess.max(0.0)
            } else {
                excess.abs()
            };
            missing / left.abs().max(right.abs()).max(f64::MIN_POSITIVE).max(1e-6)
        });
        parts.fold(0.0, f64::max)
    }

    fn holds(&mut self, point: &[f64]) -> bool {
        self.missing(point) <= HOLDS.sqrt()
    }

    fn run(
        &mut self,
        start: Vec<f64>,
        watch: &mut dyn FnMut(u64, f64) -> bool,
    ) -> (Place, DescentEnd) {
        let mut passes = 0;
        let mut go_on = |value: f64| {
            passes += 1;
            passes < MOST_PASSES && watch(passes, value)
        };
        if self.units.is_empty() {
            return descent::descend(
                self,
                &start,
                |place| place.steepest() <= LEVEL * (1.0 + place.value.abs()),
                &mut go_on,
            );
        }
        let (mut point, mut missing) = (start, f64::INFINITY);
        let mut exactness = 1e-3;
        let mut renewals = 0;
        loop {
            let (place, end) = descent::descend(
                self,
                &point,
                |place| place.steepest() <= exactness * (1.0 + place.value.abs()),
                &mut go_on,
            );
            let excess = self.model.at(&place.point).excess;
            self.multipliers = (0..excess.len())
                .map(|at| self.pressed(at, excess[at]))
                .collect();
            let now = self.missing(&place.point);
            renewals += 1;
            let exact = now <= HOLDS && exactness <= LEVEL;
            if end == DescentEnd::Stopped || exact || renewals == RENEWALS {
                return (place, end);
            }
            if end == DescentEnd::Endless {
                // The penalties may have been too weak to hold the target.
                self.multipliers.fill(0.0);
                self.penalty *= 100.0;
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
