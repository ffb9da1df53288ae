//! Looks at all cells of a column before they are converted, and finds whether they are numbers, dates or words.

use super::dates::{Date, DateReader};
use super::number::{CellNumber, MarkEvidence, read_quantity};
use crate::{CellReading, ColumnKind, DateOrder};

/// The most different words of a column of classes.
pub(super) const MOST_WORDS: usize = 50;

/// The words of cells without a value, and the errors of spreadsheets. Points and a `#` in a cell do not matter: `n.a.` is
/// `na`.
const MISSING: [&str; 13] = [
    "na", "<na>", "nan", "n/a", "nd", "none", "null", "div/0!", "value!", "ref!", "name?", "num!",
    "null!",
];

/// The words for 0 and 1 of which a whole column may consist.
#[rustfmt::skip]
const YES_OR_NO: [[&str; 2]; 5] =
    [["false", "true"], ["no", "yes"], ["off", "on"], ["nein", "ja"], ["non", "oui"]];

/// The cells of a column so far.
#[derive(Debug, Default)]
pub(super) struct ColumnSurvey {
    /// The numbers of cells of each kind.
    numbers: usize,
    dates: usize,
    times: usize,
    others: usize,
    /// The number of those others that are a number with a unit, such as `1.5 V`.
    quantities: usize,
    /// The different units of these numbers.
    pub(super) units: WordList,
    /// The number of times that are earlier than the time above them.
    pub(super) falls: usize,
    /// Whether some times look like times on a clock: `09:30:00`, `9:30` or `9:30:00 AM`.
    has_clock_times: bool,
    /// Whether some times have one digit before their first colon, as durations may have: `9:30:00`.
    has_short_times: bool,
    /// The time in the last cell that has one.
    last_time: f64,
    /// Knows the order of day and month if a date has proved it.
    pub(super) date_reader: DateReader,
    /// Whether the words are a pair such as `no` and `yes`.
    pub(super) is_yes_or_no: bool,
    /// The first date, and the different words in order of appearance, but `no` before `yes`.
    pub(super) words: WordList,
}

/// Different words in order of appearance, up to one more than [`MOST_WORDS`].
#[derive(Debug, Default)]
pub(super) struct WordList {
    pub(super) list: Vec<Box<str>>,
}

impl WordList {
    /// The index of a word, if it is in the list.
    pub(super) fn find(&self, word: &str) -> Option<usize> {
        self.list.iter().position(|it| **it == *word)
    }

    /// Adds a word unless it is in the list or there are too many. Returns its index.
    pub(super) fn add(&mut self, word: &str) -> usize {
        let known = self.find(word);
        if known.is_none() && !self.is_too_long() {
            self.list.push(word.into());
        }
        known.unwrap_or(self.list.len() - 1)
    }

    /// Whether there are more words than a column of classes may have.
    pub(super) fn is_too_long(&self) -> bool {
        self.list.len() > MOST_WORDS
    }
}

impl ColumnSurvey {
    /// A column before its first cell. The user may have given the order of its dates.
    pub(super) fn new(order: Option<DateOrder>) -> ColumnSurvey {
        let mut survey = ColumnSurvey::default();
        survey.date_reader.order = order;
        survey
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
                self.words.add(cell);
                if let Some((number, unit)) = read_quantity(cell) {
                    self.quantities += 1;
                    self.units.add(unit);
                    evidence.see(cell, number);
                }
            }
        }
        // If most cells turn out to be words, this date is the first of them.
        if self.words.list.is_empty() {
            self.words.add(cell);
        }
    }

    /// Decides, after the last cell, what the other cells are: numbers, if they have one unit, or yes and no, if they are a pair
    /// of such words. If such a pair is among other words, it still has the numbers 0 and 1.
    pub(super) fn decide_others(&mut self) {
        if self.numbers > 0 {
            self.units.list.clear();
        } else if self.units.list.len() == 1 {
            self.numbers = self.quantities;
            self.others -= self.quantities;
        }
        let words = &self.words.list;
        let is_in = |word: &str, pair: &[&str]| pair.iter().any(|it| it.eq_ignore_ascii_case(word));
        let has = |known: &&str| words.iter().any(|word| word.eq_ignore_ascii_case(known));
        let are_in = |pair: &[&str; 2]| words.iter().all(|word| is_in(word, pair));
        let mut pairs = YES_OR_NO.into_iter();
        let pair = pairs.find(|pair| pair.iter().all(&has) || are_in(pair));
        if let Some(pair) = pair.filter(|_| self.kind() == ColumnKind::Classes) {
            self.is_yes_or_no = are_in(&pair);
            let others = words.iter().filter(|word| !is_in(word, &pair)).cloned();
            self.words.list = pair.map(Box::from).into_iter().chain(others).collect();
        }
    }

    fn see_time(&mut self, cell: &str, seconds: f64) {
        let hour_digits = cell.find(':');
        let has_seconds = cell.matches(':').count() == 2;
        let has_zero = hour_digits == Some(2) && cell.starts_with('0');
        let has_suffix = !cell.ends_with(|c: char| c.is_ascii_digit());
        self.has_clock_times |= !has_seconds || has_suffix || has_zero;
        self.has_short_times |= hour_digits == Some(1);
        self.falls += usize::from(seconds < self.last_time);
        self.last_time = seconds;
        self.times += 1;
    }

    /// The kind of most cells. Few different words that all begin with a letter are classes.
    pub(super) fn kind(&self) -> ColumnKind {
        let most = self.numbers.max(self.dates).max(self.times);
        let others = self.numbers + self.dates + self.times + self.others - most;
        let mut words = self.words.list.iter();
        let are_names = words.all(|word| word.starts_with(char::is_alphabetic));
        match most {
            0 if others == 0 => ColumnKind::Empty,
            0 if are_names && !self.words.is_too_long() => ColumnKind::Classes,
            _ if others > most => ColumnKind::Text,
            _ if most == self.numbers => ColumnKind::Numbers,
            _ if most == self.dates => ColumnKind::Dates,
            _ => ColumnKind::Times,
        }
    }

    /// The kind by which the cells are converted. Times are durations if the user says so, or if they look like durations
    /// and no column has dates.
    pub(super) fn kind_to_read(&self, reading: CellReading, has_dates: bool) -> ColumnKind {
        let looks_like_durations =
            self.has_short_times && !self.has_clock_times && self.falls == 0 && !has_dates;
        match self.kind() {
            ColumnKind::Times if reading.has_durations || looks_like_durations => {
                ColumnKind::Durations
            }
            kind => kind,
        }
    }
}

/// Whether a cell stands for a missing value: `NA`, `n.d.`, `--`, `#DIV/0!`. `Na` and `Nd` are chemical elements.
pub(super) fn is_missing(cell: &str) -> bool {
    let bare = cell.trim_start_matches('#').replace('.', "");
    let is_known = || MISSING.iter().any(|it| it.eq_ignore_ascii_case(&bare));
    bare.bytes().all(|byte| byte == b'-') || is_known() && !matches!(cell, "Na" | "Nd")
}
