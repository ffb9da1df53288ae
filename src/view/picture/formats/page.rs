//! A graph as a page that steps through its passes: one self-contained file.
//!
//! The template, style sheet and scripts of the page are in the folder `page`; the graph, its numbers and its
//! operations are put into them here as JavaScript.

use std::fmt::Write;

use super::svg;
use crate::report::{Diagram, Flow, Part, Program, Vertex};
use crate::view::Style;
use crate::view::picture::shapes::graph;
use crate::view::picture::shapes::palette::Inks;

const TEMPLATE: &str = include_str!("page/page.html");
const LOOKS: &str = include_str!("page/page.css");

/// The page's own script; the last part starts it.
const SCRIPTS: [&str; 7] = [
    include_str!("page/numbers.js"),
    include_str!("page/passes.js"),
    include_str!("page/words.js"),
    include_str!("page/picture.js"),
    include_str!("page/leaves.js"),
    include_str!("page/pointing.js"),
    include_str!("page/controls.js"),
];

/// The letters that every number has room for at least, since editing a leaf changes the numbers.
const ROOM: usize = 6;

/// The most letters of a label in the title of the window.
const TITLE: usize = 40;

/// The content of a file.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let flow = diagram.flow.unwrap_or(Flow::Right);
    let picture = svg::embedded(&graph::of_page(diagram, flow, ROOM, style));
    let way = match flow {
        Flow::Down => "down",
        Flow::Right => "right",
    };
    let none = Program::default();
    let program = diagram.program.as_ref().unwrap_or(&none);
    let root = diagram.vertices.first();
    let title = root.map_or_else(String::new, |root| {
        svg::escaped(&crate::view::picture::shapes::labels::short(
            &root.label,
            TITLE,
        ))
    });
    let (light, dark) = (svg::properties(Inks::Light), svg::properties(Inks::Dark));
    let looks = filled(LOOKS, &[("light", &light), ("dark", &dark)]);
    filled(
        TEMPLATE,
        &[
            ("title", &title),
            ("style", &looks),
            ("flow", way),
            ("picture", &picture),
            ("program", &source(diagram, program, style.table_digits)),
            ("script", &SCRIPTS.join("\n")),
        ],
    )
}

/// A template with its `{{names}}` replaced. Replacements are not searched for names.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(begin) = rest.find("{{") {
        let Some(end) = rest[begin..].find("}}") else {
            break;
        };
        let name = &rest[begin + 2..begin + end];
        out.push_str(&rest[..begin]);
        match parts.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => out.push_str(text),
            None => out.push_str(&rest[begin..begin + end + 2]),
        }
        rest = &rest[begin + end + 2..];
    }
    out.push_str(rest);
    out
}

/// The graph and its operations as source text.
fn source(diagram: &Diagram, program: &Program, digits: u8) -> String {
    let mut out = String::from("const operations = (() => {\n");
    if !program.library.is_empty() {
        let _ = writeln!(out, "{}\n", program.library);
    }
    out.push_str("return [\n");
    for operation in &program.operations {
        let [value, locals] =
            [&operation.value, &operation.locals].map(|text| text.as_deref().unwrap_or("null"));
        let name = literal(operation.name);
        let _ = writeln!(
            out,
            "  {{ name: {name}, value: {value}, locals: {locals} }},"
        );
    }
    let _ = write!(
        out,
        "];\n}})();\nconst graph = {{ digits: {}, forward: {}, made: {}, note: {}, nodes: [\n",
        digits.max(1),
        program.forward,
        program.made,
        literal(&program.note)
    );
    let plain = Part::default();
    for (place, vertex) in diagram.vertices.iter().enumerate() {
        node(vertex, program.parts.get(place).unwrap_or(&plain), &mut out);
    }
    out.push_str("] };");
    out
}

fn node(vertex: &Vertex, part: &Part, out: &mut String) {
    let _ = write!(
        out,
        "  {{ id: {}, label: {}, formula: {}, kind: {}, data: {}, varies: {}, fraction: {}, operation: {}, operands: {:?}, \
         formulas: [",
        vertex.id,
        literal(&vertex.label),
        literal(&vertex.formula),
        literal(vertex.kind.word()),
        number(vertex.data.unwrap_or(f64::NAN)),
        part.varies,
        literal(&part.fraction),
        part.operation
            .map_or_else(|| "null".to_string(), |place| place.to_string()),
        vertex.operands
    );
    for local in &part.locals {
        let _ = write!(
            out,
            "{{ formula: {}, number: {} }}, ",
            literal(&local.formula),
            number(local.number)
        );
    }
    out.push_str("] },\n");
}

/// A number that a script reads back to the bit.
fn number(x: f64) -> String {
    if x.is_nan() {
        "NaN".to_string()
    } else if x.is_infinite() {
        (if x > 0.0 { "Infinity" } else { "-Infinity" }).to_string()
    } else {
        format!("{x:?}")
    }
}

/// Text that ends neither its quotes, nor its line, nor the script it stands in.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let cases = [
            ("a*b", "\"a*b\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("</script>", "\"\\u003c/script\\u003e\""),
            ("<!--&'", "\"\\u003c!--\\u0026\\u0027\""),
            ("é\u{2028}\n\u{1b}", "\"é\\u2028\\u000a\\u001b\""),
        ];
        for (text, expected) in cases {
            assert_eq!(literal(text), expected, "{text}");
        }
        assert_eq!(number(-0.0), "-0.0");
        assert_eq!(number(1e300), "1e300");
        assert_eq!(number(f64::NEG_INFINITY), "-Infinity");
    }

    #[test]
    fn what_is_put_in_is_not_looked_through() {
        let parts = [("a", "{{b}}"), ("b", "c")];
        assert_eq!(filled("x{{a}}y{{b}}{{d}}{{", &parts), "x{{b}}yc{{d}}{{");
    }
}
