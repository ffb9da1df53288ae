//! A list on one line: its numbers in brackets up to the width, then `…` and its shape.
//!
//! A list of rows that does not fit on a line is a table: `text/table.rs`.

use super::{Style, number};
use crate::characters;
use crate::report::{NumberPart, Numbers};

/// The columns that a list may take where no width is known, as in a pipe.
const COLUMNS: usize = 100;

impl Style {
    /// The columns of a line with a list.
    pub(crate) fn room(&self) -> usize {
        self.width.unwrap_or(COLUMNS).min(COLUMNS)
    }
}

/// The columns that a list takes at least.
pub(crate) const FEWEST: usize = 24;

/// `[0.5, -1, 0.25]`, or `[0.1, 0.2, …]   16 × 2` if all of it takes more than `most` columns.
pub(crate) fn line(numbers: &Numbers, most: usize, style: &Style) -> String {
    let dots = characters::ellipsis(style.ascii);
    let shape = characters::clean(&numbers.shape, style.ascii);
    // What a cut list ends with besides its brackets: `, …` and the shape.
    let end = 5 + characters::width(dots) + characters::width(&shape);
    let mut text = String::new();
    let mut columns = 0;
    // What is kept if the list does not fit: how much of the text, and the brackets that are open there.
    let (mut kept, mut open) = (0, 0_usize);
    let mut depth = 0_usize;
    for (at, part) in numbers.parts.iter().enumerate() {
        let begins = at == 0 || numbers.parts[at - 1] == NumberPart::Open;
        let mut piece = match part {
            NumberPart::Open => "[".to_string(),
            NumberPart::Number(value) => number::text(*value, style.table_digits),
            NumberPart::Close => "]".to_string(),
        };
        if !begins && *part != NumberPart::Close {
            piece.insert_str(0, ", ");
        }
        columns += piece.chars().count();
        if columns > most {
            text.truncate(kept);
            text.push_str(if text.ends_with('[') { "" } else { ", " });
            text.push_str(dots);
            text.extend(std::iter::repeat_n(']', open));
            text.push_str("   ");
            text.push_str(&shape);
            return text;
        }
        text.push_str(&piece);
        match part {
            NumberPart::Open => depth += 1,
            NumberPart::Close => depth -= 1,
            NumberPart::Number(_) => {}
        }
        if columns + depth + end <= most || kept == 0 {
            (kept, open) = (text.len(), depth);
        }
    }
    text
}

/// Whether all of a list fits into so many columns.
pub(crate) fn fits(numbers: &Numbers, most: usize, style: &Style) -> bool {
    // Even `0, ` takes three columns.
    numbers.parts.len() <= most
        && !line(numbers, most, style).contains(characters::ellipsis(style.ascii))
}
