//! Writes an operation on operands in C, Python or JAX, from its spelling in `dialect.rs`.

use super::dialect::{Dialect, operands, word_by_word};
use chainrule_engine::ops::{OPERAND_NAMES, Op};

/// Returns a list of operands as an argument. In C the argument is a pointer and a length, and functions of Python take
/// any number of operands.
pub(super) fn list_text(dialect: Dialect, operands: &[String]) -> String {
    let items = operands.join(", ");
    match dialect {
        Dialect::C => format!("(double[]){{{items}}}, {}", operands.len()),
        Dialect::Jax => format!("jnp.array([{items}])"),
        Dialect::Python => items,
    }
}

/// Returns an operation as a function: `tanh`, or `lambda x: x * sigmoid(x)`; `None` if the language has no function for
/// it.
pub(super) fn function_text(dialect: Dialect, op: &Op) -> Option<String> {
    let spelling = dialect.value(op)?;
    let parameters = operands(op);
    let called = spelling.strip_suffix(&format!("({parameters})"));
    Some(match called.filter(|name| is_identifier(name)) {
        Some(name) => name.to_string(),
        None => format!("lambda {parameters}: {spelling}"),
    })
}

/// Returns whether a text is one identifier.
pub(super) fn is_identifier(text: &str) -> bool {
    text.bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Returns a spelling with these operands in place of `x`, `y` and `z`, and with this list in place of `a`.
pub(super) fn fill_words(spelling: &str, operands: &[String], list: &str) -> String {
    let mut filled = String::new();
    for (word, after) in word_by_word(spelling) {
        let index = OPERAND_NAMES.iter().position(|name| *name == word);
        let operand = index.and_then(|index| operands.get(index));
        // An argument of a call needs no brackets.
        let is_argument =
            (filled.ends_with('(') || filled.ends_with(", ")) && after.starts_with([')', ',']);
        match operand {
            Some(operand) if is_argument => filled.push_str(operand),
            Some(operand) => filled.push_str(&bracket_if_needed(operand)),
            None if word == "a" => filled.push_str(list),
            None => filled.push_str(word),
        }
        filled.push_str(after);
    }
    filled
}

/// Returns a text as an operand: unchanged if it is a path, a call or an item, and in brackets if it may have operators
/// outside of its own brackets.
fn bracket_if_needed(text: &str) -> String {
    let is_in_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && !is_in_path(c) => return format!("({text})"),
            _ => {}
        }
    }
    text.to_string()
}
