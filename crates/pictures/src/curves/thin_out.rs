//! Chooses the dots that a chart draws if there are very many. The extremes stay, so a chart still shows how far its points
//! reach and where outliers lie.

use std::collections::HashSet;

use super::window::inside;
use chainrule_report::Curve;

/// The most upright stripes of a chart. The extremes of each stripe stay.
const MOST_STRIPES: usize = 1_000;

/// At most this many dots of a curve, with their deviations: all of them, or a choice of those inside the window. `places`
/// are those of its points as fractions of width and height.
pub(super) fn thin_out(curve: &Curve, places: &[(f64, f64)], most: usize) -> Curve {
    if places.len() <= most {
        return curve.clone();
    }
    let kept = kept_dots(places, most);
    let pick = |all: &[f64]| -> Vec<f64> {
        let known = kept.iter().filter_map(|at| all.get(*at));
        known.copied().collect()
    };
    Curve {
        points: kept.iter().map(|at| curve.points[*at]).collect(),
        deviations: pick(&curve.deviations),
        deviations_across: pick(&curve.deviations_across),
        has_dots: true,
        ..Curve::default()
    }
}

/// The indices of the places to keep, ascending: the lowest and the highest of each upright stripe, and an even choice of
/// the others. An outlier to a side is the only one in its stripe.
fn kept_dots(places: &[(f64, f64)], most: usize) -> Vec<usize> {
    let stripes = (most / 4).clamp(1, MOST_STRIPES);
    let mut ends: Vec<Option<[usize; 2]>> = vec![None; stripes + 1];
    let mut kept: Vec<usize> = (0..places.len()).filter(|at| inside(places[*at])).collect();
    for &at in &kept {
        let (x, y) = places[at];
        let [low, high] = ends[(x * stripes as f64) as usize].get_or_insert([at, at]);
        if y < places[*low].1 {
            *low = at;
        }
        if y > places[*high].1 {
            *high = at;
        }
    }
    let extremes: HashSet<usize> = ends.into_iter().flatten().flatten().collect();
    // Every n-th point would meet the rhythm of periodic data.
    kept.sort_by_cached_key(|at| (!extremes.contains(at), scrambled(*at as u64)));
    kept.truncate(most);
    kept.sort_unstable();
    kept
}

/// A number whose bits depend on all bits of another one: the last steps of `SplitMix64` (Steele, Lea and Flood, 2014).
fn scrambled(number: u64) -> u64 {
    let first = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    second ^ (second >> 31)
}
