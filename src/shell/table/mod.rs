//! Tables of numbers: what `:data` reads from a CSV file.
//!
//! Cells are separated by tabs, semicolons, commas or blanks, which the first lines decide. The first line is a header if
//! none of its cells is a number or a date; without one, the comment before the first line is, if it has a name for each
//! column. Blank lines and lines that begin with `#` are skipped. In files with semicolons a decimal comma may stand in
//! place of the point. The first cell of a column that is not empty says whether it has numbers, dates or text. Errors
//! name the place in the file as `FILE:LINE:COLUMN`, where COLUMN is that of the table.

mod dates;
mod encoding;

use std::io::{self, Read};

use csv::{ReaderBuilder, StringRecord};

use self::dates::Date;
use crate::diagnostic::Diagnostic;
use crate::report::plural;
use crate::session::{ColumnKind, NumberTable, STATEMENT_NODES, TableColumn};
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
    let text = &*text;
    let separator = separator(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut table = NumberTable {
        header: None,
        columns: Vec::new(),
        numbers: Vec::new(),
        notes: note.into_iter().collect(),
    };
    let mut mark = DecimalMark {
        may_be_comma: separator == b';',
        found: None,
    };
    let mut first_dates: Vec<Option<Date>> = Vec::new();
    let mut record = StringRecord::new();
    let mut lines = LineCounter::of(text.as_bytes());
    for turn in 0.. {
        stop::ask(turn);
        // Bytes in memory can be read, and rows of any length are accepted.
        if !reader.read_record(&mut record).unwrap_or(false) {
            break;
        }
        let cells = cells(&record, separator);
        if matches!(cells[..], [] | [""]) {
            continue;
        }
        // The line on which the row ends.
        let end = reader.position().byte() as usize;
        let mut place = || format!("{file}:{}", lines.line_at(end.saturating_sub(1)));
        if table.columns.is_empty() {
            let begins = is_header(&cells, mark);
            table.header = if begins {
                Some(headings(&cells, separator))
            } else {
                commented(text, separator, mark).filter(|header| header.len() == cells.len())
            };
            let width = table.header.as_ref().map_or(cells.len(), Vec::len);
            table.columns.resize_with(width, TableColumn::default);
            first_dates.resize(width, None);
            if begins {
                continue;
            }
        }
        let width = table.columns.len();
        if cells.len() != width {
            return Err(ragged(&place(), cells.len(), width, separator));
        }
        if table.numbers.len() + width > STATEMENT_NODES as usize {
            return Err(Diagnostic::new(format!(
                "`{}`: there are more than {STATEMENT_NODES} numbers",
                place()
            ))
            .help("read a part of the file, or fewer columns"));
        }
        for (at, text) in cells.into_iter().enumerate() {
            let column = &mut table.columns[at];
            let read = column.read(text, &mut mark, &mut first_dates[at]);
            if let Err(fault) = read
                && column.fault.is_none()
            {
                column.fault = Some(fault.told(&format!("`{}:{}`", place(), at + 1), text));
            }
            table.numbers.push(read.unwrap_or(f64::NAN));
        }
    }
    if table.numbers.is_empty() {
        let what = match (text.trim().is_empty(), &table.header) {
            (true, _) => "is empty",
            (false, Some(_)) => "has a header, and no numbers below it",
            (false, None) => "has no numbers",
        };
        return Err(Diagnostic::new(format!("`{file}` {what}")));
    }
    Ok(table)
}

impl TableColumn {
    /// Reads a cell of the column. The first one that is not empty decides what the column has.
    fn read(
        &mut self,
        text: &str,
        mark: &mut DecimalMark,
        first: &mut Option<Date>,
    ) -> Result<f64, CellFault> {
        let date = match self.kind {
            ColumnKind::Text(_) => return Ok(f64::NAN),
            _ if text.is_empty() => return Ok(f64::NAN),
            ColumnKind::Numbers => return mark.read(text),
            ColumnKind::Empty | ColumnKind::Dates => Date::read(text),
        };
        if let Some(date) = date {
            self.kind = ColumnKind::Dates;
            return Ok(date.days_since(*first.get_or_insert(date)));
        }
        if self.kind == ColumnKind::Dates {
            return Err(CellFault::NoDate);
        }
        let read = mark.read(text);
        if read == Err(CellFault::Word) {
            self.kind = ColumnKind::Text(text.into());
            return Ok(f64::NAN);
        }
        self.kind = ColumnKind::Numbers;
        read
    }
}

/// The cells of a row. Several blanks separate as one does.
fn cells(record: &StringRecord, separator: u8) -> Vec<&str> {
    let cells = record.iter().map(trimmed);
    cells
        .filter(|cell| separator != b' ' || !cell.is_empty())
        .collect()
}

/// A header has at least one name, and no number or date.
fn is_header(cells: &[&str], mut mark: DecimalMark) -> bool {
    let mut names = 0;
    cells.iter().filter(|cell| !cell.is_empty()).all(|cell| {
        names += 1;
        mark.read(cell) == Err(CellFault::Word) && Date::read(cell).is_none()
    }) && names > 0
}

/// The headings of a header. Among blanks a unit belongs to what stands before it: `t [s]`.
fn headings(cells: &[&str], separator: u8) -> Vec<String> {
    let mut headings: Vec<String> = Vec::with_capacity(cells.len());
    for cell in cells {
        match headings.last_mut() {
            Some(heading) if separator == b' ' && cell.starts_with(['[', '(']) => {
                *heading += " ";
                *heading += cell;
            }
            _ => headings.push((*cell).to_string()),
        }
    }
    headings
}

/// The headings in the last comment before the first row, where numpy writes them: `# t U`.
fn commented(text: &str, separator: u8, mark: DecimalMark) -> Option<Vec<String>> {
    let comments = text
        .lines()
        .take_while(|line| line.starts_with('#') || line.trim().is_empty());
    let last = comments.filter(|line| line.starts_with('#')).last()?;
    let last = last.trim_start_matches('#').trim();
    let cells: Vec<&str> = match separator {
        b' ' => last.split_whitespace().collect(),
        _ => last.split(char::from(separator)).map(trimmed).collect(),
    };
    is_header(&cells, mark).then(|| headings(&cells, separator))
}

/// What separates the cells: what there is outside quotes in the first line that is neither blank nor a comment. Without
/// any of these, blanks do if the next line has some: the first may be the heading of a single column.
fn separator(text: &str) -> u8 {
    let holds_cells = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
    let mut lines = text.split(['\n', '\r']).filter(holds_cells);
    let first = lines.next().unwrap_or_default();
    let next = lines.next().unwrap_or(first).trim();
    let mut quoted = false;
    let outside: Vec<u8> = first
        .bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            !quoted
        })
        .collect();
    let blanks = next.contains([' ', '\t']) && !next.contains([',', '"']);
    let there = |separator: &u8| outside.contains(separator);
    let otherwise = if blanks { b' ' } else { b',' };
    *b"\t;,"
        .iter()
        .find(|byte| there(byte))
        .unwrap_or(&otherwise)
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
                "a column of numbers has only numbers; leave the cell empty, or write `nan`, for what is missing",
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
