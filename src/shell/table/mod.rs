//! Tables of numbers: what `:data` reads from a CSV file.
//!
//! `encoding` makes a text of the file, `layout` finds the rows in it and their heading. The first cell of a column that
//! is not empty says whether it has numbers, dates or text. Errors name the place in the file as `FILE:LINE:COLUMN`, where
//! COLUMN is that of the table.

mod column;
mod dates;
mod encoding;
mod layout;

use std::borrow::Cow;
use std::io::{self, Read};

use csv::StringRecord;

use self::column::ColumnReader;
use self::layout::Layout;
use crate::diagnostic::{Diagnostic, quoted};
use crate::report::{Line, plural, say};
use crate::session::{NumberTable, STATEMENT_NODES};
use crate::stop;

/// The largest file that is read, in bytes.
pub const MAX_FILE: usize = 1 << 30;

/// Reads everything up to the end; `None` if that is more than [`MAX_FILE`].
pub(crate) fn bytes(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((read <= MAX_FILE).then_some(bytes))
}

/// The table in a file with these contents.
pub(crate) fn read(bytes: &[u8], file: &str) -> Result<NumberTable, Diagnostic> {
    let (text, note) = encoding::text(bytes, file)?;
    let text = &*comments(text);
    let (separator, start) = known_separator(text);
    let layout = Layout::of(&text[start..], separator);
    let mark = DecimalMark {
        may_be_comma: layout.separator == b';',
        found: None,
    };
    let mut reader = TableReader {
        file,
        text,
        start,
        layout,
        mark,
        columns: Vec::new(),
        numbers: Vec::new(),
        notes: note.into_iter().collect(),
    };
    reader.read()?;
    reader.finish()
}

/// A table while it is read.
struct TableReader<'t> {
    file: &'t str,
    text: &'t str,
    /// Where the text begins that `layout` knows.
    start: usize,
    layout: Layout,
    mark: DecimalMark,
    columns: Vec<ColumnReader>,
    numbers: Vec<f64>,
    notes: Vec<Line>,
}

