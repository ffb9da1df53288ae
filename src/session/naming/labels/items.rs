//! Makes the items of labels. Numbers have the shortest form that the language reads back.

use std::borrow::Cow;

use crate::session::naming::Names;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{Op, Shape};
use chainrule_language::{self as language, Head, Item, ItemKind, Literal, Operator, precedence};

/// A label in postfix order.
pub(crate) type Label<'n> = Vec<Item<Cow<'n, str>>>;

/// An item of a label.
pub(super) type LabelItem<'n> = ItemKind<Cow<'n, str>>;

/// The item of a name, or of `…`.
pub(crate) fn name_item<'n>(name: impl Into<Cow<'n, str>>) -> LabelItem<'n> {
    ItemKind::Name(name.into())
}

/// A call of a function.
pub(super) fn call_item<'n>(function: impl Into<Cow<'n, str>>, count: usize) -> LabelItem<'n> {
    ItemKind::Apply(Head::Function(function.into(), 0), count as u32)
}

/// An operation on the last `count` items. The products of a derivative, `chain`, are shown as products.
pub(crate) fn operation_item<'n>(op: &'static Op, count: usize) -> LabelItem<'n> {
    let operator: Option<&'static Operator> = match op.shape {
        _ if op.name == "chain" => precedence::infix_operator("*"),
        Shape::Infix => precedence::infix_operator(op.spelling),
        Shape::Prefix => Some(precedence::minus_sign()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    match operator {
        Some(known) => ItemKind::Apply(Head::Operator(known), count as u32),
        None => call_item(op.spelling, count),
    }
}

/// A leaf or constant without a name: `2`, `pi`, `(2 ± 0.1)`.
pub(crate) fn unnamed_item<'n>(names: &Names, node: &Node) -> LabelItem<'n> {
    let (value, spelling) = (node.data(), node.spelling());
    if let Some(width) = names.uncertain.width(node) {
        let typed = [value, width].map(|number| language::literal(number, false));
        return name_item(format!("({} ± {})", typed[0], typed[1]));
    }
    let has_point = spelling == Some(Spelling::Point);
    match spelling {
        // A predefined constant is shown by its name, unless the user has bound that name.
        Some(Spelling::Named(name)) if names.find(name).is_none() => name_item(name),
        // A value that is not finite, such as that of `a.data`, is written as a name, which the language reads back.
        _ if !has_point && value == f64::INFINITY => name_item("inf"),
        _ if !has_point && value.is_nan() => name_item("nan"),
        _ => ItemKind::Number(Literal { value, has_point }),
    }
}
