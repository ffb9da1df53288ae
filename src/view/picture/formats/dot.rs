//! A graph for graphviz: records of label, data and grad from left to right, operations between them.
//!
//! Graphviz does the layout, so a graph may have any size.

use std::fmt::Write;

use super::listed::{ListedArrow, ListedNode, arrows, colors, nodes};
use crate::report::{Diagram, Flow};
use crate::view::picture::shapes::{Ink, labels};
use crate::view::{Style, characters};

/// The content of a file.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let way = match diagram.flow {
        Some(Flow::Down) => "TB",
        _ => "LR",
    };
    let [words, wire] = [Ink::Words, Ink::Wire].map(|ink| colors(ink)[1]);
    let mut out = format!(
        "digraph \"{}\" {{\n  \
         label=\"{}\"; labelloc=b; fontsize=11; fontname=\"monospace\";\n  \
         rankdir={way}; nodesep=0.25; ranksep=0.4;\n  \
         node [fontname=\"monospace\", fontsize=12, fontcolor=\"{words}\", height=0.4, width=0.3];\n  \
         edge [color=\"{wire}\", arrowsize=0.7, fontname=\"monospace\", fontsize=10];\n\n",
        quoted(&labels::title(diagram), false),
        quoted(&labels::caption(diagram, style), false),
    );
    for node in nodes(diagram, style) {
        write_node(&node, &mut out);
    }
    out.push('\n');
    for arrow in arrows(diagram, style) {
        write_arrow(&arrow, &mut out);
    }
    out.push_str("}\n");
    out
}

fn write_node(node: &ListedNode, out: &mut String) {
    let fields = node
        .lines
        .iter()
        .map(|line| quoted(line, !node.is_operation));
    let label = fields.collect::<Vec<_>>().join(" | ");
    let (label, shape, look) = if node.is_operation {
        (label, "ellipse, ordering=in", "filled")
    } else {
        (format!("{{ {label} }}"), "record", "filled,rounded")
    };
    let dashed = if node.ink == Ink::Coming {
        ",dashed"
    } else {
        ""
    };
    let heavy = if labels::is_heavy(node.ink) {
        ", penwidth=2"
    } else {
        ""
    };
    let [fill, line] = colors(node.ink);
    let _ = writeln!(
        out,
        "  {} [label=\"{label}\", shape={shape}, style=\"{look}{dashed}\", fillcolor=\"{fill}\", color=\"{line}\"{heavy}];",
        node.id
    );
}

fn write_arrow(arrow: &ListedArrow, out: &mut String) {
    let _ = write!(out, "  {} -> {}", arrow.from, arrow.to);
    let mut looks = Vec::new();
    if !arrow.label.is_empty() {
        looks.push(format!("label=\"{}\"", arrow.label));
    }
    if let Some((ink, width, dashed)) = arrow.wire {
        let [_, line] = colors(ink);
        looks.push(format!(
            "arrowhead=none, penwidth={width:.1}, color=\"{line}\", fontcolor=\"{line}\""
        ));
        looks.extend(dashed.then(|| "style=dashed".to_string()));
    }
    if !looks.is_empty() {
        let _ = write!(out, " [{}]", looks.join(", "));
    }
    out.push_str(";\n");
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
