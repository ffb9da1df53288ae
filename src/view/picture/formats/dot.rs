//! A graph for graphviz: records of label, data and grad from left to right, operations between them.
//!
//! Graphviz does the layout, so a graph may have any size. Ids (`n7`, and `n7op` for the operation that makes node 7)
//! stay the same as long as the nodes do.

use std::fmt::Write;

use crate::report::{Diagram, Flow, Kind, Network, Stage, Vertex};
use crate::stop;
use crate::view::picture::shapes::palette::{Inks, Use};
use crate::view::picture::shapes::{Ink, connections, labels, letters, palette};
use crate::view::{Style, characters, number};

/// The content of a file.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::with_capacity(diagram.vertices.len() * 300 + 500);
    let line = |ink| palette::color(ink, Use::Line, Inks::Light);
    let _ = writeln!(
        out,
        "digraph \"{}\" {{",
        quoted(&labels::title(diagram), false)
    );
    let caption = labels::caption(diagram, style);
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
        "  rankdir={}; nodesep=0.25; ranksep=0.4; fontname=\"monospace\";\n  \
         node [fontname=\"monospace\", fontsize=12, fontcolor=\"{}\", height=0.4, width=0.3];\n  \
         edge [color=\"{}\", arrowsize=0.7, fontname=\"monospace\"];\n\n  \
         node [shape=record, style=\"filled,rounded\"];",
        match diagram.flow {
            Some(Flow::Down) => "TB",
            _ => "LR",
        },
        line(Ink::Words),
        line(Ink::Wire)
    );
    let grads = diagram.has_grads();
    for (place, vertex) in stop::asking(diagram.vertices.iter().enumerate()) {
        node(vertex, (place == 0, grads), style, &mut out);
    }
    let _ = writeln!(
        out,
        "\n  node [shape=ellipse, style=filled, ordering=in, width=0.45, fillcolor=\"{}\", color=\"{}\"];",
        palette::color(Ink::Operation, Use::Fill, Inks::Light),
        line(Ink::Operation)
    );
    for vertex in stop::asking(diagram.vertices.iter()) {
        operation(vertex, &mut out);
    }
    out.push('\n');
    if let Some(network) = diagram.network {
        wires(diagram, network, style, &mut out);
    }
    let made = (diagram.vertices.iter()).filter(|vertex| vertex.operation.is_some());
    for vertex in stop::asking(made) {
        let id = vertex.id;
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let _ = write!(out, "  n{} -> n{id}op", diagram.vertices[operand].id);
            if let Some(Some(on_wire)) = vertex.on_wires.get(position) {
                let tip = quoted(&labels::on_wire(on_wire, style.table_digits), false);
                let number = number::terse(on_wire.number);
                let ink = palette::color(labels::on_wire_ink(on_wire), Use::Line, Inks::Light);
                let _ = write!(
                    out,
                    " [label=\"{number}\", fontsize=10, fontcolor=\"{ink}\", edgetooltip=\"{tip}\", \
                     labeltooltip=\"{tip}\"]"
                );
            }
            out.push_str(";\n");
        }
        let _ = writeln!(out, "  n{id}op -> n{id};");
    }
    out.push_str("}\n");
    out
}

fn node(vertex: &Vertex, (root, grads): (bool, bool), style: &Style, out: &mut String) {
    let _ = write!(out, "  n{} [label=\"{{ ", vertex.id);
    let label = labels::label(vertex, letters::LONGEST_LABEL, style);
    let mut fields = vec![quoted(&label, true)];
    let words = labels::words(vertex);
    if !words.is_empty() {
        fields[0].push_str("\\n");
        fields[0].push_str(&words);
    }
    for (name, number) in labels::numbers(vertex, grads, style.table_digits) {
        fields.push(if name.is_empty() {
            number
        } else {
            format!("{name} {number}")
        });
    }
    out.push_str(&fields.join(" | "));
    let _ = write!(
        out,
        " }}\", tooltip=\"{}\"",
        quoted(&labels::tip(vertex, style.table_digits), false)
    );
    looks(labels::ink(vertex, root), out);
    if vertex.kind == Kind::Constant {
        out.push_str(", fontsize=10, height=0.3");
    }
    match vertex.stage {
        Some(Stage::Coming) => out.push_str(", style=\"filled,rounded,dashed\""),
        Some(Stage::Current) => out.push_str(", penwidth=2"),
        _ if root || vertex.first => out.push_str(", penwidth=2"),
        _ => {}
    }
    out.push_str("];\n");
}

/// The wires of a network, with their weights.
fn wires(diagram: &Diagram, network: Network, style: &Style, out: &mut String) {
    for (to, position, wire) in stop::asking(connections::wires(diagram)) {
        let vertex = &diagram.vertices[to];
        let ink = connections::ink(wire, network);
        let color = palette::color(ink, Use::Line, Inks::Light);
        let tip = connections::tip(diagram, to, position, (number::EXACT, style.table_digits));
        let _ = write!(
            out,
            "  n{} -> n{} [arrowhead=none, penwidth={:.1}, color=\"{color}\", fontcolor=\"{color}\", tooltip=\"{}\"",
            diagram.vertices[vertex.operands[position]].id,
            vertex.id,
            connections::width(wire, network),
            quoted(&tip, false)
        );
        if connections::stroke(wire, network).dashed {
            out.push_str(", style=dashed");
        }
        let text = connections::text(wire, network, style);
        if !text.is_empty() {
            let _ = write!(out, ", label=\"{text}\", fontsize=10");
        }
        out.push_str("];\n");
    }
}

/// The operation that makes a node, in an oval of its own.
fn operation(vertex: &Vertex, out: &mut String) {
    let Some((sign, name)) = vertex.operation else {
        return;
    };
    let _ = write!(
        out,
        "  n{}op [label=\"{}\", tooltip=\"{}\"",
        vertex.id,
        quoted(sign, false),
        quoted(name, false)
    );
    let ink = labels::operation_ink(vertex);
    if ink != Ink::Operation {
        looks(ink, out);
    }
    if ink == Ink::Coming {
        out.push_str(", style=\"filled,dashed\"");
    }
    out.push_str("];\n");
}

fn looks(ink: Ink, out: &mut String) {
    let _ = write!(
        out,
        ", fillcolor=\"{}\", color=\"{}\"",
        palette::color(ink, Use::Fill, Inks::Light),
        palette::color(ink, Use::Line, Inks::Light)
    );
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
            // A record merges successive blanks.
            ' ' if record && blank => out.push_str("\\ "),
            c => characters::push(c, &mut out),
        }
        blank = c == ' ';
    }
    out
}
