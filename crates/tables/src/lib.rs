#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]

mod column;
mod dates;
mod encoding;
mod error;
mod layout;
mod number;
mod number_table;

use std::borrow::Cow;
use std::mem;

use csv::StringRecord;

use self::column::ColumnReader;
pub use self::dates::calendar;
pub use self::error::{CellFault, TableError, TableFault};
use self::layout::TableLayout;
use self::number::NumberMarks;
pub use self::number_table::{ColumnKind, DateOrder, NumberTable, TableColumn};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, plural, say};
use chainrule_stop as stop;

/// The table in a file with these contents, of at most so many numbers.
pub fn read(
    bytes: &[u8],
    file: &str,
    order: Option<DateOrder>,
    most: usize,
) -> Result<NumberTable, TableError> {
    let (text, note) = encoding::text(bytes, file)?;
    let text = &*comments(text);
    let (separator, start) = known_separator(text);
    let layout = TableLayout::of(&text[start..], separator);
    let mut notes: Vec<Line> = note.into_iter().collect();
    if layout.skipped > 0 {
        let line = LineCounter::of(text.as_bytes()).line_at(start + layout.begin - 1);
        let count = plural(layout.skipped, "line");
        let note = say!(
            "the table begins in line {}: {} above it skipped",
            line,
            count
        );
        notes.push(note);
    }
    let mut reader = TableReader {
        file,
        text,
        start,
        order,
        most,
        marks: NumberMarks::of(layout.separator),
        layout,
        columns: Vec::new(),
        numbers: Vec::new(),
    };
    let mut below = reader.read()?;
    if reader.marks.is_wrong || reader.columns.iter().any(ColumnReader::is_wrong) {
        reader.marks = mem::take(&mut reader.marks).again();
        let columns = mem::take(&mut reader.columns).into_iter();
        reader.columns = columns.map(ColumnReader::again).collect();
        reader.numbers.clear();
        below = reader.read()?;
    }
    notes.extend(below);
    reader.finish(notes)
}

/// A table while it is read.
struct TableReader<'t> {
    file: &'t str,
    text: &'t str,
    /// Where the text begins that `layout` knows.
    start: usize,
    layout: TableLayout,
    marks: NumberMarks,
    order: Option<DateOrder>,
    /// The most numbers.
    most: usize,
    columns: Vec<ColumnReader>,
    numbers: Vec<f64>,
}

