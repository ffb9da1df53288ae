//! Prose: text that is wrapped between words, with a hanging indent.
//!
//! A term stands before its description, or above it in a narrow window. Code, tables and results are laid out already
//! and do not pass through here.

use crate::report::{Piece, Prose};
use crate::view::characters::push_blanks;
use crate::view::theme::Role;
use crate::view::{Style, characters, pieces};

/// The longest lines, even if the window is wider or its width is unknown, because longer lines are hard to read.
pub(crate) const WIDEST: usize = 80;
/// The smallest width that is respected.
const NARROWEST: usize = 20;
const INDENT: usize = 2;
/// The columns a description needs beside its term; with fewer it is written below.
const ENOUGH: usize = 26;
/// Things to type up to this width are not broken.
const WHOLE: usize = 30;

/// The columns that prose may use.
pub(crate) fn room(style: &Style) -> usize {
    style
        .width
        .map_or(WIDEST, |width| width.clamp(NARROWEST, WIDEST))
}

/// Writes a paragraph, or a term with its description.
pub(crate) fn write(prose: &Prose, style: &Style, out: &mut String) {
    let room = room(style);
    let beside = prose.column + ENOUGH <= room;
    if prose.term.is_empty() {
        let indent = if beside {
            prose.column
        } else {
            (2 * INDENT).min(prose.column)
        };
        push_blanks(indent, out);
        flow(&prose.line, (indent, indent), room, style, out);
        out.push('\n');
        return;
    }
    push_blanks(INDENT, out);
    let term = INDENT + pieces::width(&prose.term, style);
    let hang = if beside { prose.column } else { 2 * INDENT };
    flow(&prose.term, (INDENT, 2 * INDENT), room, style, out);
    if !prose.line.is_empty() {
        if beside && term + INDENT <= hang {
            push_blanks(hang - term, out);
        } else {
            out.push('\n');
            push_blanks(hang, out);
        }
        flow(&prose.line, (hang, hang), room, style, out);
    }
    out.push('\n');
}

/// Writes words from column `start` on. If they are wider than the room, further lines are indented by `hang`, and several
/// blanks between words are kept, except at a line break. A word longer than a line is left to the terminal to break, so
/// that it can be copied. The last line is not ended.
pub(crate) fn flow(
    pieces: &[Piece],
    (start, hang): (usize, usize),
    room: usize,
    style: &Style,
    out: &mut String,
) {
    let texts = pieces::texts(pieces, style);
    let width: usize = texts.iter().map(|(text, _)| characters::width(text)).sum();
    if start.saturating_add(width) <= room {
        for (text, role) in texts {
            style.paint(&text, role, out);
        }
        return;
    }
    let whole = WHOLE.min(room.saturating_sub(hang));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(prose: &Prose, width: usize) -> String {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let mut out = String::new();
        write(prose, &style, &mut out);
        out
    }

    #[test]
    fn words_break_where_the_window_ends() {
        let prose = Prose::paragraph(vec![
            Piece::plain("one two  three ("),
            Piece::typed(":four"),
            Piece::plain(") five six"),
        ]);
        for (width, expected) in [
            (80, "one two  three (:four) five six\n"),
            (24, "one two  three (:four)\nfive six\n"),
            (20, "one two  three\n(:four) five six\n"),
            (0, "one two  three\n(:four) five six\n"),
        ] {
            assert_eq!(shown(&prose, width), expected, "{width}");
        }
    }

    #[test]
    fn a_word_that_is_longer_than_a_line_stays_whole() {
        let prose = Prose::paragraph(vec![
            Piece::plain("see "),
            Piece::formula("alpha*beta+gamma*delta"),
            Piece::plain(", and 数数数数数数数数数数数 too"),
        ]);
        for (width, expected) in [
            (
                80,
                "see alpha*beta+gamma*delta, and 数数数数数数数数数数数 too\n",
            ),
            (
                20,
                "see\nalpha*beta+gamma*delta,\nand\n数数数数数数数数数数数\ntoo\n",
            ),
        ] {
            assert_eq!(shown(&prose, width), expected, "{width}");
        }
    }

    #[test]
    fn a_term_stands_beside_its_words_or_above_them() {
        let prose = Prose {
            term: vec![Piece::typed(":grad L")],
            column: 12,
            line: vec![Piece::plain("all gradients of L and of what is below it")],
        };
        for (width, expected) in [
            (
                80,
                "  :grad L   all gradients of L and of what is below it\n",
            ),
            (
                40,
                "  :grad L   all gradients of L and of\n            what is below it\n",
            ),
            (
                30,
                "  :grad L\n    all gradients of L and of\n    what is below it\n",
            ),
        ] {
            assert_eq!(shown(&prose, width), expected, "{width}");
        }
        let long = Prose { column: 6, ..prose };
        assert_eq!(
            shown(&long, 60),
            "  :grad L\n      all gradients of L and of what is below it\n"
        );
    }
}
