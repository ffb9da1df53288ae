//! An operation as a page's script computes it: JavaScript of its value and of its derivatives.
//!
//! `study/spelling` makes the texts; here they become functions of a list of operands.

use crate::ops::{Dialect, Op, Rule};
use crate::report::Operation;
use crate::study::spelling::{self, WordMeanings};

/// The operation in JavaScript; without a value if it, or one of its derivatives, cannot be spelled.
pub fn page_operation(op: &'static Op) -> Operation {
    let (value, locals) = spelled(op).unzip();
    Operation {
        name: op.name,
        value,
        locals,
    }
}

fn spelled(op: &'static Op) -> Option<(String, String)> {
    let (operands, count) = match op.rule {
        Rule::Unary { .. } => ("[x]", 1),
        Rule::Binary { .. } => ("[x, y]", 2),
        Rule::Ternary { .. } => ("[x, y, z]", 3),
        Rule::Many { .. } => ("a", 1),
    };
    let words = WordMeanings {
        operands: &["x", "y", "z"].map(String::from),
        list: "a",
        out: "out",
    };
    let script = Dialect::JavaScript;
    let value = spelling::value(script, op, words)?;
    let locals: Vec<String> = (0..count)
        .map(|place| spelling::slope(script, op, place, words))
        .collect::<Option<_>>()?;
    let locals = match op.rule {
        Rule::Many { .. } => locals.concat(),
        _ => format!("[{}]", locals.join(", ")),
    };
    Some((
        format!("({operands}) => {value}"),
        format!("({operands}, out) => {locals}"),
    ))
}
