//! Pipe tables of Markdown: names and formulas as code, numbers aligned to the right.
//!
//! The text is padded so that it reads as a table before it is rendered, too.

use std::fmt::Write;

use crate::report::{DataSheet, SheetEntry};
use crate::stop;
use crate::view::characters::{self, push_blanks};
use crate::view::{Style, number};

/// What means something in Markdown, and is escaped in words.
const SIGNS: &str = "\\`*_{}[]<>#|~&$";

pub(super) fn write(sheet: &DataSheet, style: &Style, out: &mut String) {
    let columns = sheet.header.len();
    let titles: Vec<String> = (sheet.header.iter())
        .map(|title| escaped(title, style))
        .collect();
    let entries: Vec<Vec<String>> = stop::asking(sheet.rows())
        .map(|row| row.iter().map(|entry| text(entry, style)).collect())
        .collect();
    let numeric = sheet.numeric();
    // A rule has at least three characters.
    let mut widths = vec![3; columns];
    for row in std::iter::once(&titles).chain(&entries) {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(characters::width(text));
        }
    }
    line(&titles, &widths, &numeric, out);
    for (width, numeric) in widths.iter().zip(&numeric) {
        let rule = "-".repeat(width - usize::from(*numeric));
        let _ = write!(out, "| {rule}{} ", if *numeric { ":" } else { "" });
    }
    out.push_str("|\n");
    for row in stop::asking(entries.iter()) {
        line(row, &widths, &numeric, out);
    }
}

fn line(texts: &[String], widths: &[usize], numeric: &[bool], out: &mut String) {
    for ((text, width), numeric) in texts.iter().zip(widths).zip(numeric) {
        let blanks = width - characters::width(text);
        out.push_str("| ");
        push_blanks(if *numeric { blanks } else { 0 }, out);
        out.push_str(text);
        push_blanks(if *numeric { 0 } else { blanks }, out);
        out.push(' ');
    }
    out.push_str("|\n");
}

fn text(entry: &SheetEntry, style: &Style) -> String {
    match entry {
        SheetEntry::Blank => String::new(),
        SheetEntry::Words(text) => escaped(text, style),
        SheetEntry::Formula(text) => code(text, style),
        SheetEntry::Number(value) => number::text(*value, number::EXACT),
        SheetEntry::Count(count) => count.to_string(),
    }
}

fn escaped(text: &str, style: &Style) -> String {
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
