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
mod rows;
mod survey;
mod text_line;

use self::column::{CellPlace, ColumnConverter};
pub use self::dates::calendar;
pub use self::error::{CellFault, TableError, TableFault};
use self::layout::TableLayout;
use self::lines::line_ends;
use self::number::MarkEvidence;
use self::rows::RowReader;
use self::survey::ColumnSurvey;
use chainrule_report::{Calendar, Line, Note, plural, say};

/// A table of numbers.
#[derive(Debug)]
pub struct NumberTable {
    /// The cells of the header, if there is one.
    pub header: Option<Vec<String>>,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// The numbers, row by row. Dates are days since the first one. A cell without a number is NaN.
    pub numbers: Vec<f64>,
    /// The width after `±` of each number, 0 for a number without one; empty if there is no `±`.
    pub widths: Vec<f64>,
    /// Notes for the user about how the file was read.
    pub notes: Vec<Note>,
}

/// The order of the day and the month in a date that ends with the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `15/3/2024`
    DayFirst,
    /// `3/15/2024`
    MonthFirst,
}

/// The user's choices for cells with several meanings.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellReading {
    /// The order of day and month in dates.
    pub order: Option<DateOrder>,
    /// Whether times such as `0:24:31` are durations.
    pub has_durations: bool,
    /// Whether the point of `1.234`, or the comma of `1,234`, groups digits.
    pub has_thousands: bool,
}

/// A column of a table, without its numbers.
#[derive(Debug, Default)]
pub struct TableColumn {
    /// The kind of its cells.
    pub kind: ColumnKind,
    /// The first date or time of day, from which the numbers count.
    pub calendar: Option<Calendar>,
    /// The text of the first date, time or duration. If times of day pass midnight, it ends with the place.
    pub first_text: String,
    /// The error of the first cell that cannot be read.
    pub fault: Option<TableError>,
    /// The different words of its cells, in order of appearance: the words of the classes 0, 1, …, or words among numbers.
    pub words: Vec<Box<str>>,
    /// Whether there are only two words, a pair such as `no` and `yes`: the numbers 0 and 1.
    pub is_yes_or_no: bool,
    /// The different units behind numbers in its cells. Numbers have at most one unit.
    pub units: Vec<Box<str>>,
    /// In a column of numbers, the rows with a word instead, each with the index of its word.
    pub word_rows: Vec<(u32, u8)>,
}

/// The kind of the cells of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnKind {
    /// Nothing: all cells are empty.
    #[default]
    Empty,
    /// Numbers.
    Numbers,
    /// Days since the first date.
    Dates,
    /// Seconds since the first time of day.
    Times,
    /// Seconds of durations.
    Durations,
    /// Text that is left out.
    Text,
    /// Few different words, which are numbered.
    Classes,
}

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
    let row_notes = rows.visit(|cells, _| {
        // The first row makes the surveys. All rows have as many cells: `visit` refuses others.
        surveys.resize_with(cells.len(), || ColumnSurvey::new(reading.order));
        (cells.iter().zip(&mut surveys)).for_each(|(cell, survey)| survey.see(cell, &mut evidence));
    })?;
    if surveys.is_empty() {
        return Err(no_rows(text, &layout).at(file));
    }
    // In a table with commas or blanks between its cells, a point is a decimal point, so there is no doubt about it.
    let can_group = layout.width == 1 || b";\t|".contains(&layout.separator);
    surveys.iter_mut().for_each(ColumnSurvey::decide_others);
    let marks = evidence.marks(layout.separator, reading.has_thousands);
    let guess_note = evidence.guess_note(marks, reading.has_thousands, can_group);
    let begin_notes = encoding_note
        .into_iter()
        .chain(skipped_above(text, &layout));
    let mut notes: Vec<Note> = begin_notes.map(Note::new).collect();
    notes.extend(row_notes);
    notes.extend(guess_note.map(Note::new));
    let has_dates = surveys.iter().any(|it| it.kind() == ColumnKind::Dates);
    let to_converter = |survey| ColumnConverter::new(survey, reading, has_dates);
    let mut columns: Vec<ColumnConverter> = surveys.into_iter().map(to_converter).collect();
    let mut numbers = Vec::new();
    rows.visit(|cells, line| {
        for ((column, cell), number) in columns.iter_mut().zip(cells).zip(1..) {
            let place = CellPlace { file, line, number };
            numbers.push(column.read(cell, marks, place));
        }
    })?;
    Ok(NumberTable {
        header: layout.header,
        widths: widths(&columns, numbers.len()),
        columns: columns.into_iter().map(ColumnConverter::finish).collect(),
        numbers,
        notes,
    })
}

/// The widths of this many numbers, row by row; empty if no column has widths.
fn widths(columns: &[ColumnConverter], numbers: usize) -> Vec<f64> {
    let mut widths = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        for (row, width) in &column.widths {
            // The first width makes the list.
            widths.resize(numbers, 0.0);
            widths[row * columns.len() + at] = *width;
        }
    }
    widths
}

/// The reason why a text has no rows.
fn no_rows(text: &str, layout: &TableLayout) -> TableFault {
    match layout.header {
        _ if text.trim().is_empty() => TableFault::Empty,
        Some(_) => TableFault::OnlyHeader,
        None => TableFault::NoNumbers,
    }
}

/// The note about lines above the table, if there are some.
fn skipped_above(text: &str, layout: &TableLayout) -> Option<Line> {
    if layout.skipped == 0 {
        return None;
    }
    // The line break at the end of the line itself does not count.
    let before_line_break = layout.first_line_end? - 1;
    let line = 1 + line_ends(&text.as_bytes()[..before_line_break]);
    let count = plural(layout.skipped, "line");
    Some(say!(
        "the table begins in line {}: {} above it skipped",
        line.to_string(),
        count
    ))
}
