//! Defines the values of blocks and functions, [`AnyValue`]: numbers, and Python's values that are none.

use std::rc::Rc;

use super::Function;
use crate::session::error::{Error, fail};
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::Span;

/// A value in a block or a function. A block can assign, compare, print and pass all of them. Everything else takes numbers,
/// by [`AnyValue::into_numbers`]. Only numbers outlive their block.
#[derive(Clone, Debug)]
pub(crate) enum AnyValue {
    /// A number or a list.
    Numbers(Value),
    /// `'OK'`
    Text(Rc<str>),
    /// A built-in function, by its name.
    BuiltIn(Rc<str>),
    /// A function of the user's own.
    Own(OwnFunction),
    /// `None`
    None,
}

/// A function of the user's own as a value.
#[derive(Clone, Debug)]
pub(crate) struct OwnFunction {
    pub(crate) function: Rc<Function>,
    /// The frame of the call that has defined the function; 0 for a function of the session. The function ends with the
    /// call.
    pub(crate) frame: usize,
}

impl AnyValue {
    /// The numbers of the value, which was typed at `span`. Refuses all other values.
    pub(crate) fn into_numbers(self, span: Span) -> Result<Value, Error> {
        match self {
            AnyValue::Numbers(value) => Ok(value),
            other => Err(other.refusal(span)),
        }
    }

    /// The value itself, if it is numbers.
    pub(crate) fn into_value(self) -> Option<Value> {
        match self {
            AnyValue::Numbers(value) => Some(value),
            _ => None,
        }
    }

    /// The error for a value in place of a number or a list.
    pub(crate) fn refusal(&self, span: Span) -> Error {
        match self {
            AnyValue::BuiltIn(name) => function_error(name, span),
            AnyValue::Own(own) => function_error(&own.function.name, span),
            AnyValue::None => {
                let help = "a function gives a value by `return …`, and `NAME is None` asks whether a name has one";
                let message = "this is `None`, and a number is needed here";
                fail(span, message, help)
            }
            AnyValue::Text(_) | AnyValue::Numbers(_) => {
                let help = "`==` compares texts, and `print` shows them: `print('L is', …)`";
                let message = "this is a text, and a number is needed here";
                fail(span, message, help)
            }
        }
    }

    /// The value, if it is numbers.
    pub(crate) fn numbers(&self) -> Option<&Value> {
        match self {
            AnyValue::Numbers(value) => Some(value),
            _ => None,
        }
    }

    /// The nodes of its numbers.
    pub(crate) fn nodes(&self) -> &[Rc<Node>] {
        self.numbers().map_or(&[], Value::nodes)
    }

    /// Whether `==` holds for two values, at least one of which is no number.
    pub(crate) fn equals(&self, other: &AnyValue) -> bool {
        match (self, other) {
            (AnyValue::Text(own), AnyValue::Text(its)) => own == its,
            (AnyValue::BuiltIn(own), AnyValue::BuiltIn(its)) => own == its,
            (AnyValue::Own(own), AnyValue::Own(its)) => {
                Rc::ptr_eq(&own.function, &its.function) && own.frame == its.frame
            }
            (AnyValue::None, AnyValue::None) => true,
            _ => false,
        }
    }

    /// Marks a list as part of something besides its name.
    pub(crate) fn mark_as_shared(&self) {
        if let AnyValue::Numbers(value) = self {
            value.mark_as_shared();
        }
    }
}

impl From<Value> for AnyValue {
    fn from(value: Value) -> AnyValue {
        AnyValue::Numbers(value)
    }
}

impl From<Rc<Node>> for AnyValue {
    fn from(node: Rc<Node>) -> AnyValue {
        AnyValue::Numbers(node.into())
    }
}

/// The error for a function in place of a number.
pub(crate) fn function_error(name: &str, span: Span) -> Error {
    let help = format!("call it: `{name}(…)`");
    fail(span, format!("`{name}` is a function"), help)
}
