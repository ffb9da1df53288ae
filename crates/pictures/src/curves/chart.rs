//! Makes a chart from a plot: a frame with its axes, the shades of a map if there is one, and the marks in it, from the
//! lowest to the uppermost.
//!
//! `shapes` draws a chart as shapes, and `terminal` as characters. Places are fractions of the frame's width and height. A
//! line with a new look needs a variant of [`LineLook`]. A line with an existing look needs only a mark.

use std::cmp::Reverse;

use super::field::{ContourField, level_parts};
use super::thin_out::thin_out;
use super::ticks::{Tick, TickChoice, tick_choices};
use super::window::{ChartAxis, Window, inside};
use crate::shapes::letters::LONGEST_LABEL;
use chainrule_report::{
    ClassWord, Curve, MOST_DOTS, Plot, PlotMap, PlotSize, PresentPoint, Scale, characters,
};
use chainrule_style::{Movement, Style, number, plain};

/// The height of letters in print, in points.
const PRINTED_POINTS: f64 = 8.0;
/// The length of a tangent on each side of its point if there are several curves, as a fraction of the width.
const SHORT_REACH: f64 = 0.2;
/// A chart with more present points than this does not describe them in words.
const MAX_POINTS_IN_WORDS: usize = 2;
/// The most columns of a label before the value of a point.
const MAX_LABEL_BESIDE_POINT: usize = 8;

/// The number of dashes of curves. Curves after these have letters, too.
pub(super) const DASHES: usize = 6;
/// How often the letter of a curve stands on it.
const LETTERS: usize = 5;
/// Half the width of a point between two gaps of a curve, as a fraction of the width.
const LONE_POINT: f64 = 0.01;
/// A band of this height, as a fraction of the height, is hidden by its curve.
const THIN_BAND: f64 = 0.008;

/// A place as fractions of width and height; (0, 0) is the lower left corner.
pub(crate) type ChartPlace = (f64, f64);

/// A chart, which the terminal and files draw.
pub(crate) struct Chart<'p> {
    /// The title on top, before the legend; empty if there is none.
    pub title: String,
    /// The present point, or the steps, in words.
    pub points_in_words: Vec<String>,
    pub window: Window,
    /// The name of the horizontal axis.
    pub across: String,
    /// The name of the vertical axis.
    pub up: String,
    /// The words of classes on the horizontal axis and on the vertical one.
    pub words: [&'p [ClassWord]; 2],
    /// Whether the title or the legend contains the name of the vertical axis. The terminal does not repeat it.
    pub has_name_in_head: bool,
    /// Whether the name of the vertical axis contains the title. A file always has the name, so it does not need the title.
    pub has_title_in_name: bool,
    /// The map that fills the frame.
    pub map: Option<&'p PlotMap>,
    /// The marks, from the lowest to the uppermost.
    pub marks: Vec<Mark>,
    /// A second chart over the same axis.
    pub below: Option<Box<Chart<'p>>>,
    /// The size that was asked for.
    pub size: Option<PlotSize>,
    /// The axes in words, for readers who do not see the picture.
    pub description: String,
}

/// A line, dots or a point in the frame.
pub(crate) struct Mark {
    pub shape: MarkShape,
    /// The index of its curve or series, which decides its colour and its sign.
    pub series: u8,
    /// Its words in the legend. Empty if the legend does not name the mark.
    pub label: String,
    /// Its description in a file.
    pub tip: String,
    /// The value of a present point, written beside it on a page. A picture for print has none.
    pub value: String,
}

/// The shape of a mark.
pub(crate) enum MarkShape {
    /// Lines, each through its places.
    Line(LineLook, Vec<Vec<ChartPlace>>),
    /// Places without lines between them.
    Dots(Vec<ChartPlace>),
    /// The present point, and on a map the direction downhill as fractions of width and height, of any length.
    Point(ChartPlace, Option<(f64, f64)>),
}

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LineLook {
    /// A curve, with the number of curves before it, which decides its dashes.
    Curve(usize),
    /// A thin line: a tangent.
    Thin,
    /// An error bar of a point.
    ErrorBar,
    /// The uncertainty of a curve, as the area between each pair of lines.
    Band,
    /// The bars of a histogram, each as its four corners.
    Bars,
    /// The line between two classes.
    Boundary,
    /// The path of the steps.
    Path,
}

