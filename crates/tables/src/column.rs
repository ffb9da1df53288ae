//! What the cells of a column are: numbers, dates, words, or missing values. `table` reads it row by row.

use std::mem;

use super::dates::{Date, DateReader};
use super::number::NumberMarks;
use crate::{CellFault, ColumnKind, DateOrder, TableColumn, TableError, TableFault};

/// The most different words of a column that are told apart.
const MOST_WORDS: usize = 50;

/// What stands for a cell without a value. The errors of spreadsheets begin with `#`, too.
const MISSING: [&str; 11] = [
    ".", "na", "nan", "n/a", "null", "div/0!", "value!", "ref!", "name?", "num!", "null!",
];

/// A time of day that is so many seconds earlier than the one above it is on another day.
const HALF_A_DAY: f64 = 43_200.0;

/// A column while it is read.
#[derive(Debug, Default)]
pub(super) struct ColumnReader {
    /// Empty up to the first cell that is a number or a date.
    kind: ColumnKind,
    dates: DateReader,
    first_date: Option<(Date, String)>,
    /// What is wrong if nothing shows whether days or months stand first.
    no_order: Option<TableError>,
    /// Where the time of day is much earlier than in the row above, and that time.
    starts_again: Option<String>,
    last: f64,
    /// How many numbers or dates there are.
    values: usize,
    /// The different words in order of appearance, up to one too many, and in which rows which of them stands.
    words: Vec<Box<str>>,
    rows: Vec<(u32, u8)>,
    /// How many cells are words, and what is wrong with the first one.
    count: usize,
    first_word: Option<TableError>,
    fault: Option<TableError>,
}

impl ColumnReader {
    /// A column of which nothing is known, except for what the user says of its dates.
    pub(super) fn new(order: Option<DateOrder>) -> ColumnReader {
        ColumnReader {
            dates: DateReader {
                order,
                is_guess: false,
            },
            ..ColumnReader::default()
        }
    }

    /// Whether dates were read before a later one showed what stands first in them.
    pub(super) fn is_wrong(&self) -> bool {
        self.dates.is_guess && self.dates.order.is_some()
    }

    /// The same column, for a file that is read again.
    pub(super) fn again(self) -> ColumnReader {
        ColumnReader::new(self.dates.order)
    }

    /// Reads the cell of a row.
    pub(super) fn read(
        &mut self,
        cell: &str,
        row: usize,
        marks: &mut NumberMarks,
        mut place: impl FnMut() -> String,
    ) -> f64 {
        let mut error = |fault| {
            let text = cell.to_owned();
            TableFault::Cell { text, fault }.at(place())
        };
        match self.value(cell, marks) {
            Ok(value) => {
                if self.dates.is_guess && self.no_order.is_none() {
                    self.no_order = Some(error(CellFault::NoOrder));
                }
                if self.kind == ColumnKind::Times {
                    if value < self.last - HALF_A_DAY && self.starts_again.is_none() {
                        self.starts_again = Some(error(CellFault::NoDate).place);
                    }
                    self.last = value;
                }
                self.values += usize::from(!value.is_nan());
                return value;
            }
            Err(CellFault::Word | CellFault::NoDate) if is_missing(cell) => {}
            Err(fault @ (CellFault::Word | CellFault::NoDate)) => {
                if self.count == 0 {
                    self.first_word = Some(error(fault));
                }
                self.word(cell, row);
            }
            Err(fault) => {
                self.kind = ColumnKind::Numbers;
                self.values += 1;
                self.fault.get_or_insert_with(|| error(fault));
            }
        }
        f64::NAN
    }

    /// The number of a cell, or how long after the first date or time it is.
    fn value(&mut self, cell: &str, marks: &mut NumberMarks) -> Result<f64, CellFault> {
        let has_dates = self.first_date.is_some();
        if (has_dates || self.kind == ColumnKind::Empty)
            && let Some(date) = self.dates.read(cell)
        {
            let first = self
                .first_date
                .get_or_insert_with(|| (date, date.text(cell)));
            self.kind = match first.0.day {
                Some(_) => ColumnKind::Dates,
                None => ColumnKind::Times,
            };
            return date.since(first.0).ok_or(CellFault::NoDate);
        }
        if has_dates {
            return Err(CellFault::NoDate);
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

    /// The column of a table, as the numbers at every so many places from one on: of text if most of its cells are words,
    /// with a fault if more than a tenth are. Of few words that are no spoilt numbers the classes go into the numbers.
    pub(super) fn finish(mut self, numbers: &mut [f64], at: usize, width: usize) -> TableColumn {
        let rows = numbers.len() / width;
        let few = self.words.len() <= MOST_WORDS;
        let is_name = |word: &str| word.starts_with(char::is_alphabetic);
        let are_names = few && self.words.iter().all(|word| is_name(word));
        if self.values == 0 && self.count > 0 && are_names {
            let missing = self.words.len() as f64;
            let cells = numbers.iter_mut().skip(at).step_by(width);
            cells.for_each(|number| *number = missing);
            for (row, word) in mem::take(&mut self.rows) {
                numbers[row as usize * width + at] = f64::from(word);
            }
            if self.count < rows {
                self.words.push("missing".into());
            }
            self.kind = ColumnKind::Classes;
        } else if self.count > self.values {
            self.kind = ColumnKind::Text;
        }
        if matches!(self.kind, ColumnKind::Classes | ColumnKind::Text) {
            return TableColumn {
                kind: self.kind,
                words: self.words,
                ..TableColumn::default()
            };
        }
        let many = self.count * 10 > rows || !few;
        let no_order = self.no_order.filter(|_| self.dates.order.is_none());
        let calendar = self.first_date.as_ref().map(|(date, _)| date.calendar());
        let mut first = self.first_date.map_or_else(String::new, |(_, text)| text);
        if let Some(place) = self.starts_again {
            first = format!("{first}; they start again at `{place}`");
        }
        TableColumn {
            kind: self.kind,
            calendar,
            first,
            fault: no_order.or(self.fault).or(self.first_word.filter(|_| many)),
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
