//! Chooses among solutions that fit equally well: amplitudes are positive, and phases are as small as possible.

use std::f64::consts::PI;

use super::linear_leaves::KeptSlopes;
use crate::search::differences::Differences;
use crate::search::least_squares::Residuals as _;
use crate::search::linear::{add_multiple, norm};

/// Half a turn of a phase in radians, in turns, and in degrees.
const HALF_TURNS: [f64; 3] = [PI, 0.5, 180.0];
/// Two models are the same if their values differ by at most this fraction of the length of the values.
const SAME_MODEL: f64 = 1e-7;

/// Returns a point that fits as well as `found`, at which amplitudes that began positive are positive, and phases are as
/// small as possible. `None` if `found` is such a point.
pub(super) fn tidy_signs(
    system: &mut Differences,
    begun: &[f64],
    found: &[f64],
) -> Option<Vec<f64>> {
    let all: Vec<usize> = (0..found.len()).collect();
    let slopes = KeptSlopes::of(system, &[begun.to_vec(), found.to_vec()]);
    let linear = slopes.linear_leaves();
    let mut point = found.to_vec();
    for &factor in &linear {
        // The derivative by the factor of a term depends on the phase of the term.
        let mut curved = all.clone();
        curved.retain(|leaf| !linear.contains(leaf) && !slopes.keeps(*leaf, factor));
        for leaf in curved {
            let is_odd = point[factor] < 0.0 && begun[factor] >= 0.0;
            let better = HALF_TURNS.iter().find_map(|&half_turn| {
                with_smallest_phase(system, &point, [factor, leaf], half_turn, is_odd)
            });
            point = better.unwrap_or(point);
        }
    }
    (point != found).then_some(point)
}

/// Returns the point with the smallest phase at which the model is the same, if that is another point. If the number of
/// half turns between the two `is_odd`, the factor changes its sign.
fn with_smallest_phase(
    system: &mut Differences,
    point: &[f64],
    [factor, phase]: [usize; 2],
    half_turn: f64,
    is_odd: bool,
) -> Option<Vec<f64>> {
    let turned = |half_turns: f64| {
        let mut other = point.to_vec();
        other[phase] -= half_turns * half_turn;
        if half_turns % 2.0 != 0.0 {
            other[factor] = -other[factor];
        }
        other
    };
    let odd = f64::from(u8::from(is_odd));
    let half_turns = 2.0 * ((point[phase] / half_turn - odd) / 2.0).round() + odd;
    let other = turned(half_turns);
    let mut bounds = other.iter().zip(&system.bounds);
    let is_inside = bounds.all(|(data, (low, high))| low <= data && data <= high);
    // A frequency may differ by whole turns between the points of the data, and is no phase: half a turn shows it.
    let is_possible = half_turns != 0.0 && is_inside && is_same_model(system, point, &turned(1.0));
    (is_possible && is_same_model(system, point, &other)).then_some(other)
}

/// Returns whether the model has the same values at two points.
pub(super) fn is_same_model(system: &mut Differences, one: &[f64], other: &[f64]) -> bool {
    let mut difference = system.values(other);
    add_multiple(&mut difference, -1.0, &system.values(one));
    norm(&difference) <= SAME_MODEL * norm(&system.left)
}
