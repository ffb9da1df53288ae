//! Plots that are ready to be drawn: the points of curves, or the values of a map, and the points marked on them.
//!
//! The views add axes, ticks and pixels. All connected curves of a plot have points at the same places; dots may be
//! anywhere. A map has a value at each place of a grid.

use super::{Audience, Calendar, Cell, Column, DataSheet, Fact, Facts, Line, Table};

/// One or more curves over the same range, or dots on a map.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// The title, if one was given.
    pub title: String,
    /// The label of the horizontal axis: the name of the leaf, the heading of a column, or `step`.
    pub across: String,
    /// If the numbers to the right are dates, the time from which they count.
    pub dates: Option<Calendar>,
    /// The label of the vertical axis; if it is empty, the curves name it.
    pub upwards: String,
    /// The words for which the numbers of the horizontal axis stand, if they are classes.
    pub words_across: Vec<ClassWord>,
    /// The same of the vertical axis.
    pub words_up: Vec<ClassWord>,
    /// The range of the horizontal axis.
    pub range: (f64, f64),
    /// What of the horizontal axis was typed.
    pub typed: TypedAxis,
    /// The curves, in the order they were given.
    pub curves: Vec<Curve>,
    /// The present value of the leaf, and the tangents there.
    pub present: Vec<Tangent>,
    /// The vertical axis is logarithmic, so values that are not above 0 are not drawn.
    pub is_logarithmic: bool,
    /// The horizontal axis is logarithmic, so the whole range is above 0.
    pub is_logarithmic_across: bool,
    /// The lines below it about the present points or the steps.
    pub remarks: Vec<Line>,
    /// The range of the vertical axis, if it was asked for.
    pub up_range: Option<(f64, f64)>,
    /// The size, if it was asked for.
    pub size: Option<PlotSize>,
    /// A map, on which all curves are drawn. `up_range` is given then.
    pub map: Option<Box<PlotMap>>,
    /// A second plot, drawn below over the same range: residuals.
    pub below: Option<Box<Plot>>,
}

/// What of an axis was typed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypedAxis {
    /// Its range, which gets no room at its ends then.
    pub has_range: bool,
    /// Its label, which stands as it is then; otherwise the range of dates is added.
    pub has_label: bool,
}

/// A size that was asked for: pixels of a file, columns and rows of a terminal.
#[derive(Clone, Copy, Debug)]
pub struct PlotSize {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// It was typed in centimetres, so a file of pixels is as fine as printers print.
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
    /// The formula behind the label if that is only a name; otherwise empty.
    pub formula: String,
    /// The places of the grid to the right, ascending.
    pub columns: Vec<f64>,
    /// The places of the grid upwards, ascending.
    pub rows: Vec<f64>,
    /// The values, row by row from the bottom, each row from left to right; NaN where there is none.
    pub values: Vec<f64>,
    /// Each level is a multiple of the one before it. All values are above 0 then.
    pub is_logarithmic: bool,
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
    /// The formula behind the label if that is only a name: `3*x^2 - 4*x + 5`; otherwise empty.
    pub formula: String,
    /// The place of the curve whose colour it has, if it belongs to another one.
    pub belongs_to: Option<usize>,
    /// The points are data, so they are drawn as dots without lines between them.
    pub has_dots: bool,
    /// The points, in a connected curve from left to right; NaN where there is no value.
    pub points: Vec<(f64, f64)>,
    /// The uncertainty of each point, drawn as error bars of dots or as a band around a curve. It is 0 for a point
    /// without one; the list is empty if none is known.
    pub deviations: Vec<f64>,
    /// The same of the places of dots to the right.
    pub deviations_across: Vec<f64>,
    /// The edges of the bars of a histogram, whose points are in their middles; otherwise empty.
    pub edges: Vec<f64>,
    /// The indices of points that are not connected to the one before, because there is a jump or a pole between them.
    pub breaks: Vec<usize>,
    /// If it has breaks, the range of its values without those near a pole.
    pub usual: Option<(f64, f64)>,
}

/// The usual range may leave out this part of the values at each end.
const LEFT_OUT: f64 = 0.03;
/// They are left out only if the whole range is more than this many times as high as the usual one.
const HIGHER: f64 = 3.0;

