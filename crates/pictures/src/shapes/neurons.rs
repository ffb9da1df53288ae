//! The wires of a network as shapes, with their weights if these are few, and the legend of their colours.
//!
//! The look of a wire comes from `connections.rs`, its route from the drawing.

use super::boxes;
use super::connections;
use super::drawing::{Drawing, MARGIN};
use super::letters;
use super::scene::{Ink, SceneGroup, SceneText, Sketch, Stroke};
use super::wires::{self, DrawnWire, to_picture};
use crate::layout::layers::Wire;
use chainrule_report::{Diagram, Network};

/// The places on the last piece of a wire where its weight may stand, in hundredths of its length, best first.
const PLACES: [u8; 7] = [33, 50, 67, 25, 42, 58, 75];
/// The size of the letters of the legend, the length of its lines, and the room between its entries.
const LEGEND: f64 = 12.0;
const SAMPLE: f64 = 26.0;
const BETWEEN: f64 = 22.0;
/// The width of a line of the legend.
const THICK: f64 = 4.0;
const THIN: f64 = 1.5;

/// Draws a wire.
pub(crate) fn wire(drawing: &Drawing, network: Network, wire: &Wire, sketch: &mut Sketch) {
    let user = &drawing.diagram.vertices[wire.user];
    let Some(connection) = user.connections.wires.get(wire.position) else {
        return;
    };
    let wire = DrawnWire {
        group: SceneGroup::new(
            connections::class(connections::ink(connection)),
            drawing.key(wire.user, wire.position),
            connections::tip(drawing.diagram, wire.user, wire.position, drawing.style),
        ),
        corners: drawing.direct_path(wire),
        has_arrow: false,
        line: connections::stroke(connection, network),
    };
    wires::draw(drawing.flow, wire, sketch);
}

/// Writes the weights on the wires, if these are few. A weight stands on the last piece of its wire, off other weights.
pub(crate) fn weights(drawing: &Drawing, network: Network, sketch: &mut Sketch) {
    if !connections::are_written(network) {
        return;
    }
    // The middle of each weight, and its width.
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for wire in drawing.layers.wires() {
        let user = &drawing.diagram.vertices[wire.user];
        let Some(connection) = user.connections.wires.get(wire.position) else {
            continue;
        };
        let text = connections::text(connection, drawing.style);
        let [.., from, to] = drawing.direct_path(&wire)[..] else {
            continue;
        };
        if text.is_empty() {
            continue;
        }
        let width = boxes::on_wire_width(&text);
        let place = |hundredths: u8| {
            let part = f64::from(hundredths) / 100.0;
            let at = |from: f64, to: f64| from + (to - from) * part;
            to_picture(drawing.flow, (at(from.0, to.0), at(from.1, to.1)))
        };
        let is_free = |(x, y): &(f64, f64)| {
            taken.iter().all(|other| {
                (x - other.0).abs() > f64::midpoint(width, other.2)
                    || (y - other.1).abs() > boxes::NUMBER_HIGH
            })
        };
        let Some((x, y)) = PLACES.into_iter().map(place).find(is_free) else {
            continue;
        };
        taken.push((x, y, width));
        let ink = match connections::ink(connection) {
            Ink::Wire => Ink::Faint,
            ink => ink,
        };
        boxes::on_wire(&text, (x, y), (ink, "weight"), sketch);
    }
}

/// Draws the legend of the colours in a row below the picture.
pub(crate) fn legend(
    diagram: &Diagram,
    network: Network,
    (width, height): (&mut f64, &mut f64),
    sketch: &mut Sketch,
) {
    let mut entries: Vec<(Stroke, &str)> = Vec::new();
    for wire in diagram.wires() {
        let stroke = connections::stroke(wire, network);
        let width = if stroke.is_dashed() { THIN } else { THICK };
        let entry = (Stroke { width, ..stroke }, connections::meaning(wire));
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    entries.sort_by(|(_, one), (_, other)| other.cmp(one));
    if entries.is_empty() {
        return;
    }
    let (mut x, y) = (MARGIN, *height + 4.0);
    let group = SceneGroup::new("legend", String::new(), String::new());
    sketch.group(group, |sketch| {
        for (line, text) in &entries {
            let middle = y - LEGEND * letters::CAPITAL / 2.0;
            sketch.line((x, middle), (x + SAMPLE, middle), *line);
            x += SAMPLE + 6.0;
            sketch.text(SceneText::new((x, y), LEGEND, Ink::Faint, text));
            x += letters::width(text, LEGEND) + BETWEEN;
        }
    });
    *width = width.max(x - BETWEEN + MARGIN);
    *height = y + LEGEND * 0.6 + 6.0;
}
