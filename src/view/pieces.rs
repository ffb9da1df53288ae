//! Pieces of a sentence as text, each with its role: rounded, cleaned, never wrapped.
//!
//! Every piece that is shown passes [`piece`].

use std::borrow::Cow;

use super::theme::{Role, paint};
use super::{Style, characters, number, sparkline};
use crate::report::Piece;

/// The widest course.
const COURSE: usize = 60;

/// The pieces of a line, without the end of the line.
pub(crate) fn line(pieces: &[Piece], style: &Style, out: &mut String) {
    for each in pieces {
        let (text, role) = piece(each, style);
        paint(&text, role, style.color, out);
    }
}

/// How many columns the pieces take.
pub(crate) fn width(pieces: &[Piece], style: &Style) -> usize {
    pieces
        .iter()
        .map(|each| characters::width(&piece(each, style).0))
        .sum()
}

/// A piece as text, with its role.
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
