//! Draws the wires of a network as shapes, with their weights if there are few, and the legend of their colours.
//!
//! The look of a wire comes from `connections.rs`, and its route from the [`Drawing`].

use super::drawing::{Drawing, MARGIN};
use super::letters;
use super::scene::{Ink, SceneGroup, SceneText, Sketch, Stroke};
use super::wires::{self, DrawnWire, to_picture};
use super::{boxes, connections};
use crate::layout::layers::Wire;
use chainrule_report::{Diagram, Network};

/// More wires than this have no weights written on them.
const MOST_WRITTEN: usize = 12;
/// The places for a weight on the last piece of its wire, in hundredths of the length of the piece, best first.
const WEIGHT_PLACES: [u8; 7] = [33, 50, 67, 25, 42, 58, 75];
/// The size of the letters of the legend.
const LEGEND_SIZE: f64 = 12.0;
/// The length of a sample line in the legend.
const SAMPLE_LENGTH: f64 = 26.0;
/// The room between a sample line and its words.
const WORDS_GAP: f64 = 6.0;
/// The room between two entries of the legend.
const ENTRY_GAP: f64 = 22.0;
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
fn legend_entries(diagram: &Diagram, network: Network) -> Vec<(Stroke, &'static str)> {
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
        let entry = (sample, words);
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    // The reverse order of the words has `w > 0` before `w < 0`.
    entries.sort_by_key(|(_, words)| std::cmp::Reverse(*words));
    entries
}

/// Draws an entry of the legend from this place on. Returns the x of the next entry.
fn draw_entry(line: Stroke, words: &str, (x, baseline): (f64, f64), sketch: &mut Sketch) -> f64 {
    let middle = baseline - LEGEND_SIZE * letters::CAPITAL / 2.0;
    sketch.line((x, middle), (x + SAMPLE_LENGTH, middle), line);
    let place = (x + SAMPLE_LENGTH + WORDS_GAP, baseline);
    sketch.text(SceneText::new(place, LEGEND_SIZE, Ink::Faint, words));
    place.0 + letters::width(words, LEGEND_SIZE) + ENTRY_GAP
}

/// Draws the legend of the colours in a row below a picture of this size. Returns the size of both together.
pub(crate) fn draw_legend(
    diagram: &Diagram,
    network: Network,
    (width, height): (f64, f64),
    sketch: &mut Sketch,
) -> (f64, f64) {
    let entries = legend_entries(diagram, network);
    if entries.is_empty() {
        return (width, height);
    }
    let (mut x, baseline) = (MARGIN, height + 4.0);
    let group = SceneGroup::new("legend", String::new(), String::new());
    sketch.group(group, |sketch| {
        for (line, words) in entries {
            x = draw_entry(line, words, (x, baseline), sketch);
        }
    });
    // Below the baseline is room for the descenders of letters.
    let new_height = baseline + LEGEND_SIZE * 0.6 + 6.0;
    (width.max(x - ENTRY_GAP + MARGIN), new_height)
}
