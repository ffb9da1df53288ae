//! The words of the pictures of graphs, for the terminal and for files: title, caption, tooltips and
//! numbers, and the inks of nodes and numbers.
//!
//! The text is not escaped; each format does that.

use super::connections::{self, range_text};
use super::scene::Ink;
use chainrule_report::{Diagram, Kind, OnWire, Stage, Vertex, characters, count_text, plural};
use chainrule_stop as stop;
use chainrule_style::{Style, number, plain};

/// The most columns of the root's label in the title of the picture.
const TITLE: usize = 60;

/// The words in a box.
pub(crate) struct Face {
    pub label: String,
    /// The words beside the label for those who see no colours: `frozen`, `first NaN`; often empty.
    pub words: String,
    /// The numbers that the box shows: the data and the grad, or one of them, or none.
    pub numbers: Vec<FaceNumber>,
    pub ink: Ink,
    /// The sign of its operation.
    pub operation: Option<(&'static str, Ink)>,
    /// Whether it is a constant, whose box is smaller.
    pub is_small: bool,
    /// The letters for which each of its numbers has room, in a page that changes them. A drawing sets this.
    pub number_room: usize,
}

/// A number in a box.
pub(crate) struct FaceNumber {
    /// `data` or `grad`; empty in the box of a constant.
    pub name: &'static str,
    pub text: String,
    pub ink: Ink,
}

/// The words of all vertices. Labels are shortened to at most `room` columns.
pub(crate) fn faces(diagram: &Diagram, room: usize, style: &Style) -> Vec<Face> {
    let has_grads = diagram.has_grads();
    let mut faces = Vec::new();
    for (place, vertex) in stop::with_checks(diagram.vertices.iter().enumerate()) {
        let operation_ink = match vertex.stage {
            Some(Stage::Current) => Ink::Current,
            Some(Stage::Coming) => Ink::Coming,
            _ => Ink::Operation,
        };
        faces.push(Face {
            label: label(vertex, room, style),
            words: words(vertex),
            numbers: numbers(vertex, has_grads, style),
            ink: ink(vertex, place == 0),
            operation: vertex.operation.map(|(sign, _)| (sign, operation_ink)),
            is_small: vertex.kind == Kind::Constant,
            number_room: 0,
        });
    }
    faces
}

/// The title of the picture.
pub(crate) fn title(diagram: &Diagram) -> String {
    let label = characters::shorten_middle(&diagram.vertices[0].label, TITLE);
    if let Some(network) = diagram.network {
        let [boxes, nodes] = [diagram.vertices.len(), network.nodes].map(count_text);
        return format!("network of {label}, {boxes} boxes of {nodes} nodes");
    }
    let nodes_of = |vertex: &Vertex| vertex.list.as_ref().map_or(1, |list| list.count);
    let count: usize = diagram.vertices.iter().map(nodes_of).sum();
    format!("graph of {label}, {}", plural(count, "node"))
}

/// The remark on the gradients, and in a network the legend of the widths of wires. It is often empty.
pub(crate) fn caption(diagram: &Diagram, style: &Style) -> String {
    let mut parts = vec![plain(&diagram.caption, style)];
    // Without weights there are no widths.
    if let Some(network) = diagram.network.filter(|network| network.largest != 0.0) {
        let largest = number::text(network.largest, style.table_digits);
        parts.push(format!("width: |w| up to {largest}"));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// The tooltip of a node. Its lines are the label with its formula, the kind, and the numbers.
pub(crate) fn tip(vertex: &Vertex, style: &Style) -> String {
    let digits = style.table_digits;
    let is_given = matches!(vertex.kind, Kind::Leaf | Kind::Frozen | Kind::Constant);
    // Numbers of the user have all their digits.
    let data_digits = if is_given { number::EXACT } else { digits };
    let mut lines = vec![match &*vertex.formula {
        "" => vertex.label.clone(),
        formula => format!("{} = {formula}", vertex.label),
    }];
    lines.extend(vertex.list.as_ref().map(|list| list.shape.clone()));
    if vertex.kind != Kind::Computed {
        lines.push(vertex.kind.word().to_string());
    }
    lines.extend(first_not_finite(vertex));
    let data = data_text(vertex, data_digits);
    lines.extend(data.map(|data| format!("data {data}")));
    let grad = grad_text(vertex, digits);
    lines.extend(grad.map(|grad| format!("grad {grad}")));
    for bias in &vertex.connections.biases {
        let bias = connections::weight_text(bias, vertex, data_digits, style);
        lines.push(format!("bias {bias}"));
    }
    lines.join("\n")
}

/// The numbers in the box of a node. The label of a literal is its data already, a constant has no grad, and others
/// have one only if the graph has grads.
fn numbers(vertex: &Vertex, has_grads: bool, style: &Style) -> Vec<FaceNumber> {
    if is_its_value(vertex) {
        return Vec::new();
    }
    // The range of a list may have both signs, so it has no ink of its own.
    let number = |name, text: Option<String>, ink: Option<Ink>| FaceNumber {
        name,
        text: characters::clean(text.as_deref().unwrap_or("·")).into_owned(),
        ink: ink.filter(|_| vertex.list.is_none()).unwrap_or(Ink::Number),
    };
    let is_constant = vertex.kind == Kind::Constant;
    let data_name = if is_constant { "" } else { "data" };
    let data = data_text(vertex, style.table_digits);
    // The colour of a number would tell its sign.
    let data_ink = vertex.data.filter(|_| vertex.data_words.is_none());
    let mut numbers = vec![number(data_name, data, data_ink.map(Ink::of))];
    if has_grads && !is_constant {
        let grad = grad_text(vertex, style.table_digits);
        let grad_ink = vertex.grad.filter(|_| vertex.grad_words.is_none());
        numbers.push(number("grad", grad, grad_ink.map(Ink::of_grad)));
    }
    numbers
}

/// The data of a node, the range of the data of a list, or the words in place of it.
fn data_text(vertex: &Vertex, digits: u8) -> Option<String> {
    let text = match &vertex.list {
        Some(list) => list.data.map(|range| range_text(range, digits)),
        None => vertex.data.map(|data| number::text(data, digits)),
    };
    text.map(|text| vertex.data_words.map_or(text, str::to_owned))
}

/// The grad of a node, the range of the grads of a list, or the words in place of it.
fn grad_text(vertex: &Vertex, digits: u8) -> Option<String> {
    let text = match &vertex.list {
        Some(list) => list.grad.map(|range| range_text(range, digits)),
        None => vertex.grad.map(|grad| number::text(grad, digits)),
    };
    text.map(|text| vertex.grad_words.map_or(text, str::to_owned))
}

/// The tooltip of a number on a wire: `∂c/∂a = b = 3`.
pub(crate) fn on_wire(on_wire: &OnWire, digits: u8) -> String {
    let number = number::text(on_wire.number, digits);
    let mut parts = vec![&*on_wire.name, &*on_wire.formula, &*number];
    parts.retain(|part| !part.is_empty());
    parts.join(" = ")
}

/// The words beside the label of a node.
fn words(vertex: &Vertex) -> String {
    let frozen = (vertex.kind == Kind::Frozen).then(|| vertex.kind.word().to_string());
    let shape = vertex.list.iter().map(|list| list.shape.clone());
    let words = shape.chain(frozen).chain(first_not_finite(vertex));
    words.collect::<Vec<String>>().join(", ")
}

/// `first NaN`, for the node where the first number that is not finite appeared.
fn first_not_finite(vertex: &Vertex) -> Option<String> {
    let value = vertex.data.filter(|_| vertex.is_first_not_finite)?;
    Some(format!("first {}", number::shortest(value)))
}

/// The ink of a node. It shows the state of the node in a walk, or else its kind.
fn ink(vertex: &Vertex, is_root: bool) -> Ink {
    match (vertex.stage, vertex.kind) {
        (Some(Stage::Current), _) => Ink::Current,
        (Some(Stage::Coming), _) => Ink::Coming,
        _ if vertex.is_first_not_finite => Ink::NotFinite,
        _ if is_root => Ink::Root,
        (_, Kind::Leaf) => Ink::Leaf,
        (_, Kind::Frozen) => Ink::Frozen,
        (_, Kind::Constant) => Ink::Constant,
        (_, Kind::Computed) => Ink::Computed,
    }
}

/// The label of a node in at most `room` columns. A literal has the digits of other numbers.
fn label(vertex: &Vertex, room: usize, style: &Style) -> String {
    let label = match vertex.data {
        Some(value) if is_its_value(vertex) => number::text(value, style.table_digits),
        _ => characters::clean(&vertex.label).into_owned(),
    };
    characters::shorten_middle(&label, room).into_owned()
}

/// Whether the node is a constant whose label is its value.
fn is_its_value(vertex: &Vertex) -> bool {
    let is_literal = vertex.kind == Kind::Constant && vertex.operation.is_none();
    let is_its_label = |value: f64| vertex.label == number::shortest(value);
    is_literal && vertex.data.is_some_and(is_its_label)
}
