//! The levels of a map: round numbers between its lowest and its highest values, and the shades between them.
//!
//! A few values far from all others do not count: a pole would take all levels for itself.

use crate::report::PlotMap;
use crate::view::number;
use crate::view::picture::curves::ticks;
use crate::view::picture::curves::window::logarithm;

/// The part of the values that may be left out at each end.
const LEFT_OUT: f64 = 0.03;
/// They are left out only if the whole is more than this many times as high as the rest.
const HIGHER: f64 = 3.0;

/// Of the places below a logarithmic level, at least one in so many has only such places around it.
const LEAST_INSIDE: usize = 4;
/// Digits of the only value.
const DIGITS: u8 = 6;

/// Levels, ascending, with their labels.
pub(super) struct MapLevels {
    pub values: Vec<f64>,
    pub labels: Vec<String>,
    /// The only value of a map without levels.
    pub only: Option<String>,
}

impl MapLevels {
    /// At most so many levels.
    pub(super) fn of(map: &PlotMap, most: usize) -> MapLevels {
        let (low, high) = usual_range(map);
        let (places, labels) = ticks::along(map.logarithmic, (low, high), most);
        let ticks = places.into_iter().zip(labels);
        let inner = ticks.filter(|(place, _)| low < *place && *place < high);
        let finite = || map.values.iter().copied().filter(|value| value.is_finite());
        let only = finite()
            .next()
            .filter(|first| finite().all(|value| value == *first))
            .map(|value| number::text(value, DIGITS));
        let (values, labels): (Vec<f64>, Vec<String>) = inner
            .map(|(place, label)| {
                let value = if map.logarithmic {
                    label.parse().unwrap_or_else(|_| 10_f64.powf(place))
                } else {
                    place
                };
                (value, label)
            })
            .filter(|(level, _)| !map.logarithmic || is_resolved(map, *level))
            .unzip();
        MapLevels {
            values,
            labels,
            only,
        }
    }

    /// How many levels a value reaches; none for NaN.
    pub(super) fn band(&self, value: f64) -> Option<usize> {
        (!value.is_nan()).then(|| self.values.partition_point(|level| *level <= value))
    }

    /// The shade of what reaches so many levels.
    pub(super) fn shade(&self, band: usize) -> u8 {
        if self.values.is_empty() {
            return 128;
        }
        (255.0 * band as f64 / self.values.len() as f64).round() as u8
    }

    /// The shade at a level itself: between those of its two sides.
    pub(super) fn shade_at(&self, level: usize) -> u8 {
        let (below, above) = (self.shade(level), self.shade(level + 1));
        below / 2 + above / 2
    }
}

/// Whether the grid is fine enough to show what lies below a level. A valley whose floor is no wider than the grid would
/// become a chain of islands; there, hardly a place has all its neighbours below the level, too.
fn is_resolved(map: &PlotMap, level: f64) -> bool {
    let (wide, high) = (map.across.places.len(), map.up.places.len());
    let is_below = |column: usize, row: usize| map.value(column, row) < level;
    let (mut below, mut inside) = (0, 0);
    for row in 0..high {
        for column in (0..wide).filter(|&column| is_below(column, row)) {
            let beside = [column.saturating_sub(1), (column + 1).min(wide - 1)];
            let over = [row.saturating_sub(1), (row + 1).min(high - 1)];
            let is_inside = beside.iter().all(|&column| is_below(column, row))
                && over.iter().all(|&row| is_below(column, row));
            below += 1;
            inside += usize::from(is_inside);
        }
    }
    inside * LEAST_INSIDE >= below
}

/// From the lowest to the highest value, in logarithms where the levels are logarithmic.
fn usual_range(map: &PlotMap) -> (f64, f64) {
    let values = map.values.iter().map(|value| {
        if map.logarithmic {
            logarithm(*value)
        } else {
            *value
        }
    });
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let at = |part: f64| {
        let place = (part * last as f64).round() as usize;
        values.get(place).copied().unwrap_or(0.0)
    };
    let ends = |part: f64| (at(part), at(1.0 - part));
    let height = |(low, high): (f64, f64)| high / 4.0 - low / 4.0;
    let (whole, usual) = (ends(0.0), ends(LEFT_OUT));
    if height(whole) > HIGHER * height(usual) && height(usual) > 0.0 {
        usual
    } else {
        whole
    }
}
