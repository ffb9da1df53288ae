//! The wires of a network as shapes, with their weights if these are few, and the legend of their colours.
//!
//! What a wire looks like comes from `connections.rs`, where it runs from the drawing.

use std::collections::BTreeSet;

use super::boxes::{SMALL, base};
use super::connections;
use super::drawing::{Drawing, MARGIN};
use super::letters;
use super::scene::{Anchor, Contour, Ink, SceneGroup, SceneShape, SceneText, Stroke};
use super::wires::{self, WirePlace, placed};
use crate::report::{Diagram, Network};
use crate::view::number;
use crate::view::picture::layout::layers::Wire;

/// Where on the last piece of a wire its weight may stand, in hundredths of its length, best first.
const PLACES: [u8; 7] = [33, 50, 67, 25, 42, 58, 75];
/// The letters of the legend, the length of its lines, and the room between its entries.
const LEGEND: f64 = 12.0;
const SAMPLE: f64 = 26.0;
const BETWEEN: f64 = 22.0;
/// How wide a line of the legend is.
const THICK: f64 = 4.0;
const THIN: f64 = 1.5;

/// Draws a wire.
pub(crate) fn wire(drawing: &Drawing, network: Network, wire: &Wire, shapes: &mut Vec<SceneShape>) {
    let user = &drawing.diagram.vertices[wire.user];
    let Some(connection) = user.connections.wires.get(wire.position) else {
        return;
    };
    let digits = (number::EXACT, drawing.style.table_digits);
    let group = SceneGroup {
        class: connections::class(connections::ink(connection, network)).to_string(),
        key: drawing.key(wire),
        tip: connections::tip(drawing.diagram, wire.user, wire.position, digits),
    };
    let line = connections::stroke(connection, network);
    wires::draw(
        drawing.flow,
        &drawing.slanted(wire),
        false,
        group,
        line,
        shapes,
    );
}

/// Writes the weights on the wires, if these are few: on the last piece of each, where fewest other wires run.
pub(crate) fn weights(drawing: &Drawing, network: Network, shapes: &mut Vec<SceneShape>) {
    if !connections::are_written(network) {
        return;
    }
    let ways: Vec<Vec<WirePlace>> = (drawing.layers.wires())
        .map(|wire| drawing.slanted(&wire))
        .collect();
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for (at, wire) in drawing.layers.wires().enumerate() {
        let user = &drawing.diagram.vertices[wire.user];
        let Some(connection) = user.connections.wires.get(wire.position) else {
            continue;
        };
        let text = connections::text(connection, network, drawing.style);
        let [.., from, to] = ways[at][..] else {
            continue;
        };
        if text.is_empty() {
            continue;
        }
        let (width, height) = (letters::width(&text, SMALL) + 6.0, SMALL + 4.0);
        let area = |hundredths: u8| {
            let (x, y) = placed(
                drawing.flow,
                between(from, to, f64::from(hundredths) / 100.0),
            );
            [x - width / 2.0, y - height / 2.0, width, height]
        };
        let free = |area: &[f64; 4]| taken.iter().all(|other| !overlap(area, other));
        let crossed = |area: &[f64; 4]| {
            let runs = |way: &[WirePlace]| runs_through(drawing, way, area);
            let others = ways.iter().enumerate().filter(|(other, _)| *other != at);
            others.filter(|(_, way)| runs(way)).count()
        };
        let areas = PLACES.into_iter().map(area).filter(free);
        let Some(area) = areas.min_by_key(crossed) else {
            continue;
        };
        taken.push(area);
        shapes.push(SceneShape::Figure {
            contour: Contour::Rectangle {
                sides: area,
                radius: 3.0,
            },
            fill: Some(Ink::Ground),
            line: None,
        });
        let at = (area[0] + width / 2.0, base(area[1] + height / 2.0, SMALL));
        let ink = match connections::ink(connection, network) {
            Ink::Wire => Ink::Faint,
            ink => ink,
        };
        shapes.push(SceneShape::Text(SceneText {
            anchor: Anchor::Middle,
            part: "weight",
            ..SceneText::new(at, SMALL, ink, &text)
        }));
    }
}

