//! A graph as a page that steps through its passes: one self-contained file.
//!
//! The template, style sheet and scripts of the page are in the folder `page`; the graph and its numbers are put into them
//! here as JSON. So the script is the same for all graphs, and a page that opens this one can allow just this script.

use super::svg;
use crate::report::{Diagram, Facts, Flow};
use crate::view::picture::shapes::graph;
use crate::view::picture::shapes::palette::Inks;
use crate::view::{Style, json};

const TEMPLATE: &str = include_str!("page/page.html");
const LOOKS: &str = include_str!("page/page.css");

/// The page's own script; the last part starts it.
const SCRIPTS: [&str; 8] = [
    include_str!("page/operations.js"),
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
    let program = diagram.program.clone().unwrap_or_default();
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
            ("graph", &graph_of(program, style.table_digits)),
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

/// The graph as JSON.
fn graph_of(mut facts: Facts, digits: u8) -> String {
    facts.push(("digits", u32::from(digits.max(1)).into()));
    let mut out = String::new();
    json::write_fact(&facts.into(), 0, &mut out);
    // No text ends the script it stands in.
    out.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_through() {
        let parts = [("a", "{{b}}"), ("b", "c")];
        assert_eq!(filled("x{{a}}y{{b}}{{d}}{{", &parts), "x{{b}}yc{{d}}{{");
    }
}
