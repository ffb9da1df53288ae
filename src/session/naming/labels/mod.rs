//! Writes the labels of nodes for tables, notes and JSON: the name of a node, its former name, or its expression.
//!
//! A label is an expression of the language, with names of nodes and lists: `W`, `W[2]`, `w[2..3]`, `flat(W)`. `writer`
//! finds the parts of an expression and `list_names` the names of lists. [`Captions`] makes the labels of one table
//! distinct.

mod captions;
mod items;
mod list_names;
pub mod long_lists;
mod writer;

pub use self::captions::{Caption, Captions};
pub(crate) use self::items::{Label, name_item, operation_item, unnamed_item};

use std::borrow::Cow;
use std::rc::Rc;

use self::writer::{ShownCalls, expression_items};
use super::Names;
use chainrule_engine::graph::Node;
use chainrule_language as language;

/// A list of at most this many items is shown item by item: about a line.
pub const FEW_ITEMS: usize = 8;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    let written = || language::infix(&expression_items(names, node, ShownCalls::All));
    name(names, node).unwrap_or_else(written)
}

/// The label of a node in postfix order.
pub(crate) fn label_items<'n>(names: &'n Names, node: &Rc<Node>) -> Label<'n> {
    match name(names, node) {
        Some(name) => vec![name_item(name).into()],
        None => expression_items(names, node, ShownCalls::All),
    }
}

/// The operations of a node down to nodes with names. Calls are not shown, because functions may have changed since.
pub fn operations(names: &Names, node: &Rc<Node>) -> String {
    let written = || language::infix(&expression_items(names, node, ShownCalls::None));
    name(names, node).unwrap_or_else(written)
}

/// A node's own expression in terms of its operands' labels, even if the node has a name: `(a*b + c)*f`. Empty for a
/// leaf. A named node that was made by a call is shown as the call, `f(a)`. A node with the label `f(a)` is shown as
/// its operation.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        return String::new();
    }
    let calls = name(names, node).map_or(ShownCalls::Below, |_| ShownCalls::All);
    language::infix(&expression_items(names, node, calls))
}

/// A node's name or former name, if it has one.
pub(crate) fn name(names: &Names, node: &Node) -> Option<String> {
    let naming = names.first_name_or_former(node)?;
    Some(names.node_name_text(naming).into_owned())
}

/// The notation for a derivative: `dL/d(a*b)`.
pub(crate) fn fraction(root: &str, node: &str) -> String {
    quotient('d', root, node)
}

/// The notation for a local derivative, in which the other operands stay as they are: `∂c/∂(a*b)`.
pub(crate) fn partial(node: &str, operand: &str) -> String {
    quotient('∂', node, operand)
}

fn quotient(sign: char, root: &str, node: &str) -> String {
    let [above, below] = [root, node].map(in_brackets);
    format!("{sign}{above}/{sign}{below}")
}

/// A label in brackets, unless it is a name or a former name: `w[2]` and `w@1[2]` need brackets, `a@1` does not.
fn in_brackets(label: &str) -> Cow<'_, str> {
    let (name, count) = label.split_once('@').unwrap_or((label, ""));
    if language::is_name(name) && count.bytes().all(|digit| digit.is_ascii_digit()) {
        label.into()
    } else {
        format!("({label})").into()
    }
}
