//! Completion after a point or a prime: `.tanh()`, `.data`, `f'(`.
//!
//! Functions of one argument are offered, built in or defined in the session. Whether the call makes sense is not
//! checked.

use super::gathering::Gathering;
use super::{Candidate, CursorSpot, operands};
use crate::report::Piece;
use crate::syntax::{Property, Span};

/// After a point: properties, with their values if a name precedes the point, and functions of one argument.
pub(super) fn fill(found: &mut Gathering, spot: CursorSpot, name: Option<Span>) {
    let session = spot.session;
    let node = name.and_then(|name| session.names().get(name.of(spot.text)));
    for (property, word) in Property::ALL {
        let value = node.and_then(|node| match property {
            Property::Data => Some(node.data()),
            Property::Grad => session.pass().and_then(|pass| pass.grad(node)),
        });
        let stale = if property == Property::Grad && session.is_stale() {
            " (stale)"
        } else {
            ""
        };
        let about = || match value {
            Some(value) => vec![Piece::plain("= "), Piece::Short(value), Piece::plain(stale)],
            None => vec![Piece::plain("a number of the node")],
        };
        found.offer_word(word, about);
    }
    let brackets = if spot.rest.starts_with('(') { "" } else { "()" };
    let mut offer = |name: &str, about: &str| {
        found.offer(name, || Candidate {
            text: format!("{name}{brackets}"),
            shown: format!("{name}()"),
            about: vec![Piece::plain(about)],
        });
    };
    for function in session.functions().iter() {
        if function.parameters.len() == 1 {
            offer(&function.name, &format!("= {}", function.body));
        }
    }
    for (name, op) in operands::functions() {
        if op.takes(1) && session.functions().get(name).is_none() {
            offer(name, op.summary);
        }
    }
}

/// After the primes of a function: the opening bracket.
pub(super) fn fill_primed(found: &mut Gathering, spot: CursorSpot, primed: Span) {
    let text = primed.of(spot.text);
    let name = text.trim_end_matches(['\'', '’']);
    let one = match spot.session.functions().get(name) {
        Some(own) => own.parameters.len() == 1,
        None => operands::functions().any(|(known, op)| known == name && op.takes(1)),
    };
    if one && !spot.rest.starts_with('(') {
        found.offer(text, || Candidate {
            text: format!("{text}("),
            shown: format!("{text}(x)"),
            about: vec![Piece::plain("a derivative")],
        });
    }
}
