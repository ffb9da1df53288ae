//! Texts of the program in the language of the calculator: the derivatives in the table of operations, functions that
//! are made of others, and the meanings of calls of Python.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::functions::operation;
use chainrule_engine::ops::{self, Op};
use chainrule_language::{self as language, Expression, Head, ItemKind, Span};

thread_local! {
    /// The texts that have been parsed.
    static TEXTS: RefCell<FxHashMap<&'static str, Rc<Expression>>> = RefCell::default();
}

/// Reads a text as an expression, once.
pub(crate) fn parse_text(text: &'static str) -> Rc<Expression> {
    let parsed = || {
        let read = language::expression(text, Span::new(0, text.len()));
        Rc::new(read.expect("the program writes texts that can be read"))
    };
    TEXTS.with_borrow_mut(|known| Rc::clone(known.entry(text).or_insert_with(parsed)))
}

/// A part of a text with the values of its operands.
pub enum TextItem<V> {
    /// A number.
    Number(f64),
    /// A name.
    Name(&'static str),
    /// An operation on operands.
    Operation(&'static Op, Vec<V>),
}

/// The value of a text. `make` makes the value of each part.
pub fn value_of_text<V, E>(
    text: &'static str,
    mut make: impl FnMut(TextItem<V>) -> Result<V, E>,
) -> Result<V, E> {
    let mut stack: Vec<V> = Vec::new();
    for item in &parse_text(text).items {
        let part = match item.kind {
            ItemKind::Number(literal) => TextItem::Number(literal.value),
            ItemKind::Name(name) => TextItem::Name(name),
            ItemKind::Apply(head, count) => {
                let op = match head {
                    Head::Operator(operator) => Some(operation(operator)),
                    Head::Function(name, _) => ops::function(name, count as usize),
                    _ => None,
                };
                let operands = stack.split_off(stack.len() - count as usize);
                TextItem::Operation(op.expect("texts apply rows of the table"), operands)
            }
            _ => unreachable!("texts have numbers, names and operations"),
        };
        stack.push(make(part)?);
    }
    Ok(stack.pop().expect("a text has a value"))
}
