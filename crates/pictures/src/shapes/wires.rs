//! A wire as shapes: straight pieces with round corners, and the head of its arrow.
//!
//! It is computed along the picture and across it; [`to_picture`] decides which of the two is from left to right.

use super::scene::{self, PathStep, SceneGroup, Sketch, Stroke};
use chainrule_report::Flow;

/// The radius of a corner.
const CORNER: f64 = 6.0;
/// The length of an arrow's head.
pub(crate) const ARROW: f64 = 8.0;
/// The length and half of the width of the triangle that the pen follows. The line is so thick that it fills the triangle.
const HEAD: (f64, f64) = (4.6, 2.1);
/// How far the triangle's tip stands back, for the thickness of the line.
const TIP: f64 = 1.6;

/// A place along the picture and across it.
pub(crate) type WirePlace = (f64, f64);

/// Turns along and across into columns and rows, or the other way round.
pub(crate) fn to_picture(flow: Flow, (along, across): WirePlace) -> (f64, f64) {
    match flow {
        Flow::Right => (along, across),
        Flow::Down => (across, along),
    }
}

/// A wire or a piece that wires share.
pub(crate) struct DrawnWire {
    pub group: SceneGroup,
    pub corners: Vec<WirePlace>,
    /// Whether it ends with the head of an arrow.
    pub has_arrow: bool,
    pub line: Stroke,
}

/// Draws a wire, and the head of its arrow without lifting the pen.
pub(crate) fn draw(flow: Flow, wire: DrawnWire, sketch: &mut Sketch) {
    // Two pieces in one direction are one piece.
    let mut corners = scene::corners(wire.corners, 1e-6);
    let mut head = Vec::new();
    if let Some((along, across)) = corners.last_mut().filter(|_| wire.has_arrow) {
        *along -= TIP;
        let (long, side) = HEAD;
        let back = *along - long;
        let ends = [
            (back, *across - side),
            (back, *across + side),
            (*along, *across),
        ];
        let corners = ends.map(|place| to_picture(flow, place));
        head.extend(corners.map(|(x, y)| PathStep::Line(x, y)));
    }
    let corners: Vec<_> = corners.into_iter().map(|at| to_picture(flow, at)).collect();
    let mut steps = scene::rounded_path(&corners, CORNER);
    sketch.group(wire.group, |sketch| {
        if let (true, true, Some(&(x, y))) = (wire.line.is_dashed(), wire.has_arrow, corners.last())
        {
            // The head is not dashed, and as thick as that of a solid wire, whose line is thicker.
            let thick = Stroke::solid(wire.line.ink, 2.0 * wire.line.width);
            let tip = std::iter::once(PathStep::Move(x, y));
            sketch.path(steps, wire.line);
            sketch.path(tip.chain(head).collect(), thick);
        } else {
            steps.extend(head);
            sketch.path(steps, wire.line);
        }
    });
}
