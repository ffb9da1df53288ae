//! Tables of numbers: what `:data` reads from a CSV file.
//!
//! Cells are separated by commas, semicolons or tabs, which the first line decides. The first line is a header if none
//! of its cells is a number. Blank lines and lines that begin with `#` are skipped. In files with semicolons a decimal
//! comma may stand in place of the point. Errors name the place in the file as `FILE:LINE:COLUMN`, where COLUMN is that
//! of the table.

use std::io::{self, Read};

use csv::{ReaderBuilder, StringRecord};

use crate::diagnostic::Diagnostic;
use crate::report::plural;
use crate::session::{NumberTable, STATEMENT_NODES};
use crate::stop;

/// The largest file that is read, in bytes.
pub const MAX_FILE: usize = 1 << 30;

/// The byte order mark that some programs put at the start of a file: U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads everything up to the end; `None` if that is more than [`MAX_FILE`].
pub(crate) fn bytes(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((read <= MAX_FILE).then_some(bytes))
}

/// The table in a file with these contents.
pub(crate) fn read(bytes: &[u8], file: &str) -> Result<NumberTable, Diagnostic> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let byte = bytes.get(good).copied().unwrap_or_default();
        let line = line_at(bytes, good);
        Diagnostic::new(format!(
            "`{file}:{line}`: byte `\\x{byte:02x}` is not UTF-8"
        ))
        .help("save the file in UTF-8")
    })?;
    let separator = separator(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut table = NumberTable {
        header: None,
        width: 0,
        numbers: Vec::new(),
    };
    let mut mark = DecimalMark {
        may_be_comma: separator == b';',
        found: None,
    };
    let mut record = StringRecord::new();
    for turn in 0.. {
        stop::ask(turn);
        // Bytes in memory can be read, and rows of any length are accepted.
        if !reader.read_record(&mut record).unwrap_or(false) {
            break;
        }
        if record.len() == 1 && trimmed(&record[0]).is_empty() {
            continue;
        }
        // The line on which the row ends.
        let end = reader.position().byte() as usize;
        let place = || format!("{file}:{}", line_at(bytes, end.saturating_sub(1)));
        if table.width == 0 {
            table.width = record.len();
            if is_header(&record, mark) {
                let cells = record.iter().map(|cell| trimmed(cell).to_string());
                table.header = Some(cells.collect());
                continue;
            }
        }
        if record.len() != table.width {
            return Err(ragged(&place(), record.len(), table.width, separator));
        }
        if table.numbers.len() + record.len() > STATEMENT_NODES as usize {
            return Err(Diagnostic::new(format!(
                "`{}`: there are more than {STATEMENT_NODES} numbers",
                place()
            ))
            .help("read a part of the file, or fewer columns"));
        }
        for (at, text) in record.iter().enumerate() {
            match mark.read(text) {
                Ok(number) => table.numbers.push(number),
                Err(fault) => {
                    let is_first = table.header.is_none() && table.numbers.len() < table.width;
                    let place = format!("`{}:{}`", place(), at + 1);
                    return Err(fault.told(&place, trimmed(text), is_first));
                }
            }
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

/// A header has at least one name and no number.
fn is_header(record: &StringRecord, mut mark: DecimalMark) -> bool {
    let cells: Vec<_> = record.iter().map(|cell| mark.read(cell)).collect();
    let is_number =
        |read: &Result<f64, CellFault>| !matches!(read, Err(CellFault::Word | CellFault::Empty));
    cells.contains(&Err(CellFault::Word)) && !cells.iter().any(is_number)
}

/// What separates the cells: what there is outside quotes in the first line that is neither blank nor a comment.
fn separator(text: &str) -> u8 {
    let holds_cells = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
    let first = text.split(['\n', '\r']).find(holds_cells);
    let mut quoted = false;
    let outside: Vec<u8> = first
        .unwrap_or_default()
        .bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            !quoted
        })
        .collect();
    let there = |separator: &u8| outside.contains(separator);
    *b"\t;".iter().find(|byte| there(byte)).unwrap_or(&b',')
}

/// The line that this byte is in. The line ends of old Macintoshes count where there are no others.
fn line_at(bytes: &[u8], at: usize) -> usize {
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    bytes[..at].split(|&byte| byte == end).count()
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
    /// It is empty or blank.
    Empty,
    /// It is beyond the largest double.
    TooLarge,
    /// It has a decimal comma among numbers with decimal points, or the other way round.
    OtherMark,
    /// Anything else.
    Word,
}

impl CellFault {
    /// The error for a cell with this text, which may be in the first line.
    fn told(self, place: &str, text: &str, is_first: bool) -> Diagnostic {
        let (what, help) = match self {
            CellFault::Empty => (
                "the cell is empty".to_owned(),
                "leave the whole row out, or write `nan` for what is missing",
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
                if is_first {
                    "there are numbers in the first line, so it is no header: a header has only names"
                } else if text.contains([' ', '\t']) {
                    "cells are separated by commas, semicolons or tabs"
                } else {
                    "a table has only numbers below its header; write `nan` for what is missing"
                },
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
            return Err(CellFault::Empty);
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
            (false, "", Err(CellFault::Empty)),
            (false, "  ", Err(CellFault::Empty)),
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
        for text in ["nan", "NaN", "-nan"] {
            assert!(parsed(text).is_some_and(f64::is_nan), "{text}");
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