impl TableReader<'_> {
    /// Reads all rows.
    fn read(&mut self) -> Result<(), Diagnostic> {
        let separator = self.layout.separator;
        let mut reader = layout::reader(&self.text[self.start..], separator);
        let mut record = StringRecord::new();
        let mut lines = LineCounter::of(self.text.as_bytes());
        if self.layout.skipped > 0 {
            let line = lines.line_at(self.start + self.layout.begin - 1);
            let count = plural(self.layout.skipped, "line");
            let note = say!(
                "the table begins in line {}: {} above it skipped",
                line,
                count
            );
            self.notes.push(note);
        }
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
        if let Some((first, _)) = below.first() {
            let line = layout::cells(first, separator).join(" ");
            let count = plural(below.len(), "line");
            let note = say!(
                "{} below the table skipped: `{}`",
                count,
                quoted(line.trim())
            );
            self.notes.push(note);
        }
        Ok(())
    }

    /// Reads a row.
    fn row(&mut self, cells: &[&str], mut line: impl FnMut() -> usize) -> Result<(), Diagnostic> {
        let mut place = || format!("{}:{}", self.file, line());
        if self.columns.is_empty() {
            let width = self.layout.header.as_ref().map_or(cells.len(), Vec::len);
            self.columns.resize_with(width, ColumnReader::default);
        }
        let width = self.columns.len();
        if cells.len() != width {
            return Err(ragged(&place(), cells.len(), width, self.layout.separator));
        }
        if self.numbers.len() + width > STATEMENT_NODES as usize {
            return Err(Diagnostic::new(format!(
                "`{}`: there are more than {STATEMENT_NODES} numbers",
                place()
            ))
            .help("read a part of the file, or fewer columns"));
        }
        let row = self.numbers.len() / width;
        for (at, (cell, column)) in cells.iter().zip(&mut self.columns).enumerate() {
            let place = || format!("`{}:{}`", place(), at + 1);
            let number = column.read(cell, row, &mut self.mark, place);
            self.numbers.push(number);
        }
        Ok(())
    }

    /// The table of what was read.
    fn finish(self) -> Result<NumberTable, Diagnostic> {
        if self.numbers.is_empty() {
            let what = match (self.text.trim().is_empty(), &self.layout.header) {
                (true, _) => "is empty",
                (false, Some(_)) => "has a header, and no numbers below it",
                (false, None) => "has no numbers",
            };
            return Err(Diagnostic::new(format!("`{}` {what}", self.file)));
        }
        let rows = self.numbers.len() / self.columns.len();
        let columns = self.columns.into_iter().map(|it| it.finish(rows));
        Ok(NumberTable {
            header: self.layout.header,
            columns: columns.collect(),
            numbers: self.numbers,
            notes: self.notes,
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

/// The error for a row that is longer or shorter than the first.
fn ragged(place: &str, cells: usize, width: usize, separator: u8) -> Diagnostic {
    let cells = plural(cells, "cell");
    let error = Diagnostic::new(format!(
        "`{place}`: this row has {cells}, the first line has {width}"
    ));
    error.help(if separator == b',' {
        "a row has a cell for every column; numbers with decimal commas are separated by `;`"
    } else {
        "a row has a cell for every column"
    })
}

/// The decimal mark of a file. The first number that has one decides.
#[derive(Clone, Copy, Debug)]
struct DecimalMark {
    may_be_comma: bool,
    found: Option<u8>,
}

/// Why a cell is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellFault {
    /// It is beyond the largest double.
    TooLarge,
    /// It has a decimal comma among numbers with decimal points, or the other way round.
    OtherMark,
    /// It is no date, among dates.
    NoDate,
    /// Anything else.
    Word,
}

impl CellFault {
    /// The error for a cell with this text.
    fn told(self, place: &str, text: &str) -> Diagnostic {
        let (what, help) = match self {
            CellFault::NoDate => (
                format!("`{text}` is no date as those above it"),
                "a column of dates has dates such as `2024-03-01` or `2024-03-01 12:30:05`",
            ),
            CellFault::TooLarge => (
                format!("`{text}` is too large for a number"),
                "write `inf` for what is beyond every number",
            ),
            CellFault::OtherMark => (
                format!("`{text}` has another decimal mark than the numbers before it"),
                "a file has either decimal points or decimal commas; digits are not grouped",
            ),
            CellFault::Word => (
                format!("`{text}` is not a number"),
                "more than a tenth of the column is not a number; leave the cell empty, or write `nan`, for what is missing",
            ),
        };
        Diagnostic::new(format!("{place}: {what}")).help(help)
    }
}

impl DecimalMark {
    /// Reads a cell: a number as in the language, with a sign, and without `_` and `0x`.
    fn read(&mut self, cell: &str) -> Result<f64, CellFault> {
        let text = trimmed(cell);
        if text.is_empty() {
            return Ok(f64::NAN);
        }
        let mark = text
            .bytes()
            .find(|&byte| byte == b'.' || byte == b',' && self.may_be_comma);
        let number = match mark {
            Some(b',') => parsed(&text.replacen(',', ".", 1)),
            _ => parsed(text),
        };
        let number = number.ok_or(CellFault::Word)?;
        if let Some(mark) = mark
            && *self.found.get_or_insert(mark) != mark
        {
            return Err(CellFault::OtherMark);
        }
        // `inf` is a number, too.
        if number.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(CellFault::TooLarge);
        }
        Ok(number)
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

/// The number that a text is, in the forms of the standard library. A minus may be `−` too.
fn parsed(text: &str) -> Option<f64> {
    match text.strip_prefix('−') {
        Some(unsigned) if unsigned.starts_with(['+', '-']) => None,
        Some(unsigned) => format!("-{unsigned}").parse().ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_numbers() {
        for (may_be_comma, text, expected) in [
            (false, "1", Ok(1.0)),
            (false, " -1.5e-3\t", Ok(-1.5e-3)),
            (false, "+.5", Ok(0.5)),
            (false, "5.", Ok(5.0)),
            (false, "−2", Ok(-2.0)),
            (false, "−-2", Err(CellFault::Word)),
            (false, " \"7\" ", Ok(7.0)),
            (false, "-inf", Ok(f64::NEG_INFINITY)),
            (false, "Infinity", Ok(f64::INFINITY)),
            (false, "1e308", Ok(1e308)),
            (false, "1e309", Err(CellFault::TooLarge)),
            (false, "-1e999", Err(CellFault::TooLarge)),
            (false, "1e-999", Ok(0.0)),
            (false, "1,5", Err(CellFault::Word)),
            (true, "1,5", Ok(1.5)),
            (true, "-1,5e3", Ok(-1500.0)),
            (true, "1.5", Ok(1.5)),
            (true, "1.000,5", Err(CellFault::Word)),
            (true, "a,b", Err(CellFault::Word)),
            (false, "n/a", Err(CellFault::Word)),
            (false, "1_000", Err(CellFault::Word)),
            (false, "0x10", Err(CellFault::Word)),
            (false, "1 000", Err(CellFault::Word)),
            (false, "1e", Err(CellFault::Word)),
            (false, "-", Err(CellFault::Word)),
        ] {
            let mut mark = DecimalMark {
                may_be_comma,
                found: None,
            };
            assert_eq!(mark.read(text), expected, "{text:?}");
        }
        for text in ["nan", "NaN", "-nan", "", "  "] {
            let mut mark = DecimalMark {
                may_be_comma: false,
                found: None,
            };
            assert!(mark.read(text).is_ok_and(f64::is_nan), "{text}");
        }
    }

    #[test]
    fn a_file_has_one_decimal_mark() {
        let mut mark = DecimalMark {
            may_be_comma: true,
            found: None,
        };
        let cells = ["1", "1,5", "2", "1.000", "0,5"].map(|text| mark.read(text));
        let other = Err(CellFault::OtherMark);
        assert_eq!(cells, [Ok(1.0), Ok(1.5), Ok(2.0), other, Ok(0.5)]);
    }
}
