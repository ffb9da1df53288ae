//! Reads cells as numbers: with decimal points or commas, with grouped digits, and with `±`.
//!
//! `1.234` alone may be 1.234 or 1234. Another cell of the file, such as `0.5` or `1.234.567`, proves which it is. So all
//! cells are evidence for the marks of the file: which sign is the decimal mark, and whether the other one groups digits.

use crate::CellFault;
use chainrule_report::{Line, say};

/// The number of a cell, and its standard deviation after `±`, which this file calls the width.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellNumber {
    pub(super) value: WrittenNumber,
    pub(super) width: Option<WrittenNumber>,
}

/// A number, and what its points and commas prove.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenNumber {
    /// The number, if `decimal` is the decimal mark of the file.
    number: f64,
    /// The decimal mark, as far as the number alone shows it; `None` if it has neither points nor commas.
    decimal: Option<u8>,
    /// Whether that mark may group digits instead: `1.234`.
    is_ambiguous: bool,
    /// Whether digits are certainly grouped: `1.234,56` and `1.234.567`.
    has_certain_groups: bool,
    /// Whether the digits mean more than the largest number: `1e309`. False for the word `inf`.
    is_too_large: bool,
}

/// What the numbers of a file prove about their points and commas.
#[derive(Debug, Default)]
pub(super) struct MarkEvidence {
    /// The decimal mark of the first cell that proves one.
    decimal: Option<u8>,
    /// Whether a cell proves that digits are grouped.
    has_certain_groups: bool,
    /// The first cell whose point may be the decimal mark or group digits: `1.234`.
    ambiguous_point: Option<String>,
    /// The first cell whose comma may be the decimal mark or group digits: `1,234`.
    ambiguous_comma: Option<String>,
}

/// The meaning of points and commas in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberMarks {
    /// The decimal mark: a point or a comma.
    decimal: u8,
    /// Whether the other one may group digits. Otherwise no number of the file may have it.
    has_groups: bool,
}

impl MarkEvidence {
    /// Adds the evidence of a cell.
    pub(super) fn see(&mut self, cell: &str, number: CellNumber) {
        // The order matters only if the two prove different marks. Then the cell is a fault with either mark.
        for written in [number.width, Some(number.value)].into_iter().flatten() {
            match written.decimal {
                None => {}
                Some(decimal) if !written.is_ambiguous => {
                    self.decimal.get_or_insert(decimal);
                    self.has_certain_groups |= written.has_certain_groups;
                }
                Some(b',') => _ = self.ambiguous_comma.get_or_insert_with(|| cell.to_owned()),
                Some(_) => _ = self.ambiguous_point.get_or_insert_with(|| cell.to_owned()),
            }
        }
    }

    /// The marks of a file with this separator of cells. `has_thousands` says that the user asked for `thousands`. If
    /// no cell proves the decimal mark, it is guessed.
    pub(super) fn marks(&self, separator: u8, has_thousands: bool) -> NumberMarks {
        let has_point = self.ambiguous_point.is_some();
        let has_comma = self.ambiguous_comma.is_some();
        let is_comma_likely = match separator {
            // The mark of `1.234` groups digits, so the other one is the decimal mark. With both, the comma groups.
            _ if has_thousands => !has_comma,
            // Programs put semicolons between cells because the comma is their decimal mark.
            b';' => has_comma,
            // Programs that put commas between cells have the point as decimal mark.
            b',' => false,
            // The mark of `1.234` is the decimal mark. With both, it is the point.
            _ => has_comma && !has_point,
        };
        let guess = if is_comma_likely { b',' } else { b'.' };
        NumberMarks {
            decimal: self.decimal.unwrap_or(guess),
            has_groups: has_thousands || self.decimal.is_some() || matches!(separator, b',' | b';'),
        }
    }

