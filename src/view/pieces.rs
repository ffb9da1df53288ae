//! The pieces of a sentence as text with a role: numbers rounded, control characters escaped, nothing wrapped.
//!
//! Everything that is shown in a sentence passes through [`texts`].

use std::borrow::Cow;

use super::theme::Role;
use super::{Style, characters, list, number, sparkline};
use crate::report::Piece;

/// The largest width of a sparkline.
const COURSE: usize = 60;

/// Writes the pieces of a line, without the line break.
pub(crate) fn line(pieces: &[Piece], style: &Style, out: &mut String) {
    for (text, role) in texts(pieces, style) {
        style.paint(&text, role, out);
    }
}

/// The number of columns of the pieces.
pub(crate) fn width(pieces: &[Piece], style: &Style) -> usize {
    let texts = texts(pieces, style);
    texts.iter().map(|(text, _)| characters::width(text)).sum()
}

/// The text of each piece, with its role. Lists share the columns that the rest of the line leaves, and each leaves to the
/// next what it does not need.
pub(crate) fn texts<'p>(pieces: &'p [Piece], style: &Style) -> Vec<(Cow<'p, str>, Role)> {
    let mut texts: Vec<_> = pieces.iter().map(|each| piece(each, style)).collect();
    let is_list = |each: &&Piece| matches!(each, Piece::List(_));
    let mut lists = pieces.iter().filter(is_list).count();
    if lists > 0 {
        let rest: usize = texts.iter().map(|(text, _)| characters::width(text)).sum();
        let mut room = style.room().saturating_sub(rest);
        for (each, (text, _)) in pieces.iter().zip(&mut texts) {
            if let Piece::List(numbers) = each {
                *text = list::line(numbers, (room / lists).max(list::FEWEST), style).into();
                room = room.saturating_sub(characters::width(text));
                lists -= 1;
            }
        }
    }
    texts
}

/// The text of a piece; that of a list depends on the room that the others leave.
fn piece<'p>(piece: &'p Piece, style: &Style) -> (Cow<'p, str>, Role) {
    let number = |value: &f64, text: String| (text.into(), Role::of(*value));
    let clean = |text: &'p str, role| (characters::clean(text, style.ascii), role);
    let (digits, short) = (style.digits, style.table_digits);
    match piece {
        Piece::Number(value) => number(value, number::text(*value, digits)),
        Piece::Short(value) => number(value, number::text(*value, short)),
        Piece::Rounded(value, width) => number(value, number::rounded(*value, *width, digits)),
        Piece::Apart(value, other) => number(value, number::apart(*value, *other, digits)),
        Piece::Course(values) => {
            let columns = style.width.map_or(COURSE, |width| width.min(COURSE));
            let text = sparkline::text(values, columns, style.ascii);
            (text.into(), Role::Plain)
        }
        Piece::List(_) => ("".into(), Role::Plain),
        Piece::Plain(text) => clean(text, Role::Plain),
        Piece::Name(text) => (characters::clean_name(text, style.ascii), Role::Name),
        Piece::Formula(text) => clean(text, Role::Formula),
        Piece::Typed(text) => clean(text, Role::Typed),
        Piece::Heading(text) => clean(text, Role::Heading),
        Piece::Place(text) => clean(text, Role::Place),
        Piece::Dim(text) => (characters::clean_name(text, style.ascii), Role::Dim),
    }
}
