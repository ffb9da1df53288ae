//! Writes a list on one line: its numbers in brackets as far as they fit, then `…` and its shape.
//!
//! A list of rows that does not fit on a line becomes a table, which `chainrule-view` writes.

use super::{Style, number};
use chainrule_report::{NumberPart, Numbers, characters, truth_word};
use std::iter;

/// The fewest columns for a list, which may make its line too long.
pub const MIN_COLUMNS: usize = 24;
/// The most columns of a line with a list.
const MAX_COLUMNS: usize = 100;
/// The text between two elements of a list.
const COMMA: &str = ", ";
/// The blanks between a list that is cut and its shape.
const GAP: &str = "   ";

impl Style {
    /// The columns of a line with a list, on a terminal or in a pipe.
    pub fn room(&self) -> usize {
        self.width.unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS)
    }
}

/// The list, `[0.5, -1, 0.25]`, or its beginning, `[0.1, 0.2, …]   16 × 2`, if all of it takes more than `most` columns.
pub fn line(numbers: &Numbers, most: usize, style: &Style) -> String {
    if fits(numbers, most, style) {
        part_texts(numbers, style).collect()
    } else {
        cut_line(numbers, most, style)
    }
}

/// Whether the whole list fits into `most` columns. Of a longer list, only the beginning is written to find out.
pub fn fits(numbers: &Numbers, most: usize, style: &Style) -> bool {
    let mut columns = 0;
    part_texts(numbers, style).all(|text| {
        columns += text.chars().count();
        columns <= most
    })
}

/// The beginning of a list that does not fit, and its shape: `[[1, 2], [3, …]]   5 × 2`. The first bracket stays even if
/// it makes the line too long.
fn cut_line(numbers: &Numbers, most: usize, style: &Style) -> String {
    let shape = characters::clean(&numbers.shape);
    let end = [COMMA, characters::ELLIPSIS, GAP, &shape];
    let mut columns: usize = end.into_iter().map(characters::width).sum();
    let mut text = String::new();
    // The number of lists that are open at the end of the text.
    let mut depth = 0_usize;
    for (part, written) in numbers.parts.iter().zip(part_texts(numbers, style)) {
        // An opening bracket reserves a column for its closing one, which then needs no other.
        let (more_columns, new_depth) = match part {
            NumberPart::Open => (written.chars().count() + 1, depth + 1),
            NumberPart::Close => (0, depth - 1),
            _ => (written.chars().count(), depth),
        };
        columns += more_columns;
        if columns > most && !text.is_empty() {
            break;
        }
        text.push_str(&written);
        depth = new_depth;
    }
    let comma = if text.ends_with('[') { "" } else { COMMA };
    let dots = characters::ELLIPSIS;
    let brackets = "]".repeat(depth);
    format!("{text}{comma}{dots}{brackets}{GAP}{shape}")
}

/// The text of each part of a list, with a comma before each element but the first of its list.
fn part_texts(numbers: &Numbers, style: &Style) -> impl Iterator<Item = String> {
    // The first part has nothing before it, like a part after an opening bracket.
    let before = iter::once(&NumberPart::Open).chain(&numbers.parts);
    let digits = if numbers.is_list() {
        style.table_digits
    } else {
        style.digits
    };
    before.zip(&numbers.parts).map(move |(before, part)| {
        let text = part_text(part, digits);
        let has_comma = *before != NumberPart::Open && *part != NumberPart::Close;
        let comma = if has_comma { COMMA } else { "" };
        format!("{comma}{text}")
    })
}

/// The text of a part without a comma.
fn part_text(part: &NumberPart, digits: u8) -> String {
    match part {
        NumberPart::Open => "[".to_string(),
        NumberPart::Number(value) => number::text(*value, digits),
        NumberPart::Measurement(of) => number::measurement_text(of, digits),
        NumberPart::Truth(holds) => truth_word(*holds).to_string(),
        NumberPart::Close => "]".to_string(),
    }
}
