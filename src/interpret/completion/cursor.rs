//! Finds out from the tokens before the cursor what kind of place in an expression the cursor is at.
//!
//! The expression may be incomplete or wrong. The other files decide what can be typed at each place.

use chainrule_language::{Span, TextPart};

/// A kind of place in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorPlace {
    /// In an operand: the part of it before the cursor, possibly empty.
    Operand(Span),
    /// After a point: the part of the member before the cursor, and the name before the point if there is one.
    Member(Span, Option<Span>),
    /// A former node of a name: `a@1`.
    Former(Span),
    /// An earlier result: `$3`.
    Result(Span),
    /// Any other place, such as after a complete operand: nothing can be offered.
    Elsewhere,
}

impl CursorPlace {
    /// The place after these tokens, at the end of the text.
    pub(super) fn of(text: &str, parts: &[(TextPart, Span)]) -> CursorPlace {
        let end = text.len();
        let empty = Span::new(end, end);
        let Some((&(part, span), before)) = parts.split_last() else {
            return CursorPlace::Operand(empty);
        };
        let sign = span.of(text);
        let ends_with_operand = ends_operand(text, parts.last());
        if (span.end as usize) < end {
            // The cursor is behind a blank.
            let is_const = before.is_empty() && sign == "const";
            return if ends_with_operand && !is_const {
                CursorPlace::Elsewhere
            } else {
                CursorPlace::Operand(empty)
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
        match part {
            TextPart::Name if begins_operand => CursorPlace::Operand(span),
            TextPart::Member => {
                let word = Span::new(span.start as usize + 1, end);
                CursorPlace::Member(word, name_before)
            }
            TextPart::Other if sign == "." && ends_operand(text, adjacent) => {
                CursorPlace::Member(empty, name_before)
            }
            TextPart::Other | TextPart::Reference if sign.starts_with('@') => {
                name_before.map_or(CursorPlace::Elsewhere, CursorPlace::Former)
            }
            TextPart::Other | TextPart::Reference if sign.starts_with('$') => {
                CursorPlace::Result(span)
            }
            TextPart::Operator if !ends_with_operand => CursorPlace::Operand(empty),
            TextPart::Open | TextPart::Comma => CursorPlace::Operand(empty),
            _ => CursorPlace::Elsewhere,
        }
    }

    /// The start of the word to be completed.
    pub(super) fn start(self, text: &str) -> usize {
        match self {
            CursorPlace::Operand(word)
            | CursorPlace::Member(word, _)
            | CursorPlace::Former(word)
            | CursorPlace::Result(word) => word.start as usize,
            CursorPlace::Elsewhere => text.len(),
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
        TextPart::Name
        | TextPart::Number
        | TextPart::Close
        | TextPart::Reference
        | TextPart::Member
        | TextPart::Quoted => true,
        TextPart::Operator => sign.starts_with(|c| "!'’⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)) && sign != "!=",
        TextPart::Open | TextPart::Comma | TextPart::Comment | TextPart::Other => false,
    }
}
