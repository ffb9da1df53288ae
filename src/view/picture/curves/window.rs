//! The window of a plot: the part of the plane that it shows, and where in it things are.
//!
//! Poles are cut off instead of flattening everything else: where a curve breaks off or is infinite, the height follows
//! the values of most of its width. Ticks, pixels and characters are not known here.

use crate::report::Plot;
use crate::report::{Curve, Tangent};

/// How much of the width may be cut off above, and below.
const CUT: f64 = 0.05;
/// How much of the height is added above and below what is not cut off.
const MARGIN: f64 = 0.25;
/// Nothing is cut off unless the whole is more than this many times as high as what is left.
const HIGHER: f64 = 2.0;
/// How much of the height is left empty at the edges.
const EDGE: f64 = 0.04;
/// Heights smaller than this, relative to the values, are rounding errors.
const NOISE: f64 = 1e-13;
/// What is farther outside than this, in parts of the height, is drawn as if it were here.
const FAR: f64 = 1e6;

/// An axis of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChartAxis {
    /// From one end to the other, in logarithms if it is logarithmic.
    pub range: (f64, f64),
    pub logarithmic: bool,
}

impl ChartAxis {
    /// The axis of a range of numbers.
    pub(crate) fn of((from, to): (f64, f64), logarithmic: bool) -> ChartAxis {
        let range = (scaled(from, logarithmic), scaled(to, logarithmic));
        ChartAxis { range, logarithmic }
    }

    /// How far along it a place of the axis is: a number, or the logarithm of one.
    pub(crate) fn part(&self, place: f64) -> f64 {
        part(place, self.range)
    }

    /// How far along it a number is; NaN if it has no logarithm where one is needed.
    pub(crate) fn at(&self, number: f64) -> f64 {
        self.part(scaled(number, self.logarithmic))
    }

    /// Where the line through 0 is, if there is one.
    pub(crate) fn zero(&self) -> Option<f64> {
        let part = self.part(0.0);
        (!self.logarithmic && part > 0.0 && part < 1.0).then_some(part)
    }
}

/// The place of a number on an axis: the number or its decimal logarithm, NaN if there is none.
pub(crate) fn scaled(number: f64, logarithmic: bool) -> f64 {
    if !logarithmic {
        number
    } else if number > 0.0 {
        number.log10()
    } else {
        f64::NAN
    }
}

/// The part of the plane that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    /// From left to right.
    pub across: ChartAxis,
    /// From bottom to top.
    pub up: ChartAxis,
}

impl Window {
    /// The window of a plot.
    pub(crate) fn of(plot: &Plot) -> Window {
        let across = ChartAxis {
            range: across(plot),
            logarithmic: plot.logarithmic_across,
        };
        let logarithmic = plot.logarithmic;
        let range = plot.up.map(|up| ChartAxis::of(up, logarithmic).range);
        let up = ChartAxis {
            range: range.unwrap_or_else(|| up(plot, across)),
            logarithmic,
        };
        Window { across, up }
    }

    /// A point in parts of width and height, where what is far outside is kept to finite numbers; NaN if it is nowhere.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let right = self.across.at(x);
        if right.is_finite() && y.is_finite() {
            (right, self.up.at(y).clamp(-FAR, FAR))
        } else {
            (f64::NAN, f64::NAN)
        }
    }

    /// A curve in parts of width and height.
    pub(crate) fn places(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().map(|&point| self.place(point)).collect()
    }

    /// The ends of an error bar in parts of width and height; what has no logarithm is far below.
    pub(crate) fn error_bar(&self, ends: [(f64, f64); 2]) -> Vec<(f64, f64)> {
        let end = |(x, y)| match self.place((x, y)) {
            (_, up) if up.is_nan() => (self.across.at(x), -FAR),
            place => place,
        };
        ends.map(end).to_vec()
    }

    /// The line that touches the curve, `reach` to both sides and never beyond the window: its two ends.
    pub(crate) fn tangent(&self, tangent: &Tangent, reach: f64) -> Option<[(f64, f64); 2]> {
        let (x, y) = self.place((tangent.at, tangent.value));
        // The slope of the curve as it is drawn, by the chain rule.
        let stretched = |axis: ChartAxis, number: f64| {
            let (from, to) = axis.range;
            let scale = if axis.logarithmic {
                number * std::f64::consts::LN_10
            } else {
                1.0
            };
            scale * (to / 4.0 - from / 4.0)
        };
        let (width, height) = (
            stretched(self.across, tangent.at),
            stretched(self.up, tangent.value),
        );
        let slope = tangent.slope * (width / height);
        let (left, right) = ((x - reach).max(0.0), (x + reach).min(1.0));
        if !slope.is_finite() || !y.is_finite() || left >= right {
            return None;
        }
        let ends = [
            (left, y + slope * (left - x)),
            (right, y + slope * (right - x)),
        ];
        clipped(ends[0], ends[1])
    }
}

/// From left to right: the range, with room at the edges for dots.
fn across(plot: &Plot) -> (f64, f64) {
    let (from, to) = ChartAxis::of(plot.range, plot.logarithmic_across).range;
    let width = to - from;
    let has_dots = plot.curves.iter().any(|curve| curve.dots);
    if plot.ground.is_some() || !has_dots || width.is_infinite() {
        return (from, to);
    }
    if from == to {
        return padded(Extent(from, to));
    }
    let (wider_from, wider_to) = (from - EDGE * width, to + EDGE * width);
    (wider_from.max(-f64::MAX), wider_to.min(f64::MAX))
}

