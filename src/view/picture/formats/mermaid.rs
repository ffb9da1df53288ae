//! A graph for Mermaid, a language that many note programs and code hosts draw: a flowchart.
//!
//! Much text is markup to Mermaid (words like `end`, brackets, lists, emphasis), so a label keeps letters and blanks
//! and spells the rest as entities.

use std::fmt::Write;

use super::listed::{ListedNode, arrows, colors, nodes};
use crate::report::{Diagram, Flow};
use crate::view::picture::shapes::palette::{self, Use};
use crate::view::picture::shapes::{Ink, labels};
use crate::view::{Style, characters};

/// The content of a file.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::from(match diagram.flow {
        Some(Flow::Down) => "flowchart TD\n",
        _ => "flowchart LR\n",
    });
    let (nodes, arrows) = (nodes(diagram, style), arrows(diagram, style));
    for node in &nodes {
        let lines: Vec<String> = node.lines.iter().map(|line| entities(line)).collect();
        // A pill of one letter would be higher than wide.
        let (open, close) = match (node.is_operation, characters::width(&node.lines[0])) {
            (false, _) => ("[", "]"),
            (true, 1) => ("((", "))"),
            (true, _) => ("([", "])"),
        };
        let _ = writeln!(out, "  {}{open}\"{}\"{close}", node.id, lines.join("<br/>"));
    }
    for (number, arrow) in arrows.iter().enumerate() {
        let sign = if arrow.wire.is_some() { "---" } else { "-->" };
        let label = match &*arrow.label {
            "" => String::new(),
            label => format!("|\"{}\"|", entities(label)),
        };
        let _ = writeln!(out, "  {} {sign}{label} {}", arrow.from, arrow.to);
        if let Some((ink, width, dashed)) = arrow.wire {
            let [_, line] = colors(ink);
            let dashes = if dashed { DASHES } else { "" };
            let _ = writeln!(
                out,
                "  linkStyle {number} stroke:{line},stroke-width:{width:.1}px{dashes}"
            );
        }
    }
    for ink in palette::all() {
        classed(ink, &nodes, &mut out);
    }
    out
}

const DASHES: &str = ",stroke-dasharray:4 3";

/// What an ink looks like, and the nodes that have it.
fn classed(ink: Ink, nodes: &[ListedNode], out: &mut String) {
    let nodes = nodes.iter().filter(|node| node.ink == ink);
    let ids: Vec<&str> = nodes.map(|node| node.id.as_str()).collect();
    if ids.is_empty() {
        return;
    }
    let class = palette::name(ink, Use::Line);
    let width = if labels::is_heavy(ink) {
        ",stroke-width:2px"
    } else {
        ""
    };
    let dashes = if ink == Ink::Coming { DASHES } else { "" };
    let ([fill, line], [_, words]) = (colors(ink), colors(Ink::Words));
    let _ = writeln!(
        out,
        "  classDef {class} fill:{fill},stroke:{line},color:{words}{width}{dashes}"
    );
    for ids in ids.chunks(20) {
        let _ = writeln!(out, "  class {} {class}", ids.join(","));
    }
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
