//! Behind the `[` of an index: the positions of the list before it, each with the item that is there.
//!
//! Only lists with names are looked at, and items of these: anything else would have to be computed.

use super::CursorSpot;
use super::gathering::{CandidateList, MOST_CANDIDATES};
use crate::commands::args::suggestions;
use crate::session::values::{List, Value};
use crate::syntax::{Span, TextPart};

/// The completions of a position, if the tokens end with an index that has been begun: `w[`, `W[2][1`.
pub(super) fn behind<'s>(
    spot: CursorSpot<'s>,
    parts: &[(TextPart, Span)],
) -> Option<CandidateList<'s>> {
    let (before, begun) = match parts {
        [before @ .., (TextPart::Number, number)] if number.end as usize == spot.text.len() => {
            (before, number.start as usize)
        }
        _ => (parts, spot.text.len()),
    };
    let [before @ .., (TextPart::Open, open)] = before else {
        return None;
    };
    if open.of(spot.text) != "[" || open.end as usize != begun {
        return None;
    }
    let list = list_at(spot, before, open.start)?;
    let mut found = CandidateList::new(spot, begun);
    for (item, position) in list.items().zip(1..=MOST_CANDIDATES) {
        let about = || suggestions::what(spot.session, &item);
        found.offer(&position.to_string(), "]", || {
            (format!("{position}]"), about())
        });
    }
    Some(found)
}

/// The list that these tokens end with, directly before `end`: a name with indices, `W` or `W[2]`.
fn list_at(
    spot: CursorSpot,
    parts: &[(TextPart, Span)],
    mut end: u32,
) -> Option<std::rc::Rc<List>> {
    let mut positions = Vec::new();
    let mut rest = parts;
    while let [
        before @ ..,
        (_, open),
        (TextPart::Number, number),
        (_, close),
    ] = rest
        && close.of(spot.text) == "]"
        && open.of(spot.text) == "["
        && close.end == end
    {
        let position: usize = number.of(spot.text).parse().ok()?;
        positions.push(position.checked_sub(1)?);
        (rest, end) = (before, open.start);
    }
    let (TextPart::Name, name) = rest.last()? else {
        return None;
    };
    if name.end != end {
        return None;
    }
    let mut value = spot.session.names().find(name.of(spot.text))?.clone();
    for position in positions.into_iter().rev() {
        let Value::List(list) = value else {
            return None;
        };
        value = list.item(position)?;
    }
    match value {
        Value::List(list) => Some(list),
        Value::Node(_) => None,
    }
}
