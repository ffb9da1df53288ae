//! What tests of pictures use: diagrams and plots made by hand, and a reader of SVG.

pub mod builder;
pub mod plots;
pub mod svg;

use std::sync::LazyLock;

use builder::{Builder, network, random};
use chainrule_pictures::picture;
use chainrule_report::{Diagram, Flow, Kind, ListBox, OnWire, Picture, Plot, Stage};
use chainrule_style::Style;

/// The file of a graph in text.
pub fn graph_file(diagram: &Diagram) -> String {
    file(&Picture::Graph(diagram.clone()))
}

/// A graph on the terminal.
pub fn terminal_text(diagram: &Diagram, style: &Style) -> String {
    let mut out = String::new();
    chainrule_pictures::graph(diagram, style, &mut out);
    out
}

/// A window of this width.
pub fn wide(width: usize) -> Style {
    Style {
        width: Some(width),
        ..Style::default()
    }
}

/// A diagram that runs this way.
pub fn turn(diagram: &Diagram, flow: Option<Flow>) -> Diagram {
    Diagram {
        flow,
        ..diagram.clone()
    }
}

/// The SVG of a plot.
pub fn plot_file(plot: &Plot) -> String {
    file(&Picture::Plot(plot.clone()))
}

fn file(drawn: &Picture) -> String {
    let (svg, _) = picture(drawn, &Style::default()).expect("it can be drawn");
    svg
}

/// `L = (a*b + c)*f` of the lecture, with its grads.
pub fn lecture() -> Diagram {
    let mut graph = Builder::with_any_order(&["+", "*"]);
    let [a, b, c, f] = [("a", 2.0), ("b", -3.0), ("c", 10.0), ("f", -2.0)]
        .map(|(name, data)| graph.leaf(name, data));
    let product = graph.apply("a*b", "*", &[a, b], -6.0);
    let sum = graph.apply("a*b + c", "+", &[product, c], 4.0);
    graph.apply("L", "*", &[sum, f], -8.0);
    let mut diagram = graph.diagram();
    let grads = [1.0, -2.0, -2.0, 4.0, -2.0, -4.0, 6.0];
    for (vertex, grad) in diagram.vertices.iter_mut().zip(grads) {
        vertex.grad = Some(grad);
    }
    diagram.vertices[0].formula = "(a*b + c)*f".to_string();
    diagram
}

/// A number on each wire, of which some have no formula and some are not finite; there is none on each seventh.
pub fn with_numbers(mut diagram: Diagram) -> Diagram {
    let numbers = [-3.0, 1.0, 0.25, f64::INFINITY, -1e-9, 12_345.678, f64::NAN];
    let mut count = 0;
    for vertex in &mut diagram.vertices {
        let wires = vertex.operands.iter().enumerate().map(|(position, _)| {
            count += 1;
            (count % 7 != 0).then(|| OnWire {
                number: numbers[count / 2 % numbers.len()],
                name: format!("∂{}/∂{position}", vertex.id),
                formula: ["", "1 - y^2"][count % 2].to_string(),
            })
        });
        vertex.on_wires = wires.collect();
    }
    diagram
}

/// Labels that are long, wide, or written in the signs of some format, and numbers of all sizes.
pub fn odd_labels() -> Diagram {
    let mut graph = Builder::default();
    let long = graph.push(
        "a_name_of_forty_letters_abcdefghijklmnop",
        Kind::Constant,
        None,
        &[],
        1e300,
    );
    let wide = graph.leaf("数値", -0.0);
    let small = graph.push("größe", Kind::Frozen, None, &[], 5e-324);
    let signs = graph.leaf("<>&\"|{}[]()\\\\ #quot; end'", 0.0);
    let markup = graph.leaf("  1. *x* _y_ `z`  %% style: #a;'", 0.1);
    let literal = graph.push("0.1", Kind::Constant, None, &[], 0.1);
    let control = graph.leaf("e\u{301}\u{202e}\u{1b}[31mx", f64::NEG_INFINITY);
    let ln = graph.apply("ln(z - 1)", "ln", &[signs], f64::NAN);
    let most = graph.apply("max(数値, z, 3)", "max", &[wide, signs, long], 3.0);
    let atan = graph.apply("atan2(größe, 0.1)", "atan2", &[small, literal], 4.94e-323);
    let choice = graph.apply("if", "if", &[signs, markup, atan], 5.0);
    graph.apply("v/(w - 1)", "/", &[ln, most, choice, control], f64::NAN);
    let mut diagram = graph.diagram();
    for vertex in &mut diagram.vertices {
        vertex.is_first_not_finite = vertex.label.starts_with("ln");
    }
    diagram
}

