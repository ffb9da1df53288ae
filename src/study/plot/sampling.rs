//! Adaptive sampling: chooses the places at which a curve is evaluated. A regular grid comes first, and is refined at the
//! bends of the curve.
//!
//! Thresholds are relative to the curve's usual range of values, which leaves out poles. This file finds the intervals that
//! may have a jump or a pole, and `curve` examines them.

use chainrule_report::usual_range;

/// A bend of at least this part of the usual range is refined: in a picture of some 400 pixels, half a pixel.
const BEND: f64 = 1.0 / 800.0;
/// A change of more than this part of the usual range between neighbours may be a jump: between one and two pixels.
const JUMP: f64 = 1.0 / 250.0;
/// Values this many ranges away from the usual ones are not refined, because the picture cuts them off.
const FAR: f64 = 20.0;

/// A place and the values of all curves there.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The place.
    pub place: f64,
    /// The values.
    pub values: Vec<f64>,
}

/// The usual range of a curve's values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The lower and the upper end.
    pub range: (f64, f64),
    /// The distance between them.
    pub spread: f64,
}

impl Scale {
    /// Returns the usual range of a curve on a regular grid.
    pub(crate) fn of(rows: &[Sample], curve: usize) -> Scale {
        let values = rows.iter().map(|row| row.values[curve]);
        let range = usual_range(values).unwrap_or_default();
        let spread = range.1 - range.0;
        Scale { range, spread }
    }

    /// Returns whether the curve may jump, or its values begin or end, between two neighbours.
    pub(crate) fn may_jump(&self, left: &Sample, right: &Sample, curve: usize) -> bool {
        let [before, after] = [left, right].map(|sample| sample.values[curve]);
        match (before.is_finite(), after.is_finite()) {
            (true, true) => (after - before).abs() > JUMP * self.spread,
            (has_left, has_right) => has_left != has_right,
        }
    }

    /// Returns whether the middle sample is outside the range, and farther than its neighbours: there may be a pole.
    pub(crate) fn may_have_pole(&self, three: &[Sample], curve: usize) -> bool {
        let [left, top, right] = [0, 1, 2].map(|at| three[at].values[curve]);
        let are_finite = left.is_finite() && top.is_finite() && right.is_finite();
        let is_peak = top.abs() >= left.abs() && top.abs() > right.abs();
        let have_one_sign = left.signum() == top.signum() && right.signum() == top.signum();
        are_finite && is_peak && have_one_sign && self.ranges_away(top) > 1.0
    }

    /// Returns whether a change can be seen.
    pub(crate) fn is_visible(&self, change: f64) -> bool {
        change > BEND * self.spread && change.is_finite()
    }

    /// Returns how many ranges a value is away from the usual ones; a negative number within the range.
    fn ranges_away(&self, value: f64) -> f64 {
        let part = (value - self.range.0) / self.spread;
        (-part).max(part - 1.0)
    }
}

/// Returns the intervals to halve: those on both sides of a bend.
pub(crate) fn intervals_to_split(rows: &[Sample], scales: &[Scale]) -> Vec<usize> {
    let mut split = vec![false; rows.len()];
    for (at, three) in rows.windows(3).enumerate() {
        let has_bend = |(curve, scale): (usize, &Scale)| bends(three, curve, scale);
        if scales.iter().enumerate().any(has_bend) {
            split[at] = true;
            split[at + 1] = true;
        }
    }
    (0..rows.len()).filter(|at| split[*at]).collect()
}

/// Returns whether a curve bends visibly at the middle one of three samples, and is not far outside of the picture.
fn bends(three: &[Sample], curve: usize, scale: &Scale) -> bool {
    let part = (three[1].place - three[0].place) / (three[2].place - three[0].place);
    let values = [0, 1, 2].map(|at| three[at].values[curve]);
    let [left, middle, right] = values;
    let on_line = left * (1.0 - part) + right * part;
    let is_near = values.iter().any(|value| scale.ranges_away(*value) < FAR);
    is_near && scale.is_visible((middle - on_line).abs())
}

/// Returns the number halfway between two, unless these are neighbouring doubles.
pub(crate) fn middle(left: f64, right: f64) -> Option<f64> {
    let middle = left / 2.0 + right / 2.0;
    (left < middle && middle < right).then_some(middle)
}
