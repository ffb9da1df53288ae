#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod column;
mod dates;
mod dialects;
mod encoding;
mod error;
mod header;
mod layout;
mod lines;
mod number;
mod number_table;
mod rows;
mod survey;
mod text_line;

use self::column::{CellPlace, ColumnConverter};
pub use self::dates::calendar;
pub use self::error::{CellFault, TableError, TableFault};
use self::layout::TableLayout;
use self::lines::line_ends;
use self::number::{MarkEvidence, NumberMarks};
pub use self::number_table::{CellReading, ColumnKind, DateOrder, NumberTable, TableColumn};
use self::rows::RowReader;
use self::survey::ColumnSurvey;
use chainrule_report::{Line, plural, say};

/// Reads the table in a file with these contents, which may have at most `most` numbers. All rows are read twice: first to
/// find what the columns contain and what points and commas mean, then to convert the cells.
pub fn read(
    bytes: &[u8],
    file: &str,
    reading: CellReading,
    most: usize,
) -> Result<NumberTable, TableError> {
    let (decoded, encoding_note) = encoding::text(bytes, file)?;
    let readable = dialects::as_csv(decoded);
    let (separator, text) = dialects::known_separator(&readable);
    let layout = TableLayout::of(text, separator);
    let rows = RowReader {
        file,
        text,
        layout: &layout,
        most,
    };
    let mut surveys: Vec<ColumnSurvey> = Vec::new();
    let mut evidence = MarkEvidence::default();
    let note_below = rows.visit(|cells, _| {
        surveys.resize_with(cells.len(), || ColumnSurvey::new(reading.order));
        for (cell, survey) in cells.iter().zip(&mut surveys) {
            survey.see(cell, &mut evidence);
        }
    })?;
    if surveys.is_empty() {
        return Err(no_rows(text, &layout).at(file));
    }
    // A point between commas or blanks is a decimal point, so there is no doubt about it.
    let may_group = layout.width == 1 || b";\t|".contains(&layout.separator);
    let doubt = evidence.doubt().filter(|_| may_group);
    let (marks, guess) = evidence.marks(layout.separator, reading.has_thousands);
    let mut notes: Vec<Line> = encoding_note.into_iter().collect();
    notes.extend(skipped_above(text, &layout));
    notes.extend(note_below);
    notes.extend(guess.or(doubt));
    let has_dates = surveys.iter().any(|it| it.kind() == ColumnKind::Dates);
    let results = surveys.into_iter().map(|it| it.result(reading, has_dates));
    let mut converter = RowConverter {
        file,
        marks,
        columns: results.map(ColumnConverter::new).collect(),
        numbers: Vec::new(),
        rows: 0,
    };
    rows.visit(|cells, line| converter.read(cells, line))?;
    let widths = converter.widths();
    let columns = converter.columns.into_iter();
    Ok(NumberTable {
        columns: columns.map(|it| it.finish(converter.rows)).collect(),
        header: layout.header,
        numbers: converter.numbers,
        widths,
        notes,
    })
}

/// The reason why a text has no rows.
fn no_rows(text: &str, layout: &TableLayout) -> TableFault {
    if text.trim().is_empty() {
        TableFault::Empty
    } else if layout.header.is_some() {
        TableFault::OnlyHeader
    } else {
        TableFault::NoNumbers
    }
}

/// The note about lines above the table, if there are some.
fn skipped_above(text: &str, layout: &TableLayout) -> Option<Line> {
    if layout.skipped == 0 {
        return None;
    }
    let line = 1 + line_ends(&text.as_bytes()[..layout.first_line_end - 1]);
    let count = plural(layout.skipped, "line");
    Some(say!(
        "the table begins in line {}: {} above it skipped",
        line.to_string(),
        count
    ))
}

/// Converts rows to numbers.
struct RowConverter<'t> {
    file: &'t str,
    marks: NumberMarks,
    columns: Vec<ColumnConverter>,
    /// The numbers so far, row by row.
    numbers: Vec<f64>,
    rows: usize,
}

impl RowConverter<'_> {
    /// Converts the cells of a row, which ends on this line.
    fn read(&mut self, cells: &[&str], line: usize) {
        for ((column, cell), number) in self.columns.iter_mut().zip(cells).zip(1..) {
            let place = CellPlace {
                file: self.file,
                line,
                row: self.rows,
                column: number,
            };
            self.numbers.push(column.read(cell, self.marks, place));
        }
        self.rows += 1;
    }

    /// The widths of all numbers, row by row; empty if no column has widths.
    fn widths(&self) -> Vec<f64> {
        let mut widths = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            for (row, width) in &column.widths {
                widths.resize(self.numbers.len(), 0.0);
                widths[row * self.columns.len() + at] = *width;
            }
        }
        widths
    }
}