    /// The note on the first cell like `1.234`, if these marks give it a meaning that may surprise the user.
    /// `can_group` says that the decimal mark of the file may group digits instead, as far as the separator of cells
    /// tells.
    pub(super) fn guess_note(
        self,
        marks: NumberMarks,
        has_thousands: bool,
        can_group: bool,
    ) -> Option<Line> {
        let mut cells = [
            (self.ambiguous_point, "point"),
            (self.ambiguous_comma, "comma"),
        ];
        if marks.decimal == b',' {
            cells.reverse();
        }
        let [(decimal_cell, decimal_mark), (group_cell, group_mark)] = cells;
        match (decimal_cell, group_cell) {
            // The cell means 1234, but no other cell proves that this mark groups digits.
            (_, Some(cell)) if marks.has_groups && !self.has_certain_groups => Some(say!(
                "`{}` has no decimals: its {} groups digits",
                cell,
                group_mark
            )),
            // The user says that it means 1234, but another cell proves that it means 1.234.
            (Some(cell), _) if has_thousands => Some(say!(
                "`{}` has decimals, although `thousands` is asked for: another cell shows that its {} is the decimal mark",
                cell,
                decimal_mark
            )),
            // It means 1.234, but nothing proves this.
            (Some(cell), None) if self.decimal.is_none() && can_group => Some(say!(
                "`{}` is read with three decimals; if its {} groups digits, type `:data FILE thousands`",
                cell,
                decimal_mark
            )),
            _ => None,
        }
    }
}

impl CellNumber {
    /// Reads a cell: a number that may have a sign of money or `%` and digits in groups, or a number with its width.
    pub(super) fn read(cell: &str) -> Option<CellNumber> {
        if let Some(value) = WrittenNumber::read(cell) {
            return Some(CellNumber { value, width: None });
        }
        let [value_text, width_text] = value_and_width(cell)?;
        let width = WrittenNumber::of(&width_text)?;
        let value = WrittenNumber::of(&value_text)?;
        // A width is not negative, infinite or NaN.
        let can_be_width = (0.0..f64::INFINITY).contains(&width.number);
        can_be_width.then_some(CellNumber {
            value,
            width: Some(width),
        })
    }
}

/// Reads a cell with a number and a unit: `1.5 V`, `5V`, `9.8 m/s^2`. The unit may be any word. A digit can be in it only if a
/// blank is before it.
pub(super) fn read_quantity(cell: &str) -> Option<(CellNumber, &str)> {
    let last_digit = cell.rfind(|c: char| c.is_ascii_digit() || c == ')')?;
    let begin = cell.rfind(char::is_whitespace).unwrap_or(last_digit + 1);
    let (number, unit) = (cell[..begin].trim_end(), cell[begin..].trim_start());
    let begins_unit = |c: char| c.is_alphabetic() || "°‰%".contains(c);
    let is_unit = unit.trim_start_matches("1/").starts_with(begins_unit);
    // A separator shows that the cell is several.
    if !is_unit || unit.contains([',', ';', '|']) {
        return None;
    }
    Some((CellNumber::read(number)?, unit))
}

impl WrittenNumber {
    /// Reads a number that may have a sign of money or `%`, and digits in groups.
    fn read(cell: &str) -> Option<WrittenNumber> {
        let bare = cell.trim_matches(['$', '€', '£', '%', ' ', '\u{a0}', '\u{202f}']);
        // Only a number that ends with a digit loses its signs: `inf%` is a word. `5.` is read as it stands.
        let ends_with_digit = bare.ends_with(|c: char| c.is_ascii_digit());
        let text = if ends_with_digit { bare } else { cell };
        WrittenNumber::of(text).or_else(|| WrittenNumber::of(&without_groups(text)?))
    }

    /// Reads a number in which only points and commas may group digits.
    fn of(text: &str) -> Option<WrittenNumber> {
        let mut marks = text.bytes().filter(|byte| matches!(byte, b'.' | b','));
        // A single mark is `first`; then `last` is `None`.
        let (first, last) = (marks.next(), marks.next_back());
        let (number, decimal) = match (first, last) {
            // `1.234.567`, `1.234,56`: the first mark groups digits, so the other one is the decimal mark.
            (Some(first), Some(last)) => {
                let decimal = if first == b',' { b'.' } else { b',' };
                (parse_grouped(text, first, last)?, Some(decimal))
            }
            // `1,` is a word, although `1.` is a number.
            (Some(b','), None) if text.ends_with(',') => return None,
            (Some(b','), None) => (parse_float(&text.replace(',', "."))?, first),
            // `15`, `1.5`
            _ => (parse_float(text)?, first),
        };
        let looks_grouped = || first.is_some_and(|mark| is_grouped(text, char::from(mark)));
        let has_digits = || text.bytes().any(|byte| byte.is_ascii_digit());
        Some(WrittenNumber {
            number,
            decimal,
            is_ambiguous: last.is_none() && looks_grouped(),
            has_certain_groups: last.is_some(),
            is_too_large: number.is_infinite() && has_digits(),
        })
    }

