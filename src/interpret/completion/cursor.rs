//! Finds out from the tokens before the cursor what kind of place in an expression the cursor is at.
//!
//! The expression may be incomplete or wrong. The other files decide what can be typed at each place.

use chainrule_language::{Span, TextPart};

/// A kind of place in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorPlace {
    /// In an operand, or where one can begin.
    Operand,
    /// After a point, and after this name before the point if there is one.
    Member(Option<Span>),
    /// In a former node of a name: `a@1`.
    Former,
    /// In an earlier result: `$3`.
    Result,
    /// Any other place, such as after a complete operand: nothing can be offered.
    Elsewhere,
}

impl CursorPlace {
    /// The place after these tokens, at the end of the text, and the start of the word to be completed.
    pub(super) fn of(text: &str, parts: &[(TextPart, Span)]) -> (CursorPlace, usize) {
        let end = text.len();
        let Some((&(part, span), before)) = parts.split_last() else {
            return (CursorPlace::Operand, end);
        };
        let (sign, start) = (span.of(text), span.start as usize);
        let ends_with_operand = ends_operand(text, parts.last());
        if (span.end as usize) < end {
            // The cursor is behind a blank.
            let is_const = before.is_empty() && sign == "const";
            return if ends_with_operand && !is_const {
                (CursorPlace::Elsewhere, end)
            } else {
                (CursorPlace::Operand, end)
            };
        }
        let adjacent = before.last().filter(|(_, other)| other.end == span.start);
        let is_name = |token: &&(TextPart, Span)| token.0 == TextPart::Name;
        let name_before = adjacent.filter(is_name).map(|(_, name)| *name);
        // A name can begin an operand directly after a number: `3x`.
        let begins_operand = match adjacent {
            Some((TextPart::Number, _)) => true,
            Some((_, quote)) if quote.of(text) == "\"" => false,
            _ => !ends_operand(text, before.last()),
        };
        match (part, name_before) {
            (TextPart::Name, _) if begins_operand => (CursorPlace::Operand, start),
            (TextPart::Member, name) => (CursorPlace::Member(name), start + 1),
            (TextPart::Other, name) if sign == "." && ends_operand(text, adjacent) => {
                (CursorPlace::Member(name), end)
            }
            (TextPart::Other | TextPart::Reference, Some(name)) if sign.starts_with('@') => {
                (CursorPlace::Former, name.start as usize)
            }
            (TextPart::Other | TextPart::Reference, _) if sign.starts_with('$') => {
                (CursorPlace::Result, start)
            }
            (TextPart::Operator, _) if !ends_with_operand => (CursorPlace::Operand, end),
            (TextPart::Open | TextPart::Comma, _) => (CursorPlace::Operand, end),
            _ => (CursorPlace::Elsewhere, end),
        }
    }
}

/// Whether a token is there that can end an operand.
fn ends_operand(text: &str, token: Option<&(TextPart, Span)>) -> bool {
    let Some((part, span)) = token else {
        return false;
    };
    let sign = span.of(text);
    match part {
        TextPart::Operator => sign.starts_with(|c| "!'’⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)) && sign != "!=",
        TextPart::Open | TextPart::Comma | TextPart::Comment | TextPart::Other => false,
        _ => true,
    }
}
