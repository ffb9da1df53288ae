//! The diagrams that `:graph` makes of a session, read back from its JSON: the numbers on the wires obey the chain rule,
//! and networks have the boxes and weights of the session. `crates/pictures/tests` tests the
//! drawings, and `tests/screens/graphs.txt` records the screens.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::common::{Desk, number};
use chainrule_session::Reader;
use chainrule_view::Style;
use serde_json::Value;

const NEURON: &str = "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.8813735870195432
n = x1*w1 + x2*w2 + b
o = tanh(n)";

/// The lecture's MLP with 3 inputs, 4 hidden neurons and 1 output, name by name, and as lists.
const SCALARS: &str = "const x1, x2, x3 = 2, 3, -1
w11, w12, w13, b1 = 0.5, -0.3, 0.8, 0.1
w21, w22, w23, b2 = -0.6, 0.2, 0.4, -0.2
w31, w32, w33, b3 = 0.9, -1.2, 0.1, 0.3
w41, w42, w43, b4 = 0.15, 0.35, -0.7, 0
v1, v2, v3, v4, c = 0.7, -0.4, 1.1, -0.9, 0.05
n1 = tanh(w11*x1 + w12*x2 + w13*x3 + b1)
n2 = tanh(w21*x1 + w22*x2 + w23*x3 + b2)
n3 = tanh(w31*x1 + w32*x2 + w33*x3 + b3)
n4 = tanh(w41*x1 + w42*x2 + w43*x3 + b4)
o = tanh(v1*n1 + v2*n2 + v3*n3 + v4*n4 + c)";
const LISTS: &str = "const x = [2, 3, -1]
W = [[0.5, -0.3, 0.8], [-0.6, 0.2, 0.4], [0.9, -1.2, 0.1], [0.15, 0.35, -0.7]]
b = [0.1, -0.2, 0.3, 0]
v, c = [0.7, -0.4, 1.1, -0.9], 0.05
h = [tanh(dot(W[j], x) + b[j]) for j in range(4)]
o = tanh(dot(v, h) + c)";
/// The same without names for neurons: a built-in network and a function of the user.
const BUILT_IN: &str = "n = MLP(3, [4, 1])
const x = [2, 3, -1]
o = n(x)";
const OWN: &str = "const x = [2, 3, -1]
W = [[0.5, -0.3, 0.8], [-0.6, 0.2, 0.4], [0.9, -1.2, 0.1], [0.15, 0.35, -0.7]]
b, v, d = [0.1, -0.2, 0.3, 0], [0.7, -0.4, 1.1, -0.9], 0.1
n(x) = tanh(dot(v, [tanh(dot(w, x) + c) for w, c in zip(W, b)]) + d)
o = n(x)";

fn desk(lines: &str) -> Desk {
    Desk::with(&lines.lines().collect::<Vec<_>>())
}

fn drawing(desk: &mut Desk, line: &str) -> String {
    String::from_utf8(desk.drawn_file(line, &Style::default())).expect("it is text")
}

fn nodes(graph: &Value) -> &[Value] {
    graph["nodes"].as_array().expect("a graph has nodes")
}

fn edges(graph: &Value) -> &[Value] {
    graph["edges"].as_array().expect("a graph has edges")
}

/// Each grad is a sum over the users: the grad of the user times the number on the wire. In a walk the numbers are the
/// terms.
#[test]
fn numbers_make_the_grads() {
    let chain = format!("y = 0.5{}", "\ny = tanh(y)*1.01".repeat(30));
    for (lines, root) in [
        ("a, b, c, f = 2, -3, 10, -2\nL = (a*b + c)*f\n:grad L", "L"),
        (&format!("{NEURON}\n:grad o"), "o"),
        (&format!("{NEURON}\n:walk o\n:next 3"), "o"),
        (&format!("{SCALARS}\n:grad o"), "o"),
        ("a = 3\nb = a + a\n:grad b", "b"),
        ("x = 3\ny = 3x^2 - 4x + 5\n:grad y", "y"),
        (&format!("{chain}\n:grad y"), "y"),
        (
            "a, b, c, d = 1.5, -22.125, 3e7, 1e-9\ny = prod(a, b, c, d)*hypot(a, b, c) + a\n:grad y",
            "y",
        ),
        (
            "x = [2 for k in 1..30]\ny = mean(x)*max(x[0], x[1], x[2])^2\n:grad y",
            "y",
        ),
    ] {
        let mut desk = desk(lines);
        let graph = desk.answer(&format!(":graph {root} locals"));
        let id = |value: &Value| value.as_u64().expect("an id");
        let known = nodes(&graph).iter().filter(|node| !node["grad"].is_null());
        let grads: BTreeMap<u64, f64> = known
            .map(|node| (id(&node["id"]), number(&node["grad"])))
            .collect();
        let mut sums = BTreeMap::from([(id(&graph["nodes"][0]["id"]), 1.0)]);
        for edge in edges(&graph) {
            let user = nodes(&graph).iter().find(|node| node["id"] == edge[1]);
            let on_wire = &user.expect("a user is a node")["wires"][id(&edge[2]) as usize];
            if on_wire.is_object() {
                let is_walk = lines.contains(":walk");
                let upstream = if is_walk { 1.0 } else { grads[&id(&edge[1])] };
                *sums.entry(id(&edge[0])).or_default() += number(&on_wire["number"]) * upstream;
            }
        }
        assert_eq!(sums.len(), grads.len(), "{lines}");
        for (id, grad) in grads {
            let sum = sums[&id];
            assert!(
                (sum - grad).abs() <= 1e-12 * grad.abs(),
                "{lines}: {id} {grad} {sum}"
            );
        }
    }
}

