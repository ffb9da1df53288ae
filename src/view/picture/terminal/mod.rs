//! A graph on the terminal: the best form that fits, and remarks below it.
//!
//! Forms are tried from the fullest to the smallest, from left to right before from top to bottom. Of a graph that fits
//! in none, a remark says how to get the picture as a file.

mod boxes;
mod cells;
mod form;
mod geometry;
#[cfg(test)]
mod tests;
mod weights;

use self::form::{BoxSize, Form, down, right};
use self::geometry::Geometry;
use super::layout::layers::{Layers, bends};
use super::layout::ranks::depths;
use crate::report::{Diagram, Line, Network, Piece};
use crate::view::Style;

/// Cells of the largest picture in a pipe, where no width is given.
const MOST_CELLS: usize = 500_000;
/// A picture with more rows is drawn in another form if one is much lower.
const HIGH: usize = 100;
/// Columns that a rank takes at least in a picture from left to right.
const LEAST_RANK: usize = 12;
/// Columns that a node takes at least in a picture from top to bottom.
const LEAST_COLUMN: usize = 2;
/// Values and bends of the largest picture: a larger one could not be read, and would take long.
const MOST_ITEMS: usize = 4_000;

/// The forms, best first.
const FORMS: [Form; 6] = [
    right(BoxSize::Full),
    right(BoxSize::Short),
    down(BoxSize::Full),
    down(BoxSize::Short),
    right(BoxSize::Line),
    down(BoxSize::Line),
];

/// Appends the picture. Returns the remarks that belong below it.
pub(crate) fn write(diagram: &Diagram, style: &Style, out: &mut String) -> Vec<Line> {
    if diagram.vertices.is_empty() {
        return Vec::new();
    }
    let Some(geometry) = fitting(diagram, style) else {
        return vec![too_large(diagram)];
    };
    geometry.sheet().write(style.color, out);
    let mut remarks = Vec::new();
    if geometry.marked() {
        let marks = if style.ascii { "1 2" } else { "¹ ²" };
        let words = " mark operands that do not stand in their order";
        remarks.push(vec![Piece::plain(marks), Piece::dim(words)]);
    }
    if !diagram.caption.is_empty() {
        remarks.push(diagram.caption.clone());
    }
    let wires = || {
        let vertices = diagram.vertices.iter();
        vertices.flat_map(|vertex| &vertex.connections.wires)
    };
    let weighs = |network: &Network| wires().any(|wire| wire.shown(network.grads).is_some());
    if let Some(network) = diagram.network.filter(weighs) {
        remarks.push(weights::legend(network, geometry.form, style));
    }
    remarks
}

fn fits(geometry: &Geometry, style: &Style) -> bool {
    match style.width {
        Some(width) => geometry.width <= width,
        None => geometry.width * geometry.height <= MOST_CELLS,
    }
}

/// The picture in the first form that fits and is not too high; else in the lowest that fits.
fn fitting(diagram: &Diagram, style: &Style) -> Option<Geometry> {
    let possible = |form: &&Form| form.runs(diagram.flow) && may_fit(diagram, **form, style);
    let forms: Vec<&Form> = FORMS.iter().filter(possible).collect();
    if forms.is_empty() {
        return None;
    }
    let layers = Layers::new(diagram);
    let mut best: Option<Geometry> = None;
    for form in forms {
        let geometry = Geometry::new(diagram, &layers, *form, style);
        if !fits(&geometry, style) {
            continue;
        }
        if geometry.height <= HIGH {
            return Some(geometry);
        }
        // Only a much lower picture is worth a smaller form.
        let lower = |best: &Geometry| geometry.height * 2 < best.height;
        if best.as_ref().is_none_or(lower) {
            best = Some(geometry);
        }
    }
    best
}

/// Whether it is worth while to lay a picture out: what is known of its size does not rule it out.
fn may_fit(diagram: &Diagram, form: Form, style: &Style) -> bool {
    let depths = depths(diagram);
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let mut ranks = vec![0; deepest + 1];
    for &depth in &depths {
        ranks[depth] += 1;
    }
    let columns = if form.downwards {
        ranks.into_iter().max().unwrap_or(0) * LEAST_COLUMN
    } else {
        deepest * LEAST_RANK
    };
    let items = depths.len() + bends(diagram, &depths);
    columns <= style.width.unwrap_or(usize::MAX) && items <= MOST_ITEMS
}

fn too_large(diagram: &Diagram) -> Line {
    let things = match diagram.network {
        Some(_) => "boxes",
        None => "nodes",
    };
    let count = diagram.vertices.len();
    vec![
        Piece::dim(format!(
            "{count} {things} are too many for a picture here; as a file: "
        )),
        Piece::typed(diagram.typed.as_str()),
    ]
}
