//! The text of numbers and constants in a saved session.
//!
//! Everything reads back to the same bits.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::{Node, Spelling};
use crate::session::naming::atoms::item;
use crate::syntax::{self, Item, ItemKind, Literal};

/// Appends a constant as the literal or name that it was typed as.
pub(crate) fn push_constant(value: f64, spelling: Option<Spelling>, items: &mut Vec<Item>) {
    let point = spelling == Some(Spelling::Point);
    items.push(item(match named(value, spelling) {
        Some(name) => ItemKind::Name(name),
        None => ItemKind::Number(Literal { value, point }),
    }));
    if value == f64::NEG_INFINITY {
        let minus = syntax::Head::Operator(syntax::precedence::minus());
        items.push(item(ItemKind::Apply(minus, 1)));
    }
}

/// The text of a literal; `None` for other nodes.
pub(crate) fn spelled(node: &Node) -> Option<String> {
    let mut items = Vec::new();
    let spelling = node.spelling()?;
    push_constant(node.data(), Some(spelling), &mut items);
    Some(syntax::infix(&items))
}

/// The predefined constant by which a constant is written, if any.
pub(crate) fn named(value: f64, spelling: Option<Spelling>) -> Option<&'static str> {
    match spelling {
        Some(Spelling::Named(name)) => Some(name),
        _ if value.is_nan() => Some("nan"),
        _ => value.is_infinite().then_some("inf"),
    }
}

/// The text of a leaf's number. Values that are not finite are written as quotients, because the names `inf` and `nan`
/// may be bound by the user.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        "0/0".to_string()
    } else if value.is_infinite() {
        format!("{}1/0", if value < 0.0 { "-" } else { "" })
    } else {
        syntax::literal(value, false)
    }
}

/// The predefined constants that occur in the constants of a script.
pub(crate) fn spelled_constants(constants: &[&Rc<Node>]) -> FxHashSet<&'static str> {
    let constants = constants.iter();
    constants
        .filter_map(|node| named(node.data(), node.spelling()))
        .collect()
}
