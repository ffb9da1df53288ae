//! What a reader gives: numbers, and what is known of their columns.

use crate::TableError;
use chainrule_report::{Calendar, Line};

/// A table of numbers.
#[derive(Debug)]
pub struct NumberTable {
    /// The cells of the header, if there is one.
    pub header: Option<Vec<String>>,
    /// What is known about each column.
    pub columns: Vec<TableColumn>,
    /// The numbers, row by row; dates are days since the first one. A cell that is empty or has no number is NaN.
    pub numbers: Vec<f64>,
    /// The widths after `±` of these numbers, 0 where there is none; empty if there is no `±`.
    pub widths: Vec<f64>,
    /// What the user should know about how the file was read.
    pub notes: Vec<Line>,
}

/// What stands first in a date whose year stands last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `15/3/2024`
    DayFirst,
    /// `3/15/2024`
    MonthFirst,
}

/// What the user says of cells that do not show it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellReading {
    /// What stands first in dates.
    pub order: Option<DateOrder>,
    /// Times such as `0:24:31` are durations.
    pub has_durations: bool,
    /// The point of `1.234`, or the comma of `1,234`, groups digits.
    pub has_thousands: bool,
}

/// What is known about a column of a table.
#[derive(Debug, Default)]
pub struct TableColumn {
    /// What its cells have.
    pub kind: ColumnKind,
    /// What dates or times of day count from.
    pub calendar: Option<Calendar>,
    /// The first date or time, and where times of day start again.
    pub first: String,
    /// What is wrong with the first cell that cannot be read.
    pub fault: Option<TableError>,
    /// The words of its cells, in order of appearance: those of the classes 0, 1, …, or those among numbers.
    pub words: Vec<Box<str>>,
    /// The rows of numbers that have one, and which one.
    pub rows: Vec<(u32, u8)>,
}

/// What the cells of a column have.
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
    /// Text of few different words: their numbers.
    Classes,
}
