//! A graph for graphviz: records of label, data and grad from left to right, operations between them.
//!
//! Where things stand is graphviz's to find, so a graph may have any size; ids (`n7`, and `n7op` for the operation that
//! makes node 7) stay the same as long as the nodes do.

use std::fmt::Write;

use super::inks::{self, Theme, Use};
use super::letters;
use super::sayings;
use super::scene::Ink;
use crate::report::Diagram;
use crate::report::diagram::{Stage, Vertex};
use crate::view::Style;

/// The content of a file.
pub fn write(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::with_capacity(diagram.vertices.len() * 300 + 500);
    let line = |ink| inks::color(ink, Use::Line, Theme::Light);
    let _ = writeln!(
        out,
        "digraph \"{}\" {{",
        quoted(&sayings::title(diagram), false)
    );
    let caption = sayings::caption(diagram, style);
    if !caption.is_empty() {
        let _ = writeln!(
            out,
            "  label=\"{}\"; labelloc=b; fontsize=11; fontcolor=\"{}\";",
            quoted(&caption, false),
            line(Ink::Faint)
        );
    }
    let _ = writeln!(
        out,
        "  rankdir=LR; nodesep=0.25; ranksep=0.4; fontname=\"monospace\";\n  \
         node [shape=record, style=\"filled,rounded\", fontname=\"monospace\", fontsize=12, fontcolor=\"{}\", height=0.4];\n  \
         edge [color=\"{}\", arrowsize=0.7];",
        line(Ink::Words),
        line(Ink::Wire)
    );
    for (place, vertex) in diagram.vertices.iter().enumerate() {
        node(vertex, place == 0, style, &mut out);
        if let Some((sign, name)) = vertex.operation {
            operation(diagram, vertex, sign, name, &mut out);
        }
    }
    out.push_str("}\n");
    out
}

fn node(vertex: &Vertex, root: bool, style: &Style, out: &mut String) {
    let _ = write!(out, "  n{} [label=\"{{", vertex.id);
    let label = sayings::short(&vertex.label, letters::LONGEST_LABEL);
    let mut fields = vec![quoted(&label, true)];
    if let Some(word) = sayings::word(vertex.kind) {
        fields[0].push_str("\\n");
        fields[0].push_str(word);
    }
    for (name, number) in sayings::numbers(vertex, style) {
        fields.push(if name.is_empty() {
            number
        } else {
            format!("{name} {number}")
        });
    }
    out.push_str(&fields.join(" | "));
    let _ = write!(
        out,
        "}}\", tooltip=\"{}\"",
        quoted(&sayings::tip(vertex), false)
    );
    let ink = sayings::ink(vertex, root);
    let _ = write!(
        out,
        ", fillcolor=\"{}\", color=\"{}\"",
        inks::color(ink, Use::Fill, Theme::Light),
        inks::color(ink, Use::Line, Theme::Light)
    );
    match vertex.stage {
        Some(Stage::Coming) => out.push_str(", style=\"filled,rounded,dashed\""),
        Some(Stage::Current) => out.push_str(", penwidth=2"),
        _ if root => out.push_str(", penwidth=2"),
        _ => {}
    }
    out.push_str("];\n");
}

/// The operation that makes a node, with an edge from each operand, and one to the node.
fn operation(diagram: &Diagram, vertex: &Vertex, sign: &str, name: &str, out: &mut String) {
    let id = vertex.id;
    let _ = write!(
        out,
        "  n{id}op [label=\"{}\", shape=ellipse, style=\"filled\", ordering=in, margin=0.05, width=0.45, \
         fillcolor=\"{}\", color=\"{}\", tooltip=\"{}\"",
        quoted(sign, false),
        inks::color(Ink::Operation, Use::Fill, Theme::Light),
        inks::color(Ink::Operation, Use::Line, Theme::Light),
        quoted(name, false)
    );
    out.push_str("];\n");
    for &operand in &vertex.operands {
        let _ = writeln!(out, "  n{} -> n{id}op;", diagram.vertices[operand].id);
    }
    let _ = writeln!(out, "  n{id}op -> n{id};");
}

/// A text between quotation marks, where graphviz knows `\n` and entities; in a record it also knows fields.
fn quoted(text: &str, record: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut blank = false;
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '{' | '}' | '|' | '<' | '>' if record => {
                out.push('\\');
                out.push(c);
            }
            // Records run blanks together.
            ' ' if record && blank => out.push_str("\\ "),
            c => crate::view::characters::push(c, &mut out),
        }
        blank = c == ' ';
    }
    out
}
