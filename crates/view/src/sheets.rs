//! Tables for other programs: comma-separated values, in files and for `--csv`, and Markdown for reports.
//!
//! All rows are written. Numbers have all digits in comma-separated values; in Markdown they are as on the screen.
//!
//! Comma-separated values follow RFC 4180: fields are in quotes where they must be, and lines end in CR LF. Numbers
//! that are not finite are the words `NaN`, `Infinity` and `-Infinity`, which pandas and R read.

use super::{AnswerSink, Style, column, number};
use chainrule_report::characters;
use chainrule_report::{Cell, DataSheet};
use chainrule_stop as stop;

/// Writes sheets, a blank line between two of them, in the format that the ending of a file name asks for.
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

/// Writes a sheet as comma-separated values, or only its rows if the header stands above already.
pub fn csv(sheet: &DataSheet, with_header: bool, sink: &mut dyn AnswerSink) {
    if with_header {
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
    let row = |entries: &mut dyn Iterator<Item = String>, out: &mut String| {
        for entry in entries {
            out.push_str("| ");
            out.push_str(&entry);
            out.push(' ');
        }
        out.push_str("|\n");
    };
    row(
        &mut sheet
            .header
            .iter()
            .map(|it| characters::escape_markdown(it)),
        out,
    );
    row(&mut sheet.header.iter().map(|_| "---".to_owned()), out);
    for cells in stop::with_checks(sheet.rows()) {
        let entry = |cell: &Cell| match cell.as_number() {
            Some(_) => column::cell_text(cell, style),
            None => characters::escape_markdown(cell.words()),
        };
        row(&mut cells.iter().map(entry), out);
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
fn field(text: &str, out: &mut String) {
    let text = characters::clean(text);
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&text);
    }
}
