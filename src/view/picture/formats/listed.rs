//! A graph as nodes and arrows, for the languages whose programs do the layout: dot and Mermaid.
//!
//! Ids (`n7`, and `n7op` for the operation that makes node 7) stay the same as long as the nodes do.

use crate::report::Diagram;
use crate::stop;
use crate::view::picture::shapes::palette::{self, Color, Inks, Use};
use crate::view::picture::shapes::{Ink, connections, labels, letters};
use crate::view::{Style, number};

/// A value, or the operation that makes one.
pub(super) struct ListedNode {
    pub id: String,
    /// The label, the words beside it if there are any, and the numbers; of an operation its sign.
    pub lines: Vec<String>,
    pub is_operation: bool,
    pub ink: Ink,
}

/// An arrow, or in a network a wire.
pub(super) struct ListedArrow {
    pub from: String,
    pub to: String,
    /// The number on it, or nothing.
    pub label: String,
    /// In a network, what it is, how wide, and whether it stands for no weight or for several.
    pub wire: Option<(Ink, f64, bool)>,
}

/// The nodes of a diagram: values, each before its operation.
pub(super) fn nodes(diagram: &Diagram, style: &Style) -> Vec<ListedNode> {
    let grads = diagram.has_grads();
    let mut nodes = Vec::new();
    for (place, vertex) in stop::asking(diagram.vertices.iter().enumerate()) {
        let words = Some(labels::words(vertex)).filter(|words| !words.is_empty());
        let numbers = labels::numbers(vertex, grads, style);
        let number = |(name, text, _): (&str, String, Ink)| {
            format!("{name} {text}").trim_start().to_string()
        };
        nodes.push(ListedNode {
            id: format!("n{}", vertex.id),
            lines: std::iter::once(labels::label(vertex, letters::LONGEST_LABEL, style))
                .chain(words)
                .chain(numbers.into_iter().map(number))
                .collect(),
            is_operation: false,
            ink: labels::ink(vertex, place == 0),
        });
        if let Some((sign, _)) = vertex.operation {
            nodes.push(ListedNode {
                id: format!("n{}op", vertex.id),
                lines: vec![sign.to_string()],
                is_operation: true,
                ink: labels::operation_ink(vertex),
            });
        }
    }
    nodes
}

/// The arrows of a diagram: from operands to operations in their order, and from there to values; or the wires of a network.
pub(super) fn arrows(diagram: &Diagram, style: &Style) -> Vec<ListedArrow> {
    let id = |place: usize| format!("n{}", diagram.vertices[place].id);
    let mut arrows = Vec::new();
    for (place, vertex) in stop::asking(diagram.vertices.iter().enumerate()) {
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let wire = vertex.connections.wires.get(position).zip(diagram.network);
            let on_wire = vertex.on_wires.get(position).into_iter().flatten().next();
            arrows.push(ListedArrow {
                from: id(operand),
                to: id(place) + if vertex.operation.is_some() { "op" } else { "" },
                label: match (wire, on_wire) {
                    (Some((wire, network)), _) => connections::text(wire, network, style),
                    (None, Some(on_wire)) => number::terse(on_wire.number),
                    (None, None) => String::new(),
                },
                wire: wire.map(|(wire, network)| {
                    let stroke = connections::stroke(wire, network);
                    (stroke.ink, stroke.width, stroke.dashed)
                }),
            });
        }
        if vertex.operation.is_some() {
            arrows.push(ListedArrow {
                from: id(place) + "op",
                to: id(place),
                label: String::new(),
                wire: None,
            });
        }
    }
    arrows
}

/// The colours of areas and of lines.
pub(super) fn colors(ink: Ink) -> [Color; 2] {
    [Use::Fill, Use::Line].map(|used| palette::color(ink, used, Inks::Light))
}
