//! Compares a guess with a number, as exactly as the user typed the guess.

/// A guess as the user typed it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedGuess {
    pub value: f64,
    /// For a literal, the value of a 1 in the place of its last digit: 0.01 for `-2.50`. Infinity for an expression with a
    /// decimal point, in which the user may have rounded numbers. `None` for an exact expression.
    pub unit: Option<f64>,
}

/// A literal is right within this fraction of the number: half a percent is the last of three digits.
const LITERAL_TOLERANCE: f64 = 0.005;
/// An expression of rounded numbers is right within this fraction: the numbers have digits enough to be nearer.
const EXPRESSION_TOLERANCE: f64 = 0.0005;
/// A guess within this fraction of the number is near, with some digits wrong.
const NEAR: f64 = 1e-3;
/// A guess whose digits are all right, but too few, is near within this fraction of the number.
const NEAR_WITH_DIGITS: f64 = 0.05;
/// Two numbers are the same within this fraction: sums in different orders lose a few digits of sixteen.
const SAME: f64 = 1e-9;

impl TypedGuess {
    /// Returns the guess of this value. A literal is as precise as its digits, and an expression without decimals is exact.
    pub(crate) fn new(value: f64, text: &str) -> TypedGuess {
        let unit_of_rounded = || text.contains('.').then_some(f64::INFINITY);
        TypedGuess {
            value,
            unit: unit_of_last_digit(text).or_else(unit_of_rounded),
        }
    }

    /// Returns whether the guess is right as this number: its digits are those of the number, rounded or truncated at the
    /// last one, and it is within half a percent, so that three digits are always enough. An expression of rounded numbers
    /// must be nearer.
    pub(crate) fn stands_for(&self, number: f64) -> bool {
        let tolerance = match self.unit {
            Some(unit) if unit.is_finite() => LITERAL_TOLERANCE,
            _ => EXPRESSION_TOLERANCE,
        };
        is_same(self.value, number) || self.has_digits_of(number, tolerance)
    }

    /// Returns whether the guess is near the number, with only the digits wrong.
    pub(crate) fn is_rough(&self, number: f64) -> bool {
        let is_near = (self.value - number).abs() <= NEAR * number.abs();
        number.is_finite() && (is_near || self.has_digits_of(number, NEAR_WITH_DIGITS))
    }

    /// Returns whether the guess is the number, rounded or truncated at the last digit of the guess, and is within this
    /// fraction of the number. An exact expression has no last digit.
    fn has_digits_of(&self, number: f64, tolerance: f64) -> bool {
        let distance = (self.value - number).abs();
        let can_be_truncated = self.value.abs() <= number.abs() && self.value * number >= 0.0;
        // 5000 truncated is not 4999, even if it has become 4999.999999 by rounding errors.
        let most_units = if can_be_truncated { 0.999 } else { 0.5 };
        self.unit.is_some_and(|unit| {
            distance <= most_units * unit && distance <= tolerance * number.abs()
        })
    }
}

/// Returns whether two numbers are equal up to the rounding of sums in different orders.
pub(super) fn is_same(one: f64, other: f64) -> bool {
    one.is_nan() && other.is_nan()
        || one == other
        || one.is_finite() && (one - other).abs() <= SAME * one.abs().min(other.abs())
}

/// Returns the value of a 1 in the place of the last digit of a decimal literal: 0.01 for `-2.50`, 100 for `3e2`.
fn unit_of_last_digit(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['-', '+', '\u{2212}', ' ']);
    let (digits, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.replace('\u{2212}', "-").parse().ok()?),
        None => (unsigned, 0_i32),
    };
    let is_plain = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'_');
    if !digits.bytes().all(is_plain) || !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let decimals = digits.split_once('.').map_or("", |(_, decimals)| decimals);
    let decimal_count = decimals.bytes().filter(u8::is_ascii_digit).count();
    let place = exponent.saturating_sub(i32::try_from(decimal_count).ok()?);
    format!("1e{place}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_the_last_digit_is_found() {
        for (text, expected) in [
            ("-2", Some(1.0)),
            ("-2.50", Some(0.01)),
            ("- 0.5", Some(0.1)),
            (".707", Some(0.001)),
            ("2.", Some(1.0)),
            ("1_000", Some(1.0)),
            ("3e2", Some(100.0)),
            ("1.5e-3", Some(0.0001)),
            ("1e-400", Some(0.0)),
            ("a", None),
            ("2/3", None),
            ("0x10", None),
            ("inf", None),
            (".", None),
            ("1e", None),
            ("", None),
        ] {
            assert_eq!(unit_of_last_digit(text), expected, "{text}");
        }
    }

    #[test]
    fn a_literal_is_as_exact_as_its_digits() {
        for (text, number, stands, rough) in [
            ("0.678", 0.678_123_456, true, true),
            ("0.6781234", 0.678_123_456, true, true),
            ("0.68", 0.678_123_456, true, true),
            ("0.7", 0.678_123_456, false, true),
            ("0.679", 0.678_123_456, false, false),
            ("0.5", 0.499_999_999_999_999_9, true, true),
            ("10", 10.4, false, true),
            ("6", 5.6, false, false),
            ("4999", 5_000.0, false, true),
            ("4999", 4_999.9, true, true),
            ("0", 1e-3, false, false),
            ("0", 0.0, true, true),
            ("-0", 0.0, true, true),
            ("2", -2.0, false, false),
        ] {
            let typed = TypedGuess::new(text.parse().expect("a number"), text);
            assert_eq!(typed.stands_for(number), stands, "{text} {number}");
            assert_eq!(typed.is_rough(number), rough, "{text} {number}");
        }
        // An expression without decimals is exact; one with decimals may have rounded numbers in it.
        let exact = TypedGuess::new(0.678, "678/1000");
        assert!(!exact.stands_for(0.678_123_456));
        let rounded = TypedGuess::new(0.678, "1.356/2");
        assert!(rounded.stands_for(0.678_123_456) && !rounded.stands_for(0.678_5));
    }
}
