//! Writes the pieces of a sentence as text with roles: rounds numbers, escapes control characters, wraps between words.
//!
//! Every sentence that is shown passes through [`texts`].

use std::borrow::Cow;

use super::{Style, list, number};
use chainrule_language as language;
use chainrule_report::characters::{self, push_blanks};
use chainrule_report::{Numbers, Piece, Role};

/// Code of at most this many columns is not broken at its blanks.
const LONGEST_UNBROKEN: usize = 30;
/// The columns reserved for the backticks, brackets and comma around unbroken code.
const AROUND_CODE: usize = 5;
/// The columns of an equals sign before a formula.
const SIGN_COLUMNS: usize = 2;

/// Writes the pieces of a line, without the line break.
pub fn line(pieces: &[Piece], style: &Style, out: &mut String) {
    for (text, role) in texts(pieces, style) {
        style.paint(&text, role, out);
    }
}

/// The number of columns of the pieces.
pub fn width(pieces: &[Piece], style: &Style) -> usize {
    total_width(&texts(pieces, style))
}

fn total_width(texts: &[(Cow<str>, Role)]) -> usize {
    texts.iter().map(|(text, _)| characters::width(text)).sum()
}

/// The text of each piece, with its role. Lists share the columns that the other pieces leave. If a list needs less than
/// its share, the lists after it get the rest.
pub fn texts<'p>(pieces: &'p [Piece], style: &Style) -> Vec<(Cow<'p, str>, Role)> {
    let mut painted: Vec<_> = pieces.iter().map(|it| piece_text(it, style)).collect();
    // Measuring takes time, and most lines have no list.
    if pieces.iter().any(|piece| shown_list(piece).is_some()) {
        let mut lists_left = pieces.iter().filter_map(shown_list).count();
        let mut room = style.room().saturating_sub(total_width(&painted));
        for (piece, (text, role)) in pieces.iter().zip(&mut painted) {
            if let Some(numbers) = shown_list(piece) {
                let share = (room / lists_left).max(list::MIN_COLUMNS);
                *text = (list::line(numbers, share, style) + &numbers.outdated_words()).into();
                if numbers.as_of.is_some() {
                    *role = Role::Dim;
                }
                room = room.saturating_sub(characters::width(text));
                lists_left -= 1;
            }
        }
    }
    painted
}

/// The list that a piece is.
fn shown_list(piece: &Piece) -> Option<&Numbers> {
    match piece {
        Piece::List(numbers) => Some(numbers),
        Piece::Asked(piece) => shown_list(piece),
        _ => None,
    }
}

/// Writes words from column `start` on, and breaks lines between them. All lines after the first begin with `indent`
/// blanks. Several blanks between words stay, except at a line break. A word longer than a line is not broken, so that
/// it can be copied. No line break follows the last word.
pub fn flow(
    pieces: &[Piece],
    (start, indent): (usize, usize),
    room: usize,
    style: &Style,
    out: &mut String,
) {
    let painted = texts(pieces, style);
    if start.saturating_add(total_width(&painted)) <= room {
        for (text, role) in painted {
            style.paint(&text, role, out);
        }
        return;
    }
    let longest_unbroken = LONGEST_UNBROKEN.min(room.saturating_sub(indent + AROUND_CODE));
    let mut writer = WordWriter {
        word: Vec::new(),
        blanks: 0,
        column: start,
        indent,
        room,
        style,
        out,
    };
    for (at, (text, role)) in painted.iter().enumerate() {
        // Short code stays on one line, even if it contains blanks.
        let is_code = role.is_code();
        if is_code && characters::width(text) <= longest_unbroken {
            writer.word.push((text, *role));
            continue;
        }
        let is_sign = painted.get(at + 1).is_some_and(|(_, it)| *it == Role::Math) && text == " = ";
        let parts = match role {
            Role::Math => math_parts(text, room.saturating_sub(indent + SIGN_COLUMNS)),
            // A line of mathematics breaks before the sign.
            _ if is_sign => vec!["", "= "],
            _ => text.split(' ').collect(),
        };
        for (count, part) in parts.into_iter().enumerate() {
            if count > 0 {
                writer.end_word();
                writer.blanks += 1;
            }
            if !part.is_empty() {
                writer.word.push((part, *role));
            }
        }
    }
    writer.end_word();
}

/// The parts of a formula between which a line may break: outside of all brackets, and within them only in a part that is
/// longer than a line.
fn math_parts(formula: &str, room: usize) -> Vec<&str> {
    let outer = split_before_signs(formula, language::outside_brackets(formula)).into_iter();
    let parts = outer.flat_map(|part| {
        if characters::width(part) <= room {
            return vec![part];
        }
        split_before_signs(part, part.char_indices())
    });
    parts.collect()
}

/// Splits a formula at the blanks among these characters of it, except at those after a sign.
fn split_before_signs(formula: &str, characters: impl Iterator<Item = (usize, char)>) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (blank, _) in characters.filter(|(_, character)| *character == ' ') {
        let word = formula[..blank].rsplit(' ').next();
        if !word.is_some_and(is_sign) {
            parts.push(&formula[start..blank]);
            start = blank + 1;
        }
    }
    parts.push(&formula[start..]);
    parts
}

fn is_sign(word: &str) -> bool {
    word.chars().all(|it| "+-*/%<>=!±".contains(it))
}

/// Writes words one after the other, and breaks lines between them.
struct WordWriter<'w> {
    /// The present word, which is the text between blanks. It may consist of several pieces with different roles.
    word: Vec<(&'w str, Role)>,
    /// The number of blanks before the present word.
    blanks: usize,
    /// The column where the last word ends.
    column: usize,
    /// The number of blanks at the beginning of each new line.
    indent: usize,
    room: usize,
    style: &'w Style,
    out: &'w mut String,
}

impl WordWriter<'_> {
    /// Writes the present word, if there is one, after a line break or the blanks before it.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let parts = self.word.iter();
        let width: usize = parts.map(|(part, _)| characters::width(part)).sum();
        // A word of no width, such as an empty name, drops the blanks before it: it must not leave a gap of two blanks.
        if width > 0 {
            if self.column > self.indent && self.column + self.blanks + width > self.room {
                self.out.push('\n');
                push_blanks(self.indent, self.out);
                self.column = self.indent + width;
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

/// The text of a piece and its role. A list has no text here, because [`texts`] writes it in the room that the other
/// pieces leave.
fn piece_text<'p>(piece: &'p Piece, style: &Style) -> (Cow<'p, str>, Role) {
    let painted = |value: &f64, text: String| (text.into(), Role::of(*value));
    let (digits, short) = (style.digits, style.table_digits);
    match piece {
        Piece::Number(value) => painted(value, number::text(*value, digits)),
        Piece::Short(value) => painted(value, number::text(*value, short)),
        Piece::Measurement(of) => painted(&of.value, number::measurement_text(of, digits)),
        Piece::LikeMeasurement(value, of) => {
            painted(value, number::like_measurement(*value, of, digits))
        }
        Piece::Distinct(value, other) => painted(value, number::distinct(*value, *other, digits)),
        Piece::List(_) => ("".into(), Role::Plain),
        Piece::Asked(piece) => piece_text(piece, style),
        // Printed text keeps its tabs.
        Piece::Words(Role::Plain, text) if text.contains('\t') => {
            (characters::clean_except(text, &['\t']).into(), Role::Plain)
        }
        Piece::Words(role, text) => (characters::clean(text), *role),
    }
}
