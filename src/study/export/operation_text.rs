//! The text of an operation on operands, in C, Python or JAX, from its spelling in `dialect.rs`.

use super::dialect::{Dialect, operands, word_by_word};
use chainrule_engine::ops::{OPERAND_NAMES, Op};

/// Returns a list of operands as an argument. In C it is a pointer and a length, and functions of Python take any number
/// of operands.
pub(super) fn list_text(dialect: Dialect, operands: &[String]) -> String {
    let items = operands.join(", ");
    match dialect {
        Dialect::C => format!("(double[]){{{items}}}, {}", operands.len()),
        Dialect::Jax => format!("jnp.array([{items}])"),
        Dialect::Python => items,
    }
}

/// Returns an operation as a function: `tanh`, or `lambda x: x * sigmoid(x)`.
pub(super) fn function_text(dialect: Dialect, op: &'static Op) -> Result<String, &'static Op> {
    let text = dialect.value(op).ok_or(op)?;
    let operands = operands(op);
    let called = text.strip_suffix(&format!("({operands})"));
    Ok(match called.filter(|name| is_word(name)) {
        Some(name) => name.to_string(),
        None => format!("lambda {operands}: {text}"),
    })
}

/// Returns whether a text is one word.
pub(super) fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Returns a spelling with these operands in place of `x`, `y` and `z`, and with this list in place of `a`.
pub(super) fn fill_words(spelling: &str, operands: &[String], list: &str) -> String {
    let mut filled = String::new();
    for (word, after) in word_by_word(spelling) {
        let position = OPERAND_NAMES.iter().position(|name| *name == word);
        let operand = position.and_then(|position| operands.get(position));
        // An argument of a call needs no brackets.
        let is_argument =
            (filled.ends_with('(') || filled.ends_with(", ")) && after.starts_with([')', ',']);
        match operand {
            _ if after.starts_with('(') => filled.push_str(word),
            Some(operand) if is_argument => filled.push_str(operand),
            Some(operand) => filled.push_str(&in_brackets(operand.clone())),
            None if word == "a" => filled.push_str(list),
            None => filled.push_str(word),
        }
        filled.push_str(after);
    }
    filled
}

/// Returns a text as an operand: a word, a call or an item as it is, anything else in brackets.
fn in_brackets(text: String) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut depth = 0_i32;
    let is_whole = text.chars().all(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth > 0 || is_word(c) || matches!(c, ')' | ']')
    });
    if is_whole { text } else { format!("({text})") }
}
