//! Arguments of a call in a line of Python: where they end, and lists that functions of numpy make of them.
//!
//! Only texts: what a name means is not asked here.

use crate::syntax;
use crate::syntax::Span;

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
    let mut depth = 0_usize;
    let mut quote = None;
    let end = rest.find(|c: char| {
        match (c, quote) {
            (_, Some(open)) => quote = Some(open).filter(|&open| open != c),
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[', None) => depth += 1,
            (')' | ']', None) if depth == 0 => return true,
            (')' | ']', None) => depth -= 1,
            (',', None) => return comma && depth == 0,
            _ => {}
        }
        false
    });
    &rest[..end.unwrap_or(rest.len())]
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
    if syntax::is_name(text) || text.parse::<f64>().is_ok() {
        text.to_string()
    } else {
        format!("({text})")
    }
}

/// The list that `arange`, `linspace` or `range` makes of numbers: `[-5 + 0.25*k for k in 0..39]`.
pub(super) fn steps(called: &str, first: &str, options: &str) -> Option<String> {
    let numbers: Vec<f64> = std::iter::once(first)
        .chain(options.split(',').skip(1))
        .map(|part| part.trim().parse().ok().filter(|it: &f64| it.is_finite()))
        .collect::<Option<_>>()?;
    let (start, step, count) = match (called, numbers.as_slice()) {
        ("linspace", &[start, stop, count]) if count > 1.0 && count.fract() == 0.0 => {
            (start, (stop - start) / (count - 1.0), count)
        }
        ("linspace", _) => return None,
        (_, &[stop]) => (0.0, 1.0, stop.ceil()),
        (_, &[start, stop]) => (start, 1.0, (stop - start).ceil()),
        (_, &[start, stop, step]) => (start, step, ((stop - start) / step).ceil()),
        _ => return None,
    };
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