fn between(from: WirePlace, to: WirePlace, part: f64) -> WirePlace {
    (
        from.0 + (to.0 - from.0) * part,
        from.1 + (to.1 - from.1) * part,
    )
}

fn runs_through(drawing: &Drawing, way: &[WirePlace], area: &[f64; 4]) -> bool {
    way.windows(2).any(|two| {
        (0..=32).any(|cut| {
            let (x, y) = placed(drawing.flow, between(two[0], two[1], f64::from(cut) / 32.0));
            overlap(area, &[x, y, 0.0, 0.0])
        })
    })
}

fn overlap(one: &[f64; 4], other: &[f64; 4]) -> bool {
    (0..2).all(|side| {
        one[side] < other[side] + other[side + 2] && other[side] < one[side] + one[side + 2]
    })
}

/// What the colours mean, below the picture, in as many rows as it takes.
pub(crate) fn legend(
    diagram: &Diagram,
    network: Network,
    (width, height): (&mut f64, &mut f64),
    shapes: &mut Vec<SceneShape>,
) {
    let has = |wanted: Ink| {
        connections::wires(diagram)
            .any(|(_, _, connection)| connections::ink(connection, network) == wanted)
    };
    let quantity = connections::quantity(network);
    let colored = [
        (Ink::Rising, format!("{quantity} > 0")),
        (Ink::Falling, format!("{quantity} < 0")),
        (Ink::NotFinite, "not finite".to_string()),
    ];
    let colored = colored.into_iter().filter(|(ink, _)| has(*ink));
    let colored = colored.map(|(ink, text)| (Stroke::solid(ink, THICK), text));
    // A sample for each of the reasons why a wire has no colour, with whether it is drawn in dashes.
    let plain = connections::wires(diagram)
        .filter(|(_, _, wire)| connections::ink(wire, network) == Ink::Wire);
    let reasons: BTreeSet<(bool, &str)> = plain
        .map(|(_, _, wire)| {
            let dashed = connections::stroke(wire, network).dashed;
            (dashed, connections::reason(wire))
        })
        .collect();
    let plain = [false, true].into_iter().filter_map(|dashed| {
        let words = reasons.iter().filter(|(it, _)| *it == dashed);
        let words: Vec<&str> = words.map(|(_, reason)| *reason).collect();
        let stroke = Stroke {
            ink: Ink::Wire,
            width: if dashed { THIN } else { THICK },
            dashed,
        };
        (!words.is_empty()).then(|| (stroke, words.join(", ")))
    });
    let entries: Vec<(Stroke, String)> = colored.chain(plain).collect();
    let wide = |text: &str| SAMPLE + 6.0 + letters::width(text, LEGEND);
    let longest = entries.iter().map(|(_, text)| wide(text));
    let Some(longest) = longest.max_by(f64::total_cmp) else {
        return;
    };
    *width = width.max(longest + 2.0 * MARGIN);
    let (mut x, mut y) = (MARGIN, *height + 4.0);
    shapes.push(SceneShape::Open(SceneGroup {
        class: "legend".to_string(),
        ..SceneGroup::default()
    }));
    for (line, text) in &entries {
        if x > MARGIN && x + wide(text) > *width - MARGIN {
            (x, y) = (MARGIN, y + LEGEND * 1.5);
        }
        let middle = y - LEGEND * letters::CAPITAL / 2.0;
        shapes.push(SceneShape::line((x, middle), (x + SAMPLE, middle), *line));
        let at = (x + SAMPLE + 6.0, y);
        let words = SceneText::new(at, LEGEND, Ink::Faint, text);
        shapes.push(SceneShape::Text(words));
        x += wide(text) + BETWEEN;
    }
    shapes.push(SceneShape::Close);
    *height = y + LEGEND * 0.6 + 6.0;
}
