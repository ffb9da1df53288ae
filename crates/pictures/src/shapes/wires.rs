//! Draws a wire as shapes: straight pieces with round corners, and the head of its arrow.
//!
//! Places are computed along the picture and across it; [`to_picture`] turns them into places of the page.

use super::scene::{self, SceneGroup, Sketch, Stroke};
use chainrule_report::Flow;

/// The radius of a corner.
const CORNER: f64 = 6.0;
/// The length and half of the width of the triangle around which the pen draws a head. The line is thick enough to fill it.
const HEAD: (f64, f64) = (4.6, 2.1);
/// The thick line reaches this far beyond the tip of the triangle. So the pen turns back before the end of the wire.
const TIP: f64 = 1.6;
/// The room that a head takes on its wire, for labels: a little more than the head and the tip.
pub(crate) const ARROW: f64 = 8.0;

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

/// Draws a wire with the head of its arrow. The pen draws both without a stop, unless the wire has dashes.
pub(crate) fn draw(flow: Flow, wire: DrawnWire, sketch: &mut Sketch) {
    // A place in the middle of a straight piece would get a round corner.
    let mut places = scene::without_straight_places(wire.corners, 1e-6);
    let mut head = Vec::new();
    if wire.has_arrow
        && let Some(end) = places.last_mut()
    {
        // The last piece runs along the picture, and the head points that way.
        end.0 -= TIP;
        let (tip, back) = (*end, end.0 - HEAD.0);
        // The path of the pen around the head, from its tip back to its tip.
        let around = [tip, (back, tip.1 - HEAD.1), (back, tip.1 + HEAD.1), tip];
        head = scene::straight_path(around.map(|corner| to_picture(flow, corner)));
    }
    let corners: Vec<_> = places.into_iter().map(|at| to_picture(flow, at)).collect();
    let mut parts = vec![(scene::rounded_path(&corners, CORNER), wire.line)];
    if wire.line.is_dashed() && !head.is_empty() {
        // The head has no dashes. It is as thick as the head of a solid wire, whose line is thicker.
        let thick = Stroke::solid(wire.line.ink, 2.0 * wire.line.width);
        parts.push((head, thick));
    } else {
        // The pen is at the tip already, where the head begins.
        parts[0].0.extend(head.into_iter().skip(1));
    }
    sketch.group(wire.group, |sketch| {
        for (steps, line) in parts {
            sketch.path(steps, line);
        }
    });
}
