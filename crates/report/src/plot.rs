//! Plots that are ready to be drawn: the points of curves, or the values of a map, and the points marked on them.
//!
//! The views add axes, ticks and pixels. All connected curves of a plot have points at the same places; dots may be
//! anywhere. A map has a value at each place of a grid. `plot_data` makes facts and tables of plots for programs.

use std::fmt;
use std::ops::Range;

use super::{Calendar, Line};

/// The most dots that a picture draws. Of more, it draws the extremes and an even choice of the others.
pub const MOST_DOTS: usize = 20_000;

/// One or more curves over the same range, or dots on a map.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// The title, if one was typed; an empty one takes the place of the usual one.
    pub title: Option<String>,
    /// The label of the horizontal axis: the name of the leaf, the heading of a column, or `step`.
    pub across: String,
    /// If the numbers of the horizontal axis are dates, the time from which they count.
    pub dates: Option<Calendar>,
    /// The label of the vertical axis; if it is empty, the curves name it.
    pub upwards: String,
    /// The words for which the numbers of the horizontal axis stand, if they are classes.
    pub words_across: Vec<ClassWord>,
    /// The words for which the numbers of the vertical axis stand.
    pub words_up: Vec<ClassWord>,
    /// The range of the horizontal axis.
    pub range: (f64, f64),
    /// Whether the range of the horizontal axis was typed, or given to its leaves. It gets no room at its ends then.
    pub is_range_typed: bool,
    /// Whether the label of the horizontal axis was typed. If not, the label of an axis of dates gets the range as well.
    pub is_label_typed: bool,
    /// The curves, in the order they were given.
    pub curves: Vec<Curve>,
    /// The points of the curves at the present value of the leaf, with the tangents there.
    pub present: Vec<Tangent>,
    /// The scale of the vertical axis. Values without a place on the axis are not drawn.
    pub up_scale: Scale,
    /// The scale of the horizontal axis. If it is logarithmic, the whole range is above 0.
    pub across_scale: Scale,
    /// The directions of the horizontal axis and of the vertical one.
    pub directions: (Direction, Direction),
    /// Remarks about the present points, or about the steps. The terminal writes them below the plot.
    pub remarks: Vec<Line>,
    /// The range of the vertical axis, if it was typed or given to its leaves, or the plot is a map.
    pub up_range: Option<(f64, f64)>,
    /// The size, if the user typed one.
    pub size: Option<PlotSize>,
    /// A map, on which all curves are drawn. `up_range` is given then.
    pub map: Option<Box<PlotMap>>,
    /// A second plot, drawn below over the same range: residuals.
    pub below: Option<Box<Plot>>,
}

/// The scale of an axis, or of the levels of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal factors, so only numbers above 0 have a place.
    Logarithmic,
}

/// The direction in which the numbers of an axis grow. A spectrum may have the larger ones at the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// To the right or upwards.
    #[default]
    Ascending,
    /// To the left or downwards.
    Descending,
}

/// A typed size: pixels of a file, columns and rows of a terminal.
#[derive(Clone, Copy, Debug)]
pub struct PlotSize {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// Whether it is a size for print.
    pub is_for_print: bool,
}

/// The number of a class and the word for which it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassWord {
    /// The number.
    pub number: f64,
    /// The word.
    pub word: String,
}

/// A map: the values of an expression over two leaves.
#[derive(Clone, Debug, Default)]
pub struct PlotMap {
    /// The label: the expression as typed.
    pub label: String,
    /// The formula behind the label if the label is only a name; otherwise empty.
    pub formula: String,
    /// The horizontal places of the grid, ascending.
    pub columns: Vec<f64>,
    /// The vertical places of the grid, ascending.
    pub rows: Vec<f64>,
    /// The values, row by row from the bottom, each row from left to right. A place without a value has NaN.
    pub values: Vec<f64>,
    /// The scale of the levels. Values without a place on a logarithmic scale are below all levels.
    pub level_scale: Scale,
    /// The present point.
    pub present: Option<PresentPoint>,
    /// The points that `:step` has visited, from the first to the last.
    pub path: Vec<(f64, f64)>,
    /// The level that separates classes.
    pub boundary: Option<f64>,
}

