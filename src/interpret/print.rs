//! Writes the output of `print`: texts and values, joined and split into lines, and numbers in formats of Python's
//! f-strings: `:.4f` in `f"L is {L:.4f}"`. A whole number is written as Python's `int` where `int` and `float` differ, as
//! in `{n:d}` and `{n:5}`.

use std::rc::Rc;

use chainrule_language::{PrintPiece, Printing, Span};
use chainrule_program::functions::AnyValue;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{
    Block, Fact, Line, NumberPart, Numbers, Piece, Role, group_digits, truth_word,
};
use chainrule_session::Session;

/// The most copies of a text.
const MOST_COPIES: f64 = 1000.0;

/// The largest width and precision, far wider than any terminal.
const MAX_COLUMNS: usize = 1_000;

/// The most numbers of a list that `print` writes in full.
pub const MOST_PRINTED: usize = 1_000;

/// The text that one `print` writes, with `\n` at the end of each line, and the same for JSON.
pub(super) fn write_printed(
    session: &Session,
    printing: &Printing,
    values: &[AnyValue],
    span: Span,
) -> Result<(Line, Fact)> {
    let (mut line, mut items) = (Line::new(), Vec::new());
    let mut values = values.iter();
    for (at, parts) in printing.arguments.iter().enumerate() {
        if at > 0 {
            line.push(Piece::plain(&*printing.separator));
        }
        for part in parts {
            let (words, item) = match part {
                PrintPiece::Items => {
                    let Some(value) = values.next() else { continue };
                    for (nth, item) in list_items(value, span)?.into_iter().enumerate() {
                        line.extend((nth > 0).then(|| Piece::plain(&*printing.separator)));
                        let (words, fact) = write_value(session, &item.into(), None, span)?;
                        line.extend(words);
                        items.push(fact);
                    }
                    continue;
                }
                PrintPiece::Text(text) => write_text(text),
                PrintPiece::Repeated(text) => {
                    let Some(value) = values.next() else { continue };
                    write_text(&text.repeat(copies(value, span)?))
                }
                PrintPiece::Value(format) => {
                    let Some(value) = values.next() else { continue };
                    let format = format.as_ref();
                    let shown = format.map(|(format, place)| format_value(format, *place, value));
                    write_value(session, value, shown.transpose()?, span)?
                }
            };
            line.extend(words);
            items.push(item);
        }
    }
    line.push(Piece::plain(&*printing.end));
    Ok((line, Fact::List(items)))
}

/// The number of copies in `"-" * 20`. As in Python, a negative number gives none.
fn copies(count: &AnyValue, span: Span) -> Result<usize> {
    let number = match count.numbers() {
        Some(Value::Node(node)) => node.data(),
        _ => f64::NAN,
    };
    if number.fract() != 0.0 || number > MOST_COPIES {
        let message = format!("a text is repeated by a whole number, at most {MOST_COPIES}");
        let help = "as in `print('-' * 20)`";
        return Err(Diagnostic::new(message).at(span).help(help));
    }
    Ok(number as usize)
}

/// The items of a list behind `*`.
fn list_items(value: &AnyValue, span: Span) -> Result<Vec<Value>> {
    match value.numbers() {
        Some(Value::List(list)) => Ok(list.items().collect()),
        Some(Value::Node(_)) => {
            let message = "`*` writes the items of a list, and this is a number";
            Err(Diagnostic::new(message).at(span).help("leave the `*` out"))
        }
        None => Err(*value.refusal(span)),
    }
}

fn write_text(words: &str) -> (Line, Fact) {
    (vec![Piece::plain(words)], Fact::Text(words.to_string()))
}

