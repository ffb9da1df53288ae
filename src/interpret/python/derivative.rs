//! `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: derivatives as answers show them, typed.
//!
//! A statement with one is run as `grad(L, a)`. Since it must have failed before, names that have a value win: `dL/da` is
//! a quotient where `dL` has one. Derivatives of higher order are calls of `grad` in `grad`.

use std::ops::Range;

use super::Meaning;
use super::line::{Foreign, cut};
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::syntax;

/// The line with `grad` for every derivative in it.
pub(super) fn meaning(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let mut plain = String::new();
    let mut copied = 0;
    for at in places(line) {
        if at >= copied
            && let Some((of, by, end)) = derivative(foreign, at)
            && !goes_on(&line[end..])
        {
            plain.extend([&line[copied..at], "grad(", of, ", ", by, ")"]);
            copied = end;
        }
    }
    plain.push_str(&line[copied..]);
    (copied > 0).then_some(Meaning::Line(plain))
}

/// `dL/da = 3`: the user's own number for this gradient, as `a.grad = 3` is. It never defines anything.
pub(super) fn claim(foreign: &Foreign) -> Option<Meaning> {
    let (of, by, end) = derivative(foreign, 0)?;
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
    places(foreign.line).find_map(|at| complaint_at(foreign, at))
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

/// Of what and by what the derivative at `at` is, and where it ends.
fn derivative<'s>(foreign: &Foreign<'s>, at: usize) -> Option<(&'s str, &'s str, usize)> {
    let (of, by) = quotient(foreign.line, at)?;
    let is_meant = |side: &Side| side.is_known(foreign) && !side.is_taken(foreign);
    (is_meant(&of) && is_meant(&by)).then_some((of.text, by.text, by.end))
}

/// One side of a derivative: `da`, `∂w[1]`, `d(a*b)`, `(da)`.
struct Side<'s> {
    sign: char,
    /// What stands behind the sign, without the brackets around an expression.
    text: &'s str,
    /// The name in it; none for an expression in brackets.
    name: Option<&'s str>,
    /// Where the text begins.
    start: usize,
    end: usize,
}

impl Side<'_> {
    fn is_known(&self, foreign: &Foreign) -> bool {
        let names = foreign.session.names();
        self.name.is_none_or(|name| names.find(name).is_some())
    }

    /// Does it mean something else, as the user has a name `da` or a function `d`?
    fn is_taken(&self, foreign: &Foreign) -> bool {
        let named = match self.name {
            Some(name) => foreign.is_taken(&format!("d{name}")),
            None => foreign.session.functions().get("d").is_some(),
        };
        self.sign == 'd' && named
    }
}

/// Both sides of what is written as a derivative at `at`.
fn quotient(line: &str, at: usize) -> Option<(Side<'_>, Side<'_>)> {
    let of = side(line, at)?;
    let rest = line[of.end..].trim_start().strip_prefix('/')?;
    let by = side(line, line.len() - rest.trim_start().len())?;
    Some((of, by))
}

fn side(line: &str, at: usize) -> Option<Side<'_>> {
    let sign = line.get(at..)?.chars().next()?;
    if sign == '(' {
        // `(dL)/(da)`
        if !line[at + 1..].starts_with(['d', '∂']) {
            return None;
        }
        let end = at + bracket(&line[at..])?;
        let inner = side(line, at + 1)?;
        return (inner.end + 1 == end).then_some(Side { end, ..inner });
    }
    if !matches!(sign, 'd' | '∂') {
        return None;
    }
    let start = at + sign.len_utf8();
    let rest = &line[start..];
    if rest.starts_with('(') {
        let length = bracket(rest)?;
        let inside = &rest[1..length - 1];
        // Two nodes of one text are told apart by a number, which is enough.
        let node = inside
            .rsplit_once(" @")
            .filter(|(_, id)| id.parse::<u32>().is_ok());
        let text = node.map_or(inside, |(text, _)| &inside[text.len() + 1..]);
        return (!inside.trim().is_empty()).then_some(Side {
            sign,
            text,
            name: None,
            start,
            end: start + length,
        });
    }
    let end = rest.find(|c: char| !syntax::is_name(&format!("x{c}")));
    let name = &rest[..end.unwrap_or(rest.len())];
    if !syntax::is_name(name) {
        return None;
    }
    let length = name.len() + suffix(&rest[name.len()..])?;
    Some(Side {
        sign,
        text: &rest[..length],
        name: Some(name),
        start,
        end: start + length,
    })
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

