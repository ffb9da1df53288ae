//! JSON values: functions that append strings, numbers, lists and keys to a text.
//!
//! Which values an answer consists of is decided by the callers.

use std::fmt::Write;

use crate::report::{NumberPart, Numbers};
use crate::stop;
use crate::view::{characters, number};

pub(super) fn push_list<T>(items: &[T], out: &mut String, mut push: impl FnMut(&T, &mut String)) {
    out.push('[');
    for (count, item) in stop::asking(items.iter().enumerate()) {
        if count > 0 {
            out.push(',');
        }
        push(item, out);
    }
    out.push(']');
}

pub(super) fn push_key(key: &str, out: &mut String) {
    out.push(',');
    push_text(key, out);
    out.push(':');
}

/// A key and the text that belongs to it.
pub(super) fn push_text_field(key: &str, text: &str, out: &mut String) {
    push_key(key, out);
    push_text(text, out);
}

pub(super) fn push_flag(flag: bool, out: &mut String) {
    out.push_str(if flag { "true" } else { "false" });
}

pub(super) fn push_count(count: u64, out: &mut String) {
    number::count(count, out);
}

/// The shortest text that parses to the same number. JSON has no NaN and no infinities, so they are strings. Negative
/// zero is `-0.0`, because many parsers read `-0` as the integer 0.
pub(in crate::view) fn push_number(value: f64, out: &mut String) {
    if value.is_nan() {
        out.push_str("\"NaN\"");
    } else if value.is_infinite() {
        out.push_str(if value > 0.0 {
            "\"Infinity\""
        } else {
            "\"-Infinity\""
        });
    } else if value == 0.0 && value.is_sign_negative() {
        out.push_str("-0.0");
    } else {
        number::write(value, number::EXACT, out);
    }
}

/// Most texts consist of these.
fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20..0x7f if byte != b'"' && byte != b'\\')
}

/// A string. Characters that could affect a terminal are escaped too, which parsers undo.
pub(in crate::view) fn push_text(text: &str, out: &mut String) {
    out.push('"');
    if text.bytes().all(is_plain) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let needs_escape = c == '"' || c == '\\' || characters::is_unsafe(c);
        if !needs_escape {
            continue;
        }
        out.push_str(&text[done..at]);
        done = at + c.len_utf8();
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push_str(&text[done..]);
    out.push('"');
}

/// A number, or a list as an array.
pub(super) fn push_value(value: &Numbers, out: &mut String) {
    for (at, part) in value.parts.iter().enumerate() {
        let first = at == 0 || value.parts[at - 1] == NumberPart::Open;
        if !first && *part != NumberPart::Close {
            out.push(',');
        }
        match part {
            NumberPart::Open => out.push('['),
            NumberPart::Number(number) => push_number(*number, out),
            NumberPart::Close => out.push(']'),
        }
    }
}
