//! The numbers on the wires of a graph: small labels right before the operation, each on the wire it belongs to.
//!
//! All of them stand where the wires are straight, and the ports of an operation are as far apart as its numbers need,
//! so they cover neither each other nor another wire.

use super::boxes::ARROW;
use super::labels;
use super::letters;
use super::scene::{Anchor, Contour, Ink, SceneGroup, SceneShape, SceneText, Stroke};
use super::sizes::{NUMBER_GAP, NUMBER_HIGH, SMALL, Sizes, number_width};
use crate::report::{Flow, OnWire};
use crate::view::number;

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
    sizes: &Sizes,
    shapes: &mut Vec<SceneShape>,
) {
    let width = number_width(on_wire);
    let end = along - ARROW.0 - NUMBER_GAP;
    let (x, y) = match sizes.flow {
        Flow::Right => (end - width / 2.0, across),
        Flow::Down => (across, end - NUMBER_HIGH / 2.0),
    };
    shapes.push(SceneShape::Open(SceneGroup {
        class: "number".to_string(),
        key,
        tip: labels::on_wire(on_wire, sizes.digits),
    }));
    shapes.push(SceneShape::Figure {
        contour: Contour::Rectangle {
            sides: [x - width / 2.0, y - NUMBER_HIGH / 2.0, width, NUMBER_HIGH],
            radius: NUMBER_HIGH / 2.0,
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
