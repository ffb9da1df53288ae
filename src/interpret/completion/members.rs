//! Completes what may follow a dot: `.tanh()`, `.data`.
//!
//! Functions of one argument, from the table and the session, are offered whether or not the call makes sense.

use super::candidates::CandidateList;
use super::{CursorSpot, operands};
use chainrule_language::{Property, Span};
use chainrule_report::say;

/// Adds properties, with their values after a name, and functions of one argument.
pub(super) fn fill(found: &mut CandidateList, spot: CursorSpot, name: Option<Span>) {
    let session = spot.session;
    let node = name.and_then(|name| session.names().find_node(name.of(spot.text)));
    for (property, word) in Property::ALL {
        let value = node.and_then(|node| match property {
            Property::Data => Some(node.data()),
            Property::Grad => session.pass().and_then(|pass| pass.grad(node)),
            Property::Sigma => session.names().uncertain.answer_deviation(node).ok()?,
        });
        let is_stale = property == Property::Grad && session.is_stale();
        let stale = if is_stale { " (stale)" } else { "" };
        let about = || match value {
            Some(value) => say!("= {:short}{}", value, stale),
            None => say!("a number of the node"),
        };
        found.offer_word(word, about);
    }
    let brackets = if spot.rest.starts_with('(') { "" } else { "()" };
    let mut offer = |function: &str, about: &str| {
        let describe = || (format!("{function}()"), say!("{}", about));
        found.offer(function, brackets, describe);
    };
    for function in session.functions().iter() {
        if function.parameters.len() == 1 {
            offer(&function.name, &format!("= {}", function.body));
        }
    }
    for (function, op) in operands::functions() {
        if op.takes(1) && session.functions().get(function).is_none() {
            offer(function, op.summary);
        }
    }
}
