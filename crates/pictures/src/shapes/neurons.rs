//! The wires of a network as shapes, with their weights if there are few, and the legend of their colours.
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

/// Writes the weights on the wires, if there are few. A weight stands on the last piece of its wire, where it does not touch
/// the weights before it.
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
        let sample = Stroke {
            width: if stroke.is_dashed() { THIN } else { THICK },
            ..stroke
        };
        let entry = (sample, connections::color_legend(wire));
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
