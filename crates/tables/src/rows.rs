//! Reads the rows of a table, and leaves out the other lines between and below them, such as a sum.
//!
//! `lib` reads the rows twice, for the survey and for the numbers.

use std::cmp::Ordering;

use csv::{Reader, StringRecord};

use super::layout::TableLayout;
use super::lines;
use super::text_line::CellKind;
use crate::{TableError, TableFault};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, Note, plural, say};
use chainrule_stop as stop;

/// The words of sums, means and deviations, in several languages, with which a line below the table may begin. Points
/// are left out.
#[rustfmt::skip]
const SUMMARY_WORDS: [&str; 17] = [
    "total", "totals", "subtotal", "sum", "summe", "gesamt", "somme", "suma", "mean", "average", "mittelwert", "std", "sd",
    "stdev", "std dev", "standard deviation", "standardabweichung",
];

/// The fewest rows of a table that may have other lines between its rows, or a last line that is cut off.
const LEAST_ROWS: usize = 3;
/// There may be one other line between this many rows, and at least one.
const ROWS_PER_OTHER: usize = 100;

/// A line that is perhaps no row, and its number.
type OtherLine = (StringRecord, usize);

/// Reads the rows of a table in a text.
pub(super) struct RowReader<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) layout: &'t TableLayout,
    /// The most numbers that the table may have.
    pub(super) most: usize,
}

impl RowReader<'_> {
    /// Calls `visit` with the cells of each row and the number of the line on which the row ends. Returns notes about
    /// other lines, between the rows and below them.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(&[&str], usize),
    ) -> Result<Vec<Note>, TableError> {
        let separator = self.layout.separator;
        let mut reader = lines::reader(self.text, separator);
        let mut record = StringRecord::new();
        let mut take_row = |cells: &[&str], line: usize, rows: &mut usize| {
            self.count_row(cells, line, rows)?;
            visit(cells, line);
            Ok(())
        };
        let mut rows = 0;
        // The number of lines with cells so far, which includes those above the first row.
        let mut passed = 0;
        // The lines that may be below the table, and those that would be below it, if no row had followed.
        let mut below: Vec<OtherLine> = Vec::new();
        let mut between: Vec<OtherLine> = Vec::new();
        for turn in 0.. {
            stop::ask(turn);
            // There is no error: bytes in memory can be read, and rows of any length are accepted.
            if !reader.read_record(&mut record).unwrap_or(false) {
                break;
            }
            let cells = lines::cells(&record, separator);
            if lines::is_blank(&cells) {
                continue;
            }
            passed += 1;
            if passed <= self.layout.above {
                continue;
            }
            let line = self.last_line(&reader);
            if rows > 0 && self.is_other(&cells, rows, !below.is_empty()) {
                below.push((record.clone(), line));
                continue;
            }
            for (earlier, earlier_line) in below.drain(..) {
                let passed_cells = lines::cells(&earlier, separator);
                let has_number = passed_cells.iter().any(|cell| is_number(cell));
                // What looks like a line below the table is a row if it has a number, or as many cells as a row.
                if has_number || passed_cells.len() == self.width() {
                    take_row(&passed_cells, earlier_line, &mut rows)?;
                } else {
                    between.push((earlier, earlier_line));
                }
            }
            take_row(&cells, line, &mut rows)?;
        }
        let most_between = match rows {
            0..LEAST_ROWS => 0,
            count => (count / ROWS_PER_OTHER).max(1),
        };
        if let Some((extra, line)) = between.get(most_between) {
            self.count_row(&lines::cells(extra, separator), *line, &mut rows)?;
        }
        let note_between = self.note(&between, "between the rows left out");
        let note_below = self.note(&below, "below the table skipped");
        let fault = note_between.map(|line| Note::new(line).as_fault());
        Ok(fault.into_iter().chain(note_below.map(Note::new)).collect())
    }

    /// Whether a line may be no row: a summary, text, or a last row that is cut off. It follows this many rows, perhaps
    /// with other lines below them.
    fn is_other(&self, cells: &[&str], rows: usize, has_others: bool) -> bool {
        let first = cells.iter().find(|cell| !cell.is_empty()).unwrap_or(&"");
        match cells.len().cmp(&self.width()) {
            Ordering::Equal => is_summary_word(first) || self.is_text(cells),
            Ordering::Less if is_number(first) => rows >= LEAST_ROWS && !has_others,
            _ => !is_number(first),
        }
    }

    /// Whether a line as long as a row begins with a letter and has no number, where other rows begin with a number, or has
    /// nothing behind its first cell. A last row with a name and without a number is not told from it.
    fn is_text(&self, cells: &[&str]) -> bool {
        // Most cells do not even begin with a letter, which is a fast test.
        cells.len() > 1
            && cells[0].starts_with(char::is_alphabetic)
            && (self.layout.has_number_first || cells[1..].iter().all(|cell| cell.is_empty()))
            && !cells.iter().any(|cell| is_number(cell))
    }

    /// The number of the line on which the row that was read last ends.
    fn last_line(&self, reader: &Reader<&[u8]>) -> usize {
        let end = reader.position();
        // The reader's number is 1 more than the line feeds that it has passed. It has passed the one that ends the
        // row, except after CR LF, where it stops between the two.
        let has_passed_line_feed = self.text[..end.byte() as usize].ends_with('\n');
        end.line() as usize - usize::from(has_passed_line_feed)
    }

    /// The number of cells that each row must have.
    fn width(&self) -> usize {
        let header = self.layout.header.as_ref();
        header.map_or(self.layout.width, Vec::len)
    }

    /// Counts a row. Refuses one of another length than the others, or if there are too many.
    fn count_row(&self, cells: &[&str], line: usize, rows: &mut usize) -> Result<(), TableError> {
        let width = self.width();
        let fault = if cells.len() != width {
            TableFault::RowLength {
                cells: cells.len(),
                width,
                separator: self.layout.separator.into(),
            }
        } else if *rows >= self.most / width.max(1) {
            TableFault::TooMany { most: self.most }
        } else {
            *rows += 1;
            return Ok(());
        };
        Err(fault.at(format!("{}:{line}", self.file)))
    }

    /// The note about lines that are no rows, if there are some.
    fn note(&self, others: &[OtherLine], what: &str) -> Option<Line> {
        let (first, _) = others.first()?;
        let text = lines::cells(first, self.layout.separator).join(" ");
        let quotation = shorten_quotation(text.trim());
        let count = plural(others.len(), "line");
        Some(say!("{} {}: `{}`", count, what, quotation))
    }
}

/// Whether a cell is a number, a date or a time.
fn is_number(cell: &str) -> bool {
    CellKind::of(cell) == CellKind::Number
}

/// Whether a cell is a word that begins a summary: `Total`, `Sum =`, `Mittelwert:`.
fn is_summary_word(cell: &str) -> bool {
    // Most cells are numbers, and this test is fast.
    if !cell.starts_with(char::is_alphabetic) {
        return false;
    }
    let word = cell.trim_end_matches([':', '=', ' ']).replace('.', "");
    SUMMARY_WORDS.contains(&word.to_lowercase().as_str())
}
