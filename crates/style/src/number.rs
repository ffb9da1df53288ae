//! Formats all numbers that people see.
//!
//! A whole number up to 2^53 has all its digits. Any other number gets the requested number of significant digits, or
//! more if it has more digits before the point, without trailing zeros. It has an exponent if it is below 1e-5 or at
//! least 1e15, so zeros before the point are always digits of the number. With 17 or more digits, the text is the
//! shortest that parses to the same number.

use std::fmt::{Display, Write};

use chainrule_report::Measurement;

/// With this many digits or more, a number has the shortest text that parses to the same number.
pub const EXACT: u8 = 17;

/// 2^53. Up to here every whole number is a double, so a whole double stands for exactly one number.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Numbers with this power of ten or a larger one have an exponent, except whole numbers up to [`LARGEST_WHOLE`].
const EXPONENT_FROM: i32 = 15;
/// Numbers with a smaller power of ten have an exponent.
const EXPONENT_BELOW: i32 = -5;
/// A value far below its uncertainty has this many digits of its own.
const OWN_DIGITS: u8 = 2;
/// A value and its uncertainty have an exponent if the power of ten is this one or a larger one.
const MEASUREMENT_EXPONENT_FROM: i32 = 6;
/// If the first digit of a value is more than this many powers of ten above the first digit of its uncertainty, each is
/// written by itself: a double has no more digits.
const MOST_POWERS_APART: i32 = 14;
/// With this many decimals after its first digit, a double is not rounded to another power of ten.
const ALL_DECIMALS: usize = 16;

/// Formats a number with this many significant digits, or more as explained at the top of this file.
pub fn text(value: f64, digits: u8) -> String {
    // Enough for most numbers.
    let mut out = String::with_capacity(24);
    write(value, digits, &mut out);
    out
}

/// The shortest text that parses to the same number.
pub fn shortest(value: f64) -> String {
    text(value, EXACT)
}

/// Formats a number with more digits if it needs them to differ from `other`: `0.3` beside `0.30000000000000004`.
/// Numbers with equal bits need none, and all NaNs count as equal.
pub fn distinct(value: f64, other: f64, mut digits: u8) -> String {
    let mut shown = text(value, digits);
    while digits < EXACT && !is_same(value, other) && shown == text(other, digits) {
        digits += 1;
        shown = text(value, digits);
    }
    shown
}

/// Whether two numbers have the same text with all digits, as all NaNs do.
pub(crate) fn is_same(value: f64, other: f64) -> bool {
    value.to_bits() == other.to_bits() || value.is_nan() && other.is_nan()
}

/// A value and its uncertainty: `9.801 ± 0.099`, `(2.83 ± 0.21)e10`.
///
/// The uncertainty has two digits, and the value has the same last digit; zeros fill both up to the point. Typed
/// numbers have their own digits instead, if there are few enough to be shown; with all digits nothing is rounded. Both
/// have a power of ten if the larger one is below 1e-5 or at least 1e6. If one power does not suit both, each is
/// written by itself, as `42507 ± 4.1e12`: a value is never rounded to 0.
pub fn measurement_text(of: &Measurement, digits: u8) -> String {
    let Some(form) = MeasurementForm::find(of, digits) else {
        let [value, sigma] = [
            like_measurement(of.value, of, digits),
            sigma_text(of, digits),
        ];
        return format!("{value} ± {sigma}");
    };
    let [value, sigma] = [of.value, of.sigma].map(|number| form.write(number, digits));
    match form.power {
        0 => format!("{value} ± {sigma}"),
        power => format!("({value} ± {sigma})e{power}"),
    }
}

/// The uncertainty by itself, as a table has it.
pub(crate) fn sigma_text(of: &Measurement, digits: u8) -> String {
    let is_alone = !keeps_digits(of, digits) && MeasurementForm::find(of, digits).is_none();
    let alone = Measurement::of_result(0.0, of.sigma);
    like_measurement(of.sigma, if is_alone { &alone } else { of }, digits)
}

/// A number with the last digit and the power of ten of a measurement.
pub fn like_measurement(number: f64, of: &Measurement, digits: u8) -> String {
    match MeasurementForm::find(of, digits) {
        Some(form) if form.power == 0 => form.write(number, digits),
        Some(form) => format!("{}e{}", form.write(number, digits), form.power),
        None if of.sigma > of.value.abs() => text(number, digits.min(OWN_DIGITS)),
        None => text(number, digits),
    }
}

