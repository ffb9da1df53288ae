//! Curves and maps as comma-separated values: for spreadsheets and programs.
//!
//! Numbers in full, a row for each place; nothing is drawn here.

use crate::report::{Curve, Plot, PlotMap};
use crate::view::number;
use crate::view::sheets::quoted;

/// The points as comma-separated values, in full: a column for what goes to the right, and one for each curve.
pub(crate) fn curves(plot: &Plot) -> String {
    let below = plot.below.iter().flat_map(|below| &below.curves);
    let curves: Vec<&Curve> = plot.curves.iter().chain(below).collect();
    let mut out = quoted(&plot.across).into_owned();
    for curve in &curves {
        out.push(',');
        out.push_str(&quoted(&curve.label));
    }
    out.push_str("\r\n");
    for (x, cells) in rows(&curves) {
        number::write(x, number::EXACT, &mut out);
        for cell in cells {
            out.push(',');
            if let Some(y) = cell {
                number::write(y, number::EXACT, &mut out);
            }
        }
        out.push_str("\r\n");
    }
    out
}

/// A place and the value of each curve there.
type PlaceRow = (f64, Vec<Option<f64>>);

/// A row for each place. Curves that have points at different places share the rows of those they have in common.
fn rows(curves: &[&Curve]) -> Vec<PlaceRow> {
    let first = curves.first().map_or(&[][..], |curve| &curve.points);
    let is_same = |(one, other): (&(f64, f64), &(f64, f64))| one.0.to_bits() == other.0.to_bits();
    let alike = curves.iter().all(|curve| {
        curve.points.len() == first.len() && curve.points.iter().zip(first).all(is_same)
    });
    if alike {
        let row = |at: usize| {
            curves
                .iter()
                .map(|curve| Some(curve.points[at].1))
                .collect()
        };
        return (0..first.len()).map(|at| (first[at].0, row(at))).collect();
    }
    let points = curves.iter().enumerate().flat_map(|(column, curve)| {
        let points = curve.points.iter();
        points.map(move |&(x, y)| (x, column, y))
    });
    let mut points: Vec<(f64, usize, f64)> = points.collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut rows: Vec<PlaceRow> = Vec::new();
    for place in points.chunk_by(|one, other| one.0.to_bits() == other.0.to_bits()) {
        // The second point of a curve at this place goes to the second row of the place.
        let begun = rows.len();
        let mut filled = vec![begun; curves.len()];
        for &(x, column, y) in place {
            if filled[column] == rows.len() {
                rows.push((x, vec![None; curves.len()]));
            }
            rows[filled[column]].1[column] = Some(y);
            filled[column] += 1;
        }
    }
    rows
}

/// A column for each of the two leaves, and one for the values.
pub(crate) fn map(map: &PlotMap) -> String {
    let mut out = String::new();
    for (at, name) in [&map.across.name, &map.up.name, &map.label]
        .into_iter()
        .enumerate()
    {
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(&quoted(name));
    }
    out.push_str("\r\n");
    for (row, up) in map.up.places.iter().enumerate() {
        for (column, across) in map.across.places.iter().enumerate() {
            for (at, value) in [*across, *up, map.value(column, row)]
                .into_iter()
                .enumerate()
            {
                out.push_str(if at > 0 { "," } else { "" });
                number::write(value, number::EXACT, &mut out);
            }
            out.push_str("\r\n");
        }
    }
    out
}
