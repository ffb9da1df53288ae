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
use crate::report::{Diagram, Flow, Network};
use crate::view::picture::layout::layers::Wire;
use crate::view::{Style, number};

/// Where on a wire its weight may stand, in parts of its length: as many places, from the first to the last.
const PLACES: (usize, f64, f64) = (26, 0.12, 0.88);
/// Into how many pieces a wire is cut to find out which places it runs through.
const CUTS: usize = 32;
/// The letters of the legend, the length of its lines, and the room between its entries.
const LEGEND: f64 = 12.0;
const SAMPLE: f64 = 26.0;
const BETWEEN: f64 = 22.0;
/// How wide a line of the legend is.
const THICK: f64 = 4.0;
const THIN: f64 = 1.5;

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
        tip: connections::tip(
            diagram,
            wire.user,
            wire.position,
            (number::EXACT, plan.sizes.digits),
        ),
    };
    let line = connections::stroke(connection, network);
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
    if !connections::are_written(network) {
        return;
    }
    let bows: Vec<Vec<NeuronBow>> = (plan.layers.wires())
        .map(|wire| NeuronBow::of(plan, &wire))
        .collect();
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for (at, wire) in plan.layers.wires().enumerate() {
        let user = &diagram.vertices[wire.user];
        let Some(connection) = user.connections.wires.get(wire.position) else {
            continue;
        };
        let text = connections::text(connection, network, style);
        let Some(last) = bows[at].last().filter(|_| !text.is_empty()) else {
            continue;
        };
        let (width, height) = (letters::width(&text, SMALL) + 6.0, SMALL + 4.0);
        let area = |part: f64| {
            let (x, y) = plan.sizes.point(last.at(part));
            [x - width / 2.0, y - height / 2.0, width, height]
        };
        let free = |area: &[f64; 4]| taken.iter().all(|other| !overlap(area, other));
        let fits = |area: &[f64; 4]| {
            let (from, to) = (last.begin.0, last.end.0);
            match plan.sizes.flow {
                Flow::Right => area[0] >= from && area[0] + width <= to,
                Flow::Down => area[1] >= from && area[1] + height <= to,
            }
        };
        // How many other wires run through it; where none does, as near to the middle as possible.
        let crossed = |area: &[f64; 4]| {
            let others = bows.iter().enumerate().filter(|(other, _)| *other != at);
            let runs = |bows: &[NeuronBow]| bows.iter().any(|bow| bow.runs_through(plan, area));
            others.filter(|(_, bows)| runs(bows)).count()
        };
        let mut parts: Vec<f64> = (0..=PLACES.0)
            .map(|place| PLACES.1 + (PLACES.2 - PLACES.1) * place as f64 / PLACES.0 as f64)
            .collect();
        parts.sort_by(|one, other| (one - 0.5).abs().total_cmp(&(other - 0.5).abs()));
        let areas = parts.into_iter().map(area).filter(fits).filter(free);
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

/// A piece of a wire from one rank to the next, along and across the picture.
struct NeuronBow {
    begin: (f64, f64),
    end: (f64, f64),
}

impl NeuronBow {
    /// The pieces of a wire.
    fn of(plan: &NetworkPlan, wire: &Wire) -> Vec<NeuronBow> {
        let port = plan.sizes.port(wire.user, wire.port);
        let piece = |ends: &[usize]| {
            let port = if ends[1] == wire.user { port } else { 0.0 };
            NeuronBow {
                begin: (plan.rank(ends[0])[1].1, plan.across[ends[0]]),
                end: (plan.rank(ends[1])[0].0, plan.across[ends[1]] + port),
            }
        };
        wire.way.windows(2).map(piece).collect()
    }

    /// Where the curve that `WirePath::curve` draws has come to.
    fn at(&self, part: f64) -> (f64, f64) {
        let (begin, end) = (self.begin, self.end);
        (
            begin.0 + (end.0 - begin.0) * (1.5 * part * (1.0 - part) + part.powi(3)),
            begin.1 + (end.1 - begin.1) * part * part * (3.0 - 2.0 * part),
        )
    }

    fn runs_through(&self, plan: &NetworkPlan, area: &[f64; 4]) -> bool {
        (0..=CUTS).any(|cut| {
            let (x, y) = plan.sizes.point(self.at(cut as f64 / CUTS as f64));
            overlap(area, &[x, y, 0.0, 0.0])
        })
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
