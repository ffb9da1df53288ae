//! Minima of a node over leaves, with or without constraints, and what kind of points they are.
//!
//! Constraints join the function as penalties with multipliers (an augmented Lagrangian): after each descent the
//! multipliers take over what the penalties still lack, so that the penalties need not become steep. Where second
//! derivatives are affordable, Newton's method finds the last digits, and their signs tell a minimum from a saddle.

use super::descent::{DescentEnd, LEVEL, Place};
use super::goal::{Goal, Model, Verdict};
use super::linear::norm;
use super::penalties::{Constrained, Penalised};
use super::second_order::{Kkt, SecondOrder};
use crate::session::Session;
use crate::stop;

/// The most passes of one search.
pub(crate) const MOST_PASSES: u64 = 100_000;

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

/// Looks for the leaves' data with the least value of the target, beginning at their present data, where all is finite.
pub(crate) fn minimize(
    session: &mut Session,
    goal: &Goal,
    watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Minimum {
    let start: Vec<f64> = goal.leaves.iter().map(|leaf| leaf.data()).collect();
    let mut model = Model::of(goal);
    // From here on only `watch` stops the search, so that the best point is kept.
    stop::undisturbed(|| search(session, goal, &mut model, &start, watch))
}

fn search(
    session: &mut Session,
    goal: &Goal,
    model: &mut Model,
    start: &[f64],
    watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Minimum {
    let mut search = Penalised::begin(model, start);
    let (mut place, end) = search.run(start.to_vec(), MOST_PASSES, watch);
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
        second.improve(model, &mut found);
        curves = second.curvature(model, &found, start);
        place = Place {
            point: found.point.clone(),
            ..place
        };
    }
    place.point = without_remains(model, start, place.point, &found.multipliers);
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
        _ => {
            let steep = steepest > LEVEL * (1.0 + at.value.abs());
            match curves {
                Some(verdict) if verdict != Verdict::Level => verdict,
                _ if steep && end == DescentEnd::Stuck => Verdict::Stuck,
                _ => Verdict::Level,
            }
        }
    };
    let price = |place: usize| {
        let multiplier = found.multipliers[place];
        let press = multiplier.abs() * norm(&at.excess_slopes[place]);
        let direction = goal.constraints[place].direction.unwrap_or(1.0);
        let presses = press > REMAINS * (1.0 + at.value.abs());
        if presses {
            -multiplier * direction
        } else {
            0.0
        }
    };
    Minimum {
        prices: (0..goal.constraints.len()).map(price).collect(),
        value: at.value,
        slopes: at.slopes,
        steepest,
        passes,
        verdict,
        sides: at.sides,
        point: place.point,
    }
}

/// A point with 0 for the leaves that are hardly anything compared with the way they came, if that makes nothing worse.
fn without_remains(
    model: &mut Model,
    start: &[f64],
    point: Vec<f64>,
    multipliers: &[f64],
) -> Vec<f64> {
    let settled = |(x, from): (&f64, &f64)| {
        if x.abs() < REMAINS * (x - from).abs() {
            0.0
        } else {
            *x
        }
    };
    let round: Vec<f64> = point.iter().zip(start).map(settled).collect();
    let [before, after] = [&point, &round].map(|point| {
        let at = model.at(point);
        let slopes = at.balance(multipliers);
        let missing = at
            .excess
            .iter()
            .fold(0.0, |most: f64, excess| most.max(excess.abs()));
        (
            at.value,
            slopes
                .iter()
                .fold(missing, |most, slope| most.max(slope.abs())),
        )
    });
    let limit = LEVEL * REMAINS.sqrt() * (1.0 + before.0.abs());
    if after.0 <= before.0 && after.1 <= before.1.max(limit) {
        round
    } else {
        point
    }
}

/// What is left of the way of a leaf when the search ends beside 0.
const REMAINS: f64 = 1e-14;
