//! A chart: a frame with its axes, sometimes a background of shades, and the marks in it, from the lowest to the
//! highest.
//!
//! It is built here, once, from a plot or a map; `shapes` paints it as shapes and `terminal` as characters. Places are
//! fractions of the frame's width and height. A line with a new look needs an entry of `LineLook`; a line with an
//! existing look needs only a mark.

use std::cmp::Reverse;
use std::iter::{once, repeat};

use super::field::{ContourField, level_parts};
use super::ticks::{Tick, axis_ticks};
use super::window::{ChartAxis, Window, inside};
use crate::shapes::letters::LONGEST_LABEL;
use chainrule_report::{
    Calendar, ClassWord, Curve, Plot, PlotMap, PlotSize, PresentPoint, Tangent, characters,
};
use chainrule_style::{Style, number, plain};

/// The part of the width that tangents reach to both sides if there are several curves.
const REACH: f64 = 0.2;
/// The most present points that have a line each below the chart.
const MOST_POINTS_IN_WORDS: usize = 2;

/// A place in parts of width and height; (0, 0) is below on the left.
pub(super) type ChartPlace = (f64, f64);

pub(super) struct Chart<'p> {
    /// The title on top, before the legend.
    pub title: String,
    /// The present point, or the steps, in words.
    pub points_in_words: Vec<String>,
    /// Axes, their names, and the words for which their numbers stand.
    pub window: Window,
    pub across: String,
    pub up: String,
    pub words: [&'p [ClassWord]; 2],
    /// Whether the title or the legend says the name of the vertical axis. The terminal does not say it again.
    pub is_up_said: bool,
    /// Whether the name of the vertical axis says the title. A file, where that name always stands, does not say it again.
    pub is_title_said: bool,
    /// The map that fills the frame, if there is one.
    pub map: Option<&'p PlotMap>,
    /// From the lowest to the uppermost.
    pub marks: Vec<Mark>,
    /// A second chart over the same axis.
    pub below: Option<Box<Chart<'p>>>,
    /// The size that was asked for.
    pub size: Option<PlotSize>,
    /// The axes in words, for those who do not see the picture.
    pub description: String,
}

/// Something in the frame.
pub(super) struct Mark {
    pub shape: MarkShape,
    /// The number of its curve or series, which decides its colour and its sign.
    pub series: u8,
    /// Its words in the legend; if they are empty, the legend does not show it.
    pub label: String,
    /// Its description in a file.
    pub tip: String,
}

