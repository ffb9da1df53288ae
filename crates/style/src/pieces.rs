//! Writes the pieces of a sentence as text with roles: rounds numbers, escapes control characters, wraps between words.
//!
//! Every sentence that is shown passes through [`texts`].

use std::borrow::Cow;

use super::theme::Role;
use super::{GAP, Style, list, number};
use chainrule_report::Piece;
use chainrule_report::characters;
use chainrule_report::characters::push_blanks;

/// The longest thing to type that stays on one line, in columns.
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

/// The text of each piece, with its role. Lists share the columns that the rest of the line leaves. The next list gets the
/// columns that a list does not need.
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

/// Writes words from column `start` on, and further lines with an indent of `hang`. Several blanks between words stay,
/// except at a line break. A word longer than a line is not broken, so that it can be copied. The last line is not
/// ended.
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
    let longest_whole = WHOLE.min(room.saturating_sub(hang + 5));
    let mut flow = WordFlow {
        word: Vec::new(),
        blanks: 0,
        column: start,
        hang,
        room,
        style,
        out,
    };
    for (text, role) in &texts {
        // A short thing to type stays on one line, even if it contains blanks.
        let is_code = matches!(role, Role::Typed | Role::Formula | Role::Name);
        if is_code && characters::width(text) <= longest_whole {
            flow.word.push((text, *role));
            continue;
        }
        for (count, part) in text.split(' ').enumerate() {
            if count > 0 {
                flow.end_word();
                flow.blanks += 1;
            }
            if !part.is_empty() {
                flow.word.push((part, *role));
            }
        }
    }
    flow.end_word();
}

/// Writes words one after the other, and breaks lines between them.
struct WordFlow<'w> {
    /// The present word, the text between blanks. It may consist of several pieces with different roles.
    word: Vec<(&'w str, Role)>,
    /// The blanks before it.
    blanks: usize,
    /// The column where the last word ends.
    column: usize,
    hang: usize,
    room: usize,
    style: &'w Style,
    out: &'w mut String,
}

impl WordFlow<'_> {
    /// Writes the present word, if there is one, and the blanks before it or a line break.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let parts = self.word.iter();
        let width: usize = parts.map(|(part, _)| characters::width(part)).sum();
        if width > 0 {
            if self.column > self.hang && self.column + self.blanks + width > self.room {
                self.out.push('\n');
                push_blanks(self.hang, self.out);
                self.column = self.hang + width;
            } else {
                push_blanks(self.blanks, self.out);
                self.column += self.blanks + width;
            }
            for (part, role) in self.word.drain(..) {
                self.style.paint(part, role, self.out);
            }
        }
        self.blanks = 0;
    }
}

/// The text of a piece; empty for a list, whose text depends on the room that the others leave.
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
        Piece::Grad(grad) => self::piece(grad, style),
        // Printed text keeps its tabs.
        Piece::Words(Role::Plain, text) if text.contains('\t') => {
            (characters::clean_except(text, &['\t']).into(), Role::Plain)
        }
        Piece::Words(role, text) => (characters::clean(text), *role),
    }
}