/// From bottom to top: what the curves need.
fn up(plot: &Plot, across: ChartAxis) -> (f64, f64) {
    let height = |y: f64| scaled(y, plot.logarithmic);
    let mut whole = Extent::NOTHING;
    let mut shown = Extent::NOTHING;
    for curve in &plot.curves {
        let points = curve.points.iter();
        let points = points.map(|&(x, y)| (scaled(x, across.logarithmic), height(y)));
        let (all, most) = extents(curve, &points.collect::<Vec<_>>(), across.range);
        whole = whole.and(all);
        shown = shown.and(most);
    }
    if whole.height() <= HIGHER * shown.height() {
        shown = whole;
    }
    for (_, end) in plot.curves.iter().flat_map(Curve::error_bars).flatten() {
        let end = height(end);
        if end.is_finite() {
            shown = shown.and(Extent(end, end));
        }
    }
    // The present point should be seen, if the rest stays readable.
    for tangent in &plot.present {
        let value = height(tangent.value);
        let wider = shown.and(Extent(value, value));
        let is_in = (0.0..=1.0).contains(&across.at(tangent.at)) && value.is_finite();
        if is_in && wider.height() <= HIGHER * shown.height() {
            shown = wider;
        }
    }
    padded(shown)
}

/// Whether a place is in the window, in parts of width and height.
pub(crate) fn inside((x, y): (f64, f64)) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}

/// The part of a line that is in the window, in parts of width and height.
pub(crate) fn clipped(from: (f64, f64), to: (f64, f64)) -> Option<[(f64, f64); 2]> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let sides = [
        (-dx, from.0),
        (dx, 1.0 - from.0),
        (-dy, from.1),
        (dy, 1.0 - from.1),
    ];
    for (by, room) in sides {
        if by == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if by < 0.0 {
            first = first.max(room / by);
        } else {
            last = last.min(room / by);
        }
    }
    let at = |part: f64| (from.0 + part * dx, from.1 + part * dy);
    (first <= last).then(|| [at(first), at(last)])
}

/// From the lowest to the highest.
#[derive(Clone, Copy, Debug)]
struct Extent(f64, f64);

impl Extent {
    const NOTHING: Extent = Extent(f64::INFINITY, f64::NEG_INFINITY);

    fn and(self, other: Extent) -> Extent {
        Extent(self.0.min(other.0), self.1.max(other.1))
    }

    /// A quarter of it: all of it may be larger than any number.
    fn height(self) -> f64 {
        self.1 / 4.0 - self.0 / 4.0
    }
}

/// All values of a curve, and those of most of its width where poles would be too high.
fn extents(curve: &Curve, points: &[(f64, f64)], across: (f64, f64)) -> (Extent, Extent) {
    let mut weighted: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    let mut whole = Extent::NOTHING;
    for (at, &(x, y)) in points.iter().enumerate() {
        if x.is_finite() && y.is_finite() {
            // A point stands for half of the way to its neighbours.
            let left = points[at.saturating_sub(1)].0.max(across.0);
            let right = points.get(at + 1).map_or(x, |next| next.0).min(across.1);
            weighted.push((y, right / 4.0 - left / 4.0));
            whole = whole.and(Extent(y, y));
        }
    }
    let ends = !curve.breaks.is_empty() || points.iter().any(|(_, y)| y.is_infinite());
    if curve.dots || !ends {
        return (whole, whole);
    }
    weighted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let reached = |weight: f64| {
        let mut sum = 0.0;
        let found = weighted.iter().find(|(_, own)| {
            sum += own;
            sum >= weight
        });
        found.or(weighted.last()).map_or(0.0, |(y, _)| *y)
    };
    let (low, high) = (reached(CUT * total), reached((1.0 - CUT) * total));
    let margin = (high - low) * MARGIN;
    let most = Extent((low - margin).max(whole.0), (high + margin).min(whole.1));
    if most.height() > 0.0 {
        (whole, most)
    } else {
        (whole, whole)
    }
}

/// With room at the edges; something around a constant.
fn padded(Extent(low, high): Extent) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    let height = high - low;
    if height.is_infinite() {
        return (low, high);
    }
    if !(height > NOISE * size && height > f64::MIN_POSITIVE * 1024.0) {
        let around = if size > f64::MIN_POSITIVE * 1024.0 {
            (size / 4.0).min(f64::MAX / 8.0)
        } else {
            1.0
        };
        return (low - around, high + around);
    }
    let (mut from, mut to) = (low - EDGE * height, high + EDGE * height);
    // An axis very close to the frame would look like a mistake.
    if low > 0.0 && from < 0.0 {
        from = 0.0;
    }
    if high < 0.0 && to > 0.0 {
        to = 0.0;
    }
    (from.max(-f64::MAX), to.min(f64::MAX))
}

fn part(value: f64, (from, to): (f64, f64)) -> f64 {
    // Quarters: a difference may be larger than any number.
    let whole = to / 4.0 - from / 4.0;
    if whole > 0.0 {
        (value / 4.0 - from / 4.0) / whole
    } else {
        0.5
    }
}
