//! A list of rows as a table without titles, its numbers aligned on their decimal points.
//!
//! Columns and rows that do not fit are left out, and a last line tells the shape. JSON has all of them.

use super::column::{CellPart, Extent};
use crate::report::{NumberPart, Numbers};
use crate::view::characters::push_blanks;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

/// The blanks before the first column and between two.
const INDENT: usize = 2;
const GAP: usize = 2;

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
        let shape = characters::clean_name(&numbers.shape, style.ascii);
        style.paint(&format!("{dots} {shape}"), Role::Dim, out);
        out.push('\n');
    }
    true
}