pub(super) enum MarkShape {
    /// Connected places; each stretch for itself.
    Line(LineLook, Vec<Vec<ChartPlace>>),
    /// Places that nothing connects.
    Dots(Vec<ChartPlace>),
    /// The present point, and on a map the direction downhill in parts of width and height, of any length.
    Point(ChartPlace, Option<(f64, f64)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LineLook {
    /// A curve, and the number of curves before it, which decides its dashes.
    Curve(usize),
    /// A thin line: a tangent.
    Thin,
    /// An error bar of a point.
    ErrorBar,
    /// The uncertainty of a curve, as the area between each two lines.
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
    pub(super) fn of(plot: &'p Plot, style: &Style) -> Chart<'p> {
        Chart::build(plot, style, false)
    }

    /// The same of a plot that may stand below another one.
    fn build(plot: &'p Plot, style: &Style, is_below: bool) -> Chart<'p> {
        let window = Window::of(plot, is_below);
        let said: Vec<String> = plot.remarks.iter().map(|line| plain(line, style)).collect();
        let map = plot.map.as_deref();
        let mut marks = Vec::new();
        if let Some(map) = map {
            marks.extend(Mark::below(map, &window));
        }
        // The legend names only the first of several bands or tangents.
        let first = |label| once(label).chain(repeat(""));
        let bands = plot.curves.iter().map(Curve::band).enumerate();
        let bands = bands.filter(|(_, edges)| !edges.is_empty());
        for ((number, edges), label) in bands.zip(first("±1σ")) {
            let edges = edges.iter().map(|edge| window.places(edge)).collect();
            let shape = MarkShape::Line(LineLook::Band, edges);
            marks.push(Mark::new(shape, number, label, String::new()));
        }
        let reach = if plot.curves.len() == 1 { 1.0 } else { REACH };
        let ends = |it: &Tangent| Some((it.curve, window.tangent(it, reach)?.to_vec()));
        let tangents = plot.present.iter().filter_map(ends);
        for ((number, ends), label) in tangents.zip(first("tangent")) {
            let shape = MarkShape::Line(LineLook::Thin, vec![ends]);
            marks.push(Mark::new(shape, number, label, String::new()));
        }
        // Curves lie on top of dots, and the first curve lies on top of the others.
        let mut curves: Vec<(usize, &Curve)> = plot.curves.iter().enumerate().collect();
        curves.sort_by_key(|(number, curve)| (!curve.has_dots, Reverse(*number)));
        // A single curve needs no entry in the legend, because the title or the vertical axis names it.
        let is_alone = match &plot.curves[..] {
            [only] => map.is_none() && only.legend.is_none(),
            _ => false,
        };
        for (number, curve) in curves {
            let shape = if curve.has_dots {
                MarkShape::Dots(window.places(&curve.points))
            } else if !curve.edges.is_empty() {
                let bars = curve.bars().map(|corners| window.places(&corners));
                MarkShape::Line(LineLook::Bars, bars.collect())
            } else {
                let before = plot.curves[..number].iter().filter(|it| !it.has_dots);
                let lines = curve.unbroken_parts().map(|places| window.places(places));
                MarkShape::Line(LineLook::Curve(before.count()), lines.collect())
            };
            let tip = with_formula(&curve.label, &curve.formula);
            let label = curve.legend.as_ref().unwrap_or(&curve.label);
            let label = if is_alone { "" } else { label };
            let number = curve.belongs_to.unwrap_or(number);
            marks.push(Mark::new(shape, number, label, tip));
            // Bars come after their dots, so that a file shows a bar that is shorter than its dot.
            let logarithmic = (plot.is_logarithmic_across, plot.is_logarithmic);
            let bars = curve
                .error_bars(logarithmic)
                .map(|ends| window.places(&ends));
            let bars: Vec<_> = bars.collect();
            if !bars.is_empty() {
                let shape = MarkShape::Line(LineLook::ErrorBar, bars);
                marks.push(Mark::new(shape, number, "", String::new()));
            }
        }
        // The first of several points at one place lies on top of the others.
        let points = plot.present.iter();
        let points = points.map(|point| ((point.at, point.value), None, point.curve));
        let present = map.and_then(|map| map.present.as_ref());
        let present = present.map(|point| (point.at, Some(downhill(&window, point)), 0));
        let points: Vec<_> = points.chain(present).zip(&said).collect();
        for ((at, downhill, series), said) in points.into_iter().rev() {
            let place = window.place(at);
            if inside(place) {
                let has_way = downhill.is_some_and(|(right, up)| right.abs().max(up.abs()) > 0.0);
                let label = if has_way { "downhill" } else { "" };
                let shape = MarkShape::Point(place, downhill);
                marks.push(Mark::new(shape, series, label, said.clone()));
            }
        }
        let described = |name, axis: ChartAxis, range| axis_sentence(name, range, axis, style);
        let across = match window.across.dates {
            Some(_) => plot.across_of_dates(),
            None => &plot.across,
        };
        let up = match &*plot.upwards {
            "" => names(plot),
            upwards => upwards.to_string(),
        };
        let mut description = described(across, window.across, plot.range);
        if let Some(up) = plot.up_range.filter(|_| map.is_some()) {
            description.push(' ');
            description += &described(&plot.upwards, window.up, up);
        }
        let title = match (map, &plot.curves[..]) {
            _ if !plot.title.is_empty() => plot.title.clone(),
            (None, [curve]) if is_alone => with_short_formula(&curve.label, &curve.formula),
            (None, _) => String::new(),
            (Some(map), _) => with_short_formula(&map.label, &map.formula),
        };
        Chart {
            is_title_said: plot.title.is_empty() && up.starts_with(&title),
            title,
            description,
            points_in_words: if plot.present.len() <= MOST_POINTS_IN_WORDS {
                said
            } else {
                Vec::new()
            },
            window,
            across: match window.across.dates {
                Some(dates) if !plot.typed.has_label => of_dates(across, plot.range, dates),
                _ => across.to_string(),
            },
            up,
            words: [&plot.words_across, &plot.words_up],
            // A chart below has no title, so its vertical axis names all its marks.
            is_up_said: !is_below
                && plot.upwards.is_empty()
                && (!is_alone || plot.title.is_empty()),
            map,
            marks,
            below: (plot.below.as_deref()).map(|below| Box::new(Chart::build(below, style, true))),
            size: plot.size,
        }
    }

    /// The marks that a legend names: curves and dots in the order in which they were given, then what belongs to them.
    pub(super) fn legend(&self) -> Vec<&Mark> {
        let mut named: Vec<&Mark> = self
            .marks
            .iter()
            .filter(|mark| !mark.label.is_empty())
            .collect();
        let belongs = |mark: &Mark| {
            let shape = &mark.shape;
            matches!(
                shape,
                MarkShape::Point(..) | MarkShape::Line(LineLook::Thin | LineLook::Band, _)
            )
        };
        named.sort_by_key(|mark| (belongs(mark), mark.series));
        named
    }

    /// At most so many ticks of the vertical axis.
    pub(super) fn ticks_up(&self, most: usize) -> Vec<Tick> {
        let is_bars = |mark: &Mark| matches!(mark.shape, MarkShape::Line(LineLook::Bars, _));
        let mut ticks = axis_ticks(self.window.up, self.words[1], most);
        // A histogram counts.
        ticks.retain(|tick| tick.number.fract() == 0.0 || !self.marks.iter().any(is_bars));
        ticks
    }

    /// The number of dots.
    pub(super) fn dots(&self) -> usize {
        let dots = |mark: &Mark| match &mark.shape {
            MarkShape::Dots(places) => places.len(),
            _ => 0,
        };
        self.marks.iter().map(dots).sum()
    }
}

impl Mark {
    /// The marks of a map that lie below its dots.
    fn below(map: &PlotMap, window: &Window) -> Vec<Mark> {
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

    fn new(shape: MarkShape, series: usize, label: &str, tip: String) -> Mark {
        Mark {
            shape,
            series: series as u8,
            label: label.to_string(),
            tip,
        }
    }
}

/// `day, 2024-02-28 to 2024-06-01`. The range is needed because the ticks may lack the year.
fn of_dates(name: &str, (from, to): (f64, f64), dates: Calendar) -> String {
    let [from, to] = [from, to].map(|end| dates.text(end));
    format!("{name}, {from} to {to}")
}

/// What a picture shows in one line: its title, `y, z over x`, or `L over x and y`.
pub(crate) fn title(plot: &Plot) -> String {
    let (across, names) = (plot.across_of_dates(), names(plot));
    match &plot.map {
        _ if !plot.title.is_empty() => plot.title.clone(),
        Some(map) => format!("{} over {across} and {}", map.label, plot.upwards),
        None => format!("{names} over {across}"),
    }
}

/// The labels of all curves.
fn names(plot: &Plot) -> String {
    let names = plot.curves.iter().map(|curve| curve.label.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// `y = 3*x^2 - 4*x + 5`, or the name alone if the formula is longer than a label may be.
fn with_short_formula(label: &str, formula: &str) -> String {
    if characters::width(formula) > LONGEST_LABEL {
        return label.to_string();
    }
    with_formula(label, formula)
}

/// `y = 3*x^2 - 4*x + 5`
fn with_formula(label: &str, formula: &str) -> String {
    let sign = if formula.is_empty() { "" } else { " = " };
    format!("{label}{sign}{formula}")
}

/// `x goes from 0 to 3, logarithmic.`
fn axis_sentence(name: &str, (from, to): (f64, f64), axis: ChartAxis, style: &Style) -> String {
    let text = |end| number::text(end, style.table_digits);
    let [from, to] = [from, to].map(|end| axis.dates.map_or_else(|| text(end), |it| it.text(end)));
    let scale = if axis.logarithmic {
        ", logarithmic"
    } else {
        ""
    };
    format!("{name} goes from {from} to {to}{scale}.")
}

/// The direction of a small step against the gradient, in parts of width and height, of any length.
fn downhill(window: &Window, present: &PresentPoint) -> (f64, f64) {
    let along = |axis: ChartAxis, at, slope: f64| -slope / axis.stretch(at);
    (
        along(window.across, present.at.0, present.grad.0),
        along(window.up, present.at.1, present.grad.1),
    )
}
