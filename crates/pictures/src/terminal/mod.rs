//! Draws a graph on the terminal, and remarks below it.
//!
//! It tries up to six forms and draws the first that is narrow enough: large boxes to the right, large boxes downwards, and
//! then boxes of one row in both directions. If a graph fits in none, a remark says how to get the picture as a file.

mod boxes;
mod cell_drawing;
#[cfg(test)]
mod tests;

use self::cell_drawing::CellDrawing;
use super::layout::layers::{Layers, bends, depths};
use chainrule_report::{Diagram, Flow, Line, Piece, count_text};
use chainrule_style::{Style, number};

/// The most cells of a picture in a pipe, which has no width.
const MOST_CELLS: usize = 500_000;
/// The most values, bends and wires of a picture together. A larger picture could not be read and would take long.
const MOST_ITEMS: usize = 8_000;

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// The arrangement of its numbers.
    size: BoxSize,
    /// Whether the picture runs from top to bottom and not from left to right.
    is_downwards: bool,
}

/// The arrangement of numbers in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoxSize {
    /// Each number has a row with its name.
    Full,
    /// Each number has a row.
    Short,
    /// The label and the numbers share one row.
    Line,
}

/// The forms, best first. In a narrow window a graph with large boxes can still run downwards.
fn forms() -> [Form; 6] {
    let forms = [
        (BoxSize::Full, false),
        (BoxSize::Short, false),
        (BoxSize::Full, true),
        (BoxSize::Short, true),
        (BoxSize::Line, false),
        (BoxSize::Line, true),
    ];
    forms.map(|(size, is_downwards)| Form { size, is_downwards })
}

/// Draws a graph on the terminal. Returns its remarks, which the caller writes below it.
pub fn graph(diagram: &Diagram, style: &Style, out: &mut String) -> Vec<Line> {
    let Some(drawing) = first_that_fits(diagram, style) else {
        return vec![too_large(diagram)];
    };
    drawing.sheet().write(style.theme, out);
    let mut remarks = Vec::new();
    if drawing.has_marks() {
        let words = " mark operands that do not stand in their order";
        remarks.push(vec![Piece::plain("¹ ²"), Piece::dim(words)]);
    }
    if !diagram.caption.is_empty() {
        remarks.push(diagram.caption.clone());
    }
    let has_weights = diagram.wires().any(|wire| wire.weight_range().is_some());
    if let Some(network) = diagram.network.filter(|_| has_weights) {
        let mut legend = vec![Piece::dim("on the wires: the sign of "), Piece::plain("w")];
        if network.largest > 0.0 {
            let largest = number::text(network.largest, style.table_digits);
            legend.push(Piece::dim(format!(", |w| up to {largest}")));
        }
        remarks.push(legend);
    }
    remarks
}

/// The picture in the first form that fits; `None` if no form does.
fn first_that_fits<'d>(diagram: &'d Diagram, style: &Style) -> Option<CellDrawing<'d>> {
    let bends = bends(diagram, &depths(diagram));
    if diagram.vertices.len() + bends + diagram.edges().count() > MOST_ITEMS {
        return None;
    }
    let layers = Layers::new(diagram);
    let runs =
        |form: &Form| (diagram.flow).is_none_or(|flow| form.is_downwards == (flow == Flow::Down));
    let fits = |drawing: &CellDrawing| match style.width {
        Some(width) => drawing.width <= width,
        None => drawing.width * drawing.height <= MOST_CELLS,
    };
    let forms_of_flow = forms().into_iter().filter(runs);
    let mut drawings = forms_of_flow.map(|form| CellDrawing::new(diagram, &layers, form, style));
    drawings.find(fits)
}

fn too_large(diagram: &Diagram) -> Line {
    let things = match diagram.network {
        Some(_) => "boxes",
        None => "nodes",
    };
    let count = count_text(diagram.vertices.len());
    let words = format!("{count} {things} are too many for a picture here; as a file: ");
    vec![Piece::dim(words), Piece::to_type(diagram.typed.as_str())]
}
