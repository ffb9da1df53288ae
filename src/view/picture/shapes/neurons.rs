//! The wires of a network as shapes, with their weights if these are few, and the legend of their colours.
//!
//! What a wire looks like comes from `connections.rs`, where it runs from the plan.

use std::collections::BTreeSet;

use super::connections;
use super::letters;
use super::plan::{MARGIN, NetworkPlan};
use super::scene::{Anchor, Contour, Ink, SceneGroup, SceneShape, SceneText, Stroke};
use super::sizes::SMALL;
use super::wires::WirePath;
use crate::report::{Diagram, Network};
use crate::view::picture::layout::layers::Wire;
use crate::view::{Style, number};

/// More wires than this have no weights written on them.
const MOST_WRITTEN: usize = 12;
/// Where on a wire its weight may stand, as parts of its length: the first place that is free.
const PLACES: [f64; 17] = [
    0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85, 0.45, 0.55, 0.35, 0.65, 0.26, 0.74, 0.18, 0.82,
];
/// The letters of the legend, the length of its lines, and the room between its entries.
const LEGEND: f64 = 12.0;
const SAMPLE: f64 = 26.0;
const BETWEEN: f64 = 22.0;
/// How wide a line of the legend is.
const THICK: f64 = 4.0;

/// Ends a wire at its box and draws it.
pub(crate) fn wire(
    diagram: &Diagram,
    network: Network,
    plan: &NetworkPlan,
    (wire, mut path): (&Wire, WirePath),
    shapes: &mut Vec<SceneShape>,
) {
    let user = &diagram.vertices[wire.user];
    let port = plan.sizes.port(wire.user, wire.port);
    path.curve((plan.rank(wire.user)[0].0, plan.across[wire.user] + port));
    path.straight(plan.value(wire.user).0);
    let Some(connection) = user.connections.wires.get(wire.position) else {
        return;
    };
    let ink = connections::ink(connection, network);
    let from = diagram.vertices[wire.way[0]].id;
    let group = SceneGroup {
        class: connections::class(ink).to_string(),
        key: format!("{from}-{}-{}", user.id, wire.position),
        tip: connections::tip(diagram, wire.user, wire.position, number::EXACT),
    };
    let line = Stroke::solid(ink, connections::width(connection, network));
    path.draw(plan.sizes.flow, group, line, shapes);
}

/// Writes the weights on the wires, if these are few, where they have room.
pub(crate) fn weights(
    diagram: &Diagram,
    network: Network,
    plan: &NetworkPlan,
    style: &Style,
    shapes: &mut Vec<SceneShape>,
) {
    if connections::wires(diagram).count() > MOST_WRITTEN {
        return;
    }
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for wire in plan.layers.wires() {
        let user = &diagram.vertices[wire.user];
        let Some(connection) = user.connections.wires.get(wire.position) else {
            continue;
        };
        let text = connections::text(connection, network, style);
        if text.is_empty() {
            continue;
        }
        let before = wire.way[wire.way.len() - 2];
        let begin = (plan.rank(before)[1].1, plan.across[before]);
        let port = plan.sizes.port(wire.user, wire.port);
        let end = (plan.rank(wire.user)[0].0, plan.across[wire.user] + port);
        let (width, height) = (letters::width(&text, SMALL) + 6.0, SMALL + 4.0);
        let area = |part: f64| {
            // The curve that `WirePath::curve` draws.
            let along = begin.0 + (end.0 - begin.0) * (1.5 * part * (1.0 - part) + part.powi(3));
            let across = begin.1 + (end.1 - begin.1) * part * part * (3.0 - 2.0 * part);
            let (x, y) = plan.sizes.point((along, across));
            [x - width / 2.0, y - height / 2.0, width, height]
        };
        let free = |area: &[f64; 4]| taken.iter().all(|other| !overlap(area, other));
        let fits = |area: &[f64; 4]| {
            let [left, top, right, low] = [area[0], area[1], area[0] + width, area[1] + height];
            let corners = [plan.sizes.point(begin), plan.sizes.point(end)];
            match plan.sizes.flow {
                crate::report::Flow::Right => left >= corners[0].0 && right <= corners[1].0,
                crate::report::Flow::Down => top >= corners[0].1 && low <= corners[1].1,
            }
        };
        let Some(area) = PLACES.map(area).into_iter().filter(fits).find(free) else {
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
        let at = (
            area[0] + width / 2.0,
            area[1] + height / 2.0 + SMALL * letters::CAPITAL / 2.0,
        );
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
    let plain = connections::wires(diagram)
        .filter(|(_, _, wire)| connections::ink(wire, network) == Ink::Wire);
    let reasons: BTreeSet<&str> = plain
        .map(|(_, _, wire)| connections::reason(wire))
        .collect();
    let reasons = Vec::from_iter(reasons).join(", ");
    let entries = [
        (Ink::Rising, THICK, format!("{quantity} > 0")),
        (Ink::Falling, THICK, format!("{quantity} < 0")),
        (Ink::Wire, 1.5, reasons),
        (Ink::NotFinite, THICK, "not finite".to_string()),
    ];
    let wide = |text: &str| SAMPLE + 6.0 + letters::width(text, LEGEND);
    let entries: Vec<_> = entries.into_iter().filter(|(ink, ..)| has(*ink)).collect();
    let longest = entries.iter().map(|(_, _, text)| wide(text));
    let Some(longest) = longest.max_by(f64::total_cmp) else {
        return;
    };
    *width = width.max(longest + 2.0 * MARGIN);
    let (mut x, mut y) = (MARGIN, *height + 4.0);
    shapes.push(SceneShape::Open(SceneGroup {
        class: "legend".to_string(),
        ..SceneGroup::default()
    }));
    for (ink, thick, text) in &entries {
        if x > MARGIN && x + wide(text) > *width - MARGIN {
            (x, y) = (MARGIN, y + LEGEND * 1.5);
        }
        let middle = y - LEGEND * letters::CAPITAL / 2.0;
        let line = Stroke::solid(*ink, *thick);
        shapes.push(SceneShape::line((x, middle), (x + SAMPLE, middle), line));
        let at = (x + SAMPLE + 6.0, y);
        let words = SceneText::new(at, LEGEND, Ink::Faint, text);
        shapes.push(SceneShape::Text(words));
        x += wide(text) + BETWEEN;
    }
    shapes.push(SceneShape::Close);
    *height = y + LEGEND * 0.6 + 6.0;
}
