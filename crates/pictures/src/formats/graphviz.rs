//! Writes a graph as text for Graphviz, which does the layout itself.
//!
//! The ids come from the ids of the nodes (`n7`, and `n7op` for the operation that computes node 7), so they do not change
//! when other nodes are added.

use std::fmt::Write;

use crate::shapes::labels::FaceNumber;
use crate::shapes::palette::{self, Background, Use};
use crate::shapes::{Ink, connections, labels, letters};
use chainrule_report::{Diagram, Flow, characters};
use chainrule_stop as stop;
use chainrule_style::theme::hex_color;
use chainrule_style::{Style, number};

/// The content of a file for Graphviz.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let direction = match diagram.flow {
        Some(Flow::Down) => "TB",
        _ => "LR",
    };
    let head = match diagram.network {
        Some(_) => "none",
        None => "normal",
    };
    let [[_, words], [_, wire]] = [Ink::Words, Ink::Wire].map(colors);
    let mut out = format!(
        "digraph \"{}\" {{\n  \
         label=\"{}\"; labelloc=b; fontsize=11; fontname=\"monospace\";\n  \
         rankdir={direction}; nodesep=0.25; ranksep=0.4;\n  \
         node [fontname=\"monospace\", fontsize=12, fontcolor=\"{words}\", style=filled, height=0.4, width=0.3];\n  \
         edge [fontname=\"monospace\", fontsize=10, color=\"{wire}\", arrowhead={head}, arrowsize=0.7];\n\n",
        in_quotes(&labels::title(diagram)),
        in_quotes(&labels::caption(diagram, style)),
    );
    write_nodes(diagram, style, &mut out);
    out.push('\n');
    write_edges(diagram, style, &mut out);
    out.push_str("}\n");
    out
}

/// Writes the nodes: values, each before its operation.
fn write_nodes(diagram: &Diagram, style: &Style, out: &mut String) {
    let faces = labels::faces(diagram, letters::LONGEST_LABEL, style);
    for (vertex, face) in diagram.vertices.iter().zip(faces) {
        let words = Some(face.words).filter(|words| !words.is_empty());
        let number_line = |number: FaceNumber| {
            let line = format!("{} {}", number.name, number.text);
            line.trim_start().to_string()
        };
        let mut lines = vec![face.label];
        lines.extend(words);
        lines.extend(face.numbers.into_iter().map(number_line));
        let id = format!("n{}", vertex.id);
        write_node(&id, &lines.join("\n"), "box", face.ink, out);
        if let Some((sign, ink)) = face.operation {
            write_node(&(id + "op"), sign, "ellipse, ordering=in", ink, out);
        }
    }
}

fn write_node(id: &str, label: &str, shape: &str, ink: Ink, out: &mut String) {
    let label = in_quotes(label);
    let [fill, line] = colors(ink);
    let _ = writeln!(
        out,
        "  {id} [label=\"{label}\", shape={shape}, fillcolor=\"{fill}\", color=\"{line}\"];"
    );
}

/// Writes the edges: from operands in their order to operations, and from operations to values. For a network, its wires.
fn write_edges(diagram: &Diagram, style: &Style, out: &mut String) {
    for vertex in stop::with_checks(diagram.vertices.iter()) {
        let (id, has_operation) = (vertex.id, vertex.operation.is_some());
        let end = if has_operation { "op" } else { "" };
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let wire = vertex.connections.wires.get(position);
            let on_wire = vertex.on_wires.get(position).into_iter().flatten().next();
            let number = match (wire, on_wire) {
                (Some(wire), _) => connections::wire_label(wire, style),
                (None, Some(on_wire)) => number::short(on_wire.number),
                (None, None) => String::new(),
            };
            let label = match &*number {
                "" => String::new(),
                number => format!(" [label=\"{}\"]", in_quotes(number)),
            };
            let from = diagram.vertices[operand].id;
            let _ = writeln!(out, "  n{from} -> n{id}{end}{label};");
        }
        if has_operation {
            let _ = writeln!(out, "  n{id}op -> n{id};");
        }
    }
}

/// The colours of areas and of lines.
fn colors(ink: Ink) -> [String; 2] {
    [Use::Fill, Use::Line].map(|used| hex_color(palette::color(ink, used, Background::Light)))
}

/// A text between quotation marks for Graphviz, which reads `\n` and entities there.
fn in_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            c => characters::push_clean(c, &mut out),
        }
    }
    out
}
