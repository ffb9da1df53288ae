//! Chooses the window of a plot, which is the part of the plane that the plot shows, and finds the places of points in it.
//!
//! For a curve with breaks, the height comes from `Curve::usual`, so that a pole is cut off and does not flatten
//! everything else. Lines and tangents are clipped to the window here, too.

use chainrule_report::{Calendar, Curve, Direction, Plot, Scale, Tangent, extent};

/// The fraction of the height that is added above and below the usual range if the rest is cut off.
const MARGIN: f64 = 0.25;
/// The room at the edges of a plot of lines, which may touch the frame at their ends, as a fraction of the range.
pub(super) const LINE_EDGE: f64 = 0.04;
/// The room at the edges of a plot with dots, which must not touch the frame.
const DOT_EDGE: f64 = 0.06;
/// The room in a low frame below another one, where a dot takes a larger fraction of the height.
const LOW_DOT_EDGE: f64 = 0.13;
/// Beside dots or bars, no line through 0 is drawn within this fraction of the frame, because it would look like a mistake.
const NO_ZERO_LINE: f64 = 0.1;
/// The space before the first class and after the last one. Classes are 1 apart.
const CLASS_SPACE: f64 = 0.5;
/// Heights smaller than this, relative to the values, are rounding errors.
const NOISE: f64 = 1e-13;
/// Heights and values smaller than this have too few digits to be divided into ticks.
const TINY: f64 = f64::MIN_POSITIVE * 1024.0;
/// The foot of the bars of a histogram on a logarithmic axis: a half, whose logarithm this is.
const HALF_COUNT: f64 = -std::f64::consts::LOG10_2;
/// The farthest place outside the window, in parts of the height. Points that are farther outside move here.
const FAR: f64 = 1e6;

/// An axis of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChartAxis {
    /// The coordinates of its two ends. The first one, at the left or below, is the larger one if the axis runs down.
    pub range: (f64, f64),
    pub scale: Scale,
    /// If its numbers are dates, the time from which they count.
    pub dates: Option<Calendar>,
    /// Whether its numbers stand for words.
    pub has_words: bool,
    /// The fraction of the axis at each end where no line through 0 is drawn.
    pub unlined: f64,
}

impl ChartAxis {
    /// The fraction of the axis before a coordinate.
    pub(crate) fn fraction(&self, coordinate: f64) -> f64 {
        let (from, to) = self.range;
        // Quarters are subtracted, because the difference of two doubles may overflow.
        let whole = to / 4.0 - from / 4.0;
        if whole == 0.0 {
            return 0.5;
        }
        (coordinate / 4.0 - from / 4.0) / whole
    }

    /// The coordinates of the lower end and of the upper one.
    pub(crate) fn limits(&self) -> (f64, f64) {
        let (from, to) = self.range;
        (from.min(to), from.max(to))
    }

    /// The fraction of the axis before a number; NaN if the axis is logarithmic and the number has no logarithm.
    pub(crate) fn fraction_before(&self, number: f64) -> f64 {
        self.fraction(self.scale.coordinate(number))
    }

    /// The change of a number along a quarter of the axis, at its rate of change there.
    pub(crate) fn stretch(&self, number: f64) -> f64 {
        let (from, to) = self.range;
        // The derivative of the number with respect to its coordinate.
        let rate = match self.scale {
            Scale::Linear => 1.0,
            Scale::Logarithmic => number * std::f64::consts::LN_10,
        };
        rate * (to / 4.0 - from / 4.0)
    }

