//! Reads the first lines of a text with the kinds of their cells.

use std::collections::HashMap;

use csv::StringRecord;

use super::dates::DateReader;
use super::lines::{cells, is_blank, reader};
use super::number::{CellNumber, read_quantity};
use super::survey::is_missing;
use chainrule_stop as stop;

/// The most lines that are searched for the heading. No instrument writes more above its numbers.
const MAX_HEAD_LINES: usize = 1000;
/// After this many bytes the search for the heading ends, but not before it has read [`MIN_HEAD_LINES`] lines.
const MAX_HEAD_BYTES: u64 = 256 << 10;
/// The number of lines that are searched however long they are.
const MIN_HEAD_LINES: usize = 10;

/// The words of instruments for a number that is too large for them. A cell is one of them if it is in this text with a
/// blank on each side.
const TOO_LARGE: &str = " ol ovl ovld over overload overflow overrange ";

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    /// An empty cell.
    Nothing,
    /// A text in place of a number: `NA`, `OVLD`, `<0.01`.
    Gap,
    /// A number, or a date or time, which becomes a number.
    Number,
    /// Any other text.
    Word,
}

impl CellKind {
    /// The kind of a cell without blanks at its ends.
    pub(super) fn of(cell: &str) -> CellKind {
        let is_too_large = || TOO_LARGE.contains(&format!(" {} ", cell.to_lowercase()));
        let is_number = |text: &str| CellNumber::read(text).is_some();
        let is_date = || DateReader::default().read(cell).is_some();
        // The number of a cell such as `<0.01`, which only bounds a value.
        let bound = cell.trim_start_matches(['<', '>', '≤', '≥', ' ']);
        let has_sign = bound.len() < cell.len();
        match cell {
            "" => CellKind::Nothing,
            _ if is_missing(cell) || is_too_large() => CellKind::Gap,
            _ if has_sign && is_number(bound) => CellKind::Gap,
            _ if is_number(cell) || is_date() => CellKind::Number,
            _ => CellKind::Word,
        }
    }
}

/// A line with cells.
pub(super) struct TextLine {
    pub(super) cells: Vec<String>,
    /// The kind of each cell.
    pub(super) kinds: Vec<CellKind>,
    /// The byte of the text where the line ends.
    pub(super) end: usize,
}

impl TextLine {
    /// Whether the line has a cell of this kind.
    pub(super) fn has(&self, kind: CellKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether the line may be a row of the same table above `row`: it has as many cells, at least one of them is a
    /// number or a gap, and no word is above a number.
    pub(super) fn is_like(&self, row: &TextLine) -> bool {
        let mut pairs = self.kinds.iter().zip(&row.kinds);
        self.kinds.len() == row.kinds.len()
            && (self.has(CellKind::Number) || self.has(CellKind::Gap))
            && pairs.all(|(kind, below)| *below != CellKind::Number || *kind != CellKind::Word)
    }
}

/// The lines with cells among the first lines, which may be rows or stand above the heading.
pub(super) fn first_lines(text: &str, separator: u8) -> Vec<TextLine> {
    let mut reader = reader(text, separator);
    let mut record = StringRecord::new();
    let mut lines = Vec::new();
    let must_read_more = |count: usize, bytes: u64| {
        count < MIN_HEAD_LINES || count < MAX_HEAD_LINES && bytes < MAX_HEAD_BYTES
    };
    while must_read_more(lines.len(), reader.position().byte())
        && reader.read_record(&mut record).unwrap_or(false)
    {
        stop::ask_now();
        let cells = cells(&record, separator);
        if !is_blank(&cells) {
            lines.push(TextLine {
                kinds: cells.iter().map(|cell| CellKind::of(cell)).collect(),
                cells: cells.into_iter().map(str::to_owned).collect(),
                end: reader.position().byte() as usize,
            });
        }
    }
    mark_quantities(&mut lines);
    lines
}

/// Takes cells such as `1.5 V` for numbers if several cells of a column have the same unit. A single one may be a heading.
fn mark_quantities(lines: &mut [TextLine]) {
    let mut last: HashMap<(usize, String), usize> = HashMap::new();
    for at in 0..lines.len() {
        for column in 0..lines[at].cells.len() {
            if lines[at].kinds[column] == CellKind::Word
                && let Some((_, unit)) = read_quantity(&lines[at].cells[column])
                && let Some(above) = last.insert((column, unit.to_owned()), at)
            {
                lines[above].kinds[column] = CellKind::Number;
                lines[at].kinds[column] = CellKind::Number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_at_long_lines_ends_early() {
        let looked_at = |line: &str| first_lines(&line.repeat(2000), b',').len();
        let [short, long, longest] = [1, 1000, 20_000].map(|cells| "1,".repeat(cells) + "1\n");
        assert_eq!(looked_at(&short), MAX_HEAD_LINES);
        // 256 KiB have 131 lines of 2,002 bytes.
        assert_eq!(looked_at(&long), 131);
        assert_eq!(looked_at(&longest), MIN_HEAD_LINES);
    }
}
