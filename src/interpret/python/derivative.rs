//! `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: derivatives as answers show them, typed.
//!
//! A statement with one is run as `grad(L, a)`. Since it must have failed before, names that have a value win: `dL/da` is
//! a quotient where `dL` has one.

use super::line::Foreign;
use super::{Meaning, arguments};
use crate::syntax::{self, Span};

/// The line with `grad` for every derivative in it.
pub(super) fn meaning(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let mut plain = String::new();
    let mut copied = 0;
    for at in places(line) {
        if at >= copied
            && let Some((derivative, end)) = derivative(foreign, at)
        {
            plain.push_str(&line[copied..at]);
            plain.push_str(&derivative);
            copied = end;
        }
    }
    plain.push_str(&line[copied..]);
    (copied > 0).then_some(Meaning::Line(plain))
}

/// Where a derivative may begin: not in quotes, not inside a word.
pub(super) fn places(line: &str) -> impl Iterator<Item = usize> {
    let mut quote = None;
    let mut before = None;
    let may_begin = move |(at, first): (usize, char)| {
        // Behind a letter a quote is a prime.
        let is_quote = matches!(first, '"' | '\'') && !before.is_some_and(is_part);
        before = Some(first);
        match quote {
            Some(open) if open == first => quote = None,
            None if is_quote => quote = Some(first),
            None => {
                let begins = matches!(first, 'd' | '∂' | '(') && begins(&line[..at]);
                return begins.then_some(at);
            }
            Some(_) => {}
        }
        None
    };
    line.char_indices().filter_map(may_begin)
}

/// Can a derivative begin behind this text? It may be the coefficient of one: `2dL/da`.
fn begins(before: &str) -> bool {
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
    !number.ends_with(|c: char| is_part(c) || c == '@')
}

/// `dL/da = 3`: the user's own number for this gradient, as `a.grad = 3` is. It never defines anything.
pub(super) fn claim(foreign: &Foreign) -> Option<Meaning> {
    let (of, by, end) = quotient(foreign, 0)?;
    let value = foreign.line[end..].trim_start().strip_prefix('=')?.trim();
    let node = if syntax::is_name(by) || by.contains('@') && !by.contains(' ') {
        by.to_string()
    } else {
        format!("({by})")
    };
    (!value.is_empty() && !value.starts_with('='))
        .then(|| Meaning::Line(format!(":guess {node} {value} of {of}")))
}

/// Does a power stand here?
pub(super) fn raised(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["^", "**", "²"].iter().any(|sign| rest.starts_with(sign))
}

pub(super) fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The call of `grad` for the derivative at `at`, and where that ends.
fn derivative(foreign: &Foreign, at: usize) -> Option<(String, usize)> {
    if let Some(other) = higher_derivative(foreign, at).or_else(|| applied(foreign, at)) {
        return Some(other);
    }
    let (of, by, end) = quotient(foreign, at)?;
    // `dL/da^2` can be read in two ways.
    (!raised(&foreign.line[end..])).then(|| (format!("grad({of}, {by})"), end))
}

/// Of what and by what the derivative at `at` is, and where it ends. `(dL)/(da)` is one, too.
fn quotient<'s>(foreign: &Foreign<'s>, at: usize) -> Option<(&'s str, &'s str, usize)> {
    let line = foreign.line;
    let (of, end) = differential(foreign, at)?;
    let rest = line[end..].trim_start().strip_prefix('/')?;
    let by = line.len() - rest.trim_start().len();
    let (by, end) = differential(foreign, by)?;
    Some((of, by, end))
}

/// `d²L/da²`, `∂^3L/∂a^3` and `∂²L/∂a∂b`
fn higher_derivative(foreign: &Foreign, at: usize) -> Option<(String, usize)> {
    let line = foreign.line;
    let Fraction { order, of, by, end } = fraction(line, at)?;
    let is_known = |name: &Span| {
        let name = word_at(name.of(line));
        foreign.session.names().find(name).is_some()
    };
    if order == 1 || order != by.len() || !by.iter().chain([&of]).all(is_known) {
        return None;
    }
    let derivative = by.iter().rev().fold(of.of(line).to_string(), |inner, by| {
        format!("grad({inner}, {})", by.of(line))
    });
    Some((derivative, end))
}

/// A derivative of a name by names, or of items: `∂²L/∂w[1]²`.
pub(super) struct Fraction {
    /// The power above.
    pub(super) order: usize,
    pub(super) of: Span,
    /// What stands below, each as often as its power says.
    pub(super) by: Vec<Span>,
    pub(super) end: usize,
}

