//! The JSON of a fact.
//!
//! No library writes it, because key order, negative zero and numbers that are not finite need their own rules.

use std::fmt::Write;

use crate::number;
use chainrule_report::{Fact, NumberPart, Numbers, Piece, characters};
use chainrule_stop as stop;

/// The text of a line without colours, with all digits of numbers.
pub fn sentence(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        let bare = match piece {
            Piece::Asked(number) => number,
            piece => piece,
        };
        match bare {
            Piece::Number(value)
            | Piece::Short(value)
            | Piece::Distinct(value, _)
            | Piece::LikeMeasurement(value, _) => {
                number::write(*value, number::EXACT, &mut out);
            }
            Piece::Measurement(of) => {
                number::write(of.value, number::EXACT, &mut out);
                out.push_str(" ± ");
                number::write(of.sigma, number::EXACT, &mut out);
            }
            words => out.push_str(words.words()),
        }
    }
    out
}

/// Writes a value.
pub fn write_fact(fact: &Fact, out: &mut String) {
    match fact {
        Fact::Null => out.push_str("null"),
        Fact::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Fact::Number(value) => push_number(*value, out),
        Fact::Value(value) => push_value(value, out),
        Fact::Count(count) => {
            let _ = write!(out, "{count}");
        }
        Fact::Text(text) => push_text(text, out),
        Fact::Json(json) => out.push_str(json),
        Fact::Sentence(line) => push_text(&sentence(line), out),
        Fact::List(facts) => {
            out.push('[');
            write_entries(facts.iter().map(|entry| (None, entry)), out);
            out.push(']');
        }
        Fact::Record(facts) => {
            out.push('{');
            write_entries(facts.iter().map(|(key, entry)| (Some(*key), entry)), out);
            out.push('}');
        }
    }
}

/// Writes the entries of a list, or the keys and entries of an object.
fn write_entries<'f>(entries: impl Iterator<Item = (Option<&'f str>, &'f Fact)>, out: &mut String) {
    for (place, (key, fact)) in entries.enumerate() {
        // `ask` wants a number that grows with the work.
        stop::ask(out.len());
        out.push_str(if place > 0 { "," } else { "" });
        if let Some(key) = key {
            push_text(key, out);
            out.push(':');
        }
        write_fact(fact, out);
    }
}

/// Writes the shortest text that parses to the same number. JSON has no NaN and no infinities, so they are strings.
/// Negative zero is `-0.0`, because many parsers read `-0` as the integer 0.
pub fn push_number(value: f64, out: &mut String) {
    match value {
        f64::INFINITY => out.push_str("\"Infinity\""),
        f64::NEG_INFINITY => out.push_str("\"-Infinity\""),
        _ if value.is_nan() => out.push_str("\"NaN\""),
        0.0 if value.is_sign_negative() => out.push_str("-0.0"),
        _ => number::write(value, number::EXACT, out),
    }
}

/// Writes a string. Characters that could affect a terminal are escaped, too; parsers undo that.
pub fn push_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if characters::is_unsafe(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Writes a number, or a list as an array.
fn push_value(value: &Numbers, out: &mut String) {
    for (at, part) in value.parts.iter().enumerate() {
        let is_first = at == 0 || value.parts[at - 1] == NumberPart::Open;
        if !is_first && *part != NumberPart::Close {
            out.push(',');
        }
        match part {
            NumberPart::Open => out.push('['),
            NumberPart::Close => out.push(']'),
            number => push_number(number.number().unwrap_or_default(), out),
        }
    }
}
