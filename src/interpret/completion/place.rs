//! Determines from the tokens before the cursor which kind of place in an expression the cursor is at.
//!
//! The expression may be incomplete or wrong. What can be typed at each place is decided by the other files.

use crate::syntax;
use crate::syntax::{Span, TextPart, precedence};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorPlace {
    /// An operand is expected or has been begun.
    Operand {
        /// The begun operand, possibly empty.
        word: Span,
        /// The operator directly before it.
        sign: Option<Span>,
    },
    /// After a point: the begun member, and the name before the point if there is one.
    Member(Span, Option<Span>),
    /// After primes: `f'`.
    Primed(Span),
    /// A former node of a name: `a@1`.
    Former(Span),
    /// An earlier result: `$3`.
    Result(Span),
    /// A power that a superscript could replace: the span of `^2` in `x^2`, and that of the number.
    Power(Span, Span),
    /// The begun `in` behind the names of a `for`.
    In(Span),
    /// After a complete operand, without an operator.
    Behind,
    /// Any other place: nothing can be offered.
    Elsewhere,
}

impl CursorPlace {
    /// The place after these tokens, at the end of the text.
    pub(super) fn of(text: &str, parts: &[(TextPart, Span)]) -> CursorPlace {
        let end = text.len();
        let empty = Span::new(end, end);
        let Some(&(part, span)) = parts.last() else {
            return CursorPlace::operand(empty);
        };
        let before = &parts[..parts.len() - 1];
        let sign = span.of(text);
        let complete = ends_operand(part, sign);
        if (span.end as usize) < end {
            let opens = before.is_empty() && sign == "const";
            return if complete && !opens {
                CursorPlace::Behind
            } else {
                CursorPlace::operand(empty)
            };
        }
        let adjacent = before.last().filter(|(_, other)| other.end == span.start);
        let name_before = adjacent.filter(|(part, _)| *part == TextPart::Name);
        let name_before = name_before.map(|(_, name)| *name);
        match part {
            TextPart::Name => {
                let stands_alone = before.last().is_some_and(|(part, other)| {
                    let coefficient = *part == TextPart::Number && other.end == span.start;
                    ends_operand(*part, other.of(text)) && !coefficient
                });
                let quoted = adjacent.is_some_and(|(_, other)| other.of(text) == "\"");
                if quoted {
                    CursorPlace::Elsewhere
                } else if stands_alone && follows_loop_names(text, before) {
                    CursorPlace::In(span)
                } else if stands_alone {
                    CursorPlace::Behind
                } else {
                    CursorPlace::operand(span)
                }
            }
            TextPart::Member => CursorPlace::Member(from(span, 1), name_before),
            TextPart::Other if sign == "." => match adjacent {
                Some((part, other)) if ends_operand(*part, other.of(text)) => {
                    CursorPlace::Member(empty, name_before)
                }
                _ => CursorPlace::Elsewhere,
            },
            TextPart::Other | TextPart::Reference if sign.starts_with('@') => {
                name_before.map_or(CursorPlace::Elsewhere, CursorPlace::Former)
            }
            TextPart::Other | TextPart::Reference if sign.starts_with('$') => {
                CursorPlace::Result(span)
            }
            TextPart::Operator if sign.starts_with(['\'', '’']) => name_before
                .map_or(CursorPlace::Elsewhere, |name| {
                    CursorPlace::Primed(name.to(span))
                }),
            TextPart::Operator if complete => CursorPlace::Elsewhere,
            TextPart::Operator => CursorPlace::Operand {
                word: empty,
                sign: Some(span),
            },
            TextPart::Open | TextPart::Comma => CursorPlace::operand(empty),
            TextPart::Number => power(text, before, span).unwrap_or(CursorPlace::Elsewhere),
            _ => CursorPlace::Elsewhere,
        }
    }

    fn operand(word: Span) -> CursorPlace {
        CursorPlace::Operand { word, sign: None }
    }

    /// The start of the word to be completed.
    pub(super) fn start(self, text: &str) -> usize {
        match self {
            CursorPlace::Operand { word, .. }
            | CursorPlace::In(word)
            | CursorPlace::Member(word, _)
            | CursorPlace::Primed(word)
            | CursorPlace::Former(word)
            | CursorPlace::Result(word)
            | CursorPlace::Power(word, _) => word.start as usize,
            CursorPlace::Behind | CursorPlace::Elsewhere => text.len(),
        }
    }
}

/// Do the tokens end with `for k`, `for a, b`?
fn follows_loop_names(text: &str, parts: &[(TextPart, Span)]) -> bool {
    let mut backwards = parts.iter().rev().map(|(_, span)| span.of(text));
    while let Some(name) = backwards.next() {
        if !syntax::is_name(name) {
            return false;
        }
        match backwards.next() {
            Some(",") => {}
            // Behind an operand, else `for` is a name.
            Some("for") => {
                let at = parts.iter().rposition(|(_, span)| span.of(text) == "for");
                let operand = at.and_then(|at| parts[..at].last());
                return operand.is_some_and(|(part, span)| ends_operand(*part, span.of(text)));
            }
            _ => return false,
        }
    }
    false
}

/// Can the token be the end of an operand?
pub(super) fn ends_operand(part: TextPart, sign: &str) -> bool {
    match part {
        TextPart::Name
        | TextPart::Number
        | TextPart::Close
        | TextPart::Reference
        | TextPart::Member
        | TextPart::Quoted => true,
        TextPart::Operator => sign == "!" || sign.starts_with(['\'', '’']) || is_raised(sign),
        TextPart::Open | TextPart::Comma | TextPart::Comment | TextPart::Other => false,
    }
}

fn from(span: Span, bytes: u32) -> Span {
    Span {
        start: span.start + bytes,
        ..span
    }
}

/// Recognizes `x^2`, `x^-1`: a power that can be written as a superscript.
pub(super) fn power(text: &str, before: &[(TextPart, Span)], number: Span) -> Option<CursorPlace> {
    let (minus, before) = match before {
        [before @ .., (TextPart::Operator, sign)]
            if sign.of(text) == "-" && sign.end == number.start =>
        {
            (Some(*sign), before)
        }
        _ => (None, before),
    };
    let number = minus.map_or(number, |minus| minus.to(number));
    let [before @ .., (TextPart::Operator, sign)] = before else {
        return None;
    };
    let operator = precedence::between(sign.of(text))?;
    if operator.level != precedence::level::POWER || sign.end != number.start {
        return None;
    }
    let start = behind_operand(text, before)?;
    Some(CursorPlace::Power(
        Span::new(start, number.end as usize),
        number,
    ))
}

/// The end of the operand that the tokens end with.
pub(super) fn behind_operand(text: &str, parts: &[(TextPart, Span)]) -> Option<usize> {
    let (part, span) = parts.last()?;
    ends_operand(*part, span.of(text)).then_some(span.end as usize)
}
/// Is the token a superscript?
pub(super) fn is_raised(sign: &str) -> bool {
    let digits = "-0123456789".chars().map(|digit| digit.to_string());
    let raised: String = digits.filter_map(|digit| syntax::raised(&digit)).collect();
    !sign.is_empty() && sign.chars().all(|c| raised.contains(c))
}
