//! Reads the rows of a table, and recognizes the lines below it, such as a sum.

use csv::StringRecord;

use super::layout::TableLayout;
use super::lines;
use super::text_line::CellKind;
use crate::{TableError, TableFault};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, plural, say};
use chainrule_stop as stop;

/// The first words of a line that sums up the rows above it.
const SUMS: &str =
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
    /// Calls `visit` with the cells of each row and the line on which the row ends. Returns a note about the lines below
    /// the rows.
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
        // The number of lines with cells so far.
        let mut passed = 0;
        // The lines that may be below the table, each with the number of the line on which it ends.
        let mut below: Vec<(StringRecord, usize)> = Vec::new();
        for turn in 0.. {
            stop::ask(turn);
            // Bytes in memory can be read, and rows of any length are accepted.
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
            // The reader counts line feeds. It stands behind the one of this row, but in CR LF before it.
            let end = reader.position();
            let has_line_feed = self.text[..end.byte() as usize].ends_with('\n');
            let line = end.line() as usize - usize::from(has_line_feed);
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

/// Whether a line may stand below the table: it is a sum, or it begins with a word and is shorter or longer than a row.
fn is_below(cells: &[&str], width: usize) -> bool {
    let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else {
        return false;
    };
    let is_sum = || {
        let word = first.trim_end_matches([':', '=', ' ']).to_lowercase();
        SUMS.contains(&format!(" {word} "))
    };
    cells.len() != width && CellKind::of(first) == CellKind::Word
        || first.starts_with(char::is_alphabetic) && is_sum()
}
