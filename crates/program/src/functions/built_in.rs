//! Finds the operations of operators, and whether a function is built in.

use std::rc::Rc;
use std::sync::LazyLock;

use super::function::Function;
use super::library::LibraryFunction;
use chainrule_engine::ops::{self, Op, Shape as Notation};
use chainrule_language::Operator;
use chainrule_language::precedence::{self, Grouping};

/// The meaning of a function's name at a call.
pub enum Callee {
    /// A built-in function: a row of the table.
    Built(&'static Op),
    /// A function of the user's own.
    Own(Rc<Function>),
    /// A built-in function with this many primes: `tanh'`.
    Derived(&'static Op, u8),
    /// The quotient of two logarithms: `log(x, b)`.
    Logarithm,
    /// A function of the library: `dot`, `uniform`, `grad`.
    Library(&'static LibraryFunction),
}

/// Whether a built-in function has this name.
pub fn is_built_in(name: &str) -> bool {
    !ops::functions(name).is_empty() || LibraryFunction::find(name).is_some()
}

/// The row of an operator in the table of operations.
fn row_of(operator: &Operator) -> &'static Op {
    let shape = match operator.grouping {
        Grouping::Prefix => Notation::Prefix,
        Grouping::Postfix => Notation::Postfix,
        Grouping::Left | Grouping::Right | Grouping::Alone => Notation::Infix,
    };
    let row = ops::operator(operator.spelling, shape);
    row.expect("a test checks that each operator has a row")
}

/// The operation of an operator. The rows are looked up once, for all operators of the language.
pub fn operation(operator: &'static Operator) -> &'static Op {
    static OPERATIONS: LazyLock<Vec<&'static Op>> =
        LazyLock::new(|| precedence::OPERATORS.iter().map(row_of).collect());
    let mut pairs = precedence::OPERATORS.iter().zip(&*OPERATIONS);
    let found = pairs.find(|(known, _)| std::ptr::eq(*known, operator));
    found.expect("each operator is one of the language").1
}

/// The name of a function with primes: `f''`.
pub fn primed_name(name: &str, primes: u8) -> Rc<str> {
    format!("{name}{}", "'".repeat(primes.into())).into()
}
