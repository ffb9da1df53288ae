//! How exported programs write the names of nodes, numbers, quotes and long lists.

use std::rc::Rc;

use super::dialect::Dialect;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// A list longer than this goes over several lines.
const WIDTH: usize = 70;

/// How many items each of these lines has.
const ITEMS: usize = 4;

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
