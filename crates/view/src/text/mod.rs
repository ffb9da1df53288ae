//! The text view: the blocks of a report from top to bottom.
//!
//! Each of the larger kinds of block has a file of its own.

pub(crate) mod branches;
pub(crate) mod excerpt;
pub(crate) mod table;

use self::table::ListTable;
use super::{Style, pieces};
use chainrule_report::characters::{self, push_blanks};
use chainrule_report::{Block, Line, Piece, Prose, Report, Role, Values};

/// The indent of the later lines of a long sentence.
const HANG: usize = 2;
/// The most columns of a line, even in a wider window or without a width, because longer lines are hard to read.
const MAX_COLUMNS: usize = 80;
/// The least width for which lines are broken. A narrower window breaks them itself.
const MIN_COLUMNS: usize = 20;
/// The indent of a term. The further lines of a term have twice this indent.
const INDENT: usize = 2;
/// The columns that a description needs beside its term. With fewer columns it is below the term.
const MIN_BESIDE: usize = 26;

/// Writes the blocks of a report.
pub fn report(report: &Report, style: &Style, out: &mut String) {
    for block in &report.blocks {
        match block {
            Block::Line(pieces) => sentence(pieces, style, out),
            Block::OpenLine(pieces) => {
                sentence(pieces, style, out);
                out.pop();
            }
            Block::Values(values) if values.is_hidden => {}
            Block::Values(values) => write_values(values, style, out),
            Block::Prose(text) => write_prose(text, style, out),
            Block::Table(table) => table::write(table, style, out),
            Block::Code(text) => code(text, out),
            Block::Tree(tree) => table::write(&branches::table(tree, style), style, out),
            Block::Graph(diagram) => {
                for remark in chainrule_pictures::graph(diagram, style, out) {
                    pieces::flow(&remark, (0, 0), style.columns(), style, out);
                    out.push('\n');
                }
            }
            Block::Plot(plot) => chainrule_pictures::plot(plot, style, out),
        }
    }
}

/// Writes a sentence, on several lines if it is longer than the window is wide.
pub(crate) fn sentence(pieces: &[Piece], style: &Style, out: &mut String) {
    let begin = pieces.first().map_or("", Piece::words);
    let indent = begin.len() - begin.trim_start_matches(' ').len();
    pieces::flow(pieces, (0, indent + HANG), style.columns(), style, out);
    out.push('\n');
}

/// Writes a paragraph, or a term with its description.
fn write_prose(prose: &Prose, style: &Style, out: &mut String) {
    let room = style.columns().clamp(MIN_COLUMNS, MAX_COLUMNS);
    let is_beside = prose.column + MIN_BESIDE <= room;
    let most = if is_beside { usize::MAX } else { 2 * INDENT };
    let indent = prose.column.min(most);
    let mut cursor = 0;
    if !prose.term.is_empty() {
        push_blanks(INDENT, out);
        pieces::flow(&prose.term, (INDENT, 2 * INDENT), room, style, out);
        cursor = INDENT + pieces::width(&prose.term, style);
        if prose.line.is_empty() {
            return out.push('\n');
        }
        // A term stands above its description if the window is narrow, or if the term is too long for its column.
        if !is_beside || cursor + INDENT > indent {
            out.push('\n');
            cursor = 0;
        }
    }
    push_blanks(indent - cursor, out);
    pieces::flow(&prose.line, (indent, indent), room, style, out);
    out.push('\n');
}

/// Writes values on one line, with long lists cut, or a long list of rows as a table.
fn write_values(values: &Values, style: &Style, out: &mut String) {
    let Some(list) = ListTable::of_result(values, style) else {
        return sentence(&values.line(), style, out);
    };
    if !list.before.is_empty() {
        pieces::line(list.before, style, out);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    list.write(style, out);
}

/// Writes words that may contain line breaks. `line` turns each of their lines into pieces. The caller has begun the first
/// line; all others are indented. Lines too long for the window are wrapped, and a line break ends the last one.
pub(crate) fn words(
    text: &str,
    line: impl Fn(&str) -> Line,
    indent: usize,
    style: &Style,
    out: &mut String,
) {
    for (count, words) in text.trim_end_matches('\n').split('\n').enumerate() {
        push_blanks(if count > 0 { indent } else { 0 }, out);
        pieces::flow(&line(words), (indent, indent), style.columns(), style, out);
        out.push('\n');
    }
}

/// A line of help. Words between backticks are something to type.
pub(crate) fn help_line(help: &str) -> Line {
    let mut line = Line::new();
    for (place, words) in help.split('`').enumerate() {
        if place > 0 {
            line.push(Piece::dim("`"));
        }
        let role = [Role::Plain, Role::Typed][place % 2];
        line.push(Piece::Words(role, words.to_owned()));
    }
    line
}

/// Writes code with its line breaks and tabs. Other control characters are escaped.
fn code(text: &str, out: &mut String) {
    out.push_str(&characters::clean_except(text, &['\t', '\n']));
    if !text.is_empty() && !text.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(prose: &Prose, width: usize) -> String {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let mut out = String::new();
        write_prose(prose, &style, &mut out);
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
