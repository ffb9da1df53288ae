//! Lines and tables as HTML, for documents.
//!
//! The browser breaks the lines of words. Numbers are aligned with blanks, in a monospaced font.

use std::fmt::Write;

use crate::column::{CellText, TextColumn};
use crate::placed_row::PlacedRow;
use crate::theme::{Role, Theme, on_page};
use crate::{Style, pieces};
use chainrule_language::math::{math_of_text, mathml};
use chainrule_report::{Piece, Table, characters};
use chainrule_stop as stop;

/// The longest formula that is set as mathematics, in characters. A browser does not break its line.
const LONGEST_MATH: usize = 200;

/// A text as it is written between tags or in an attribute. Characters that XML forbids or that are invisible are
/// spelled out: `\u{1b}`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // The tip of a node, which is an attribute, may have several lines.
            '\n' => out.push('\n'),
            '\u{fffe}' | '\u{ffff}' => {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => characters::push_clean(c, &mut out),
        }
    }
    out
}

/// A text that a theme of pages has marked, as [`on_page::mark`] does, as HTML: each marked part becomes a `span` with
/// the look of its role.
pub fn marked_html(text: &str, theme: Option<Theme>) -> String {
    let mut out = String::new();
    for (mark, part) in on_page::split_marks(text) {
        match mark.map(|it| it.split_once('=').ok_or(it)) {
            Some(Ok((leaf, number))) => {
                let leaf = escape(leaf);
                let _ = write!(out, "<span data-leaf=\"{leaf}\" data-typed=\"{number}\">");
            }
            Some(Err(class)) => write_tag("span", class, theme, &mut out),
            None => {}
        }
        write_text(part, &mut out);
        out.push_str(if mark.is_some() { "</span>" } else { "" });
    }
    out
}

/// Writes a text that keeps its line breaks and tabs. By itself, [`escape`] would make blanks of the tabs.
pub fn write_text(text: &str, out: &mut String) {
    for part in text.split_inclusive('\t') {
        let words = part.trim_end_matches('\t');
        let tab = &part[words.len()..];
        out.push_str(&escape(words));
        out.push_str(tab);
    }
}

/// Writes a line in an element of this name and class.
pub fn write_line(name: &str, class: &str, line: &[Piece], style: &Style, out: &mut String) {
    write_tag(name, class, style.theme, out);
    for (text, role) in pieces::texts(line, style) {
        write_piece(&text, role, style, out);
    }
    let _ = writeln!(out, "</{name}>");
}

/// Writes a part of a line. If the style has colours, the part has the class of its role.
fn write_piece(text: &str, role: Role, style: &Style, out: &mut String) {
    // The element for code replaces the backticks around it.
    if role == Role::Dim && text == "`" {
        return;
    }
    let words = escape(text);
    let class = on_page::class(role).filter(|_| style.theme.is_some());
    if role == Role::Math
        && let Some(formula) = math_element(text)
    {
        return out.push_str(&formula);
    }
    let element = if role.is_code() { "code" } else { "span" };
    if class.is_none() && !role.is_code() {
        return out.push_str(&words);
    }
    write_tag(element, class.unwrap_or_default(), style.theme, out);
    let _ = write!(out, "{words}</{element}>");
}

/// A formula that browsers set. `alttext` is the text to type. A long formula, which would not fit a line, is none.
fn math_element(text: &str) -> Option<String> {
    if text.chars().count() > LONGEST_MATH {
        return None;
    }
    let (formula, alttext) = (math_of_text(text)?, escape(text));
    let inner = mathml(&formula, &escape);
    Some(format!(
        "<math displaystyle=\"true\" alttext=\"{alttext}\">{inner}</math>"
    ))
}

/// Writes the tag that begins an element. In a cell of a notebook it has a style in place of the class.
pub fn write_tag(name: &str, class: &str, theme: Option<Theme>, out: &mut String) {
    let (attribute, look) = match theme {
        Some(Theme::Cell) => ("style", [cell_style(name), cell_style(class)].concat()),
        _ => ("class", class.to_owned()),
    };
    let _ = match &*look {
        "" => write!(out, "<{name}>"),
        look => write!(out, "<{name} {attribute}=\"{look}\">"),
    };
}

