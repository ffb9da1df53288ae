//! Graphs as DOT, read back as lines: nodes and edges with the operands in order. Graphviz reads the files, where it is
//! installed.

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
pub fn drawing(dot: &str) -> Option<String> {
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
fn check_arrows(name: &str, text: &str, diagram: &Diagram) {
    let mut read: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        // An arrow within a label is not an edge.
        if let Some((from, to)) = unquote(line).split_once("->") {
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
        check_arrows(&name, &graph_file(&diagram, "dot"), &diagram);
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
        let Some(theirs) = drawing(&graph_file(&diagram, "dot")) else {
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
fn graphviz_is_told_the_way() {
    for (flow, way) in [
        (Some(Flow::Down), "TB"),
        (Some(Flow::Right), "LR"),
        (None, "LR"),
    ] {
        let diagram = turn(&lecture(), flow);
        assert!(graph_file(&diagram, "dot").contains(&format!("rankdir={way};")));
    }
}

#[test]
fn numbers_on_wires_are_labels() {
    let diagram = with_numbers(lecture());
    let dot = graph_file(&diagram, "dot");
    let id = |place: usize| diagram.vertices[place].id;
    for edge in diagram.edges() {
        let (from, to) = (id(edge.operand), edge.user);
        let on_wire = diagram.vertices[to].on_wires[edge.position].as_ref();
        let short = match on_wire.expect("all have one").number {
            f64::INFINITY => "inf".to_string(),
            number => number.to_string(),
        };
        let wire = format!("  n{from} -> n{}op [label=\"{short}\"];\n", id(to));
        assert!(dot.contains(&wire), "{wire}{dot}");
    }
    let dot = graph_file(&lecture(), "dot");
    let mut arrows = dot.lines().filter(|line| line.contains(" -> "));
    assert!(arrows.all(|line| !line.contains("label")), "{dot}");
}

#[test]
fn an_unknown_ending_is_an_error() {
    let error = picture(&Picture::Graph(lecture()), "pdf", &Style::default());
    assert_eq!(
        error.expect_err("it is unknown"),
        "a graph has no picture that ends in `.pdf`"
    );
}
