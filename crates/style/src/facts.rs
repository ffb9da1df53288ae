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
            Piece::Grad(number) | Piece::Faded(number) => number,
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

/// Writes a value. On the first `indented` levels each key and each entry has a line of its own.
pub fn write_fact(fact: &Fact, indented: usize, out: &mut String) {
    write_at(fact, 0, indented, out);
}

/// Writes a value at this level.
fn write_at(fact: &Fact, level: usize, indented: usize, out: &mut String) {
    match fact {
        Fact::Null => out.push_str("null"),
        Fact::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Fact::Number(value) => push_number(*value, out),
        Fact::Value(value) => push_value(value, out),
        Fact::Count(count) => {
            let _ = write!(out, "{count}");
        }
        Fact::Text(text) => push_text(text, out),
        Fact::Sentence(line) => push_text(&sentence(line), out),
        Fact::List(facts) => {
            out.push('[');
            let entries = facts.iter().map(|entry| (None, entry));
            write_entries(entries, level, indented, out);
            out.push(']');
        }
        Fact::Record(facts) => {
            out.push('{');
            let entries = facts.iter().map(|(key, entry)| (Some(*key), entry));
            write_entries(entries, level, indented, out);
            out.push('}');
        }
    }
}

/// Writes the entries of a list or an object at this level, each on its own line if the level is less than `indented`.
fn write_entries<'f>(
    entries: impl Iterator<Item = (Option<&'f str>, &'f Fact)>,
    level: usize,
    indented: usize,
    out: &mut String,
) {
    let has_lines = level < indented;
    let mut begins = true;
    for (key, fact) in entries {
        // `ask` wants a number that grows with the work.
        stop::ask(out.len());
        out.push_str(if std::mem::take(&mut begins) { "" } else { "," });
        if has_lines {
            push_line_break(level + 1, out);
        }
        if let Some(key) = key {
            push_text(key, out);
            out.push_str(if has_lines { ": " } else { ":" });
        }
        write_at(fact, level + 1, indented, out);
    }
    if !begins && has_lines {
        push_line_break(level, out);
    }
}

/// Begins a line of this level.
fn push_line_break(level: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
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
