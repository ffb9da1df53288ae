//! Reads the text of a number into its value, for the parser. The grammar has already accepted the text as a number.

use std::borrow::Cow;

use crate::print::is_written_in_full;
use crate::tree::Literal;

/// The value of a text that the grammar accepts as a number.
///
/// # Errors
/// If the number is too large. The error is the name of a row in the table of errors.
pub(crate) fn value(text: &str) -> Result<Literal, &'static str> {
    let plain = if text.bytes().any(|byte| byte == b'_' || !byte.is_ascii()) {
        Cow::Owned(text.replace('_', "").replace('−', "-"))
    } else {
        Cow::Borrowed(text)
    };
    let (digits, base) = digits_and_base(&plain);
    let value = match base {
        10 => plain.parse().unwrap_or(f64::NAN),
        _ => u64::from_str_radix(digits, base).map_err(|_| "@bits")? as f64,
    };
    if value.is_infinite() {
        return Err("@number");
    }
    // A point matters only for numbers like `10.0`. Others are printed with a point or an exponent in any case.
    let has_point = plain.contains('.') && is_written_in_full(value);
    Ok(Literal { value, has_point })
}

/// The digits of a number without its prefix, and their base: `ff` and 16 for `0xff`.
pub fn digits_and_base(text: &str) -> (&str, u32) {
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'o' | b'O', ..] => (&text[2..], 8),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        _ => (text, 10),
    }
}

/// The digit or the minus that a superscript means: `2` for `²`, `-` for `⁻`.
pub(crate) fn superscript_digit(superscript: char) -> char {
    // `⁻` is the only superscript that is not in this list.
    let mut pairs = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip('0'..);
    let found = pairs.find(|(sign, _)| *sign == superscript);
    found.map_or('-', |(_, digit)| digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> u64 {
        value(text)
            .map_or(f64::INFINITY, |literal| literal.value)
            .to_bits()
    }

    #[test]
    fn literals_are_rounded_to_the_nearest() {
        for (text, expected) in [
            ("0", 0.0),
            ("999999999999999", 999_999_999_999_999.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("0.1", 0.1),
            ("1_0.2_5e-0_1", 1.025),
            ("1e−3", 0.001),
            ("1.7976931348623157e308", f64::MAX),
            ("1.7976931348623159e308", f64::INFINITY),
            ("5e-324", 5e-324),
            ("2e-324", 0.0),
            ("0x10", 16.0),
            ("0b1_01", 5.0),
            ("0o1_7", 15.0),
            // A tie is rounded to even; any bit after the half rounds up.
            ("0x20000000000001", 9_007_199_254_740_992.0),
            ("0x20000000000003", 9_007_199_254_740_996.0),
        ] {
            assert_eq!(bits(text), expected.to_bits(), "{text}");
        }
        assert_eq!(bits("0xffff_ffff_ffff_ffff"), 2_f64.powi(64).to_bits());
        assert_eq!(value("0x1_0000_0000_0000_0000").err(), Some("@bits"));
        assert_eq!(value("1e999").err(), Some("@number"));
    }

    #[test]
    fn a_point_is_remembered() {
        let point = |text| value(text).is_ok_and(|literal| literal.has_point);
        assert!(point("10.0") && point("1.") && point("1.e5"));
        assert!(
            !point("10") && !point("1e5") && !point("0xe") && !point(".5") && !point("1.5e300")
        );
    }
}
