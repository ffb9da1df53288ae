//! Comma-separated values, as RFC 4180 has them: fields in quotes where they must be, lines that end in CR LF.
//!
//! Numbers are the shortest text that reads back to the same double. Those that are not finite are written as in JSON,
//! which pandas, R and spreadsheets read: `NaN`, `Infinity`, `-Infinity`.

use std::borrow::Cow;
use std::fmt::Write;

use crate::report::{DataSheet, SheetEntry};
use crate::stop;
use crate::view::{AnswerSink, Style, characters, number};

pub(super) fn write(sheet: &DataSheet, style: &Style, out: &mut String) {
    header(sheet, style, out);
    rows(sheet, style, out);
}

pub(super) fn header(sheet: &DataSheet, style: &Style, out: &mut String) {
    for (place, title) in sheet.header.iter().enumerate() {
        out.push_str(if place > 0 { "," } else { "" });
        words(title, style, out);
    }
    end(sheet, out);
}

pub(super) fn rows(sheet: &DataSheet, style: &Style, sink: &mut dyn AnswerSink) {
    for row in stop::asking(sheet.rows()) {
        sink.row_ends();
        let out = sink.text();
        for (place, entry) in row.iter().enumerate() {
            out.push_str(if place > 0 { "," } else { "" });
            match entry {
                SheetEntry::Blank => {}
                SheetEntry::Words(text) | SheetEntry::Formula(text) => words(text, style, out),
                SheetEntry::Number(value) if value.is_infinite() => {
                    out.push_str(if *value > 0.0 {
                        "Infinity"
                    } else {
                        "-Infinity"
                    });
                }
                SheetEntry::Number(value) => number::write(*value, number::EXACT, out),
                SheetEntry::Count(count) => {
                    // Writing into a string cannot fail.
                    let _ = write!(out, "{count}");
                }
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

fn words(text: &str, style: &Style, out: &mut String) {
    out.push_str(&quoted(&characters::clean(text, style.ascii)));
}

/// A field: in quotes if there is something in it that ends one.
pub(in crate::view) fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