impl<'p> Chart<'p> {
    /// The chart of a plot.
    pub(crate) fn of(plot: &'p Plot, style: &Style) -> Chart<'p> {
        Chart::build(plot, style, false)
    }

    /// The chart of a plot that may stand below another one.
    fn build(plot: &'p Plot, style: &Style, is_below: bool) -> Chart<'p> {
        let window = Window::of(plot, is_below);
        let map = plot.map.as_deref();
        let remarks: Vec<String> = plot.remarks.iter().map(|line| plain(line, style)).collect();
        let marks = all_marks(plot, &window, &remarks, style);
        let across = match window.across.dates {
            Some(_) => plot.across_of_dates(),
            None => &plot.across,
        };
        let up = match &*plot.upwards {
            "" => names(plot),
            name => name.to_string(),
        };
        let mut description = axis_sentence(across, plot.range, window.across, style);
        if let (Some(_), Some(range)) = (map, plot.up_range) {
            description.push(' ');
            description += &axis_sentence(&plot.upwards, range, window.up, style);
        }
        let title = chart_title(plot);
        Chart {
            has_title_in_name: plot.title.is_none() && up.starts_with(&title),
            title,
            description,
            points_in_words: if plot.present.len() <= MAX_POINTS_IN_WORDS {
                remarks
            } else {
                Vec::new()
            },
            window,
            across: match window.across.dates.filter(|_| !plot.is_label_typed) {
                // The ticks may lack the year.
                Some(dates) => {
                    let (from, to) = plot.range;
                    format!("{across}, {} to {}", dates.text(from), dates.text(to))
                }
                None => across.to_string(),
            },
            up,
            words: [&plot.words_across, &plot.words_up],
            // A chart below has no title, so its vertical axis names all its marks.
            has_name_in_head: !is_below
                && plot.upwards.is_empty()
                && (!is_alone(plot) || plot.title.is_none()),
            map,
            marks,
            below: (plot.below.as_deref()).map(|below| Box::new(Chart::build(below, style, true))),
            size: plot.size,
        }
    }

    /// The marks that the legend names: curves and dots in the order of the plot, then the marks that belong to them.
    pub(super) fn legend(&self) -> Vec<&Mark> {
        let marks = self.marks.iter();
        let mut named: Vec<&Mark> = marks.filter(|mark| !mark.label.is_empty()).collect();
        named.sort_by_key(|mark| (mark.belongs_to_curve(), mark.series));
        named
    }

    /// The choices of at most `most` ticks of the vertical axis.
    pub(super) fn choices_up(&self, most: usize, is_file: bool) -> Vec<TickChoice> {
        let is_bars = |mark: &Mark| matches!(mark.shape, MarkShape::Line(LineLook::Bars, _));
        let mut choices = tick_choices(self.window.up, self.words[1], most, is_file);
        // The bars of a histogram are counts, so there are no ticks between whole numbers.
        if self.marks.iter().any(is_bars) {
            let is_whole = |tick: &Tick| tick.number.fract() == 0.0;
            choices.retain(|choice| choice.axis_ticks.ticks.iter().all(is_whole));
        }
        choices
    }

    /// The letters in points, if the size is for print.
    pub(super) fn letters(&self) -> Option<f64> {
        self.size
            .filter(|it| it.is_for_print)
            .map(|_| PRINTED_POINTS)
    }

    /// The number of dots.
    pub(super) fn dots(&self) -> usize {
        let count = |mark: &Mark| match &mark.shape {
            MarkShape::Dots(places) => places.len(),
            _ => 0,
        };
        self.marks.iter().map(count).sum()
    }
}

impl Mark {
    /// Whether this is a point, a tangent or a band, which belong to a curve.
    fn belongs_to_curve(&self) -> bool {
        use MarkShape::{Line, Point};
        matches!(
            self.shape,
            Point(..) | Line(LineLook::Thin | LineLook::Band, _)
        )
    }

    /// The letter of a curve that has the dashes of an earlier one. It is no sign of dots, because it stands for no data.
    pub(super) fn letter(&self) -> Option<char> {
        match self.shape {
            MarkShape::Line(LineLook::Curve(before), _) => letter_of(before),
            _ => None,
        }
    }

    /// The places of the letter on its curve. They differ from those on other curves.
    pub(super) fn places_of_letter(&self) -> Vec<ChartPlace> {
        let MarkShape::Line(LineLook::Curve(before @ DASHES..), lines) = &self.shape else {
            return Vec::new();
        };
        let places = lines.iter().flatten().filter(|place| inside(**place));
        let drawn: Vec<ChartPlace> = places.copied().collect();
        let every = drawn.len().div_ceil(LETTERS).max(1);
        let first = every * (before % DASHES) / DASHES;
        drawn.into_iter().skip(first).step_by(every).collect()
    }

    fn new(shape: MarkShape, series: usize, label: &str, tip: String) -> Mark {
        Mark {
            shape,
            series: series as u8,
            label: label.to_string(),
            tip,
            value: String::new(),
        }
    }
}

/// The letter of a curve after this number of other curves.
fn letter_of(before: usize) -> Option<char> {
    ('a'..='z').nth(before.checked_sub(DASHES)?)
}

/// The number of curves before the one with this index.
fn curves_before(plot: &Plot, number: usize) -> usize {
    let before = plot.curves[..number].iter();
    before.filter(|curve| !curve.has_dots).count()
}

/// The marks of a plot, from the lowest to the uppermost.
fn all_marks(plot: &Plot, window: &Window, remarks: &[String], style: &Style) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(map) = &plot.map {
        marks.extend(map_marks(map, window));
    }
    marks.extend(band_marks(plot, window));
    marks.extend(tangent_marks(plot, window));
    // Curves lie on top of dots, and the first curve lies on top of the others.
    let mut curves: Vec<(usize, &Curve)> = plot.curves.iter().enumerate().collect();
    curves.sort_by_key(|(number, curve)| (!curve.has_dots, Reverse(*number)));
    for (number, _) in curves {
        marks.extend(curve_marks(plot, number, window));
    }
    // The sign of a dot is filled, so the dots lie on top of all error bars.
    marks.sort_by_key(|mark| !matches!(mark.shape, MarkShape::Line(LineLook::ErrorBar, _)));
    marks.extend(point_marks(plot, window, remarks, style));
    marks
}

/// The marks of a map that lie below its dots.
fn map_marks(map: &PlotMap, window: &Window) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(level) = map.boundary {
        let lines = level_parts(&ContourField::of(map, window).lines(level));
        let label = format!("{} = {}", map.label, number::shortest(level));
        let tip = format!("The heavy line is where {label}");
        let shape = MarkShape::Line(LineLook::Boundary, lines);
        marks.push(Mark::new(shape, 0, &label, tip));
    }
    if map.path.len() > 1 {
        let shape = MarkShape::Line(LineLook::Path, vec![window.places(&map.path)]);
        let label = format!("the path of {} steps", map.path.len() - 1);
        marks.push(Mark::new(shape, 0, &label, label.clone()));
    }
    marks
}

