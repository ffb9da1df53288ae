#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod column;
mod dates;
mod encoding;
mod error;
mod layout;
mod number;
mod number_table;

use std::borrow::Cow;

use csv::StringRecord;

use self::column::{CellPlace, ColumnReader};
pub use self::dates::calendar;
pub use self::error::{CellFault, TableError, TableFault};
use self::layout::TableLayout;
use self::number::{MarkEvidence, NumberMarks};
pub use self::number_table::{CellReading, ColumnKind, DateOrder, NumberTable, TableColumn};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, plural, say};
use chainrule_stop as stop;

/// The beginning of comments of instruments, and the errors of spreadsheets.
const COMMENTS_AND_ERRORS: [&str; 8] = [
    "%", "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
];

/// The rule of a table is within this many first lines.
const MAX_LINES_TO_RULE: usize = 100;

/// Reads the table in a file with these contents, which may have at most `most` numbers. All rows are read twice: first to
/// find what the columns contain and what points and commas mean, then to convert the cells.
pub fn read(
    bytes: &[u8],
    file: &str,
    reading: CellReading,
    most: usize,
) -> Result<NumberTable, TableError> {
    let (decoded, encoding_note) = encoding::text(bytes, file)?;
    let readable = without_rules(with_csv_comments(with_line_feeds(decoded)));
    let (separator, text) = known_separator(&readable);
    let layout = TableLayout::of(text, separator);
    let rows = RowReader {
        file,
        text,
        layout: &layout,
        most,
    };
    let mut readers: Vec<ColumnReader> = Vec::new();
    let mut evidence = MarkEvidence::default();
    let below = rows.visit(|cells, _| {
        readers.resize_with(cells.len(), || ColumnReader::new(reading.order));
        for (cell, reader) in cells.iter().zip(&mut readers) {
            reader.see(cell, &mut evidence);
        }
    })?;
    if readers.is_empty() {
        return Err(no_rows(text, &layout).at(file));
    }
    // A point between commas or blanks is a decimal point, so there is no doubt about it.
    let may_group = layout.width == 1 || b";\t|".contains(&layout.separator);
    let doubt = evidence.doubt().filter(|_| may_group);
    let (marks, guess) = evidence.marks(layout.separator, reading.has_thousands);
    let mut notes: Vec<Line> = encoding_note.into_iter().collect();
    notes.extend(skipped_above(text, &layout));
    notes.extend(below);
    notes.extend(guess.or(doubt));
    let has_dates = readers.iter().any(|it| it.kind() == ColumnKind::Dates);
    for reader in &mut readers {
        reader.decide(reading.has_durations, has_dates);
    }
    let mut converter = RowConverter {
        file,
        marks,
        readers,
        numbers: Vec::new(),
        rows: 0,
    };
    rows.visit(|cells, line| converter.read(cells, line))?;
    let widths = converter.widths();
    let columns = converter.readers.into_iter();
    Ok(NumberTable {
        columns: columns.map(|it| it.finish(converter.rows)).collect(),
        header: layout.header,
        numbers: converter.numbers,
        widths,
        notes,
    })
}

/// The reason why a text has no rows.
fn no_rows(text: &str, layout: &TableLayout) -> TableFault {
    if text.trim().is_empty() {
        TableFault::Empty
    } else if layout.header.is_some() {
        TableFault::OnlyHeader
    } else {
        TableFault::NoNumbers
    }
}

/// The note about lines above the table, if there are some.
fn skipped_above(text: &str, layout: &TableLayout) -> Option<Line> {
    if layout.skipped == 0 {
        return None;
    }
    let line = 1 + line_ends(&text.as_bytes()[..layout.begin - 1]);
    let count = plural(layout.skipped, "line");
    Some(say!(
        "the table begins in line {}: {} above it skipped",
        line.to_string(),
        count
    ))
}

/// Converts rows to numbers.
struct RowConverter<'t> {
    file: &'t str,
    marks: NumberMarks,
    readers: Vec<ColumnReader>,
    /// The numbers so far, row by row.
    numbers: Vec<f64>,
    rows: usize,
}

impl RowConverter<'_> {
    /// Converts the cells of a row, which ends on this line.
    fn read(&mut self, cells: &[&str], line: usize) {
        for ((reader, cell), column) in self.readers.iter_mut().zip(cells).zip(1..) {
            let place = CellPlace {
                file: self.file,
                line,
                row: self.rows,
                column,
            };
            self.numbers.push(reader.read(cell, self.marks, place));
        }
        self.rows += 1;
    }

    /// The widths of all numbers, row by row; empty if no column has widths.
    fn widths(&self) -> Vec<f64> {
        let mut widths = Vec::new();
        for (column, reader) in self.readers.iter().enumerate() {
            for (row, width) in &reader.widths {
                widths.resize(self.numbers.len(), 0.0);
                widths[row * self.readers.len() + column] = *width;
            }
        }
        widths
    }
}

/// Reads the rows of a table in a text.
struct RowReader<'t> {
    file: &'t str,
    text: &'t str,
    layout: &'t TableLayout,
    /// The most numbers.
    most: usize,
}

/// A line that may be below the table.
struct LineBelow {
    record: StringRecord,
    /// The line on which it ends.
    line: usize,
}

