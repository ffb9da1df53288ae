//! `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: derivatives as answers show them, typed.
//!
//! A statement with one is run as `grad(L, a)`. Since it must have failed before, names that have a value win: `dL/da` is
//! a quotient where `dL` has one.

use super::Meaning;
use super::line::Foreign;
use crate::syntax;

/// The line with `grad` for every derivative in it.
pub(super) fn meaning(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let mut plain = String::new();
    let mut copied = 0;
    let mut quote = None;
    let mut before = None;
    for (at, first) in line.char_indices() {
        // Behind a letter a quote is a prime.
        let is_quote = matches!(first, '"' | '\'') && !before.is_some_and(is_part);
        match quote {
            Some(open) if open == first => quote = None,
            None if is_quote => quote = Some(first),
            None if at >= copied && matches!(first, 'd' | '∂') && begins(&line[..at]) => {
                if let Some((derivative, end)) = derivative(foreign, at) {
                    plain.push_str(&line[copied..at]);
                    plain.push_str(&derivative);
                    copied = end;
                }
            }
            _ => {}
        }
        before = Some(first);
    }
    plain.push_str(&line[copied..]);
    (copied > 0).then_some(Meaning::Line(plain))
}

/// Can a derivative begin behind this text? It may be the coefficient of one: `2dL/da`.
fn begins(before: &str) -> bool {
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
    !number.ends_with(|c: char| is_part(c) || c == '@')
}

/// The call of `grad` for the derivative at `at`, and where that ends.
fn derivative(foreign: &Foreign, at: usize) -> Option<(String, usize)> {
    let line = foreign.line;
    let (of, end) = differential(foreign, at)?;
    let rest = line[end..].trim_start().strip_prefix('/')?;
    let by = line.len() - rest.trim_start().len();
    let (by, end) = differential(foreign, by)?;
    // `dL/da^2` can be read in two ways.
    let rest = line[end..].trim_start();
    let raised = rest.starts_with('^') || rest.starts_with("**") || rest.starts_with('²');
    (!raised).then(|| (format!("grad({of}, {by})"), end))
}

/// What stands behind the `d` at `at`, and where that ends: a name, or brackets.
fn differential<'s>(foreign: &Foreign<'s>, at: usize) -> Option<(&'s str, usize)> {
    let line = foreign.line;
    let sign = line[at..]
        .chars()
        .next()
        .filter(|c| matches!(c, 'd' | '∂'))?;
    let start = at + sign.len_utf8();
    let rest = &line[start..];
    let session = foreign.session;
    if rest.starts_with('(') {
        let length = bracket(rest)?;
        let own = sign == 'd' && session.functions().get("d").is_some();
        let inside = &rest[1..length - 1];
        // Two nodes of one text are told apart by a number, which is enough.
        let node = inside
            .rsplit_once(" @")
            .filter(|(_, id)| id.parse::<u32>().is_ok());
        let inside = node.map_or(inside, |(text, _)| &inside[text.len() + 1..]);
        return (!own).then_some((inside, start + length));
    }
    let is_name = |c: char| is_part(c) && c != '.' || syntax::is_name(&format!("x{c}"));
    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
    let name = &rest[..end];
    if !syntax::is_name(name) || sign == 'd' && foreign.is_taken(&line[at..start + end]) {
        return None;
    }
    session.names().find(name)?;
    let mut end = end;
    if let Some(digits) = rest[end..].strip_prefix('@') {
        let more = digits.find(|c: char| !c.is_ascii_digit());
        end += 1 + more.unwrap_or(digits.len());
    }
    if rest[end..].starts_with('[') {
        end += bracket(&rest[end..])?;
    }
    Some((&rest[..end], start + end))
}

/// The length of what the bracket at the beginning encloses, with both brackets.
fn bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Can it be a part of a name?
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
