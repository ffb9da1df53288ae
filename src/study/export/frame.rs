//! Pieces of text that all exported programs have: the frame of a file, lists, numbers, quotes, the names of nodes.

use std::rc::Rc;

use super::dialect::Dialect;
use super::mark;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// A list longer than this goes over several lines.
const WIDTH: usize = 70;

/// How many items each of these lines has.
const ITEMS: usize = 4;

/// The program of a root: this code in the frame of its language, with the parts that all frames have and these.
pub(super) fn file(
    session: &Session,
    root: &Rc<Node>,
    dialect: Dialect,
    code: &str,
    parts: &[(&str, &str)],
) -> String {
    let frame = match dialect {
        Dialect::C => include_str!("frame.c"),
        Dialect::Jax => include_str!("frame.jax.py"),
        Dialect::Python => include_str!("frame.py"),
    };
    let (label, expression) = (session.label(root), session.expression(root));
    let mut definition = label.clone();
    if !expression.is_empty() && expression != label {
        definition = format!("{label} = {expression}");
    }
    let of_all = [
        ("mark", &*mark()),
        ("definition", &definition),
        ("code", code),
        ("label", &quote(&label)),
    ];
    fill_frame(frame, &[&of_all, parts].concat())
}

/// The names of leaves in quotes, and their present numbers.
pub(super) fn names_and_start(
    session: &Session,
    dialect: Dialect,
    leaves: &[Rc<Node>],
) -> (String, String) {
    let names = leaves
        .iter()
        .map(|leaf| quote(&variable_name(session, leaf)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    (
        join_items(&names.collect::<Vec<_>>()),
        join_items(&start.collect::<Vec<_>>()),
    )
}

/// A frame with its parts: `$names` in it stands for the part `names`.
pub(super) fn fill_frame(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = frame.split('$');
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let name = &piece[..piece.len() - rest.len()];
        let part = parts.iter().find(|part| part.0 == name);
        out += part.expect("a frame has only parts that there are").1;
        out += rest;
    }
    // A part may be empty.
    while out.contains("\n\n\n\n") {
        out = out.replace("\n\n\n\n", "\n\n\n");
    }
    out
}

/// Items between commas, in several lines if there are many.
pub(super) fn join_items(items: &[String]) -> String {
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length < WIDTH {
        return items.join(", ");
    }
    let lines = items.chunks(ITEMS).map(|items| items.join(", "));
    let margin = "\n        ";
    margin.to_string() + &lines.collect::<Vec<_>>().join(&format!(",{margin}"))
}

/// A list of these items, of which this function makes an array in JAX.
pub(super) fn array_text(dialect: Dialect, function: &str, items: &str) -> String {
    match dialect {
        Dialect::Jax => format!("{function}({items})"),
        _ => items.to_string(),
    }
}

/// A text in quotes.
pub(super) fn quote(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A number that needs no brackets.
pub(super) fn bare(dialect: Dialect, number: f64) -> String {
    dialect.literal(number).replace(['(', ')'], "")
}

/// Whether a node is a variable with a name of its own.
pub(super) fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.names().node_name(node).is_some()
}

/// How a node with a name is called; a leaf that has lost all its names has a number.
pub(super) fn variable_name(session: &Session, node: &Rc<Node>) -> String {
    if session.names().node_name(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}
