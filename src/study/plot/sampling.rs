//! Adaptive sampling: at which places a curve is evaluated. A grid of round numbers comes first and is refined where
//! the curve bends.
//!
//! Thresholds are relative to the curve's usual range of values, which leaves out poles. What is suspected here to be a
//! jump or a pole, `curve` examines more closely.

/// The least and the most intervals of a grid with a round step.
const ROUND: (usize, usize) = (300, 700);
/// The number of intervals if no round step fits.
const PLAIN: usize = 480;
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

/// The usual range of a curve's values: from the 5th to the 95th percentile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The lower end.
    low: f64,
    /// The distance from the lower to the upper end.
    pub spread: f64,
}

impl Scale {
    /// The range of a curve that was evaluated on an even grid.
    pub(crate) fn of(rows: &[Sample], curve: usize) -> Scale {
        let values = rows.iter().map(|row| row.values[curve]);
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let last = values.len().saturating_sub(1);
            values.get((part * last as f64).round() as usize).copied()
        };
        let between = |part: f64| Some((at(part)?, at(1.0 - part)? - at(part)?));
        let usual = between(0.05).filter(|(_, spread)| *spread > 0.0);
        let (low, spread) = usual.or_else(|| between(0.0)).unwrap_or((0.0, 0.0));
        Scale { low, spread }
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
        let by = (value - self.low) / self.spread;
        (-by).max(by - 1.0)
    }
}

/// The first places: round numbers if both ends of the range are round and there are at most `most` of them, else
/// evenly spaced.
pub(crate) fn grid((from, to): (f64, f64), most: usize) -> Vec<f64> {
    let round = round_steps(from, to).filter(|places| places.len() <= most);
    let mut places = round.unwrap_or_else(|| {
        let count = PLAIN.min(most.saturating_sub(1)).max(1);
        let between = |at: usize| {
            let part = at as f64 / count as f64;
            from * (1.0 - part) + to * part
        };
        let inner = (1..count).map(between);
        std::iter::once(from).chain(inner).chain([to]).collect()
    });
    // Between doubles that are close together there may be no others.
    places.dedup_by(|next, last| *next <= *last);
    places
}

/// The places from one round number to another in round steps: `-5, -4.98, -4.96, …`. Each is the double nearest to its
/// decimal form.
fn round_steps(from: f64, to: f64) -> Option<Vec<f64>> {
    let rough = (to - from) / ROUND.1 as f64;
    let exponent = rough.log10().floor();
    if !exponent.is_finite() || exponent.abs() > 290.0 {
        return None;
    }
    let exponent = exponent as i32;
    let steps = [
        (1, exponent),
        (2, exponent),
        (25, exponent - 1),
        (5, exponent),
        (1, exponent + 1),
        (2, exponent + 1),
    ];
    steps.into_iter().find_map(|(step, exponent)| {
        let decimal = |count: i64| format!("{}e{exponent}", count * step).parse::<f64>().ok();
        let size = decimal(1)?;
        let (first, last) = ((from / size).round(), (to / size).round());
        if !(first.abs() < 1e9 && last.abs() < 1e9) {
            return None;
        }
        let (first, last) = (first as i64, last as i64);
        let fits = decimal(first)? == from && decimal(last)? == to;
        let count = usize::try_from(last - first).ok()?;
        (fits && (ROUND.0..=ROUND.1).contains(&count))
            .then(|| (first..=last).filter_map(decimal).collect())
    })
}

/// The intervals worth halving: those on both sides of a bend.
pub(crate) fn bent(rows: &[Sample], scales: &[Scale]) -> Vec<usize> {
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
