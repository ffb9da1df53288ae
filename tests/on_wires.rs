//! The numbers on the wires of a graph, read back from every format: they obey the chain rule, and cover nothing.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use chainrule_view::Style;
use chainrule_view::theme::Theme;
use roxmltree::Document;
use serde_json::Value;

use crate::common::{self, Desk};
use crate::pictures::{
    ADVANCE, ANCHOR, NEURON, font_size, graph, groups, network, number, rectangle, text, texts,
    wire,
};

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

/// Sessions, and what is drawn of each.
fn sessions() -> Vec<(&'static str, Vec<String>, String)> {
    let mut chain = vec!["y = 0.5".to_string()];
    chain.extend(std::iter::repeat_n("y = tanh(y)*1.01".to_string(), 30));
    let seven = lines(&[
        "a, b, c, d, e, f, g = 1.5, -22.125, 3e7, 4, 1e-9, 6, 7",
        "y = prod(a, b, c, d, e, f, g)*hypot(a, b, c) + a",
    ]);
    let list = vec![
        format!("x = [{}]", ["2"; 30].join(", ")),
        "y = mean(x)*max(x[1], x[2], x[3])^2".to_string(),
    ];
    let (net, root) = network(&[3, 4, 1], false);
    let walked = [lines(NEURON), lines(&[":walk o", ":next 3"])].concat();
    let forward = [lines(NEURON), lines(&[":walk o forward", ":next 2"])].concat();
    vec![
        ("anchor", lines(ANCHOR), "L".to_string()),
        ("neuron", lines(NEURON), "o".to_string()),
        ("twice", lines(&["a = 3", "b = a + a"]), "b".to_string()),
        (
            "power",
            lines(&["x = 3", "y = 3x^2 - 4x + 5"]),
            "y".to_string(),
        ),
        (
            "pole",
            lines(&["x = 0", "y = ln(x) - 1/x"]),
            "y".to_string(),
        ),
        ("seven", seven, "y".to_string()),
        ("chain", chain, "y".to_string()),
        ("list", list, "y".to_string()),
        ("network", net, root),
        ("walk", walked, "o".to_string()),
        ("forward", forward, "o".to_string()),
    ]
}

/// A number of JSON, which has words for those that are not finite.
fn real(value: &Value) -> f64 {
    match value.as_str() {
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some(_) => f64::NAN,
        None => value.as_f64().unwrap(),
    }
}

/// The numbers on the wires, with their names, by operand, user and position.
fn on_wires(graph: &Value) -> BTreeMap<String, (f64, String)> {
    let mut found = BTreeMap::new();
    for edge in graph["edges"].as_array().unwrap() {
        let [from, to, position] = [0, 1, 2].map(|at| edge[at].as_u64().unwrap());
        let nodes = graph["nodes"].as_array().unwrap();
        let user = nodes.iter().find(|node| node["id"] == to).unwrap();
        let on_wire = &user["wires"][position as usize];
        if on_wire.is_object() {
            let name = on_wire["name"].as_str().unwrap().to_string();
            let key = format!("{from}-{to}-{position}");
            assert!(
                found
                    .insert(key, (real(&on_wire["number"]), name))
                    .is_none()
            );
        }
    }
    found
}

/// Each grad is the sum over its users of theirs times the number on the wire. In a walk the numbers are the terms.
#[test]
fn numbers_make_the_grads() {
    for (name, lines, root) in sessions() {
        let walks = lines.iter().any(|line| line.contains(":walk"));
        if name == "pole" || name == "forward" {
            continue;
        }
        let mut desk = Desk::with(&lines);
        if !walks {
            desk.line(&format!(":grad {root}"));
        }
        let graph = graph(&mut desk, &format!("{root} locals"));
        let grads: BTreeMap<String, f64> = (graph["nodes"].as_array().unwrap().iter())
            .filter(|node| !node["grad"].is_null())
            .map(|node| (node["id"].to_string(), real(&node["grad"])))
            .collect();
        let mut sums: BTreeMap<String, f64> = BTreeMap::new();
        for (key, (number, _)) in on_wires(&graph) {
            let ends: Vec<&str> = key.split('-').collect();
            let upstream = if walks { 1.0 } else { grads[ends[1]] };
            *sums.entry(ends[0].to_string()).or_default() += number * upstream;
        }
        sums.insert(graph["nodes"][0]["id"].to_string(), 1.0);
        assert_eq!(sums.len(), grads.len(), "{name}");
        for (id, grad) in grads {
            let error = (sums[&id] - grad).abs();
            assert!(
                error <= 1e-12 * grad.abs(),
                "{name}: {id} {grad} {}",
                sums[&id]
            );
        }
    }
}

