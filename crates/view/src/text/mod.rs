//! The text view: the blocks of a report from top to bottom.
//!
//! Each of the larger kinds of block has a file of its own.

pub(crate) mod branches;
pub(crate) mod excerpt;
mod prose;
pub(crate) mod table;

use self::table::ListTable;
use super::pieces::line;
use super::{Style, facts, picture, pieces};
use chainrule_report::characters::{self, push_blanks};
use chainrule_report::{Block, Line, NamedValue, Piece, Report, Values, join};

/// The indent of the later lines of a long sentence.
const HANG: usize = 2;

/// Writes the blocks of a report.
pub fn report(report: &Report, style: &Style, out: &mut String) {
    for block in &report.blocks {
        match block {
            Block::Line(pieces) => sentence(pieces, style, out),
            Block::Values(values) if values.is_hidden => {}
            Block::Values(values) => write_values(values, style, out),
            Block::Prose(text) => prose::write(text, style, out),
            Block::Table(table) => table::write(table, style, out),
            Block::Code(text) => code(text, out),
            Block::Tree(tree) if tree.shows_json => {
                facts::write_fact(&tree.facts().into(), usize::MAX, out);
                out.push('\n');
            }
            Block::Tree(tree) => table::write(&branches::table(tree, style), style, out),
            Block::Graph(diagram) => {
                for remark in picture::graph(diagram, style, out) {
                    pieces::flow(&remark, (0, 0), style.columns(), style, out);
                    out.push('\n');
                }
            }
            Block::Plot(plot) => picture::plot(plot, style, out),
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

/// Writes values on one line, with long lists cut, or a long list of rows as a table.
fn write_values(values: &Values, style: &Style, out: &mut String) {
    let Some(list) = ListTable::of_result(values, style) else {
        return sentence(&values_line(values), style, out);
    };
    if !list.before.is_empty() {
        line(list.before, style, out);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    list.write(style, out);
}

/// Values on one line: `a = 2, b = -3`.
pub(crate) fn values_line(values: &Values) -> Line {
    join(values.values.iter().map(NamedValue::line), ", ")
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
        line.push(if place % 2 == 0 {
            Piece::plain(words)
        } else {
            Piece::to_type(words)
        });
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