impl RowReader<'_> {
    /// Calls `visit` with the cells of each row and the line on which the row ends. Returns a note about the lines below
    /// the rows.
    fn visit(&self, mut visit: impl FnMut(&[&str], usize)) -> Result<Option<Line>, TableError> {
        let table = self.layout;
        let mut reader = layout::reader(self.text, table.separator);
        let mut record = StringRecord::new();
        let mut lines = LineCounter::new(self.text);
        let mut left = self.most / self.width().max(1);
        let mut passed = 0;
        let mut below: Vec<LineBelow> = Vec::new();
        for turn in 0.. {
            stop::ask(turn);
            // Bytes in memory can be read, and rows of any length are accepted.
            if !reader.read_record(&mut record).unwrap_or(false) {
                break;
            }
            let cells = layout::cells(&record, table.separator);
            if layout::is_blank(&cells) {
                continue;
            }
            passed += 1;
            if passed <= table.above {
                continue;
            }
            let line = lines.count_to(reader.position().byte() as usize - 1);
            // A line that looks like one below the table is a row if another row follows.
            let is_first = passed == table.above + 1;
            if !is_first && layout::is_below(&cells, self.width()) {
                below.push(LineBelow {
                    record: record.clone(),
                    line,
                });
                continue;
            }
            for earlier in below.drain(..) {
                let earlier_cells = layout::cells(&earlier.record, table.separator);
                self.check(&earlier_cells, earlier.line, &mut left)?;
                visit(&earlier_cells, earlier.line);
            }
            self.check(&cells, line, &mut left)?;
            visit(&cells, line);
        }
        Ok(self.skipped_below(&below))
    }

    /// The number of cells that each row must have.
    fn width(&self) -> usize {
        let header = self.layout.header.as_ref();
        header.map_or(self.layout.width, Vec::len)
    }

    /// Checks the length of a row, and that at least one row is left.
    fn check(&self, cells: &[&str], line: usize, left: &mut usize) -> Result<(), TableError> {
        let fault = if cells.len() != self.width() {
            TableFault::RowLength {
                cells: cells.len(),
                width: self.width(),
                separator: self.layout.separator.into(),
            }
        } else if *left == 0 {
            TableFault::TooMany { most: self.most }
        } else {
            *left -= 1;
            return Ok(());
        };
        Err(fault.at(format!("{}:{line}", self.file)))
    }

    /// The note about lines below the table, if there are some.
    fn skipped_below(&self, below: &[LineBelow]) -> Option<Line> {
        let first = &below.first()?.record;
        let text = layout::cells(first, self.layout.separator).join(" ");
        let count = plural(below.len(), "line");
        Some(say!(
            "{} below the table skipped: `{}`",
            count,
            shorten_quotation(text.trim())
        ))
    }
}

/// Counts the lines of a text up to ascending places.
struct LineCounter<'t> {
    text: &'t [u8],
    /// The place up to which the lines are counted.
    counted: usize,
    /// The line of this place.
    line: usize,
}

impl<'t> LineCounter<'t> {
    fn new(text: &'t str) -> LineCounter<'t> {
        LineCounter {
            text: text.as_bytes(),
            counted: 0,
            line: 1,
        }
    }

    /// The number of the line at a place.
    fn count_to(&mut self, place: usize) -> usize {
        self.line += line_ends(&self.text[self.counted..place]);
        self.counted = place;
        self.line
    }
}

/// The text with line feeds, if it has only the carriage returns of old Macintoshes.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') {
        return text;
    }
    text.replace('\r', "\n").into()
}

/// The number of line breaks.
fn line_ends(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

/// Makes comments that begin with `%` begin with `#`, and keeps lines that begin with `#N/A` from being comments.
fn with_csv_comments(mut text: Cow<'_, str>) -> Cow<'_, str> {
    for sign in COMMENTS_AND_ERRORS {
        let instead = sign.strip_prefix('#').unwrap_or("#");
        let line = format!("\n{sign}");
        if text.starts_with(sign) || text.contains(&line) {
            let all = format!("\n{text}").replace(&line, &format!("\n{instead}"));
            text = all[1..].to_owned().into();
        }
    }
    text
}

/// The text of a table of Markdown or of a database without its rules, `| --- | --- |`, and without the bars at the ends of
/// its lines.
fn without_rules(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut first_lines = text.lines().take(MAX_LINES_TO_RULE);
    let Some(rule) = first_lines.find(|line| is_rule(line)) else {
        return text;
    };
    let has_bars = rule.trim_start().starts_with(['|', '+']);
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let rest = line.trim().strip_prefix('|').filter(|_| has_bars);
        let inner = rest.and_then(|rest| rest.strip_suffix('|'));
        lines.push(match inner {
            _ if is_rule(line) => "",
            Some(inner) => inner,
            None => line,
        });
    }
    lines.join("\n").into()
}

/// Whether a line is the rule below a heading: `| --- | --- |`, `+----+----+`.
fn is_rule(line: &str) -> bool {
    let mut signs = line.trim().chars();
    line.contains("--") && line.contains(['|', '+']) && signs.all(|it| "|+-: ".contains(it))
}

/// The separator that the first line names, as Excel writes it (`sep=;`), and the text without that line.
fn known_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let bare = line.trim_end_matches('\r').trim_matches('"');
    match bare.strip_prefix("sep=").map(str::as_bytes) {
        Some(&[separator]) => (Some(separator), rest),
        _ => (None, text),
    }
}

/// Removes the blanks around a cell, and quotes after these blanks, which the reader of CSV does not know: `1, "2"`.
fn trim_cell(cell: &str) -> &str {
    let bare = cell.trim();
    let quoted = bare
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    quoted.map_or(bare, str::trim)
}