/// Whether both numbers of a measurement have the digits that were typed, or all digits.
fn keeps_digits(of: &Measurement, digits: u8) -> bool {
    let is_exact = |number: &f64| text(*number, digits).parse() == Ok(*number);
    digits >= EXACT || of.is_typed && [of.value, of.sigma].iter().all(is_exact)
}

/// The form of both numbers of a measurement.
struct MeasurementForm {
    /// The power of ten after both numbers; 0 if there is none.
    power: i32,
    /// The power of ten of the last digit of both; `None` if each number has its own digits.
    last: Option<i32>,
}

impl MeasurementForm {
    /// Finds the form of both numbers; `None` if each is written by itself.
    fn find(of: &Measurement, digits: u8) -> Option<MeasurementForm> {
        if !of.value.is_finite() || !of.sigma.is_finite() || of.sigma == 0.0 {
            return None;
        }
        if !keeps_digits(of, digits) {
            return MeasurementForm::of_two_digits(of);
        }
        // Numbers that keep their digits have no form if one of them would need a second exponent.
        let power = power_after(exponent(of.value.abs().max(of.sigma), ALL_DECIMALS));
        let form = MeasurementForm { power, last: None };
        let has_exponent = |number| form.write(number, digits).contains('e');
        (!has_exponent(of.value) && !has_exponent(of.sigma)).then_some(form)
    }

    /// The form of numbers that end with the second digit of the uncertainty; `None` if the value would have fewer digits
    /// than the uncertainty, or more than a double has.
    fn of_two_digits(of: &Measurement) -> Option<MeasurementForm> {
        let first_of_sigma = exponent(of.sigma, 1);
        let last = first_of_sigma - 1;
        let decimals = (exponent(of.value, ALL_DECIMALS) - last).max(0) as usize;
        let first = match of.value {
            0.0 => first_of_sigma,
            // After rounding to the last digit, 9.9996e10 may be 1.0000e11.
            value => exponent(value, decimals),
        };
        let suits_both = (0..=MOST_POWERS_APART).contains(&(first - first_of_sigma));
        suits_both.then(|| MeasurementForm {
            power: power_after(first),
            last: Some(last),
        })
    }

    /// A number in this form, without its power of ten: 2.8273e10 as `2.83` if the power is
    /// 10 and the last digit has the power 8.
    fn write(&self, number: f64, digits: u8) -> String {
        let divided_by = |power: i32| match power {
            0 => number,
            power => decimal(number, -power),
        };
        let Some(last) = self.last else {
            return text(divided_by(self.power), digits);
        };
        // Either digits after the point are shown, or zeros fill the number up to its point.
        let decimals = (self.power - last).max(0) as usize;
        let zeros = (last - self.power).max(0);
        let text = format!("{:.decimals$}", divided_by(self.power + zeros));
        // A number that rounds to 0 has no sign.
        match text.strip_prefix('-').unwrap_or(&text) {
            zero if zero.parse() == Ok(0.0) => zero.to_owned(),
            _ => text + &"0".repeat(zeros as usize),
        }
    }
}

/// The power of ten that is written after both numbers, if the first digit of the larger one has this power; 0 if none
/// is written.
fn power_after(first: i32) -> i32 {
    match first {
        EXPONENT_BELOW..MEASUREMENT_EXPONENT_FROM => 0,
        _ => first,
    }
}

/// The power of ten of a finite number after it is rounded to this many decimals: 9.96 has 0 for two decimals, and 1
/// for one, since it becomes 10.0.
fn exponent(number: f64, decimals: usize) -> i32 {
    let text = format!("{number:.decimals$e}");
    let (_, power) = text.split_once('e').unwrap_or_default();
    power.parse().unwrap_or(0)
}

/// A number in at most six characters beside its sign, for places with little room: `0.0123`, `-1.4e10`.
pub fn short(value: f64) -> String {
    let usual = [3, 2, 1].map(|digits| text(value, digits));
    let powers = [1, 0].map(|digits| format!("{value:.digits$e}").replace(".0e", "e"));
    let is_short = |text: &String| text.trim_start_matches('-').len() <= 6;
    let mut choices = usual.into_iter().chain(powers);
    let found = choices.find(is_short);
    found.unwrap_or_else(|| format!("{value:.0e}"))
}

