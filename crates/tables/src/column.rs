//! Converts the cells of a column to numbers, after a survey of all of them has found out what they are.

use super::dates::{DAY, Date, DateReader};
use super::number::{CellNumber, NumberMarks};
use super::survey::{ColumnSurvey, WordList, is_missing};
use crate::{CellFault, CellReading, ColumnKind, TableColumn, TableError, TableFault};

/// A column while its cells are converted.
#[derive(Debug, Default)]
pub(super) struct ColumnConverter {
    kind: ColumnKind,
    /// Whether times continue after midnight.
    has_next_day: bool,
    /// Knows the order of day and month if a date has proved it.
    date_reader: DateReader,
    /// The words of the classes, or the words among numbers.
    words: WordList,
    /// Whether the classes are a pair such as `no` and `yes`.
    is_yes_or_no: bool,
    /// The different units behind the numbers of the cells. A column of numbers has at most one.
    units: Vec<Box<str>>,
    /// The number of rows so far.
    rows: usize,
    /// The first date, time or duration as text, with a note about midnight once the column ends.
    first_text: String,
    first_date: Option<Date>,
    /// The place of the first time of day that is much earlier than the time above it.
    midnight: Option<String>,
    /// The time in the last cell.
    last_time: f64,
    /// The rows with `±`, and the widths there.
    pub(super) widths: Vec<(usize, f64)>,
    /// The rows with a word instead of a number, each with the index of its word.
    word_rows: Vec<(u32, u8)>,
    /// The error of the first word among numbers.
    first_word: Option<TableError>,
    /// The error of the first cell that cannot be read for another reason.
    fault: Option<TableError>,
    /// The number of cells without a class.
    missing_classes: usize,
}

/// The place of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPlace<'t> {
    pub(super) file: &'t str,
    pub(super) line: usize,
    /// The number of its column, counted from 1.
    pub(super) number: usize,
}

impl ColumnConverter {
    /// A column before its first cell.
    pub(super) fn new(
        survey: ColumnSurvey,
        reading: CellReading,
        has_dates: bool,
    ) -> ColumnConverter {
        let kind = survey.kind_to_read(reading, has_dates);
        let has_words = matches!(kind, ColumnKind::Classes | ColumnKind::Text);
        ColumnConverter {
            kind,
            is_yes_or_no: survey.is_yes_or_no,
            units: survey.units.list,
            // Beside a column of dates, the time of each day stands alone.
            has_next_day: !has_dates && survey.falls == 1,
            date_reader: survey.date_reader,
            words: Some(survey.words).filter(|_| has_words).unwrap_or_default(),
            ..ColumnConverter::default()
        }
    }

    /// Converts the cell of the next row.
    pub(super) fn read(&mut self, cell: &str, marks: NumberMarks, place: CellPlace) -> f64 {
        let row = self.rows;
        self.rows += 1;
        let value = match self.kind {
            ColumnKind::Numbers => self.number(cell, marks, row),
            ColumnKind::Dates | ColumnKind::Times | ColumnKind::Durations => self.date(cell, place),
            ColumnKind::Classes => {
                // `no` and `yes` may have capital letters.
                let lower = || self.words.find(&cell.to_lowercase());
                let known = self.words.find(cell).or_else(lower);
                let is_class = known.is_some() || !self.is_yes_or_no;
                self.missing_classes += usize::from(is_class && known.is_none());
                let class = known.unwrap_or(self.words.list.len()) as f64;
                return if is_class { class } else { f64::NAN };
            }
            ColumnKind::Empty | ColumnKind::Text => return f64::NAN,
        };
        match value {
            Ok(value) => return value,
            Err(_) if is_missing(cell) => {}
            Err(fault @ (CellFault::Word | CellFault::NoDate)) => {
                self.first_word
                    .get_or_insert_with(|| place.error(cell, fault));
                let word = self.words.add(cell);
                self.word_rows.push((row as u32, word as u8));
            }
            Err(fault) => {
                self.fault.get_or_insert_with(|| place.error(cell, fault));
            }
        }
        f64::NAN
    }

    fn number(&mut self, cell: &str, marks: NumberMarks, row: usize) -> Result<f64, CellFault> {
        let unit = self.units.first().map_or("", |unit| &**unit);
        let text = cell.strip_suffix(unit).unwrap_or_default().trim_end();
        let number = CellNumber::read(text).ok_or(CellFault::Word)?;
        if let Some(width) = number.width {
            self.widths.push((row, width.with(marks)?));
        }
        number.value.with(marks)
    }

    /// The time from the first date or time to the one in a cell, or the seconds of a duration.
    fn date(&mut self, cell: &str, place: CellPlace) -> Result<f64, CellFault> {
        let has_day = self.kind == ColumnKind::Dates;
        let is_long = |it: &Date| self.kind == ColumnKind::Times && it.seconds >= DAY;
        let is_of_kind = |it: &Date| it.day.is_some() == has_day && !is_long(it);
        let read = self.date_reader.read(cell).filter(is_of_kind);
        let date = read.ok_or(CellFault::NoDate)?;
        if self.first_text.is_empty() {
            self.first_text = date.text(cell);
        }
        if self.kind == ColumnKind::Durations {
            return Ok(date.seconds);
        }
        let first = *self.first_date.get_or_insert(date);
        let since = date.since(first).ok_or(CellFault::NoDate)?;
        if has_day && self.date_reader.is_guess {
            let error = || place.error(cell, CellFault::NoOrder);
            self.fault.get_or_insert_with(error);
        }
        if self.kind == ColumnKind::Times {
            // A little earlier than the time above it is no midnight.
            if since < self.last_time - DAY / 2.0 && self.midnight.is_none() {
                self.midnight = Some(place.text());
            }
            self.last_time = since;
        }
        let is_next_day = self.has_next_day && self.midnight.is_some();
        Ok(if is_next_day { since + DAY } else { since })
    }

    /// Ends the column after all rows. Words among numbers are a fault if they are more than a tenth of the cells, or if
    /// there are too many different words.
    pub(super) fn finish(mut self) -> TableColumn {
        let is_faulty = self.word_rows.len() * 10 > self.rows || self.words.is_too_long();
        if self.missing_classes > 0 {
            self.words.list.push("missing".into());
        }
        if let Some(place) = self.midnight {
            let verb = if self.has_next_day {
                "go on over midnight"
            } else {
                "start again"
            };
            self.first_text = format!("{}; they {verb} at `{place}`", self.first_text);
        }
        TableColumn {
            kind: self.kind,
            calendar: self.first_date.map(Date::calendar),
            first_text: self.first_text,
            fault: self.fault.or(self.first_word.filter(|_| is_faulty)),
            words: self.words.list,
            is_yes_or_no: self.is_yes_or_no,
            units: self.units,
            word_rows: self.word_rows,
        }
    }
}

impl CellPlace<'_> {
    fn text(self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.number)
    }

    fn error(self, cell: &str, fault: CellFault) -> TableError {
        let text = cell.to_owned();
        TableFault::Cell { text, fault }.at(self.text())
    }
}
