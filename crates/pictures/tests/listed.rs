//! Graphs as DOT and Mermaid, read back as lines: nodes, edges with the operands in order, and labels that no sign
//! breaks. Graphviz reads its files, where it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::common::svg;
use crate::common::{examples, graph_file, lecture, turn, with_numbers};
use chainrule_pictures::picture;
use chainrule_report::characters::width;
use chainrule_report::{Diagram, Flow, Kind, Picture};
use chainrule_style::Style;

/// The SVG that Graphviz makes of a file, if it is installed. It must not complain.
pub fn graphviz(dot: &str) -> Option<String> {
    let mut command = Command::new("dot");
    let piped = command
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let Ok(mut child) = piped.spawn() else {
        assert!(std::env::var_os("CI").is_none(), "graphviz is needed here");
        return None;
    };
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(dot.as_bytes()).expect("it reads all");
    drop(stdin);
    let ran = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8(ran.stdout), String::from_utf8(ran.stderr));
    assert_eq!(
        (ran.status.code(), err),
        (Some(0), Ok(String::new())),
        "{dot}"
    );
    Some(out.expect("SVG is text"))
}

/// The examples that have no numbers on their wires, and no direction.
fn plain() -> impl Iterator<Item = (String, Diagram)> {
    let examples = examples().into_iter().skip(1).step_by(6);
    examples.map(|example| (example.name, example.diagram))
}

/// A line without the text between quotation marks.
fn unquote(line: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), false, false);
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    assert!(!inside, "{line}: the quotation marks do not match");
    out
}

/// Checks that the arrows in a text are the edges of a diagram, with the operands in order.
fn check_arrows(name: &str, text: &str, sign: &str, diagram: &Diagram) {
    let mut read: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        // An arrow within a label is not an edge.
        if let Some((from, to)) = unquote(line).split_once(sign) {
            let word = |text: &str| {
                let letters = text.trim().chars();
                letters
                    .take_while(|c| c.is_alphanumeric())
                    .collect::<String>()
            };
            read.entry(word(to)).or_default().push(word(from));
        }
    }
    let mut wanted = BTreeMap::new();
    for vertex in diagram.vertices.iter().filter(|it| it.operation.is_some()) {
        let (own, operands) = (format!("n{}", vertex.id), vertex.operands.iter());
        let operands = operands.map(|at| format!("n{}", diagram.vertices[*at].id));
        wanted.insert(format!("{own}op"), operands.collect());
        wanted.insert(own.clone(), vec![format!("{own}op")]);
    }
    assert_eq!(read, wanted, "{name}");
}

/// Decodes escapes such as `#42;`, which is a star.
fn decode(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('#') {
        let (code, after) = after.split_once(';').expect("an escape ends");
        let code = code.parse().ok().and_then(char::from_u32);
        out.push_str(before);
        out.push(code.expect("an escape is a letter"));
        rest = after;
    }
    out + rest
}

/// The labels that are shown as they are: short ones, without signs that are spelled out.
fn whole_labels(diagram: &Diagram) -> impl Iterator<Item = (u32, &str)> {
    let whole = diagram.vertices.iter().filter(|vertex| {
        let label = &vertex.label;
        width(label) <= 24 && vertex.kind != Kind::Constant && !label.contains('\u{1b}')
    });
    whole.map(|vertex| (vertex.id, &*vertex.label))
}

#[test]
fn dot_has_the_edges() {
    for (name, diagram) in plain() {
        check_arrows(&name, &graph_file(&diagram, "dot"), "->", &diagram);
    }
    let dot = graph_file(&lecture(), "dot");
    assert!(
        dot.contains("n6 [label=\"a*b + c\\ndata 4\\ngrad -2\""),
        "{dot}"
    );
}

#[test]
fn graphviz_reads_dot() {
    for (name, diagram) in plain() {
        let Some(theirs) = graphviz(&graph_file(&diagram, "dot")) else {
            return;
        };
        let theirs = svg::parse(&theirs);
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let drawn = svg::words(theirs.root_element()).into_iter();
        let drawn: BTreeSet<String> = drawn
            .map(|text| squeeze(&text.replace('\u{a0}', " ")))
            .collect();
        for (_, label) in whole_labels(&diagram).filter(|(_, label)| !label.is_empty()) {
            assert!(
                drawn.contains(&squeeze(label)),
                "{name}: {label:?} is not in {drawn:?}"
            );
        }
    }
}

#[test]
fn mermaid_has_the_edges() {
    for (name, diagram) in plain() {
        let code = graph_file(&diagram, "mmd");
        check_arrows(&name, &code, "-->", &diagram);
        let mut labels = BTreeMap::new();
        for vertex in &diagram.vertices {
            let begin = format!("  n{}[\"", vertex.id);
            let line = code.lines().find_map(|line| line.strip_prefix(&*begin));
            let (label, _) = line
                .and_then(|line| line.split_once("\"]:::"))
                .expect("a node has a line");
            let label = label.split("<br/>").next().unwrap_or_default();
            let signs = [
                '"', '<', '>', '&', '*', '`', '[', ']', '{', '}', '\\', '|', ':',
            ];
            assert!(!label.contains(signs), "{name}: {label}");
            labels.insert(vertex.id, decode(label));
        }
        for (id, label) in whole_labels(&diagram) {
            assert_eq!(labels[&id], label, "{name}");
        }
    }
}

#[test]
fn both_are_told_the_way() {
    for (flow, dot, mermaid) in [
        (Some(Flow::Down), "TB", "TD"),
        (Some(Flow::Right), "LR", "LR"),
        (None, "LR", "LR"),
    ] {
        let diagram = turn(&lecture(), flow);
        assert!(graph_file(&diagram, "dot").contains(&format!("rankdir={dot};")));
        assert!(graph_file(&diagram, "mmd").starts_with(&format!("flowchart {mermaid}\n")));
    }
}

#[test]
fn numbers_on_wires_are_labels() {
    let diagram = with_numbers(lecture());
    let [dot, mermaid] = ["dot", "mmd"].map(|ending| graph_file(&diagram, ending));
    let id = |place: usize| diagram.vertices[place].id;
    for edge in diagram.edges() {
        let (from, to) = (id(edge.operand), edge.user);
        let on_wire = diagram.vertices[to].on_wires[edge.position].as_ref();
        let number = on_wire.expect("all have one").number;
        let [short, spelled] = match number {
            f64::INFINITY => ["inf".to_string(), "inf".to_string()],
            _ => [number.to_string(), number.to_string().replace('-', "#45;")],
        };
        let wire = format!("  n{from} -> n{}op [label=\"{short}\"];\n", id(to));
        assert!(dot.contains(&wire), "{wire}{dot}");
        let wire = format!(
            "  n{from} -->|\"{}\"| n{}op\n",
            spelled.replace('.', "#46;"),
            id(to)
        );
        assert!(mermaid.contains(&wire), "{wire}{mermaid}");
    }
    let [dot, mermaid] = ["dot", "mmd"].map(|ending| graph_file(&lecture(), ending));
    let mut arrows = dot.lines().filter(|line| line.contains(" -> "));
    assert!(arrows.all(|line| !line.contains("label")), "{dot}");
    assert!(!mermaid.contains("-->|"), "{mermaid}");
}

#[test]
fn an_unknown_ending_is_an_error() {
    let error = picture(&Picture::Graph(lecture()), "pdf", &Style::default());
    assert_eq!(
        error.expect_err("it is unknown"),
        "a graph has no picture that ends in `.pdf`"
    );
}
