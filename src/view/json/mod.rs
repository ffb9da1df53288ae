//! JSON output: reports, notes and errors as one object per line, with all digits of numbers.
//!
//! JSON is written by hand because key order, negative zero and non-finite numbers need their own rules, and nothing is
//! parsed. Lines and code blocks are for people only; programs get the same information from the facts.

mod curves;
pub(crate) mod tree;
mod values;

use std::fmt::Write;

use super::visible_span::VisibleSpan;
use super::{AnswerSink, StatementPlace, number};
use crate::diagnostic::Diagnostic;
use crate::report::{
    Audience, Block, Cell, Column, Connection, Diagram, Fact, Note, Piece, Report, Table, Vertex,
    Weight,
};
use crate::stop;

use self::values::{push_count, push_flag, push_key, push_list, push_text_field, push_value};
pub(super) use self::values::{push_number, push_text};

/// Writes the answer to a statement and its notes.
pub fn report(report: &Report, notes: &[Note], file: &str, line: usize, sink: &mut dyn AnswerSink) {
    let out = sink.text();
    open(report.kind, file, line, out);
    for (key, value) in &report.facts {
        push_key(key, out);
        push_fact(value, out);
    }
    for block in &report.blocks {
        let out = sink.text();
        match block {
            // A table without a key is for people only.
            Block::Table(table) if !table.key.is_empty() => {
                push_key(table.key, out);
                push_table(table, sink);
            }
            Block::Tree(tree) => tree::write(tree, false, out),
            Block::Graph(diagram) => graph(diagram, out),
            Block::Plot(plot) => curves::write(plot, out),
            Block::Map(map) => curves::map(map, out),
            Block::Table(_)
            | Block::Line(_)
            | Block::List { .. }
            | Block::Prose(_)
            | Block::Code(_) => {}
        }
    }
    close_with_notes(notes, sink.text());
}

/// Writes the nodes, and the edges as `[operand, user, position]`, where operand and user are ids.
fn graph(diagram: &Diagram, out: &mut String) {
    push_key("nodes", out);
    push_list(&diagram.vertices, out, vertex);
    push_key("edges", out);
    let edges: Vec<_> = stop::asking(diagram.edges()).collect();
    push_list(&edges, out, |&edge, out| push_edge(diagram, edge, out));
}

/// The same object as a file, with one node or edge per line.
pub(super) fn graph_file(diagram: &Diagram) -> String {
    let mut out = String::from("{\"kind\":\"graph\"");
    push_key("root", &mut out);
    let root = diagram.vertices.first();
    push_text(root.map_or("", |root| &root.label), &mut out);
    out.push_str(",\n\"nodes\":[");
    for (place, each) in stop::asking(diagram.vertices.iter().enumerate()) {
        out.push_str(if place > 0 { ",\n" } else { "\n" });
        vertex(each, &mut out);
    }
    out.push_str("\n],\n\"edges\":[");
    for (place, edge) in stop::asking(diagram.edges().enumerate()) {
        out.push_str(if place > 0 { ",\n" } else { "\n" });
        push_edge(diagram, edge, &mut out);
    }
    out.push_str("\n]}\n");
    out
}

fn vertex(vertex: &Vertex, out: &mut String) {
    let _ = write!(out, "{{\"id\":{}", vertex.id);
    push_text_field("label", &vertex.label, out);
    push_text_field("expression", &vertex.formula, out);
    push_text_field("op", vertex.operation.map_or("", |(sign, _)| sign), out);
    for (key, number) in [("data", vertex.data), ("grad", vertex.grad)] {
        push_key(key, out);
        push_known(number, out);
    }
    let _ = write!(out, ",\"level\":{}", vertex.level);
    push_text_field("what", vertex.kind.word(), out);
    push_biases(vertex, out);
    if let Some(stage) = vertex.stage {
        push_text_field("stage", stage.word(), out);
    }
    if vertex.first {
        push_key("first", out);
        push_flag(true, out);
    }
    if vertex.on_wires.iter().any(Option::is_some) {
        push_key("wires", out);
        push_list(&vertex.on_wires, out, |on_wire, out| match on_wire {
            None => out.push_str("null"),
            Some(on_wire) => {
                out.push_str("{\"name\":");
                push_text(&on_wire.name, out);
                push_text_field("formula", &on_wire.formula, out);
                push_key("number", out);
                push_number(on_wire.number, out);
                out.push('}');
            }
        });
    }
    out.push('}');
}

