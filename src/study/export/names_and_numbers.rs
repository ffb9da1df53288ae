//! How exported programs write the names of nodes, numbers, quotes and long lists.

use std::rc::Rc;

use super::dialect::Dialect;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// A list of more characters goes over several lines.
const LONGEST_LIST: usize = 70;

/// The items in each of these lines: four full numbers fill it.
const ITEMS_IN_LINE: usize = 4;

/// Joins items with commas, in several lines if there are many.
pub(super) fn join_items(items: &[String]) -> String {
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length < LONGEST_LIST {
        return items.join(", ");
    }
    let lines = items.chunks(ITEMS_IN_LINE).map(|items| items.join(", "));
    let margin = "\n        ";
    margin.to_string() + &lines.collect::<Vec<_>>().join(&format!(",{margin}"))
}

/// Returns a text in quotes.
pub(super) fn quote(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a number without the brackets of negative ones.
pub(super) fn bare(dialect: Dialect, number: f64) -> String {
    dialect.literal(number).replace(['(', ')'], "")
}

/// Returns whether a node is a variable with a name of its own.
pub(super) fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.names().node_name(node).is_some()
}

/// Returns the name of a node that has one; a leaf that has lost all its names has a number.
pub(super) fn variable_name(session: &Session, node: &Rc<Node>) -> String {
    if session.names().node_name(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}