/// How far a point is from a line of straight pieces.
fn distance((x, y): (f64, f64), line: &[(f64, f64)]) -> f64 {
    let to_piece = |two: &[(f64, f64)]| {
        let [(a, b), (c, d)] = [two[0], two[1]];
        let (along, up) = (c - a, d - b);
        let length = along * along + up * up;
        let share = ((x - a) * along + (y - b) * up) / length.max(1e-12);
        let share = share.clamp(0.0, 1.0);
        (x - a - share * along).hypot(y - b - share * up)
    };
    line.windows(2).map(to_piece).fold(f64::INFINITY, f64::min)
}

/// Whether a line comes into a box. Wires are so smooth that their points and the middles between them tell.
fn enters(line: &[(f64, f64)], [x, y, width, height]: [f64; 4]) -> bool {
    line.windows(2).any(|two| {
        (0..=40).any(|step| {
            let share = f64::from(step) / 40.0;
            let at = |a: f64, b: f64| a + share * (b - a);
            let (left, top) = (at(two[0].0, two[1].0), at(two[0].1, two[1].1));
            left > x && left < x + width && top > y && top < y + height
        })
    })
}

fn apart(one: [f64; 4], other: [f64; 4], gap: f64) -> bool {
    let beside = |at: usize| {
        one[at] + one[at + 2] + gap <= other[at] || other[at] + other[at + 2] + gap <= one[at]
    };
    beside(0) || beside(1)
}

/// In a picture, every number stands on its wire, says what it is, and lies on no box, no other number, and no other
/// wire.
#[test]
fn numbers_stand_on_their_wires_and_cover_nothing() {
    for (name, lines, root) in sessions() {
        let mut desk = Desk::with(&lines);
        let wanted = on_wires(&graph(&mut desk, &format!("{root} locals")));
        for way in ["", " right", " down"] {
            let what = format!("{name}{way}");
            let svg = text(&mut desk, &format!("{root} locals{way}"), "svg");
            let svg = Document::parse(&svg).unwrap();
            let (wide, high) = (
                number(svg.root_element(), "width"),
                number(svg.root_element(), "height"),
            );
            let wires: BTreeMap<String, Vec<(f64, f64)>> = groups(&svg, "edge")
                .into_iter()
                .map(|edge| {
                    (
                        edge.attribute("data-key").unwrap().to_string(),
                        wire(edge).0,
                    )
                })
                .collect();
            let boxes = groups(&svg, "node")
                .into_iter()
                .chain(groups(&svg, "operation"));
            let mut taken: Vec<[f64; 4]> = boxes.map(rectangle).collect();
            let numbers = groups(&svg, "number");
            assert!(!numbers.is_empty(), "{what}");
            for group in &numbers {
                let key = group.attribute("data-key").unwrap();
                let sides @ [x, y, width, height] = rectangle(*group);
                assert!(
                    x >= 0.0 && y >= 0.0 && x + width <= wide && y + height <= high,
                    "{what}"
                );
                let middle = (x + width / 2.0, y + height / 2.0);
                let far = distance(middle, &wires[key]);
                assert!(far < 0.6, "{what}: {key} is {far} from its wire");
                for (other, line) in wires.iter().filter(|(other, _)| *other != key) {
                    assert!(
                        !enters(line, sides),
                        "{what}: {key} lies on the wire {other}"
                    );
                }
                for other in &taken {
                    assert!(
                        apart(sides, *other, 2.0),
                        "{what}: {key} {sides:?} {other:?}"
                    );
                }
                taken.push(sides);
                let said = texts(*group).next().unwrap();
                let words = said.text().unwrap();
                let long = words.chars().count() as f64 * ADVANCE * font_size(said);
                assert!(long + 6.0 <= width, "{what}: {words}");
                assert!(words.trim_start_matches('-').len() <= 6, "{what}: {words}");
                let (exact, derivative) = &wanted[key];
                let shown: f64 = words.parse().unwrap();
                let near = (shown - exact).abs() <= 0.06 * exact.abs() || shown == *exact;
                assert!(near, "{what}: {shown} for {exact}");
                let class = said.attribute("class").unwrap_or_default();
                let marked = class.contains("not-finite");
                assert_eq!(marked, !exact.is_finite(), "{what}: {key}");
                let tip = group.first_element_child().unwrap().text().unwrap();
                assert!(tip.starts_with(derivative.as_str()), "{what}: {tip}");
                let last = tip.rsplit(" = ").next().unwrap();
                let last: f64 = last.parse().unwrap();
                let near = (last - exact).abs() <= 1e-5 * exact.abs();
                assert!(near || last.to_bits() == exact.to_bits(), "{what}: {tip}");
            }
            assert_eq!(numbers.len(), wanted.len(), "{what}");
            // Of a list only `sum(x)/30`, the square and the product have numbers.
            assert!(name != "list" || numbers.len() == 4, "{what}");
        }
    }
}

