//! Reads a column: finds whether its cells are numbers, dates or words, and converts them. It sees all cells twice:
//! first it decides, then it converts.

use super::dates::{DAY, Date, DateReader};
use super::number::{CellNumber, MarkEvidence, NumberMarks};
use crate::{CellFault, ColumnKind, DateOrder, TableColumn, TableError, TableFault};

/// The most different words of a column of classes.
const MOST_WORDS: usize = 50;

/// The words of cells without a value, and the errors of spreadsheets. Points and a `#` in a cell do not matter: `n.a.` is
/// `na`.
const MISSING: [&str; 13] = [
    "na", "<na>", "nan", "n/a", "nd", "none", "null", "div/0!", "value!", "ref!", "name?", "num!",
    "null!",
];

/// A column while it is read.
#[derive(Debug, Default)]
pub(super) struct ColumnReader {
    /// The numbers of cells of each kind.
    numbers: usize,
    dates: usize,
    times: usize,
    others: usize,
    /// The number of times that are earlier than the time above them.
    falls: usize,
    /// Whether some times look like times on a clock: `09:30:00`, `9:30` or `9:30:00 AM`.
    has_clock_times: bool,
    /// Whether some times have one digit before their first colon, as durations may have: `9:30:00`.
    has_short_times: bool,
    /// The kind that most cells have.
    kind: ColumnKind,
    /// Whether times continue after midnight.
    has_next_day: bool,
    date_reader: DateReader,
    /// The first date or time as text.
    first: String,
    first_date: Option<Date>,
    /// The place of the first time of day that is much earlier than the time above it.
    midnight: Option<String>,
    /// The time in the last cell.
    last: f64,
    /// The rows with `±`, and the widths there.
    pub(super) widths: Vec<(usize, f64)>,
    /// The different words in order of appearance, up to one too many.
    words: Vec<Box<str>>,
    /// The rows of numbers with a word, each with the index of its word.
    rows: Vec<(u32, u8)>,
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
    pub(super) row: usize,
    pub(super) column: usize,
}

impl ColumnReader {
    /// A column before its first cell. The user may have given the order of its dates.
    pub(super) fn new(order: Option<DateOrder>) -> ColumnReader {
        let mut reader = ColumnReader::default();
        reader.date_reader.order = order;
        reader
    }

    /// Looks at the cell of a row.
    pub(super) fn see(&mut self, cell: &str, evidence: &mut MarkEvidence) {
        if let Some(number) = CellNumber::read(cell) {
            evidence.see(cell, number);
            self.numbers += usize::from(!number.value.is_nan());
            return;
        }
        match self.date_reader.read(cell) {
            Some(Date { day: Some(_), .. }) => self.dates += 1,
            Some(time) => self.see_time(cell, time.seconds),
            None if is_missing(cell) => return,
            None => {
                self.others += 1;
                self.add_word(cell);
            }
        }
        // If most cells turn out to be words, this date is the first of them.
        if self.words.is_empty() {
            self.words.push(cell.into());
        }
    }

    fn see_time(&mut self, cell: &str, seconds: f64) {
        let hour_digits = cell.find(':');
        let has_seconds = cell.matches(':').count() == 2;
        let has_zero = hour_digits == Some(2) && cell.starts_with('0');
        let has_suffix = !cell.ends_with(|c: char| c.is_ascii_digit());
        self.has_clock_times |= !has_seconds || has_suffix || has_zero;
        self.has_short_times |= hour_digits == Some(1);
        self.falls += usize::from(seconds < self.last);
        self.last = seconds;
        self.times += 1;
    }

    /// The kind of most cells. Few different words that all begin with a letter are classes.
    pub(super) fn kind(&self) -> ColumnKind {
        let most = self.numbers.max(self.dates).max(self.times);
        let others = self.numbers + self.dates + self.times + self.others - most;
        let mut words = self.words.iter();
        let are_names = words.all(|word| word.starts_with(char::is_alphabetic));
        match most {
            0 if others == 0 => ColumnKind::Empty,
            0 if are_names && self.words.len() <= MOST_WORDS => ColumnKind::Classes,
            _ if others > most => ColumnKind::Text,
            _ if most == self.numbers => ColumnKind::Numbers,
            _ if most == self.dates => ColumnKind::Dates,
            _ => ColumnKind::Times,
        }
    }

