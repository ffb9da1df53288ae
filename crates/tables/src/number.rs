//! Cells as numbers, with decimal points or commas and with grouped digits. The file itself shows which separators it
//! uses.

use crate::CellFault;

/// What points and commas are in the numbers of a file. One of them is the decimal mark, and the other one groups digits.
/// `1,5`, `1.234,56` and `1.234.567` prove which is which; where no cell does, the separator of `1.234` is the decimal
/// mark.
#[derive(Debug, Default)]
pub(super) struct NumberMarks {
    /// The decimal mark. The first cell that proves it decides.
    decimal: Option<u8>,
    /// Cells are separated by commas, so a comma between quotes groups digits unless a cell proves that it does not.
    commas_group: bool,
    /// Whether cells that prove nothing were read with decimal points, and with decimal commas.
    assumed: [bool; 2],
    /// The first number whose digits seem to be grouped, and whether another cell proves that they are.
    guess: Option<String>,
    has_groups: bool,
    /// Numbers were read before a later cell proved something else of their separators.
    pub(super) is_wrong: bool,
}

impl NumberMarks {
    /// Nothing is known yet of a file whose cells are separated by this.
    pub(super) fn of(separator: u8) -> NumberMarks {
        NumberMarks {
            commas_group: separator == b',',
            ..NumberMarks::default()
        }
    }

    /// The same knowledge, for a file that is read again.
    pub(super) fn again(self) -> NumberMarks {
        NumberMarks {
            decimal: self.decimal,
            commas_group: self.commas_group,
            ..NumberMarks::default()
        }
    }

    /// The first number whose digits are grouped though no cell proves it.
    pub(super) fn guess(self) -> Option<String> {
        self.guess.filter(|_| !self.has_groups)
    }

    /// Reads a cell: a number as in the language, with a sign, and without `_` and `0x`. It may have a sign of money, or `%`.
    pub(super) fn read(&mut self, text: &str) -> Result<f64, CellFault> {
        if text.is_empty() {
            return Ok(f64::NAN);
        }
        let is_mark = |byte: &u8| matches!(byte, b'.' | b',');
        let mut marks = text.bytes().filter(is_mark);
        let (first, last) = (marks.next(), marks.next_back());
        let number = match (first, last) {
            (Some(mark), None) => self.read_mark(text, mark)?,
            (Some(first), Some(last)) => self.read_groups(text, first, last)?,
            _ => parsed(text),
        };
        let Some(number) = number else {
            let bare = text.trim_matches(['$', '€', '£', '%', ' ', '\u{a0}', '\u{202f}']);
            if bare.len() < text.len() && bare.ends_with(|c: char| c.is_ascii_digit()) {
                return self.read(bare);
            }
            // Digits may be grouped by what means nothing else.
            let end = text.find(['.', ',']).unwrap_or(text.len());
            let is_group = |group: &char| is_grouped(&text[..end], *group);
            let group = ['\'', '’', '\u{a0}', '\u{202f}']
                .into_iter()
                .find(|it| text.contains(*it) && is_group(it));
            let group = group.ok_or(CellFault::Word)?;
            return self.read(&text.replace(group, ""));
        };
        // `inf` is a number, too.
        if number.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(CellFault::TooLarge);
        }
        Ok(number)
    }

    /// A number with a single separator.
    fn read_mark(&mut self, text: &str, mark: u8) -> Result<Option<f64>, CellFault> {
        let sign = char::from(mark);
        let number = match mark {
            b',' if text.ends_with(',') => None,
            b',' => parsed(&text.replace(',', ".")),
            _ => parsed(text),
        };
        if !is_grouped(text, sign) {
            if number.is_some() {
                self.prove(mark)?;
            }
            return Ok(number);
        }
        let assumed = if self.commas_group { b'.' } else { mark };
        let decimal = self.decimal.unwrap_or(assumed);
        if self.decimal.is_none() {
            self.assumed[usize::from(decimal == b',')] = true;
            if self.assumed == [true; 2] {
                return Err(CellFault::OtherMark);
            }
        }
        if decimal == mark {
            return Ok(number);
        }
        self.guess.get_or_insert_with(|| text.to_owned());
        Ok(parsed(&text.replace(sign, "")))
    }

    /// A number with several separators: the first one groups the digits, and another one at the end is the decimal mark.
    fn read_groups(&mut self, text: &str, first: u8, last: u8) -> Result<Option<f64>, CellFault> {
        let (group, mark) = (char::from(first), char::from(last));
        let end = text.rfind(mark).filter(|_| first != last);
        let whole = &text[..end.unwrap_or(text.len())];
        if !is_grouped(whole, group) {
            return Ok(None);
        }
        let number = parsed(&text.replace(group, "").replace(mark, "."));
        if number.is_some() {
            self.has_groups = true;
            self.prove(if first == b',' { b'.' } else { b',' })?;
        }
        Ok(number)
    }

    /// Keeps what a cell proves, if it does not contradict the cells before it.
    fn prove(&mut self, decimal: u8) -> Result<(), CellFault> {
        if self.decimal.is_none() {
            self.is_wrong = self.assumed[usize::from(decimal != b',')];
            self.decimal = Some(decimal);
        }
        if self.decimal != Some(decimal) {
            return Err(CellFault::OtherMark);
        }
        Ok(())
    }
}

