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

use csv::StringRecord;

use self::column::{CellPlace, ColumnReader};
pub use self::dates::calendar;
pub use self::error::{CellFault, TableError, TableFault};
use self::layout::TableLayout;
use self::number::MarkEvidence;
pub use self::number_table::{CellReading, ColumnKind, DateOrder, NumberTable, TableColumn};
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Line, plural, say};
use chainrule_stop as stop;

/// What begins the comments of instruments, and the errors of spreadsheets.
const COMMENTS_AND_ERRORS: [&str; 8] = [
    "%", "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
];

/// The most lines above the rule of a table.
const MOST_ABOVE_RULE: usize = 100;

/// The table in a file with these contents, of at most this many numbers. All rows are read twice: first to find what the
/// columns have and what points and commas are, then to convert the cells.
pub fn read(
    bytes: &[u8],
    file: &str,
    reading: CellReading,
    most: usize,
) -> Result<NumberTable, TableError> {
    let (text, note) = encoding::text(bytes, file)?;
    let text = without_rules(comments(with_line_feeds(text)));
    let (separator, text) = known_separator(&text);
    let layout = TableLayout::of(text, separator);
    let mut notes: Vec<Line> = note.into_iter().collect();
    if layout.skipped > 0 {
        let line = 1 + line_ends(&text.as_bytes()[..layout.begin - 1]);
        let count = plural(layout.skipped, "line");
        let note = say!(
            "the table begins in line {}: {} above it skipped",
            line.to_string(),
            count
        );
        notes.push(note);
    }
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
        let fault = match (text.trim().is_empty(), &layout.header) {
            (true, _) => TableFault::Empty,
            (false, Some(_)) => TableFault::OnlyHeader,
            (false, None) => TableFault::NoNumbers,
        };
        return Err(fault.at(file));
    }
    // A point between commas or blanks is a decimal point.
    let may_group = layout.width == 1 || b";\t|".contains(&layout.separator);
    let doubt = evidence.doubt().filter(|_| may_group);
    let (marks, guess) = evidence.marks(layout.separator, reading.has_thousands);
    notes.extend(below.into_iter().chain(guess.or(doubt)));
    let is_lone = !readers.iter().any(|it| it.kind() == ColumnKind::Dates);
    for reader in &mut readers {
        reader.decide(reading.has_durations, is_lone);
    }
    let mut numbers = Vec::new();
    let mut count = 0;
    rows.visit(|cells, line| {
        for (column, (cell, reader)) in cells.iter().zip(&mut readers).enumerate() {
            let place = CellPlace {
                file,
                line,
                row: count,
                column: column + 1,
            };
            numbers.push(reader.read(cell, marks, place));
        }
        count += 1;
    })?;
    let mut widths = Vec::new();
    for (column, reader) in readers.iter().enumerate() {
        for (row, width) in &reader.widths {
            widths.resize(numbers.len(), 0.0);
            widths[row * readers.len() + column] = *width;
        }
    }
    let columns = readers.into_iter().map(|it| it.finish(count));
    Ok(NumberTable {
        columns: columns.collect(),
        header: layout.header,
        numbers,
        widths,
        notes,
    })
}

/// The rows of a table in a text.
struct RowReader<'t> {
    file: &'t str,
    text: &'t str,
    layout: &'t TableLayout,
    /// The most numbers.
    most: usize,
}

impl RowReader<'_> {
    /// Calls `visit` with the cells of each row and the line on which it ends. Returns a note about what stands below them.
    fn visit(&self, mut visit: impl FnMut(&[&str], usize)) -> Result<Option<Line>, TableError> {
        let table = self.layout;
        let separator = table.separator;
        let width = table.header.as_ref().map_or(table.width, Vec::len);
        let mut reader = layout::reader(self.text, separator);
        let mut record = StringRecord::new();
        let (mut line, mut counted) = (1, 0);
        let mut left = self.most / width.max(1);
        let mut take = |cells: &[&str], line: usize| {
            let fault = match left {
                _ if cells.len() != width => TableFault::RowLength {
                    cells: cells.len(),
                    width,
                    separator: separator.into(),
                },
                0 => TableFault::TooMany { most: self.most },
                _ => {
                    left -= 1;
                    visit(cells, line);
                    return Ok(());
                }
            };
            Err(fault.at(format!("{}:{line}", self.file)))
        };
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
            if passed <= table.above {
                continue;
            }
            // The line on which the row ends.
            let end = reader.position().byte() as usize - 1;
            line += line_ends(&self.text.as_bytes()[counted..end]);
            counted = end;
            // What may stand below the table is a row if one follows.
            let is_first = passed == table.above + 1;
            if !is_first && layout::is_below(&cells, width) {
                below.push((record.clone(), line));
                continue;
            }
            for (record, line) in below.drain(..) {
                take(&layout::cells(&record, separator), line)?;
            }
            take(&cells, line)?;
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
}

/// The text with the line ends of today where it has those of old Macintoshes.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') {
        return text;
    }
    text.replace('\r', "\n").into()
}

fn line_ends(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

/// Makes comments that begin with `%` begin with `#`, and keeps lines that begin with `#N/A` from being comments.
fn comments(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = text;
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

/// The text of a table of Markdown or of a database without its rules, `| --- | --- |`, and the bars at the ends of its
/// lines.
fn without_rules(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_rule = |line: &str| {
        let mut signs = line.trim().chars();
        line.contains("--") && line.contains(['|', '+']) && signs.all(|it| "|+-: ".contains(it))
    };
    let Some(rule) = text.lines().take(MOST_ABOVE_RULE).find(|it| is_rule(it)) else {
        return text;
    };
    let has_ends = rule.trim_start().starts_with(['|', '+']);
    let lines = text.lines().map(|line| {
        let bars = line.trim().strip_prefix('|').filter(|_| has_ends);
        let inner = bars.and_then(|it| it.strip_suffix('|'));
        if is_rule(line) {
            ""
        } else {
            inner.unwrap_or(line)
        }
    });
    lines.collect::<Vec<&str>>().join("\n").into()
}

/// The separator that the first line of a file of Excel names, `sep=;`, and the text without that line.
fn known_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let bare = line.trim_end_matches('\r').trim_matches('"');
    match bare.strip_prefix("sep=").map(str::as_bytes) {
        Some(&[separator]) => (Some(separator), rest),
        _ => (None, text),
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
