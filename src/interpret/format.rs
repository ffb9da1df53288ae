//! The formats of Python's f-strings, `:.4f` in `f"L is {L:.4f}"`: a number as Python writes it.
//!
//! Whole numbers are Python's `int` where it makes a difference, as in `{n:d}` and `{n:5}`.

use std::iter::repeat_n;

/// The largest width and precision.
pub(super) const MOST: usize = 1_000;

/// How a number is written.
pub(super) struct PythonFormat {
    fill: char,
    /// `<`, `>`, `^`, or `=` for blanks between the sign and the digits.
    align: char,
    /// The sign of a number that is not negative: `+`, a blank or nothing.
    plus: &'static str,
    width: usize,
    /// The sign between thousands.
    comma: Option<char>,
    precision: Option<usize>,
    /// One of `d`, `e`, `E`, `f`, `F`, `g`, `G` and `%`.
    kind: Option<char>,
}

impl PythonFormat {
    /// The format of `>8.3f`, `+,d`, `%`; `None` if it is not understood.
    pub(super) fn read(text: &str) -> Option<PythonFormat> {
        let is_align = |c: &char| "<>=^".contains(*c);
        let mut rest = text.chars();
        let (mut fill, mut align) = (None, None);
        let mut ahead = rest.clone().skip(1);
        if ahead.next().as_ref().is_some_and(is_align) {
            (fill, align) = (rest.next(), rest.next());
        } else if rest.clone().next().as_ref().is_some_and(is_align) {
            align = rest.next();
        }
        let mut rest = rest.as_str();
        let mut take = |sign: char| rest.strip_prefix(sign).inspect(|it| rest = it).is_some();
        let plus = match () {
            () if take('+') => "+",
            () if take(' ') => " ",
            () => {
                take('-');
                ""
            }
        };
        if take('0') {
            (fill, align) = (fill.or(Some('0')), align.or(Some('=')));
        }
        let (width, mut rest) = digits(rest)?;
        let mut comma = None;
        if let Some(behind) = rest.strip_prefix([',', '_']) {
            comma = rest.chars().next();
            rest = behind;
        }
        let mut precision = None;
        if let Some(behind) = rest.strip_prefix('.') {
            (precision, rest) = digits(behind)?;
            precision?;
        }
        let mut kinds = rest.chars();
        let kind = kinds.next();
        let is_known = kind.is_none_or(|kind| "deEfFgG%".contains(kind));
        let is_whole = kind == Some('d');
        let format = PythonFormat {
            fill: fill.unwrap_or(' '),
            align: align.unwrap_or('>'),
            plus,
            width: width.unwrap_or_default(),
            comma,
            precision,
            kind,
        };
        (is_known && kinds.next().is_none() && !(is_whole && precision.is_some())).then_some(format)
    }

    /// The number as text; `None` if it is to be whole and is not.
    pub(super) fn write(&self, value: f64) -> Option<String> {
        let size = value.abs();
        let precision = self.precision.unwrap_or(6);
        let last = precision.max(1) as i32 - 1;
        let mut text = match self.kind {
            Some('d') if size.fract() != 0.0 => return None,
            _ if !size.is_finite() => format!("{size}").to_lowercase(),
            Some('d') => format!("{size:.0}"),
            Some('e' | 'E') => with_exponent(&format!("{size:.precision$e}")),
            Some('f' | 'F') => format!("{size:.precision$}"),
            Some('%') => format!("{:.precision$}", size * 100.0).to_lowercase(),
            Some(_) => general(size, last, last, ""),
            None if self.precision.is_some() => general(size, last, last - 1, ".0"),
            None if size.fract() == 0.0 && size < 1e16 => size.to_string(),
            None if (1e-4..1e16).contains(&size) => ryu::Buffer::new().format(size).to_string(),
            None => with_exponent(&format!("{size:e}")),
        };
        let is_negative = match self.kind {
            Some('d') => value < 0.0,
            _ => value.is_sign_negative() && !value.is_nan(),
        };
        let sign = if is_negative { "-" } else { self.plus };
        let sign_and_percent = sign.len() + usize::from(self.kind == Some('%'));
        let pads_with_zeros = self.fill == '0' && self.align == '=';
        if let Some(comma) = self.comma {
            let room = self.width.saturating_sub(sign_and_percent);
            text = group_thousands(&text, comma, if pads_with_zeros { room } else { 0 });
        }
        match self.kind {
            Some('%') => text.push('%'),
            Some(kind) if kind.is_uppercase() => text = text.to_uppercase(),
            _ => {}
        }
        let blanks = self.width.saturating_sub(sign.len() + text.len());
        let (outside, inside, behind) = match self.align {
            '<' => (0, 0, blanks),
            '^' => (blanks / 2, 0, blanks - blanks / 2),
            '=' => (0, blanks, 0),
            _ => (blanks, 0, 0),
        };
        let fill = |count| repeat_n(self.fill, count).collect::<String>();
        let (outside, inside, behind) = (fill(outside), fill(inside), fill(behind));
        Some(format!("{outside}{sign}{inside}{text}{behind}"))
    }
}

/// The number at the beginning of a text, and what follows it; `None` if it is above [`MOST`].
fn digits(text: &str) -> Option<(Option<usize>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    if number.is_empty() {
        return Some((None, rest));
    }
    let number = number.parse().ok().filter(|number| *number <= MOST)?;
    Some((Some(number), rest))
}

/// `3.1e+00` for `3.1e0`.
fn with_exponent(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(size) => ('-', size),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A number with this many decimals behind its first digit, but without zeros at the end, and without an exponent if that
/// is from -4 to `largest`; `ending` follows a whole number.
fn general(size: f64, decimals: i32, largest: i32, ending: &str) -> String {
    let text = format!("{size:.*e}", decimals as usize);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    let place: i32 = exponent.parse().unwrap_or_default();
    if !(-4..=largest).contains(&place) {
        return with_exponent(&format!("{digits}e{exponent}"));
    }
    let digits = digits.replace('.', "");
    let Ok(place) = usize::try_from(place) else {
        let zeros = "0".repeat(place.unsigned_abs() as usize - 1);
        return format!("0.{zeros}{digits}");
    };
    match digits.split_at_checked(place + 1) {
        Some((whole, rest)) if !rest.is_empty() => format!("{whole}.{rest}"),
        _ => format!("{digits:0<0$}{ending}", place + 1),
    }
}

/// A number with a comma before every third digit, and with zeros before it if it is shorter than `room`.
fn group_thousands(text: &str, comma: char, room: usize) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (whole, rest) = text.split_at(end.unwrap_or(text.len()));
    if whole.is_empty() {
        return text.to_string();
    }
    let is_long = |count: &usize| count + (count - 1) / 3 + rest.len() >= room;
    let longest = room.max(whole.len());
    let count = (whole.len()..=longest).find(is_long).unwrap_or(longest);
    let mut grouped = String::new();
    for (left, digit) in (1..=count).rev().zip(format!("{whole:0>count$}").chars()) {
        if left % 3 == 0 && left < count {
            grouped.push(comma);
        }
        grouped.push(digit);
    }
    grouped + rest
}
