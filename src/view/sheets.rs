//! Sheets as files for other programs: comma-separated values and Markdown.
//!
//! Numbers are written with all their digits, and every row is there. Nothing is shortened or coloured.
//!
//! Comma-separated values are as RFC 4180 has them: fields in quotes where they must be, lines that end in CR LF.
//! Numbers that are not finite are written as in JSON, which pandas, R and spreadsheets read: `NaN`, `Infinity`,
//! `-Infinity`. In pipe tables of Markdown names and formulas are code.

use super::{AnswerSink, Style, characters, number};
use crate::report::{Cell, DataSheet};
use crate::stop;

/// What means something in Markdown, and is escaped in words.
const SIGNS: &str = "\\`*_{}[]<>#|~&$";

/// Writes sheets in the format with this ending, a blank line between two of them.
pub fn sheets(sheets: &[DataSheet], ending: &str, style: &Style) -> String {
    let mut out = String::new();
    for (place, sheet) in sheets.iter().enumerate() {
        if ending == "md" {
            out.push_str(if place > 0 { "\n" } else { "" });
            markdown(sheet, style, &mut out);
        } else {
            out.push_str(if place > 0 { "\r\n" } else { "" });
            csv(sheet, true, style, &mut out);
        }
    }
    out
}

/// Writes a sheet as comma-separated values, or only its rows if the header stands above already.
pub fn csv(sheet: &DataSheet, with_header: bool, style: &Style, sink: &mut dyn AnswerSink) {
    if with_header {
        let out = sink.text();
        for (place, title) in sheet.header.iter().enumerate() {
            out.push_str(if place > 0 { "," } else { "" });
            field(title, style, out);
        }
        end(sheet, out);
    }
    for row in stop::asking(sheet.rows()) {
        sink.row_ends();
        let out = sink.text();
        for (place, entry) in row.iter().enumerate() {
            out.push_str(if place > 0 { "," } else { "" });
            match entry.as_number() {
                Some(value) if value.is_infinite() => {
                    out.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
                }
                Some(value) => number::write(value, number::EXACT, out),
                None => field(&entry.words(), style, out),
            }
        }
        end(sheet, out);
    }
}

/// Ends a line. A line of a single empty field would be no line to many readers.
fn end(sheet: &DataSheet, out: &mut String) {
    if sheet.header.len() == 1 && (out.is_empty() || out.ends_with('\n')) {
        out.push_str("\"\"");
    }
    out.push_str("\r\n");
}

/// Writes words: in quotes if there is something in them that ends a field.
fn field(text: &str, style: &Style, out: &mut String) {
    let text = characters::clean(text, style.ascii);
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&text);
    }
}

fn markdown(sheet: &DataSheet, style: &Style, out: &mut String) {
    let titles = sheet.header.iter().map(|title| escaped(title, style));
    markdown_row(titles, out);
    markdown_row(sheet.header.iter().map(|_| "---".to_string()), out);
    for row in stop::asking(sheet.rows()) {
        markdown_row(row.iter().map(|entry| markdown_entry(entry, style)), out);
    }
}

fn markdown_row(texts: impl Iterator<Item = String>, out: &mut String) {
    for text in texts {
        out.push_str("| ");
        out.push_str(&text);
        out.push(' ');
    }
    out.push_str("|\n");
}

fn markdown_entry(entry: &Cell, style: &Style) -> String {
    match entry {
        Cell::Name(_) | Cell::Formula(_) | Cell::Names(_) => code(&entry.words(), style),
        _ => match entry.as_number() {
            Some(value) => number::text(value, number::EXACT),
            None => escaped(&entry.words(), style),
        },
    }
}

pub(super) fn escaped(text: &str, style: &Style) -> String {
    let mut out = String::with_capacity(text.len());
    for c in characters::clean(text, style.ascii).chars() {
        if SIGNS.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Code between more backticks than it has itself. In a table, `|` is escaped even there.
fn code(text: &str, style: &Style) -> String {
    let text = characters::clean(text, style.ascii).replace('|', "\\|");
    if text.is_empty() {
        return text;
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}
