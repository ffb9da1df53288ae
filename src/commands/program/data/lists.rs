//! The columns of a table that become lists: the names of the lists, their numbers, their headings, and notes on what the
//! numbers mean and on rows that are left out.

use std::collections::HashSet;

use super::columns::{stand_ins, without_unit};
use crate::command::prelude::*;
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{ClassWord, list_with_and};
use chainrule_session::{ColumnKind, Heading, NumberTable, TableColumn, table_diagnostic};

/// The most words in a note on cells that are no numbers.
const MOST_WORDS: usize = 5;
/// The most names in a note on names that differ from their headings.
const MOST_RENAMED: usize = 5;

/// A table, and the columns of it that become lists.
pub(super) struct ListColumns<'t> {
    /// The path of the file as the user typed it.
    pub(super) path: &'t str,
    pub(super) table: NumberTable,
    /// The name of each column of the table.
    pub(super) all_names: Vec<String>,
    /// The places of the columns that become lists.
    pub(super) chosen: Vec<usize>,
    /// Says why the other columns are left out. Empty if the user has chosen columns, and so has left out the others.
    pub(super) left_out: String,
}

impl ListColumns<'_> {
    /// The rows of the table, each with a number for every column; NaN for a missing one.
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.table.numbers.chunks(self.table.columns.len())
    }

    /// The names of the columns that become lists.
    fn column_names(&self) -> Vec<String> {
        let names = self.chosen.iter().map(|&at| &self.all_names[at]);
        names.cloned().collect()
    }

    /// Returns the names of the lists: the given ones or, without any, those of the columns. A single name for several
    /// columns stands for the list of all rows.
    pub(super) fn names(&self, given: Vec<String>) -> Result<Vec<String>> {
        let (count, columns) = (given.len(), self.chosen.len());
        if count == 1 || count == columns {
            return Ok(given);
        }
        let message = if count > 0 {
            let columns = plural(columns, "column");
            format!("the table has {columns}, and {count} names are given")
        } else if self.table.header.is_some() {
            return Ok(self.column_names());
        } else {
            "the first line of the table has numbers and no names".to_owned()
        };
        let (file, left_out) = (self.path, &self.left_out);
        let end = if left_out.is_empty() { "" } else { "; " };
        let names = stand_ins(columns).join(" ");
        Err(Diagnostic::new(message).help(format!(
            "{left_out}{end}name each column, as in `:data {file} as {names}`, or the list of all rows, as in `:data {file} as M`"
        )))
    }

    /// Refuses columns with a cell that cannot be read.
    pub(super) fn check_faults(&self) -> Result<()> {
        let mut faults = self.chosen.iter().map(|&at| &self.table.columns[at].fault);
        let Some(fault) = faults.find_map(Option::as_ref) else {
            return Ok(());
        };
        let mut error = table_diagnostic(fault);
        let path = format!(" {} ", self.path);
        error.help = (error.help).map(|help| help.replace(" FILE ", &path));
        Err(error)
    }

    /// Picks from `cells` those of the lists in rows where each list has a number.
    pub(super) fn cells_of_whole_rows(&self, cells: &[f64]) -> Vec<f64> {
        let mut picked = Vec::new();
        for (numbers, row) in self.rows().zip(cells.chunks(self.table.columns.len())) {
            if self.chosen.iter().all(|&at| !numbers[at].is_nan()) {
                picked.extend(self.chosen.iter().map(|&at| row[at]));
            }
        }
        picked
    }

    /// The notes of the answer, about the lists with these names and this many rows.
    pub(super) fn notes(&self, names: &[String], has_given_names: bool, rows: usize) -> Vec<Note> {
        let mut notes = self.table.notes.clone();
        if !has_given_names {
            notes.extend(self.renaming_note());
        }
        if !self.left_out.is_empty() {
            notes.push(Note::new(say!("{}", &self.left_out)));
        }
        notes.extend(self.column_notes(names));
        notes.extend(self.left_out_notes(rows));
        notes
    }

    /// A note on the columns whose names are not their headings.
    fn renaming_note(&self) -> Option<Note> {
        let header = self.table.header.as_ref()?;
        let mut lines: Vec<Line> = Vec::new();
        for &at in &self.chosen {
            if self.all_names[at] != without_unit(&header[at]) {
                lines.push(renaming_line(&header[at], &self.all_names[at]));
            }
        }
        (!lines.is_empty()).then(|| Note::new(list_with_and(lines.into_iter(), MOST_RENAMED)))
    }

    /// The notes on the meaning of numbers that are dates, times or classes. They name the lists or, if one list has all
    /// rows, the columns.
    fn column_notes(&self, names: &[String]) -> Vec<Note> {
        let columns = self.column_names();
        let has_each = names.len() == columns.len();
        let shown = if has_each { names } else { &columns };
        let lines = shown.iter().zip(&self.chosen);
        let lines = lines.filter_map(|(name, &at)| self.meaning_line(at, name));
        lines.map(Note::new).collect()
    }

    fn meaning_line(&self, at: usize, name: &str) -> Option<Line> {
        let column = &self.table.columns[at];
        let first = &column.first_text;
        Some(match column.kind {
            ColumnKind::Dates => say!("{:name} is in days since {}", name, first),
            ColumnKind::Times => say!("{:name} is in seconds since {}", name, first),
            ColumnKind::Durations => {
                let mut numbers = self.rows().map(|row| row[at]);
                let seconds = numbers.find(|number| !number.is_nan())?;
                say!(
                    "{:name} has durations: `{}` is {} seconds",
                    name,
                    first,
                    seconds
                )
            }
            ColumnKind::Classes => say!("{}", Heading::new(name, classes_of(column), None).text()),
            _ => return None,
        })
    }

    /// The notes on rows that are left out: for words among the numbers of a column, and for missing cells. `kept` is how
    /// many rows are left.
    fn left_out_notes(&self, kept: usize) -> Vec<Note> {
        let mut rows_with_words: HashSet<u32> = HashSet::new();
        let mut words: Vec<Line> = Vec::new();
        for &at in &self.chosen {
            let column = &self.table.columns[at];
            rows_with_words.extend(column.word_rows.iter().map(|(row, _)| *row));
            // A column of classes has words, too, but all its rows stay.
            if !column.word_rows.is_empty() {
                let name = &self.all_names[at];
                for word in &column.words {
                    words.push(say!("`{}` in {:name}", shorten_quotation(word), name));
                }
            }
        }
        let mut notes = Vec::new();
        if !rows_with_words.is_empty() {
            let count = plural(rows_with_words.len(), "row");
            let sentence = list_with_and(words.into_iter(), MOST_WORDS);
            notes.push(Note::new(say!("{} left out: {}", count, sentence)).as_fault());
        }
        // No row with a word is kept: the word is a NaN in its column.
        let missing = self.rows().count() - kept - rows_with_words.len();
        if missing > 0 {
            notes.push(Note::new(self.missing_cells_line(missing)).as_fault());
        }
        notes
    }

    /// Says which columns have missing cells, and how to keep the rows of the others.
    fn missing_cells_line(&self, count: usize) -> Line {
        let gaps = |at: usize| self.rows().filter(|row| row[at].is_nan()).count();
        // A word among the numbers is a gap, too, and has a note of its own.
        let has_gaps = |at: &usize| gaps(*at) > self.table.columns[*at].word_rows.len();
        let (gappy, whole): (Vec<usize>, Vec<usize>) =
            self.chosen.iter().partition(|at| has_gaps(at));
        let names = |places: &[usize]| {
            let names = places.iter().map(|&at| &*self.all_names[at]);
            names.collect::<Vec<_>>().join(", ")
        };
        let mut line = say!(
            "{} left out: a cell in column {} is missing",
            plural(count, "row"),
            names(&gappy)
        );
        if !whole.is_empty() && self.table.header.is_some() {
            line.extend(say!("; `:data {} {}` keeps them", self.path, names(&whole)));
        }
        line
    }

    /// The headings of lists with these names, for axes. A heading that is the name is left out, and so are all headings of
    /// a list of all rows.
    pub(super) fn headings(&self, names: &[String]) -> Vec<Option<Heading>> {
        if names.len() != self.chosen.len() {
            return Vec::new();
        }
        let lists = names.iter().zip(&self.chosen);
        lists.map(|(name, &at)| self.heading(at, name)).collect()
    }

    fn heading(&self, at: usize, name: &str) -> Option<Heading> {
        let column = &self.table.columns[at];
        let cell = self.table.header.as_ref().map(|header| &*header[at]);
        let title = cell.filter(|cell| !cell.is_empty()).unwrap_or(name);
        let words = match column.kind {
            ColumnKind::Dates => format!("{} [d]", without_unit(title)),
            ColumnKind::Times | ColumnKind::Durations => format!("{} [s]", without_unit(title)),
            ColumnKind::Numbers if !column.units.is_empty() => {
                format!("{} [{}]", without_unit(title), column.units[0])
            }
            _ => title.to_owned(),
        };
        let heading = Heading::new(&words, classes_of(column), column.calendar);
        (heading.text() != name).then_some(heading)
    }
}

/// The words for which the numbers of a column stand.
fn classes_of(column: &TableColumn) -> Vec<ClassWord> {
    if column.kind != ColumnKind::Classes {
        return Vec::new();
    }
    let words = column.words.iter().enumerate();
    let classes = words.map(|(number, word)| ClassWord {
        number: number as f64,
        word: word.to_string(),
    });
    classes.collect()
}

fn renaming_line(heading: &str, name: &str) -> Line {
    if heading.is_empty() {
        return say!("the column without a heading is called {:name}", name);
    }
    say!("`{}` is called {:name}", shorten_quotation(heading), name)
}
