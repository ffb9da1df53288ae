//! The network view: colours, widths and words of wires are those of the weights, in SVG, DOT and on a terminal.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::builder::Builder;
use crate::common::svg::{self, Area};
use crate::common::{graph_file, terminal_text, turn, wide};
use chainrule_report::{
    Connection, Connections, Diagram, DiagramEdge, Flow, Kind, Network, Vertex, Weight,
};

/// Layers of boxes, the inputs first; a neuron has a wire from each box of the layer before. The weight of a wire comes
/// from its place: layer, neuron, operand.
fn perceptron(layers: &[usize], weight: impl Fn(usize, usize, usize) -> Option<Weight>) -> Diagram {
    let mut graph = Builder::default();
    let (mut before, mut connections) = (Vec::new(), Vec::new());
    for (layer, &size) in layers.iter().enumerate() {
        let neuron = |neuron: usize| {
            let wire = |at| Connection {
                weight: weight(layer, neuron, at),
                has_several_factors: false,
            };
            let bias = (layer > 0).then(|| plain_weight(&format!("b{layer}{neuron}"), 0.3));
            connections.push(Connections {
                wires: (0..before.len()).map(wire).collect(),
                biases: bias.into_iter().collect(),
            });
            let (name, data) = (
                format!("n{layer}_{neuron}"),
                10_f64.powi(neuron as i32) / 8.0,
            );
            graph.push(&name, Kind::Computed, None, &before, data)
        };
        before = (0..size).map(neuron).collect();
    }
    let mut diagram = graph.diagram();
    for (vertex, connections) in diagram.vertices.iter_mut().rev().zip(connections) {
        vertex.is_commutative = true;
        vertex.connections = connections;
    }
    let ends = diagram.wires().filter_map(Connection::weight_range);
    let ends = ends.flat_map(|(least, most)| [least.abs(), most.abs()]);
    diagram.network = Some(Network {
        nodes: 61,
        wires: diagram.wires().count(),
        largest: ends.fold(0.0, f64::max),
    });
    diagram
}

fn plain_weight(label: &str, data: f64) -> Weight {
    Weight {
        label: label.to_string(),
        count: 1,
        data: (data, data),
        grad: Some((data / 4.0, data / 4.0)),
    }
}

/// 3 inputs, 4 hidden neurons and an output, with weights of both signs, none of them 0.
fn lecture() -> Diagram {
    perceptron(&[3, 4, 1], |layer, neuron, at| {
        let data = f64::from(3 * ((7 * layer + 3 * neuron + 5 * at) % 9) as i32 - 11) / 10.0;
        Some(plain_weight(&format!("w{layer}{neuron}{at}"), data))
    })
}

/// Operand, user and weight of each wire.
fn wires(diagram: &Diagram) -> Vec<(&Vertex, &Vertex, &Weight)> {
    let edges = diagram.edges();
    let wire = |edge: DiagramEdge| {
        let user = &diagram.vertices[edge.user];
        let weight = user.connections.wires[edge.position].weight.as_ref();
        (
            &diagram.vertices[edge.operand],
            user,
            weight.expect("all wires have weights"),
        )
    };
    edges.map(wire).collect()
}

#[test]
fn colours_and_widths_are_those_of_the_weights() {
    let diagram = lecture();
    let text = graph_file(&diagram);
    let svg = svg::parse(&text);
    let edges = svg::groups(&svg, "edge").into_iter();
    let edges: BTreeMap<&str, _> = edges.map(|edge| (svg::tip(edge), edge)).collect();
    assert_eq!(edges.len(), 16);
    let mut colors: BTreeMap<bool, BTreeSet<&str>> = BTreeMap::new();
    let mut seen: Vec<(f64, f64)> = Vec::new();
    for (from, to, weight) in wires(&diagram) {
        let (data, grad) = (weight.data.0, weight.data.0 / 4.0);
        let tip = format!(
            "{} → {}: {} = {data}, grad {grad}",
            from.label, to.label, weight.label
        );
        let edge = edges
            .get(&*tip)
            .unwrap_or_else(|| panic!("{tip}: {edges:?}"));
        let sign = if data > 0.0 {
            "edge positive"
        } else {
            "edge negative"
        };
        assert_eq!(edge.attribute("class"), Some(sign), "{tip}");
        let path = svg::all(*edge, "path")[0];
        colors
            .entry(data > 0.0)
            .or_default()
            .extend(path.attribute("stroke"));
        seen.push((data.abs(), svg::number(path, "stroke-width")));
    }
    assert!(
        colors.values().all(|colors| colors.len() == 1),
        "{colors:?}"
    );
    assert_ne!(colors[&true], colors[&false]);
    // The larger, the wider, on one straight line from a width that can be seen to the largest.
    seen.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ((smallest, narrowest), (largest, widest)) = (seen[0], seen[seen.len() - 1]);
    let slope = (widest - narrowest) / (largest - smallest);
    for (data, width) in &seen {
        let line = narrowest + (data - smallest) * slope;
        assert!((width - line).abs() < 0.06, "{data}: {width}, not {line}");
    }
    assert!(
        narrowest >= 0.8 && widest <= 7.0 && slope > 1.0,
        "{narrowest}, {widest}"
    );
    let words = svg::words(svg.root_element());
    let caption = format!("width: |w| up to {largest}");
    for wanted in ["w > 0", "w < 0", &caption] {
        assert!(words.contains(&wanted), "{wanted}: {words:?}");
    }
    assert!(text.contains("bias b13 = 0.3"), "{text}");
}

