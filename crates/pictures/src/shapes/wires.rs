//! Draws a wire as shapes: straight pieces with round corners, and the head of its arrow.
//!
//! Places are computed along the picture and across it; [`to_picture`] turns them into places of the page.

use super::scene::{self, PathStep, SceneGroup, Sketch, Stroke};
use chainrule_report::Flow;

/// The radius of a corner.
const CORNER: f64 = 6.0;
/// The length of an arrow's head.
pub(crate) const ARROW: f64 = 8.0;
/// The length and half of the width of the triangle that the pen follows. The line is thick enough to fill it.
const HEAD: (f64, f64) = (4.6, 2.1);
/// The distance from the triangle's tip to the end of the wire: the thick line reaches beyond the triangle.
const TIP: f64 = 1.6;

/// A place along the picture and across it.
pub(crate) type WirePlace = (f64, f64);

/// Turns a place along the picture and across it into x and y, or x and y into such a place.
pub(crate) fn to_picture(flow: Flow, (along, across): WirePlace) -> (f64, f64) {
    match flow {
        Flow::Right => (along, across),
        Flow::Down => (across, along),
    }
}

/// A wire, or a piece that several wires share.
pub(crate) struct DrawnWire {
    pub group: SceneGroup,
    pub corners: Vec<WirePlace>,
    /// Whether it ends with the head of an arrow.
    pub has_arrow: bool,
    pub line: Stroke,
}

/// Draws a wire, and the head of its arrow without lifting the pen.
pub(crate) fn draw(flow: Flow, wire: DrawnWire, sketch: &mut Sketch) {
    // Joins pieces in one direction.
    let mut places = scene::corners(wire.corners, 1e-6);
    let mut head = Vec::new();
    if let Some(end) = places.last_mut().filter(|_| wire.has_arrow) {
        end.0 -= TIP;
        head.extend(head_steps(flow, *end));
    }
    let corners: Vec<_> = places.into_iter().map(|at| to_picture(flow, at)).collect();
    let mut steps = scene::rounded_path(&corners, CORNER);
    let end = corners.last().copied().unwrap_or_default();
    let mut paths = Vec::new();
    if wire.line.is_dashed() && !head.is_empty() {
        paths.push((steps, wire.line));
        // The head has no dashes. It is as thick as the head of a solid wire, whose line is thicker.
        let thick = Stroke::solid(wire.line.ink, 2.0 * wire.line.width);
        let tip = std::iter::once(PathStep::Move(end.0, end.1));
        paths.push((tip.chain(head).collect(), thick));
    } else {
        steps.extend(head);
        paths.push((steps, wire.line));
    }
    sketch.group(wire.group, |sketch| {
        for (path, line) in paths {
            sketch.path(path, line);
        }
    });
}

/// The path of the pen around the head of an arrow, from its tip back to its tip.
fn head_steps(flow: Flow, (along, across): WirePlace) -> [PathStep; 3] {
    let (length, side) = HEAD;
    let back = along - length;
    let ends = [
        (back, across - side),
        (back, across + side),
        (along, across),
    ];
    ends.map(|place| {
        let (x, y) = to_picture(flow, place);
        PathStep::Line(x, y)
    })
}
