//! A list as text: on one line up to the width, or a table of rows.

use super::characters::{self, push_blanks};
use super::text::column::{CellPart, Extent};
use super::theme::Role;
use super::{Style, number};
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

/// A list of rows of one length as a table, its numbers aligned on their decimal points: at most so many rows, and the
/// columns that fit. A line below tells the shape if something is left out. Returns whether the list is one of rows.
pub(crate) fn table(numbers: &Numbers, rows: usize, style: &Style, out: &mut String) -> bool {
    let [all_rows, all_columns] = numbers.lengths[..] else {
        return false;
    };
    let values = numbers.parts.iter().filter_map(|part| match part {
        NumberPart::Number(value) => Some(*value),
        NumberPart::Open | NumberPart::Close => None,
    });
    let values: Vec<f64> = values.take(rows.saturating_mul(all_columns)).collect();
    let part = |value: f64| {
        let text = number::text(value, style.table_digits);
        CellPart::number(text, Role::of(value))
    };
    let room = style.room();
    let dots = characters::ellipsis(style.ascii);
    // The columns that fit, each with its start; there must be room for the dots if others follow.
    let mut columns: Vec<(usize, Extent)> = Vec::new();
    let mut start = INDENT;
    for column in 0..all_columns {
        let mut extent = Extent::default();
        for &value in values.iter().skip(column).step_by(all_columns) {
            extent.take(&part(value));
        }
        let dots = if column + 1 < all_columns {
            GAP + characters::width(dots)
        } else {
            0
        };
        if start + extent.width() + dots > room && !columns.is_empty() {
            break;
        }
        columns.push((start, extent));
        start += extent.width() + GAP;
    }
    let all = columns.len() == all_columns;
    for row in values.chunks(all_columns) {
        let mut at = 0;
        for (&value, (start, extent)) in row.iter().zip(&columns) {
            let part = part(value);
            let begin = start + extent.left - part.left;
            push_blanks(begin - at, out);
            style.paint(&part.text, part.role, out);
            at = begin + part.left + part.right;
        }
        if !all {
            push_blanks(start - at, out);
            style.paint(dots, Role::Dim, out);
        }
        out.push('\n');
    }
    if !all || all_rows > rows {
        push_blanks(INDENT, out);
        let shape = characters::clean(&numbers.shape, style.ascii);
        style.paint(&format!("{dots} {shape}"), Role::Dim, out);
        out.push('\n');
    }
    true
}

/// The blanks before the first column and between two.
const INDENT: usize = 2;
const GAP: usize = 2;
