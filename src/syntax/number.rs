//! Literals: from the text of a number to its value.
//!
//! The grammar defines what a number looks like, so the text is known to be one here. The standard library rounds
//! decimal literals correctly; `0x…` and `0b…` of any length are rounded correctly here.

use crate::syntax::tree::Literal;

/// The value of a literal, or what is wrong with it.
pub(crate) enum NumberValue {
    /// A number.
    Known(Literal),
    /// Became 0 although a digit of it is not: `1e-999`.
    Vanished(Literal),
    /// Beyond the largest double: `1e999`.
    TooLarge,
}

/// The value of a text that the grammar accepts as a number.
pub(crate) fn value(text: &str) -> NumberValue {
    let bytes = text.as_bytes();
    let (value, point) = match bytes {
        [b'0', b'x' | b'X', digits @ ..] => (binary(digits, 4), false),
        [b'0', b'b' | b'B', digits @ ..] => (binary(digits, 1), false),
        _ => short(bytes).unwrap_or_else(|| (decimal(text), bytes.contains(&b'.'))),
    };
    let literal = Literal { value, point };
    if value.is_infinite() {
        NumberValue::TooLarge
    } else if value == 0.0 && has_significant_digit(bytes) {
        NumberValue::Vanished(literal)
    } else {
        NumberValue::Known(literal)
    }
}

/// `12`, `0.75`: most literals have up to 15 digits, perhaps a point, and nothing else. Such digits are exact as a
/// double, so is a power of ten up to the 15th, and the quotient of the two is rounded correctly. Also returned is
/// whether there is a point.
fn short(bytes: &[u8]) -> Option<(f64, bool)> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    if bytes.len() > 16 {
        return None;
    }
    let mut whole = 0_u64;
    let mut point = None;
    for (place, &byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => whole = whole * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(place),
            _ => return None,
        }
    }
    match point {
        None if bytes.len() > 15 => None,
        None => Some((whole as f64, false)),
        Some(point) => Some((whole as f64 / POWERS[bytes.len() - 1 - point], true)),
    }
}

/// `1_000.5e−3`: the standard library reads it once `_` and `−` are replaced.
fn decimal(text: &str) -> f64 {
    let parsed = if text.bytes().any(|byte| byte == b'_' || !byte.is_ascii()) {
        text.replace('_', "").replace('−', "-").parse()
    } else {
        text.parse()
    };
    // The standard library reads everything that the grammar accepts; were this to change, `nan` would show it.
    parsed.unwrap_or(f64::NAN)
}

/// Is a digit before the exponent not 0?
fn has_significant_digit(bytes: &[u8]) -> bool {
    let digits = bytes.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
    digits.into_iter().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// Hexadecimal (4 bits a digit) or binary (1 bit a digit) digits, `_` between, rounded to the nearest double.
fn binary(digits: &[u8], bits: u32) -> f64 {
    let mut head = 0_u64;
    let mut dropped = 0_i32;
    let mut sticky = false;
    for &digit in digits {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => continue,
        };
        // Sixty leading bits are more than a double holds; the rest only matters if it is not zero.
        if head >> 56 == 0 {
            head = head << bits | u64::from(digit);
        } else {
            sticky |= digit != 0;
            dropped = dropped.saturating_add(bits as i32);
        }
    }
    let leading = (head | u64::from(sticky)) as f64;
    if dropped > 1024 {
        leading * f64::INFINITY
    } else {
        leading * 2_f64.powi(dropped)
    }
}

/// The number that a superscript means.
pub(crate) fn plain(superscript: char) -> char {
    match superscript {
        '⁻' => '-',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' => '0',
        '⁴'..='⁹' => char::from(b'4' + (superscript as u32 - '⁴' as u32) as u8),
        other => other,
    }
}

/// A whole number as a superscript: `-1` is `⁻¹`.
pub fn raised(number: &str) -> Option<String> {
    let raise = |digit| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".chars().find(|&raised| plain(raised) == digit);
    number.chars().map(raise).collect()
}