/// A number, or `null` if it is not known.
fn push_known(number: Option<f64>, out: &mut String) {
    match number {
        Some(number) => push_number(number, out),
        None => out.push_str("null"),
    }
}

/// An edge as `[operand, user, position]`, in a network as an object with its weight.
fn push_edge(diagram: &Diagram, (from, to, position): (usize, usize, usize), out: &mut String) {
    let id = |place: usize| u64::from(diagram.vertices[place].id);
    if let Some(wire) = diagram.vertices[to].connections.wires.get(position) {
        return push_wire(wire, [id(from), id(to)], out);
    }
    push_list(&[id(from), id(to), position as u64], out, |&number, out| {
        push_count(number, out);
    });
}

/// A wire of a network, between two nodes with these ids. What stands for several leaves has the smallest and the largest
/// of their numbers.
fn push_wire(wire: &Connection, [from, to]: [u64; 2], out: &mut String) {
    let _ = write!(out, "{{\"from\":{from},\"to\":{to}");
    push_key("paths", out);
    push_count(wire.paths, out);
    push_key("several", out);
    push_flag(wire.several, out);
    push_key("weight", out);
    match &wire.weight {
        Some(weight) => push_weight(weight, out),
        None => out.push_str("null"),
    }
    out.push('}');
}

/// The biases of a box, if it has any.
fn push_biases(vertex: &Vertex, out: &mut String) {
    let biases = &vertex.connections.biases;
    if !biases.is_empty() {
        push_key("biases", out);
        push_list(biases, out, push_weight);
    }
}

fn push_weight(weight: &Weight, out: &mut String) {
    out.push_str("{\"count\":");
    push_count(weight.count as u64, out);
    push_text_field("label", &weight.label, out);
    for (key, range) in [("data", Some(weight.data)), ("grad", weight.grad)] {
        push_key(key, out);
        match range {
            Some((least, most)) if weight.count > 1 => {
                push_list(&[least, most], out, |&number, out| push_number(number, out));
            }
            Some((only, _)) => push_number(only, out),
            None => out.push_str("null"),
        }
    }
    out.push('}');
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
    // What was run instead has no lines and columns, so the whole statement is the place.
    let span = translated.map(|it| &it.from).or(diagnostic.span.as_ref());
    let (line, column, length) = match (place, span) {
        (Some(place), Some(span)) => {
            let spot = VisibleSpan::find(place.text, span);
            (
                place.line + spot.row,
                spot.column(place.text),
                spot.length(place.text),
            )
        }
        (Some(place), None) => {
            let first = place.text.lines().next().unwrap_or_default();
            (line, 1, first.chars().count().max(1))
        }
        (None, _) => (line, 1, 1),
    };
    open("error", file, line, out);
    let _ = write!(out, ",\"column\":{column},\"length\":{length},\"message\":");
    push_text(&diagnostic.message, out);
    push_key("help", out);
    match &diagnostic.help {
        Some(help) => push_text(help, out),
        None => out.push_str("null"),
    }
    if let Some(translated) = translated {
        push_text_field("translated", &translated.line, out);
    }
    for (key, number) in &diagnostic.numbers {
        push_key(key, out);
        push_number(*number, out);
    }
    out.push_str("}\n");
}

fn open(kind: &str, file: &str, line: usize, out: &mut String) {
    out.push_str("{\"kind\":");
    push_text(kind, out);
    push_text_field("file", file, out);
    let _ = write!(out, ",\"line\":{line}");
}

fn close_with_notes(notes: &[Note], out: &mut String) {
    push_key("notes", out);
    push_list(notes, out, |note, out| {
        push_text(&sentence(&note.message), out);
    });
    out.push_str("}\n");
}

