//! Writes the pieces of a sentence as text with roles: rounds numbers, escapes control characters, wraps between words.
//!
//! Every sentence that is shown passes through [`texts`].

use std::borrow::Cow;

use super::theme::Role;
use super::{GAP, Style, list, number};
use chainrule_report::Piece;
use chainrule_report::characters;
use chainrule_report::characters::push_blanks;

/// The most columns of a thing to type that is kept on one line.
const WHOLE: usize = 30;

/// Writes the pieces of a line, without the line break.
pub fn line(pieces: &[Piece], style: &Style, out: &mut String) {
    for (text, role) in texts(pieces, style) {
        style.paint(&text, role, out);
    }
}

/// The number of columns of the pieces.
pub fn width(pieces: &[Piece], style: &Style) -> usize {
    let texts = texts(pieces, style);
    texts.iter().map(|(text, _)| characters::width(text)).sum()
}

/// The text of each piece, with its role. Lists share the columns that the rest of the line leaves. Columns that a list
/// does not need go to the next one.
pub fn texts<'p>(pieces: &'p [Piece], style: &Style) -> Vec<(Cow<'p, str>, Role)> {
    let mut texts: Vec<_> = pieces.iter().map(|each| piece(each, style)).collect();
    let is_list = |each: &Piece| matches!(each, Piece::List(_));
    if pieces.iter().any(is_list) {
        let mut lists = pieces.iter().filter(|each| is_list(each)).count();
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

/// Writes words from column `start` on, and further lines with an indent of `hang`. Several blanks between words are kept,
/// except at a line break. A word longer than a line is not broken, so that it can be copied. The last line is not ended.
pub fn flow(
    pieces: &[Piece],
    (start, hang): (usize, usize),
    room: usize,
    style: &Style,
    out: &mut String,
) {
    let texts = texts(pieces, style);
    let width: usize = texts.iter().map(|(text, _)| characters::width(text)).sum();
    if start.saturating_add(width) <= room {
        for (text, role) in texts {
            style.paint(&text, role, out);
        }
        return;
    }
    // The width includes backticks, brackets or a comma around it.
    let whole = WHOLE.min(room.saturating_sub(hang + 5));
    let mut column = start;
    let mut blanks = 0;
    // A word is the text between blanks. It may consist of several pieces with different roles.
    let mut word: Vec<(&str, Role)> = Vec::new();
    let mut place = |word: &mut Vec<(&str, Role)>, blanks: usize| {
        let width: usize = word.iter().map(|(part, _)| characters::width(part)).sum();
        if width == 0 {
            return;
        }
        if column > hang && column + blanks + width > room {
            out.push('\n');
            push_blanks(hang, out);
            column = hang + width;
        } else {
            push_blanks(blanks, out);
            column += blanks + width;
        }
        for (part, role) in word.drain(..) {
            style.paint(part, role, out);
        }
    };
    for (text, role) in &texts {
        // A short thing to type stays on one line, even if it contains blanks.
        let typed = matches!(role, Role::Typed | Role::Formula | Role::Name);
        if typed && characters::width(text) <= whole {
            word.push((text, *role));
            continue;
        }
        for (count, part) in text.split(' ').enumerate() {
            if count > 0 {
                if !word.is_empty() {
                    place(&mut word, blanks);
                    blanks = 0;
                }
                blanks += 1;
            }
            if !part.is_empty() {
                word.push((part, *role));
            }
        }
    }
    place(&mut word, blanks);
}

/// The text of a piece; that of a list depends on the room that the others leave.
fn piece<'p>(piece: &'p Piece, style: &Style) -> (Cow<'p, str>, Role) {
    let number = |value: &f64, text: String| (text.into(), Role::of(*value));
    let (digits, short) = (style.digits, style.table_digits);
    match piece {
        Piece::Number(value) => number(value, number::text(*value, digits)),
        Piece::Short(value) => number(value, number::text(*value, short)),
        Piece::Measurement(of) => number(&of.value, number::measurement_text(of, digits)),
        Piece::LikeMeasurement(value, of) => {
            number(value, number::like_measurement(*value, of, digits))
        }
        Piece::Distinct(value, other) => number(value, number::distinct(*value, *other, digits)),
        Piece::List(_) => ("".into(), Role::Plain),
        Piece::Grad(_) if style.has_gaps => (GAP.into(), Role::Plain),
        Piece::Grad(number) => self::piece(number, style),
        // What was printed keeps its tabs.
        Piece::Words(Role::Plain, text) if text.contains('\t') => {
            (characters::clean_except(text, &['\t']).into(), Role::Plain)
        }
        Piece::Words(role, text) => (characters::clean(text), *role),
    }
}
