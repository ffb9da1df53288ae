//! Prose: text that is wrapped between words, with a hanging indent.
//!
//! A term is placed before its description, or above it in a narrow window.

use crate::{Style, pieces};
use chainrule_report::Prose;
use chainrule_report::characters::push_blanks;

/// The most columns of a line, even in a wider window or without a width, because longer lines are hard to read.
const MAX_COLUMNS: usize = 80;
/// The least width for which lines are broken. A narrower window breaks them itself.
const MIN_COLUMNS: usize = 20;
/// The indent of a term. The further lines of a term have twice this indent.
const INDENT: usize = 2;
/// The columns that a description needs beside its term. With fewer columns it is below the term.
const MIN_BESIDE: usize = 26;

/// Writes a paragraph, or a term with its description.
pub(crate) fn write(prose: &Prose, style: &Style, out: &mut String) {
    let room = style.columns().clamp(MIN_COLUMNS, MAX_COLUMNS);
    let is_beside = prose.column + MIN_BESIDE <= room;
    let indent = if is_beside {
        prose.column
    } else {
        prose.column.min(2 * INDENT)
    };
    let mut column = 0;
    if !prose.term.is_empty() {
        push_blanks(INDENT, out);
        pieces::flow(&prose.term, (INDENT, 2 * INDENT), room, style, out);
        column = INDENT + pieces::width(&prose.term, style);
        if prose.line.is_empty() {
            return out.push('\n');
        }
        if !is_beside || column + INDENT > indent {
            out.push('\n');
            column = 0;
        }
    }
    push_blanks(indent - column, out);
    pieces::flow(&prose.line, (indent, indent), room, style, out);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_report::Piece;

    fn text_of(prose: &Prose, width: usize) -> String {
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
            Piece::to_type(":four"),
            Piece::plain(") five six"),
        ]);
        for (width, expected) in [
            (80, "one two  three (:four) five six\n"),
            (24, "one two  three (:four)\nfive six\n"),
            (20, "one two  three\n(:four) five six\n"),
            (0, "one two  three\n(:four) five six\n"),
        ] {
            assert_eq!(text_of(&prose, width), expected, "{width}");
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
            assert_eq!(text_of(&prose, width), expected, "{width}");
        }
    }

    #[test]
    fn a_term_stands_beside_its_words_or_above_them() {
        let prose = Prose {
            term: vec![Piece::to_type(":grad L")],
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
            assert_eq!(text_of(&prose, width), expected, "{width}");
        }
        let long = Prose { column: 6, ..prose };
        assert_eq!(
            text_of(&long, 60),
            "  :grad L\n      all gradients of L and of what is below it\n"
        );
    }
}