pub(super) fn fraction(line: &str, at: usize) -> Option<Fraction> {
    let span = |rest: &str, length: usize| {
        let start = line.len() - rest.len();
        Span::new(start, start + length)
    };
    let upper = line[at..].strip_prefix(['d', '∂'])?;
    let (order, length) = power(upper).unwrap_or((1, 0));
    let upper = &upper[length..];
    let length = reference(upper)?;
    let of = span(upper, length);
    let mut rest = upper[length..].strip_prefix('/')?;
    let mut by = Vec::new();
    let mut signs = &['d', '∂'][..];
    while let Some(lower) = rest.strip_prefix(signs) {
        let length = reference(lower)?;
        let (count, power) = power(&lower[length..]).unwrap_or((1, 0));
        by.extend(std::iter::repeat_n(span(lower, length), count));
        rest = &lower[length + power..];
        // A `d` behind a name belongs to it.
        signs = &['∂'];
    }
    (!by.is_empty()).then_some(Fraction {
        order,
        of,
        by,
        end: line.len() - rest.len(),
    })
}

/// The length of the name that a text begins with, with what belongs to it.
fn reference(text: &str) -> Option<usize> {
    let name = word_at(text).trim_end_matches(|c| SUPERSCRIPTS.contains(c));
    syntax::is_name(name).then_some(name.len() + suffix(&text[name.len()..])?)
}

/// The length of what may stand behind a name: the number of a former one, the position of an item. `a@1`, `w[2]`
fn suffix(text: &str) -> Option<usize> {
    let mut end = 0;
    if let Some(digits) = text.strip_prefix('@') {
        let more = digits.find(|c: char| !c.is_ascii_digit());
        end = 1 + more.unwrap_or(digits.len());
    }
    if text[end..].starts_with('[') {
        end += bracket(&text[end..])?;
    }
    Some(end)
}

/// The power that a text begins with, `²`, `^2` or `**2` and up to 9, and its length.
fn power(text: &str) -> Option<(usize, usize)> {
    let plain = text.strip_prefix("**").or_else(|| text.strip_prefix('^'));
    let digits = if plain.is_some() {
        "0123456789"
    } else {
        SUPERSCRIPTS
    };
    let rest = plain.unwrap_or(text);
    let digit = rest.chars().next()?;
    let order = digits.chars().position(|known| known == digit)?;
    let behind = &rest[digit.len_utf8()..];
    let more = plain.is_some() && behind.starts_with(|c: char| c.is_ascii_digit());
    (order > 1 && !more).then_some((order, text.len() - behind.len()))
}

const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// `∂/∂a L` and `∂/∂a(a^3)`
fn applied(foreign: &Foreign, at: usize) -> Option<(String, usize)> {
    let line = foreign.line;
    let rest = line[at..].strip_prefix("∂/∂")?;
    let by = word_at(rest);
    let rest = rest[by.len()..].trim_start();
    let start = line.len() - rest.len();
    let length = if rest.starts_with('(') {
        bracket(rest)?
    } else {
        arguments::term(rest).len()
    };
    let of = &rest[..length];
    let inside = of.strip_prefix('(').and_then(|of| of.strip_suffix(')'));
    let inside = inside.unwrap_or(of);
    let known = foreign.session.names().find(by).is_some() && arguments::is_expression(inside);
    known.then(|| (format!("grad({inside}, {by})"), start + length))
}

/// What stands behind the `d` at `at`, and where that ends: a name, or brackets.
fn differential<'s>(foreign: &Foreign<'s>, at: usize) -> Option<(&'s str, usize)> {
    let line = foreign.line;
    let first = line.get(at..)?.chars().next()?;
    if first == '(' {
        // `(dL)/(da)`
        if !line[at + 1..].starts_with(['d', '∂']) {
            return None;
        }
        let length = bracket(&line[at..])?;
        let (inside, end) = differential(foreign, at + 1)?;
        return (end + 1 == at + length).then_some((inside, end + 1));
    }
    let sign = Some(first).filter(|c| matches!(c, 'd' | '∂'))?;
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
        return (!own && !inside.trim().is_empty()).then_some((inside, start + length));
    }
    let is_name = |c: char| is_part(c) && c != '.' || syntax::is_name(&format!("x{c}"));
    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
    let name = &rest[..end];
    if !syntax::is_name(name) || sign == 'd' && foreign.is_taken(&line[at..start + end]) {
        return None;
    }
    session.names().find(name)?;
    let end = end + suffix(&rest[end..])?;
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
