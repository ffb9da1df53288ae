//! Texts of the program in the language of the calculator: the derivatives in the table of operations, functions that
//! are made of others, and the meanings of calls of Python.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::session::Session;
use crate::session::error::Error;
use crate::session::functions::operation;
use crate::session::values::Value;
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::{self, Op};
use chainrule_language::{self as language, Expression, Head, ItemKind, Span};

thread_local! {
    /// The texts that have been parsed.
    static TEXTS: RefCell<FxHashMap<&'static str, Rc<Expression>>> = RefCell::default();
}

/// Reads a text as an expression, once.
pub(super) fn parse_text(text: &'static str) -> Rc<Expression> {
    let parsed = || {
        let read = language::expression(text, Span::new(0, text.len()));
        Rc::new(read.expect("the program writes texts that can be read"))
    };
    TEXTS.with_borrow_mut(|known| Rc::clone(known.entry(text).or_insert_with(parsed)))
}

/// A part of a text with the values of its operands.
pub(super) enum TextItem<V> {
    Number(f64),
    Name(&'static str),
    Operation(&'static Op, Vec<V>),
}

/// The value of a text. `make` makes the value of each part.
pub(super) fn value_of_text<V, E>(
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

impl Session {
    /// The value of a text in which the names stand for these values.
    pub(super) fn apply_text(
        &mut self,
        text: &'static str,
        names: &[(&str, &Value)],
    ) -> Result<Value, Error> {
        let named = |name| names.iter().find(|(known, _)| *known == name);
        value_of_text(text, |part| match part {
            TextItem::Number(number) => Ok(self.graph.constant(number, Spelling::Plain).into()),
            TextItem::Name(name) => Ok(named(name).expect("all names are given").1.clone()),
            TextItem::Operation(op, operands) => self.operation(op, operands),
        })
    }
}
