//! Pieces of text that programs in other languages share: the frame of a file, lists, numbers, quotes, what nodes are
//! called.

use std::rc::Rc;

use crate::graph::Node;
use crate::ops::Dialect;
use crate::session::Session;

/// The column before which lines of lists end.
const WIDTH: usize = 100;

/// A frame with its parts: `$names` in it stands for the part `names`.
pub(super) fn framed(frame: &str, parts: &[(&str, &str)]) -> String {
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

/// A list in brackets, broken into lines where it is long.
pub(super) fn listed(items: &[String], [open, close]: [&str; 2]) -> String {
    let margin = " ".repeat(8);
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length < WIDTH - 30 {
        return format!("{open}{}{close}", items.join(", "));
    }
    let (mut text, mut line) = (format!("{open}\n"), margin.clone());
    for item in items {
        if line.len() > margin.len() && line.len() + item.len() + 1 > WIDTH {
            text.extend([line.trim_end(), "\n"]);
            line.clone_from(&margin);
        }
        line.extend([item, ", "]);
    }
    text + line.trim_end_matches(", ") + close
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A number that needs no brackets.
pub(super) fn bare(dialect: Dialect, number: f64) -> String {
    dialect.literal(number).replace(['(', ')'], "")
}

/// `y = a*b`, or what was typed where it has no name.
pub(super) fn definition(session: &Session, root: &Rc<Node>) -> String {
    let (label, expression) = (session.label(root), session.expression(root));
    if expression.is_empty() || expression == label {
        return label;
    }
    format!("{label} = {expression}")
}

/// Whether a node is a variable with a name of its own.
pub(super) fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.is_named(node) || session.names().former(node).is_some()
}

/// How a node with a name is called; a leaf that has lost all its names has a number.
pub(super) fn called(session: &Session, node: &Rc<Node>) -> String {
    if session.is_named(node) || session.names().former(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}
