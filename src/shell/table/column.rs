//! What the cells of a column are: numbers, dates, missing, or words. `table` reads it row by row.

use super::dates::Date;
use super::number::{CellFault, Marks};
use crate::diagnostic::Diagnostic;
use crate::session::{ColumnKind, TableColumn};

/// The most different words of a column that are told apart.
const MOST_WORDS: usize = 50;

/// What stands for a cell without a value. The errors of spreadsheets begin with `#`, too.
const MISSING: [&str; 10] = [
    "na", "nan", "n/a", "null", "div/0!", "value!", "ref!", "name?", "num!", "null!",
];

/// A column while it is read.
#[derive(Debug, Default)]
pub(super) struct ColumnReader {
    /// Empty up to the first cell that is a number or a date.
    kind: ColumnKind,
    first_date: Option<Date>,
    /// How many numbers or dates there are.
    values: usize,
    /// The different words in order of appearance, up to one too many, and in which rows which of them stands.
    words: Vec<Box<str>>,
    rows: Vec<(u32, u8)>,
    /// How many cells are words, and what is wrong with the first one.
    count: usize,
    first_word: Option<Diagnostic>,
    fault: Option<Diagnostic>,
}

impl ColumnReader {
    /// Reads the cell of a row.
    pub(super) fn read(
        &mut self,
        cell: &str,
        row: usize,
        marks: &mut Marks,
        place: impl FnOnce() -> String,
    ) -> f64 {
        match self.value(cell, marks) {
            Ok(value) => {
                self.values += usize::from(!value.is_nan());
                return value;
            }
            Err(CellFault::Word | CellFault::NoDate) if is_missing(cell) => {}
            Err(fault @ (CellFault::Word | CellFault::NoDate)) => {
                if self.count == 0 {
                    self.first_word = Some(fault.told(&place(), cell));
                }
                self.word(cell, row);
            }
            Err(fault) if self.fault.is_none() => self.fault = Some(fault.told(&place(), cell)),
            Err(_) => {}
        }
        f64::NAN
    }

    /// The number of a cell, or the days since the first date.
    fn value(&mut self, cell: &str, marks: &mut Marks) -> Result<f64, CellFault> {
        let is_open = self.kind == ColumnKind::Empty;
        if is_open || self.kind == ColumnKind::Dates {
            if let Some(date) = Date::read(cell) {
                self.kind = ColumnKind::Dates;
                return Ok(date.days_since(*self.first_date.get_or_insert(date)));
            }
            if !is_open {
                return Err(CellFault::NoDate);
            }
        }
        let number = marks.read(cell)?;
        if !number.is_nan() {
            self.kind = ColumnKind::Numbers;
        }
        Ok(number)
    }

    fn word(&mut self, cell: &str, row: usize) {
        self.count += 1;
        let known = self.words.iter().position(|word| **word == *cell);
        if known.is_none() && self.words.len() <= MOST_WORDS {
            self.words.push(cell.into());
        }
        if self.words.len() <= MOST_WORDS {
            let word = known.unwrap_or(self.words.len() - 1);
            self.rows.push((row as u32, word as u8));
        } else {
            self.rows = Vec::new();
        }
    }

    /// The column of a table of so many rows: of text if most of its cells are words, with a fault if more than a tenth
    /// are.
    pub(super) fn finish(self, rows: usize) -> TableColumn {
        let many = self.count * 10 > rows || self.words.len() > MOST_WORDS;
        if self.count > self.values {
            return TableColumn {
                kind: ColumnKind::Text(self.words[0].clone()),
                ..TableColumn::default()
            };
        }
        TableColumn {
            kind: self.kind,
            fault: self.fault.or(self.first_word.filter(|_| many)),
            words: self.words,
            rows: self.rows,
        }
    }
}

/// Whether a cell says that there is no value: `NA`, `--`, `#DIV/0!`.
pub(super) fn is_missing(cell: &str) -> bool {
    let bare = cell.trim_start_matches('#');
    cell.bytes().all(|byte| byte == b'-') || MISSING.iter().any(|it| it.eq_ignore_ascii_case(bare))
}
