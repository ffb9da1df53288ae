//! A chart: a frame with its axes, perhaps a ground of shades, and the marks in it, from the lowest to the uppermost.
//!
//! It is built here, once, from a plot or a map, and painted as shapes in `shapes` and as characters in `terminal`. Places
//! are in parts of the frame's width and height. A new kind of line needs an entry of `LineLook`; what looks like one that
//! exists is only added to the marks.

use super::field::ContourField;
use super::window::{ChartAxis, Window, inside};
use crate::report::{Curve, MapAxis, Plot, PlotMap, PresentPoint};
use crate::view::{Style, number, plain};

/// How far tangents reach to both sides where there are several curves, as part of the width.
const REACH: f64 = 0.2;
/// Half of the width of a dot, as part of the width.
const DOT: f64 = 0.0015;
/// Up to so many lines are written out of what is said of the present points.
const SAID: usize = 2;

/// A place in parts of width and height; (0, 0) is below on the left.
pub(super) type ChartPlace = (f64, f64);

pub(super) struct Chart<'p> {
    /// What stands on top; without it, the legend does.
    pub title: String,
    /// Which axes are logarithmic, in words.
    pub scale: &'static str,
    /// The present point, or the steps, in words.
    pub said: Vec<String>,
    /// Axes and their names; the vertical one may have none.
    pub window: Window,
    pub across: &'p str,
    pub up: &'p str,
    /// What the frame is filled with.
    pub ground: Option<&'p PlotMap>,
    /// From the lowest to the uppermost.
    pub marks: Vec<Mark>,
    /// A second chart over the same axis.
    pub below: Option<Box<Chart<'p>>>,
    /// The width and the height that were asked for.
    pub size: Option<(u32, u32)>,
    /// The axes in words, for those who do not see the picture.
    pub description: String,
}

/// Something in the frame.
pub(super) struct Mark {
    pub shape: MarkShape,
    /// Which curve or series it is or belongs to, which decides its colour and its sign.
    pub series: u8,
    /// What the legend says of it; none if that is empty.
    pub label: String,
    /// What it is, in a file.
    pub tip: String,
}

