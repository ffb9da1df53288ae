//! An axis along which something is sampled: even, or logarithmic.
//!
//! Places on the axis are numbers, or the decimal logarithms of numbers; the ends stay exactly what was typed.

/// A range, and whether equal distances along it are equal factors.
#[derive(Clone, Copy, Debug)]
pub struct SampleAxis {
    /// From where to where.
    pub range: (f64, f64),
    /// Both ends are above 0 then.
    pub logarithmic: bool,
}

impl SampleAxis {
    /// An axis that is not logarithmic.
    pub fn even(range: (f64, f64)) -> SampleAxis {
        SampleAxis {
            range,
            logarithmic: false,
        }
    }

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

    /// So many intervals of one length: their ends as numbers, rounded to what the range was typed with.
    pub(crate) fn grid(&self, intervals: usize) -> Vec<f64> {
        let (first, last) = self.ends();
        let place = |at: usize| {
            let part = at as f64 / intervals as f64;
            if at == 0 {
                return self.range.0;
            }
            if at == intervals {
                return self.range.1;
            }
            let data = self.data(first * (1.0 - part) + last * part);
            // Steps like 0.08 add up to 0.24000000000000005: the decimal that was meant is close by.
            let width = (self.range.1 / 2.0 - self.range.0 / 2.0).abs();
            let exponent = width.log10().floor();
            let decimals = 6.0 - exponent;
            if self.logarithmic || !(-300.0..=300.0).contains(&exponent) || decimals < 0.0 {
                return data;
            }
            let round = format!("{data:.*}", decimals as usize).parse::<f64>();
            let round = round.unwrap_or(data);
            if (round - data).abs() <= 1e-12 * width {
                round
            } else {
                data
            }
        };
        let mut places: Vec<f64> = (0..=intervals).map(place).collect();
        places.dedup_by(|next, last| *next <= *last);
        places
    }
}