/// The range from the lowest to the highest value, without the few values that are far from all others, such as those
/// beside a pole. NaN and infinities do not count.
pub fn usual_range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |part: f64| values[(part * last as f64).round() as usize];
    let [whole, most] = [0.0, LEFT_OUT].map(|part| (at(part), at(1.0 - part)));
    // Quarters are subtracted, because the difference of two doubles may overflow.
    let height = |(low, high): (f64, f64)| high / 4.0 - low / 4.0;
    let is_far = height(whole) > HIGHER * height(most) && height(most) > 0.0;
    Some(if is_far { most } else { whole })
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
    /// The label of the horizontal axis; that of dates without the unit of their numbers.
    pub fn across_of_dates(&self) -> &str {
        let bare = [" [d]", " [s]"]
            .iter()
            .find_map(|unit| self.across.strip_suffix(unit));
        bare.filter(|_| self.dates.is_some())
            .unwrap_or(&self.across)
    }

    /// Each curve with its points, the present value of the leaf, the axes, and the map below if there is one.
    pub fn facts(&self) -> Facts {
        let tangent = |tangent: &Tangent| {
            Fact::Record(vec![
                ("curve", tangent.curve.into()),
                ("at", tangent.at.into()),
                ("value", tangent.value.into()),
                ("slope", tangent.slope.into()),
            ])
        };
        let mut facts = vec![
            ("across", self.across.as_str().into()),
            ("range", self.range.into()),
            ("curves", self.curves.iter().map(Curve::fact).collect()),
            ("present", self.present.iter().map(tangent).collect()),
            ("logarithmic", self.is_logarithmic.into()),
            ("logarithmic_across", self.is_logarithmic_across.into()),
        ];
        if let Some(dates) = self.dates {
            facts.push(("since", dates.text(0.0).into()));
        }
        if !self.upwards.is_empty() {
            facts.push(("upwards", self.upwards.as_str().into()));
        }
        facts.extend(self.up_range.map(|up| ("up", up.into())));
        facts.extend(self.map.iter().map(|map| ("map", map.fact())));
        if let Some(below) = &self.below {
            let mut parts = vec![("kind", "plot".into())];
            parts.extend(below.facts());
            facts.push(("below", parts.into()));
        }
        facts
    }

    /// The points as a table from left to right: a column for the horizontal axis and one for each curve, with its
    /// uncertainties in a column behind it if it has any. Curves that have points at the same place share a row.
    pub fn sheet(&self) -> DataSheet {
        if let Some(map) = &self.map {
            return map.sheet([&self.across, &self.upwards]);
        }
        if let [bars] = &self.curves[..]
            && !bars.edges.is_empty()
        {
            let bins = bars.edges.windows(2).zip(&bars.points);
            let row = |(bin, point): (&[f64], &(f64, f64))| [bin[0], bin[1], point.1];
            let rows = bins.map(|bin| row(bin).map(Cell::Number).into()).collect();
            let titles = ["from", "to"].map(|end| format!("{} {end}", self.across));
            return sheet([&*titles[0], &titles[1], &bars.label], rows);
        }
        let below = self.below.iter().flat_map(|below| &below.curves);
        let mut titles = vec![self.across.as_str()];
        let mut points: Vec<(f64, usize, f64)> = Vec::new();
        for curve in self.curves.iter().chain(below) {
            let column = titles.len();
            titles.push(&curve.label);
            points.extend(curve.points.iter().map(|&(x, y)| (x, column, y)));
            titles.extend((!curve.deviations.is_empty()).then_some("sigma"));
            let sigmas = curve.points.iter().zip(&curve.deviations);
            points.extend(sigmas.map(|(&(x, _), sigma)| (x, column + 1, *sigma)));
        }
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for place in points.chunk_by(|one, other| one.0.to_bits() == other.0.to_bits()) {
            // A place has as many rows as a curve has points there.
            let mut filled = vec![rows.len(); titles.len()];
            for &(x, column, y) in place {
                if filled[column] == rows.len() {
                    let mut row = vec![Cell::Empty; titles.len()];
                    row[0] = Cell::Number(x);
                    rows.push(row);
                }
                rows[filled[column]][column] = Cell::Number(y);
                filled[column] += 1;
            }
        }
        sheet(titles, rows)
    }
}

impl PlotMap {
    /// The places, the values as a list for each row from the bottom up, and the points and lines on the map.
    fn fact(&self) -> Fact {
        let rows = self.values.chunks(self.columns.len().max(1));
        let present = self.present.map(|present| {
            Fact::Record(vec![
                ("at", present.at.into()),
                ("value", present.value.into()),
                ("grad", present.grad.into()),
            ])
        });
        Fact::Record(vec![
            ("label", self.label.as_str().into()),
            ("columns", self.columns.iter().copied().collect()),
            ("rows", self.rows.iter().copied().collect()),
            ("values", Fact::rows(rows.map(|row| row.iter().copied()))),
            ("logarithmic", self.is_logarithmic.into()),
            ("present", present.into()),
            ("path", Fact::points(&self.path)),
            ("boundary", self.boundary.into()),
        ])
    }

