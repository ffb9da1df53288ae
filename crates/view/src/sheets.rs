//! Tables for other programs: comma-separated values, in files and for `--csv`, and Markdown for reports.
//!
//! They have all rows. Numbers have all digits in comma-separated values, and the digits of the screen in Markdown.
//!
//! Comma-separated values follow RFC 4180: fields are in quotes where they must be, and lines end in CR LF. Numbers
//! that are not finite are the words `NaN`, `Infinity` and `-Infinity`, which pandas and R read.

use super::{AnswerSink, Style, column, number};
use chainrule_report::characters;
use chainrule_report::{Cell, DataSheet};
use chainrule_stop as stop;

/// Writes sheets with blank lines between them. The ending of a file name decides the format.
pub fn sheets(sheets: &[DataSheet], ending: &str, style: &Style) -> String {
    let mut out = String::new();
    for (place, sheet) in sheets.iter().enumerate() {
        if ending == "md" {
            out.push_str(if place > 0 { "\n" } else { "" });
            write_markdown(sheet, style, &mut out);
        } else {
            out.push_str(if place > 0 { "\r\n" } else { "" });
            csv(sheet, true, &mut out);
        }
    }
    out
}

/// Writes a sheet as comma-separated values, or only its rows if its header stands above already.
pub fn csv(sheet: &DataSheet, has_header: bool, sink: &mut dyn AnswerSink) {
    if has_header {
        let out = sink.text();
        for (place, title) in sheet.header.iter().enumerate() {
            out.push_str(if place > 0 { "," } else { "" });
            field(title, out);
        }
        end(sheet, out);
    }
    for row in stop::with_checks(sheet.rows()) {
        sink.row_ends();
        let out = sink.text();
        for (place, entry) in row.iter().enumerate() {
            out.push_str(if place > 0 { "," } else { "" });
            match entry.as_number() {
                Some(value) if value.is_infinite() => {
                    out.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
                }
                Some(value) => number::write(value, number::EXACT, out),
                None => field(entry.words(), out),
            }
        }
        end(sheet, out);
    }
}

/// Writes a sheet as a table of Markdown.
fn write_markdown(sheet: &DataSheet, style: &Style, out: &mut String) {
    let titles = sheet.header.iter();
    markdown_row(titles.map(|title| characters::escape_markdown(title)), out);
    markdown_row(sheet.header.iter().map(|_| "---".to_owned()), out);
    for cells in stop::with_checks(sheet.rows()) {
        let entry = |cell: &Cell| match cell.as_number() {
            Some(_) => column::cell_text(cell, style),
            None => characters::escape_markdown(cell.words()),
        };
        markdown_row(cells.iter().map(entry), out);
    }
}

/// Writes a row of a table of Markdown.
fn markdown_row(entries: impl Iterator<Item = String>, out: &mut String) {
    for entry in entries {
        out.push_str("| ");
        out.push_str(&entry);
        out.push(' ');
    }
    out.push_str("|\n");
}

/// Ends a line. A line of a single empty field would be no line to many readers.
fn end(sheet: &DataSheet, out: &mut String) {
    if sheet.header.len() == 1 && (out.is_empty() || out.ends_with('\n')) {
        out.push_str("\"\"");
    }
    out.push_str("\r\n");
}

/// Writes words, in quotes if they contain a sign that ends a field, or begin or end with a blank.
fn field(text: &str, out: &mut String) {
    let words = characters::clean(text);
    if words.contains([',', '"', '\n', '\r']) || words.trim() != words {
        out.push('"');
        out.push_str(&words.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&words);
    }
}