    /// Decides which kind the column has. Times are durations if the user says so, or if they look like durations and no
    /// column has dates.
    pub(super) fn decide(&mut self, has_durations: bool, has_dates: bool) {
        let looks_so = self.has_short_times && !self.has_clock_times && self.falls == 0;
        self.kind = match self.kind() {
            ColumnKind::Times if has_durations || looks_so && !has_dates => ColumnKind::Durations,
            kind => kind,
        };
        // Beside a column of dates, the time of each day stands alone.
        self.has_next_day = !has_dates && self.falls == 1;
        self.last = 0.0;
        if !matches!(self.kind, ColumnKind::Classes | ColumnKind::Text) {
            self.words.clear();
        }
    }

    /// Converts the cell of a row.
    pub(super) fn read(&mut self, cell: &str, marks: NumberMarks, place: CellPlace) -> f64 {
        let value = match self.kind {
            ColumnKind::Numbers => self.number(cell, marks, place.row),
            ColumnKind::Dates | ColumnKind::Times | ColumnKind::Durations => self.date(cell, place),
            ColumnKind::Classes => {
                let known = self.words.iter().position(|word| **word == *cell);
                self.missing_classes += usize::from(known.is_none());
                return known.unwrap_or(self.words.len()) as f64;
            }
            ColumnKind::Empty | ColumnKind::Text => return f64::NAN,
        };
        let fault = match value {
            Ok(value) => return value,
            Err(fault) => fault,
        };
        let error = || place.error(cell, fault);
        if !matches!(fault, CellFault::Word | CellFault::NoDate) {
            self.fault.get_or_insert_with(error);
        } else if !is_missing(cell) {
            self.first_word.get_or_insert_with(error);
            let word = self.add_word(cell);
            self.rows.push((place.row as u32, word as u8));
        }
        f64::NAN
    }

    fn number(&mut self, cell: &str, marks: NumberMarks, row: usize) -> Result<f64, CellFault> {
        let number = CellNumber::read(cell).ok_or(CellFault::Word)?;
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
        if self.first.is_empty() {
            self.first = date.text(cell);
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
            if since < self.last - DAY / 2.0 && self.midnight.is_none() {
                self.midnight = Some(place.error(cell, CellFault::NoDate).place);
            }
            self.last = since;
        }
        let is_next_day = self.has_next_day && self.midnight.is_some();
        Ok(if is_next_day { since + DAY } else { since })
    }

    /// Adds a word unless it is known or there are too many. Returns its index.
    fn add_word(&mut self, word: &str) -> usize {
        let known = self.words.iter().position(|it| **it == *word);
        if known.is_none() && self.words.len() <= MOST_WORDS {
            self.words.push(word.into());
        }
        known.unwrap_or(self.words.len() - 1)
    }

    /// Ends the column after all rows. If more than a tenth of the cells are words among numbers, that is a fault.
    pub(super) fn finish(mut self, rows: usize) -> TableColumn {
        let is_faulty = self.rows.len() * 10 > rows || self.words.len() > MOST_WORDS;
        if self.missing_classes > 0 {
            self.words.push("missing".into());
        }
        if let Some(place) = self.midnight {
            let verb = if self.has_next_day {
                "go on over midnight"
            } else {
                "start again"
            };
            self.first = format!("{}; they {verb} at `{place}`", self.first);
        }
        TableColumn {
            kind: self.kind,
            calendar: self.first_date.map(Date::calendar),
            first: self.first,
            fault: self.fault.or(self.first_word.filter(|_| is_faulty)),
            words: self.words,
            rows: self.rows,
        }
    }
}

impl CellPlace<'_> {
    fn error(self, cell: &str, fault: CellFault) -> TableError {
        let text = cell.to_owned();
        let place = format!("{}:{}:{}", self.file, self.line, self.column);
        TableFault::Cell { text, fault }.at(place)
    }
}

/// Whether a cell stands for a missing value: `NA`, `n.d.`, `--`, `#DIV/0!`. `Na` and `Nd` are chemical elements.
pub(super) fn is_missing(cell: &str) -> bool {
    let bare = cell.trim_start_matches('#').replace('.', "");
    let is_known = || MISSING.iter().any(|it| it.eq_ignore_ascii_case(&bare));
    bare.bytes().all(|byte| byte == b'-') || is_known() && !matches!(cell, "Na" | "Nd")
}