    /// The fraction of the axis before the line through 0, if it has this line. An axis of dates or words has none, because
    /// its 0 is a date or a word like the others.
    pub(crate) fn zero(&self) -> Option<f64> {
        let zero = self.fraction(0.0);
        let is_number = self.dates.is_none() && !self.has_words;
        let is_inside = zero > self.unlined && zero < 1.0 - self.unlined;
        (is_number && self.scale == Scale::Linear && is_inside).then_some(zero)
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
    /// The window of a plot, which may stand below another one.
    pub(crate) fn of(plot: &Plot, is_below: bool) -> Window {
        let has_dots = plot.curves.iter().any(|curve| curve.has_dots);
        let has_figures = has_dots || foot_of_bars(plot).is_some();
        let unlined = if has_figures { NO_ZERO_LINE } else { 0.0 };
        let edge = match (has_dots, is_below) {
            (false, _) => LINE_EDGE,
            (true, false) => DOT_EDGE,
            (true, true) => LOW_DOT_EDGE,
        };
        let across_range = range_across(plot, has_dots);
        let has_dates =
            |dates: &Calendar| plot.across_scale == Scale::Linear && dates.can_show(across_range);
        let across = ChartAxis {
            range: directed(across_range, plot.directions.0),
            scale: plot.across_scale,
            dates: plot.dates.filter(has_dates),
            has_words: !plot.words_across.is_empty(),
            unlined,
        };
        let up_range = match plot.up_range {
            Some(up) => plot.up_scale.coordinates(up),
            None if is_below => symmetric(range_up(plot, across, edge)),
            None => range_up(plot, across, edge),
        };
        let up = ChartAxis {
            range: directed(up_range, plot.directions.1),
            scale: plot.up_scale,
            dates: None,
            has_words: !plot.words_up.is_empty(),
            unlined,
        };
        Window { across, up }
    }

    /// The place of a point in parts of width and height. It is finite, even for a point far outside the window. A NaN,
    /// also one from a logarithm, is placed far below.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        // `max` returns the limit if the place is NaN.
        let fraction =
            |axis: &ChartAxis, number| axis.fraction_before(number).max(-FAR).clamp(-FAR, FAR);
        (fraction(&self.across, x), fraction(&self.up, y))
    }

    /// The places of points in parts of width and height.
    pub(crate) fn places(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().map(|&point| self.place(point)).collect()
    }

    /// The two ends of a tangent, which extends by the fraction `reach` to both sides, but not beyond the window.
    pub(crate) fn tangent(&self, tangent: &Tangent, reach: f64) -> Option<[(f64, f64); 2]> {
        let (x, y) = self.place((tangent.at, tangent.value));
        // The slope of the curve as it is drawn, by the chain rule.
        let width = self.across.stretch(tangent.at);
        let height = self.up.stretch(tangent.value);
        let slope = tangent.slope * (width / height);
        let (left, right) = ((x - reach).max(0.0), (x + reach).min(1.0));
        if !slope.is_finite() || !y.is_finite() || left >= right {
            return None;
        }
        let end = |side: f64| (side, y + slope * (side - x));
        clip(end(left), end(right))
    }
}

/// The range of the horizontal axis, with room at the edges for dots.
fn range_across(plot: &Plot, has_dots: bool) -> (f64, f64) {
    let range = plot.across_scale.coordinates(plot.range);
    if plot.is_range_typed || plot.map.is_some() {
        range
    } else if !plot.words_across.is_empty() {
        (range.0 - CLASS_SPACE, range.1 + CLASS_SPACE)
    } else if has_dots {
        pad(range, DOT_EDGE)
    } else {
        range
    }
}

/// The range of the vertical axis that the curves need.
fn range_up(plot: &Plot, across: ChartAxis, edge: f64) -> (f64, f64) {
    let range = extent(curve_heights(plot, across)).unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
    let (padded_low, padded_high) = pad(widen_for_bands(plot, range), edge);
    // Bars stand on the frame.
    (foot_of_bars(plot).unwrap_or(padded_low), padded_high)
}

/// The ends of an axis in their order.
fn directed((low, high): (f64, f64), direction: Direction) -> (f64, f64) {
    match direction {
        Direction::Ascending => (low, high),
        Direction::Descending => (high, low),
    }
}

/// A range around 0 that contains another one.
fn symmetric((low, high): (f64, f64)) -> (f64, f64) {
    let farthest = low.abs().max(high.abs());
    (-farthest, farthest)
}

