//! Sheets as files for other programs: comma-separated values, Markdown and LaTeX.
//!
//! Numbers are written with all their digits, and every row is there. Nothing is shortened or coloured.

mod markdown;
mod separated;
mod tex;

pub(super) use self::separated::quoted;

use super::{AnswerSink, Style};
use crate::report::DataSheet;

/// Writes sheets in the format with this ending, a blank line between two of them.
pub fn sheets(sheets: &[DataSheet], ending: &str, style: &Style) -> String {
    let write = match ending {
        "md" => markdown::write,
        "tex" => tex::write,
        _ => separated::write,
    };
    let mut out = String::new();
    for (place, sheet) in sheets.iter().enumerate() {
        if place > 0 {
            out.push_str(if ending == "csv" { "\r\n" } else { "\n" });
        }
        write(sheet, style, &mut out);
    }
    out
}

/// Writes a sheet as comma-separated values, or only its rows if the header stands above already.
pub fn csv(sheet: &DataSheet, with_header: bool, style: &Style, sink: &mut dyn AnswerSink) {
    if with_header {
        separated::header(sheet, style, sink.text());
    }
    separated::rows(sheet, style, sink);
}
