//! Samples expressions for `:plot`: curves over one leaf, and maps over two. The view draws them.
//!
//! An axis along which an expression is sampled is linear or logarithmic, and is divided into intervals. A place is the
//! coordinate of a number on the [`Scale`] of the axis. The first and the last number stay exactly as the user typed them.

mod curve;
mod map;
mod sampling;

pub use self::curve::{built_curve, gradient, sample_curves};
pub use self::map::{
    FINE_MAP_INTERVALS, FINEST_MAP_INTERVALS, MAP_INTERVALS, built_map, sample_map,
};

use chainrule_report::Scale;

/// A range of numbers, and the scale along it.
#[derive(Clone, Copy, Debug)]
pub struct SampleAxis {
    /// The first and the last number; the last one is not less than the first.
    pub range: (f64, f64),
    /// The scale. Both ends are above 0 if it is logarithmic.
    pub scale: Scale,
}

impl SampleAxis {
    /// Returns the places of the first and the last number.
    pub(crate) fn ends(&self) -> (f64, f64) {
        self.scale.coordinates(self.range)
    }

    /// Returns the number at a place on the axis.
    pub(crate) fn number_at(&self, place: f64) -> f64 {
        if self.scale == Scale::Linear {
            return place;
        }
        let (first, last) = self.ends();
        // The power of an end may differ from the end in its last digits.
        if place <= first {
            self.range.0
        } else if place >= last {
            self.range.1
        } else {
            10_f64.powf(place).clamp(self.range.0, self.range.1)
        }
    }

    /// Divides the axis into this many intervals of equal length, and returns their ends as places on the axis.
    pub(crate) fn places(&self, intervals: usize) -> Vec<f64> {
        let (first, last) = self.ends();
        // The whole width may overflow.
        let half_width = last / 2.0 - first / 2.0;
        let inner = (1..intervals).map(|index| {
            let fraction = index as f64 / intervals as f64;
            nearest_decimal(first * (1.0 - fraction) + last * fraction, half_width)
        });
        let all = std::iter::once(first).chain(inner).chain([last]);
        let mut places: Vec<f64> = all.collect();
        // Rounding can make neighbours on a very narrow axis equal.
        places.dedup_by(|next, place| *next <= *place);
        places
    }
}

/// Returns the short decimal number that a place has only missed by rounding, or else the place. Steps of 0.08 add up to
/// 0.24000000000000005, which means 0.24.
///
/// The last decimal that is tried is a millionth of the leading decimal place of `half_width`, far below the step of a
/// grid of some hundred intervals.
fn nearest_decimal(place: f64, half_width: f64) -> f64 {
    let decimals = 6.0 - half_width.log10().floor();
    // A text has at least 0 decimals, and doubles have hardly more than 300. For a width of 0 this is infinity.
    if !(0.0..=300.0).contains(&decimals) {
        return place;
    }
    let text = format!("{place:.*}", decimals as usize);
    match text.parse::<f64>() {
        // Rounding errors are smaller than this, and the decimals that were cut off are hardly ever.
        Ok(decimal) if (decimal - place).abs() <= 1e-12 * half_width => decimal,
        _ => place,
    }
}