/// Whether the digits are in groups of three: `1.234.567`, and not `0.234`.
fn is_grouped(text: &str, mark: char) -> bool {
    let digits = text.trim_start_matches(['+', '-', '−']);
    let mut groups = digits.split(mark);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && first.bytes().all(|byte| byte.is_ascii_digit())
        && groups.all(|it| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_digit()))
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

    /// The numbers of a file whose cells are separated by this.
    fn numbers(separator: u8, cells: &[&str]) -> Vec<Result<f64, CellFault>> {
        let mut marks = NumberMarks::of(separator);
        let numbers: Vec<_> = cells.iter().map(|cell| marks.read(cell)).collect();
        if !marks.is_wrong {
            return numbers;
        }
        let mut marks = marks.again();
        let numbers = cells.iter().map(|cell| marks.read(cell)).collect();
        assert!(!marks.is_wrong, "{cells:?}");
        numbers
    }

    #[test]
    fn cells_are_read_as_numbers() {
        for (text, expected) in [
            ("1", Ok(1.0)),
            ("-1.5e-3", Ok(-1.5e-3)),
            ("+.5", Ok(0.5)),
            ("5.", Ok(5.0)),
            ("−2", Ok(-2.0)),
            ("−-2", Err(CellFault::Word)),
            ("-inf", Ok(f64::NEG_INFINITY)),
            ("Infinity", Ok(f64::INFINITY)),
            ("1e308", Ok(1e308)),
            ("1e309", Err(CellFault::TooLarge)),
            ("-1e999", Err(CellFault::TooLarge)),
            ("1e-999", Ok(0.0)),
            ("1,5", Ok(1.5)),
            ("-1,5e3", Ok(-1500.0)),
            ("1,", Err(CellFault::Word)),
            ("1.000,5", Ok(1000.5)),
            ("-12,300.50", Ok(-12_300.5)),
            ("−1,234,567", Ok(-1_234_567.0)),
            ("1.234.567", Ok(1_234_567.0)),
            ("1.234,567.8", Err(CellFault::Word)),
            ("1.234,567,800", Err(CellFault::Word)),
            ("1,5,6", Err(CellFault::Word)),
            ("0.123.456", Err(CellFault::Word)),
            ("15.03.2024", Err(CellFault::Word)),
            ("a,b", Err(CellFault::Word)),
            ("1'234'567.5", Ok(1_234_567.5)),
            ("1\u{202f}234,5", Ok(1234.5)),
            ("1'23", Err(CellFault::Word)),
            ("1_000", Err(CellFault::Word)),
            ("0x10", Err(CellFault::Word)),
            ("1 000", Err(CellFault::Word)),
            ("1e", Err(CellFault::Word)),
            ("-", Err(CellFault::Word)),
        ] {
            assert_eq!(numbers(b';', &[text]), [expected], "{text:?}");
        }
        for text in ["nan", "NaN", "-nan", ""] {
            assert!(
                NumberMarks::of(b';').read(text).is_ok_and(f64::is_nan),
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_proves_what_its_separators_are() {
        let other = Err(CellFault::OtherMark);
        for (separator, cells, expected) in [
            (
                b';',
                ["1,5", "1.000", "0,5"],
                [Ok(1.5), Ok(1000.0), Ok(0.5)],
            ),
            (
                b';',
                ["1.000", "1,000", "0,5"],
                [Ok(1000.0), Ok(1.0), Ok(0.5)],
            ),
            (b';', ["1.000", "1,000", "5"], [Ok(1.0), other, Ok(5.0)]),
            (
                b';',
                ["1,5", "79.512", "1.5"],
                [Ok(1.5), Ok(79_512.0), other],
            ),
            (
                b';',
                ["197,5", "79.512", "10.014,82"],
                [Ok(197.5), Ok(79_512.0), Ok(10_014.82)],
            ),
            (
                b';',
                ["1.234", "1,234", "1.234.567"],
                [Ok(1234.0), Ok(1.234), Ok(1_234_567.0)],
            ),
            (
                b'\t',
                ["1,234", "1.5", "12,300"],
                [Ok(1234.0), Ok(1.5), Ok(12_300.0)],
            ),
            (
                b';',
                ["1.234", "1.5", "1.000"],
                [Ok(1.234), Ok(1.5), Ok(1.0)],
            ),
            (
                b';',
                ["1.234", "1.234,56", "987,5"],
                [Ok(1234.0), Ok(1234.56), Ok(987.5)],
            ),
            (
                b';',
                ["1.234", "1.234.567", "12"],
                [Ok(1234.0), Ok(1_234_567.0), Ok(12.0)],
            ),
            (
                b'\t',
                ["12,300", "9,999.25", "1,5"],
                [Ok(12_300.0), Ok(9999.25), other],
            ),
            (
                b'\t',
                ["12,300", "0,5", "1,234"],
                [Ok(12.3), Ok(0.5), Ok(1.234)],
            ),
            (b'\t', ["1.5", "1.234,5", "2"], [Ok(1.5), other, Ok(2.0)]),
            // Commas that also separate cells group digits, unless one proves that it does not.
            (
                b',',
                ["12,300", "1.5", "987"],
                [Ok(12_300.0), Ok(1.5), Ok(987.0)],
            ),
            (
                b',',
                ["12,300", "1,5", "987"],
                [Ok(12.3), Ok(1.5), Ok(987.0)],
            ),
            (
                b',',
                ["12,300", "1,234,567", "1.5"],
                [Ok(12_300.0), Ok(1_234_567.0), Ok(1.5)],
            ),
        ] {
            assert_eq!(numbers(separator, &cells), expected, "{cells:?}");
        }
    }
}