/// A graph, and its SVG.
pub struct Example {
    pub name: String,
    pub diagram: Diagram,
    pub svg: &'static str,
}

/// Graphs of many shapes, each in three directions: six in a row, of which the first of each two has numbers on its wires.
/// They are drawn once for all tests.
pub fn examples() -> Vec<Example> {
    static DRAWN: LazyLock<Vec<String>> = LazyLock::new(|| {
        let diagrams = diagrams().into_iter();
        diagrams.map(|(_, diagram)| graph_file(&diagram)).collect()
    });
    let examples = diagrams().into_iter().zip(DRAWN.iter());
    let example = |((name, diagram), svg): ((String, Diagram), &'static String)| Example {
        name,
        diagram,
        svg,
    };
    examples.map(example).collect()
}

fn diagrams() -> Vec<(String, Diagram)> {
    let mut diagrams = Vec::new();
    for (name, graph) in graphs() {
        for flow in [None, Some(Flow::Right), Some(Flow::Down)] {
            let plain = turn(&graph, flow);
            for diagram in [with_numbers(plain.clone()), plain] {
                diagrams.push((format!("{name} {flow:?}"), diagram));
            }
        }
    }
    diagrams
}

/// Graphs that are short and long, wide and deep, in a walk, with a list.
fn graphs() -> Vec<(String, Diagram)> {
    let mut one = Builder::default();
    one.leaf("a", -0.0);
    let mut twice = Builder::default();
    let a = twice.leaf("a", 3.0);
    twice.apply("b", "-", &[a, a], 0.0);
    let mut chain = Builder::default();
    let mut y = chain.leaf("y", 0.5);
    for step in 0..40 {
        y = chain.apply(&format!("y@{step}"), "tanh", &[y], 0.25);
    }
    let mut sum = Builder::default();
    let mut total = sum.leaf("a0", 1.0);
    for term in 1..30 {
        let leaf = sum.leaf(&format!("a{term}"), 1.0);
        total = sum.apply("", "+", &[total, leaf], f64::from(term));
    }
    let mut five = Builder::default();
    let operands: Vec<usize> = (0..5).map(|at| five.leaf(&format!("a{at}"), 1.0)).collect();
    let most = five.apply("", "max", &operands, 1.0);
    five.apply("y", "*", &[most, operands[0]], 1.0);
    let mut list = lecture();
    list.vertices[4].list = Some(ListBox {
        count: 30,
        shape: "10 × 3".to_string(),
        data: Some((-1.5, 22.25)),
        grad: None,
    });
    let mut walk = random(5, 4, 12);
    let stages = [Stage::Done, Stage::Current, Stage::Coming];
    for (at, vertex) in walk.vertices.iter_mut().enumerate() {
        vertex.stage = Some(stages[at % 3]);
    }
    let mut graphs = vec![
        ("lecture".to_string(), lecture()),
        ("odd labels".to_string(), odd_labels()),
        ("one".to_string(), one.diagram()),
        ("twice".to_string(), twice.diagram()),
        ("chain".to_string(), chain.diagram()),
        ("sum".to_string(), sum.diagram()),
        ("five operands".to_string(), five.diagram()),
        ("list".to_string(), list),
        ("walk".to_string(), walk),
        ("network".to_string(), network(&[3, 4, 1])),
    ];
    graphs.extend((0..10).map(|seed| {
        let size = 3 + 3 * seed as usize;
        let graph = random(seed, 1 + seed as usize % 6, size);
        (format!("seed {seed}"), graph)
    }));
    graphs
}
