//! `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: derivatives as answers show them, typed.
//!
//! A statement with one is run as `grad(L, a)`. Since it must have failed before, names that have a value win: `dL/da` is
//! a quotient where `dL` has one.

use std::ops::Range;

use super::line::Foreign;
use super::{Meaning, arguments};
use crate::diagnostic::suggest::{did_you_mean, nearest};
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
fn places(line: &str) -> impl Iterator<Item = usize> {
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

/// What is wrong with something that looks like a derivative.
pub(super) fn complaint(foreign: &Foreign) -> Option<Meaning> {
    let first_order = (foreign.words()).find_map(|(at, word)| complaint_at(foreign, at, word));
    let mut places = places(foreign.line).filter(|_| !foreign.line.starts_with(':'));
    first_order.or_else(|| places.find_map(|at| unknown(foreign, at)))
}

/// What is wrong with the derivative at `at`, if it can be nothing else: `∂L/∂x`, `d²L/dx²`.
fn unknown(foreign: &Foreign, at: usize) -> Option<Meaning> {
    let line = foreign.line;
    let Fraction { order, of, by, end } = fraction(line, at)?;
    if order == 1 && !line[at..].starts_with('∂') {
        return None;
    }
    let refused = |place: Range<usize>, message: String, help: String| {
        Some(Meaning::Refused(foreign.error(place, message, help)))
    };
    let names = foreign.session.names();
    let is_unknown = |name: &Span| names.find(word_at(name.of(line))).is_none();
    let missing = by.iter().copied().chain([of]).find(is_unknown);
    if let Some(place) = missing {
        let name = word_at(place.of(line));
        let mut words = foreign.words();
        if words.any(|(at, word)| word == name && at != place.start as usize) {
            // It may be the parameter of a function, or the name behind a `for`.
            return None;
        }
        let is_function = foreign.session.is_function(name);
        if is_function || foreign.is_known(name) {
            let what = if is_function { "function" } else { "constant" };
            let message = format!("`{name}` is a {what}");
            let own = foreign.session.functions().get(name);
            let help = match own.filter(|own| place == of && own.parameters.len() == 1) {
                Some(_) => format!("write `{name}{}({})`", "'".repeat(order), by[0].of(line)),
                None => "a derivative is of a value by a value: `:vars` lists them".to_string(),
            };
            return refused(place.into(), message, help);
        }
        let bound = names.bound().map(|(name, _)| name);
        let help = did_you_mean(nearest(name, bound), || {
            "`:vars` lists all names".to_string()
        });
        return refused(place.into(), format!("unknown name `{name}`"), help);
    }
    let (of, first) = (of.of(line), by[0].of(line));
    if order == 1 && by.len() == 2 {
        let message = format!("`{}` can be read in two ways", &line[at..end]);
        let help =
            format!("the square is `(∂{of}/∂{first})^2`, the second derivative `∂²{of}/∂{first}²`");
        return refused(at..end, message, help);
    }
    if order == by.len() {
        return None;
    }
    let message = format!("the power above is {order}, below it is {}", by.len());
    let help = format!("the second derivative is `∂²{of}/∂{first}²`");
    refused(at..end, message, help)
}

fn complaint_at(foreign: &Foreign, at: usize, word: &str) -> Option<Meaning> {
    let line = foreign.line;
    let refused = |place: Range<usize>, message: String, help: String| {
        Some(Meaning::Refused(foreign.error(place, message, help)))
    };
    let of = word.strip_prefix('d')?;
    let mut rest = line[at + word.len()..].trim_start();
    if of.is_empty() && rest.starts_with("()") {
        let message = "a derivative says of what, and by what".to_string();
        return refused(
            at..at + word.len(),
            message,
            "write `d(L)/d(a)`".to_string(),
        );
    }
    rest = rest.strip_prefix('/')?.trim_start();
    let below = line.len() - rest.len();
    let by = word_at(rest).trim_end_matches('²');
    let name = by.strip_prefix('d')?;
    let end = below + by.len();
    if !syntax::is_name(of) || !syntax::is_name(name) {
        return None;
    }
    let names = foreign.session.names();
    let [top, bottom] = [of, name].map(|name| names.find(name).is_some());
    let [top_taken, bottom_taken] = [word, by].map(|name| foreign.is_taken(name));
    if foreign.session.functions().get(of).is_some() && !top && !top_taken && !bottom_taken {
        let help = format!("write `{of}'({name})`; as a function it is `{of}'`");
        return refused(at..end, format!("`{of}` is a function"), help);
    }
    match (top, bottom) {
        (true, true) if top_taken != bottom_taken => {
            let (own, place) = if top_taken {
                (word, at..at + word.len())
            } else {
                (by, below..end)
            };
            let message = format!("`{own}` is a value of yours, so this is a quotient");
            refused(
                place,
                message,
                format!("the derivative is `∂{of}/∂{name}` or `grad({of}, {name})`"),
            )
        }
        (true, true) if !top_taken && raised(&line[end..]) => refused(
            at..end,
            format!("`{word}/{by}` with a power can be read in two ways"),
            format!(
                "the square is `({word}/{by})^2`, the second derivative `grad(grad({of}, {name}), {name})`"
            ),
        ),
        (true, false) if !top_taken && !bottom_taken => refused(
            below + 1..end,
            format!("unknown name `{name}`"),
            "`:vars` lists all names".to_string(),
        ),
        (false, true) if !top_taken && !bottom_taken && at + word.len() < below => refused(
            at + 1..at + word.len(),
            format!("unknown name `{of}`"),
            "`:vars` lists all names".to_string(),
        ),
        _ => None,
    }
}

/// Does a power stand here?
fn raised(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["^", "**", "²"].iter().any(|sign| rest.starts_with(sign))
}

fn word_at(text: &str) -> &str {
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
    let is_known = |name: &str| foreign.session.names().find(word_at(name)).is_some();
    let mut derivative = of.of(line).to_string();
    let mut known = is_known(&derivative);
    for name in by.iter().rev().map(|name| name.of(line)) {
        known &= is_known(name);
        derivative = format!("grad({derivative}, {name})");
    }
    (known && order > 1 && order == by.len()).then_some((derivative, end))
}

/// A derivative of a name by names, or of items: `∂²L/∂w[1]²`.
struct Fraction {
    /// The power above.
    order: usize,
    of: Span,
    /// What stands below, each as often as its power says.
    by: Vec<Span>,
    end: usize,
}

fn fraction(line: &str, at: usize) -> Option<Fraction> {
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

/// The length of the name that a text begins with, a former name or an item of a list: `a`, `a@1`, `w[2]`.
fn reference(text: &str) -> Option<usize> {
    let name = word_at(text).trim_end_matches(|c| SUPERSCRIPTS.contains(c));
    let mut end = name.len();
    if let Some(digits) = text[end..].strip_prefix('@') {
        let more = digits.find(|c: char| !c.is_ascii_digit());
        end += 1 + more.unwrap_or(digits.len());
    }
    if text[end..].starts_with('[') {
        end += bracket(&text[end..])?;
    }
    syntax::is_name(name).then_some(end)
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
