//! Signs as they are printed in books, for what is typed on a keyboard: `√` for `sqrt`, `²` for `^2`, `×` for `*`.
//!
//! Other spellings of operators are those of the table of operators. What a sign means is for the parser to know.

use super::CursorSpot;
use super::gathering::Gathering;
use super::place::behind_operand;
use crate::syntax;
use crate::syntax::{Span, TextPart, precedence};

/// Signs for names, and the name each is read as. (A test reads both.)
pub const SIGNS: [(&str, &str); 2] = [("√", "sqrt"), ("π", "pi")];

/// Exponents that are offered before one is typed.
const EXPONENTS: [&str; 3] = ["2", "3", "-1"];

/// The sign for a name that is spelled out, unless it is the user's.
pub(super) fn of_name(found: &mut Gathering, spot: CursorSpot, word: &str) {
    let own =
        spot.session.names().get(word).is_some() || spot.session.functions().get(word).is_some();
    if let Some((sign, name)) = SIGNS.iter().find(|(_, name)| *name == word && !own) {
        found.add(sign, &format!("sign for {name}"));
    }
}

/// Signs for the operator before the cursor.
pub(super) fn of_operator<'s>(
    found: &mut Gathering<'s>,
    spot: CursorSpot<'s>,
    parts: &[(TextPart, Span)],
    sign: Span,
) {
    let text = sign.of(spot.text);
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
    // There are four dots, and one is enough.
    let printed: Vec<&str> = printed.take(2).copied().collect();
    if printed.is_empty() || printed.contains(&text) {
        return;
    }
    found.take_in(spot, sign.start as usize);
    for sign in printed {
        found.add(sign, &format!("sign for {text}"));
    }
}

pub(super) fn of_power(found: &mut Gathering, spot: CursorSpot, number: Span) {
    // A digit behind the cursor belongs to the number.
    let goes_on = spot
        .rest
        .starts_with(|c: char| c.is_alphanumeric() || "._".contains(c));
    if let Some(raised) = syntax::raised(number.of(spot.text)).filter(|_| !goes_on) {
        found.add(&raised, "");
    }
}
