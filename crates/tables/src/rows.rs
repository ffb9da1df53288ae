//! Reads the rows of a table, and recognizes the lines below it, such as a sum.

use csv::{Reader, StringRecord};

use super::layout::TableLayout;
use super::lines;
use super::text_line::CellKind;
use crate::{TableError, TableFault};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, plural, say};
use chainrule_stop as stop;

/// The words of sums, means and deviations, in several languages, with which a line below the table may begin. A blank
/// is on both sides of each word, so that a part of a word is not found.
const SUMMARY_WORDS: &str =
    " total totals subtotal sum summe gesamt somme suma mean average mittelwert std sd stdev ";

/// Reads the rows of a table in a text.
pub(super) struct RowReader<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) layout: &'t TableLayout,
    /// The most numbers that the table may have.
    pub(super) most: usize,
}

impl RowReader<'_> {
    /// Calls `visit` with the cells of each row and the number of the line on which the row ends. Returns a note about
    /// the lines below the rows.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(&[&str], usize),
    ) -> Result<Option<Line>, TableError> {
        let separator = self.layout.separator;
        let mut reader = lines::reader(self.text, separator);
        let mut record = StringRecord::new();
        let mut rows_left = self.most / self.width().max(1);
        let mut take_row = |cells: &[&str], line: usize| -> Result<(), TableError> {
            self.check(cells.len(), line, rows_left)?;
            rows_left -= 1;
            visit(cells, line);
            Ok(())
        };
        // The number of lines with cells so far, which includes those above the first row.
        let mut passed = 0;
        // The lines that may be below the table, each with the number of the line on which it ends.
        let mut below: Vec<(StringRecord, usize)> = Vec::new();
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
            let is_first = passed == self.layout.above + 1;
            if !is_first && is_below(&cells, self.width()) {
                below.push((record.clone(), line));
                continue;
            }
            // A line that looks like one below the table is a row if another row follows.
            for (earlier, earlier_line) in below.drain(..) {
                take_row(&lines::cells(&earlier, separator), earlier_line)?;
            }
            take_row(&cells, line)?;
        }
        Ok(self.skipped_below(&below))
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

    /// Checks the length of a row, and that at least one row is left.
    fn check(&self, cells: usize, line: usize, rows_left: usize) -> Result<(), TableError> {
        let fault = if cells != self.width() {
            TableFault::RowLength {
                cells,
                width: self.width(),
                separator: self.layout.separator.into(),
            }
        } else if rows_left == 0 {
            TableFault::TooMany { most: self.most }
        } else {
            return Ok(());
        };
        Err(fault.at(format!("{}:{line}", self.file)))
    }

    /// The note about lines below the table, if there are some.
    fn skipped_below(&self, below: &[(StringRecord, usize)]) -> Option<Line> {
        let (first, _) = below.first()?;
        let text = lines::cells(first, self.layout.separator).join(" ");
        let count = plural(below.len(), "line");
        Some(say!(
            "{} below the table skipped: `{}`",
            count,
            shorten_quotation(text.trim())
        ))
    }
}

/// Whether a line may stand below the table: it is a summary, or it begins with a word and has more or fewer cells than
/// a row.
fn is_below(cells: &[&str], width: usize) -> bool {
    let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else {
        return false;
    };
    let is_other_word = cells.len() != width && CellKind::of(first) == CellKind::Word;
    is_other_word || is_summary_word(first)
}

/// Whether a cell is a word that begins a summary: `Total`, `Sum =`, `Mittelwert:`.
fn is_summary_word(cell: &str) -> bool {
    // Most cells are numbers, and this test is fast.
    if !cell.starts_with(char::is_alphabetic) {
        return false;
    }
    let word = cell.trim_end_matches([':', '=', ' ']).to_lowercase();
    SUMMARY_WORDS.contains(&format!(" {word} "))
}
