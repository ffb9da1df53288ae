//! Draws the wires of a network as shapes, with their weights if there are few, and finds the entries of
//! their legend.
//!
//! The look of a wire comes from `connections.rs`, and its route from the [`Drawing`].

use super::drawing::Drawing;
use super::legend::LegendEntry;
use super::scene::{Ink, SceneGroup, Sketch, Stroke};
use super::wires::{self, DrawnWire, to_picture};
use super::{boxes, connections};
use crate::layout::layers::Wire;
use chainrule_report::{Diagram, Network};

/// More wires than this have no weights written on them.
const MOST_WRITTEN: usize = 12;
/// The places for a weight on the last piece of its wire, in hundredths of the length of the piece, best first.
const WEIGHT_PLACES: [u8; 7] = [33, 50, 67, 25, 42, 58, 75];
/// The length of a sample line in the legend, of which one sees the dashes.
const SAMPLE_LENGTH: f64 = 26.0;
/// The width of a solid sample line: wider than most wires, so that one sees its colour.
const SOLID_SAMPLE: f64 = 4.0;
/// The width of a dashed sample line. In a wide line the dashes could not be seen.
const DASHED_SAMPLE: f64 = 1.5;

/// Draws a wire.
pub(crate) fn draw_wire(drawing: &Drawing, network: Network, wire: &Wire, sketch: &mut Sketch) {
    let connection = drawing.diagram.connection(wire.user, wire.position);
    let class = match connections::ink(connection) {
        Ink::Rising => "edge positive",
        Ink::Falling => "edge negative",
        _ => "edge",
    };
    let drawn = DrawnWire {
        group: SceneGroup::new(
            class,
            drawing.key(wire.user, wire.position),
            connections::tip(drawing.diagram, wire.user, wire.position, drawing.style),
        ),
        corners: drawing.direct_path(wire),
        has_arrow: false,
        line: connections::stroke(connection, network),
    };
    wires::draw(drawing.flow, drawn, sketch);
}

/// The label of a weight.
struct WeightLabel {
    /// The middle of the label.
    x: f64,
    y: f64,
    width: f64,
}

/// Writes the weights on the wires, if there are few wires. A weight is on the last piece of its wire, at the first place
/// where it does not overlap the weights before it. Without such a place it is omitted.
pub(crate) fn draw_weights(drawing: &Drawing, network: Network, sketch: &mut Sketch) {
    if network.wires > MOST_WRITTEN {
        return;
    }
    let mut labels: Vec<WeightLabel> = Vec::new();
    for wire in drawing.layers.wires() {
        let connection = drawing.diagram.connection(wire.user, wire.position);
        let text = connections::wire_label(connection, drawing.style);
        let [.., from, to] = drawing.direct_path(&wire)[..] else {
            continue;
        };
        if text.is_empty() {
            continue;
        }
        let width = boxes::on_wire_width(&text);
        let label_at = |hundredths: u8| {
            let fraction = f64::from(hundredths) / 100.0;
            let at = |begin: f64, end: f64| begin + (end - begin) * fraction;
            let (x, y) = to_picture(drawing.flow, (at(from.0, to.0), at(from.1, to.1)));
            WeightLabel { x, y, width }
        };
        let is_apart = |one: &WeightLabel, other: &WeightLabel| {
            (one.x - other.x).abs() > f64::midpoint(one.width, other.width)
                || (one.y - other.y).abs() > boxes::NUMBER_HIGH
        };
        let is_free = |label: &WeightLabel| labels.iter().all(|other| is_apart(label, other));
        let Some(label) = WEIGHT_PLACES.into_iter().map(label_at).find(is_free) else {
            continue;
        };
        let ink = match connections::ink(connection) {
            Ink::Wire => Ink::Faint,
            ink => ink,
        };
        boxes::draw_on_wire(&text, (label.x, label.y), ink, "weight", sketch);
        labels.push(label);
    }
}

/// The entries of the legend: each kind of wire once, with the words for it.
pub(crate) fn legend_entries(diagram: &Diagram, network: Network) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    for wire in diagram.wires() {
        let stroke = connections::stroke(wire, network);
        let sample = Stroke {
            width: if stroke.is_dashed() {
                DASHED_SAMPLE
            } else {
                SOLID_SAMPLE
            },
            ..stroke
        };
        let words = match sample.ink {
            Ink::Rising => "w > 0",
            Ink::Falling => "w < 0",
            Ink::NotFinite => "not finite",
            _ => connections::reason(wire),
        };
        let entry = LegendEntry {
            line: sample,
            length: SAMPLE_LENGTH,
            words,
        };
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    // The reverse order of the words has `w > 0` before `w < 0`.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.words));
    entries
}