pub(super) enum MarkShape {
    /// Connected places; each stretch for itself.
    Line(LineLook, Vec<Vec<ChartPlace>>),
    /// Places that nothing connects.
    Dots(Vec<ChartPlace>),
    /// The present point, and on a map the way downhill in parts of width and height; its length means nothing.
    Point(ChartPlace, Option<(f64, f64)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LineLook {
    /// A curve, and how many are before it.
    Curve(usize),
    /// A thin line: a tangent.
    Thin,
    /// How far a point may be off.
    ErrorBar,
    /// The line between two classes.
    Boundary,
    /// The path of the steps.
    Path,
}

impl<'p> Chart<'p> {
    /// The chart of curves and dots.
    pub(super) fn of_plot(plot: &'p Plot, style: &Style) -> Chart<'p> {
        let window = Window::of(plot);
        let said: Vec<String> = plot.said.iter().map(|line| plain(line, style)).collect();
        let mut marks = Vec::new();
        let reach = if plot.curves.len() == 1 { 1.0 } else { REACH };
        for tangent in &plot.present {
            if let Some(ends) = window.tangent(tangent, reach) {
                let shape = MarkShape::Line(LineLook::Thin, vec![ends.to_vec()]);
                marks.push(Mark::unnamed(shape, tangent.curve));
            }
        }
        // The first curve comes last, on top of the others.
        let mut before = plot.connected().count();
        for (number, curve) in plot.curves.iter().enumerate().rev() {
            let bars = curve.error_bars().map(|ends| window.error_bar(ends));
            let shape = MarkShape::Line(LineLook::ErrorBar, bars.collect());
            marks.push(Mark::unnamed(shape, number));
            let points = window.places(&curve.points);
            let shape = if curve.dots {
                MarkShape::Dots(points)
            } else {
                before -= 1;
                let breaks = curve.breaks.clone();
                let drawn = Curve {
                    points,
                    breaks,
                    ..Curve::default()
                };
                let line = |stretch: &[ChartPlace]| match stretch {
                    // A value without neighbours is as long as a dot.
                    [(x, y)] => vec![(x - DOT, *y), (x + DOT, *y)],
                    _ => stretch.to_vec(),
                };
                let lines = drawn.stretches().into_iter().map(line);
                MarkShape::Line(LineLook::Curve(before), lines.collect())
            };
            marks.push(Mark::named(shape, number, &curve.label, title(curve)));
        }
        // So does the first of several points at one place.
        for (tangent, said) in plot.present.iter().zip(&said).rev() {
            let place = window.place((tangent.at, tangent.value));
            if inside(place) {
                let shape = MarkShape::Point(place, None);
                marks.push(Mark::named(shape, tangent.curve, "", said.clone()));
            }
        }
        Chart {
            title: match &plot.curves[..] {
                [curve] => title(curve),
                _ => String::new(),
            },
            scale: match (plot.logarithmic_across, plot.logarithmic) {
                (true, true) => "(both logarithmic)",
                (true, false) => "(across logarithmic)",
                (false, true) => "(logarithmic)",
                (false, false) => "",
            },
            description: described(&plot.across, plot.range, window.across, style),
            said: if said.len() <= SAID { said } else { Vec::new() },
            window,
            across: &plot.across,
            up: &plot.upwards,
            ground: None,
            marks,
            below: (plot.below.as_deref()).map(|below| Box::new(Chart::of_plot(below, style))),
            size: plot.size,
        }
    }

    /// The chart of a map.
    pub(super) fn of_map(map: &'p PlotMap, style: &Style) -> Chart<'p> {
        let window = Window {
            across: ChartAxis::of(map.across.range, map.across.logarithmic),
            up: ChartAxis::of(map.up.range, map.up.logarithmic),
        };
        let said: Vec<String> = map.said.iter().map(|line| plain(line, style)).collect();
        let mut marks = Vec::new();
        if let Some(level) = map.boundary {
            let shape = ContourField::of(map).contours(level);
            let shape = MarkShape::Line(LineLook::Boundary, shape);
            let label = format!("{} = {}", map.label, number::shortest(level));
            let tip = format!("The heavy line is where {label}");
            marks.push(Mark::named(shape, 0, &label, tip));
        }
        if map.path.len() > 1 {
            let shape = MarkShape::Line(LineLook::Path, vec![window.places(&map.path)]);
            let label = format!("the path of {} steps", map.path.len() - 1);
            marks.push(Mark::named(shape, 0, &label, label.clone()));
        }
        for (number, series) in map.series.iter().enumerate() {
            let shape = MarkShape::Dots(window.places(&series.points));
            marks.push(Mark::named(
                shape,
                number,
                &series.label,
                series.label.clone(),
            ));
        }
        if let Some(present) = &map.present {
            let place = window.place(present.at);
            if inside(place) {
                let shape = MarkShape::Point(place, Some(downhill(map, present)));
                marks.push(Mark::named(shape, 0, "", said.join(" ")));
            }
        }
        let axis = |axis: &MapAxis, own| described(&axis.name, axis.range, own, style);
        Chart {
            title: map_title(map),
            scale: if map.logarithmic { "(logarithmic)" } else { "" },
            description: format!(
                "{} {}",
                axis(&map.across, window.across),
                axis(&map.up, window.up)
            ),
            said,
            window,
            across: &map.across.name,
            up: &map.up.name,
            ground: Some(map),
            marks,
            below: None,
            size: map.size,
        }
    }

    /// The marks that a legend names, in the order in which they were given.
    pub(super) fn legend(&self) -> Vec<&Mark> {
        let mut named: Vec<&Mark> = self
            .marks
            .iter()
            .filter(|mark| !mark.label.is_empty())
            .collect();
        named.sort_by_key(|mark| mark.series);
        named
    }

    /// The names of all that is drawn.
    pub(super) fn names(&self) -> String {
        let names = self.legend().into_iter().map(|mark| mark.tip.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Is there more than one curve, which must be told apart without colours too?
    pub(super) fn has_several_curves(&self) -> bool {
        let look = |mark: &&Mark| matches!(mark.shape, MarkShape::Line(LineLook::Curve(_), _));
        self.marks.iter().filter(look).count() > 1
    }
}

impl Mark {
    fn unnamed(shape: MarkShape, series: usize) -> Mark {
        Mark::named(shape, series, "", String::new())
    }

    fn named(shape: MarkShape, series: usize, label: &str, tip: String) -> Mark {
        Mark {
            shape,
            series: series as u8,
            label: label.to_string(),
            tip,
        }
    }
}

/// `y = 3*x^2 - 4*x + 5`
fn title(curve: &Curve) -> String {
    with_formula(&curve.label, &curve.formula)
}

/// `y = 3*x^2 - 4*x + 5, z = x over x`
pub(crate) fn title_of_all(plot: &Plot) -> String {
    let names: Vec<String> = plot.curves.iter().map(title).collect();
    format!("{} over {}", names.join(", "), plot.across)
}

/// `L = x^2 + y^2 over x and y`
pub(crate) fn map_title(map: &PlotMap) -> String {
    let label = with_formula(&map.label, &map.formula);
    format!("{label} over {} and {}", map.across.name, map.up.name)
}

fn with_formula(label: &str, formula: &str) -> String {
    let sign = if formula.is_empty() { "" } else { " = " };
    format!("{label}{sign}{formula}")
}

/// `x goes from 0 to 3, logarithmic.`
fn described(name: &str, (from, to): (f64, f64), axis: ChartAxis, style: &Style) -> String {
    let [from, to] = [from, to].map(|end| number::text(end, style.table_digits));
    let scale = if axis.logarithmic {
        ", logarithmic"
    } else {
        ""
    };
    format!("{name} goes from {from} to {to}{scale}.")
}

/// How far a small step against the gradient leads, in parts of width and height; its length means nothing.
fn downhill(map: &PlotMap, present: &PresentPoint) -> (f64, f64) {
    let along = |axis: &MapAxis, at: f64, slope: f64| {
        let (from, to) = ChartAxis::of(axis.range, axis.logarithmic).range;
        let scale = if axis.logarithmic { at } else { 1.0 };
        -slope / scale / (to - from)
    };
    (
        along(&map.across, present.at.0, present.grad.0),
        along(&map.up, present.at.1, present.grad.1),
    )
}