/// The double closest to `count * 10^exponent`, which is finite.
pub fn decimal(count: impl Display, exponent: i32) -> f64 {
    let text = format!("{count}e{exponent}");
    text.parse().unwrap_or(f64::NAN)
}

/// Appends a number with this many significant digits.
pub fn write(value: f64, digits: u8, out: &mut String) {
    if value.is_nan() {
        return out.push_str("NaN");
    }
    if value.is_sign_negative() {
        out.push('-');
    }
    if value.is_infinite() {
        return out.push_str("inf");
    }
    let size = value.abs();
    if size <= LARGEST_WHOLE && size.fract() == 0.0 {
        // Writing into a string cannot fail.
        let _ = write!(out, "{}", size as u64);
        return;
    }
    let (exact, first_power) = figures(ryu::Buffer::new().format_finite(size));
    let mut wanted = usize::from(digits.max(1));
    if (0..EXPONENT_FROM).contains(&first_power) {
        wanted = wanted.max(first_power as usize + 1);
    }
    // A number is rounded only if it has more digits than wanted. Rounding would give the smallest numbers digits that
    // mean nothing: 4.94065645841e-324 instead of 5e-324.
    if digits < EXACT && exact.len() > wanted {
        let (rounded, power) = figures(&format!("{size:.*e}", wanted - 1));
        write_figures(&rounded, power, out);
    } else {
        write_figures(&exact, first_power, out);
    }
}

/// The length of the part before the decimal point, by which tables align numbers. An exponent belongs to the part
/// after it.
pub fn point(text: &str) -> usize {
    text.find(['.', 'e']).unwrap_or(text.len())
}

/// The significant digits of a number that is not 0, without zeros at the end, and the power of ten of the first one:
/// `12` and -3 for `0.0012`, `15` and -7 for `1.5e-7`.
fn figures(text: &str) -> (String, i32) {
    let (number, power) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut figures = [whole, fraction].concat();
    figures.truncate(figures.trim_end_matches('0').len());
    let leading_zeros = figures.bytes().take_while(|digit| *digit == b'0').count();
    figures.drain(..leading_zeros);
    let first = whole.len() as i32 - 1 - leading_zeros as i32;
    let written_power: i32 = power.parse().unwrap_or_default();
    (figures, first + written_power)
}

/// Writes digits, the first of which has this power of ten: `12` as `0.0012` for -3, `1200` for 3, and `1.2e20` for 20.
fn write_figures(figures: &str, exponent: i32, out: &mut String) {
    let is_plain = (EXPONENT_BELOW..EXPONENT_FROM).contains(&exponent);
    let power = if is_plain { exponent } else { 0 };
    let start = out.len();
    push_zeros(-power, out);
    out.push_str(figures);
    push_zeros(power + 1 - figures.len() as i32, out);
    let point = start + 1 + power.max(0) as usize;
    if out.len() > point {
        out.insert(point, '.');
    }
    if !is_plain {
        let _ = write!(out, "e{exponent}");
    }
}