    /// Whether it is a missing value: `NaN`.
    pub(super) fn is_nan(&self) -> bool {
        self.number.is_nan()
    }

    /// The number in a file with these marks.
    pub(super) fn with(self, marks: NumberMarks) -> Result<f64, CellFault> {
        let has_other_mark = self.decimal.is_some_and(|mark| mark != marks.decimal);
        if has_other_mark && !(self.is_ambiguous && marks.has_groups) {
            return Err(CellFault::OtherMark);
        }
        if self.is_too_large {
            return Err(CellFault::TooLarge);
        }
        if has_other_mark {
            // `1.234` was read as 1.234. It has at most six digits, so the rounded product is exact.
            return Ok((self.number * 1000.0).round());
        }
        Ok(self.number)
    }
}

/// The number `1'234.5` as `1234.5`: without the apostrophes or blanks that group its digits. A usual blank may also
/// stand between two numbers, so `1 234.5` is one number, but `1 234` is none.
fn without_groups(text: &str) -> Option<String> {
    let mark = text.find(['.', ',']);
    let whole = &text[..mark.unwrap_or(text.len())];
    let mut signs = ['\'', '’', '\u{a0}', '\u{202f}', ' '].into_iter();
    let group = signs.find(|sign| whole.contains(*sign) && is_grouped(whole, *sign))?;
    if group == ' ' && mark.is_none() {
        return None;
    }
    Some(text.replace(group, ""))
}

/// The number in a text whose first mark groups digits. If the last mark is another one, it is the decimal mark:
/// `1.234.567`, `1.234,56`.
fn parse_grouped(text: &str, first: u8, last: u8) -> Option<f64> {
    let (group, mark) = (char::from(first), char::from(last));
    let decimal = text.rfind(mark).filter(|_| first != last);
    let whole = &text[..decimal.unwrap_or(text.len())];
    if !is_grouped(whole, group) {
        return None;
    }
    parse_float(&text.replace(group, "").replace(mark, "."))
}

/// The value and the width of `1.50 ± 0.20`, `(1.50 ± 0.20)e-3`, `1.50(20)e-3` and `12(3)`, each as a number by itself.
fn value_and_width(cell: &str) -> Option<[String; 2]> {
    let (inner, power) = match cell.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => (cell, ""),
    };
    let pair = inner.split_once('±').or_else(|| inner.split_once("+/-"));
    match pair {
        Some(pair) => Some(<[&str; 2]>::from(pair).map(|it| format!("{}{power}", it.trim()))),
        None => value_and_last_digits(cell),
    }
}

/// The value and the width of `1.50(20)e-3`. The digits in brackets are the width in units of the value's last digit.
fn value_and_last_digits(cell: &str) -> Option<[String; 2]> {
    let (value, rest) = cell.split_once('(')?;
    let (digits, power) = rest.split_once(')')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let width = match value.rfind(['.', ',']) {
        None => digits.to_owned(),
        Some(mark) => {
            // The width of `1.002(3)` is `0.003`: it has as many decimals as the value, and the same mark.
            let decimals = value.len() - mark - 1;
            let mut width = format!("{digits:0>count$}", count = decimals + 1);
            width.insert_str(width.len() - decimals, &value[mark..=mark]);
            width
        }
    };
    Some([value, &width].map(|it| format!("{it}{power}")))
}

