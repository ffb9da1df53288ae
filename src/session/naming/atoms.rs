//! What labels are made of: the names of nodes, literals, and how operations are written.
//!
//! Labels of nodes are in `labels`, those of lists in `list_labels`.

use std::borrow::Cow;

use super::names::Names;
use crate::graph::{Node, Spelling};
use crate::ops::{Op, Shape};
use crate::syntax::{Head, Item, ItemKind, Literal, Operator, Span, precedence};

/// The most nodes in one label; deeper ones are shown as `…`.
pub const LABEL_NODES: usize = 64;

/// A node's name or former name, if it has one.
pub(crate) fn name(names: &Names, node: &Node) -> Option<String> {
    let name = names.of(node).next().map(Cow::into_owned);
    name.or_else(|| names.former(node))
}

/// A leaf or constant without a name.
pub(crate) fn atom(names: &Names, node: &Node) -> ItemKind<'static> {
    let (value, spelling) = (node.data(), node.spelling());
    let point = spelling == Some(Spelling::Point);
    match spelling {
        // A predefined constant is shown by its name, unless the user has bound that name.
        Some(Spelling::Named(name)) if names.find(name).is_none() => ItemKind::Name(name),
        // A value that is not finite (taken by `a.data`) is written as a name, so that it looks the same when read
        // back.
        _ if !point && value == f64::INFINITY => ItemKind::Name("inf"),
        _ if !point && value.is_nan() => ItemKind::Name("nan"),
        _ => ItemKind::Number(Literal { value, point }),
    }
}

/// An item of an expression that was never typed.
pub(crate) fn item(kind: ItemKind<'_>) -> Item<'_> {
    let span = Span::default();
    Item { kind, span }
}

/// How an operation is written: by an operator or as a call. The products of a derivative, `chain`, are shown as products.
pub(crate) fn head(op: &'static Op) -> Head<'static> {
    let operator: Option<&'static Operator> = match op.shape {
        _ if op.name == "chain" => precedence::between("*"),
        Shape::Infix => precedence::between(op.spelling),
        Shape::Prefix => Some(precedence::minus()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    operator.map_or(Head::Function(op.spelling, 0), Head::Operator)
}
