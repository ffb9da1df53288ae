//! Minima of a node over leaves, with or without constraints, and what kind of points they are.
//!
//! The search begins where the constraints hold. They join the function as penalties with multipliers (an augmented
//! Lagrangian): after each descent the multipliers take over what the penalties still lack, so that the penalties need
//! not become steep. Where second derivatives are affordable, Newton's method finds the last digits, and their signs
//! show whether it is a minimum.

use super::descent::{LEVEL, Place, Verdict};
use super::goal::Goal;
use super::linear::norm;
use super::penalties::Penalised;
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
    /// The host stopped it.
    pub(crate) interrupted: bool,
    /// None if no point was found where the constraints hold.
    pub(crate) verdict: Option<Verdict>,
    /// For each constraint what one less of its excess adds to the target.
    pub(crate) multipliers: Vec<f64>,
}

/// Looks for the leaves' data with the least value of the target, beginning at their present data, where all is finite.
pub(crate) fn minimize(
    session: &mut Session,
    goal: &Goal,
    watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Minimum {
    // From here on only `watch` stops the search, so that the best point is kept.
    let mut model = Penalised::of(goal);
    stop::undisturbed(|| search(session, goal, &mut model, watch))
}

fn search(
    session: &mut Session,
    goal: &Goal,
    model: &mut Penalised,
    watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Minimum {
    let start: Vec<f64> = goal.leaves.iter().map(|leaf| leaf.data()).collect();
    let (mut passes, mut interrupted) = (0, false);
    let mut go_on = |value: f64| {
        let goes_on = !interrupted && passes < MOST_PASSES;
        if goes_on {
            passes += 1;
            interrupted = !watch(passes, value);
        }
        goes_on && !interrupted
    };
    // Where the constraints are far from holding, the target could lead astray.
    let begin = model.feasible(&start, &mut go_on);
    model.begin(&begin);
    let (place, end) = model.run(begin, &mut go_on);
    let holds = model.holds(&place.point);
    let mut found = Kkt {
        multipliers: model.multipliers.clone(),
        point: place.point,
    };
    let mut kind = None;
    if holds && end != Verdict::Endless && go_on(place.value) {
        let host = session.host();
        let second = || {
            let mut second = SecondOrder::of(session, goal, &found.multipliers)?;
            second.improve(model, &mut found);
            second.kind(model, &found, &start)
        };
        // The best point is kept when it stops here, too.
        let done = stop::interruptible(move || host.stop(), second);
        kind = done.ok().flatten();
        go_on(place.value);
    }
    let at = model.at(&found.point);
    let place = Place {
        point: found.point,
        value: at.value,
        slopes: at.balance(&found.multipliers),
    };
    let verdict = match kind {
        _ if end == Verdict::Endless => Some(end),
        _ if !holds => None,
        _ if interrupted || passes >= MOST_PASSES => Some(Verdict::Stopped),
        Some(kind) => Some(kind),
        None if place.is_level(LEVEL) => Some(Verdict::Flat),
        None if end == Verdict::Flat => Some(Verdict::Stopped),
        None => Some(end),
    };
    let price = |place: usize| {
        let multiplier = found.multipliers[place];
        let press = multiplier.abs() * norm(&at.excess_slopes[place]);
        let presses = press > PRESSES * (1.0 + at.value.abs());
        if presses { multiplier } else { 0.0 }
    };
    Minimum {
        multipliers: (0..goal.constraints.len()).map(price).collect(),
        value: at.value,
        slopes: at.slopes,
        steepest: place.steepest(),
        passes,
        interrupted,
        verdict,
        point: place.point,
    }
}

/// A constraint whose multiplier changes less than this part of the target has no price: it is rounding.
const PRESSES: f64 = 1e-14;
