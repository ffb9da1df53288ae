//! The pieces of a sentence as text with a role: numbers rounded, control characters escaped, nothing wrapped.
//!
//! Everything that is shown in a sentence passes through [`piece`].

use std::borrow::Cow;

use super::theme::Role;
use super::{Style, characters, number, sparkline};
use crate::report::Piece;

/// The largest width of a sparkline.
const COURSE: usize = 60;

/// Writes the pieces of a line, without the line break.
pub(crate) fn line(pieces: &[Piece], style: &Style, out: &mut String) {
    for each in pieces {
        let (text, role) = piece(each, style);
        style.paint(&text, role, out);
    }
}

/// The number of columns of the pieces.
pub(crate) fn width(pieces: &[Piece], style: &Style) -> usize {
    pieces
        .iter()
        .map(|each| characters::width(&piece(each, style).0))
        .sum()
}

pub(crate) fn piece<'p>(piece: &'p Piece, style: &Style) -> (Cow<'p, str>, Role) {
    let of = |value, text: String| (text.into(), Role::of(value));
    let (text, role) = match piece {
        Piece::Number(value) => return of(*value, number::text(*value, style.digits)),
        Piece::Short(value) => return of(*value, number::text(*value, style.table_digits)),
        Piece::Apart(value, other) => {
            return of(*value, number::apart(*value, *other, style.digits));
        }
        Piece::ShortApart(value, other) => {
            return of(*value, number::apart(*value, *other, style.table_digits));
        }
        Piece::Course(values) => {
            let columns = style.width.map_or(COURSE, |width| width.min(COURSE));
            return (
                sparkline::text(values, columns, style.ascii).into(),
                Role::Plain,
            );
        }
        Piece::Plain(text) => (text, Role::Plain),
        Piece::Name(text) => (text, Role::Name),
        Piece::Formula(text) => (text, Role::Formula),
        Piece::Typed(text) => (text, Role::Typed),
        Piece::Heading(text) => (text, Role::Heading),
        Piece::Dim(text) => (text, Role::Dim),
    };
    (characters::clean(text, style.ascii), role)
}