/// The present point of a map.
#[derive(Clone, Copy, Debug)]
pub struct PresentPoint {
    /// The present values of the two leaves.
    pub at: (f64, f64),
    /// The value there.
    pub value: f64,
    /// The derivatives with respect to the two leaves.
    pub grad: (f64, f64),
}

/// A curve: its label and its points.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The label: the expression as typed.
    pub label: String,
    /// The words of the legend, if they were typed.
    pub legend: Option<String>,
    /// The formula behind the label if the label is only a name: `3*x^2 - 4*x + 5`; otherwise empty.
    pub formula: String,
    /// The index of the curve to which it belongs, and whose colour it has.
    pub belongs_to: Option<usize>,
    /// Whether the points are data, drawn as dots without lines between them.
    pub has_dots: bool,
    /// The points, in a connected curve from left to right. A point without a value is NaN.
    pub points: Vec<(f64, f64)>,
    /// The uncertainty of each point, drawn as error bars of dots or as a band around a curve. It is 0 for a point
    /// without one; the list is empty if none is known.
    pub deviations: Vec<f64>,
    /// The confidence of the band; without one, the band is one deviation on each side.
    pub level: Option<BandLevel>,
    /// The uncertainties of the horizontal places of dots.
    pub deviations_across: Vec<f64>,
    /// The edges of the bars of a histogram, whose points are in their middles; otherwise empty.
    pub edges: Vec<f64>,
    /// The indices of points that are not connected to the one before, because there is a jump or a pole between them;
    /// ascending.
    pub breaks: Vec<usize>,
    /// If it has breaks, the range of its values without those near a pole.
    pub usual: Option<(f64, f64)>,
}

/// The confidence with which a band holds a curve. It is written as `95 %`.
#[derive(Clone, Copy, Debug)]
pub struct BandLevel {
    /// The confidence in per cent.
    pub per_cent: f64,
    /// The half width in standard deviations.
    pub quantile: f64,
}

impl fmt::Display for BandLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} %", self.per_cent)
    }
}

/// The present point of a curve and its slope.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The index of the curve.
    pub curve: usize,
    /// The present value of the leaf.
    pub at: f64,
    /// The value of the curve there.
    pub value: f64,
    /// The derivative of the curve there.
    pub slope: f64,
}

impl Plot {
    /// The label of the horizontal axis; for dates, without the unit of their numbers.
    pub fn across_of_dates(&self) -> &str {
        if self.dates.is_none() {
            return &self.across;
        }
        let mut units = [" [d]", " [s]"].iter();
        let bare = units.find_map(|unit| self.across.strip_suffix(unit));
        bare.unwrap_or(&self.across)
    }
}

impl PlotMap {
    /// The value at a column and a row of the grid.
    pub fn value(&self, column: usize, row: usize) -> f64 {
        let place = row * self.columns.len() + column;
        self.values.get(place).copied().unwrap_or(f64::NAN)
    }
}

impl Curve {
    /// The ends of the error bars of dots: first the vertical bars, then the horizontal ones. The scales are of the
    /// horizontal and of the vertical axis.
    pub fn error_bars(&self, scales: (Scale, Scale)) -> impl Iterator<Item = [(f64, f64); 2]> {
        let vertical = self.uncertain_points(&self.deviations, scales);
        let horizontal = self.uncertain_points(&self.deviations_across, scales);
        let vertical_bars = vertical.map(|((x, y), sigma)| [(x, y - sigma), (x, y + sigma)]);
        vertical_bars.chain(horizontal.map(|((x, y), sigma)| [(x - sigma, y), (x + sigma, y)]))
    }

    /// The dots that have a place on the axes and a deviation, each with its deviation.
    fn uncertain_points(
        &self,
        deviations: &[f64],
        scales: (Scale, Scale),
    ) -> impl Iterator<Item = ((f64, f64), f64)> {
        let dots = if self.has_dots { &self.points[..] } else { &[] };
        let points = dots.iter().copied().zip(deviations.iter().copied());
        points.filter(move |&((x, y), deviation)| {
            scales.0.has_place(x) && scales.1.has_place(y) && deviation > 0.0
        })
    }