/// The bands around curves. The legend names only the first, and none that is as thin as its curve.
fn band_marks(plot: &Plot, window: &Window) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (number, curve) in plot.curves.iter().enumerate() {
        let edges = curve.band((plot.across_scale, plot.up_scale));
        let sides = edges.iter().flatten();
        let lines: Vec<Vec<ChartPlace>> = sides.map(|side| window.places(side)).collect();
        if lines.is_empty() {
            continue;
        }
        let is_wide = lines.chunks_exact(2).any(|both| {
            let mut heights = both[0].iter().zip(&both[1]);
            heights.any(|(one, other)| (one.1 - other.1).abs() > THIN_BAND)
        });
        let is_named = marks.iter().any(|mark| !mark.label.is_empty());
        let width = curve.level.map_or("±1σ".to_string(), |it| it.to_string());
        let label = if is_wide && !is_named { &*width } else { "" };
        let shape = MarkShape::Line(LineLook::Band, lines);
        let series = curve.belongs_to.unwrap_or(number);
        marks.push(Mark::new(shape, series, label, String::new()));
    }
    // The first curve lies on top of the others, and so does its band.
    marks.reverse();
    marks
}

/// The tangents at present points. The legend names only the first.
fn tangent_marks(plot: &Plot, window: &Window) -> Vec<Mark> {
    let reach = if plot.curves.len() == 1 {
        1.0
    } else {
        SHORT_REACH
    };
    let mut marks = Vec::new();
    for tangent in &plot.present {
        if let Some(ends) = window.tangent(tangent, reach) {
            let label = if marks.is_empty() { "tangent" } else { "" };
            let shape = MarkShape::Line(LineLook::Thin, vec![ends.to_vec()]);
            marks.push(Mark::new(shape, tangent.curve, label, String::new()));
        }
    }
    marks
}

