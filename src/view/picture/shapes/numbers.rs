//! The numbers on the wires of a graph: small labels right before the operation, each on the wire it belongs to.
//!
//! All of them stand where the wires are straight, and the ports of an operation are as far apart as its numbers need,
//! so they cover neither each other nor another wire.

use super::boxes::ARROW;
use super::labels;
use super::letters;
use super::scene::{Anchor, Contour, Ink, SceneGroup, SceneShape, SceneText, Stroke};
use super::sizes::{PORTS, SMALL};
use crate::report::{Flow, OnWire, Vertex};
use crate::view::number;

/// How high the label of a number is.
const HIGH: f64 = 15.0;
/// Between its edge and its text.
const PAD: f64 = 4.0;
/// Between the labels of neighbours, and around the head of an arrow.
const GAP: f64 = 3.0;

/// How far the ports of an operation are from each other, and the room along its wires for their numbers.
pub(crate) fn room(vertex: &Vertex, flow: Flow) -> (f64, f64) {
    let widths = vertex.on_wires.iter().flatten().map(width);
    let widest = widths.fold(0.0, f64::max);
    match flow {
        _ if widest == 0.0 => (PORTS, 0.0),
        Flow::Right => (HIGH + GAP, widest + 2.0 * GAP),
        Flow::Down => (widest + GAP, HIGH + 2.0 * GAP),
    }
}

fn width(on_wire: &OnWire) -> f64 {
    letters::width(&number::terse(on_wire.number), SMALL) + 2.0 * PAD
}

/// The ink of a number.
pub(crate) fn ink(on_wire: &OnWire) -> Ink {
    if on_wire.number.is_finite() {
        Ink::Words
    } else {
        Ink::NotFinite
    }
}

/// The label of a number whose wire comes to its operation here: along the picture, and across it.
pub(crate) fn draw(
    on_wire: &OnWire,
    key: String,
    (along, across): (f64, f64),
    flow: Flow,
    shapes: &mut Vec<SceneShape>,
) {
    let width = width(on_wire);
    let end = along - ARROW.0 - GAP;
    let (x, y) = match flow {
        Flow::Right => (end - width / 2.0, across),
        Flow::Down => (across, end - HIGH / 2.0),
    };
    shapes.push(SceneShape::Open(SceneGroup {
        class: "number".to_string(),
        key,
        tip: labels::on_wire(on_wire),
    }));
    shapes.push(SceneShape::Figure {
        contour: Contour::Rectangle {
            sides: [x - width / 2.0, y - HIGH / 2.0, width, HIGH],
            radius: HIGH / 2.0,
        },
        fill: Some(Ink::Ground),
        line: Some(Stroke::solid(Ink::Wire, 0.8)),
    });
    let base = y + SMALL * letters::CAPITAL / 2.0;
    shapes.push(SceneShape::Text(SceneText {
        anchor: Anchor::Middle,
        ..SceneText::new(
            (x, base),
            SMALL,
            ink(on_wire),
            &number::terse(on_wire.number),
        )
    }));
    shapes.push(SceneShape::Close);
}
