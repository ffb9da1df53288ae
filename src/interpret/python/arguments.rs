//! Arguments of a call in a line of Python: where they end, and lists that functions of numpy make of them.
//!
//! Only texts: what a name means is not asked here.

use crate::commands;
use crate::commands::COMMANDS;
use crate::diagnostic::suggest::nearest;
use crate::syntax;
use crate::syntax::Span;

/// Is a word a keyword of a command, perhaps mistyped?
pub(super) fn is_keyword(word: &str) -> bool {
    let arguments = COMMANDS.iter().flat_map(|command| command.arguments);
    nearest(word, arguments.filter_map(|argument| argument.keyword)).is_some()
}

/// Is this a keyword of the command that a line calls?
pub(super) fn is_word_of(line: &str, word: &str) -> bool {
    let called = line
        .strip_prefix(':')
        .and_then(|line| line.split_whitespace().next());
    let command = called.and_then(|called| commands::find(called).ok());
    command.is_some_and(|command| {
        let mut arguments = command.arguments.iter();
        arguments.any(|argument| argument.keyword == Some(word))
    })
}

/// Modules whose functions are the calculator's own.
pub(super) const MODULES: [&str; 6] = ["math", "np", "numpy", "torch", "cmath", "F"];

/// Functions that take all numbers of an array, whatever its shape.
pub(super) const FOLDS: [&str; 6] = ["sum", "mean", "max", "min", "prod", "std"];

/// Functions that the calculator calls otherwise.
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("fabs", "abs"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("log", "ln"),
    ("arctan", "atan"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("absolute", "abs"),
    ("amax", "max"),
    ("amin", "min"),
    ("clip", "clamp"),
    ("power", "pow"),
    ("remainder", "mod"),
    ("fmod", "rem"),
];

/// The first argument of the rest of a call: up to a comma or the bracket that closes the call.
pub(super) fn first(rest: &str) -> &str {
    up_to(rest, true)
}

/// All arguments of the rest of a call.
pub(super) fn all(rest: &str) -> &str {
    up_to(rest, false)
}

fn up_to(rest: &str, comma: bool) -> &str {
    let ends = |&(_, c): &(usize, char)| matches!(c, ')' | ']') || comma && c == ',';
    let end = syntax::outside(rest).find(ends).map(|(at, _)| at);
    &rest[..end.unwrap_or(rest.len())]
}

/// Are all further arguments texts or options, as for the look of a curve?
pub(super) fn is_style(options: &str) -> bool {
    let mut rest = options;
    while let Some(next) = rest.strip_prefix(',') {
        let part = first(next);
        let option = part
            .split_once('=')
            .is_some_and(|(name, _)| syntax::is_name(name.trim()));
        if !option && !part.trim().starts_with(['"', '\'']) {
            return false;
        }
        rest = &next[part.len()..];
    }
    rest.is_empty()
}

/// One word: up to a blank or a comma outside of brackets.
pub(super) fn term(rest: &str) -> &str {
    let first = first(rest);
    let mut blanks = syntax::outside(first).filter(|(_, c)| c.is_whitespace());
    let end = blanks.next().map(|(at, _)| at);
    &first[..end.unwrap_or(first.len())]
}

/// `1 2 3` as a list.
pub(super) fn several_numbers(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let numbers = words.len() > 1 && words.iter().all(|word| word.parse::<f64>().is_ok());
    numbers.then(|| format!("[{}]", words.join(", ")))
}

/// `a 3 b 4` with a comma between the leaves.
pub(super) fn pairs(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (pairs, rest) = words.as_chunks::<2>();
    let is_pair = |pair: &[&str; 2]| syntax::is_name(pair[0]) && is_expression(pair[1]);
    let several = rest.is_empty() && pairs.len() > 1 && pairs.iter().all(is_pair);
    several.then(|| {
        pairs
            .iter()
            .map(|pair| pair.join(" "))
            .collect::<Vec<_>>()
            .join(", ")
    })
}

/// `w 1 2 3` and `w = 1, 2, 3` with a list.
pub(super) fn list_without_brackets(text: &str) -> Option<String> {
    let (name, rest) = text.split_at(text.find([' ', '='])?);
    let rest = rest.trim_start_matches([' ', '=']).replace(',', " ");
    let list = several_numbers(&rest)?;
    syntax::is_name(name).then(|| format!("{name} {list}"))
}

/// Is a text one expression?
pub(super) fn is_expression(text: &str) -> bool {
    syntax::expression(text, Span::new(0, text.len())).is_ok()
}

/// An argument that may stand where a name does.
pub(super) fn operand(text: &str) -> String {
    let is_call = || {
        let name = text.find('(').map_or("", |at| &text[..at]);
        let inside = all(text.get(name.len() + 1..).unwrap_or_default());
        (name.is_empty() || syntax::is_name(name)) && name.len() + inside.len() + 2 == text.len()
    };
    let is_number = || text.parse::<f64>().is_ok() && !text.starts_with('-');
    if syntax::is_name(text) || is_number() || text.ends_with(')') && is_call() {
        text.to_string()
    } else {
        format!("({text})")
    }
}