    /// The parts that are drawn without interruption, as ranges of indices: points with a place on the axes, without a
    /// break between them.
    pub fn unbroken_parts(&self, scales: (Scale, Scale)) -> Vec<Range<usize>> {
        let has_place = |(x, y): &(f64, f64)| scales.0.has_place(*x) && scales.1.has_place(*y);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for at in (0..self.points.len()).filter(|at| has_place(&self.points[*at])) {
            match parts.last_mut() {
                Some(part) if part.end == at && self.breaks.binary_search(&at).is_err() => {
                    part.end += 1;
                }
                _ => parts.push(at..at + 1),
            }
        }
        parts
    }

    /// The corners of the bars of a histogram.
    pub fn bars(&self) -> impl Iterator<Item = [(f64, f64); 4]> {
        let bars = self.edges.windows(2).zip(&self.points);
        // A bar without counts would be a line on the axis.
        let visible = bars.filter(|(_, (_, count))| *count > 0.0);
        visible.map(|(ends, (_, count))| {
            let (left, right) = (ends[0], ends[1]);
            [(left, 0.0), (left, *count), (right, *count), (right, 0.0)]
        })
    }

    /// The upper and the lower edge of the band around each unbroken part of a curve. Dots, and curves without
    /// deviations, have no band.
    pub fn band(&self, scales: (Scale, Scale)) -> Vec<[Vec<(f64, f64)>; 2]> {
        if self.has_dots || !self.deviations.iter().any(|deviation| *deviation > 0.0) {
            return Vec::new();
        }
        let edge = |part: &Range<usize>, times: f64| {
            let points = self.points[part.clone()].iter();
            let moved = points.zip(&self.deviations[part.clone()]);
            moved
                .map(|((x, y), deviation)| (*x, y + times * deviation))
                .collect()
        };
        // Where no deviation is known, the band has a gap.
        let points = self.points.iter().zip(&self.deviations);
        let known = points.map(|((x, y), deviation)| (*x, y + 0.0 * deviation));
        let known_curve = Curve {
            points: known.collect(),
            breaks: self.breaks.clone(),
            ..Curve::default()
        };
        let parts = known_curve.unbroken_parts(scales).into_iter();
        let times = self.level.map_or(1.0, |level| level.quantile);
        parts
            .map(|part| [edge(&part, times), edge(&part, -times)])
            .collect()
    }
}

impl Scale {
    /// The logarithmic scale if this is true, else the linear one.
    pub fn logarithmic_if(is_logarithmic: bool) -> Scale {
        if is_logarithmic {
            Scale::Logarithmic
        } else {
            Scale::Linear
        }
    }

    /// Whether it is the logarithmic scale.
    pub fn is_logarithmic(self) -> bool {
        self == Scale::Logarithmic
    }

    /// The coordinate of a number: the number or its decimal logarithm; NaN if there is none.
    pub fn coordinate(self, number: f64) -> f64 {
        match self {
            Scale::Linear => number,
            Scale::Logarithmic if number > 0.0 => number.log10(),
            Scale::Logarithmic => f64::NAN,
        }
    }

    /// The coordinates of the ends of a range.
    pub fn coordinates(self, (from, to): (f64, f64)) -> (f64, f64) {
        (self.coordinate(from), self.coordinate(to))
    }

    /// Whether a number has a place on the scale.
    pub fn has_place(self, number: f64) -> bool {
        self.coordinate(number).is_finite()
    }
}

/// The fraction of the values that the usual range may leave out at each end.
const LEFT_OUT: f64 = 0.03;
/// These values are left out only if, with them, the range would be higher by more than this factor.
const FAR: f64 = 3.0;

/// The range from the lowest to the highest value, without the few values that are far from all others, such as those
/// beside a pole. NaN and infinities do not count. Returns `None` if there are no other values.
pub fn usual_range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    // The value below which this fraction of the values lies.
    let quantile = |fraction: f64| sorted[(fraction * last as f64).round() as usize];
    let without = |left_out: f64| (quantile(left_out), quantile(1.0 - left_out));
    let (all, most) = (without(0.0), without(LEFT_OUT));
    // Quarters are subtracted, because the difference of two doubles may overflow.
    let height = |(low, high): (f64, f64)| high / 4.0 - low / 4.0;
    let is_far = height(all) > FAR * height(most) && height(most) > 0.0;
    Some(if is_far { most } else { all })
}
