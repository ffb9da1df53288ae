//! JSON output: reports, notes and errors as one object per line, with all digits of numbers.
//!
//! No library writes it, because key order, negative zero and numbers that are not finite need their own rules. All JSON
//! comes from facts; lines and code blocks are for people only.

use super::facts::{push_text, sentence};
use super::visible_span::VisibleSpan;
use super::{AnswerSink, StatementPlace};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Audience, Block, Diagram, Fact, Note, Report, Table};
use chainrule_stop as stop;
pub use chainrule_style::facts::write_fact;

/// Writes the answer to a statement and its notes.
pub fn report(report: &Report, notes: &[Note], file: &str, line: usize, sink: &mut dyn AnswerSink) {
    open(report.kind, file, line, sink.text());
    fields(&report.facts, sink.text());
    fields(&report.value_facts(), sink.text());
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
    let label = root.map_or("", |root| &root.label);
    let mut facts = vec![("kind", "graph".into()), ("root", label.into())];
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
    let inside = diagnostic.inside.as_deref();
    facts.extend(inside.map(|it| ("inside", it.line.as_str().into())));
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
