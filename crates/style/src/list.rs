//! Writes a list on one line: its numbers in brackets as far as they fit, then `…` and its shape.
//!
//! A list of rows that does not fit on a line becomes a table, which `text/table.rs` writes.

use super::{Style, number};
use chainrule_report::{NumberPart, Numbers, characters};

/// The most columns of a line with a list.
const MAX_COLUMNS: usize = 100;

impl Style {
    /// The columns of a line with a list, on a terminal or in a pipe.
    pub fn room(&self) -> usize {
        self.width.unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS)
    }
}

/// The fewest columns for a list, which may make its line too long.
pub const MIN_COLUMNS: usize = 24;

/// The list, `[0.5, -1, 0.25]`, or its beginning, `[0.1, 0.2, …]   16 × 2`, if all of it takes more than `most` columns.
pub fn line(numbers: &Numbers, most: usize, style: &Style) -> String {
    let dots = characters::ELLIPSIS;
    let shape = characters::clean(&numbers.shape);
    // The end of a cut list besides its brackets: a comma and a blank, `…`, three blanks, and the shape.
    let end = 5 + characters::width(dots) + characters::width(&shape);
    let mut text = String::new();
    let mut columns = 0;
    let mut depth = 0_usize;
    // The beginning that remains if the list does not fit: its length, and the number of lists that are open at its end.
    let (mut kept_length, mut kept_depth) = (0, 0_usize);
    for (at, part) in numbers.parts.iter().enumerate() {
        let is_first = at == 0 || numbers.parts[at - 1] == NumberPart::Open;
        let mut piece = match part {
            NumberPart::Open => {
                depth += 1;
                "[".to_string()
            }
            NumberPart::Number(value) => number::text(*value, style.table_digits),
            NumberPart::Measurement(of) => number::measurement_text(of, style.table_digits),
            NumberPart::Close => {
                depth -= 1;
                "]".to_string()
            }
        };
        if !is_first && *part != NumberPart::Close {
            piece.insert_str(0, ", ");
        }
        columns += piece.chars().count();
        if columns > most {
            text.truncate(kept_length);
            let comma = if text.ends_with('[') { "" } else { ", " };
            let brackets = "]".repeat(kept_depth);
            return format!("{text}{comma}{dots}{brackets}   {shape}");
        }
        text.push_str(&piece);
        // At least the first bracket remains.
        if columns + depth + end <= most || kept_length == 0 {
            (kept_length, kept_depth) = (text.len(), depth);
        }
    }
    text
}

/// Whether the whole list fits into `most` columns.
pub fn fits(numbers: &Numbers, most: usize, style: &Style) -> bool {
    // Even `0, ` takes three columns.
    numbers.parts.len() <= most && !line(numbers, most, style).contains(characters::ELLIPSIS)
}
