//! Writes a report as HTML: paragraphs, tables and pictures of a page.
//!
//! `chainrule_style::html` writes lines and tables.

use super::html::figure;
use crate::Style;
use crate::text::branches;
use crate::text::table::ListTable;
use chainrule_pictures::{graph_element, plot_element};
use chainrule_report::{Block, Piece, Prose, Report, Role};
use chainrule_style::html;

/// Writes the blocks of a report.
pub fn report_html(report: &Report, style: &Style, out: &mut String) {
    let blocks = &report.blocks;
    for group in blocks.chunk_by(|one, other| has_term(one) && has_term(other)) {
        let is_list = group.iter().all(has_term);
        if is_list {
            html::write_tag("dl", "", style.theme, out);
            out.push('\n');
        }
        for each in group {
            block(each, style, out);
        }
        out.push_str(if is_list { "</dl>\n" } else { "" });
    }
}

/// Whether the block is a term with its meaning. Such blocks in a row become one list.
fn has_term(block: &Block) -> bool {
    matches!(block, Block::Prose(Prose { term, .. }) if !term.is_empty())
}

/// Whether the line is a heading.
fn is_head(line: &[Piece]) -> bool {
    matches!(line, [Piece::Words(Role::Heading, _)])
}

fn block(block: &Block, style: &Style, out: &mut String) {
    match block {
        Block::Line(pieces) if is_head(pieces) => html::write_line("h2", "", pieces, style, out),
        Block::Line(pieces) | Block::OpenLine(pieces) => {
            html::write_line("p", "line", pieces, style, out);
        }
        Block::Prose(Prose { term, line, .. }) if term.is_empty() => {
            html::write_line("p", "", line, style, out);
        }
        Block::Prose(Prose { term, line, .. }) => {
            html::write_line("dt", "", term, style, out);
            html::write_line("dd", "", line, style, out);
        }
        Block::Values(values) if values.is_hidden => {}
        Block::Values(values) => match ListTable::of_result(values, style) {
            None => html::write_line("p", "line", &values.line(), style, out),
            Some(list) => {
                html::write_line("p", "line", list.before, style, out);
                html::write_table(&list.table, style, out);
                if list.is_cut {
                    html::write_remark(list.shape, style, out);
                }
            }
        },
        Block::Table(table) => html::write_table(table, style, out),
        Block::Tree(tree) => html::write_table(&branches::table(tree, style), style, out),
        Block::Code(text) => code(text, style, out),
        Block::Graph(diagram) => out.push_str(&figure(&graph_element(diagram, style))),
        Block::Plot(plot) => out.push_str(&figure(&plot_element(plot, style))),
    }
}

fn code(text: &str, style: &Style, out: &mut String) {
    html::write_tag("pre", "", style.theme, out);
    html::write_text(text.trim_end(), out);
    out.push_str("</pre>\n");
}
