//! The words of pictures in files, for all formats: title, caption, tips and numbers, and the inks of nodes and numbers.
//!
//! The text is not escaped; each format does that.

use std::borrow::Cow;

use super::connections::{self, range_text};
use super::scene::Ink;
use chainrule_report::characters;
use chainrule_report::{Diagram, Kind, OnWire, Stage, Vertex};
use chainrule_report::{count_text, plural};
use chainrule_stop as stop;
use chainrule_style::{GAP, Style, number, plain};

/// The words in a box, for all formats.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    pub label: String,
    /// The words beside the label, which say what otherwise only the colour would show: `frozen`, `first NaN`; often none.
    pub words: String,
    /// `data` and `grad`, each with its number.
    pub numbers: Vec<(&'static str, String, Ink)>,
    pub ink: Ink,
    /// The sign of its operation.
    pub operation: Option<(&'static str, Ink)>,
    /// Whether it is a constant, whose box is smaller.
    pub is_small: bool,
    /// The letters for which its numbers need room, in a page that changes them.
    pub room: usize,
}

/// The words of all vertices. Longer labels are shortened to this many columns.
pub(crate) fn faces(diagram: &Diagram, room: usize, style: &Style) -> Vec<Face> {
    let grads = diagram.has_grads();
    let vertices = stop::with_checks(diagram.vertices.iter().enumerate());
    vertices
        .map(|(place, vertex)| Face {
            label: label(vertex, room, style),
            words: words(vertex),
            numbers: numbers(vertex, grads, style),
            ink: ink(vertex, place == 0),
            operation: vertex
                .operation
                .map(|(sign, _)| (sign, operation_ink(vertex))),
            is_small: vertex.kind == Kind::Constant,
            room: 0,
        })
        .collect()
}

/// The title of the picture.
pub(crate) fn title(diagram: &Diagram) -> String {
    let count = |vertex: &Vertex| vertex.list.as_ref().map_or(1, |list| list.count);
    let count: usize = diagram.vertices.iter().map(count).sum();
    if let (Some(network), Some(root)) = (diagram.network, diagram.vertices.first()) {
        let (label, boxes) = (short(&root.label, 60), diagram.vertices.len());
        return format!(
            "network of {label}, {} boxes of {} nodes",
            count_text(boxes),
            count_text(network.nodes)
        );
    }
    match diagram.vertices.first() {
        Some(root) => format!(
            "graph of {}, {}",
            short(&root.label, 60),
            plural(count, "node")
        ),
        None => "graph".to_string(),
    }
}

/// The notes on the gradients.
pub(crate) fn caption(diagram: &Diagram, style: &Style) -> String {
    let said = plain(&diagram.caption, style);
    let widths = diagram
        .network
        .map(|network| connections::widths(network, style));
    let parts = [Some(said), widths];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("; ")
}

/// The tip of a node. Its lines are the label with its formula, the kind, and the numbers.
pub(crate) fn tip(vertex: &Vertex, style: &Style) -> String {
    let digits = style.table_digits;
    let is_given = matches!(vertex.kind, Kind::Leaf | Kind::Frozen | Kind::Constant);
    // The user's own words are not shortened.
    let exact = if is_given { number::EXACT } else { digits };
    let mut label = vertex.label.clone();
    if !vertex.formula.is_empty() {
        label = format!("{label} = {}", vertex.formula);
    }
    let shape = vertex.list.as_ref().map(|list| list.shape.clone());
    let kind = (vertex.kind != Kind::Computed).then(|| vertex.kind.word().to_string());
    let number = |(name, text): (_, Option<String>)| Some(format!("{name} {}", text?));
    let ([data, _], [_, grad]) = (texts(vertex, exact, style), texts(vertex, digits, style));
    let numbers = [data, grad].into_iter().filter_map(number);
    let biases = vertex.connections.biases.iter();
    let biases =
        biases.map(|bias| format!("bias {}", connections::weight_text(bias, exact, style)));
    let said = [Some(label), shape, kind, first(vertex)];
    let lines: Vec<String> = (said.into_iter().flatten())
        .chain(numbers)
        .chain(biases)
        .collect();
    lines.join("\n")
}

/// The numbers of a node, each with its words and its class; with `grads` also its grad. The label of a literal is its data
/// already, and a constant has no grad.
fn numbers(vertex: &Vertex, grads: bool, style: &Style) -> Vec<(&'static str, String, Ink)> {
    let [data, grad] = texts(vertex, style.table_digits, style);
    let inks = match vertex.list {
        Some(_) => [None, None],
        // The colour of a grad would tell its sign.
        None if style.has_gaps => [vertex.data.map(Ink::of), None],
        None => [vertex.data.map(Ink::of), vertex.grad.map(Ink::of_grad)],
    };
    let mut numbers = vec![(data, inks[0])];
    if vertex.kind != Kind::Constant {
        numbers.extend(grads.then_some((grad, inks[1])));
    } else if is_its_value(vertex) {
        numbers.clear();
    } else {
        numbers[0].0.0 = "";
    }
    let number = |((name, text), ink): ((_, Option<String>), Option<Ink>)| {
        let text = text.as_deref().unwrap_or("·");
        let text = characters::clean(text).into_owned();
        (name, text, ink.unwrap_or(Ink::Number))
    };
    numbers.into_iter().map(number).collect()
}

/// The data and the grad of a node, or their ranges in a list.
fn texts(vertex: &Vertex, digits: u8, style: &Style) -> [(&'static str, Option<String>); 2] {
    let (data, mut grad) = if let Some(list) = &vertex.list {
        let text = |range: Option<_>| range.map(|range| range_text(range, digits));
        (text(list.data), text(list.grad))
    } else {
        let text = |value: Option<f64>| value.map(|value| number::text(value, digits));
        (text(vertex.data), text(vertex.grad))
    };
    if style.has_gaps && grad.is_some() {
        grad = Some(GAP.to_owned());
    }
    [("data", data), ("grad", grad)]
}

/// The tip of a number on a wire: `∂c/∂a = b = 3`.
pub(crate) fn on_wire(on_wire: &OnWire, digits: u8) -> String {
    let number = number::text(on_wire.number, digits);
    let parts = [&on_wire.name, &on_wire.formula, &number];
    let parts: Vec<&str> = parts
        .map(String::as_str)
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(" = ")
}

fn words(vertex: &Vertex) -> String {
    let frozen = (vertex.kind == Kind::Frozen).then(|| vertex.kind.word().to_string());
    let shape = vertex.list.iter().map(|list| list.shape.clone());
    let words: Vec<String> = shape.chain(frozen).chain(first(vertex)).collect();
    words.join(", ")
}

/// `first NaN`, for the node where the first number that is not finite arose.
fn first(vertex: &Vertex) -> Option<String> {
    let value = vertex.data.filter(|_| vertex.is_first_not_finite)?;
    Some(format!("first {}", number::shortest(value)))
}

/// The ink of a node: that of its state in a walk, or else that of its kind.
fn ink(vertex: &Vertex, root: bool) -> Ink {
    match (vertex.stage, vertex.kind) {
        (Some(Stage::Current), _) => Ink::Current,
        (Some(Stage::Coming), _) => Ink::Coming,
        _ if vertex.is_first_not_finite => Ink::NotFinite,
        _ if root => Ink::Root,
        (_, Kind::Leaf) => Ink::Leaf,
        (_, Kind::Frozen) => Ink::Frozen,
        (_, Kind::Constant) => Ink::Constant,
        (_, Kind::Computed) => Ink::Computed,
    }
}

/// Whether the outline is heavy.
pub(crate) fn is_heavy(ink: Ink) -> bool {
    matches!(ink, Ink::Root | Ink::NotFinite | Ink::Current)
}

/// The ink of the oval of a node's operation.
fn operation_ink(vertex: &Vertex) -> Ink {
    match vertex.stage {
        Some(Stage::Current) => Ink::Current,
        Some(Stage::Coming) => Ink::Coming,
        _ => Ink::Operation,
    }
}

/// The ink of a number on a wire.
pub(crate) fn on_wire_ink(on_wire: &OnWire) -> Ink {
    if on_wire.number.is_finite() {
        Ink::Words
    } else {
        Ink::NotFinite
    }
}

/// The label of a node in at most `room` columns. A literal is written as other numbers are.
fn label(vertex: &Vertex, room: usize, style: &Style) -> String {
    let label = match vertex.data {
        Some(value) if is_its_value(vertex) => number::text(value, style.table_digits),
        _ => characters::clean(&vertex.label).into_owned(),
    };
    characters::shorten_middle(&label, room).into_owned()
}

/// Whether the node is a constant whose label is its value.
fn is_its_value(vertex: &Vertex) -> bool {
    vertex.kind == Kind::Constant
        && vertex.operation.is_none()
        && vertex
            .data
            .is_some_and(|value| vertex.label == number::shortest(value))
}

/// A label that is shortened if it is long.
pub(crate) fn short(label: &str, room: usize) -> Cow<'_, str> {
    characters::shorten_middle(label, room)
}