/// A curve, or dots with their error bars.
fn curve_marks(plot: &Plot, number: usize, window: &Window) -> Vec<Mark> {
    let curve = &plot.curves[number];
    let drawn_dots = curve.has_dots.then(|| {
        let dotted = plot.curves.iter().filter(|it| it.has_dots);
        let all: usize = dotted.map(|it| it.points.len()).sum();
        // Each series has its share of the dots.
        let most = curve.points.len() * MOST_DOTS.min(all) / all.max(1);
        thin_out(curve, &window.places(&curve.points), most.max(1))
    });
    let shape = if let Some(dots) = &drawn_dots {
        MarkShape::Dots(window.places(&dots.points))
    } else if !curve.edges.is_empty() {
        let bars = curve.bars().map(|corners| window.places(&corners));
        MarkShape::Line(LineLook::Bars, bars.collect())
    } else {
        let parts = curve.unbroken_parts((plot.across_scale, plot.up_scale));
        let lines = parts.into_iter().map(|part| {
            let places = window.places(&curve.points[part]);
            match places[..] {
                // A point between two gaps is a short line.
                [(x, y)] => vec![(x - LONE_POINT, y), (x + LONE_POINT, y)],
                _ => places,
            }
        });
        MarkShape::Line(
            LineLook::Curve(curves_before(plot, number)),
            lines.collect(),
        )
    };
    let mut label = curve.legend.as_ref().unwrap_or(&curve.label).clone();
    if is_alone(plot) {
        label.clear();
    } else if curve.has_dots {
        // The legend names the curve of a class at its dots.
        let own = plot
            .curves
            .iter()
            .position(|it| it.belongs_to == Some(number) && !it.has_dots);
        let letter = own.and_then(|own| letter_of(curves_before(plot, own)));
        label.extend(letter.map(|letter| format!(" ({letter})")));
    }
    let series = curve.belongs_to.unwrap_or(number);
    let tip = with_formula(&curve.label, &curve.formula);
    let mut marks = vec![Mark::new(shape, series, &label, tip)];
    let scales = (plot.across_scale, plot.up_scale);
    let ends_of_bars = drawn_dots.iter().flat_map(|dots| dots.error_bars(scales));
    let bars: Vec<_> = ends_of_bars.map(|ends| window.places(&ends)).collect();
    if !bars.is_empty() {
        let error_bars = MarkShape::Line(LineLook::ErrorBar, bars);
        marks.push(Mark::new(error_bars, series, "", String::new()));
    }
    marks
}

/// The present points in the window, each with its remark as a tip. The first of several points at one place lies on top of
/// the others.
fn point_marks(plot: &Plot, window: &Window, remarks: &[String], style: &Style) -> Vec<Mark> {
    let present = plot.present.iter();
    let of_curves = present.map(|point| ((point.at, point.value), None, point.curve));
    let has_values = style.movement != Movement::None && plot.present.len() <= MAX_POINTS_IN_WORDS;
    let on_map = plot.map.iter().filter_map(|map| map.present.as_ref());
    let of_map = on_map.map(|point| (point.at, Some(downhill(window, point)), 0));
    let mut marks = Vec::new();
    for ((at, direction, series), remark) in of_curves.chain(of_map).zip(remarks) {
        let place = window.place(at);
        if inside(place) {
            let is_sloped = direction.is_some_and(|(right, up)| right.abs().max(up.abs()) > 0.0);
            let label = if is_sloped { "downhill" } else { "" };
            let shape = MarkShape::Point(place, direction);
            let mut mark = Mark::new(shape, series, label, remark.clone());
            if let Some(curve) = plot
                .curves
                .get(series)
                .filter(|_| has_values && direction.is_none())
            {
                mark.value = value_beside_point(&curve.label, at.1, style);
            }
            marks.push(mark);
        }
    }
    // Marks are drawn in order, so the first point must be the last mark.
    marks.reverse();
    marks
}

