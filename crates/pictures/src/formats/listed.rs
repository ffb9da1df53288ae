//! Writes a graph as text for programs that do the layout themselves: Graphviz, and Mermaid, which many note programs and
//! code hosts draw.
//!
//! Both get the same nodes and arrows. The ids come from the ids of the nodes (`n7`, and `n7op` for the operation that
//! computes node 7), so they do not change when other nodes are added.

use std::fmt::Write;

use crate::shapes::labels::FaceNumber;
use crate::shapes::palette::{self, Background, Color, Use};
use crate::shapes::{Ink, connections, labels, letters};
use chainrule_report::{Diagram, Flow, characters};
use chainrule_stop as stop;
use chainrule_style::{Style, number};

/// A value, or the operation that computes it.
struct ListedNode {
    id: String,
    /// The label, the words beside it if there are any, and the numbers; for an operation, its sign.
    lines: Vec<String>,
    is_operation: bool,
    ink: Ink,
}

/// An arrow, or in a network a wire.
struct ListedArrow {
    from: String,
    to: String,
    /// The number on it, or nothing.
    label: String,
}

/// The content of a file for Graphviz.
pub(crate) fn graphviz(diagram: &Diagram, style: &Style) -> String {
    let direction = match diagram.flow {
        Some(Flow::Down) => "TB",
        _ => "LR",
    };
    let head = match diagram.network {
        Some(_) => "none",
        None => "normal",
    };
    let [words, wire] = [Ink::Words, Ink::Wire].map(|ink| colors(ink)[1]);
    let mut out = format!(
        "digraph \"{}\" {{\n  \
         label=\"{}\"; labelloc=b; fontsize=11; fontname=\"monospace\";\n  \
         rankdir={direction}; nodesep=0.25; ranksep=0.4;\n  \
         node [fontname=\"monospace\", fontsize=12, fontcolor=\"{words}\", style=filled, height=0.4, width=0.3];\n  \
         edge [fontname=\"monospace\", fontsize=10, color=\"{wire}\", arrowhead={head}, arrowsize=0.7];\n\n",
        in_quotes(&labels::title(diagram)),
        in_quotes(&labels::caption(diagram, style)),
    );
    for node in nodes(diagram, style) {
        let shape = if node.is_operation {
            "ellipse, ordering=in"
        } else {
            "box"
        };
        let lines: Vec<String> = node.lines.iter().map(|line| in_quotes(line)).collect();
        let [fill, line] = colors(node.ink);
        let _ = writeln!(
            out,
            "  {} [label=\"{}\", shape={shape}, fillcolor=\"{fill}\", color=\"{line}\"];",
            node.id,
            lines.join("\\n")
        );
    }
    out.push('\n');
    for arrow in arrows(diagram, style) {
        let label = match &*arrow.label {
            "" => String::new(),
            label => format!(" [label=\"{}\"]", in_quotes(label)),
        };
        let _ = writeln!(out, "  {} -> {}{label};", arrow.from, arrow.to);
    }
    out.push_str("}\n");
    out
}

/// The content of a file for Mermaid.
pub(crate) fn mermaid(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::from(match diagram.flow {
        Some(Flow::Down) => "flowchart TD\n",
        _ => "flowchart LR\n",
    });
    let sign = match diagram.network {
        Some(_) => "---",
        None => "-->",
    };
    let nodes = nodes(diagram, style);
    for node in &nodes {
        let lines: Vec<String> = node.lines.iter().map(|line| entities(line)).collect();
        // A sign of one letter gets a circle, because its oval would be higher than wide.
        let (open, close) = match (node.is_operation, characters::width(&node.lines[0])) {
            (false, _) => ("[", "]"),
            (true, 1) => ("((", "))"),
            (true, _) => ("([", "])"),
        };
        let (label, class) = (lines.join("<br/>"), class(node.ink));
        let _ = writeln!(out, "  {}{open}\"{label}\"{close}:::{class}", node.id);
    }
    for arrow in arrows(diagram, style) {
        let label = match &*arrow.label {
            "" => String::new(),
            label => format!("|\"{}\"|", entities(label)),
        };
        let _ = writeln!(out, "  {} {sign}{label} {}", arrow.from, arrow.to);
    }
    let [_, words] = colors(Ink::Words);
    for ink in palette::all().filter(|&ink| nodes.iter().any(|node| node.ink == ink)) {
        let (class, [fill, line]) = (class(ink), colors(ink));
        let _ = writeln!(
            out,
            "  classDef {class} fill:{fill},stroke:{line},color:{words}"
        );
    }
    out
}

/// The nodes of a diagram: values, each before its operation.
fn nodes(diagram: &Diagram, style: &Style) -> Vec<ListedNode> {
    let faces = labels::faces(diagram, letters::LONGEST_LABEL, style);
    let mut nodes = Vec::new();
    for (vertex, face) in diagram.vertices.iter().zip(faces) {
        let words = Some(face.words).filter(|words| !words.is_empty());
        let number_line = |number: FaceNumber| {
            let line = format!("{} {}", number.name, number.text);
            line.trim_start().to_string()
        };
        let mut lines = vec![face.label];
        lines.extend(words);
        lines.extend(face.numbers.into_iter().map(number_line));
        nodes.push(ListedNode {
            id: format!("n{}", vertex.id),
            lines,
            is_operation: false,
            ink: face.ink,
        });
        nodes.extend(face.operation.map(|(sign, ink)| ListedNode {
            id: format!("n{}op", vertex.id),
            lines: vec![sign.to_string()],
            is_operation: true,
            ink,
        }));
    }
    nodes
}

/// The arrows of a diagram: from operands in their order to operations, and from operations to values. For a network, its
/// wires.
fn arrows(diagram: &Diagram, style: &Style) -> Vec<ListedArrow> {
    let id = |place: usize| format!("n{}", diagram.vertices[place].id);
    let mut arrows = Vec::new();
    for (place, vertex) in stop::with_checks(diagram.vertices.iter().enumerate()) {
        let operation = vertex.operation.map(|_| id(place) + "op");
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let wire = vertex.connections.wires.get(position);
            let on_wire = vertex.on_wires.get(position).into_iter().flatten().next();
            arrows.push(ListedArrow {
                from: id(operand),
                to: operation.clone().unwrap_or_else(|| id(place)),
                label: match (wire, on_wire) {
                    (Some(wire), _) => connections::wire_label(wire, style),
                    (None, Some(on_wire)) => number::short(on_wire.number),
                    (None, None) => String::new(),
                },
            });
        }
        arrows.extend(operation.map(|from| ListedArrow {
            from,
            to: id(place),
            label: String::new(),
        }));
    }
    arrows
}

/// The class of the nodes of an ink.
fn class(ink: Ink) -> &'static str {
    palette::name(ink, Use::Line).unwrap_or_default()
}

/// The colours of areas and of lines.
fn colors(ink: Ink) -> [Color; 2] {
    [Use::Fill, Use::Line].map(|used| palette::color(ink, used, Background::Light))
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

/// A label between quotation marks for Mermaid, which reads much text as markup: words such as `end`, brackets, lists,
/// emphasis. So all ASCII characters except letters, digits and blanks become entities.
fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in characters::clean(text).chars() {
        if c.is_alphanumeric() || c == ' ' || !c.is_ascii() {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}
