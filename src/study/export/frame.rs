//! Pieces of text that all exported programs have: the frame of a file, lists, numbers, quotes, the names of nodes.

use std::rc::Rc;

use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::mark;
use super::user_function::wrapper;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// A list longer than this goes over several lines.
const WIDTH: usize = 70;

/// How many items each of these lines has.
const ITEMS: usize = 4;

/// The program of a computation: this code in the frame of its language, with the parts that several frames have and
/// these.
pub(super) fn file(
    session: &Session,
    computation: &Computation,
    dialect: Dialect,
    code: &str,
    parts: &[(&str, &str)],
) -> String {
    let frame = match dialect {
        Dialect::C => include_str!("frame.c"),
        Dialect::Jax => include_str!("frame.jax.py"),
        Dialect::Python => include_str!("frame.py"),
    };
    let root = &computation.root;
    let (label, expression) = (session.label(root), session.expression(root));
    let is_more = !expression.is_empty() && expression != label;
    let definition = if is_more {
        format!("{label} = {expression}")
    } else {
        label.clone()
    };
    let more = parts.iter().find(|(name, _)| *name == "more");
    let more = more.map_or("", |(_, arguments)| arguments);
    let (name, function) = wrapper(session, computation, dialect, more);
    let leaves = &computation.leaves;
    let names = leaves.iter().map(|it| quote(&variable_name(session, it)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let of_several = [
        ("mark", &*mark()),
        ("definition", &definition),
        ("code", code),
        ("label", &quote(&label)),
        ("name", name),
        ("function", &function),
        ("library", &library(dialect, [code])),
        ("count", &leaves.len().to_string()),
        ("names", &join_items(&names.collect::<Vec<_>>())),
        ("start", &join_items(&start.collect::<Vec<_>>())),
    ];
    fill_frame(frame, &[&of_several, parts].concat())
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