impl TableReader<'_> {
    /// Reads all rows. Returns a note about what stands below them.
    fn read(&mut self) -> Result<Option<Line>, TableError> {
        let separator = self.layout.separator;
        let mut reader = layout::reader(&self.text[self.start..], separator);
        let mut record = StringRecord::new();
        let mut lines = LineCounter::of(self.text.as_bytes());
        let mut passed = 0;
        let mut below: Vec<(StringRecord, usize)> = Vec::new();
        for turn in 0.. {
            stop::ask(turn);
            // Bytes in memory can be read, and rows of any length are accepted.
            if !reader.read_record(&mut record).unwrap_or(false) {
                break;
            }
            let cells = layout::cells(&record, separator);
            if layout::is_blank(&cells) {
                continue;
            }
            passed += 1;
            if passed <= self.layout.above {
                continue;
            }
            // The line on which the row ends.
            let end = self.start + reader.position().byte() as usize - 1;
            // What may stand below the table is a row if one follows.
            if !self.numbers.is_empty() && layout::is_below(&cells, self.columns.len()) {
                below.push((record.clone(), end));
                continue;
            }
            for (record, end) in below.drain(..) {
                self.row(&layout::cells(&record, separator), || lines.line_at(end))?;
            }
            self.row(&cells, || lines.line_at(end))?;
        }
        Ok(below.first().map(|(first, _)| {
            let line = layout::cells(first, separator).join(" ");
            let count = plural(below.len(), "line");
            say!(
                "{} below the table skipped: `{}`",
                count,
                shorten_quotation(line.trim())
            )
        }))
    }

    /// Reads a row.
    fn row(&mut self, cells: &[&str], mut line: impl FnMut() -> usize) -> Result<(), TableError> {
        let mut place = || format!("{}:{}", self.file, line());
        if self.columns.is_empty() {
            let width = self.layout.header.as_ref().map_or(cells.len(), Vec::len);
            self.columns
                .resize_with(width, || ColumnReader::new(self.order));
        }
        let width = self.columns.len();
        if cells.len() != width {
            let fault = TableFault::RowLength {
                cells: cells.len(),
                width,
                separator: self.layout.separator.into(),
            };
            return Err(fault.at(place()));
        }
        if self.numbers.len() + width > self.most {
            return Err(TableFault::TooMany { most: self.most }.at(place()));
        }
        let row = self.numbers.len() / width;
        for (at, (cell, column)) in cells.iter().zip(&mut self.columns).enumerate() {
            let place = || format!("{}:{}", place(), at + 1);
            let number = column.read(cell, row, &mut self.marks, place);
            self.numbers.push(number);
        }
        Ok(())
    }

    /// The table of what was read.
    fn finish(mut self, mut notes: Vec<Line>) -> Result<NumberTable, TableError> {
        if self.numbers.is_empty() {
            let fault = match (self.text.trim().is_empty(), &self.layout.header) {
                (true, _) => TableFault::Empty,
                (false, Some(_)) => TableFault::OnlyHeader,
                (false, None) => TableFault::NoNumbers,
            };
            return Err(fault.at(self.file));
        }
        let width = self.columns.len();
        let columns = self.columns.into_iter().enumerate();
        let columns = columns.map(|(at, it)| it.finish(&mut self.numbers, at, width));
        let columns = columns.collect();
        notes.extend(self.marks.guess().map(|it| {
            let mark = if it.contains(',') { "comma" } else { "point" };
            say!("`{}` has no decimals: its {} groups digits", it, mark)
        }));
        Ok(NumberTable {
            header: self.layout.header,
            columns,
            numbers: self.numbers,
            notes,
        })
    }
}

/// The text with `#` at the start of its comments, where instruments write `%`, and without it at the start of what are
/// errors of a spreadsheet.
fn comments(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = text;
    for (sign, instead) in [("%", "#"), ("#N/A", " N/A"), ("#DIV/0!", " DIV/0!")] {
        let line = format!("\n{sign}");
        if text.starts_with(sign) || text.contains(&line) {
            let all = format!("\n{text}").replace(&line, &format!("\n{instead}"));
            text = all[1..].to_owned().into();
        }
    }
    text
}

/// The separator that the first line of a file of Excel names, `sep=;`, and where the next line begins.
fn known_separator(text: &str) -> (Option<u8>, usize) {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    let bare = line.trim_end_matches(['\r', '\n']).trim_matches('"');
    match bare.strip_prefix("sep=").map(str::as_bytes) {
        Some(&[separator]) => (Some(separator), line.len()),
        _ => (None, 0),
    }
}

/// Counts the lines of a text, from one place to the next.
struct LineCounter<'b> {
    bytes: &'b [u8],
    /// What ends a line. The line ends of old Macintoshes count where there are no others.
    end: u8,
    counted: usize,
    line: usize,
}

impl LineCounter<'_> {
    fn of(bytes: &[u8]) -> LineCounter<'_> {
        LineCounter {
            bytes,
            end: if bytes.contains(&b'\n') { b'\n' } else { b'\r' },
            counted: 0,
            line: 1,
        }
    }

    /// The line that this byte is in, which is not before that of the last call.
    fn line_at(&mut self, at: usize) -> usize {
        let passed = &self.bytes[self.counted..at];
        self.line += passed.split(|byte| *byte == self.end).count() - 1;
        self.counted = at;
        self.line
    }
}

/// A cell without the blanks around it, and without quotes that are not at its beginning: `1, "2"`.
fn trimmed(cell: &str) -> &str {
    let cell = cell.trim();
    let inner = cell
        .strip_prefix('"')
        .and_then(|inner| inner.strip_suffix('"'));
    inner.map_or(cell, str::trim)
}