/// Boxes and wires are those of the network, weights and biases those of the session, and the value of a neuron follows
/// from its weights and its inputs.
#[test]
fn all_spellings_are_the_same_network() {
    for (lines, count, is_named) in [
        (SCALARS, 61, true),
        (LISTS, 55, true),
        (BUILT_IN, 0, false),
        (OWN, 0, false),
    ] {
        let mut desk = desk(lines);
        desk.line(":grad o;");
        desk.session.show.reader = Reader::Program;
        let graph = desk.answer(":graph o named");
        assert_eq!(
            (nodes(&graph).len(), edges(&graph).len()),
            (3 + 4 + 1, 4 * 3 + 4)
        );
        let told = desk.screen(":graph o named");
        assert!(
            count == 0 || told.contains(&format!("8 boxes of {count} nodes")),
            "{told}"
        );
        for (user, node) in nodes(&graph).iter().enumerate() {
            let mut wires = edges(&graph)
                .iter()
                .filter(|wire| wire["to"] == node["id"])
                .peekable();
            if wires.peek().is_none() {
                continue;
            }
            let mut sum = number(&node["biases"][0]["data"]);
            let mut weights = vec![&node["biases"][0]];
            for wire in wires {
                let from = nodes(&graph).iter().find(|it| it["id"] == wire["from"]);
                let from = from.expect("a wire comes from a box");
                sum += number(&wire["weight"]["data"]) * number(&from["data"]);
                weights.push(&wire["weight"]);
                // The names say which weight it is: `w32` leads from `x2` to `n3`, `W[3][2]` from `x[2]` to `h[3]`.
                let digits = |label: &Value| {
                    let label = label.as_str().unwrap_or_default();
                    label
                        .chars()
                        .filter(char::is_ascii_digit)
                        .collect::<String>()
                };
                if is_named {
                    let ends = format!("{}{}", digits(&node["label"]), digits(&from["label"]));
                    assert_eq!(digits(&wire["weight"]["label"]), ends, "{wire}");
                }
            }
            assert!(
                (sum.tanh() - number(&node["data"])).abs() < 1e-15,
                "{user}: {sum}"
            );
            for weight in weights {
                let label = weight["label"].as_str().expect("a weight has a label");
                if is_named || label.contains('[') {
                    assert_eq!(number(&weight["data"]), desk.value(label), "{label}");
                    let grad = desk.value(&format!("{label}.grad"));
                    assert_eq!(number(&weight["grad"]), grad, "{label}");
                }
            }
        }
    }
}

#[test]
fn long_lists_are_layers_with_ranges() {
    let mut desk = desk(
        "const x = [0.5, -1]
W = [[sin(i + 3j) for i in 1..2] for j in 1..16]
b = [cos(j) for j in 1..16]
v = [j/16 for j in 1..16]
h = tanh(dot(W, x) + b)
o = dot(v, h)",
    );
    let svg = drawing(&mut desk, ":graph o net.svg named");
    // Two inputs, the layer, the output.
    assert_eq!(svg.matches("class=\"node ").count(), 4, "{svg}");
    for first in [1, 2] {
        let weights = || (1..=16).map(|j| f64::from(first + 3 * j).sin());
        let (least, most) = (
            weights().fold(1.0, f64::min),
            weights().fold(-1.0, f64::max),
        );
        let begin = format!("<title>x[{}] → h: W (16) = ", first - 1);
        let tip = svg
            .split_once(&begin)
            .and_then(|(_, rest)| rest.split_once('<'));
        let ends = tip.and_then(|(range, _)| range.split_once(" … "));
        let (from, to) = ends.unwrap_or_else(|| panic!("{begin}:\n{svg}"));
        let off = |text: &str, end: f64| (text.parse::<f64>().expect("a number") - end).abs();
        assert!(
            off(from, least) < 1e-9 && off(to, most) < 1e-9,
            "{from} {to}"
        );
    }
    assert!(svg.contains("<title>h → o: v (16) = 0.0625 … 1<"), "{svg}");
    assert!(svg.contains("bias b (16) = "), "{svg}");
    // One by one on request, and always in JSON.
    let apart = drawing(&mut desk, ":graph o net.svg named wrt h");
    assert_eq!(
        apart.matches("<g class=\"edge").count(),
        2 * 16 + 16,
        "{apart}"
    );
    desk.session.show.reader = Reader::Program;
    let graph = desk.answer(":graph o named");
    assert_eq!((nodes(&graph).len(), edges(&graph).len()), (19, 48));
}

