//! Finds minima of a node over leaves, with or without constraints, and what kind of points they are.
//!
//! The search begins where the constraints hold. They join the function as penalties with multipliers (an augmented
//! Lagrangian): after each descent the multipliers take over what the penalties still lack, so that the penalties need
//! not become steep. Where second derivatives are affordable, their signs show whether it is a minimum.

use super::bfgs::{LEVEL, PointKind, SearchPoint};
use super::goal::{Goal, SearchWatch};
use super::penalties::{Penalised, length};
use super::second_order;
use crate::session::Session;
use chainrule_stop as stop;

/// The most passes of one search.
pub(crate) const MOST_PASSES: u64 = 100_000;

/// Where a search ended.
#[derive(Debug)]
pub(crate) struct Minimum {
    /// The leaves, the target, and its slopes.
    pub(crate) point: SearchPoint,
    /// The largest slope that the constraints do not balance.
    pub(crate) steepest: f64,
    pub(crate) passes: u64,
    /// The host stopped it.
    pub(crate) interrupted: bool,
    /// None if no point was found where the constraints hold.
    pub(crate) verdict: Option<PointKind>,
    /// For each constraint its price: by how much the target grows if the excess has to be one less.
    pub(crate) multipliers: Vec<f64>,
}

/// Looks for the leaves' data with the least value of the target, beginning at their present data, where all is finite.
pub(crate) fn minimize(session: &mut Session, goal: &Goal, watch: SearchWatch) -> Minimum {
    let mut model = Penalised::of(goal);
    // From here on only `watch` stops the search, so that the best point is kept.
    stop::run_to_end(|| {
        let start: Vec<f64> = goal.leaves.iter().map(|leaf| leaf.data()).collect();
        let (mut passes, mut interrupted) = (0, false);
        let mut go_on = |here: &SearchPoint| {
            let goes_on = !interrupted && passes < MOST_PASSES;
            if goes_on {
                passes += 1;
                interrupted = !watch(passes, here.value, &here.x);
            }
            goes_on && !interrupted
        };
        let (found, end) = model.run(&start, &mut go_on);
        let mut point = model.at(found.x.clone());
        let holds = model.holds(&point);
        let mut kind = None;
        if holds && end != PointKind::Endless && go_on(&found) {
            let host = session.host();
            let second = || second_order::finish(session, goal, &mut model, &mut point, &start);
            // The best point is kept when it stops here, too.
            kind = stop::run_until_stopped(move || host.stop(), second)
                .ok()
                .flatten();
            go_on(&found);
        }
        let balanced = point.clone().balance(&model.multipliers);
        let verdict = match end {
            PointKind::Endless => Some(end),
            _ if !holds => None,
            _ if interrupted || passes >= MOST_PASSES => Some(PointKind::Stopped),
            _ if kind.is_some() => kind,
            _ if balanced.is_level(LEVEL) => Some(PointKind::Flat),
            PointKind::Flat => Some(PointKind::Stopped),
            _ => Some(end),
        };
        let price = |(multiplier, slopes): (&f64, &Vec<(usize, f64)>)| {
            let presses = multiplier.abs() * length(slopes) > PRESSES * (1.0 + point.value.abs());
            if presses { *multiplier } else { 0.0 }
        };
        let prices = model.multipliers.iter().zip(&point.excess_slopes);
        Minimum {
            multipliers: prices.map(price).collect(),
            steepest: balanced.steepest(),
            passes,
            interrupted,
            verdict,
            point,
        }
    })
}

/// A constraint whose multiplier changes less than this part of the target has no price: it is rounding.
const PRESSES: f64 = 1e-14;
