//! A table as the reader returns it: its numbers, and knowledge about its columns.

use crate::TableError;
use chainrule_report::{Calendar, Line};

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
    pub notes: Vec<Line>,
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
    /// The first date or time as text, and the place where times of day pass midnight.
    pub first: String,
    /// The error of the first cell that cannot be read.
    pub fault: Option<TableError>,
    /// The different words of its cells, in order of appearance: the words of the classes 0, 1, …, or words among numbers.
    pub words: Vec<Box<str>>,
    /// In a column of numbers, the rows with a word instead, each with the index of its word.
    pub rows: Vec<(u32, u8)>,
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
