//! An axis along which something is sampled: even, or logarithmic.
//!
//! Places on the axis are numbers, or the decimal logarithms of numbers; the ends stay exactly as they were typed.

/// A range, and whether equal distances along it are equal factors.
#[derive(Clone, Copy, Debug)]
pub struct SampleAxis {
    /// From where to where.
    pub range: (f64, f64),
    /// Both ends are above 0 then.
    pub logarithmic: bool,
}

impl SampleAxis {
    /// The two ends as places on the axis.
    pub(crate) fn ends(&self) -> (f64, f64) {
        let (from, to) = self.range;
        if self.logarithmic {
            (from.log10(), to.log10())
        } else {
            self.range
        }
    }

    /// The number at a place on the axis.
    pub(crate) fn data(&self, place: f64) -> f64 {
        if !self.logarithmic {
            return place;
        }
        let (first, last) = self.ends();
        if place <= first {
            self.range.0
        } else if place >= last {
            self.range.1
        } else {
            10_f64.powf(place).clamp(self.range.0, self.range.1)
        }
    }

    /// The ends of `intervals` intervals of one length, as places on the axis.
    pub(crate) fn places(&self, intervals: usize) -> Vec<f64> {
        let (first, last) = self.ends();
        let width = last / 2.0 - first / 2.0;
        let decimals = 6.0 - width.log10().floor();
        let between = |at: usize| {
            let part = at as f64 / intervals as f64;
            let place = first * (1.0 - part) + last * part;
            if !(0.0..=300.0).contains(&decimals) {
                return place;
            }
            // Steps like 0.08 add up to 0.24000000000000005: the decimal that was meant is close by.
            let round = format!("{place:.*}", decimals as usize).parse();
            let round = round
                .ok()
                .filter(|round: &f64| (round - place).abs() <= 1e-12 * width);
            round.unwrap_or(place)
        };
        let inner = (1..intervals).map(between);
        let places = std::iter::once(first).chain(inner).chain([last]);
        let mut places: Vec<f64> = places.collect();
        places.dedup_by(|next, last| *next <= *last);
        places
    }
}
