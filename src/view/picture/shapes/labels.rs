//! What pictures in files say of a graph, whatever their format: title, caption, tips, numbers, which ink.
//!
//! Text that is not yet escaped for any format; where it stands and how large is the format's.

use std::borrow::Cow;
use std::fmt::Write;

use super::scene::Ink;
use crate::report::Diagram;
use crate::report::{Kind, Stage, Vertex};
use crate::view::{Style, characters, number, pieces};

/// So many nodes are told one by one to those who cannot see a picture.
const MOST_TOLD: usize = 40;

/// What the picture is of.
pub(crate) fn title(diagram: &Diagram) -> String {
    let count = diagram.vertices.len();
    let nodes = if count == 1 { "node" } else { "nodes" };
    match diagram.vertices.first() {
        Some(root) => format!("graph of {}, {count} {nodes}", short(&root.label, 60)),
        None => "graph".to_string(),
    }
}

/// The picture in words: every node with its numbers, and the caption.
pub(crate) fn description(diagram: &Diagram, style: &Style) -> String {
    let mut told = String::new();
    for vertex in diagram.vertices.iter().take(MOST_TOLD) {
        told.push_str(&sentence(vertex, style));
        told.push_str(". ");
    }
    let more = diagram.vertices.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        let _ = write!(told, "And {more} more. ");
    }
    told.push_str(&caption(diagram, style));
    told.trim_end().to_string()
}

/// What is to be known of the gradients.
pub(crate) fn caption(diagram: &Diagram, style: &Style) -> String {
    diagram
        .caption
        .iter()
        .map(|piece| pieces::piece(piece, style).0)
        .collect()
}

/// Everything about a node, in full.
pub(crate) fn tip(vertex: &Vertex) -> String {
    let mut tip = vertex.label.clone();
    if !vertex.formula.is_empty() {
        tip.push_str(" = ");
        tip.push_str(&vertex.formula);
    }
    if vertex.kind != Kind::Computed {
        tip.push('\n');
        tip.push_str(vertex.kind.word());
    }
    if let Some(first) = first(vertex) {
        tip.push('\n');
        tip.push_str(&first);
    }
    for (name, value) in [("data", vertex.data), ("grad", vertex.grad)] {
        if let Some(value) = value {
            tip.push('\n');
            tip.push_str(name);
            tip.push(' ');
            number::write(value, number::EXACT, &mut tip);
        }
    }
    tip
}

/// The numbers of a node and what stands before them. A literal is its own data, and no constant has a grad.
pub(crate) fn numbers(vertex: &Vertex, style: &Style) -> Vec<(&'static str, String)> {
    let shown = |value: Option<f64>| {
        value.map_or_else(
            || "·".to_string(),
            |value| number::text(value, style.table_digits),
        )
    };
    if vertex.kind != Kind::Constant {
        return vec![("data", shown(vertex.data)), ("grad", shown(vertex.grad))];
    }
    if is_told(vertex) {
        Vec::new()
    } else {
        vec![("", shown(vertex.data))]
    }
}

/// Words beside the label, where colour alone would not say it: `frozen`, `first NaN`; often none.
pub(crate) fn words(vertex: &Vertex) -> String {
    let frozen = (vertex.kind == Kind::Frozen).then(|| vertex.kind.word().to_string());
    let words: Vec<String> = frozen.into_iter().chain(first(vertex)).collect();
    words.join(", ")
}

/// `first NaN`, where the first number that is not finite began.
pub(crate) fn first(vertex: &Vertex) -> Option<String> {
    let value = vertex.data.filter(|_| vertex.first)?;
    Some(format!("first {}", number::shortest(value)))
}

/// What a node is drawn in. Where a walk is counts more than what the node is.
pub(crate) fn ink(vertex: &Vertex, root: bool) -> Ink {
    match (vertex.stage, vertex.kind) {
        (Some(Stage::Current), _) => Ink::Current,
        (Some(Stage::Coming), _) => Ink::Coming,
        _ if vertex.first => Ink::NotFinite,
        _ if root => Ink::Root,
        (_, Kind::Leaf) => Ink::Leaf,
        (_, Kind::Frozen) => Ink::Frozen,
        (_, Kind::Constant) => Ink::Constant,
        (_, Kind::Computed) => Ink::Computed,
    }
}

/// What the oval of a node's operation is drawn in.
pub(crate) fn operation_ink(vertex: &Vertex) -> Ink {
    match vertex.stage {
        Some(Stage::Current) => Ink::Current,
        Some(Stage::Coming) => Ink::Coming,
        _ => Ink::Operation,
    }
}

/// What a node is called in so many columns; a literal is written like every other number.
pub(crate) fn label(vertex: &Vertex, room: usize, style: &Style) -> String {
    let label = match vertex.data {
        Some(value) if is_told(vertex) => number::text(value, style.table_digits),
        _ => characters::clean(&vertex.label, false).into_owned(),
    };
    short(&label, room).into_owned()
}

/// Whether the label of a constant is its value already.
fn is_told(vertex: &Vertex) -> bool {
    vertex.kind == Kind::Constant
        && vertex.operation.is_none()
        && vertex
            .data
            .is_some_and(|value| vertex.label == number::shortest(value))
}

/// A label that may be long.
pub(crate) fn short(label: &str, room: usize) -> Cow<'_, str> {
    characters::shorten_middle(label, room, false)
}

fn sentence(vertex: &Vertex, style: &Style) -> String {
    let mut out = vertex.label.clone();
    if !vertex.formula.is_empty() {
        out.push_str(" = ");
        out.push_str(&vertex.formula);
    }
    if vertex.kind != Kind::Computed {
        out.push_str(", ");
        out.push_str(vertex.kind.word());
    }
    if let Some(first) = first(vertex) {
        out.push_str(", ");
        out.push_str(&first);
    }
    for (name, value) in [("data", vertex.data), ("grad", vertex.grad)] {
        if let Some(value) = value {
            out.push_str(", ");
            out.push_str(name);
            out.push(' ');
            number::write(value, style.table_digits, &mut out);
        }
    }
    out
}