/// The heights of the points and the error bars, as coordinates. Points beyond a cut move to the cut.
fn curve_heights(plot: &Plot, across: ChartAxis) -> Vec<f64> {
    let height = |y: f64| plot.up_scale.coordinate(y);
    let mut heights = Vec::new();
    for curve in &plot.curves {
        let limits = cut_off(curve, plot.up_scale);
        let is_on_axis = |(x, _): &&(f64, f64)| across.fraction_before(*x).is_finite();
        let points = curve.points.iter().filter(is_on_axis);
        let of_points = points.map(|(_, y)| height(*y)).filter(|y| y.is_finite());
        heights.extend(of_points.map(|y| y.clamp(limits.0, limits.1)));
        let bars = curve.error_bars((plot.across_scale, plot.up_scale));
        let ends = bars.flatten().map(|(_, end)| height(end));
        heights.extend(ends.filter(|y| y.is_finite()));
    }
    heights
}

/// The range of the curves, widened for their bands, but only by a margin: a wide band must not flatten its curve.
fn widen_for_bands(plot: &Plot, (low, high): (f64, f64)) -> (f64, f64) {
    let margin = MARGIN * (high - low);
    let mut range = (low, high);
    let scales = (plot.across_scale, plot.up_scale);
    let bands = plot.curves.iter().flat_map(|curve| curve.band(scales));
    for (_, side) in bands.flatten().flatten() {
        let y = plot.up_scale.coordinate(side);
        if y.is_finite() {
            range.0 = range.0.min(y.max(low - margin));
            range.1 = range.1.max(y.min(high + margin));
        }
    }
    range
}

/// The coordinate of the foot of the bars; `None` if the plot has no bars.
fn foot_of_bars(plot: &Plot) -> Option<f64> {
    let has_bars = plot.curves.iter().any(|curve| !curve.edges.is_empty());
    has_bars.then_some(match plot.up_scale {
        Scale::Linear => 0.0,
        Scale::Logarithmic => HALF_COUNT,
    })
}

/// The heights beyond which a curve is cut off, because it has a pole; infinities if it has none.
fn cut_off(curve: &Curve, scale: Scale) -> (f64, f64) {
    match curve.usual.map(|usual| scale.coordinates(usual)) {
        Some((low, high)) if low < high => {
            let margin = MARGIN * (high - low);
            (low - margin, high + margin)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// Whether a place is in the window, in parts of width and height.
pub(crate) fn inside((x, y): (f64, f64)) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}

/// The part of a line that is in the window, in parts of width and height: the Liang-Barsky algorithm.
pub(crate) fn clip(from: (f64, f64), to: (f64, f64)) -> Option<[(f64, f64); 2]> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    // The rate at which the line approaches each side, and the room before that side.
    let sides = [
        (-dx, from.0),
        (dx, 1.0 - from.0),
        (-dy, from.1),
        (dy, 1.0 - from.1),
    ];
    for (speed, room) in sides {
        if speed == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            first = first.max(room / speed);
        } else {
            last = last.min(room / speed);
        }
    }
    let place = |fraction: f64| (from.0 + fraction * dx, from.1 + fraction * dy);
    (first <= last).then(|| [place(first), place(last)])
}

/// The range with room at the edges, as a fraction of the range. A range of one number becomes a range around this number.
pub(super) fn pad((low, high): (f64, f64), edge: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    let height = high - low;
    if height.is_infinite() {
        return (low, high);
    }
    if !(height > NOISE * size && height > TINY) {
        let around = if size > TINY {
            (size / 4.0).min(f64::MAX / 8.0)
        } else {
            1.0
        };
        return (low - around, high + around);
    }
    let room = edge * height;
    let (mut from, mut to) = (low - room, high + room);
    // A line through 0 very close to the frame would look like a mistake, so the frame moves to 0, unless it would then
    // touch a dot.
    let has_dots = edge > LINE_EDGE;
    let least = if has_dots { room / 2.0 } else { 0.0 };
    if low > least && from < 0.0 {
        from = 0.0;
    }
    if high < -least && to > 0.0 {
        to = 0.0;
    }
    (from.max(-f64::MAX), to.min(f64::MAX))
}
