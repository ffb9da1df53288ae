//! Maps: the values of an expression over two leaves as shades, with lines at round levels.
//!
//! The levels and what lies between them are found here once, for files and for the terminal.

pub(crate) mod chart;
mod contours;
mod levels;
pub(crate) mod terminal;

use self::contours::{ContourField, ContourPoint};
use self::levels::MapLevels;
use super::window::{Window, logarithm};
use crate::report::{Curve, MapAxis, PlotMap, PresentPoint};

/// The part of the plane that a map shows, in logarithms where an axis has them.
fn window(map: &PlotMap) -> Window {
    let ends = |axis: &MapAxis| {
        let (from, to) = axis.range;
        (on_axis(axis, from), on_axis(axis, to))
    };
    Window {
        across: ends(&map.across),
        up: ends(&map.up),
    }
}

/// A number as a place of an axis.
fn on_axis(axis: &MapAxis, number: f64) -> f64 {
    if axis.logarithmic {
        logarithm(number)
    } else {
        number
    }
}

/// Points where the axes have them.
fn on_axes(map: &PlotMap, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let place = |&(x, y): &(f64, f64)| (on_axis(&map.across, x), on_axis(&map.up, y));
    points.iter().map(place).collect()
}

/// The points of data where the axes have them.
fn series_on_axes(map: &PlotMap) -> Vec<Curve> {
    let placed = |series: &Curve| Curve {
        points: on_axes(map, &series.points),
        ..series.clone()
    };
    map.series.iter().map(placed).collect()
}

/// How far a small step against the gradient leads, in parts of width and height; its length means nothing.
fn downhill(map: &PlotMap, present: &PresentPoint) -> (f64, f64) {
    let along = |axis: &MapAxis, at: f64, slope: f64| {
        let (from, to) = (on_axis(axis, axis.range.0), on_axis(axis, axis.range.1));
        let scale = if axis.logarithmic { at } else { 1.0 };
        -slope / scale / (to - from)
    };
    (
        along(&map.across, present.at.0, present.grad.0),
        along(&map.up, present.at.1, present.grad.1),
    )
}