/// A value as `print` writes it, and in JSON. `formatted` is its text in a format.
pub(super) fn write_value(
    session: &Session,
    value: &AnyValue,
    formatted: Option<String>,
    span: Span,
) -> Result<(Line, Fact)> {
    let numbers = match value {
        AnyValue::Numbers(value) => Rc::new(session.numbers(value)),
        AnyValue::Text(words) => return Ok(write_text(words)),
        AnyValue::None => return Ok(write_text("None")),
        function => return Err(*function.refusal(span)),
    };
    let fact = match &formatted {
        Some(text) => Fact::Text(text.clone()),
        None => Fact::Value(Rc::clone(&numbers)),
    };
    let own_form = formatted.map(|text| vec![Piece::Words(Role::Number, text)]);
    let Some(mut line) = own_form.or_else(|| whole_list(&numbers)) else {
        return Ok((vec![numbers.piece()], fact));
    };
    if numbers.as_of.is_some() {
        line.push(Piece::dim(numbers.outdated_words()));
    }
    Ok((line, fact))
}

/// A list as `print` writes it. `None` for a number, and for a list with more than [`MOST_PRINTED`] of them.
fn whole_list(numbers: &Numbers) -> Option<Line> {
    if numbers.shape.is_empty() || numbers.numbers().count() > MOST_PRINTED {
        return None;
    }
    let mut line = Line::new();
    let mut is_first = true;
    for part in &numbers.parts {
        if !is_first && !matches!(part, NumberPart::Close) {
            line.push(Piece::plain(", "));
        }
        is_first = matches!(part, NumberPart::Open);
        line.push(match part {
            NumberPart::Open => Piece::plain("["),
            NumberPart::Close => Piece::plain("]"),
            NumberPart::Truth(holds) => Piece::plain(truth_word(*holds)),
            number => Piece::Number(number.number().unwrap_or_default()),
        });
    }
    Some(line)
}

/// Splits an output into lines at each `\n`.
pub(super) fn printed_lines(printed: impl IntoIterator<Item = Line>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut line = Line::new();
    for piece in printed.into_iter().flatten() {
        match piece {
            Piece::Words(role, words) if words.contains('\n') => {
                let mut parts = words.split('\n');
                let last = parts.next_back().unwrap_or_default().to_owned();
                for part in parts {
                    line.push(Piece::Words(role, part.to_owned()));
                    blocks.push(Block::Line(std::mem::take(&mut line)));
                }
                if !last.is_empty() {
                    line.push(Piece::Words(role, last));
                }
            }
            piece => line.push(piece),
        }
    }
    if !line.is_empty() {
        blocks.push(Block::OpenLine(line));
    }
    blocks
}

/// A value in a format of Python: `.4f`.
fn format_value(format: &str, place: Span, value: &AnyValue) -> Result<String> {
    if let AnyValue::Numbers(Value::Node(node)) = value
        && let Some(text) = format_number(format, node.data())
    {
        return Ok(text);
    }
    let name = match value {
        AnyValue::Numbers(Value::Node(node)) => node.data().to_string(),
        AnyValue::Numbers(Value::List(list)) => list.shape().to_string(),
        _ => "a text".to_string(),
    };
    let message = format!("`{format}` is not a format for {name}");
    let help = format!(
        "`{{…:.4f}}` has 4 decimals, `{{…:>10.3e}}` an exponent and 10 columns, of at most {MAX_COLUMNS}; there are also `g`, `%`, `,` and, for whole numbers, `d`"
    );
    Err(Diagnostic::new(message).at(place).help(help))
}

