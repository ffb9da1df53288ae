//! The parts of labels: the names of nodes, literals, and operations as they are written.
//!
//! `mod.rs` makes the labels of nodes from them, and `list_names` finds the names of lists.

use std::rc::Rc;

use crate::session::naming::names::Names;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{Op, Shape};
use chainrule_language::{
    self as language, Head, Item, ItemKind, Literal, Operator, Span, precedence,
};

/// A list of at most this many items is shown item by item.
pub const FEW_ITEMS: usize = 8;

/// The most nodes in one label; deeper ones are shown as `…`.
pub const LABEL_NODES: usize = 64;

/// A node's name or former name, if it has one.
pub(crate) fn name(names: &Names, node: &Node) -> Option<String> {
    let naming = names.node_name(node)?;
    Some(names.node_name_text(naming).into_owned())
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

/// A leaf or constant without a name as a part of a label: `2`, `(2 ± 0.1)`.
pub(crate) fn unnamed_term(names: &Names, node: &Node) -> Term {
    let Some(width) = names.uncertain.width(node) else {
        return Term::Item(atom(names, node));
    };
    let [value, width] = [node.data(), width].map(|number| language::literal(number, false));
    Term::Name(format!("({value} ± {width})"))
}

/// A part of a label, in postfix order.
#[derive(Clone)]
pub(crate) enum Term {
    /// The name of a node or a list, or what stands for more.
    Name(String),
    /// A literal, or an operation on the parts before it.
    Item(ItemKind<'static>),
    /// A call of the user's own function with this many arguments.
    Call(Rc<str>, u32),
}

impl Term {
    /// An operation on the last `count` parts.
    pub(crate) fn operation(op: &'static Op, count: usize) -> Term {
        Term::Item(ItemKind::Apply(head(op), count as u32))
    }

    /// How many parts it takes.
    pub(crate) fn count(&self) -> usize {
        match self {
            Term::Call(_, count) => *count as usize,
            Term::Item(kind) => kind.operands() as usize,
            Term::Name(_) => 0,
        }
    }
}

/// The text of a label.
pub(crate) fn label_text(terms: &[Term]) -> String {
    let span = Span::default();
    let mut items: Vec<Item> = Vec::with_capacity(terms.len());
    for term in terms {
        let kind = match term {
            Term::Name(name) => ItemKind::Name(name),
            // `chain_ln(x, y)` is written `x*ln(y)`: the logarithm is that of the operand before it.
            Term::Item(ItemKind::Apply(Head::Function("chain_ln", _), _)) => {
                let kind = ItemKind::Apply(Head::Function("ln", 0), 1);
                items.push(Item { kind, span });
                ItemKind::Apply(times(), 2)
            }
            Term::Item(kind) => *kind,
            Term::Call(function, count) => ItemKind::Apply(Head::Function(function, 0), *count),
        };
        items.push(Item { kind, span });
    }
    language::infix(&items)
}

/// How an operation is written: by an operator or as a call. The products of a derivative, `chain`, are shown as products,
/// and so is `chain_ln(x, y)`, as `x*ln(y)`.
fn head(op: &'static Op) -> Head<'static> {
    let operator: Option<&'static Operator> = match op.shape {
        _ if op.name == "chain" => return times(),
        Shape::Infix => precedence::infix_operator(op.spelling),
        Shape::Prefix => Some(precedence::minus_sign()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    operator.map_or(Head::Function(op.spelling, 0), Head::Operator)
}

fn times() -> Head<'static> {
    Head::Operator(precedence::infix_operator("*").expect("the language has products"))
}