/// Whether a mark divides the digits into groups of three, of which the first may be shorter: true for `1.234.567`,
/// false for `0.234`.
fn is_grouped(text: &str, mark: char) -> bool {
    let digits = text.trim_start_matches(['+', '-', '−']);
    let mut groups = digits.split(mark);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && first.bytes().all(|byte| byte.is_ascii_digit())
        && groups.all(|it| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Parses a number in the forms of the standard library. It may begin with `−`. In place of `e` it may have the `D` of
/// Fortran, if it also has a point: `1D5` may be a code.
fn parse_float(text: &str) -> Option<f64> {
    let with_minus = text.strip_prefix('−').map(|it| format!("-{it}"));
    let ascii = with_minus.as_deref().unwrap_or(text);
    ascii.parse().ok().or_else(|| {
        let (digits, exponent) = ascii.split_once(['D', 'd'])?;
        let number = format!("{digits}e{exponent}").parse();
        number.ok().filter(|_| digits.contains('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a file with this separator.
    fn numbers(separator: u8, cells: &[&str]) -> Vec<Result<f64, CellFault>> {
        let read: Vec<Option<CellNumber>> =
            cells.iter().map(|cell| CellNumber::read(cell)).collect();
        let mut evidence = MarkEvidence::default();
        for (cell, number) in cells.iter().zip(&read) {
            if let Some(number) = number {
                evidence.see(cell, *number);
            }
        }
        let marks = evidence.marks(separator, false);
        let values = read.into_iter().map(|number| match number {
            Some(number) => number.value.with(marks),
            None => Err(CellFault::Word),
        });
        values.collect()
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
            ("1.0D-03", Ok(1e-3)),
            ("-0,25d+2", Ok(-25.0)),
            ("1D5", Err(CellFault::Word)),
            ("3.5D", Err(CellFault::Word)),
        ] {
            assert_eq!(numbers(b';', &[text]), [expected], "{text:?}");
        }
        for text in ["nan", "NaN", "-nan"] {
            assert!(
                CellNumber::read(text).is_some_and(|it| it.value.is_nan()),
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
            (
                b';',
                ["1.000", "1,000", "5"],
                [Ok(1000.0), Ok(1.0), Ok(5.0)],
            ),
            (b'\t', ["1.000", "1,000", "5"], [Ok(1.0), other, Ok(5.0)]),
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

    #[test]
    fn widths_are_read_with_the_marks_of_the_file() {
        for (cell, expected) in [
            ("1.002(3)", Some((1.002, 0.003))),
            ("-1,002(13)", Some((-1.002, 0.013))),
            ("12.5(15)", Some((12.5, 1.5))),
            ("6.626(12)e-34", Some((6.626e-34, 0.012e-34))),
            ("1.234(567)", Some((1.234, 0.567))),
            ("5 ± 0.1", Some((5.0, 0.1))),
            ("1,5±0,25", Some((1.5, 0.25))),
            ("1.5e3 +/- 20", Some((1500.0, 20.0))),
            ("(1.25 ± 0.03)e-19", Some((1.25e-19, 0.03e-19))),
            ("(7 ± 2)", Some((7.0, 2.0))),
            ("1.234,5 ± 2,5", Some((1234.5, 2.5))),
            ("3 ± 0", Some((3.0, 0.0))),
            ("1.5 ± 0.1D+01", Some((1.5, 1.0))),
            ("12(3)", Some((12.0, 3.0))),
            ("-105(11)e3", Some((-105e3, 11e3))),
            // A product, a share of what, and widths that are none.
            ("12.5(1.2)", None),
            ("5 ± 2%", None),
            ("5 ± -1", None),
            ("5 ±", None),
            ("± 5", None),
            ("1.2()", None),
            ("1.2(+3)", None),
            ("1.2 (3)", None),
            ("f(2)", None),
            ("1.5(2)x", None),
            ("1 ± 2 ± 3", None),
        ] {
            let found = CellNumber::read(cell).map(|number| {
                let mut evidence = MarkEvidence::default();
                evidence.see(cell, number);
                let marks = evidence.marks(b';', false);
                let with = |it: WrittenNumber| it.with(marks).expect("it has one mark");
                (
                    with(number.value),
                    with(number.width.expect("it has a width")),
                )
            });
            assert_eq!(found, expected, "{cell}");
        }
    }
}
