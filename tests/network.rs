//! The network view, `:graph T named`: which boxes and wires it has, and that colours, widths and numbers are those of
//! the weights in the session.
//!
//! Pictures are read back as XML, as lines of dot and Mermaid, and as JSON; weights come from the session's answers.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::common::{Desk, number};
use crate::pictures::points;
use chainrule_view::Style;
use roxmltree::{Document, Node};
use serde_json::Value;

/// The lecture's MLP with 3 inputs, 4 hidden neurons and 1 output, name by name, and as lists.
const SCALARS: &[&str] = &[
    "const x1, x2, x3 = 2, 3, -1",
    "w11, w12, w13, b1 = 0.5, -0.3, 0.8, 0.1",
    "w21, w22, w23, b2 = -0.6, 0.2, 0.4, -0.2",
    "w31, w32, w33, b3 = 0.9, -1.2, 0.1, 0.3",
    "w41, w42, w43, b4 = 0.15, 0.35, -0.7, 0",
    "v1, v2, v3, v4, c = 0.7, -0.4, 1.1, -0.9, 0.05",
    "n1 = tanh(w11*x1 + w12*x2 + w13*x3 + b1)",
    "n2 = tanh(w21*x1 + w22*x2 + w23*x3 + b2)",
    "n3 = tanh(w31*x1 + w32*x2 + w33*x3 + b3)",
    "n4 = tanh(w41*x1 + w42*x2 + w43*x3 + b4)",
    "o = tanh(v1*n1 + v2*n2 + v3*n3 + v4*n4 + c)",
];
const LISTS: &[&str] = &[
    "const x = [2, 3, -1]",
    "W = [[0.5, -0.3, 0.8], [-0.6, 0.2, 0.4], [0.9, -1.2, 0.1], [0.15, 0.35, -0.7]]",
    "b = [0.1, -0.2, 0.3, 0]",
    "v, c = [0.7, -0.4, 1.1, -0.9], 0.05",
    "h = [tanh(dot(W[j], x) + b[j]) for j in 1..4]",
    "o = tanh(dot(v, h) + c)",
];

/// Every wire of [`SCALARS`]: operand, user, weight.
fn wires_of_scalars() -> Vec<(String, String, String)> {
    let name = |letter: char, number: usize| format!("{letter}{number}");
    let hidden = (1..=4).flat_map(|to| {
        (1..=3).map(move |from| (name('x', from), name('n', to), format!("w{to}{from}")))
    });
    let last = (1..=4).map(|from| (name('n', from), "o".to_string(), name('v', from)));
    hidden.chain(last).collect()
}

/// The same of [`LISTS`].
fn wires_of_lists() -> Vec<(String, String, String)> {
    let name = |list: char, place: usize| format!("{list}[{place}]");
    let hidden = (1..=4).flat_map(|to| {
        (1..=3).map(move |from| (name('x', from), name('h', to), format!("W[{to}][{from}]")))
    });
    let last = (1..=4).map(|from| (name('h', from), "o".to_string(), name('v', from)));
    hidden.chain(last).collect()
}

fn drawn(desk: &mut Desk, line: &str) -> String {
    String::from_utf8(desk.drawn(line, &Style::default())).unwrap()
}

/// The labels of the boxes in JSON by their ids.
fn boxes(graph: &Value) -> BTreeMap<u64, String> {
    let nodes = graph["nodes"].as_array().unwrap().iter();
    let known = |node: &Value| {
        let label = node["label"].as_str().unwrap().to_string();
        (node["id"].as_u64().unwrap(), label)
    };
    nodes.map(known).collect()
}

/// Operand, user, and the wire itself.
fn wires(graph: &Value) -> Vec<(String, String, &Value)> {
    let boxes = boxes(graph);
    let edges = graph["edges"].as_array().unwrap().iter();
    let end = |edge: &Value, key: &str| boxes[&edge[key].as_u64().unwrap()].clone();
    edges
        .map(|edge| (end(edge, "from"), end(edge, "to"), edge))
        .collect()
}