fn push_zeros(count: i32, out: &mut String) {
    out.extend((0..count).map(|_| '0'));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined([value, sigma, power]: [&str; 3]) -> String {
        match power {
            "" => format!("{value} ± {sigma}"),
            power => format!("({value} ± {sigma}){power}"),
        }
    }

    #[test]
    fn digits() {
        let cases = [
            (-8.0, 12, "-8"),
            (0.0, 12, "0"),
            (-0.0, 12, "-0"),
            (0.1, 12, "0.1"),
            (0.1 + 0.2, 12, "0.3"),
            (0.1 + 0.2, 17, "0.30000000000000004"),
            (2.0 / 3.0, 6, "0.666667"),
            (2.0 / 3.0, 0, "0.7"),
            (2.0 / 3.0, 1, "0.7"),
            (-2.766_564, 12, "-2.766564"),
            (123_456_789.0, 6, "123456789"),
            (1_234_567.0, 1, "1234567"),
            (1_234_567.8, 6, "1234568"),
            (-1_234_567.25, 8, "-1234567.2"),
            (1e15 / 7.0, 12, "142857142857143"),
            (1e15 / 7.0, 1, "142857142857143"),
            (1e15 / 7.0, 16, "142857142857142.8"),
            (1e15 / 7.0, 17, "142857142857142.84"),
            (1e17 / 7.0, 12, "1.42857142857e16"),
            (9_999_999.6, 6, "10000000"),
            (999_999_999_999_999.6, 12, "1e15"),
            (1_234_567_890_123_456.5, 12, "1.23456789012e15"),
            (1_234_567_890_123_456.5, 17, "1.2345678901234565e15"),
            (1_099_511_627_776.0, 12, "1099511627776"),
            (9_007_199_254_740_992.0, 1, "9007199254740992"),
            (-9_007_199_254_740_991.0, 17, "-9007199254740991"),
            (9_007_199_254_740_994.0, 12, "9.00719925474e15"),
            (9_007_199_254_740_994.0, 17, "9.007199254740994e15"),
            (123_456_789.0, 12, "123456789"),
            (999_999.6, 6, "1000000"),
            (1e-5, 6, "0.00001"),
            (9.999_999_9e-6, 6, "0.00001"),
            (9.99e-6, 6, "9.99e-6"),
            (1e-6, 6, "1e-6"),
            (-1.5e20, 6, "-1.5e20"),
            (1e15, 6, "1000000000000000"),
            (-2e15, 17, "-2000000000000000"),
            (1e16, 17, "1e16"),
            (123_456_789_012_345.0, 17, "123456789012345"),
            (999_999_999_999_999.0, 17, "999999999999999"),
            (999_999_999_999_999.0, 6, "999999999999999"),
            (1e300, 6, "1e300"),
            (5e-324, 6, "5e-324"),
            (5e-324, 12, "5e-324"),
            (f64::MAX, 6, "1.79769e308"),
            (f64::MAX, 255, "1.7976931348623157e308"),
            (f64::MIN_POSITIVE, 12, "2.22507385851e-308"),
            (f64::NAN, 6, "NaN"),
            (-f64::NAN, 6, "NaN"),
            (f64::INFINITY, 6, "inf"),
            (f64::NEG_INFINITY, 6, "-inf"),
            (1.0 / 3.0, 16, "0.3333333333333333"),
            (0.5, 17, "0.5"),
        ];
        for (value, digits, expected) in cases {
            assert_eq!(
                text(value, digits),
                expected,
                "{value:e} with {digits} digits"
            );
        }
    }

    /// The texts are those of Python's `uncertainties` with two digits of the uncertainty. Only the spelling of the
    /// power and the limits for it differ, and a value far below its uncertainty keeps two digits.
    #[test]
    fn a_value_ends_where_two_digits_of_its_uncertainty_do() {
        for (value, sigma, expected) in [
            (9.800_517, 0.0985, ["9.801", "0.099", ""]),
            (9.800_517, 0.0996, ["9.80", "0.10", ""]),
            (123_456.0, 45.67, ["123456", "46", ""]),
            (123_456.0, 4567.0, ["123500", "4600", ""]),
            (71_840.0, 770.0, ["71840", "770", ""]),
            (-71_844.0, 766.0, ["-71840", "770", ""]),
            (12.0, 770.0, ["12", "770", ""]),
            (3.0, 770.0, ["3", "770", ""]),
            (999_996.0, 120.0, ["1.00000", "0.00012", "e6"]),
            (999_994.0, 120.0, ["999990", "120", ""]),
            (1e7, 1e6, ["1.00", "0.10", "e7"]),
            (11e9, 0.88e9, ["1.100", "0.088", "e10"]),
            (2e-5, 3e-7, ["0.00002000", "0.00000030", ""]),
            (2e-6, 3e-7, ["2.00", "0.30", "e-6"]),
            (28_326_927_744.0, 2_107_279_751.0, ["2.83", "0.21", "e10"]),
            (9.9996e10, 3.456e8, ["1.0000", "0.0035", "e11"]),
            (999.96, 99.96, ["1000", "100", ""]),
            (1.602e-19, 2e-22, ["1.6020", "0.0020", "e-19"]),
            (-4.806e-19, 3e-22, ["-4.8060", "0.0030", "e-19"]),
            (2e-22, 3e-19, ["2e-22", "3.0e-19", ""]),
            (42_506.7, 4.1e12, ["42507", "4.1e12", ""]),
            (-1.236e-20, 4.6, ["-1.2e-20", "4.6", ""]),
            (0.618, 1.1, ["0.62", "1.1", ""]),
            (0.96, 1.1, ["1.0", "1.1", ""]),
            (-0.314, 0.32, ["-0.31", "0.32", ""]),
            (-2e6, 3e8, ["-2000000", "3.0e8", ""]),
            (-0.004, 1.2, ["-0.004", "1.2", ""]),
            (0.0, 2e-12, ["0.0", "2.0", "e-12"]),
            (0.0, 0.2, ["0.00", "0.20", ""]),
            (1e20, 1e18, ["1.000", "0.010", "e20"]),
            (
                123_456_789.888,
                0.37,
                ["1.2345678989", "0.0000000037", "e8"],
            ),
            (5e10, 21.0, ["5.0000000000", "0.0000000021", "e10"]),
            (1.0, 3.9e-9, ["1.0000000000", "0.0000000039", ""]),
            (1.25, 1e-12, ["1.2500000000000", "0.0000000000010", ""]),
            (1.25, 1e-15, ["1.25", "1.0e-15", ""]),
        ] {
            let shown = measurement_text(&Measurement::of_result(value, sigma), 12);
            assert_eq!(shown, joined(expected), "{value:e} ± {sigma:e}");
        }
    }

    #[test]
    fn what_was_typed_keeps_its_digits() {
        for (value, sigma, typed, digits, expected) in [
            (1.602e-19, 2e-22, true, 12, ["1.602", "0.002", "e-19"]),
            (10_000.0, 100.0, true, 12, ["10000", "100", ""]),
            (1e7, 1e6, true, 12, ["1", "0.1", "e7"]),
            (1234.567, 0.5, true, 12, ["1234.567", "0.5", ""]),
            (1234.567, 0.5, true, 6, ["1234.57", "0.50", ""]),
            (2.0 / 3.0, 0.01, true, 12, ["0.667", "0.010", ""]),
            (2.0 / 3.0, 5.0, true, 12, ["0.67", "5.0", ""]),
            (1e-17, 0.1, true, 12, ["1e-17", "0.1", ""]),
            (5.0, 1e-9, true, 12, ["5", "1e-9", ""]),
            (1e20, 1.0, true, 12, ["1e20", "1", ""]),
            (0.0, 1e-9, true, 12, ["0", "1", "e-9"]),
            (
                0.1 + 0.2,
                0.01,
                false,
                17,
                ["0.30000000000000004", "0.01", ""],
            ),
            (3.0, 0.0, false, 12, ["3", "0", ""]),
            (2e-16, 0.0, false, 12, ["2e-16", "0", ""]),
            (1.25, 1e-15, false, 12, ["1.25", "1.0e-15", ""]),
            (2.0, f64::INFINITY, false, 12, ["2", "inf", ""]),
            (f64::NAN, f64::NAN, false, 12, ["NaN", "NaN", ""]),
        ] {
            let shown = measurement_text(
                &Measurement {
                    value,
                    sigma,
                    is_typed: typed,
                },
                digits,
            );
            assert_eq!(shown, joined(expected), "{value:e} ± {sigma:e}");
        }
    }

    /// Doubles with pseudo-random bits, so of all magnitudes.
    fn doubles() -> impl Iterator<Item = (u64, f64)> {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        let doubles = std::iter::repeat_with(move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            (bits, f64::from_bits(bits))
        });
        doubles.filter(|(_, value)| !value.is_nan()).take(20_000)
    }

    /// Values of all magnitudes, most of them common: whole numbers, halves, and neighbours of round numbers.
    fn all_sizes() -> impl Iterator<Item = f64> {
        doubles().step_by(20).flat_map(|(bits, value)| {
            let part = (bits >> 11) as f64 / (1_u64 << 53) as f64;
            let power = 10_f64.powi((bits % 24) as i32 - 6);
            let whole = (bits >> (bits % 53 + 10)) as f64;
            let some = [value, part * power, power.next_down(), power.next_up()];
            let more = [whole, -whole - 0.5, whole / 8.0, power, -power];
            // Beyond this limit a text with few digits may exceed the largest double.
            let fits = |value: &f64| value.abs() < 1e308;
            some.into_iter().chain(more).filter(fits)
        })
    }

    #[test]
    fn whole_numbers_are_shown_in_full_and_no_other_loses_a_digit_before_its_point() {
        for value in all_sizes() {
            let size = value.abs();
            let whole = size <= 2_f64.powi(53) && value.fract() == 0.0;
            for digits in 1..=17_u8 {
                let text = text(value, digits);
                if whole {
                    assert_eq!(text, format!("{value:.0}"), "{digits} digits");
                    continue;
                }
                let (number, exponent) = text.split_once('e').unwrap_or((&text, ""));
                assert_eq!(
                    exponent.is_empty(),
                    (1e-5..1e15).contains(&size) && text != "1e15" && text != "-1e15"
                        || ["0.00001", "-0.00001"].contains(&&*text),
                    "{value:e}: {text}"
                );
                // The error may be half a unit of the last requested digit. The difference is exact, since the two
                // numbers are so close; parsing the text adds up to half a unit in the last place of the double.
                let shown: f64 = text.parse().expect("our own text is a number");
                let off = (shown - value).abs();
                let first = format!("{value:e}");
                let (_, first) = first.split_once('e').expect("it has an exponent");
                let first: i32 = first.parse().expect("which is a number");
                let unit = format!("5e{}", first - i32::from(digits));
                let unit: f64 = unit.parse().expect("half a unit");
                let least = (size.next_up() - size) * 0.5;
                assert!(off <= unit * (1.0 + 1e-9) + least, "{value:e}: {text}");
                if exponent.is_empty() {
                    // All digits before the point are correct.
                    let most = if number.contains('.') { 1.0 } else { 0.5 };
                    let before: f64 = number
                        .split('.')
                        .next()
                        .unwrap_or_default()
                        .parse()
                        .expect("a whole number");
                    assert!((before - value).abs() <= most, "{value:e}: {text}");
                }
                let count = number.bytes().filter(u8::is_ascii_digit).count();
                let zeros = number.trim_start_matches(['-', '0', '.']).len();
                let zeros = number.len() - zeros;
                assert!(
                    count <= usize::from(digits).max(16) + zeros,
                    "{value:e} with {digits} digits: {text}"
                );
            }
        }
    }

    #[test]
    fn two_numbers_are_told_apart_with_no_more_digits_than_that_takes() {
        let mut pairs = vec![
            (0.0, -0.0),
            (0.1 + 0.2, 0.3),
            (1_234_567.0, 1_234_568.0),
            (1.0, 1.0 + f64::EPSILON),
            (f64::NAN, 1.0),
            (f64::MAX, f64::INFINITY),
        ];
        pairs.extend(all_sizes().map(|value| (value, value.next_up())));
        pairs.extend(all_sizes().map(|value| (value, value * (1.0 + 1e-9))));
        for (one, other) in pairs
            .into_iter()
            .filter(|(one, other)| one != other || *one == 0.0)
        {
            for digits in [1, 6, 12, 17] {
                let pair = |digits| (text(one, digits), text(other, digits));
                let shown = (distinct(one, other, digits), distinct(other, one, digits));
                if one.to_bits() == other.to_bits() {
                    assert_eq!(shown, pair(digits));
                    continue;
                }
                assert_ne!(shown.0, shown.1, "{one:e} and {other:e}");
                let fewest = (digits..=17).find(|digits| pair(*digits) == shown);
                let fewest = fewest.expect("both have the same digits");
                let fewer = (digits..fewest).map(pair);
                assert!(fewer.into_iter().all(|(one, other)| one == other));
            }
        }
        assert_eq!(distinct(f64::NAN, -f64::NAN, 6), "NaN");
        assert_eq!(distinct(0.1 + 0.2, 0.1 + 0.2, 6), "0.3");
        assert_eq!(distinct(0.3, 0.1 + 0.2, 6), "0.3");
        assert_eq!(distinct(0.1 + 0.2, 0.3, 6), "0.30000000000000004");
    }

    #[test]
    fn shortest_reads_back() {
        for (bits, value) in doubles() {
            let back: f64 = shortest(value).parse().expect("our own text is a number");
            assert_eq!(back.to_bits(), bits, "{value:e}");
        }
    }

    #[test]
    fn points() {
        let cases = [
            ("1", 1),
            ("-1.5", 2),
            ("1e300", 1),
            ("1.5e-7", 1),
            ("NaN", 3),
            ("-inf", 4),
            ("0.00001", 1),
        ];
        for (text, expected) in cases {
            assert_eq!(point(text), expected, "{text}");
        }
    }
}
