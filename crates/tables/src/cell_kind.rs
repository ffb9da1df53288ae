//! Decides whether a cell by itself is a number, a word or nothing.

use super::dates::DateReader;
use super::number::CellNumber;
use super::survey::is_missing;

/// The words of instruments for a number that is too large for them.
const TOO_LARGE: &str = " ol ovl ovld over overload overflow overrange ";

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    Nothing,
    /// A word in place of a number: `NA`, `OVLD`, `<0.01`.
    Gap,
    Number,
    Word,
}

impl CellKind {
    pub(super) fn of(cell: &str) -> CellKind {
        let is_too_large = || TOO_LARGE.contains(&format!(" {} ", cell.to_lowercase()));
        let bound = cell.trim_start_matches(['<', '>', '≤', '≥', ' ']);
        let is_number = |text: &str| CellNumber::read(text).is_some();
        match cell {
            "" => CellKind::Nothing,
            _ if is_missing(cell) || is_too_large() => CellKind::Gap,
            _ if bound.len() < cell.len() && is_number(bound) => CellKind::Gap,
            _ if is_number(cell) || DateReader::default().read(cell).is_some() => CellKind::Number,
            _ => CellKind::Word,
        }
    }
}
