//! Cells: from the text of a cell to a number.
//!
//! A number is written as in the language, with a sign, and without `_` and `0x`. In files with semicolons a decimal
//! comma may stand in place of the point. `inf` and `nan` are numbers, as they are in the language.

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellValue {
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
    pub(super) fn read(&mut self, cell: &str) -> CellValue {
        let text = trimmed(cell);
        if text.is_empty() {
            return CellValue::Empty;
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
            (Some(mark), Some(found)) if mark != found => return CellValue::OtherPoint,
            (Some(mark), _) => self.found = Some(mark),
            (None, _) => {}
        }
        let is_finite = number.is_finite() || !text.bytes().any(|byte| byte.is_ascii_digit());
        if is_finite {
            CellValue::Number(number)
        } else {
            CellValue::TooLarge
        }
    }

    /// Text that is not a number: perhaps one with both marks, `1.000,5`.
    fn grouped(self, text: &str) -> CellValue {
        let is_part = |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b',');
        if self.may_be_comma && text.bytes().all(is_part) && text.contains(',') {
            CellValue::OtherPoint
        } else {
            CellValue::Word
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
            (b',', "1", CellValue::Number(1.0)),
            (b',', " -1.5e-3\t", CellValue::Number(-1.5e-3)),
            (b',', "+.5", CellValue::Number(0.5)),
            (b',', "5.", CellValue::Number(5.0)),
            (b',', "−2", CellValue::Number(-2.0)),
            (b',', "−-2", CellValue::Word),
            (b',', " \"7\" ", CellValue::Number(7.0)),
            (b',', "", CellValue::Empty),
            (b',', "  ", CellValue::Empty),
            (b',', "-inf", CellValue::Number(f64::NEG_INFINITY)),
            (b',', "Infinity", CellValue::Number(f64::INFINITY)),
            (b',', "1e308", CellValue::Number(1e308)),
            (b',', "1e309", CellValue::TooLarge),
            (b',', "-1e999", CellValue::TooLarge),
            (b',', "1e-999", CellValue::Number(0.0)),
            (b',', "1,5", CellValue::Word),
            (b'\t', "1,5", CellValue::Word),
            (b';', "1,5", CellValue::Number(1.5)),
            (b';', "-1,5e3", CellValue::Number(-1500.0)),
            (b';', "1.5", CellValue::Number(1.5)),
            (b';', "1.000,5", CellValue::OtherPoint),
            (b';', "1,000,5", CellValue::OtherPoint),
            (b';', "a,b", CellValue::Word),
            (b',', "n/a", CellValue::Word),
            (b',', "1_000", CellValue::Word),
            (b',', "0x10", CellValue::Word),
            (b',', "1 000", CellValue::Word),
            (b',', "1e", CellValue::Word),
            (b',', "-", CellValue::Word),
        ] {
            assert_eq!(DecimalPoint::of(separator).read(text), expected, "{text:?}");
        }
        for text in ["nan", "NaN", "-nan"] {
            let read = DecimalPoint::of(b',').read(text);
            assert!(matches!(read, CellValue::Number(number) if number.is_nan()));
        }
    }

    #[test]
    fn a_file_has_one_decimal_mark() {
        let mut point = DecimalPoint::of(b';');
        let cells = ["1", "1,5", "2", "1.000", "0,5"].map(|text| point.read(text));
        let number = CellValue::Number;
        let expected = [
            number(1.0),
            number(1.5),
            number(2.0),
            CellValue::OtherPoint,
            number(0.5),
        ];
        assert_eq!(cells, expected);
    }
}
