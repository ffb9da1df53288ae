//! Sheets as files for other programs: comma-separated values, Markdown and LaTeX.
//!
//! Numbers are written with all their digits, and every row is there. Nothing is shortened or coloured.

mod csv;
mod markdown;
mod tex;

pub(super) use self::csv::quoted;

use super::Style;
use crate::report::Sheet;

/// Writes sheets in the format with this ending, a blank line between two of them.
pub fn sheets(sheets: &[Sheet], ending: &str, style: &Style) -> String {
    let write = match ending {
        "md" => markdown::write,
        "tex" => tex::write,
        _ => csv::write,
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
pub fn csv(sheet: &Sheet, with_header: bool, style: &Style, out: &mut String) {
    if with_header {
        csv::header(sheet, style, out);
    }
    csv::rows(sheet, style, out);
}
