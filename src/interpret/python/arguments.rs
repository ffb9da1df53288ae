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

/// The longest list of equal steps that is written out of two or three numbers.
const MOST_STEPS: f64 = 1e6;

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

/// Does a text end with the name of a module?
pub(super) fn ends_in_module(text: &str) -> bool {
    let begin = text.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    MODULES.contains(&&text[begin.map_or(0, |at| at + 1)..])
}

/// Is a text one expression?
pub(super) fn is_expression(text: &str) -> bool {
    syntax::expression(text, Span::new(0, text.len())).is_ok()
}

/// A whole number that is written as such.
pub(super) fn whole(text: &str) -> Option<i32> {
    text.trim().parse().ok()
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

/// The list that `arange`, `linspace` or `range` makes of numbers: `[-5 + 0.25*k for k in 0..39]`. Names have the number
/// that `value` tells.
pub(super) fn steps(
    called: &str,
    first: &str,
    options: &str,
    value: impl Fn(&str) -> Option<f64>,
) -> Option<String> {
    let number = |part: &str| {
        let part = part.trim();
        let (sign, name) = part
            .strip_prefix('-')
            .map_or((1.0, part), |name| (-1.0, name));
        let number = part.parse().ok().or_else(|| Some(sign * value(name)?));
        number.filter(|it: &f64| it.is_finite())
    };
    let mut parts = vec![first];
    let mut rest = options;
    while let Some(next) = rest.strip_prefix(',') {
        let part = self::first(next);
        rest = &next[part.len()..];
        parts.push(part.trim());
    }
    if called == "linspace" {
        let [start, stop, count @ ..] = parts.as_slice() else {
            return None;
        };
        let count = match count {
            [] => 50.0,
            [count] => number(count.strip_prefix("num=").unwrap_or(count))?,
            _ => return None,
        };
        let is_count = count.fract() == 0.0 && (2.0..=MOST_STEPS).contains(&count);
        if !is_count || !is_expression(start) || !is_expression(stop) {
            return None;
        }
        let (Some(from), Some(to)) = (number(start), number(stop)) else {
            return Some(between(start, stop, count - 1.0));
        };
        let step = (to - from) / (count - 1.0);
        if from + step * (count - 1.0) != to {
            // The last number is `stop` to the bit.
            return Some(between(start, stop, count - 1.0));
        }
        return written(from, step, count);
    }
    let numbers: Vec<f64> = parts.into_iter().map(number).collect::<Option<_>>()?;
    let (start, step, count) = match (called, numbers.as_slice()) {
        (_, &[stop]) => (0.0, 1.0, stop.ceil()),
        (_, &[start, stop]) => (start, 1.0, (stop - start).ceil()),
        (_, &[start, stop, step]) => (start, step, ((stop - start) / step).ceil()),
        _ => return None,
    };
    written(start, step, count)
}

/// `linspace` of expressions. The variable of the loop is one that they do not have.
fn between(start: &str, stop: &str, last: f64) -> String {
    let taken = |name: &&str| [start, stop].iter().all(|text| !text.contains(*name));
    let k = ["k", "j", "m", "step"]
        .into_iter()
        .find(taken)
        .unwrap_or("position");
    let from = operand(start);
    match start {
        "0" => format!("[{}*{k}/{last} for {k} in 0..{last}]", operand(stop)),
        _ => format!(
            "[{from} + ({} - {from})*{k}/{last} for {k} in 0..{last}]",
            operand(stop)
        ),
    }
}

/// The list of so many numbers with equal steps.
fn written(start: f64, step: f64, count: f64) -> Option<String> {
    if !(1.0..=MOST_STEPS).contains(&count) {
        return None;
    }
    let [start, step, last] = [start, step, count - 1.0].map(|it| syntax::literal(it, false));
    Some(match (start.as_str(), step.as_str()) {
        ("0", "1") => format!("[k for k in 0..{last}]"),
        (_, "1") => format!("[{start} + k for k in 0..{last}]"),
        ("0", _) => format!("[{step}*k for k in 0..{last}]"),
        _ => format!("[{start} + {step}*k for k in 0..{last}]"),
    })
}
