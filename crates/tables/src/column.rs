//! What the cells of a column are: numbers, dates, words, or missing values. `lib.rs` shows it all cells
//! twice: first it decides that, then it converts them.

use super::dates::{DAY, Date, DateReader};
use super::number::{CellNumber, MarkEvidence, NumberMarks};
use crate::{CellFault, ColumnKind, DateOrder, TableColumn, TableError, TableFault};

/// The most different words of a column that are told apart.
const MOST_WORDS: usize = 50;

/// What stands for a cell without a value, without its points: `n.a.` is `na`. The errors of spreadsheets begin with `#`,
/// too.
const MISSING: [&str; 13] = [
    "na", "<na>", "nan", "n/a", "nd", "none", "null", "div/0!", "value!", "ref!", "name?", "num!",
    "null!",
];

/// A column while it is read: it sees all cells, decides what they are, and converts them.
#[derive(Debug, Default)]
pub(super) struct ColumnReader {
    /// How many cells are what.
    numbers: usize,
    dates: usize,
    times: usize,
    others: usize,
    /// How many times are earlier than the one above them.
    falls: usize,
    /// Some times are written as on a clock, `09:30:00`, `9:30` or `9:30:00 AM`, some as durations are, `9:30:00`.
    is_of_day: bool,
    is_short: bool,
    /// What is decided.
    kind: ColumnKind,
    /// Whether times go on after midnight.
    goes_on: bool,
    date_reader: DateReader,
    first: String,
    first_date: Option<Date>,
    /// Where a time of day is much earlier than the one above it, and that time.
    midnight: Option<String>,
    last: f64,
    /// The rows with `±`, and the widths there.
    pub(super) widths: Vec<(usize, f64)>,
    /// The different words in order of appearance, up to one too many: those of classes or of text, or else those among
    /// numbers, and in which rows which of these stands.
    words: Vec<Box<str>>,
    rows: Vec<(u32, u8)>,
    /// What is wrong with the first one.
    first_word: Option<TableError>,
    fault: Option<TableError>,
    /// How many classes are missing.
    gaps: usize,
}

/// Where a cell is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPlace<'t> {
    pub(super) file: &'t str,
    pub(super) line: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl ColumnReader {
    /// A column of which nothing is known, except for what the user says of its dates.
    pub(super) fn new(order: Option<DateOrder>) -> ColumnReader {
        let mut reader = ColumnReader::default();
        reader.date_reader.order = order;
        reader
    }

    /// Looks at the cell of a row.
    pub(super) fn see(&mut self, cell: &str, evidence: &mut MarkEvidence) {
        if let Some(number) = CellNumber::read(cell) {
            evidence.see(cell, number);
            self.numbers += usize::from(!number.value.number.is_nan());
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
        // A date is the first one in case that most cells are no dates.
        if self.words.is_empty() {
            self.words.push(cell.into());
        }
    }

    fn see_time(&mut self, cell: &str, seconds: f64) {
        let hour = cell.find(':');
        let has_seconds = cell.matches(':').count() == 2;
        self.is_of_day |= !has_seconds
            || !cell.ends_with(|c: char| c.is_ascii_digit())
            || hour == Some(2) && cell.starts_with('0');
        self.is_short |= hour == Some(1);
        self.falls += usize::from(seconds < self.last);
        self.last = seconds;
        self.times += 1;
    }

    /// What most cells are. Few words that are no spoilt numbers are classes.
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

    /// Decides what the column has. `has_durations` says that times are some, `is_lone` that no column has dates.
    pub(super) fn decide(&mut self, has_durations: bool, is_lone: bool) {
        let is_duration = is_lone && self.is_short && !self.is_of_day && self.falls == 0;
        self.kind = match self.kind() {
            ColumnKind::Times if has_durations || is_duration => ColumnKind::Durations,
            kind => kind,
        };
        self.goes_on = is_lone && self.falls == 1;
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
                self.gaps += usize::from(known.is_none());
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

    /// How long after the first date or time the one in a cell is, or how long a duration is.
    fn date(&mut self, cell: &str, place: CellPlace) -> Result<f64, CellFault> {
        let has_day = self.kind == ColumnKind::Dates;
        let is_long = |it: &Date| self.kind == ColumnKind::Times && it.seconds >= DAY;
        let suits = |it: &Date| it.day.is_some() == has_day && !is_long(it);
        let read = self.date_reader.read(cell).filter(suits);
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
            if since < self.last - DAY / 2.0 && self.midnight.is_none() {
                self.midnight = Some(place.error(cell, CellFault::NoDate).place);
            }
            self.last = since;
        }
        let is_next_day = self.goes_on && self.midnight.is_some();
        Ok(if is_next_day { since + DAY } else { since })
    }

    /// Adds a word unless it is known, or there are too many. Returns its place.
    fn add_word(&mut self, word: &str) -> usize {
        let known = self.words.iter().position(|it| **it == *word);
        if known.is_none() && self.words.len() <= MOST_WORDS {
            self.words.push(word.into());
        }
        known.unwrap_or(self.words.len() - 1)
    }

    /// What is known of the column after all rows. More than a tenth of words among numbers are a fault.
    pub(super) fn finish(mut self, rows: usize) -> TableColumn {
        let is_many = self.rows.len() * 10 > rows || self.words.len() > MOST_WORDS;
        if self.gaps > 0 {
            self.words.push("missing".into());
        }
        if let Some(place) = self.midnight {
            let how = ["start again", "go on over midnight"][usize::from(self.goes_on)];
            self.first = format!("{}; they {how} at `{place}`", self.first);
        }
        TableColumn {
            kind: self.kind,
            calendar: self.first_date.map(Date::calendar),
            first: self.first,
            fault: self.fault.or(self.first_word.filter(|_| is_many)),
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

/// Whether a cell says that there is no value: `NA`, `n.d.`, `--`, `#DIV/0!`. `Na` and `Nd` are elements.
pub(super) fn is_missing(cell: &str) -> bool {
    let bare = cell.trim_start_matches('#').replace('.', "");
    let is_known = || MISSING.iter().any(|it| it.eq_ignore_ascii_case(&bare));
    bare.bytes().all(|byte| byte == b'-') || is_known() && !matches!(cell, "Na" | "Nd")
}
