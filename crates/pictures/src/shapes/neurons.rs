//! Draws the wires of a network as shapes, with their weights if there are few, and the legend of their colours.
//!
//! The look of a wire comes from `connections.rs`, its route from the drawing. `graph.rs` calls this file.

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
/// The size of the letters of the legend.
const LEGEND_SIZE: f64 = 12.0;
/// The length of a sample line in the legend, and the room between entries.
const SAMPLE: f64 = 26.0;
const BETWEEN: f64 = 22.0;
/// The widths of sample lines: thicker than most wires, so that one sees their colours, but a thick line has no dashes.
const THICK: f64 = 4.0;
const THIN: f64 = 1.5;

/// Draws a wire.
pub(crate) fn wire(drawing: &Drawing, network: Network, wire: &Wire, sketch: &mut Sketch) {
    let user = &drawing.diagram.vertices[wire.user];
    let Some(connection) = user.connections.wires.get(wire.position) else {
        return;
    };
    let drawn = DrawnWire {
        group: SceneGroup::new(
            connections::css_class(connections::ink(connection)),
            drawing.key(wire.user, wire.position),
            connections::tip(drawing.diagram, wire.user, wire.position, drawing.style),
        ),
        corners: drawing.direct_path(wire),
        has_arrow: false,
        line: connections::stroke(connection, network),
    };
    wires::draw(drawing.flow, drawn, sketch);
}

/// The label of a weight: its middle and its width.
#[derive(Clone, Copy)]
struct WeightLabel {
    x: f64,
    y: f64,
    width: f64,
}

impl WeightLabel {
    /// Whether it stands beside, above or below another label.
    fn is_apart(&self, other: &WeightLabel) -> bool {
        (self.x - other.x).abs() > f64::midpoint(self.width, other.width)
            || (self.y - other.y).abs() > boxes::NUMBER_HIGH
    }
}

/// Writes the weights on the wires, if there are few. A weight stands on the last piece of its wire, where it does not
/// touch the weights before it.
pub(crate) fn weights(drawing: &Drawing, network: Network, sketch: &mut Sketch) {
    if !connections::are_written(network) {
        return;
    }
    let mut labels: Vec<WeightLabel> = Vec::new();
    for wire in drawing.layers.wires() {
        let user = &drawing.diagram.vertices[wire.user];
        let Some(connection) = user.connections.wires.get(wire.position) else {
            continue;
        };
        let text = connections::wire_label(connection, drawing.style);
        let [.., from, to] = drawing.direct_path(&wire)[..] else {
            continue;
        };
        if text.is_empty() {
            continue;
        }
        let width = boxes::on_wire_width(&text);
        let label_at = |hundredths: u8| {
            let part = f64::from(hundredths) / 100.0;
            let at = |begin: f64, end: f64| begin + (end - begin) * part;
            let (x, y) = to_picture(drawing.flow, (at(from.0, to.0), at(from.1, to.1)));
            WeightLabel { x, y, width }
        };
        let is_free = |label: &WeightLabel| labels.iter().all(|other| label.is_apart(other));
        let Some(label) = PLACES.into_iter().map(label_at).find(is_free) else {
            continue;
        };
        labels.push(label);
        let ink = match connections::ink(connection) {
            Ink::Wire => Ink::Faint,
            ink => ink,
        };
        boxes::draw_on_wire(&text, (label.x, label.y), (ink, "weight"), sketch);
    }
}

/// The entries of the legend: each kind of wire once, with the words for it.
fn legend_entries(diagram: &Diagram, network: Network) -> Vec<(Stroke, &'static str)> {
    let mut entries = Vec::new();
    for wire in diagram.wires() {
        let stroke = connections::stroke(wire, network);
        let sample = Stroke {
            width: if stroke.is_dashed() { THIN } else { THICK },
            ..stroke
        };
        let entry = (sample, connections::color_legend(wire));
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    // `w > 0` stands before `w < 0`.
    entries.sort_by_key(|(_, words)| std::cmp::Reverse(*words));
    entries
}

/// Draws an entry of the legend from this place on. Returns where the next entry begins.
fn draw_entry(line: Stroke, words: &str, (x, baseline): (f64, f64), sketch: &mut Sketch) -> f64 {
    let middle = baseline - LEGEND_SIZE * letters::CAPITAL / 2.0;
    sketch.line((x, middle), (x + SAMPLE, middle), line);
    let place = (x + SAMPLE + 6.0, baseline);
    sketch.text(SceneText::new(place, LEGEND_SIZE, Ink::Faint, words));
    place.0 + letters::width(words, LEGEND_SIZE) + BETWEEN
}

/// Draws the legend of the colours in a row below the picture, whose width and height grow by it.
pub(crate) fn legend(
    diagram: &Diagram,
    network: Network,
    (width, height): (&mut f64, &mut f64),
    sketch: &mut Sketch,
) {
    let entries = legend_entries(diagram, network);
    if entries.is_empty() {
        return;
    }
    let (mut x, baseline) = (MARGIN, *height + 4.0);
    let group = SceneGroup::new("legend", String::new(), String::new());
    sketch.group(group, |sketch| {
        for (line, words) in entries {
            x = draw_entry(line, words, (x, baseline), sketch);
        }
    });
    *width = width.max(x - BETWEEN + MARGIN);
    *height = baseline + LEGEND_SIZE * 0.6 + 6.0;
}
