//! The texts of labels: a name, a former name or an expression.

use std::borrow::Cow;
use std::rc::Rc;

use super::items::{Label, name, name_item};
use super::writer::{ShownCalls, expression_items};
use crate::naming::Names;
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_report::Kind;

/// The kind of a node, whose word stands in tables, trees and pictures.
pub fn kind_of(node: &Node) -> Kind {
    if node.is_frozen() {
        Kind::Frozen
    } else if node.is_leaf() {
        Kind::Leaf
    } else if node.varies() {
        Kind::Computed
    } else {
        Kind::Constant
    }
}

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    let written = || language::infix(&expression_items(names, node, ShownCalls::All));
    name(names, node).unwrap_or_else(written)
}

/// The label of a node in postfix order.
pub fn label_items<'n>(names: &'n Names, node: &Rc<Node>) -> Label<'n> {
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

/// The notation for a derivative: `dL/d(a*b)`.
pub fn fraction(root: &str, node: &str) -> String {
    quotient('d', root, node)
}

/// The notation for a local derivative, in which the other operands stay as they are: `∂c/∂(a*b)`. Without a node above,
/// `∂/∂x`.
pub fn partial(node: &str, operand: &str) -> String {
    quotient('∂', node, operand)
}

fn quotient(sign: char, root: &str, node: &str) -> String {
    let above = Some(root).filter(|it| !it.is_empty()).map(in_brackets);
    let (above, below) = (above.unwrap_or_default(), in_brackets(node));
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
