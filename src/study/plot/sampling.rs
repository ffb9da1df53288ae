//! Finds the intervals of a sampled curve that need more samples: those with a bend, and those that may have a jump or
//! a pole.
//!
//! Thresholds are relative to the curve's usual range of values, which leaves out poles. `curve` evaluates the samples:
//! it begins with a regular grid, halves the intervals at bends, and examines those that may have a jump or a pole.

use chainrule_report::usual_range;

/// A bend of more than this fraction of the usual range is refined: in a picture of some 400 pixels, half a pixel.
const VISIBLE_CHANGE: f64 = 1.0 / 800.0;
/// A change of more than this fraction of the usual range between neighbours may be a jump: between one and two pixels.
const JUMP_CHANGE: f64 = 1.0 / 250.0;
/// A bend this many ranges away from the usual range is not refined, because the picture cuts it off.
const FAR_RANGES: f64 = 20.0;

/// The values of all curves at a place.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The place on the axis.
    pub place: f64,
    /// The value of each curve.
    pub values: Vec<f64>,
}

/// The usual range of a curve's values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveScale {
    /// The lower and the upper end.
    pub range: (f64, f64),
    /// The distance between them.
    pub spread: f64,
}

impl CurveScale {
    /// Returns the usual range of a curve on a regular grid. The range of a curve without finite values is 0 to 0.
    pub(crate) fn of(rows: &[Sample], curve: usize) -> CurveScale {
        let values = rows.iter().map(|row| row.values[curve]);
        let range = usual_range(values).unwrap_or_default();
        let spread = range.1 - range.0;
        CurveScale { range, spread }
    }

    /// Returns whether the curve may jump, or its values begin or end, between two neighbours.
    pub(crate) fn may_jump(&self, left: &Sample, right: &Sample, curve: usize) -> bool {
        let [before, after] = [left, right].map(|sample| sample.values[curve]);
        match (before.is_finite(), after.is_finite()) {
            (true, true) => (after - before).abs() > JUMP_CHANGE * self.spread,
            (has_left, has_right) => has_left != has_right,
        }
    }

    /// Returns whether there may be a pole at the middle one of three samples: its value is more than one range away
    /// from the usual range, and farther from 0 than the values of its neighbours, which have the same sign.
    pub(crate) fn may_have_pole(&self, three: &[Sample], curve: usize) -> bool {
        let [left, top, right] = [0, 1, 2].map(|at| three[at].values[curve]);
        let are_finite = left.is_finite() && top.is_finite() && right.is_finite();
        // Of two equal values the right one is the peak, so that a pole is not found twice.
        let is_peak = top.abs() >= left.abs() && top.abs() > right.abs();
        let have_one_sign = left.signum() == top.signum() && right.signum() == top.signum();
        are_finite && is_peak && have_one_sign && self.ranges_away(top) > 1.0
    }

    /// Returns whether a change can be seen in the picture.
    pub(crate) fn is_visible(&self, change: f64) -> bool {
        change > VISIBLE_CHANGE * self.spread && change.is_finite()
    }

    /// Returns the distance of a value from the usual range, in units of the range. It is negative within the range.
    fn ranges_away(&self, value: f64) -> f64 {
        let fraction = (value - self.range.0) / self.spread;
        (-fraction).max(fraction - 1.0)
    }
}

/// Returns the intervals to halve: those on both sides of a bend of some curve. Interval 0 begins at the first sample.
pub(crate) fn intervals_to_split(rows: &[Sample], scales: &[CurveScale]) -> Vec<usize> {
    let mut must_split = vec![false; rows.len()];
    for (left, three) in rows.windows(3).enumerate() {
        let bends = |(curve, scale): (usize, &CurveScale)| has_visible_bend(three, curve, scale);
        if scales.iter().enumerate().any(bends) {
            must_split[left] = true;
            must_split[left + 1] = true;
        }
    }
    (0..rows.len()).filter(|left| must_split[*left]).collect()
}

/// Returns whether a curve bends visibly at the middle one of three samples, and is not far outside of the picture.
fn has_visible_bend(three: &[Sample], curve: usize, scale: &CurveScale) -> bool {
    let fraction = (three[1].place - three[0].place) / (three[2].place - three[0].place);
    let values = [0, 1, 2].map(|at| three[at].values[curve]);
    let [left, middle, right] = values;
    let on_line = left * (1.0 - fraction) + right * fraction;
    let is_near = |value: &f64| scale.ranges_away(*value) < FAR_RANGES;
    values.iter().any(is_near) && scale.is_visible((middle - on_line).abs())
}

/// Returns the number halfway between two, or `None` if they are neighbouring doubles.
pub(crate) fn middle(left: f64, right: f64) -> Option<f64> {
    // The sum of both may overflow.
    let middle = left / 2.0 + right / 2.0;
    (left < middle && middle < right).then_some(middle)
}
