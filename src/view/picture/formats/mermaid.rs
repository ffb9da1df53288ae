//! A graph for Mermaid, a language that many note programs and code hosts draw: a flowchart.
//!
//! Much text is markup to Mermaid (words like `end`, brackets, lists, emphasis), so a label keeps letters and blanks
//! and spells the rest as entities.

use std::fmt::Write;

use crate::report::{Diagram, Flow, Network, Vertex};
use crate::stop;
use crate::view::picture::shapes::palette::{Inks, Use};
use crate::view::picture::shapes::{Ink, connections, labels, letters, palette};
use crate::view::{Style, characters, number};

/// Mermaid draws no more edges than this unless its settings are changed.
const MOST_EDGES: usize = 500;

/// The content of a file.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::with_capacity(diagram.vertices.len() * 120 + 500);
    out.push_str(match diagram.flow {
        Some(Flow::Down) => "flowchart TD\n",
        _ => "flowchart LR\n",
    });
    let _ = writeln!(out, "  %% {}", comment(&labels::title(diagram)));
    let caption = labels::caption(diagram, style);
    if !caption.is_empty() {
        let _ = writeln!(out, "  %% {}", comment(&caption));
    }
    let edges: usize = diagram
        .vertices
        .iter()
        .map(|vertex| vertex.operands.len() + usize::from(vertex.operation.is_some()))
        .sum();
    if edges > MOST_EDGES {
        let _ = writeln!(
            out,
            "  %% {edges} edges: Mermaid draws {MOST_EDGES} unless `maxEdges` (and `maxTextSize`) are raised"
        );
    }
    let mut classes: Vec<(&str, Vec<String>)> = Vec::new();
    let mut belongs = |class: &'static str, id: String| match classes
        .iter_mut()
        .find(|(known, _)| *known == class)
    {
        Some((_, ids)) => ids.push(id),
        None => classes.push((class, vec![id])),
    };
    let grads = diagram.has_grads();
    for (place, vertex) in stop::asking(diagram.vertices.iter().enumerate()) {
        let id = vertex.id;
        let ink = labels::ink(vertex, place == 0);
        belongs(palette::name(ink, Use::Line), format!("n{id}"));
        let _ = writeln!(out, "  n{id}[\"{}\"]", words(vertex, grads, style));
        if let Some((sign, _)) = vertex.operation {
            let ink = labels::operation_ink(vertex);
            belongs(palette::name(ink, Use::Line), format!("n{id}op"));
            // A pill of one letter would be higher than wide.
            let (open, close) = match characters::width(sign) {
                1 => ("((", "))"),
                _ => ("([", "])"),
            };
            let sign = entities(sign);
            let _ = writeln!(out, "  n{id}op{open}\"{sign}\"{close} --> n{id}");
        }
    }
    if let Some(network) = diagram.network {
        wires(diagram, network, style, &mut out);
    }
    let made = (diagram.vertices.iter()).filter(|vertex| vertex.operation.is_some());
    for vertex in stop::asking(made) {
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let number = match vertex.on_wires.get(position) {
                Some(Some(on_wire)) => {
                    format!("|\"{}\"|", entities(&number::terse(on_wire.number)))
                }
                _ => String::new(),
            };
            let from = diagram.vertices[operand].id;
            let _ = writeln!(out, "  n{from} -->{number} n{}op", vertex.id);
        }
    }
    for (class, ids) in &classes {
        looks(class, &mut out);
        for ids in ids.chunks(20) {
            let _ = writeln!(out, "  class {} {class}", ids.join(","));
        }
    }
    out
}

/// The wires of a network, with their weights; they are styled by their numbers.
fn wires(diagram: &Diagram, network: Network, style: &Style, out: &mut String) {
    let mut looks = String::new();
    for (number, (to, position, wire)) in stop::asking(connections::wires(diagram).enumerate()) {
        let vertex = &diagram.vertices[to];
        let from = diagram.vertices[vertex.operands[position]].id;
        let text = connections::text(wire, network, style);
        let _ = match &*text {
            "" => writeln!(out, "  n{from} --- n{}", vertex.id),
            text => writeln!(
                out,
                "  n{from} -- \"{}\" --- n{}",
                entities(text),
                vertex.id
            ),
        };
        let color = palette::color(connections::ink(wire, network), Use::Line, Inks::Light);
        let width = connections::width(wire, network);
        let _ = writeln!(
            looks,
            "  linkStyle {number} stroke:{color},stroke-width:{width:.1}px"
        );
    }
    out.push_str(&looks);
}

/// What stands in a node: three lines, or one for a constant.
fn words(vertex: &Vertex, grads: bool, style: &Style) -> String {
    let label = labels::label(vertex, letters::LONGEST_LABEL, style);
    let mut out = entities(&label);
    let words = labels::words(vertex);
    if !words.is_empty() {
        let _ = write!(out, "<br/>{words}");
    }
    for (name, number) in labels::numbers(vertex, grads, style.table_digits) {
        let gap = if name.is_empty() { "" } else { " " };
        let _ = write!(out, "<br/>{name}{gap}{number}");
    }
    out
}

fn looks(class: &str, out: &mut String) {
    let Some(ink) = palette::all().find(|ink| palette::name(*ink, Use::Line) == class) else {
        return;
    };
    let dashes = if ink == Ink::Coming {
        ",stroke-dasharray:4 3"
    } else {
        ""
    };
    let width = if matches!(ink, Ink::Root | Ink::NotFinite | Ink::Current) {
        ",stroke-width:2px"
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "  classDef {class} fill:{},stroke:{},color:{}{width}{dashes}",
        palette::color(ink, Use::Fill, Inks::Light),
        palette::color(ink, Use::Line, Inks::Light),
        palette::color(Ink::Words, Use::Line, Inks::Light)
    );
}

/// A label between quotation marks.
fn entities(text: &str) -> String {
    let clean = characters::clean(text, false);
    // What does not begin with a letter may begin a list or a heading.
    let letter = clean.starts_with(char::is_alphabetic);
    let mut out = String::with_capacity(clean.len() + 8);
    let mut chars = clean.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        // Between letters an underscore is one; at the edge of a word it would be emphasis.
        let joins = before.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        before = c;
        let plain = c.is_alphanumeric()
            || c == '_' && joins
            || c == ' '
            || !c.is_ascii()
            || letter && matches!(c, '+' | '-' | '/' | '=' | '.' | ',' | '(' | ')');
        if plain {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}

/// A comment ends with its line, and braces in it would be a directive.
fn comment(text: &str) -> String {
    characters::clean(text, false)
        .chars()
        .map(|c| match c {
            '{' => '(',
            '}' => ')',
            c => c,
        })
        .collect()
}