/// Operand, user and weight of every wire; an empty text for a wire without one.
fn named(graph: &Value) -> BTreeSet<(String, String, String)> {
    let weight = |wire: &Value| wire["weight"]["label"].as_str().unwrap_or("").to_string();
    let wires = wires(graph).into_iter();
    wires
        .map(|(from, to, wire)| (from, to, weight(wire)))
        .collect()
}

fn network(desk: &mut Desk, words: &str) -> Value {
    desk.line(&format!(":graph {words}")).pop().unwrap()
}

fn texts(pairs: &[(&str, &str, &str)]) -> BTreeSet<(String, String, String)> {
    let pairs = pairs.iter();
    pairs
        .map(|&(from, to, weight)| (from.into(), to.into(), weight.into()))
        .collect()
}

#[test]
fn both_spellings_are_the_same_network() {
    for (lines, nodes, expected) in [
        (SCALARS, 61, wires_of_scalars()),
        (LISTS, 55, wires_of_lists()),
    ] {
        let mut desk = Desk::with(lines);
        desk.line(":grad o;");
        let graph = network(&mut desk, "o named");
        assert_eq!(boxes(&graph).len(), 8);
        assert_eq!(named(&graph), expected.iter().cloned().collect());
        for (_, _, wire) in wires(&graph) {
            let weight = wire["weight"]["label"].as_str().unwrap();
            assert_eq!(
                number(&wire["weight"]["data"]),
                desk.value(weight),
                "{weight}"
            );
        }
        for (_, _, wire) in wires(&graph) {
            let weight = wire["weight"]["label"].as_str().unwrap();
            assert_eq!(
                number(&wire["weight"]["grad"]),
                desk.value(&format!("{weight}.grad")),
                "{weight}"
            );
        }
        let said = desk.screen(":graph o named");
        assert!(
            said.contains(&format!("8 boxes of {nodes} nodes")),
            "{said}"
        );
    }
}

/// The class, the key, the tip, the colour and the width of each wire of an SVG.
fn strokes<'a>(svg: &'a Document) -> Vec<(Node<'a, 'a>, String, String, f64)> {
    let groups = svg.descendants().filter(|node| {
        let class = node.attribute("class").unwrap_or_default();
        node.has_tag_name(("http://www.w3.org/2000/svg", "g")) && class.starts_with("edge")
    });
    let stroke = |group: Node<'a, 'a>| {
        let find = |name: &str| {
            group
                .children()
                .find(|child| child.tag_name().name() == name)
        };
        let (title, path) = (find("title").unwrap(), find("path").unwrap());
        let width = path.attribute("stroke-width").unwrap().parse().unwrap();
        let color = path.attribute("stroke").unwrap().to_string();
        (group, title.text().unwrap().to_string(), color, width)
    };
    groups.map(stroke).collect()
}