    /// A column for each of the two leaves, and one for the values.
    fn sheet(&self, [across, up]: [&String; 2]) -> DataSheet {
        let rows = self.rows.iter();
        let places = rows.flat_map(|up| self.columns.iter().map(move |across| [*across, *up]));
        let rows = places.zip(&self.values);
        let rows = rows.map(|([across, up], value)| [across, up, *value].map(Cell::Number).into());
        let titles = [across, up, &self.label].map(String::as_str);
        sheet(titles, rows.collect())
    }
}

fn sheet<'t>(titles: impl IntoIterator<Item = &'t str>, rows: Vec<Vec<Cell>>) -> DataSheet {
    let table = Table {
        columns: titles.into_iter().map(Column::people).collect(),
        rows: rows.into(),
        ..Table::default()
    };
    DataSheet::of(&table, Audience::People)
}

impl Curve {
    fn fact(&self) -> Fact {
        let mut facts = vec![
            ("label", self.label.as_str().into()),
            ("points", Fact::points(&self.points)),
            ("breaks", self.breaks.iter().copied().collect()),
            ("dots", self.has_dots.into()),
        ];
        for (name, numbers) in [
            ("sigma", &self.deviations),
            ("sigma_across", &self.deviations_across),
            ("edges", &self.edges),
        ] {
            if !numbers.is_empty() {
                facts.push((name, numbers.iter().copied().collect()));
            }
        }
        facts.into()
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
    /// The ends of the error bars of dots, on axes to the right and upwards that may be logarithmic.
    pub fn error_bars(&self, logarithmic: (bool, bool)) -> impl Iterator<Item = [(f64, f64); 2]> {
        let uncertain_up = self.uncertain_points(&self.deviations, logarithmic);
        let up = uncertain_up.map(|(x, y, deviation)| [(x, y - deviation), (x, y + deviation)]);
        let uncertain_across = self.uncertain_points(&self.deviations_across, logarithmic);
        up.chain(uncertain_across.map(|(x, y, deviation)| [(x - deviation, y), (x + deviation, y)]))
    }

    /// The dots that have a place on the axes and a deviation here, with it.
    fn uncertain_points(
        &self,
        deviations: &[f64],
        logarithmic: (bool, bool),
    ) -> impl Iterator<Item = (f64, f64, f64)> {
        let has_place =
            |number: f64, logarithmic: bool| number.is_finite() && (number > 0.0 || !logarithmic);
        let points = self.points.iter().filter(|_| self.has_dots).zip(deviations);
        let points = points.map(|(&(x, y), deviation)| (x, y, *deviation));
        points.filter(move |&(x, y, deviation)| {
            has_place(x, logarithmic.0) && has_place(y, logarithmic.1) && deviation > 0.0
        })
    }

    /// The parts that are drawn without interruption: finite values without a break between them.
    pub fn unbroken_parts(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        let ends = self.breaks.iter().copied().chain([self.points.len()]);
        let joined = ends.scan(0, |start, end| {
            Some(&self.points[std::mem::replace(start, end)..end])
        });
        let drawn = joined.flat_map(|part| part.split(|(_, y)| !y.is_finite()));
        drawn.filter(|part| !part.is_empty())
    }

    /// The corners of the bars of a histogram.
    pub fn bars(&self) -> impl Iterator<Item = [(f64, f64); 4]> {
        let bars = self.edges.windows(2).zip(&self.points);
        let corners = |(ends, (_, count)): (&[f64], &(f64, f64))| {
            let (left, right) = (ends[0], ends[1]);
            [(left, 0.0), (left, *count), (right, *count), (right, 0.0)]
        };
        bars.filter(|(_, (_, count))| *count > 0.0).map(corners)
    }

    /// The upper and the lower edge of the band around each stretch of a curve.
    pub fn band(&self) -> Vec<Vec<(f64, f64)>> {
        if self.has_dots || self.deviations.iter().all(|deviation| *deviation == 0.0) {
            return Vec::new();
        }
        let [upper, lower] = [1.0, -1.0].map(|sign| {
            let points = self.points.iter().zip(&self.deviations);
            let points = points.map(|((x, y), deviation)| (*x, y + sign * deviation));
            Curve {
                points: points.collect(),
                breaks: self.breaks.clone(),
                ..Curve::default()
            }
        });
        let both = upper.unbroken_parts().zip(lower.unbroken_parts());
        both.flat_map(|(upper, lower)| [upper.to_vec(), lower.to_vec()])
            .collect()
    }
}
