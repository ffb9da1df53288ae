//! Writes a graph as a page that steps through its passes: one self-contained file.
//!
//! The template, the style sheet and the scripts of the page are in the folder `page`. This file adds the recorded stops as
//! JSON, with the words and numbers of the text view as HTML. The script is the same for all graphs, so a page that opens
//! this one can allow this script only.

use super::svg;
use crate::shapes::graph;
use crate::shapes::palette;
use chainrule_report::{Block, Diagram, Fact, Flow, PassStop, Passes, Vertex, characters};
use chainrule_style::theme::Theme;
use chainrule_style::{Style, facts, html, number};

const TEMPLATE: &str = include_str!("page/page.html");
const LOOKS: &str = include_str!("page/page.css");

/// The page's own script; the last part starts it.
const SCRIPTS: [&str; 5] = [
    include_str!("page/stops.js"),
    include_str!("page/words.js"),
    include_str!("page/picture.js"),
    include_str!("page/pointing.js"),
    include_str!("page/controls.js"),
];

/// The most columns of a label in the title of the window.
const TITLE: usize = 40;

/// The content of a file. A diagram without passes gives an empty page.
pub(crate) fn write(diagram: &Diagram, style: &Style) -> String {
    let Some(passes) = &diagram.passes else {
        return String::new();
    };
    let flow = diagram.flow.unwrap_or(Flow::Right);
    let rooms = rooms(diagram, passes, style);
    let picture = svg::element(&graph::of_page(diagram, flow, &rooms, style), style);
    let direction = match flow {
        Flow::Down => "down",
        Flow::Right => "right",
    };
    let [light, dark] = palette::backgrounds(style).map(svg::properties);
    let scheme = match style.is_always_dark {
        None => "light dark",
        Some(false) => "light",
        Some(true) => "dark",
    };
    let title = characters::shorten_middle(&diagram.vertices[0].label, TITLE);
    let rules = svg::color_rules();
    let colors = [
        ("light", &*light),
        ("dark", &*dark),
        ("rules", &*rules),
        ("scheme", scheme),
    ];
    let looks = fill_template(LOOKS, &colors);
    fill_template(
        TEMPLATE,
        &[
            ("title", &html::escape(&title)),
            ("scheme", scheme),
            ("style", &looks),
            ("flow", direction),
            ("picture", &picture),
            ("graph", &facts(diagram, passes, style)),
            ("script", &SCRIPTS.join("\n")),
        ],
    )
}

/// Replaces the `{{names}}` of a template, each of which is among `parts`. A replacement may contain text of the user,
/// so names in it stay.
fn fill_template(template: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = template.split("{{");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for (name, rest) in pieces.filter_map(|piece| piece.split_once("}}")) {
        let part = parts.iter().find(|(known, _)| *known == name);
        out.push_str(part.map_or("", |(_, text)| text));
        out.push_str(rest);
    }
    out
}

/// The room of the numbers of each box, in letters: a grad changes from stop to stop.
fn rooms(diagram: &Diagram, passes: &Passes, style: &Style) -> Vec<usize> {
    let mut rooms = vec![0; diagram.vertices.len()];
    for &(vertex, grad) in passes.backward.iter().flat_map(|stop| &stop.grads) {
        let length = number::text(grad, style.table_digits).len();
        rooms[vertex] = length.max(rooms[vertex]);
    }
    rooms
}

/// The nodes and the stops as JSON.
fn facts(diagram: &Diagram, passes: &Passes, style: &Style) -> String {
    let of_page = Style {
        theme: Some(Theme::Page),
        ..style.clone()
    };
    let mut note = String::new();
    if !passes.note.is_empty() {
        html::write_line("span", "", &passes.note, &of_page, &mut note);
    }
    let stops = |stops: &[PassStop]| {
        let facts = stops.iter().map(|stop| stop_fact(stop, diagram, &of_page));
        facts.collect::<Fact>()
    };
    let pass = if passes.is_forward {
        "forward"
    } else {
        "backward"
    };
    let facts = vec![
        ("pass", pass.into()),
        ("made", passes.made.into()),
        ("note", note.into()),
        ("nodes", diagram.vertices.iter().map(node_fact).collect()),
        ("backward", stops(&passes.backward)),
        ("forward", stops(&passes.forward)),
    ];
    let mut out = String::new();
    facts::write_fact(&facts.into(), &mut out);
    // Without this, a text of the user with `</script>` would end the script.
    out.replace('<', "\\u003c")
}

/// A node as JSON.
fn node_fact(vertex: &Vertex) -> Fact {
    let data = vertex.data.map(number::shortest);
    Fact::Record(vec![
        ("id", vertex.id.into()),
        ("label", vertex.label.as_str().into()),
        ("formula", vertex.formula.as_str().into()),
        ("kind", vertex.kind.word().into()),
        ("operation", vertex.operation.map(|(_, name)| name).into()),
        ("data", data.as_deref().into()),
    ])
}

/// A stop as JSON.
fn stop_fact(stop: &PassStop, diagram: &Diagram, style: &Style) -> Fact {
    let id = |vertex: usize| Fact::from(diagram.vertices[vertex].id);
    let mut facts = vec![
        ("node", stop.vertex.map(id).into()),
        ("said", stop_html(&stop.blocks, style).into()),
    ];
    if !stop.grads.is_empty() {
        // A node and its grad, with all digits as well if the text of a table has fewer.
        let grad_fact = |&(vertex, grad): &(usize, f64)| {
            let text = number::text(grad, style.table_digits);
            let exact = Some(number::shortest(grad)).filter(|exact| *exact != text);
            let texts = [text].into_iter().chain(exact).map(Fact::Text);
            std::iter::once(id(vertex)).chain(texts).collect::<Fact>()
        };
        facts.push(("grads", stop.grads.iter().map(grad_fact).collect()));
    }
    Fact::Record(facts)
}

/// The blocks of a stop as HTML.
fn stop_html(blocks: &[Block], style: &Style) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Line(line) => html::write_line("p", "", line, style, &mut out),
            Block::Table(table) => html::write_table(table, style, &mut out),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_replacement_stay() {
        let parts = [("a", "{{b}}"), ("b", "c")];
        assert_eq!(fill_template("x{{a}}y{{b}}", &parts), "x{{b}}yc");
    }
}
