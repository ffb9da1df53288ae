//! JSON output: reports, notes and errors as one object per line, with all digits of numbers.
//!
//! No library writes it, because key order, negative zero and numbers that are not finite need their own rules. All JSON
//! comes from facts; lines and code blocks are for people only.

use std::fmt::Write;

use super::visible_span::VisibleSpan;
use super::{AnswerSink, StatementPlace, number};
use crate::characters;
use crate::diagnostic::Diagnostic;
use crate::report::{
    Audience, Block, Diagram, Fact, Note, NumberPart, Numbers, Piece, Report, Table,
};
use crate::stop;

/// Writes the answer to a statement and its notes.
pub fn report(report: &Report, notes: &[Note], file: &str, line: usize, sink: &mut dyn AnswerSink) {
    open(report.kind, file, line, sink.text());
    fields(&report.facts, sink.text());
    for block in &report.blocks {
        match block {
            // A table without a key is for people only.
            Block::Table(table) if !table.key.is_empty() => {
                push_key(table.key, sink.text());
                push_table(table, sink);
            }
            block => fields(&block.facts(), sink.text()),
        }
    }
    close_with_notes(notes, sink.text());
}

/// A graph as a file, with one node or edge per line.
pub(super) fn graph_file(diagram: &Diagram) -> String {
    let root = diagram.vertices.first();
    let root = root.map_or("", |root| &root.label);
    let mut facts = vec![("kind", "graph".into()), ("root", root.into())];
    facts.extend(diagram.facts());
    let mut out = String::new();
    write_fact(&Fact::Record(facts), 2, &mut out);
    out.push('\n');
    out
}

/// Writes the notes of a statement that has no answer.
pub fn notes(notes: &[Note], file: &str, line: usize, out: &mut String) {
    open("note", file, line, out);
    close_with_notes(notes, out);
}

/// Writes an error. `line` is used if the diagnostic has no place of its own.
pub fn diagnostic(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    file: &str,
    line: usize,
    out: &mut String,
) {
    let translated = diagnostic.translated.as_deref();
    let translated = translated.or(place.and_then(|place| place.translated));
    let (line, column, length) = place.map_or((line, 1, 1), |place| {
        let place = place.with_translation(translated);
        let spot = VisibleSpan::of_statement(&place, diagnostic.span.as_ref());
        (place.line + spot.row, spot.column, spot.length(place.text))
    });
    open("error", file, line, out);
    let mut facts = vec![
        ("column", column.into()),
        ("length", length.into()),
        ("message", diagnostic.message.as_str().into()),
        ("help", diagnostic.help.as_deref().into()),
    ];
    facts.extend(translated.map(|it| ("translated", it.line.as_str().into())));
    let numbers = diagnostic.numbers.iter();
    facts.extend(numbers.map(|(key, number)| (*key, (*number).into())));
    fields(&facts, out);
    out.push_str("}\n");
}

fn open(kind: &str, file: &str, line: usize, out: &mut String) {
    out.push_str("{\"kind\":");
    push_text(kind, out);
    fields(&[("file", file.into()), ("line", line.into())], out);
}

fn close_with_notes(notes: &[Note], out: &mut String) {
    let notes = notes.iter().map(|note| sentence(&note.message)).collect();
    fields(&[("notes", notes)], out);
    out.push_str("}\n");
}

/// The text of a line without colours, with all digits of numbers.
fn sentence(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Number(value)
            | Piece::Short(value)
            | Piece::Distinct(value, _)
            | Piece::ToUncertainty(value, _) => {
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

fn push_table(table: &Table, sink: &mut dyn AnswerSink) {
    sink.text().push('[');
    for (count, row) in stop::with_checks(table.rows.each().enumerate()) {
        sink.row_ends();
        let cells = table.columns.iter().zip(row);
        let cells = cells.filter(|(column, _)| column.audience != Audience::People);
        let facts = cells.flat_map(|(column, cell)| column.facts(cell));
        let out = sink.text();
        out.push_str(if count > 0 { "," } else { "" });
        write_fact(&Fact::Record(facts.collect()), 0, out);
    }
    sink.text().push(']');
}

fn push_key(key: &str, out: &mut String) {
    out.push(',');
    push_text(key, out);
    out.push(':');
}

/// Further keys of an object that is open and has one already.
fn fields(facts: &[(&str, Fact)], out: &mut String) {
    for (key, fact) in facts {
        push_key(key, out);
        write_fact(fact, 0, out);
    }
}

/// Writes a value. Down to level `indented` each key and each entry has a line of its own.
pub(crate) fn write_fact(fact: &Fact, indented: usize, out: &mut String) {
    write_at(fact, (0, indented), out);
}

fn write_at(fact: &Fact, levels: (usize, usize), out: &mut String) {
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
            write_entries(facts.iter().map(|fact| (None, fact)), levels, out);
            out.push(']');
        }
        Fact::Record(facts) => {
            out.push('{');
            let entries = facts.iter().map(|(key, fact)| (Some(*key), fact));
            write_entries(entries, levels, out);
            out.push('}');
        }
    }
}

/// Writes the entries of a list or an object at this level, each on its own line if the level is less than `indented`.
fn write_entries<'f>(
    entries: impl Iterator<Item = (Option<&'f str>, &'f Fact)>,
    (level, indented): (usize, usize),
    out: &mut String,
) {
    let has_lines = level < indented;
    let new_line = |level: usize, out: &mut String| {
        if has_lines {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", level));
        }
    };
    let mut begins = true;
    for (key, fact) in entries {
        // `ask` wants a number that grows with the work.
        stop::ask(out.len());
        out.push_str(if std::mem::take(&mut begins) { "" } else { "," });
        new_line(level + 1, out);
        if let Some(key) = key {
            push_text(key, out);
            out.push_str(if has_lines { ": " } else { ":" });
        }
        write_at(fact, (level + 1, indented), out);
    }
    if !begins {
        new_line(level, out);
    }
}

/// The shortest text that parses to the same number. JSON has no NaN and no infinities, so they are strings. Negative
/// zero is `-0.0`, because many parsers read `-0` as the integer 0.
pub(super) fn push_number(value: f64, out: &mut String) {
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

/// Whether a byte needs no escape. Most texts consist of such bytes, which are copied at once.
fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20..0x7f if byte != b'"' && byte != b'\\')
}

/// A string. Characters that could affect a terminal are escaped too, which parsers undo.
pub(super) fn push_text(text: &str, out: &mut String) {
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
fn push_value(value: &Numbers, out: &mut String) {
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
