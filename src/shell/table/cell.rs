//! Cells: from the text of a cell to a number.
//!
//! A number is written as in the language, with a sign, and without `_` and `0x`. In files with semicolons a decimal
//! comma may stand in place of the point. `inf` and `nan` are numbers, as they are in the language.

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    /// A number.
    Number(f64),
    /// Nothing, or only blanks.
    Empty,
    /// A number beyond the largest double.
    TooLarge,
    /// A number with a decimal comma among numbers with decimal points, or the other way round.
    OtherPoint,
    /// Anything else.
    Word,
}

/// The decimal mark of a file. The first number that has one decides.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecimalPoint {
    may_be_comma: bool,
    found: Option<u8>,
}

/// A cell without the blanks around it, and without quotes that are not at its beginning: `1, "2"`.
pub(super) fn trimmed(cell: &str) -> &str {
    let cell = cell.trim();
    let inner = cell
        .strip_prefix('"')
        .and_then(|inner| inner.strip_suffix('"'));
    inner.map_or(cell, str::trim)
}

impl DecimalPoint {
    /// For a file whose cells are separated by this character.
    pub(super) fn of(separator: u8) -> DecimalPoint {
        DecimalPoint {
            may_be_comma: separator == b';',
            found: None,
        }
    }

    /// Reads a cell.
    pub(super) fn read(&mut self, cell: &str) -> Cell {
        let text = trimmed(cell);
        if text.is_empty() {
            return Cell::Empty;
        }
        let mark = text
            .bytes()
            .find(|&byte| byte == b'.' || byte == b',' && self.may_be_comma);
        let read = match mark {
            Some(b',') => parsed(&text.replacen(',', ".", 1)),
            // After the point no comma is one.
            _ => parsed(text),
        };
        let Some(number) = read else {
            return self.grouped(text);
        };
        match (mark, self.found) {
            (Some(mark), Some(found)) if mark != found => return Cell::OtherPoint,
            (Some(mark), _) => self.found = Some(mark),
            (None, _) => {}
        }
        let is_finite = number.is_finite() || !text.bytes().any(|byte| byte.is_ascii_digit());
        if is_finite {
            Cell::Number(number)
        } else {
            Cell::TooLarge
        }
    }

    /// Text that is not a number: perhaps one with both marks, `1.000,5`.
    fn grouped(self, text: &str) -> Cell {
        let is_part = |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b',');
        if self.may_be_comma && text.bytes().all(is_part) && text.contains(',') {
            Cell::OtherPoint
        } else {
            Cell::Word
        }
    }
}

/// The number that a text is. A minus may be `−` too.
fn parsed(text: &str) -> Option<f64> {
    let first = text.bytes().next()?;
    // The standard library reads exactly these forms.
    if first.is_ascii() {
        return text.parse().ok();
    }
    let number = text.strip_prefix('−')?;
    let unsigned = !number.starts_with(['+', '-']);
    format!("-{number}").parse().ok().filter(|_| unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_numbers() {
        for (separator, text, expected) in [
            (b',', "1", Cell::Number(1.0)),
            (b',', " -1.5e-3\t", Cell::Number(-1.5e-3)),
            (b',', "+.5", Cell::Number(0.5)),
            (b',', "5.", Cell::Number(5.0)),
            (b',', "−2", Cell::Number(-2.0)),
            (b',', "−-2", Cell::Word),
            (b',', " \"7\" ", Cell::Number(7.0)),
            (b',', "", Cell::Empty),
            (b',', "  ", Cell::Empty),
            (b',', "-inf", Cell::Number(f64::NEG_INFINITY)),
            (b',', "Infinity", Cell::Number(f64::INFINITY)),
            (b',', "1e308", Cell::Number(1e308)),
            (b',', "1e309", Cell::TooLarge),
            (b',', "-1e999", Cell::TooLarge),
            (b',', "1e-999", Cell::Number(0.0)),
            (b',', "1,5", Cell::Word),
            (b'\t', "1,5", Cell::Word),
            (b';', "1,5", Cell::Number(1.5)),
            (b';', "-1,5e3", Cell::Number(-1500.0)),
            (b';', "1.5", Cell::Number(1.5)),
            (b';', "1.000,5", Cell::OtherPoint),
            (b';', "1,000,5", Cell::OtherPoint),
            (b';', "a,b", Cell::Word),
            (b',', "n/a", Cell::Word),
            (b',', "1_000", Cell::Word),
            (b',', "0x10", Cell::Word),
            (b',', "1 000", Cell::Word),
            (b',', "1e", Cell::Word),
            (b',', "-", Cell::Word),
        ] {
            assert_eq!(DecimalPoint::of(separator).read(text), expected, "{text:?}");
        }
        for text in ["nan", "NaN", "-nan"] {
            let read = DecimalPoint::of(b',').read(text);
            assert!(matches!(read, Cell::Number(number) if number.is_nan()));
        }
    }

    #[test]
    fn a_file_has_one_decimal_mark() {
        let mut point = DecimalPoint::of(b';');
        let cells = ["1", "1,5", "2", "1.000", "0,5"].map(|text| point.read(text));
        let number = Cell::Number;
        let expected = [
            number(1.0),
            number(1.5),
            number(2.0),
            Cell::OtherPoint,
            number(0.5),
        ];
        assert_eq!(cells, expected);
    }
}