/// Each number has the formula that it comes from, and what is constant has none.
#[test]
fn numbers_tell_their_formulas() {
    let said = |lines: &[&str], target: &str| {
        let svg = text(&mut Desk::with(lines), &format!("{target} locals"), "svg");
        let svg = Document::parse(&svg).unwrap();
        let tips = groups(&svg, "number").into_iter();
        let mut tips: Vec<String> = tips
            .map(|group| {
                group
                    .first_element_child()
                    .unwrap()
                    .text()
                    .unwrap()
                    .to_string()
            })
            .collect();
        tips.sort();
        let caption = texts(svg.root_element()).last().unwrap().text().unwrap();
        (tips, caption.to_string())
    };
    let (tips, caption) = said(&["a, b = 2, 3", "c = a*b", ":grad c"], "c");
    assert_eq!(tips, ["∂c/∂a = b = 3", "∂c/∂b = a = 2"]);
    assert_eq!(caption, "on the wires: local derivatives");
    let (tips, _) = said(&["a = 2", "c = 5 + tanh(a - a)"], "c");
    assert_eq!(
        tips,
        [
            "∂(a - a)/∂a = -1",
            "∂(a - a)/∂a = 1",
            "∂(tanh(a - a))/∂(a - a) = 1 - tanh(a - a)^2 = 1",
            "∂c/∂(tanh(a - a)) = 1",
        ]
    );
    let (tips, caption) = said(
        &["a, b = 2, 3", "c = a*b", "L = -4c", ":walk L", ":next"],
        "L",
    );
    assert_eq!(tips, ["∂L/∂c × ∂L/∂L = -4 × 1 = -4"]);
    let words = "on the wires: contributions, local times upstream; backward walk, 1 of 2 stops";
    let end = caption.split(' ').next_back().unwrap();
    assert!(words.ends_with(end), "{caption}");
}

fn shown(desk: &mut Desk, line: &str, style: &Style) -> String {
    common::shown(line, &desk.try_line(line), style)
}