/// The operand, the user and the weight of each wire; some wires have no weight.
#[test]
fn the_weight_of_a_wire_is_the_leaf_that_multiplies() {
    for (lines, expected) in [
        // The lecture writes the input first.
        ("x, w, b = 1, 2, 3; y = x*w + b", "x-y:w"),
        // Frozen leaves are data.
        ("a = 1; const k = 2; y = a*k", "k-y:a"),
        ("const a, k = 1, 2; y = a*k", "a-y: k-y:"),
        // Of two leaves without a `w`, the first is the weight.
        (
            "s, p, q = 1, 2, 3; u = s*p; y = tanh(s*q) + u",
            "p-u:s q-y:s u-y:",
        ),
        // Neither of two named nodes is a weight.
        (
            "a, b = 1, 2; c = tanh(a); d = tanh(b); y = c*d",
            "a-c: b-d: c-y: d-y:",
        ),
        // Two leaves on one path.
        ("a, w1, w2 = 1, 2, 3; y = w2*tanh(w1*a)", "a-y:"),
        // The same leaf on all paths.
        ("x, w = 1, 2; y = (exp(w*x) - 1)/(exp(w*x) + 1)", "x-y:w"),
        // Different leaves on two paths.
        ("x, w1, w2 = 1, 2, 3; y = w1*x + w2*tanh(x)", "x-y:"),
        // A weight whose square is added is an input as well.
        ("x, w = 1, 2; p = w*x; y = p + 0.1*w^2", "p-y: w-y: x-p:w"),
        // A term without a weight beside weights is an input.
        ("x, w = 1, 2; y = tanh(w*x) + x", "x-y:"),
        // Sums of leaves alone have no biases.
        ("a, b, c = 1, 2, 3; y = tanh(a + b + c)", "a-y: b-y: c-y:"),
        (
            "a, b, c, x, w = 1, 2, 3, 4, 5; y = tanh(a + b + w*x)",
            "a-y: b-y: x-y:w",
        ),
        // The lecture's graph.
        (
            "a, b, c, f = 2, -3, 10, -2; e = a*b; d = e + c; y = d*f",
            "b-e:a d-y:f e-d:",
        ),
        // Every call doubles the paths.
        (
            "x = 1; f(t) = sin(t) + cos(t); g(t) = f(f(f(f(f(f(f(f(t)))))))); y = g(g(x));",
            "x-y:",
        ),
        // Nothing but literals.
        ("2*3", "2-2*3: 3-2*3:"),
        ("y = 1", ""),
    ] {
        let mut desk = desk(lines);
        let target = if lines.contains("y = ") { "y" } else { lines };
        let graph = desk.answer(&format!(":graph {target} named"));
        let label = |id: &Value| {
            let node = nodes(&graph).iter().find(|node| node["id"] == *id);
            node.and_then(|node| node["label"].as_str())
                .expect("a wire joins nodes")
        };
        let found = edges(&graph).iter().map(|wire| {
            let weight = wire["weight"]["label"].as_str().unwrap_or_default();
            format!("{}-{}:{weight}", label(&wire["from"]), label(&wire["to"]))
        });
        let found: BTreeSet<String> = found.collect();
        let expected: BTreeSet<String> = expected.split_whitespace().map(String::from).collect();
        assert_eq!(found, expected, "{lines}");
    }
}

/// Eight layers of 15 neurons: more than 2,000 weights, and 121 boxes.
#[test]
fn large_networks_are_fast() {
    let mut lines = "const h0 = [j/15 for j in 1..15]".to_string();
    for layer in 1..=8 {
        let below = layer - 1;
        lines.extend([
            format!("\nW{layer} = [[sin(i*j + {layer}) for i in 1..15] for j in 1..15]"),
            format!("\nh{layer} = tanh(dot(W{layer}, h{below}))"),
        ]);
    }
    let mut desk = desk(&(lines + "\no = sum(h8)"));
    let start = Instant::now();
    let text = drawing(
        &mut desk,
        ":graph o net.svg named wrt h0 h1 h2 h3 h4 h5 h6 h7 h8",
    );
    assert!(text.len() > 10_000);
    let told = desk.screen(":graph o named");
    assert!(told.contains("10 boxes of "), "{told}");
    assert!(
        start.elapsed() < Duration::from_secs(40),
        "{:?}",
        start.elapsed()
    );
}
