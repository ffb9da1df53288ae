//! Why a table cannot be read: the fault and its place. The caller knows the ways out.

use std::error::Error;
use std::fmt;

use chainrule_report::{count_text, plural};

/// Why a table, or a column of it, cannot be read. As text it is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The file, with the line and the cell if the error is about one: `f.csv:3:2`.
    pub place: String,
    /// What is wrong there.
    pub fault: TableFault,
}

/// What is wrong with a file, a row or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFault {
    /// The bytes are no text.
    NoText,
    /// The text is empty.
    Empty,
    /// There is a header, but no row.
    OnlyHeader,
    /// There is neither a header nor a row.
    NoNumbers,
    /// There are more numbers than the caller accepts.
    TooMany {
        /// The most numbers.
        most: usize,
    },
    /// A row is longer or shorter than the first line.
    RowLength {
        /// The number of its cells.
        cells: usize,
        /// The number of cells in the first line.
        width: usize,
        /// The sign between cells.
        separator: char,
    },
    /// A cell is not a number, or not a date among dates.
    Cell {
        /// The text of the cell.
        text: String,
        /// The reason.
        fault: CellFault,
    },
}

/// The reason why a cell is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellFault {
    /// It is beyond the largest double.
    TooLarge,
    /// It has a decimal comma among numbers with decimal points, or a decimal point among decimal commas.
    OtherMark,
    /// It is not a date, but its column has dates.
    NoDate,
    /// It is a date that may begin with the day or with the month.
    NoOrder,
    /// Anything else.
    Word,
}

impl TableFault {
    /// The error at this place.
    pub(crate) fn at(self, place: impl Into<String>) -> TableError {
        TableError {
            place: place.into(),
            fault: self,
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}`", self.place)?;
        match &self.fault {
            TableFault::NoText => f.write_str(" is not a file of text"),
            TableFault::Empty => f.write_str(" is empty"),
            TableFault::OnlyHeader => f.write_str(" has a header, and no numbers below it"),
            TableFault::NoNumbers => f.write_str(" has no numbers"),
            TableFault::TooMany { most } => {
                write!(f, ": there are more than {} numbers", count_text(*most))
            }
            TableFault::RowLength { cells, width, .. } => {
                let cells = plural(*cells, "cell");
                write!(f, ": this row has {cells}, the first line has {width}")
            }
            TableFault::Cell { text, fault } => {
                let what = match fault {
                    CellFault::NoDate => "is no date, unlike most of its column",
                    CellFault::NoOrder => "begins with the day or with the month",
                    CellFault::TooLarge => "is too large for a number",
                    CellFault::OtherMark => {
                        "has another decimal mark than other numbers of the file"
                    }
                    CellFault::Word => "is not a number",
                };
                write!(f, ": `{text}` {what}")
            }
        }
    }
}

impl Error for TableError {}