#[test]
fn colours_and_widths_are_those_of_the_weights() {
    let mut desk = Desk::with(SCALARS);
    desk.line(":grad o;");
    let svg = drawn(&mut desk, ":graph o net.svg named");
    let svg = Document::parse(&svg).unwrap();
    let strokes = strokes(&svg);
    assert_eq!(strokes.len(), 16);
    let mut seen: Vec<(f64, f64)> = Vec::new();
    let mut colors: BTreeMap<bool, BTreeSet<String>> = BTreeMap::new();
    for (from, to, weight) in wires_of_scalars() {
        let begin = format!("{from} → {to}: {weight} = ");
        let found = strokes.iter().find(|(_, tip, ..)| tip.starts_with(&begin));
        let (group, tip, color, width) = found.unwrap_or_else(|| panic!("{begin}"));
        let (data, grad) = (desk.value(&weight), desk.grad(&weight));
        // The weight as it was given, the grad with the digits of a label.
        let told = tip.strip_prefix(&format!("{begin}{data}, grad "));
        let told = told.unwrap_or_else(|| panic!("{tip}"));
        let near = told.parse::<f64>().unwrap();
        assert!((near - grad).abs() < 1e-5 * grad.abs(), "{tip}: {grad}");
        assert!(told.trim_start_matches(['-', '0', '.']).len() <= 6, "{tip}");
        let shown = data;
        let class = if shown > 0.0 {
            "edge positive"
        } else {
            "edge negative"
        };
        assert_eq!(group.attribute("class"), Some(class), "{tip}");
        colors.entry(shown > 0.0).or_default().insert(color.clone());
        seen.push((shown.abs(), *width));
    }
    assert!(
        colors.values().all(|colors| colors.len() == 1),
        "{colors:?}"
    );
    assert_ne!(colors[&true], colors[&false]);
    // The larger, the wider, on one straight line from a width that can be seen to the largest.
    seen.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (largest, widest) = *seen.last().unwrap();
    let (smallest, narrowest) = seen[0];
    let slope = (widest - narrowest) / (largest - smallest);
    for (shown, width) in &seen {
        let line = narrowest + (shown - smallest) * slope;
        assert!((width - line).abs() < 0.06, "{shown}: {width}, not {line}");
    }
    assert!(narrowest >= 0.8 && widest <= 7.0, "{narrowest}, {widest}");
    let words: Vec<&str> = svg.descendants().filter_map(|node| node.text()).collect();
    for wanted in ["w > 0", "w < 0"] {
        assert!(words.contains(&wanted), "{wanted}: {words:?}");
    }
    let text = words
        .iter()
        .find_map(|text| text.split("width: |w| up to ").nth(1))
        .unwrap();
    let said: f64 = text.parse().unwrap();
    assert!((said - largest).abs() < 1e-6 * largest, "{said} {largest}");
}

/// A wire begins at the right side of its operand's box and ends at the left side of its user's, and no box covers
/// another.
#[test]
fn wires_end_at_boxes() {
    let mut desk = Desk::with(SCALARS);
    let svg = drawn(&mut desk, ":graph o net.svg named");
    let svg = Document::parse(&svg).unwrap();
    let number = |node: Node, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let mut sides: BTreeMap<String, [f64; 4]> = BTreeMap::new();
    for node in svg.descendants() {
        let class = node.attribute("class").unwrap_or_default();
        if class.starts_with("node ") {
            let rect = node.children().find(|child| child.has_tag_name("rect"));
            let rect = rect.or_else(|| node.children().find(|it| it.tag_name().name() == "rect"));
            let sides_of = ["x", "y", "width", "height"].map(|name| number(rect.unwrap(), name));
            sides.insert(node.attribute("data-key").unwrap().to_string(), sides_of);
        }
    }
    assert_eq!(sides.len(), 8);
    let all: Vec<[f64; 4]> = sides.values().copied().collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let apart = (0..2).any(|side| {
                one[side] + one[side + 2] <= other[side]
                    || other[side] + other[side + 2] <= one[side]
            });
            assert!(apart, "{one:?} {other:?}");
        }
    }
    for (group, tip, ..) in strokes(&svg) {
        let key: Vec<&str> = group.attribute("data-key").unwrap().split('-').collect();
        let path = group
            .children()
            .find(|child| child.tag_name().name() == "path")
            .unwrap();
        let line = points(path.attribute("d").unwrap());
        let ((left, top), (right, _)) = (line[0], line[line.len() - 1]);
        let (from, to) = (sides[key[0]], sides[key[1]]);
        assert!((left - from[0] - from[2]).abs() < 0.2, "{tip}");
        assert!((right - to[0]).abs() < 0.2, "{tip}: {line:?} {to:?}");
        assert!((from[1]..=from[1] + from[3]).contains(&top), "{tip}");
    }
}

