//! Settings: what the user may choose, each with a named default. Undone like every change.
//!
//! What each one means for the screen is the views' affair.

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables and pictures.
    pub table_digits: u8,
    /// The most rows a text table shows; named nodes come first.
    pub table_rows: usize,
}

/// Significant digits of a single result, unless set.
pub const DIGITS: u8 = 12;
/// Significant digits in tables, unless set.
pub const TABLE_DIGITS: u8 = 6;
/// From this many digits on a number is shown exactly.
pub const MOST_DIGITS: u8 = 17;
/// Rows of a text table, unless set.
pub const TABLE_ROWS: usize = 1_000;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            digits: DIGITS,
            table_digits: TABLE_DIGITS,
            table_rows: TABLE_ROWS,
        }
    }
}

impl Settings {
    /// `:digits N` and `--digits N`: single results and tables.
    pub fn set_digits(&mut self, digits: u8) {
        self.digits = digits;
        self.table_digits = digits;
    }
}