/// A wire begins at the right side of its operand's box and ends at the left side of its user's. The boxes of a column are
/// equally wide; otherwise wires that end close together would lie on each other before a narrow one.
#[test]
fn wires_end_at_boxes() {
    let diagram = turn(&lecture(), Some(Flow::Right));
    let text = graph_file(&diagram);
    let svg = svg::parse(&text);
    let boxes = svg::groups(&svg, "node").into_iter();
    let boxes: BTreeMap<&str, Area> = boxes.map(|it| (svg::key(it), svg::outline(it))).collect();
    let mut columns: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for (key, one) in &boxes {
        assert!(
            boxes
                .iter()
                .all(|(other, area)| other == key || one.is_apart(*area, 0.0)),
            "{key}"
        );
        columns
            .entry((one.left * 100.0) as i64)
            .or_default()
            .insert((one.width() * 100.0) as i64);
    }
    assert_eq!((boxes.len(), columns.len()), (8, 3), "{columns:?}");
    assert!(
        columns.values().all(|widths| widths.len() == 1),
        "{columns:?}"
    );
    for edge in svg::groups(&svg, "edge") {
        let key: Vec<&str> = svg::key(edge).split('-').collect();
        let (line, _) = svg::wire(&svg, edge);
        let (from, to) = (boxes[key[0]], boxes[key[1]]);
        let ((left, top), (right, bottom)) = (line[0], line[line.len() - 1]);
        assert!(
            (left - from.right).abs() < 0.2 && (right - to.left).abs() < 0.2,
            "{key:?}"
        );
        assert!(
            (from.top..=from.bottom).contains(&top) && (to.top..=to.bottom).contains(&bottom),
            "{key:?}"
        );
    }
}

#[test]
fn few_wires_have_their_weights_written_on_them() {
    let few = perceptron(&[2, 1], |_, _, at| Some(plain_weight("w", [-3.0, 1.0][at])));
    let written = |diagram: &Diagram| {
        let text = graph_file(diagram);
        let svg = svg::parse(&text);
        let texts = svg::all(svg.root(), "text").into_iter();
        let texts = texts.filter(|text| {
            text.attribute("class")
                .is_some_and(|it| it.contains("weight"))
        });
        let mut texts: Vec<String> = texts
            .filter_map(|text| Some(text.text()?.to_string()))
            .collect();
        texts.sort();
        texts
    };
    for flow in [None, Some(Flow::Right), Some(Flow::Down)] {
        assert_eq!(written(&turn(&few, flow)), ["-3", "1"], "{flow:?}");
    }
    // 16 would be too many.
    assert_eq!(written(&lecture()), [""; 0]);
}

/// A wire without a weight, and one whose weights have both signs, are grey; the legend has a sample for each.
#[test]
fn grey_wires_are_told_apart() {
    let both = Weight {
        count: 9,
        data: (-3.0, 4.0),
        ..plain_weight("W", 0.0)
    };
    let diagram = perceptron(&[2, 1], |_, _, at| Some(both.clone()).filter(|_| at == 0));
    let text = graph_file(&diagram);
    let svg = svg::parse(&text);
    let legend = svg::groups(&svg, "legend")[0];
    assert_eq!(svg::words(legend), ["of both signs", "no weight"]);
    let dashes = svg::all(legend, "path")
        .into_iter()
        .map(|it| it.has_attribute("stroke-dasharray"));
    assert_eq!(dashes.collect::<Vec<_>>(), [false, true]);
    assert!(
        text.contains("<title>n0_0 → n1_0: W (9) = -3 … 4, grad 0<"),
        "{text}"
    );
}

#[test]
fn the_terminal_writes_signs_on_wires() {
    for flow in [None, Some(Flow::Down)] {
        let diagram = turn(&lecture(), flow);
        for width in [30, 40, 60, 80, 160] {
            let out = terminal_text(&diagram, &wide(width));
            let longest = out.lines().map(|line| line.chars().count()).max();
            assert!(longest.unwrap_or(0) <= width, "{width}:\n{out}");
            if width < 80 || flow.is_some() {
                continue;
            }
            for (sign, is_positive) in [(" + ", true), (" - ", false)] {
                let alike = wires(&diagram)
                    .into_iter()
                    .filter(|(.., it)| (it.data.0 > 0.0) == is_positive);
                assert_eq!(out.matches(sign).count(), alike.count(), "{sign}:\n{out}");
            }
            for vertex in &diagram.vertices {
                assert_eq!(
                    out.matches(&format!("╭ {} ", vertex.label)).count(),
                    1,
                    "{out}"
                );
            }
        }
    }
}
