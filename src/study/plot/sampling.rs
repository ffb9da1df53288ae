//! Adaptive sampling: the places at which a curve is evaluated. An even grid comes first and is refined where the curve
//! bends.
//!
//! Thresholds are relative to the curve's usual range of values, which leaves out poles. `curve` examines more closely
//! what is suspected here to be a jump or a pole.

use chainrule_report::usual_range;

/// A bend of at least this part of the usual range is refined.
const BEND: f64 = 1.0 / 800.0;
/// A change of more than this part of the usual range between neighbours may be a jump.
const JUMP: f64 = 1.0 / 250.0;
/// Values this many ranges away from the usual ones are not refined, because they will be cut off.
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
    /// The range of a curve that was evaluated on an even grid.
    pub(crate) fn of(rows: &[Sample], curve: usize) -> Scale {
        let values = rows.iter().map(|row| row.values[curve]);
        let range = usual_range(values).unwrap_or_default();
        let spread = range.1 - range.0;
        Scale { range, spread }
    }

    /// Whether there may be a jump, or the end of where the curve has values, between two neighbours.
    pub(crate) fn suspects(&self, left: &Sample, right: &Sample, curve: usize) -> bool {
        let (left, right) = (left.values[curve], right.values[curve]);
        match (left.is_finite(), right.is_finite()) {
            (true, true) => (right - left).abs() > JUMP * self.spread,
            (left, right) => left != right,
        }
    }

    /// Whether the middle sample is outside the range, and farther than its neighbours: possibly a pole.
    pub(crate) fn peaks(&self, three: &[Sample], curve: usize) -> bool {
        let [left, top, right] = [0, 1, 2].map(|at| three[at].values[curve]);
        let all = left.is_finite() && top.is_finite() && right.is_finite();
        let higher = top.abs() >= left.abs() && top.abs() > right.abs();
        let same_sign = left.signum() == top.signum() && right.signum() == top.signum();
        all && higher && same_sign && self.off(top) > 1.0
    }

    /// Whether a change is large enough to be seen.
    pub(crate) fn bends(&self, by: f64) -> bool {
        by > BEND * self.spread && by.is_finite()
    }

    /// How many ranges a value is away from the usual ones; negative within the range.
    fn off(&self, value: f64) -> f64 {
        let by = (value - self.range.0) / self.spread;
        (-by).max(by - 1.0)
    }
}

/// The intervals worth halving: those on both sides of a bend.
pub(crate) fn intervals_to_split(rows: &[Sample], scales: &[Scale]) -> Vec<usize> {
    let mut split = vec![false; rows.len()];
    for (at, three) in rows.windows(3).enumerate() {
        let part = (three[1].place - three[0].place) / (three[2].place - three[0].place);
        let bends = |(curve, scale): (usize, &Scale)| {
            let [left, middle, right] = [0, 1, 2].map(|at| three[at].values[curve]);
            let off = (middle - (left * (1.0 - part) + right * part)).abs();
            let near = [left, middle, right]
                .iter()
                .any(|value| scale.off(*value) < FAR);
            near && scale.bends(off)
        };
        if scales.iter().enumerate().any(bends) {
            split[at] = true;
            split[at + 1] = true;
        }
    }
    (0..rows.len()).filter(|at| split[*at]).collect()
}

/// The number halfway between two, unless these are neighbouring doubles.
pub(crate) fn middle(left: f64, right: f64) -> Option<f64> {
    let middle = left / 2.0 + right / 2.0;
    (left < middle && middle < right).then_some(middle)
}