/// Writes a number in a format: `>8.3f`, `+,d`, `%`. Returns `None` if the text is no format or an unsupported one, or if
/// the format is for whole numbers and the number is not whole.
fn format_number(format: &str, value: f64) -> Option<String> {
    let rest = &mut &*format;
    let align = take(rest, "<>^");
    // The sign of a number that is not negative.
    let plus = take(rest, "+- ").filter(|sign| *sign != '-');
    let zero = take(rest, "0");
    let width = number(rest).unwrap_or_default();
    let comma = take(rest, ",_");
    let point = take(rest, ".");
    let precision = point.and_then(|_| number(rest));
    // Without a kind, a number is written as Python's `str` does.
    let kind = take(rest, "defg%");
    let is_too_wide = width.max(precision.unwrap_or_default()) > MAX_COLUMNS;
    // Only the kinds with decimals have a precision.
    let has_wrong_precision =
        point.is_some() && (precision.is_none() || matches!(kind, None | Some('d')));
    // Zeros with an alignment or with commas are not supported.
    let has_wrong_zero = zero.is_some() && (align.is_some() || comma.is_some());
    if !rest.is_empty() || is_too_wide || has_wrong_precision || has_wrong_zero {
        return None;
    }
    let mut text = digits(kind, precision.unwrap_or(6), value.abs())?;
    if let Some(comma) = comma {
        let end = text.find(|c: char| !c.is_ascii_digit());
        let whole = ..end.unwrap_or(text.len());
        text.replace_range(whole, &group_digits(&text[whole], comma));
    }
    if kind == Some('%') {
        text.push('%');
    }
    // The -0 of `7 % -1` is a whole number in Python, which has no -0.
    let plus_or_minus = if value < 0.0 { Some('-') } else { plus };
    let sign = plus_or_minus.map_or(String::new(), String::from);
    Some(match align.or(zero) {
        Some('0') => format!("{sign}{text:0>0$}", width.saturating_sub(sign.len())),
        Some('<') => format!("{:<width$}", sign + &text),
        Some('^') => format!("{:^width$}", sign + &text),
        _ => format!("{:>width$}", sign + &text),
    })
}

/// The digits of a number without its sign.
fn digits(kind: Option<char>, precision: usize, size: f64) -> Option<String> {
    Some(match kind {
        Some('d') if size.fract() != 0.0 => return None,
        _ if !size.is_finite() => format!("{size}").to_lowercase(),
        Some('d') => format!("{size:.0}"),
        Some('e') => with_exponent(&format!("{size:.precision$e}")),
        Some('f') => format!("{size:.precision$}"),
        Some('%') => format!("{:.precision$}", size * 100.0),
        Some(_) => general(size, precision.saturating_sub(1)),
        None if size.fract() == 0.0 && size < 1e16 => size.to_string(),
        // If two texts are equally short, Python and `ryu` both take the one with an even last digit.
        None if (1e-4..1e16).contains(&size) => ryu::Buffer::new().format(size).to_string(),
        None => with_exponent(&format!("{size:e}")),
    })
}

/// Removes the first sign of a text, if it is one of these, and returns it.
fn take(rest: &mut &str, signs: &str) -> Option<char> {
    let sign = rest.chars().next().filter(|&sign| signs.contains(sign))?;
    *rest = &rest[sign.len_utf8()..];
    Some(sign)
}

/// Removes the number at the beginning of a text, and returns it.
fn number(rest: &mut &str) -> Option<usize> {
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = after;
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The text of an exponent in Python: `3.1e+00` for `3.1e0`.
fn with_exponent(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    match exponent.strip_prefix('-') {
        Some(size) => format!("{digits}e-{size:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}

/// Writes a number in format `g`, with `decimals + 1` significant digits and no zeros at the end. As in Python, an exponent
/// is written only if it is below -4 or above `decimals`.
fn general(size: f64, decimals: usize) -> String {
    let without_zeros = |text: &str| match text.split_once('.') {
        Some((whole, rest)) if rest.trim_matches('0').is_empty() => whole.to_string(),
        Some(_) => text.trim_end_matches('0').to_string(),
        None => text.to_string(),
    };
    let text = format!("{size:.decimals$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let place: i32 = exponent.parse().unwrap_or_default();
    if (-4..=decimals as i32).contains(&place) {
        without_zeros(&format!("{size:.0$}", (decimals as i32 - place) as usize))
    } else {
        with_exponent(&format!("{}e{place}", without_zeros(digits)))
    }
}
