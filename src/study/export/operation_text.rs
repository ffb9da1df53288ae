//! The text of an operation in C, Python, JAX or Rust, from the spelling in its row and `dialect.rs`. Tests compare
//! every row with the program's own numbers.

use super::dialect::{Dialect, operands, word_by_word};
use chainrule_engine::ops::{OPERAND_NAMES, Op};

/// A list of operands in the middle of an expression. A list of C is a pointer and a length; functions of Python take any
/// number of operands.
pub(super) fn list_text(dialect: Dialect, operands: &[String]) -> String {
    let items = operands.join(", ");
    match dialect {
        Dialect::C => format!("(double[]){{{items}}}, {}", operands.len()),
        Dialect::Jax => format!("jnp.array([{items}])"),
        Dialect::Python => items,
    }
}

/// An operation as a function: `tanh`, or `lambda x: x * sigmoid(x)`.
pub(super) fn function_text(dialect: Dialect, op: &'static Op) -> Result<String, &'static Op> {
    let text = dialect.value(op).ok_or(op)?;
    let operands = operands(op);
    let called = text.strip_suffix(&format!("({operands})"));
    Ok(match called.filter(|name| is_word(name)) {
        Some(name) => name.to_string(),
        None => format!("lambda {operands}: {text}"),
    })
}

/// Whether a text is one word.
pub(super) fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// A text of a row, with these operands and the list of all of them in place of its words.
pub(super) fn fill_words(text: &str, operands: &[String], list: &str) -> String {
    let mut out = String::new();
    for (word, after) in word_by_word(text) {
        let bracketed;
        let place = OPERAND_NAMES.iter().position(|&operand| operand == word);
        out.push_str(match place.and_then(|place| operands.get(place)) {
            _ if after.starts_with('(') => word,
            // An argument of a call needs no brackets.
            Some(operand)
                if (out.ends_with('(') || out.ends_with(", ")) && after.starts_with([')', ',']) =>
            {
                operand
            }
            Some(operand) => {
                bracketed = in_brackets(operand.clone());
                &bracketed
            }
            None if word == "a" => list,
            None => word,
        });
        out.push_str(after);
    }
    out
}

/// A text that may stand as an operand: a word, a call or an item as it is, anything else in brackets.
fn in_brackets(text: String) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut depth = 0_i32;
    let is_whole = text.chars().all(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth > 0 || is_word(c) || matches!(c, ')' | ']')
    });
    if is_whole { text } else { format!("({text})") }
}