/// The terminal has the numbers beside the signs of the operations, in the order of the operands.
#[test]
fn on_the_terminal_numbers_stand_beside_the_operations() {
    let mut desk = Desk::with(ANCHOR);
    for way in ["", " down", " right"] {
        let out = shown(
            &mut desk,
            &format!(":graph L locals{way}"),
            &Style::default(),
        );
        for sign in ["(* -3, 2)", "(+ 1, 1)", "(* -2, 4)"] {
            assert!(out.contains(sign), "{way}: {out}");
        }
        assert!(out.ends_with("on the wires: local derivatives\n"), "{out}");
    }
    for width in [40, 80, 160] {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let out = shown(&mut desk, ":graph L locals", &style);
        assert!(
            out.lines().all(|line| line.chars().count() <= width),
            "{out}"
        );
        assert!(out.contains("(* -2, 4)"), "{out}");
    }
    let mut desk = Desk::with(&["x = 0", "y = max(2, x, x, x, x, x, x) + ln(x)"]);
    let out = shown(&mut desk, ":graph y locals", &Style::default());
    assert!(out.contains("(max ·, 0, 0, 0, 0, …)"), "{out}");
    assert!(out.contains("(ln inf)"), "{out}");
    let colored = Style {
        color: Some(Theme::Dark),
        ..Style::default()
    };
    let out = shown(&mut desk, ":graph y locals", &colored);
    let color = |text: &str| {
        let before = &out[..out.find(text).unwrap()];
        let code = before.rsplit("\u{1b}[").next().unwrap();
        code.split('m').next().unwrap().to_string()
    };
    assert_eq!(color("(ln inf)"), color("-inf"));
    assert_ne!(color("(ln inf)"), color("(max"));
}

/// While a walk is open, wires have what has flowed on them, and the others nothing.
#[test]
fn in_a_walk_wires_have_what_flows() {
    let mut desk = Desk::with(&[NEURON, &[":walk o", ":next 2"]].concat());
    let out = shown(&mut desk, ":graph o locals right", &Style::default());
    assert!(
        out.contains("(tanh 0.5)") && out.contains("(+ 0.5, 0.5)"),
        "{out}"
    );
    assert!(out.contains("(*)") && out.contains("(+)"), "{out}");
    desk.line(":next 10");
    let out = shown(&mut desk, ":graph o locals right", &Style::default());
    assert!(
        out.contains("(* -1.5, 1)") && out.contains("(* 0.5, 0)"),
        "{out}"
    );
    let mut desk = Desk::with(&[NEURON, &[":walk o forward", ":next 2"]].concat());
    let out = shown(&mut desk, ":graph o locals right", &Style::default());
    assert!(out.contains("(* -3, 2)") && out.contains("(tanh)"), "{out}");
}

#[test]
fn numbers_are_labels_in_dot_and_mermaid() {
    let mut desk = Desk::with(ANCHOR);
    let graph = graph(&mut desk, "L locals");
    let (dot, mermaid) = (
        text(&mut desk, "L locals", "dot"),
        text(&mut desk, "L locals", "mmd"),
    );
    let wires = on_wires(&graph);
    assert_eq!(wires.len(), 6);
    for (key, (number, _)) in wires {
        let ends: Vec<&str> = key.split('-').collect();
        let edge = format!("  n{} -> n{}op [label=\"{number}\"];", ends[0], ends[1]);
        assert!(dot.lines().any(|line| line == edge), "{edge}{dot}");
        let sign = if number < 0.0 { "#45;" } else { "" };
        let edge = format!(
            "  n{} -->|\"{sign}{}\"| n{}op\n",
            ends[0],
            number.abs(),
            ends[1]
        );
        assert!(mermaid.contains(&edge), "{edge}{mermaid}");
    }
    // Without the word the files are as they were.
    let plain = text(&mut desk, "L", "dot");
    let mut arrows = plain.lines().filter(|line| line.contains(" -> "));
    assert!(arrows.all(|line| !line.contains("label")), "{plain}");
    assert!(!text(&mut desk, "L", "mmd").contains("-->|"));
}

/// A mistyped word is no name of a file.
#[test]
fn mistyped_words_are_known() {
    let mut desk = Desk::with(ANCHOR);
    for (typed, meant) in [("lcoals", "locals"), ("nmaed", "named")] {
        let error = desk.error(&format!(":graph L {typed}"));
        assert_eq!(error.help.unwrap(), format!("did you mean `{meant}`?"));
    }
}

#[test]
fn a_caption_says_that_wires_of_lists_have_no_numbers() {
    let mut desk = Desk::with(&["t = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "n = sum(t^2)"]);
    let screen = desk.screen(":graph n locals");
    assert!(
        screen.contains("wires of lists have no numbers"),
        "{screen}"
    );
}
