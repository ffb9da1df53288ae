//! How a saved session spells numbers and constants.
//!
//! What is written reads back as what it was, to the bit.

use crate::graph::{Node, Spelling};
use crate::syntax;
use crate::syntax::{Item, ItemKind, Literal, Span};

pub(crate) fn push_constant(value: f64, spelling: Spelling, items: &mut Vec<Item>) {
    let point = spelling == Spelling::Point;
    let name = match spelling {
        Spelling::Named(name) => Some(name),
        _ => not_finite(value),
    };
    items.push(item(match name {
        Some(name) => ItemKind::Name(name),
        None => ItemKind::Number(Literal { value, point }),
    }));
    if value == f64::NEG_INFINITY {
        let minus = syntax::Head::Operator(syntax::precedence::minus());
        items.push(item(ItemKind::Apply(minus, 1)));
    }
}

/// A literal as it is written; nothing for what is no literal.
pub(crate) fn spelled(node: &Node) -> Option<String> {
    let mut items = Vec::new();
    push_constant(node.data(), node.spelling()?, &mut items);
    Some(syntax::infix(&items))
}

/// The predefined constant that a constant is written as.
pub(crate) fn constant(node: &Node) -> Option<&'static str> {
    match node.spelling() {
        Some(Spelling::Named(name)) => Some(name),
        _ => not_finite(node.data()),
    }
}

fn not_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some("inf")
    } else {
        None
    }
}

/// A leaf's number: what is not finite as a quotient, since `inf` and `nan` are names that may be bound.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        "0/0".to_string()
    } else if value.is_infinite() {
        format!("{}1/0", if value < 0.0 { "-" } else { "" })
    } else {
        syntax::literal(value, false)
    }
}

pub(crate) fn item(kind: ItemKind<'_>) -> Item<'_> {
    let span = Span::default();
    Item { kind, span }
}
