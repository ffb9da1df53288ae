//! JSON output: reports, notes and errors as one object per line, with all digits of numbers.
//!
//! No library writes it, because key order, negative zero and numbers that are not finite need their own rules. All JSON
//! comes from facts; lines and code blocks are for people only.

use super::facts::{push_text, sentence};
use super::visible_span::VisibleSpan;
use super::{AnswerSink, StatementPlace};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Audience, Block, Fact, Facts, Note, Report, Table};
use chainrule_stop as stop;
pub use chainrule_style::facts::write_fact;

/// An object with these keys.
pub fn object(facts: Facts) -> String {
    let mut out = String::new();
    write_fact(&Fact::Record(facts), &mut out);
    out
}

/// Writes the answer to a statement and its notes.
pub fn report(report: &Report, notes: &[Note], file: &str, line: usize, sink: &mut dyn AnswerSink) {
    open(report.kind.word(), file, line, sink.text());
    fields(&report.facts, sink.text());
    let values = report.value_facts();
    fields(&values, sink.text());
    let mut facts = report.facts.iter().chain(&values);
    if facts.any(|(_, fact)| fact.is_outdated()) {
        fields(&[("outdated", true.into())], sink.text());
    }
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

/// Writes the notes of a statement that has no answer.
pub fn notes(notes: &[Note], file: &str, line: usize, out: &mut String) {
    open("note", file, line, out);
    close_with_notes(notes, out);
}

/// Writes an error. Without a place it has the number `line`.
pub fn diagnostic(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    file: &str,
    line: usize,
    out: &mut String,
) {
    let (error_line, facts) = error_facts(diagnostic, place, line);
    open("error", file, error_line, out);
    fields(&facts, out);
    out.push_str("}\n");
}

/// The line of an error, and what else is known of it.
pub fn error_facts(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    line: usize,
) -> (usize, Facts) {
    let own = diagnostic.translated.as_deref();
    let translated = own.or(place.and_then(|place| place.translated));
    // An empty span counts as one character.
    let (error_line, column, length) = place.map_or((line, 1, 1), |place| {
        let source = place.with_translation(translated);
        let spot = VisibleSpan::of_statement(&source, diagnostic.span.as_ref());
        let length = source.text[spot.span].chars().count().max(1);
        (source.line + spot.row, spot.column, length)
    });
    let mut facts = vec![
        ("column", column.into()),
        ("length", length.into()),
        ("message", diagnostic.message.as_str().into()),
        ("help", diagnostic.help.as_deref().into()),
    ];
    facts.extend(translated.map(|it| ("translated", it.line.as_str().into())));
    let inside = diagnostic.inside.as_deref();
    facts.extend(inside.map(|it| ("inside", it.line.as_str().into())));
    let numbers = diagnostic.numbers.iter();
    facts.extend(numbers.map(|(key, number)| (*key, (*number).into())));
    (error_line, facts)
}

/// Begins an object with its first keys.
fn open(kind: &str, file: &str, line: usize, out: &mut String) {
    out.push_str("{\"kind\":");
    push_text(kind, out);
    fields(&[("file", file.into()), ("line", line.into())], out);
}

/// Writes the notes, and ends the object.
fn close_with_notes(notes: &[Note], out: &mut String) {
    let sentences = notes.iter().map(|note| sentence(&note.message));
    fields(&[("notes", sentences.collect())], out);
    out.push_str("}\n");
}

fn push_table(table: &Table, sink: &mut dyn AnswerSink) {
    sink.text().push('[');
    for (count, row) in stop::with_checks(table.rows.each().enumerate()) {
        sink.row_ends();
        let mut facts = Facts::new();
        for (column, cell) in table.columns.iter().zip(row) {
            if column.audience != Audience::People {
                facts.extend(column.facts(cell));
            }
        }
        let out = sink.text();
        out.push_str(if count > 0 { "," } else { "" });
        write_fact(&Fact::Record(facts), out);
    }
    sink.text().push(']');
}

fn push_key(key: &str, out: &mut String) {
    out.push(',');
    push_text(key, out);
    out.push(':');
}

/// Writes further keys of an open object.
fn fields(facts: &[(&str, Fact)], out: &mut String) {
    for (key, fact) in facts {
        push_key(key, out);
        write_fact(fact, out);
    }
}
