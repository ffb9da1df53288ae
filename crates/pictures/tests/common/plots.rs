//! Plots made from functions and points.

use std::ops::Range;

use chainrule_report::{Curve, Piece, Plot, PlotMap, PresentPoint, Tangent, usual_range};

/// The points of a curve, and the columns and rows of a map.
const POINTS: usize = 401;
const GRID: usize = 101;

fn places(range: &Range<f64>, count: usize) -> Vec<f64> {
    let share = |at: usize| at as f64 / (count - 1) as f64;
    // The difference of two doubles may overflow.
    let place = |share| range.start * (1.0 - share) + range.end * share;
    (0..count).map(|at| place(share(at))).collect()
}

/// A plot of one function.
pub fn curve(label: &str, range: Range<f64>, function: impl Fn(f64) -> f64) -> Plot {
    let points = places(&range, POINTS).into_iter().map(|x| (x, function(x)));
    plot(range, vec![line(label, points.collect())])
}

/// A plot of one function with a pole.
pub fn with_pole(label: &str, range: Range<f64>, pole: f64, function: impl Fn(f64) -> f64) -> Plot {
    let mut drawn = curve(label, range, function);
    let curve = &mut drawn.curves[0];
    curve.breaks = vec![curve.points.partition_point(|(x, _)| *x <= pole)];
    curve.usual = usual_range(curve.points.iter().map(|(_, y)| *y));
    drawn
}

pub fn line(label: &str, points: Vec<(f64, f64)>) -> Curve {
    Curve {
        label: label.to_string(),
        points,
        ..Curve::default()
    }
}

pub fn dots(label: &str, points: &[(f64, f64)]) -> Curve {
    Curve {
        has_dots: true,
        ..line(label, points.to_vec())
    }
}

pub fn plot(range: Range<f64>, curves: Vec<Curve>) -> Plot {
    Plot {
        across: "x".to_string(),
        range: (range.start, range.end),
        curves,
        ..Plot::default()
    }
}

/// A map of a function of `x` and `y`.
pub fn map(
    label: &str,
    (x, y): (Range<f64>, Range<f64>),
    function: impl Fn(f64, f64) -> f64,
) -> Plot {
    let (columns, rows) = (places(&x, GRID), places(&y, GRID));
    let row = |y: &f64| columns.iter().map(|x| function(*x, *y)).collect();
    let values: Vec<Vec<f64>> = rows.iter().map(row).collect();
    Plot {
        upwards: "y".to_string(),
        up_range: Some((y.start, y.end)),
        map: Some(Box::new(PlotMap {
            label: label.to_string(),
            values: values.concat(),
            columns,
            rows,
            ..PlotMap::default()
        })),
        ..plot(x, Vec::new())
    }
}

/// A plot with the present point of its first curve, which is told in this word.
pub fn with_tangent(plot: Plot, at: f64, value: f64, slope: f64, word: &str) -> Plot {
    let tangent = Tangent {
        curve: 0,
        at,
        value,
        slope,
    };
    Plot {
        present: vec![tangent],
        remarks: vec![vec![Piece::plain(word.to_string())]],
        ..plot
    }
}

/// A map with the path to the present point.
pub fn with_path(mut plot: Plot, path: &[(f64, f64)], grad: (f64, f64)) -> Plot {
    let map = plot.map.as_mut().expect("it is a map");
    map.path = path.to_vec();
    let at = path[path.len() - 1];
    map.present = Some(PresentPoint {
        at,
        value: 0.0,
        grad,
    });
    plot.remarks = vec![vec![Piece::plain("here")]];
    plot
}