/// The text of a line without colours, with all digits of numbers.
fn sentence(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Number(value)
            | Piece::Short(value)
            | Piece::Apart(value, _)
            | Piece::Rounded(value, _) => {
                number::write(*value, number::EXACT, &mut out);
            }
            // The numbers of the sparkline are in the facts.
            words => out.push_str(words.words()),
        }
    }
    out
}

fn push_table(table: &Table, sink: &mut dyn AnswerSink) {
    let key = |column: &Column| {
        let mut key = String::new();
        if column.audience != Audience::People && !column.key.is_empty() {
            push_key(column.key, &mut key);
        }
        key
    };
    let keys: Vec<String> = table.columns.iter().map(key).collect();
    sink.text().push('[');
    for (count, row) in stop::asking(table.rows.each().enumerate()) {
        sink.row_ends();
        let out = sink.text();
        out.push_str(if count > 0 { ",{" } else { "{" });
        let mut begin = 1;
        for (key, cell) in keys.iter().zip(row.iter()) {
            if !key.is_empty() && !matches!(*cell, Cell::Empty) {
                // No comma before the first.
                out.push_str(&key[std::mem::take(&mut begin)..]);
                push_cell(cell, out);
            }
        }
        out.push('}');
    }
    sink.text().push(']');
}

fn push_cell(cell: &Cell, out: &mut String) {
    match cell {
        Cell::Empty | Cell::Missing | Cell::Bar(..) => out.push_str("null"),
        Cell::Name(text) | Cell::Formula(text) | Cell::Text(text) | Cell::Dim(text) => {
            push_text(text, out);
        }
        Cell::Number(value) | Cell::First(value) | Cell::Apart(value, _) | Cell::Share(value) => {
            push_number(*value, out);
        }
        // Programs get two columns or a row for each item instead. If one gets here nevertheless, both numbers are
        // written.
        Cell::Change(before, after) | Cell::Range(before, after) => {
            push_list(&[*before, *after], out, |value, out| {
                push_number(*value, out);
            });
        }
        Cell::Count(count) => push_count(*count, out),
        Cell::Flag(flag) => push_flag(*flag, out),
        Cell::Counts(counts) => push_list(counts, out, |count, out| push_count(*count, out)),
        Cell::Names(names) => push_list(names, out, |name, out| push_text(name, out)),
    }
}

/// A fact may be nested as deeply as a graph (`:tree`), so this uses a stack instead of recursion.
fn push_fact(fact: &Fact, out: &mut String) {
    enum Open<'f> {
        List(std::slice::Iter<'f, Fact>),
        Record(std::slice::Iter<'f, (&'static str, Fact)>),
    }
    let mut stack = Vec::new();
    let mut next = Some(fact);
    for turn in 0.. {
        stop::ask(turn);
        if let Some(fact) = next.take() {
            match fact {
                Fact::Null => out.push_str("null"),
                Fact::Flag(flag) => push_flag(*flag, out),
                Fact::Number(value) => push_number(*value, out),
                Fact::Value(value) => push_value(value, out),
                Fact::Count(count) => push_count(*count, out),
                Fact::Text(text) => push_text(text, out),
                Fact::Sentence(line) => push_text(&sentence(line), out),
                Fact::Numbers(values) => {
                    push_list(values.as_slice(), out, |&value, out| {
                        push_number(value, out);
                    });
                }
                Fact::List(facts) => {
                    out.push('[');
                    stack.push((Open::List(facts.iter()), true));
                }
                Fact::Record(facts) => {
                    out.push('{');
                    stack.push((Open::Record(facts.iter()), true));
                }
            }
        }
        let Some((open, first)) = stack.last_mut() else {
            return;
        };
        let step = match open {
            Open::List(rest) => rest.next().map(|fact| (None, fact)),
            Open::Record(rest) => rest.next().map(|(key, fact)| (Some(*key), fact)),
        };
        let Some((key, fact)) = step else {
            out.push(if matches!(open, Open::List(_)) {
                ']'
            } else {
                '}'
            });
            stack.pop();
            continue;
        };
        if !std::mem::take(first) {
            out.push(',');
        }
        if let Some(key) = key {
            push_text(key, out);
            out.push(':');
        }
        next = Some(fact);
    }
}