/// The style of an element or of a class in a cell of a notebook. Its variables are those of Jupyter and VS Code, so that
/// it follows their themes. Other notebooks have what stands last.
#[rustfmt::skip]
fn cell_style(name: &str) -> &'static str {
    match name {
        "p" | "pre" | "table" => "font-family:var(--jp-code-font-family,var(--vscode-editor-font-family,monospace));font-size:var(--jp-code-font-size,13px);margin:3px 0;border-collapse:collapse;overflow:auto hidden;white-space:pre-wrap;",
        "dl" => "font-family:var(--jp-code-font-family,var(--vscode-editor-font-family,monospace));font-size:var(--jp-code-font-size,13px);margin:3px 0;",
        "th" | "td" => "padding:1px 10px;border:0;text-align:left;vertical-align:top;white-space:pre-wrap;",
        "tr" => "background:none;",
        "code" => "font:inherit;background:none;padding:0;",
        "heading" | "operation" | "root" => "font-weight:600;",
        "coming" | "constant" | "dim" | "frozen" | "note" => "color:var(--jp-ui-font-color2,var(--vscode-descriptionForeground,#6c6c6c));",
        "name" | "typed" => "color:var(--jp-content-link-color,var(--vscode-textLink-foreground,#005f87));",
        "help" | "hint" | "leaf" => "color:var(--jp-success-color1,var(--vscode-charts-green,#127a6c));",
        "current" | "formula" | "place" => "color:var(--jp-mirror-editor-keyword-color,var(--vscode-charts-purple,#7b3fb8));",
        "error" | "not-finite" => "color:var(--jp-error-color1,var(--vscode-charts-red,#c00a66));",
        "rising" => "color:var(--jp-info-color1,var(--vscode-charts-blue,#0b5fa5));",
        "falling" => "color:var(--jp-warn-color1,var(--vscode-charts-orange,#b03f08));",
        _ => "",
    }
}

/// Writes a remark below a table or a list on what is not shown: `… 12 more rows: :config table-rows all`.
pub fn write_remark(words: &str, style: &Style, out: &mut String) {
    let line = [Piece::dim(format!("… {words}"))];
    write_line("p", "line", &line, style, out);
}

/// Writes a table without its empty columns, and a line about the rows that were left out.
pub fn write_table(table: &Table, style: &Style, out: &mut String) {
    let columns = TextColumn::of_table(table, style);
    if !columns.is_empty() {
        write_tag("table", "answer", style.theme, out);
        out.push('\n');
        write_head(&columns, style, out);
        out.push_str("<tbody>\n");
        for at in stop::with_checks(0..table.rows.len()) {
            write_tag("tr", "", style.theme, out);
            for column in &columns {
                write_cell("td", column, column.placed_texts(at), style, out);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n");
    }
    if let Some(words) = table.words_for_omitted() {
        write_remark(&words, style, out);
    }
}

/// Writes the titles of columns, if any column has one.
fn write_head(columns: &[TextColumn], style: &Style, out: &mut String) {
    if columns.iter().all(|column| column.title.text.is_empty()) {
        return;
    }
    out.push_str("<thead>");
    write_tag("tr", "", style.theme, out);
    for column in columns {
        let title = &column.title;
        // A screen reader would announce a `th` even without words.
        let element = if title.text.is_empty() { "td" } else { "th" };
        write_cell(element, column, [(column.title_place(), title)], style, out);
    }
    out.push_str("</tr></thead>\n");
}

/// Writes a cell with these texts, each with its place in the column. Blanks stay, because they align numbers.
fn write_cell<'t>(
    element: &str,
    column: &TextColumn,
    texts: impl IntoIterator<Item = (usize, &'t CellText)>,
    style: &Style,
    out: &mut String,
) {
    let class = if column.is_aligned { "number" } else { "" };
    write_tag(element, class, style.theme, out);
    // With a theme of pages, the row marks the roles of its texts, and the marks become elements.
    let mut text = String::new();
    let mut row = PlacedRow::new(style.theme, &mut text);
    for (place, part) in texts {
        row.write_at(&part.text, part.role, place);
    }
    let _ = write!(out, "{}</{element}>", marked_html(&text, style.theme));
}
