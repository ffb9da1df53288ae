//! Writes tables for other programs: as comma-separated values, in files and for `--csv`, and as Markdown for reports.
//!
//! The tables have all rows. Numbers have all digits in comma-separated values, and the digits of the screen in Markdown.
//!
//! Comma-separated values follow RFC 4180: fields are quoted only if they must be, and records end in CR LF. Numbers
//! that are not finite are the words `NaN`, `Infinity` and `-Infinity`, which pandas and R read.

use super::{AnswerSink, Style, column, number};
use chainrule_report::{Cell, DataSheet, characters};
use chainrule_stop as stop;

/// Writes sheets with blank lines between them. The ending of a file name, one of
/// [`TABLE_ENDINGS`](chainrule_report::TABLE_ENDINGS), decides the format.
pub fn sheets(sheets: &[DataSheet], ending: &str, style: &Style) -> String {
    let mut out = String::new();
    for (index, sheet) in sheets.iter().enumerate() {
        let is_first = index == 0;
        if ending == "md" {
            out.push_str(if is_first { "" } else { "\n" });
            write_markdown(sheet, style, &mut out);
        } else {
            out.push_str(if is_first { "" } else { "\r\n" });
            write_csv_header(sheet, &mut out);
            write_csv_rows(sheet, &mut out);
        }
    }
    out
}

/// Writes the header of a sheet as comma-separated values.
pub fn write_csv_header(sheet: &DataSheet, out: &mut String) {
    let titles: Vec<Cell> = sheet.header.iter().cloned().map(Cell::Text).collect();
    write_record(&titles, out);
}

/// Writes the rows of a sheet as comma-separated values.
pub fn write_csv_rows(sheet: &DataSheet, sink: &mut dyn AnswerSink) {
    for row in stop::with_checks(sheet.rows.each()) {
        sink.row_ends();
        write_record(&row, sink.text());
    }
}

/// Writes a record. Many CSV parsers skip blank lines, so a lone empty field is written as `""`.
fn write_record(entries: &[Cell], out: &mut String) {
    for (index, entry) in entries.iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        match entry.as_number() {
            Some(f64::INFINITY) => out.push_str("Infinity"),
            Some(f64::NEG_INFINITY) => out.push_str("-Infinity"),
            Some(value) => number::write(value, number::EXACT, out),
            None => write_field(entry.words(), out),
        }
    }
    let is_blank = out.is_empty() || out.ends_with('\n');
    out.push_str(if is_blank { "\"\"\r\n" } else { "\r\n" });
}

/// Writes a sheet as a Markdown table.
fn write_markdown(sheet: &DataSheet, style: &Style, out: &mut String) {
    let titles = sheet.header.iter();
    write_markdown_row(titles.map(|title| characters::escape_markdown(title)), out);
    write_markdown_row(sheet.header.iter().map(|_| "---".to_owned()), out);
    for cells in stop::with_checks(sheet.rows.each()) {
        let entry = |cell: &Cell| match cell.as_number() {
            Some(_) => column::cell_text(cell, style),
            None => characters::escape_markdown(cell.words()),
        };
        write_markdown_row(cells.iter().map(entry), out);
    }
}

/// Writes a row of a Markdown table.
fn write_markdown_row(entries: impl Iterator<Item = String>, out: &mut String) {
    for entry in entries {
        out.push_str("| ");
        out.push_str(&entry);
        out.push(' ');
    }
    out.push_str("|\n");
}

/// Writes words, in quotes if they contain a quote or a character that ends a field, or begin or end with a blank.
fn write_field(text: &str, out: &mut String) {
    let words = characters::clean(text);
    if words.contains([',', '"', '\n', '\r']) || words.trim() != words {
        out.push('"');
        out.push_str(&words.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&words);
    }
}