/// A number with commas, as it is written here; `None` if it looks like no number.
pub(crate) fn written_with_point(number: &str) -> Option<String> {
    let (whole, rest) = number.split_once(',')?;
    let mut parts = number.split([',', '.']);
    if !parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let groups: Vec<&str> = rest.split(',').collect();
    let three = |group: &str| group.len() == 3 && !group.contains('.');
    if let Some((thousands, decimals)) = number.rsplit_once(',').filter(|_| whole.contains('.')) {
        // `1.000,50`
        let digits = thousands.replace('.', "_");
        return (!thousands.contains(',') && !decimals.contains('.')).then(|| {
            format!("a decimal point is `.`, digits are grouped by `_`: `{digits}.{decimals}`")
        });
    }
    let (last, others) = groups.split_last()?;
    let (digits, decimals) = last
        .split_once('.')
        .map_or((*last, None), |(digits, decimals)| (digits, Some(decimals)));
    let grouped = whole.len() <= 3 && three(digits) && others.iter().all(|group| three(group));
    let point = groups.len() == 1 && decimals.is_none();
    match (grouped, point) {
        (true, true) => Some(format!(
            "digits are grouped by `_`: `{whole}_{last}`; a decimal point is `.`: `{whole}.{last}`"
        )),
        (true, false) => Some(format!(
            "digits are grouped by `_`: `{}`",
            number.replace(',', "_")
        )),
        (false, true) => Some(format!(
            "a decimal point is `.`: `{whole}.{last}`; a list is `[{whole}, {last}]`"
        )),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> u64 {
        match value(text) {
            NumberValue::Known(literal) | NumberValue::Vanished(literal) => literal.value.to_bits(),
            NumberValue::TooLarge => f64::INFINITY.to_bits(),
        }
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
            // A tie is rounded to even; any bit behind the half rounds up.
            ("0x20000000000001", 9_007_199_254_740_992.0),
            ("0x20000000000003", 9_007_199_254_740_996.0),
            // Half, and a little more both in the last digit that is kept and behind it.
            ("0x1000000000000091", 1_152_921_504_606_847_232.0),
            (
                "0x20000000000001000000000000000",
                9_007_199_254_740_992.0 * 2_f64.powi(60),
            ),
            (
                "0x20000000000001000000000000001",
                9_007_199_254_740_994.0 * 2_f64.powi(60),
            ),
        ] {
            assert_eq!(bits(text), expected.to_bits(), "{text}");
        }
        let max = format!("0x{}{}", "f".repeat(13), "0".repeat(242));
        assert!(matches!(value(&max), NumberValue::Known(_)));
        assert!(matches!(
            value(&format!("0x1{}", "0".repeat(256))),
            NumberValue::TooLarge
        ));
        assert!(matches!(
            value(&format!("0b1{}", "01".repeat(2_000))),
            NumberValue::TooLarge
        ));
        assert!(matches!(
            value(&format!("0x0{}1", "0".repeat(300))),
            NumberValue::Known(_)
        ));
    }

    #[test]
    fn short_literals_are_what_the_standard_library_reads() {
        let mut seed = 11_u64;
        let mut random = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % bound
        };
        let mut taken = 0;
        for _ in 0..200_000 {
            let digits = 1 + random(18);
            let nines = random(8) == 0;
            let mut text: String = (0..digits)
                .map(|_| char::from(b'0' + if nines { 9 } else { random(10) as u8 }))
                .collect();
            if random(4) > 0 {
                text.insert(random(digits + 1) as usize, '.');
            }
            let parsed: f64 = text.parse().expect("digits and perhaps a point");
            assert_eq!(bits(&text), parsed.to_bits(), "{text}");
            if let Some((value, point)) = short(text.as_bytes()) {
                taken += 1;
                assert_eq!(value.to_bits(), parsed.to_bits(), "{text}");
                assert_eq!(point, text.contains('.'), "{text}");
            }
        }
        assert!(taken > 100_000, "{taken}");
        for (text, read) in [
            ("0", true),
            ("1.", true),
            (".5", true),
            ("999999999999999", true),
            ("99999999999999.9", true),
            (".999999999999999", true),
            ("9999999999999999", false),
            ("9.999999999999999", false),
            ("1e3", false),
            ("1_0", false),
        ] {
            assert_eq!(short(text.as_bytes()).is_some(), read, "{text}");
        }
    }

    #[test]
    fn a_point_is_remembered_and_a_loss_told() {
        let point = |text| matches!(value(text), NumberValue::Known(Literal { point: true, .. }));
        assert!(point("10.0") && point("1.") && point(".5") && point("1.e5"));
        assert!(!point("10") && !point("1e5") && !point("0xe"));
        assert!(matches!(value("0.001e-999"), NumberValue::Vanished(_)));
        assert!(matches!(value("0.000e-999"), NumberValue::Known(_)));
    }
}
