//! Writes a report as HTML: paragraphs, tables and pictures of a page.
//!
//! The browser breaks the lines of words. Numbers are aligned with blanks, in a monospaced font.

use std::fmt::Write;

use super::html;
use crate::column::TextColumn;
use crate::picture::escape;
use crate::placed_row::PlacedRow;
use crate::text::branches;
use crate::text::table::ListTable;
use crate::theme::{Role, on_page};
use crate::{Style, facts, picture, pieces, text};
use chainrule_report::{Audience, Block, Cell, Line, Piece, Prose, Report, Table, plural};
use chainrule_stop as stop;

/// Writes the blocks of a report.
pub fn report_html(report: &Report, style: &Style, out: &mut String) {
    for blocks in report
        .blocks
        .chunk_by(|one, other| has_term(one) && has_term(other))
    {
        if blocks.iter().all(has_term) {
            out.push_str("<dl>\n");
        }
        for each in blocks {
            block(each, style, out);
        }
        if blocks.iter().all(has_term) {
            out.push_str("</dl>\n");
        }
    }
}

/// Whether the block is a term with its meaning. Such blocks in a row become one list.
fn has_term(block: &Block) -> bool {
    matches!(block, Block::Prose(Prose { term, .. }) if !term.is_empty())
}

fn block(block: &Block, style: &Style, out: &mut String) {
    match block {
        Block::Line(pieces) => element("p", "line", pieces, style, out),
        Block::Prose(Prose { term, line, .. }) if term.is_empty() => {
            element("p", "", line, style, out);
        }
        Block::Prose(Prose { term, line, .. }) => {
            element("dt", "", term, style, out);
            element("dd", "", line, style, out);
        }
        Block::Values {
            audience: Audience::Machines,
            ..
        } => {}
        Block::Values { values, rows, .. } => match ListTable::of_result(values, *rows, style) {
            None => element("p", "line", &text::values_line(values), style, out),
            Some(list) => {
                element("p", "line", list.before, style, out);
                write_table(&list.table, style, out);
                if list.is_cut {
                    remark(list.shape, style, out);
                }
            }
        },
        Block::Table(table) => write_table(table, style, out),
        Block::Tree(tree) if tree.nested => {
            let mut text = String::new();
            facts::write_fact(&tree.fact(), usize::MAX, &mut text);
            code(&text, out);
        }
        Block::Tree(tree) => write_table(&branches::table(tree, style), style, out),
        Block::Code(text) => code(text, out),
        Block::Graph(diagram) => figure(&picture::graph_element(diagram, style), out),
        Block::Plot(plot) => figure(&picture::plot_element(plot, style), out),
    }
}

fn code(text: &str, out: &mut String) {
    out.push_str("<pre>");
    html::code(text.trim_end(), out);
    out.push_str("</pre>\n");
}

fn figure(svg: &str, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "<figure>\n{svg}</figure>");
}

/// Writes a line in an element of this name and class.
fn element(name: &str, class: &str, line: &[Piece], style: &Style, out: &mut String) {
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    let _ = write!(out, "<{name}{class}>");
    for (text, role) in pieces::texts(line, style) {
        let text = escape(&text);
        let class = on_page::class(role).filter(|_| style.color.is_some());
        let class = class.map_or(String::new(), |class| format!(" class=\"{class}\""));
        let _ = match role {
            // The element for code stands for the backticks around it.
            Role::Dim if text == "`" => Ok(()),
            Role::Typed | Role::Formula | Role::Name => write!(out, "<code{class}>{text}</code>"),
            _ if class.is_empty() => write!(out, "{text}"),
            _ => write!(out, "<span{class}>{text}</span>"),
        };
    }
    let _ = writeln!(out, "</{name}>");
}

/// Writes a line below a table that says what was left out.
fn remark(words: &str, style: &Style, out: &mut String) {
    let line: Line = vec![Piece::dim(format!("… {words}"))];
    element("p", "line", &line, style, out);
}

/// Writes all columns of a table that have entries.
fn write_table(table: &Table, style: &Style, out: &mut String) {
    let rows: Vec<Vec<Cell>> = table.rows.each().collect();
    let shown = table.columns.iter().enumerate();
    let shown = shown.filter(|(_, column)| column.audience != Audience::Machines);
    let tracks: Vec<TextColumn> = shown
        .map(|(place, column)| TextColumn::new(column, (&rows, place), style))
        .filter(|track| !track.is_blank())
        .collect();
    if !tracks.is_empty() {
        out.push_str("<table class=\"answer\">\n");
        if tracks.iter().any(|track| !track.title.text.is_empty()) {
            out.push_str("<thead><tr>");
            for track in &tracks {
                // A screen reader would announce a heading without words.
                let name = if track.title.text.is_empty() {
                    "td"
                } else {
                    "th"
                };
                let at = if track.numeric {
                    track.front_width() - track.title.width
                } else {
                    0
                };
                cell(name, track, style, out, |row| {
                    row.write_at(&track.title.text, track.title.role, at);
                });
            }
            out.push_str("</tr></thead>\n");
        }
        out.push_str("<tbody>\n");
        for at in stop::with_checks(0..rows.len()) {
            out.push_str("<tr>");
            for track in &tracks {
                cell("td", track, style, out, |row| {
                    for (place, part) in track.placed_parts(at) {
                        row.write_at(&part.text, part.role, if track.numeric { place } else { 0 });
                    }
                });
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n");
    }
    if let Some((count, typed)) = &table.omitted {
        remark(
            &format!("{}: {typed}", plural(*count, "more row")),
            style,
            out,
        );
    }
}

/// Writes a cell. Blanks stay, because they align numbers.
fn cell(
    name: &str,
    track: &TextColumn,
    style: &Style,
    out: &mut String,
    write: impl FnOnce(&mut PlacedRow),
) {
    let class = if track.numeric {
        " class=\"number\""
    } else {
        ""
    };
    let _ = write!(out, "<{name}{class}>");
    let mut text = String::new();
    write(&mut PlacedRow::new(style.color, &mut text));
    html::write_marked(&text, out);
    let _ = write!(out, "</{name}>");
}