#[test]
fn few_wires_have_their_weights_written_on_them() {
    let neuron = [
        "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.88",
        "o = tanh(x1*w1 + x2*w2 + b)",
    ];
    let mut desk = Desk::with(&neuron);
    let written = |svg: &str| {
        let svg = Document::parse(svg).unwrap();
        let texts = svg.descendants().filter(|node| {
            let class = node.attribute("class").unwrap_or_default();
            class.split(' ').any(|part| part == "weight")
        });
        texts
            .map(|node| node.text().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    for words in ["named", "right named", "down named"] {
        let svg = drawn(&mut desk, &format!(":graph o net.svg {words}"));
        assert_eq!(written(&svg), ["-3", "1"], "{words}");
    }
    // The 16 of the MLP would be too many.
    let mut desk = Desk::with(SCALARS);
    assert_eq!(
        written(&drawn(&mut desk, ":graph o net.svg named")),
        [""; 0]
    );
}

#[test]
fn biases_are_told_in_the_boxes() {
    let mut desk = Desk::with(SCALARS);
    let graph = network(&mut desk, "o named");
    let nodes = graph["nodes"].as_array().unwrap();
    let mut biases = BTreeMap::new();
    for node in nodes {
        for bias in node["biases"].as_array().into_iter().flatten() {
            let label = bias["label"].as_str().unwrap();
            assert_eq!(number(&bias["data"]), desk.value(label));
            biases.insert(node["label"].as_str().unwrap(), label);
        }
    }
    let expected = [
        ("n1", "b1"),
        ("n2", "b2"),
        ("n3", "b3"),
        ("n4", "b4"),
        ("o", "c"),
    ];
    assert_eq!(biases, BTreeMap::from(expected));
    let svg = drawn(&mut desk, ":graph o net.svg named");
    assert!(svg.contains("bias b3 = 0.3"), "{svg}");
}

#[test]
fn the_terminal_writes_signs_on_wires() {
    let mut desk = Desk::with(SCALARS);
    let said = desk.screen(":graph o named");
    for (sign, is_positive) in [(" + ", true), (" - ", false)] {
        let weights = wires_of_scalars().into_iter();
        let count = weights.filter(|(.., weight)| (desk.value(weight) > 0.0) == is_positive);
        assert_eq!(said.matches(sign).count(), count.count(), "{sign}:\n{said}");
    }
    for label in [
        "x1 frozen",
        "x2 frozen",
        "x3 frozen",
        "n1",
        "n2",
        "n3",
        "n4",
        "o",
    ] {
        assert_eq!(
            said.matches(&format!("╭ {label} ")).count(),
            1,
            "{label}:\n{said}"
        );
    }
    let legend = "on the wires: the sign of w, |w| up to 1.2\n";
    assert!(said.contains(legend), "{said}");
    let down = desk.screen(":graph o down named");
    assert!(down.contains("on the wires: the sign of w"), "{down}");
    assert!(!down.contains("()"), "{down}");
    for width in [30, 40, 60, 80, 160] {
        let style = Style {
            width: Some(width),
            ..desk.style()
        };
        let line = ":graph o named";
        let said = crate::common::shown(line, &desk.try_line(line), &style);
        let longest = said.lines().map(|line| line.chars().count()).max();
        assert!(longest.unwrap() <= width, "{width}:\n{said}");
    }
}

#[test]
fn dot_and_mermaid_have_weights() {
    let mut desk = Desk::with(SCALARS);
    let dot = drawn(&mut desk, ":graph o net.dot named");
    let mermaid = drawn(&mut desk, ":graph o net.mmd named");
    assert!(!dot.contains("op ["), "{dot}");
    assert_eq!(mermaid.matches(" ---|").count(), 16, "{mermaid}");
    let graph = network(&mut desk, "o named");
    let ids: BTreeMap<String, u64> = boxes(&graph)
        .into_iter()
        .map(|(id, label)| (label, id))
        .collect();
    for (from, to, weight) in wires_of_scalars() {
        let value = desk.value(&weight);
        let (from, to) = (ids[&from], ids[&to]);
        let wire = format!("  n{from} -> n{to} [label=\"{value}\"];");
        assert!(dot.lines().any(|line| line == wire), "{wire}\n{dot}");
    }
}

#[test]
fn long_lists_are_layers_with_ranges() {
    let lines = [
        "const x = [0.5, -1]",
        "W = [[sin(i + 3j) for i in 1..2] for j in 1..16]",
        "b = [cos(j) for j in 1..16]",
        "v = [j/16 for j in 1..16]",
        "h = tanh(dot(W, x) + b)",
        "o = dot(v, h)",
    ];
    let mut desk = Desk::with(&lines);
    let dot = drawn(&mut desk, ":graph o net.dot named");
    // Two inputs, the layer, the output.
    assert_eq!(dot.matches(", shape=box").count(), 4, "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 3, "{dot}");
    let svg = drawn(&mut desk, ":graph o net.svg named");
    let weights = |first: usize| (1..=16).map(move |j| ((first + 3 * j) as f64).sin());
    for (first, label) in [(1, "x[1] → h: W (16) = "), (2, "x[2] → h: W (16) = ")] {
        let least = weights(first).fold(f64::INFINITY, f64::min);
        let most = weights(first).fold(f64::NEG_INFINITY, f64::max);
        let rest = svg
            .split(&format!("<title>{label}"))
            .nth(1)
            .unwrap_or_else(|| panic!("{label}:\n{svg}"));
        let range = rest.split('<').next().unwrap();
        let ends: Vec<f64> = range.split(" … ").map(|end| end.parse().unwrap()).collect();
        assert!(
            (ends[0] - least).abs() < 1e-9 && (ends[1] - most).abs() < 1e-9,
            "{range}"
        );
    }
    assert!(svg.contains("<title>h → o: v (16) = 0.0625 … 1<"), "{svg}");
    assert!(svg.contains("bias b (16) = "), "{svg}");
    // One by one on request, and always in JSON.
    let apart = drawn(&mut desk, ":graph o net.dot named wrt h");
    assert_eq!(apart.matches(" -> ").count(), 2 * 16 + 16, "{apart}");
    let graph = drawn(&mut desk, ":graph o net.json named");
    let graph: Value = serde_json::from_str(&graph).unwrap();
    assert_eq!(boxes(&graph).len(), 19);
    assert_eq!(wires(&graph).len(), 48);
}

/// Neurons are boxes without names, too: of networks that are built in, and of the user's own functions.
#[test]
fn neurons_need_no_names() {
    let own = [
        "W = [[0.5, -0.3, 0.8], [-0.6, 0.2, 0.4], [0.9, -1.2, 0.1], [0.15, 0.35, -0.7]]",
        "b, v, d = [0.1, -0.2, 0.3, 0], [0.7, -0.4, 1.1, -0.9], 0.1",
        "n(x) = tanh(dot(v, [tanh(dot(w, x) + c) for w, c in zip(W, b)]) + d)",
    ];
    for lines in [&["n = MLP(3, [4, 1])"][..], &own] {
        let mut desk = Desk::with(lines);
        desk.line("const x = [2, 3, -1]; y = n(x)");
        let graph = network(&mut desk, "y named");
        let boxes = boxes(&graph);
        assert_eq!(boxes.len(), 3 + 4 + 1, "{boxes:?}");
        let wires = wires(&graph);
        assert_eq!(wires.len(), 4 * 3 + 4);
        let nodes = graph["nodes"].as_array().unwrap();
        let data: BTreeMap<&str, f64> = nodes
            .iter()
            .map(|node| (node["label"].as_str().unwrap(), number(&node["data"])))
            .collect();
        // A neuron is what its weights make of what its wires come from.
        for neuron in nodes {
            let label = neuron["label"].as_str().unwrap();
            let into: Vec<_> = wires.iter().filter(|(_, to, _)| to == label).collect();
            if into.is_empty() {
                continue;
            }
            let mut sum = number(&neuron["biases"][0]["data"]);
            for (from, _, wire) in into {
                sum += number(&wire["weight"]["data"]) * data[from.as_str()];
            }
            assert!((sum.tanh() - data[label]).abs() < 1e-15, "{label}: {sum}");
        }
    }
}

/// Which leaf is a weight, and which wires have none.
#[test]
fn what_is_a_weight() {
    type Case<'a> = (&'a [&'a str], &'a str, &'a [(&'a str, &'a str, &'a str)]);
    let cases: &[Case] = &[
        // The lecture writes the input first.
        (
            &["x, w, b = 1, 2, 3", "y = x*w + b"],
            "y",
            &[("x", "y", "w")],
        ),
        // Frozen leaves are data.
        (
            &["a = 1", "const k = 2", "y = a*k"],
            "y",
            &[("k", "y", "a")],
        ),
        (
            &["const a, k = 1, 2", "y = a*k"],
            "y",
            &[("a", "y", ""), ("k", "y", "")],
        ),
        // Of two leaves without a `w`, the first is the weight.
        (
            &["s, p, q = 1, 2, 3", "u = s*p", "y = tanh(s*q) + u"],
            "y",
            &[("p", "u", "s"), ("q", "y", "s"), ("u", "y", "")],
        ),
        // Neither of two named nodes is a weight.
        (
            &["a, b = 1, 2", "c = tanh(a)", "d = tanh(b)", "y = c*d"],
            "y",
            &[
                ("a", "c", ""),
                ("b", "d", ""),
                ("c", "y", ""),
                ("d", "y", ""),
            ],
        ),
        // Two leaves on one path.
        (
            &["a, w1, w2 = 1, 2, 3", "y = w2*tanh(w1*a)"],
            "y",
            &[("a", "y", "")],
        ),
        // The same leaf on all paths.
        (
            &["x, w = 1, 2", "y = (exp(w*x) - 1)/(exp(w*x) + 1)"],
            "y",
            &[("x", "y", "w")],
        ),
        // Different leaves on two paths.
        (
            &["x, w1, w2 = 1, 2, 3", "y = w1*x + w2*tanh(x)"],
            "y",
            &[("x", "y", "")],
        ),
        // A weight whose square is added is an input as well.
        (
            &["x, w = 1, 2", "p = w*x", "y = p + 0.1*w^2"],
            "y",
            &[("x", "p", "w"), ("p", "y", ""), ("w", "y", "")],
        ),
        // What is added around weights is an input.
        (
            &["x, w = 1, 2", "y = tanh(w*x) + x"],
            "y",
            &[("x", "y", "")],
        ),
        // Sums of leaves alone have no biases.
        (
            &["a, b, c = 1, 2, 3", "y = tanh(a + b + c)"],
            "y",
            &[("a", "y", ""), ("b", "y", ""), ("c", "y", "")],
        ),
        (
            &["a, b, c, x, w = 1, 2, 3, 4, 5", "y = tanh(a + b + w*x)"],
            "y",
            &[("a", "y", ""), ("b", "y", ""), ("x", "y", "w")],
        ),
        // The lecture's graph.
        (
            &[
                "a, b, c, f = 2, -3, 10, -2",
                "e = a*b",
                "d = e + c",
                "L = d*f",
            ],
            "L",
            &[("b", "e", "a"), ("e", "d", ""), ("d", "L", "f")],
        ),
        // Nothing but literals.
        (&["a = 1"], "2*3", &[("2", "2*3", ""), ("3", "2*3", "")]),
        (&["a = 1"], "a", &[]),
    ];
    for (lines, target, expected) in cases {
        let mut desk = Desk::with(lines);
        let graph = network(&mut desk, &format!("{target} named"));
        assert_eq!(named(&graph), texts(expected), "{lines:?}");
    }
}

#[test]
fn very_many_paths_are_one_wire() {
    // Every call doubles them.
    let lines = [
        "x = 1",
        "f(t) = sin(t) + cos(t)",
        "g(t) = f(f(f(f(f(f(f(f(t))))))))",
    ];
    let mut desk = Desk::with(&lines);
    desk.line("y = g(g(x));");
    assert_eq!(wires(&network(&mut desk, "y named")).len(), 1);
}

#[test]
fn large_networks_are_fast() {
    // Eight layers of 15 neurons: more than 2,000 weights, and 121 boxes.
    let mut lines = vec!["const h0 = [j/15 for j in 1..15]".to_string()];
    for layer in 1..=8 {
        lines.push(format!(
            "W{layer} = [[sin(i*j + {layer}) for i in 1..15] for j in 1..15]"
        ));
        lines.push(format!("h{layer} = tanh(dot(W{layer}, h{}))", layer - 1));
    }
    lines.push("o = sum(h8)".to_string());
    let mut desk = Desk::with(&lines);
    let all = "named wrt h0 h1 h2 h3 h4 h5 h6 h7 h8";
    for ending in ["svg", "dot", "mmd", "json"] {
        let start = Instant::now();
        let text = drawn(&mut desk, &format!(":graph o net.{ending} {all}"));
        let took = start.elapsed();
        assert!(text.len() > 10_000, "{ending}");
        assert!(took < Duration::from_secs(20), "{ending}: {took:?}");
    }
    let start = Instant::now();
    let said = desk.screen(":graph o named");
    assert!(said.contains("10 boxes of "), "{said}");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

/// Before a box that is narrower than its column, wires that end close together would lie on each other.
#[test]
fn boxes_of_a_column_are_equally_wide() {
    let hidden: Vec<String> = (1..=12)
        .map(|at| format!("n{at} = tanh(w{at}*x + b{at})"))
        .collect();
    let leaves = (1..=12).map(|at| format!("w{at}, b{at} = 0.{at}, 12345.678*{at}"));
    let mut lines: Vec<String> = vec!["x = 1".to_string()];
    lines.extend(leaves);
    lines.extend(hidden);
    let sum: Vec<String> = (1..=12).map(|at| format!("v{at}*n{at}")).collect();
    lines.extend((1..=12).map(|at| format!("v{at} = {at}000.5")));
    lines.push(format!("o = {}", sum.join(" + ")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut desk = Desk::with(&lines);
    let svg = drawn(&mut desk, ":graph o net.svg right named");
    let svg = Document::parse(&svg).unwrap();
    let mut columns: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for group in svg.descendants().filter(|node| {
        node.attribute("class")
            .is_some_and(|it| it.starts_with("node"))
    }) {
        let frame = group
            .children()
            .find(|child| child.tag_name().name() == "rect")
            .unwrap();
        let side = |name: &str| frame.attribute(name).unwrap().to_string();
        columns.entry(side("x")).or_default().insert(side("width"));
    }
    assert_eq!(columns.len(), 3, "{columns:?}");
    assert!(
        columns.values().all(|widths| widths.len() == 1),
        "{columns:?}"
    );
}

/// A wire without a weight, and one whose weights have both signs, are grey; the legend has a sample for each.
#[test]
fn grey_wires_are_told_apart() {
    let mut desk = Desk::with(&[
        "x = [1, 2, 3, 4, 5, 6, 7, 8, 9]",
        "W = [0.5, -0.5, 1, -1, 2, -2, 3, -3, 4]",
        "h = [tanh(W[i]*x[i]) for i in 1..9]",
        "o = sum(h)^2",
    ]);
    let svg = drawn(&mut desk, ":graph o net.svg named");
    let svg = Document::parse(&svg).unwrap();
    let legend = svg
        .descendants()
        .find(|node| node.attribute("class") == Some("legend"))
        .unwrap();
    let samples: Vec<Option<&str>> = legend
        .children()
        .filter(|node| node.tag_name().name() == "path")
        .map(|node| node.attribute("stroke-dasharray"))
        .collect();
    let words: Vec<&str> = legend
        .children()
        .filter_map(|node| node.text())
        .filter(|text| !text.trim().is_empty())
        .collect();
    assert_eq!(words, ["of both signs", "no weight"]);
    assert!(samples[0].is_none() && samples[1].is_some(), "{samples:?}");
}
