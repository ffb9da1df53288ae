//! Writes names of nodes, numbers, quotes and long lists for exported programs.

use std::rc::Rc;

use super::dialect::Dialect;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// A list of this many characters or more goes over several lines.
const LONGEST_LIST: usize = 70;

/// The number of items in each line of a long list: four numbers with all digits fill a line.
const ITEMS_IN_LINE: usize = 4;

/// Joins items with commas, in several lines if they are long.
pub(super) fn join_items(items: &[String]) -> String {
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length < LONGEST_LIST {
        return items.join(", ");
    }
    let lines = items.chunks(ITEMS_IN_LINE).map(|items| items.join(", "));
    let margin = "\n        ";
    margin.to_string() + &lines.collect::<Vec<_>>().join(&format!(",{margin}"))
}

/// Returns a text as a string literal of C and of Python. Blanks replace control characters.
pub(super) fn quote(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the literal of a number without the brackets of negative numbers.
pub(super) fn bare(dialect: Dialect, number: f64) -> String {
    dialect.literal(number).replace(['(', ')'], "")
}

/// Returns whether a node becomes a variable with its own name: a leaf, or a node that the user has named.
pub(super) fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.names().first_name_or_former(node).is_some()
}

/// Returns the name of a node for which [`has_name`] returns true. A leaf that has lost all its names is called by its id.
pub(super) fn variable_name(session: &Session, node: &Rc<Node>) -> String {
    if session.names().first_name_or_former(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}
