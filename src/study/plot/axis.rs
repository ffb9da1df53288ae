//! An axis along which an expression is sampled: linear, or logarithmic.
//!
//! Places on the axis are numbers, or the decimal logarithms of numbers. The ends stay exactly as the user typed them.

/// A range of numbers, and the scale along it.
#[derive(Clone, Copy, Debug)]
pub struct SampleAxis {
    /// Its first and its last number.
    pub range: (f64, f64),
    /// Whether equal distances are equal factors. Both ends are above 0 then.
    pub is_logarithmic: bool,
}

impl SampleAxis {
    /// Returns the two ends as places on the axis.
    pub(crate) fn ends(&self) -> (f64, f64) {
        let (from, to) = self.range;
        if self.is_logarithmic {
            (from.log10(), to.log10())
        } else {
            self.range
        }
    }

    /// Returns the number at a place on the axis.
    pub(crate) fn data(&self, place: f64) -> f64 {
        if !self.is_logarithmic {
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

    /// Returns the ends of `intervals` intervals of one length, as places on the axis.
    pub(crate) fn places(&self, intervals: usize) -> Vec<f64> {
        let (first, last) = self.ends();
        let width = last / 2.0 - first / 2.0;
        let inner = (1..intervals).map(|at| {
            let part = at as f64 / intervals as f64;
            nearest_decimal(first * (1.0 - part) + last * part, width)
        });
        let all = std::iter::once(first).chain(inner).chain([last]);
        let mut places: Vec<f64> = all.collect();
        places.dedup_by(|next, place| *next <= *place);
        places
    }
}

/// Returns the decimal number that a place stands for. Steps such as 0.08 add up to 0.24000000000000005, and the decimal
/// number 0.24 is close by. Six digits more than the width has are enough for any grid.
fn nearest_decimal(place: f64, width: f64) -> f64 {
    let decimals = 6.0 - width.log10().floor();
    if !(0.0..=300.0).contains(&decimals) {
        return place;
    }
    let text = format!("{place:.*}", decimals as usize);
    match text.parse::<f64>() {
        Ok(decimal) if (decimal - place).abs() <= 1e-12 * width => decimal,
        _ => place,
    }
}
