//! Completion by mathematical signs: `√` for `sqrt`, `²` for `^2`, `×` for `*`.
//!
//! The signs for operators come from the table of operators. The parser understands all of them.

use super::CursorSpot;
use super::gathering::CandidateList;
use super::place::behind_operand;
use crate::syntax;
use crate::syntax::{Span, TextPart, precedence};

/// Signs for names, and the name that each stands for. (A test parses both.)
pub const SIGNS: [(&str, &str); 3] = [("√", "sqrt"), ("π", "pi"), ("τ", "tau")];

/// The exponents offered before one is typed.
const EXPONENTS: [&str; 3] = ["2", "3", "-1"];

/// Offers the sign for a name, unless the user has given the name another meaning.
pub(super) fn of_name(found: &mut CandidateList, spot: CursorSpot, word: &str) {
    let own =
        spot.session.names().find(word).is_some() || spot.session.functions().get(word).is_some();
    if let Some((sign, name)) = SIGNS.iter().find(|(_, name)| *name == word && !own) {
        found.add(sign, &format!("sign for {name}"));
    }
}

/// Offers signs for the operator before the cursor.
pub(super) fn of_operator<'s>(
    found: &mut CandidateList<'s>,
    spot: CursorSpot<'s>,
    parts: &[(TextPart, Span)],
    sign: Span,
) {
    let text = sign.of(spot.text);
    if text == "+/-" {
        found.take_in(spot, sign.start as usize);
        found.add("±", "sign for +/-");
        return;
    }
    let Some(operator) = precedence::between(text) else {
        return;
    };
    let before = &parts[..parts.len() - 1];
    if operator.level == precedence::level::POWER {
        let Some(start) = behind_operand(spot.text, before) else {
            return;
        };
        found.take_in(spot, start);
        for exponent in EXPONENTS {
            let raised = syntax::raised(exponent).unwrap_or_default();
            found.add(&raised, &format!("sign for ^{exponent}"));
        }
        return;
    }
    let printed = operator.also.iter().filter(|also| !also.is_ascii());
    // The table has a cross and several kinds of dots for multiplication; the cross and one dot are enough.
    let printed: Vec<&str> = printed.take(2).copied().collect();
    if printed.is_empty() || printed.contains(&text) {
        return;
    }
    found.take_in(spot, sign.start as usize);
    for sign in printed {
        found.add(sign, &format!("sign for {text}"));
    }
}

pub(super) fn of_power(found: &mut CandidateList, spot: CursorSpot, number: Span) {
    // If a digit follows the cursor, the number is not complete.
    let goes_on = spot
        .rest
        .starts_with(|c: char| c.is_alphanumeric() || "._".contains(c));
    if let Some(raised) = syntax::raised(number.of(spot.text)).filter(|_| !goes_on) {
        found.add(&raised, "");
    }
}
