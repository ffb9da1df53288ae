//! Blocks to text, top to bottom: lines of painted pieces, tables, code.
//!
//! Every piece passes the same door, [`piece`]: rounded, cleaned, given its role. Layout of tables is not here.

mod branches;
mod column;
pub(crate) mod excerpt;
mod menu;
pub(crate) mod prose;
mod table;

use super::json::tree;
use super::pieces::line;
use super::{Style, characters, picture};
use crate::report::{Block, Piece, Report};

/// The blocks of a report.
pub(crate) fn report(report: &Report, style: &Style, out: &mut String) {
    for block in &report.blocks {
        match block {
            Block::Line(pieces) => {
                line(pieces, style, out);
                out.push('\n');
            }
            Block::Prose(text) => prose::write(text, style, out),
            Block::Menu(menu) => menu::write(menu, style, out),
            Block::Table(table) => table::write(table, style, out),
            Block::Code(text) => code(text, style, out),
            Block::Tree(tree) if tree.nested => tree::object(tree, out),
            Block::Tree(tree) => branches::write(tree, style, out),
            Block::Graph(diagram) => picture::graph(diagram, style, out),
            Block::Plot(plot) => picture::plot(plot, style, out),
        }
    }
}

/// Words that may have several lines, each further one behind so many blanks, where the first one begins too; ends
/// the last one. A window that is too narrow has further lines of its own.
pub(crate) fn words(text: &str, indent: usize, style: &Style, out: &mut String) {
    for (count, line) in text.lines().enumerate() {
        if count > 0 {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        match style.width {
            Some(width) => prose::flow(&[Piece::plain(line)], (indent, indent), width, style, out),
            None => out.push_str(&characters::clean(line, style.ascii)),
        }
        out.push('\n');
    }
    if text.is_empty() {
        out.push('\n');
    }
}

/// Code is shown as it is: its lines and tabs stay, what acts on the terminal does not. In plain style our own symbols
/// are spelled here too: help has examples with arrows in them.
fn code(text: &str, style: &Style, out: &mut String) {
    for part in text.split_inclusive(['\t', '\n']) {
        let inner = part.trim_end_matches(['\t', '\n']);
        out.push_str(&characters::clean(inner, style.ascii));
        out.push_str(&part[inner.len()..]);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        out.push('\n');
    }
}