/// `y = -0.736`, or only the number if the label of the curve is long.
fn value_beside_point(label: &str, value: f64, style: &Style) -> String {
    let text = number::text(value, style.table_digits);
    let is_short = characters::width(label) <= MAX_LABEL_BESIDE_POINT;
    if is_short {
        format!("{label} = {text}")
    } else {
        text
    }
}

/// Whether a plot has a single curve that needs no entry in the legend, because the title or the vertical axis names it.
fn is_alone(plot: &Plot) -> bool {
    match &plot.curves[..] {
        [only] => plot.map.is_none() && only.legend.is_none(),
        _ => false,
    }
}

/// The title on top of a chart: the typed one, or else, unless it is for print, the formula of a single curve or a map;
/// otherwise empty.
fn chart_title(plot: &Plot) -> String {
    let is_for_print = plot.size.is_some_and(|size| size.is_for_print);
    match (&plot.title, &plot.map, &plot.curves[..]) {
        (Some(title), ..) => title.clone(),
        _ if is_for_print => String::new(),
        (_, Some(map), _) => with_short_formula(&map.label, &map.formula),
        (_, None, [curve]) if is_alone(plot) => with_short_formula(&curve.label, &curve.formula),
        _ => String::new(),
    }
}

/// The title of a picture for a list of pictures or a screen reader: the typed one, `y, z over x`, or `L over x and y`.
pub(crate) fn title(plot: &Plot) -> String {
    let across = plot.across_of_dates();
    if let Some(title) = plot.title.as_ref().filter(|it| !it.is_empty()) {
        return title.clone();
    }
    match &plot.map {
        Some(map) => format!("{} over {across} and {}", map.label, plot.upwards),
        None => format!("{} over {across}", names(plot)),
    }
}

/// The labels of all curves.
fn names(plot: &Plot) -> String {
    let labels = plot.curves.iter().map(|curve| curve.label.as_str());
    labels.collect::<Vec<_>>().join(", ")
}

/// `y = 3*x^2 - 4*x + 5`, or only the name if the formula is longer than a label may be.
fn with_short_formula(label: &str, formula: &str) -> String {
    if characters::width(formula) > LONGEST_LABEL {
        return label.to_string();
    }
    with_formula(label, formula)
}

/// A name and its formula, if it has one: `y = 3*x^2 - 4*x + 5`.
fn with_formula(label: &str, formula: &str) -> String {
    let sign = if formula.is_empty() { "" } else { " = " };
    format!("{label}{sign}{formula}")
}

/// The sentence about an axis: `x goes from 0 to 3, logarithmic.`
fn axis_sentence(name: &str, (from, to): (f64, f64), axis: ChartAxis, style: &Style) -> String {
    let [from_text, to_text] = [from, to].map(|end| match axis.dates {
        Some(dates) => dates.text(end),
        None => number::text(end, style.table_digits),
    });
    let scale = match axis.scale {
        Scale::Linear => "",
        Scale::Logarithmic => ", logarithmic",
    };
    format!("{name} goes from {from_text} to {to_text}{scale}.")
}

/// The direction of a small step against the gradient, as fractions of width and height, of any length.
fn downhill(window: &Window, present: &PresentPoint) -> (f64, f64) {
    let along = |axis: ChartAxis, at, slope: f64| -slope / axis.stretch(at);
    (
        along(window.across, present.at.0, present.grad.0),
        along(window.up, present.at.1, present.grad.1),
    )
}