/// The length of what the bracket at the beginning encloses, with both brackets.
fn bracket(text: &str) -> Option<usize> {
    let mut closing = syntax::outside(&text[1..]).filter(|(_, c)| matches!(c, ')' | ']'));
    closing.next().map(|(at, _)| at + 2)
}

/// Can it be a part of a name?
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Does a power stand here, or a further `∂`? `dL/da^2` can be read in two ways, `∂L/∂a∂b` is of second order.
fn goes_on(rest: &str) -> bool {
    let rest = rest.trim_start();
    let signs = ["^", "**", "²", "³", "∂"];
    signs.iter().any(|sign| rest.starts_with(sign))
}

fn complaint_at(foreign: &Foreign, at: usize) -> Option<Meaning> {
    let line = foreign.line;
    let Some((of, by)) = quotient(line, at) else {
        return is_higher(&line[at..]).then(|| unread(foreign, at));
    };
    match (of.is_taken(foreign), by.is_taken(foreign)) {
        (true, true) => return None,
        (true, false) => return own_value(foreign, &of, (&of, &by)),
        (false, true) => return own_value(foreign, &by, (&of, &by)),
        (false, false) => {}
    }
    let is_function = |name| foreign.session.functions().get(name).is_some();
    match (of.is_known(foreign), by.is_known(foreign)) {
        (true, true) => goes_on(&line[by.end..]).then(|| unread(foreign, at)),
        (true, false) => no_value(foreign, &by, None),
        // Where both are unknown, it may be anything.
        (false, false) if of.sign == 'd' && !of.name.is_some_and(is_function) => None,
        (false, _) => no_value(foreign, &of, by.name),
    }
}

/// Does a text begin as a derivative with powers does, `d²L/da²`, or with another `∂`?
fn is_higher(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let Some(behind) = word.strip_prefix('d') else {
        return word.starts_with('∂') && word.contains('/');
    };
    let name = behind.trim_start_matches(|c: char| c.is_numeric() || matches!(c, '^' | '*'));
    goes_on(behind)
        && name.starts_with(char::is_alphabetic)
        && ["/d", "/∂"].iter().any(|below| name.contains(below))
}

fn unread(foreign: &Foreign, at: usize) -> Meaning {
    let rest = &foreign.line[at..];
    let text = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    Meaning::Refused(foreign.error(
        at..at + text.len(),
        format!("`{}` is not read as a derivative", cut(text)),
        "write `grad(L, a)`; the second derivative is `grad(grad(L, b), a)`".to_string(),
    ))
}

/// `dL/da` where one of the two, `side`, is a value of the user's own.
fn own_value(foreign: &Foreign, side: &Side, (of, by): (&Side, &Side)) -> Option<Meaning> {
    if !of.is_known(foreign) || !by.is_known(foreign) {
        return None;
    }
    let place = side.start - 1..side.end;
    let own = &foreign.line[place.clone()];
    Some(Meaning::Refused(foreign.error(
        place,
        format!("`{own}` is a value of yours, so this is a quotient"),
        format!(
            "the derivative is `∂{0}/∂{1}` or `grad({0}, {1})`",
            of.text, by.text
        ),
    )))
}

/// The help where a derivative is of or by something else.
const VALUES: &str = "a derivative is of a value by a value: `:vars` lists them";

/// What is said of a side whose name is no value. `by` is what a function is differentiated by.
fn no_value(foreign: &Foreign, side: &Side, by: Option<&str>) -> Option<Meaning> {
    let name = side.name?;
    let place: Range<usize> = side.start..side.start + name.len();
    if foreign
        .words()
        .any(|(at, word)| word == name && at != place.start)
    {
        // It may be the parameter of a function, or the name behind a `for`.
        return None;
    }
    let (message, help) = if foreign.session.is_function(name) {
        let own = foreign.session.functions().get(name);
        let help = match by.filter(|_| own.is_some_and(|own| own.parameters.len() == 1)) {
            Some(by) => format!("write `{name}'({by})`; as a function it is `{name}'`"),
            None => VALUES.to_string(),
        };
        (format!("`{name}` is a function"), help)
    } else if foreign.is_known(name) {
        (format!("`{name}` is a constant"), VALUES.to_string())
    } else {
        let bound = foreign.session.names().bound().map(|(name, _)| name);
        let all = || "`:vars` lists all names".to_string();
        let help = did_you_mean(nearest(name, bound), all);
        (format!("unknown name `{name}`"), help)
    };
    Some(Meaning::Refused(foreign.error(place, message, help)))
}
