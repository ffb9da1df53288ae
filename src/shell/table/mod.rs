//! Tables of numbers: what `:data` reads from a CSV file.
//!
//! Cells are separated by commas, semicolons or tabs, which the first line decides. The first line is a header if none
//! of its cells is a number. Blank lines and lines that begin with `#` are skipped. Errors name the place in the file as
//! `FILE:LINE:COLUMN`, where COLUMN is that of the table.

mod cell;
mod header;

use std::io::{self, Read};

use csv::{ReaderBuilder, StringRecord};

use self::cell::{CellValue, DecimalPoint};
pub(crate) use self::header::names;
use crate::diagnostic::Diagnostic;
use crate::report::plural;
use crate::session::STATEMENT_NODES;
use crate::stop;

/// The largest file that is read, in bytes.
pub const MAX_FILE: usize = 1 << 30;

/// How many bytes are read at a time.
const READ: u64 = 1 << 20;

/// The byte order mark that some programs put at the start of a file: U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A table of numbers.
#[derive(Debug)]
pub(crate) struct NumberTable {
    /// The cells of the header, if there is one.
    pub header: Option<Vec<String>>,
    /// How many columns there are.
    pub width: usize,
    /// The numbers, row by row.
    pub numbers: Vec<f64>,
}

impl NumberTable {
    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.numbers.len() / self.width
    }
}

/// Reads everything up to the end; `None` if that is more than [`MAX_FILE`].
pub(crate) fn bytes(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    for turn in 0.. {
        stop::ask(turn);
        if source.take(READ).read_to_end(&mut bytes)? == 0 {
            break;
        }
        if bytes.len() > MAX_FILE {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// The error for a file that is larger than [`MAX_FILE`].
pub(crate) fn too_large(file: &str) -> Diagnostic {
    Diagnostic::new(format!("`{file}` is larger than {} MiB", MAX_FILE >> 20))
        .help("read a part of it")
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
    let mut point = DecimalPoint::of(separator);
    let mut record = StringRecord::new();
    for turn in 0.. {
        stop::ask(turn);
        // Bytes in memory can be read, and rows of any length are accepted.
        if !reader.read_record(&mut record).unwrap_or(false) {
            break;
        }
        if record.len() == 1 && cell::trimmed(&record[0]).is_empty() {
            continue;
        }
        let place = RowPlace {
            file,
            text,
            record: &record,
        };
        if table.width == 0 {
            table.width = record.len();
            if is_header(&record, point) {
                let cells = record.iter().map(|cell| cell::trimmed(cell).to_string());
                table.header = Some(cells.collect());
                continue;
            }
        }
        if record.len() != table.width {
            return Err(place.ragged(table.width, separator));
        }
        if table.numbers.len() + record.len() > STATEMENT_NODES as usize {
            return Err(place.too_many());
        }
        for (at, text) in record.iter().enumerate() {
            match point.read(text) {
                CellValue::Number(number) => table.numbers.push(number),
                fault => return Err(place.fault(at, text, &fault, &table)),
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
fn is_header(record: &StringRecord, mut point: DecimalPoint) -> bool {
    let mut named = false;
    for cell in record {
        match point.read(cell) {
            CellValue::Word => named = true,
            CellValue::Empty => {}
            _ => return false,
        }
    }
    named
}

/// What separates the cells: what there is outside quotes in the first line with anything in it.
fn separator(text: &str) -> u8 {
    let first = text.split(['\n', '\r']).find(|line| holds_cells(line));
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

/// Is it neither blank nor a comment?
fn holds_cells(line: &str) -> bool {
    !line.starts_with('#') && !line.trim_matches([' ', '\t', '\u{feff}']).is_empty()
}

/// The line that this byte is in. The line ends of old Macintoshes count where there are no others.
fn line_at(bytes: &[u8], at: usize) -> usize {
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    bytes[..at].split(|&byte| byte == end).count()
}

/// A row in a file, for errors.
struct RowPlace<'r> {
    file: &'r str,
    text: &'r str,
    record: &'r StringRecord,
}

impl RowPlace<'_> {
    /// The line on which the row begins. The reader counts blank lines and comments before the row as part of it.
    fn line(&self) -> usize {
        let start = self
            .record
            .position()
            .map_or(0, |place| place.byte() as usize);
        let mut at = start;
        for line in self.text[start..].split_inclusive(['\n', '\r']) {
            if holds_cells(line.trim_end_matches(['\n', '\r'])) {
                break;
            }
            at += line.len();
        }
        line_at(self.text.as_bytes(), at)
    }

    /// The error for a cell that is not a number.
    fn fault(&self, at: usize, text: &str, fault: &CellValue, table: &NumberTable) -> Diagnostic {
        let place = format!("`{}:{}:{}`", self.file, self.line(), at + 1);
        let text = cell::trimmed(text);
        let first = table.header.is_none() && table.numbers.len() < table.width;
        let (what, help) = match fault {
            CellValue::TooLarge => (
                format!("`{text}` is too large for a number"),
                format!("the largest is {:e}; `inf` is read too", f64::MAX),
            ),
            CellValue::OtherPoint => (
                format!("`{text}` has another decimal mark than the numbers before it"),
                "a file has either decimal points or decimal commas; digits are not grouped"
                    .to_string(),
            ),
            CellValue::Empty => (
                "the cell is empty".to_string(),
                "leave the whole row out, or write `nan` for what is missing".to_string(),
            ),
            _ if first => (
                format!("`{text}` is not a number"),
                "there are numbers in the first line, so it is no header: a header has only names"
                    .to_string(),
            ),
            _ if text.contains([' ', '\t']) => (
                format!("`{text}` is not a number"),
                "cells are separated by commas, semicolons or tabs".to_string(),
            ),
            _ => (
                format!("`{text}` is not a number"),
                "a table has only numbers below its header; write `nan` for what is missing"
                    .to_string(),
            ),
        };
        Diagnostic::new(format!("{place}: {what}")).help(help)
    }

    /// The error for a row that is longer or shorter than the first.
    fn ragged(&self, width: usize, separator: u8) -> Diagnostic {
        let (file, line, cells) = (self.file, self.line(), self.record.len());
        let cells = plural(cells, "cell");
        let error = Diagnostic::new(format!(
            "`{file}:{line}`: this row has {cells}, the first line has {width}"
        ));
        error.help(if separator == b',' {
            "a row has a cell for every column; numbers with decimal commas are separated by `;`"
        } else {
            "a row has a cell for every column"
        })
    }

    fn too_many(&self) -> Diagnostic {
        Diagnostic::new(format!(
            "`{}:{}`: there are more than {STATEMENT_NODES} numbers",
            self.file,
            self.line()
        ))
        .help("read a part of the file, or fewer columns")
    }
}
