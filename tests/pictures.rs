//! Pictures of graphs as files, read back by independent readers: SVG as XML, PNG as pixels, DOT and Mermaid as edges.
//!
//! Whether they look good was judged by eye; these tests check that everything is on them, nothing overlaps, and no
//! label can break a format.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::process::Folder;
use crate::common::{Desk, Random};
use chainrule_view as view;
use chainrule_view::Style;
use roxmltree::{Document, Node};
use serde_json::Value;

/// The width of a letter in a font of size 1: that of the picture's font, which no common monospace font exceeds.
pub(crate) const ADVANCE: f64 = 0.6021;

pub(crate) const ANCHOR: &[&str] = &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f", ":grad L"];
pub(crate) const NEURON: &[&str] = &[
    "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.8813735870195432",
    "n = x1*w1 + x2*w2 + b",
    "o = tanh(n)",
];

/// Sessions, and the node to draw in each.
fn sessions() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let and = |lines: &[&'static str], more: &[&'static str]| [lines, more].concat();
    vec![
        ("anchor", ANCHOR.to_vec(), "L"),
        ("neuron", NEURON.to_vec(), "o"),
        ("neuron after", and(NEURON, &[":grad o"]), "o"),
        (
            "tanh in parts",
            and(
                &NEURON[..2],
                &["e = exp(2n)", "o = (e - 1)/(e + 1)", ":grad o"],
            ),
            "o",
        ),
        (
            "reuse",
            vec!["a, b = -2, 3", "d = a*b", "e = a + b", "f = d*e", ":grad f"],
            "f",
        ),
        ("twice", vec!["a = 3", "b = a + a", ":grad b"], "b"),
        (
            "parabola",
            vec!["x = 3", "y = 3x^2 - 4x + 5", ":grad y"],
            "y",
        ),
        ("one", vec!["a = -0"], "a"),
        ("unnamed", vec!["a = 1", "b = 2"], "a*b + a"),
        ("stale", and(ANCHOR, &["a.data = 5", "b.data = 1e300"]), "L"),
        ("walk", and(NEURON, &[":walk o", ":next 3"]), "o"),
        (
            "forward",
            vec![
                "a, b, c, f = 2, -3, 10, -2",
                "L = (a*b + c)*f",
                ":walk L forward",
                ":next",
            ],
            "L",
        ),
        (
            "odd",
            vec![
                "const a_name_of_forty_letters_abcdefghijklmnop = 1e300",
                "数値 = -0",
                "größe = 5e-324",
                "z = 0",
                "q = 0.1",
                "z.label = '<>&\"|{}[]()\\\\ #quot; end'",
                "q.label = '  1. *x* _y_ `z`  %% style: #a;'",
                "v = a_name_of_forty_letters_abcdefghijklmnop*1e10 + 数値 - ln(z - 1)",
                "L = v/(max(数値, z, 3) - if(z > 0, sqrt(q), atan2(größe, 0.1)))",
                ":grad L",
            ],
            "L",
        ),
    ]
}

/// The contents of the file that would be written.
fn picture(desk: &mut Desk, target: &str, ending: &str) -> Vec<u8> {
    let line = format!(":graph {target} file.{ending}");
    desk.drawn(&line, &Style::default())
}

pub(crate) fn text(desk: &mut Desk, target: &str, ending: &str) -> String {
    String::from_utf8(picture(desk, target, ending)).expect("the file is text")
}

/// The graph as the command answers it in JSON.
pub(crate) fn graph(desk: &mut Desk, target: &str) -> Value {
    desk.line(&format!(":graph {target}")).pop().unwrap()
}

/// The ids, and the edges as operand, user, position.
fn known(graph: &Value) -> (BTreeSet<u64>, BTreeSet<[u64; 3]>) {
    let nodes = graph["nodes"].as_array().unwrap();
    let edges = graph["edges"].as_array().unwrap();
    (
        nodes
            .iter()
            .map(|node| node["id"].as_u64().unwrap())
            .collect(),
        edges
            .iter()
            .map(|edge| [0, 1, 2].map(|at| edge[at].as_u64().unwrap()))
            .collect(),
    )
}

pub(crate) fn number(node: Node, name: &str) -> f64 {
    let text = node
        .attribute(name)
        .unwrap_or_else(|| panic!("{name} of {node:?}"));
    text.parse().unwrap()
}

/// The size of the letters of a text: its own, or that of what it is in.
pub(crate) fn font_size(text: Node) -> f64 {
    let size = text.ancestors().find_map(|it| it.attribute("font-size"));
    size.unwrap().parse().unwrap()
}

/// Left, top, width and height of the first rectangle in a group.
pub(crate) fn rectangle(group: Node) -> [f64; 4] {
    let rect = group
        .children()
        .find(|child| child.tag_name().name() == "rect");
    let rect = rect.expect("a box is a rectangle");
    ["x", "y", "width", "height"].map(|name| number(rect, name))
}

pub(crate) fn texts<'a, 'i>(group: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    group
        .descendants()
        .filter(|node| node.tag_name().name() == "text")
}

pub(crate) fn groups<'a, 'i>(svg: &'a Document<'i>, class: &'static str) -> Vec<Node<'a, 'i>> {
    let namespace = "http://www.w3.org/2000/svg";
    let all = svg.descendants().filter(move |node| {
        let classes = node.attribute("class").unwrap_or_default();
        node.has_tag_name((namespace, "g")) && classes.split(' ').any(|each| each == class)
    });
    all.collect()
}

#[test]
fn svg_holds_the_graph() {
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let svg = text(&mut desk, target, "svg");
        assert!(!svg.chars().any(|c| c.is_control() && c != '\n'), "{name}");
        let (ids, edges) = known(&graph(&mut desk, target));
        let svg = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = svg.root_element();
        assert_eq!(root.attribute("role"), Some("group"), "{name}");
        let (width, height) = (number(root, "width"), number(root, "height"));
        assert_eq!(
            root.attribute("viewBox"),
            Some(format!("0 0 {width} {height}").as_str()),
            "{name}"
        );
        for tag in ["title", "style"] {
            let said = root.children().find(|node| node.tag_name().name() == tag);
            assert!(
                said.is_some_and(|node| node.text().is_some()),
                "{name}: {tag}"
            );
        }
        let keys: BTreeSet<u64> = groups(&svg, "node")
            .iter()
            .map(|group| group.attribute("data-key").unwrap().parse().unwrap())
            .collect();
        assert_eq!(keys, ids, "{name}");
        let wires: BTreeSet<[u64; 3]> = groups(&svg, "edge")
            .iter()
            .filter(|group| group.attribute("data-key").unwrap().contains('-'))
            .map(|group| {
                let key = group.attribute("data-key").unwrap();
                let parts: Vec<u64> = key.split('-').map(|part| part.parse().unwrap()).collect();
                parts.try_into().unwrap()
            })
            .collect();
        assert_eq!(wires, edges, "{name}");
    }
}

/// Every box contains its label (or both ends of it), its numbers, and everything in full in the tooltip.
#[test]
fn svg_says_what_is_known() {
    let mut desk = Desk::with(ANCHOR);
    let svg = text(&mut desk, "L", "svg");
    let svg = Document::parse(&svg).unwrap();
    let mut said = BTreeMap::new();
    for group in groups(&svg, "node") {
        let words: Vec<&str> = texts(group).filter_map(|text| text.text()).collect();
        let tip = group.first_element_child().unwrap();
        said.insert(words.join(" "), tip.text().unwrap().replace('\n', "; "));
    }
    let expected = [
        ("L data -8 grad 1", "L = (a*b + c)*f; data -8; grad 1"),
        ("a data 2 grad 6", "a; leaf; data 2; grad 6"),
        ("a*b + c data 4 grad -2", "a*b + c; data 4; grad -2"),
        ("a*b data -6 grad -2", "a*b; data -6; grad -2"),
        ("b data -3 grad -4", "b; leaf; data -3; grad -4"),
        ("c data 10 grad -2", "c; leaf; data 10; grad -2"),
        ("f data -2 grad 4", "f; leaf; data -2; grad 4"),
    ];
    let expected: BTreeMap<String, String> = expected
        .map(|(words, tip)| (words.to_string(), tip.to_string()))
        .into();
    assert_eq!(said, expected);
    let parts: Vec<_> = texts(groups(&svg, "root")[0])
        .map(|text| text.attribute("class").unwrap())
        .collect();
    assert_eq!(
        parts,
        ["label", "f-faint", "data", "f-faint", "f-rising grad"]
    );
}

#[test]
fn svg_boxes_touch_nothing_and_hold_their_text() {
    for (name, lines, target) in all_sessions() {
        let mut desk = Desk::with(&lines);
        let svg = text(&mut desk, target, "svg");
        let svg = Document::parse(&svg).unwrap();
        let (wide, high) = (
            number(svg.root_element(), "width"),
            number(svg.root_element(), "height"),
        );
        let mut boxes = groups(&svg, "node");
        boxes.extend(groups(&svg, "operation"));
        for (place, group) in boxes.iter().enumerate() {
            let [x, y, width, height] = rectangle(*group);
            assert!(
                x >= 0.0 && y >= 0.0 && x + width <= wide && y + height <= high,
                "{name}: {group:?} is not on the picture"
            );
            for other in &boxes[..place] {
                let [left, top, across, down] = rectangle(*other);
                let apart = x >= left + across + 4.0
                    || left >= x + width + 4.0
                    || y >= top + down + 4.0
                    || top >= y + height + 4.0;
                assert!(apart, "{name}: {group:?} and {other:?}");
            }
            for each in texts(*group) {
                let size = font_size(each);
                let words = each.text().unwrap();
                let long = words.chars().map(cells).sum::<usize>() as f64 * ADVANCE * size;
                let (at, base) = (number(each, "x"), number(each, "y"));
                let from = match each.attribute("text-anchor") {
                    Some("start") => at,
                    Some("end") => at - long,
                    _ => at - long / 2.0,
                };
                assert!(
                    from >= x + 2.0 && from + long <= x + width - 2.0,
                    "{name}: {words:?} is wider than its box"
                );
                assert!(
                    base - size * 0.75 >= y && base + size * 0.2 <= y + height,
                    "{name}: {words:?} is higher than its box"
                );
            }
        }
        for each in svg
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
        {
            assert!(number(each, "y") < high, "{name}: {each:?}");
        }
    }
}

fn all_sessions() -> Vec<(&'static str, Vec<String>, &'static str)> {
    let owned = |lines: Vec<&str>| lines.iter().map(ToString::to_string).collect();
    let short = sessions().into_iter();
    let short = short.map(|(name, lines, target)| (name, owned(lines), target));
    short.chain(long_sessions()).collect()
}

/// Sessions whose pictures test directions and large operations, each with what stands after `:graph`.
pub(crate) fn long_sessions() -> Vec<(&'static str, Vec<String>, &'static str)> {
    let mut chain = vec!["y = 0.5".to_string()];
    chain.extend(std::iter::repeat_n("y = tanh(y)".to_string(), 40));
    let names: Vec<String> = (0..30).map(|n| format!("a{n}")).collect();
    let sum = vec![
        format!("{} = {}", names.join(", "), ["1"; 30].join(", ")),
        format!("y = {}", names.join(" + ")),
    ];
    let of_five = |function: &str| {
        vec![
            "a, b, c, d, e = 1, 2, 3, 4, 5".to_string(),
            format!("y = {function}(a, b, c, d, e) + a"),
        ]
    };
    let of_seven = vec![
        "a, b, c, d, e, f, g = 1, 2, 3, 4, 5, 6, 7".to_string(),
        "y = prod(a, b, c, d, e, f, g) + a".to_string(),
    ];
    let list = vec![
        format!("x = [{}]", ["2"; 30].join(", ")),
        "s = sum(x)".to_string(),
        "y = s*max(x[1], x[2], x[3], x[4], x[5], x[6], x[7])".to_string(),
    ];
    vec![
        ("chain", chain.clone(), "y"),
        ("chain right", chain.clone(), "y right"),
        ("chain down", chain, "y down"),
        ("sum", sum.clone(), "y"),
        ("sum down", sum, "y down"),
        ("max", of_five("max"), "y"),
        ("max down", of_five("max"), "y down"),
        ("hypot", of_five("hypot"), "y right"),
        ("list", list.clone(), "y"),
        ("list down", list, "y down"),
        (
            "anchor down",
            ANCHOR.iter().map(ToString::to_string).collect(),
            "L down",
        ),
        (
            "neuron with numbers",
            NEURON.iter().map(ToString::to_string).collect(),
            "o locals",
        ),
        ("five with numbers", of_five("hypot"), "y locals right"),
        ("seven with numbers", of_seven, "y locals down"),
        (
            "neuron down",
            NEURON.iter().map(ToString::to_string).collect(),
            "o down",
        ),
    ]
}

/// Points from end to end.
pub(crate) type Line = Vec<(f64, f64)>;

/// The points of a wire, curves as many short lines, and the head of its arrow, which ends at its tip.
pub(crate) fn wire(group: Node) -> (Line, Line) {
    let drawn = |group: Node| -> Line {
        let paths = group.children().filter_map(|child| child.attribute("d"));
        paths.flat_map(points).collect()
    };
    let part = |group: Node| {
        group
            .attribute("data-part")
            .map(|part| part.parse().unwrap())
    };
    let key = group.attribute("data-key").unwrap_or_default();
    let from = key.split('-').next();
    let all = group.document().descendants();
    let shared =
        all.filter(|it| it.attribute("class") == Some("trunk") && it.attribute("data-key") == from);
    let mut shared: Vec<(usize, Node)> = shared.map(|it| (part(it).unwrap(), it)).collect();
    shared.sort_by_key(|(part, _)| *part);
    let last = part(group);
    let mut line = Line::new();
    for (_, piece) in shared.iter().filter(|(part, _)| Some(*part) <= last) {
        line.extend(drawn(*piece));
        // A piece ends a pixel after the next one begins.
        line.pop();
    }
    line.extend(drawn(group));
    // Graphviz draws the head as a polygon.
    let head = line.len() - if key.is_empty() { 0 } else { 3 };
    let head = line.split_off(head);
    (line, head)
}

/// The points of a path, ours or one of Graphviz; a curve becomes many short lines.
pub(crate) fn points(path: &str) -> Line {
    let mut found: Line = Vec::new();
    let commands: Vec<(usize, char)> = path
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic())
        .collect();
    // Lengths have hundredths of a pixel, and their sums have no more.
    let sum = |a: f64, b: f64| ((a + b) * 100.0).round() / 100.0;
    for (place, &(at, command)) in commands.iter().enumerate() {
        let end = commands.get(place + 1).map_or(path.len(), |next| next.0);
        let text = path[at + 1..end].replace('-', " -").replace(',', " ");
        let numbers = text.split_whitespace().map(|word| word.parse().unwrap());
        let numbers: Vec<f64> = numbers.collect();
        let (x, y) = found.last().copied().unwrap_or_default();
        match (command, &numbers[..]) {
            ('M', &[x, y]) => found.push((x, y)),
            ('l', &[along, down]) => found.push((sum(x, along), sum(y, down))),
            ('h', &[along]) => found.push((sum(x, along), y)),
            ('v', &[down]) => found.push((x, sum(y, down))),
            ('C', curves) => {
                for curve in curves.chunks(6) {
                    let (x, y) = found[found.len() - 1];
                    let at = |from: f64, t: f64, [b, c, d]: [f64; 3]| {
                        let u = 1.0 - t;
                        u * u * u * from + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
                    };
                    found.extend((1..=16).map(|step| {
                        let t = f64::from(step) / 16.0;
                        (
                            at(x, t, [curve[0], curve[2], curve[4]]),
                            at(y, t, [curve[1], curve[3], curve[5]]),
                        )
                    }));
                }
            }
            ('q', &[a, b, x, y]) => {
                let (left, top) = found[found.len() - 1];
                let at = |from: f64, t: f64, [b, c]: [f64; 2]| {
                    from + 2.0 * t * (1.0 - t) * b + t * t * c
                };
                found.extend((1..=16).map(|step| {
                    let t = f64::from(step) / 16.0;
                    (at(left, t, [a, x]), at(top, t, [b, y]))
                }));
            }
            ('z', []) => {}
            _ => panic!("{path}"),
        }
    }
    found
}

/// How far a point is from the outline of a box with round corners: 0 on it.
fn from_outline((x, y): (f64, f64), [left, top, width, height]: [f64; 4], radius: f64) -> f64 {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let along = (x - left - width / 2.0).abs() - (width / 2.0 - radius);
    let across = (y - top - height / 2.0).abs() - (height / 2.0 - radius);
    let outside = along.max(0.0).hypot(across.max(0.0));
    (outside + along.max(across).min(0.0) - radius).abs()
}

/// Every arrow ends on the outline of its operation or box, and begins at the box that it comes from.
#[test]
fn arrows_end_on_outlines() {
    for (name, lines, target) in all_sessions() {
        let mut desk = Desk::with(&lines);
        let svg = text(&mut desk, target, "svg");
        let svg = Document::parse(&svg).unwrap();
        let keyed = |class| -> BTreeMap<String, Node> {
            let keys = groups(&svg, class).into_iter();
            keys.map(|group| (group.attribute("data-key").unwrap().to_string(), group))
                .collect()
        };
        let (boxes, ovals) = (keyed("node"), keyed("operation"));
        let far = |point: (f64, f64), group: Node| {
            let rect = group.children().find(|child| child.has_attribute("rx"));
            from_outline(point, rectangle(group), number(rect.unwrap(), "rx"))
        };
        let edges = groups(&svg, "edge");
        assert!(!edges.is_empty() || name == "one", "{name}");
        for edge in edges {
            let key = edge.attribute("data-key").unwrap();
            let (line, head) = wire(edge);
            let parts: Vec<&str> = key.split('-').collect();
            let (from, to) = match parts[..] {
                [from, to, _] => (boxes[from], ovals[to]),
                _ => (ovals[key], boxes[key]),
            };
            let begin = far(line[0], from);
            assert!(begin < 0.1, "{name}: {key} begins {begin} from its box");
            // The head is drawn with a thick line, so its corner stands back; less from an outline that slants.
            let end = far(head[2], to);
            assert!(
                (1.2..2.3).contains(&end),
                "{name}: {key} ends {end} from its shape"
            );
        }
    }
}

/// What several wires share is drawn once, so a file grows as the graph does.
#[test]
fn files_of_long_graphs_are_short() {
    let chain = |operations: usize| {
        let step = |at: usize| format!("y{at} = sin(y{}) + x*{at}", at - 1);
        let lines = ["x = 0.5".to_string(), "y0 = 1".to_string()].into_iter();
        let lines: Vec<String> = lines.chain((1..=operations).map(step)).collect();
        text(&mut Desk::with(&lines), &format!("y{operations}"), "svg")
    };
    let [short, long] = [chain(100), chain(400)];
    assert!(long.len() <= 1_500_000, "{}", long.len());
    assert!(
        long.len() < short.len() * 9 / 2,
        "{} {}",
        short.len(),
        long.len()
    );
    let svg = Document::parse(&short).unwrap();
    let paths = groups(&svg, "edge")
        .into_iter()
        .chain(groups(&svg, "trunk"));
    let mut begun = BTreeSet::new();
    for group in paths {
        let path = group.children().find_map(|it| it.attribute("d")).unwrap();
        assert!(begun.insert(path), "{path} is drawn twice");
    }
}

/// `down` and `right` are obeyed; without them a long graph runs the way in which it is larger on a slide.
#[test]
fn pictures_run_the_way_they_are_told() {
    let sides = |lines: &[String], target: &str| {
        let svg = text(&mut Desk::with(lines), target, "svg");
        let svg = Document::parse(&svg).unwrap();
        let root = svg.root_element();
        (number(root, "width"), number(root, "height"))
    };
    for (lines, target) in [(ANCHOR, "L"), (NEURON, "o")] {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let [right, down] = ["right", "down"].map(|way| sides(&lines, &format!("{target} {way}")));
        let turned = down.0 < right.0 && down.1 > right.1;
        assert!(turned, "{target}: {right:?} {down:?}");
    }
    for (name, lines, target) in long_sessions() {
        let scale = |(width, height): (f64, f64)| (1600.0 / width).min(900.0 / height).min(1.0);
        if target == "y" {
            let [free, right, down] = ["y", "y right", "y down"].map(|it| scale(sides(&lines, it)));
            assert!(
                free * 1.2 >= right.max(down),
                "{name}: {free} {right} {down}"
            );
        }
    }
}

/// Wires run the way the picture does.
#[test]
fn wires_run_the_way_of_the_picture() {
    for (name, lines, target) in long_sessions() {
        let scale = |svg: &Document| {
            let root = svg.root_element();
            number(root, "width") > number(root, "height")
        };
        let svg = text(&mut Desk::with(&lines), target, "svg");
        let svg = Document::parse(&svg).unwrap();
        let is_down = target.ends_with("down") || !target.ends_with("right") && !scale(&svg);
        let down = |(x, y): (f64, f64)| if is_down { y } else { x };
        for edge in groups(&svg, "edge") {
            let (line, _) = wire(edge);
            let forth = line
                .windows(2)
                .all(|two| down(two[1]) >= down(two[0]) - 0.01);
            assert!(forth, "{name}: {edge:?} runs back");
        }
    }
}

/// The words of the terminal are those of the other formats.
#[test]
fn dot_and_mermaid_are_told_the_way() {
    let mut desk = Desk::with(ANCHOR);
    for (target, dot, mermaid) in [
        ("L down", "TB", "TD"),
        ("L right", "LR", "LR"),
        ("L", "LR", "LR"),
    ] {
        let text = |desk: &mut Desk, ending| text(desk, target, ending);
        assert!(text(&mut desk, "dot").contains(&format!("rankdir={dot};")));
        assert!(text(&mut desk, "mmd").starts_with(&format!("flowchart {mermaid}\n")));
    }
    let error = desk
        .try_line(":graph L down right")
        .pop()
        .unwrap()
        .unwrap_err();
    assert_eq!(error.message, "`right` and `down` do not go together");
}

/// A network of tanh neurons as statements, and its root. The bias of a neuron comes first, as in the lecture, or last.
pub(crate) fn network(layers: &[usize], bias_first: bool) -> (Vec<String>, String) {
    let mut values: Vec<String> = (0..layers[0]).map(|at| format!("x{at}")).collect();
    let mut lines: Vec<String> = values.iter().map(|name| format!("{name} = 0.5")).collect();
    for (layer, &count) in layers.iter().enumerate().skip(1) {
        let mut outputs = Vec::new();
        for neuron in 0..count {
            let bias = format!("b{layer}_{neuron}");
            lines.push(format!("{bias} = 0.1"));
            let mut terms = Vec::new();
            for (at, value) in values.iter().enumerate() {
                let weight = format!("w{layer}_{neuron}_{at}");
                lines.push(format!("{weight} = 0.3"));
                terms.push(format!("{weight}*{value}"));
            }
            terms.insert(if bias_first { 0 } else { terms.len() }, bias);
            let output = format!("h{layer}_{neuron}");
            lines.push(format!("{output} = tanh({})", terms.join(" + ")));
            outputs.push(output);
        }
        values = outputs;
    }
    (lines, values.remove(0))
}

/// A graph in layers by chance: most operands are in the layer before, some further back. The root is the maximum of the
/// last layer.
fn layered(seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut lines = Vec::new();
    let mut all = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for layer in 0..random.below(5) + 4 {
        let mut names = Vec::new();
        for at in 0..random.below(7) + 2 {
            let name = format!("n{layer}_{at}");
            let mut operands: Vec<&str> = Vec::new();
            for _ in 0..3 {
                let near = random.below(4) > 0;
                let from: &[String] = if near { &before } else { &all };
                if !from.is_empty() {
                    operands.push(&from[random.below(from.len())]);
                }
            }
            lines.push(match (&operands[..], random.below(6)) {
                ([a, b, _], 0 | 1) => format!("{name} = {a} + {b}"),
                ([a, b, _], 2 | 3) => format!("{name} = {a}*{b}"),
                ([a, b, c], 4) => format!("{name} = max({a}, {b}, {c})"),
                ([a, ..], _) => format!("{name} = tanh({a})"),
                ([], data) => format!("{name} = {data}"),
            });
            names.push(name);
        }
        all.extend(names.iter().cloned());
        before = names;
    }
    lines.push(format!("r = max({})", before.join(", ")));
    lines
}

/// A wire: what it leaves, and its points.
type SeenWire = (String, Line);

/// The wires of a picture of ours, and of one that Graphviz made of our `.dot`.
fn wires(svg: &Document) -> Vec<SeenWire> {
    let edges = groups(svg, "edge").into_iter();
    edges
        .map(|edge| {
            let from = if let Some(key) = edge.attribute("data-key") {
                let from = key.split_once('-').map(|(from, _)| from.to_string());
                from.unwrap_or(format!("op{key}"))
            } else {
                let mut children = edge.children();
                let title = children.find(|child| child.tag_name().name() == "title");
                let title = title.unwrap().text().unwrap();
                title.split("->").next().unwrap().to_string()
            };
            (from, wire(edge).0)
        })
        .collect()
}

/// How many crossings can be seen: points where a wire crosses one that leaves another box. Where wires of one box run
/// together, they are seen as one.
fn crossings(wires: &[SeenWire]) -> usize {
    let mut pieces: Vec<(&str, [(f64, f64); 2])> = Vec::new();
    for (from, points) in wires {
        for two in points.windows(2) {
            let mut ends = [two[0], two[1]];
            ends.sort_by(|a, b| a.0.total_cmp(&b.0));
            pieces.push((from, ends));
        }
    }
    pieces.sort_by(|a, b| a.1[0].0.total_cmp(&b.1[0].0));
    let mut found: BTreeMap<(&str, &str), Vec<(f64, f64)>> = BTreeMap::new();
    let mut open: Vec<(&str, [(f64, f64); 2])> = Vec::new();
    for &(from, [p, q]) in &pieces {
        open.retain(|(_, ends)| ends[1].0 >= p.0);
        for &(other, [r, s]) in open.iter().filter(|(other, _)| *other != from) {
            let ahead = (q.0 - p.0, q.1 - p.1);
            let theirs = (s.0 - r.0, s.1 - r.1);
            let apart = (r.0 - p.0, r.1 - p.1);
            let cross = |a: (f64, f64), b: (f64, f64)| a.0 * b.1 - a.1 * b.0;
            let turn = cross(ahead, theirs);
            let (at, there) = (cross(apart, theirs) / turn, cross(apart, ahead) / turn);
            if (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&there) {
                let point = (p.0 + at * ahead.0, p.1 + at * ahead.1);
                let known = found.entry((from.min(other), from.max(other))).or_default();
                let near = |known: &&(f64, f64)| {
                    (known.0 - point.0).abs() + (known.1 - point.1).abs() < 4.0
                };
                if known.iter().find(near).is_none() {
                    known.push(point);
                }
            }
        }
        open.push((from, [p, q]));
    }
    found.values().map(Vec::len).sum()
}

/// The crossings in our picture, and in that of Graphviz if there is one.
fn compared(desk: &mut Desk, root: &str) -> (usize, Option<usize>) {
    let svg = text(desk, root, "svg");
    let ours = crossings(&wires(&Document::parse(&svg).unwrap()));
    let dot = text(desk, root, "dot");
    let found = Command::new("dot").arg("-V").stderr(Stdio::null()).status();
    let theirs = found.is_ok().then(|| {
        let mut command = Command::new("dot");
        command
            .arg("-Tsvg")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = crate::common::process::feed(command, dot.as_bytes());
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        crossings(&wires(
            &Document::parse_with_options(&ran.out, options).unwrap(),
        ))
    });
    (ours, theirs)
}

/// In networks about as few wires cross as in the picture that Graphviz makes, in graphs by chance not many. The numbers on
/// record say when the layout changes. Operands of `-` and `/` arrive in their order here and in any order there, so these
/// graphs have none.
#[test]
fn few_wires_cross() {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (shape, most) in [(&[3, 4, 1][..], [6, 13]), (&[3, 4, 4, 1], [27, 34])] {
        for (bias_first, most) in [true, false].into_iter().zip(most) {
            let (lines, root) = network(shape, bias_first);
            let (ours, theirs) = compared(&mut Desk::with(&lines), &root);
            found.push((ours, most, theirs));
            if ours != most || theirs.is_some_and(|theirs| ours > theirs) {
                wrong.push((ours, most, theirs));
            }
        }
    }
    assert_eq!(wrong, [], "{found:?}");
    let crossings = |seed| {
        let svg = text(&mut Desk::with(&layered(seed)), "r", "svg");
        crossings(&wires(&Document::parse(&svg).unwrap()))
    };
    let all: usize = (0..100).map(crossings).sum();
    assert!(all <= 1450, "{all}");
}

/// The columns of a character; this covers the wide characters of the sessions above.
fn cells(c: char) -> usize {
    if ('\u{2e80}'..='\u{ffff}').contains(&c) {
        2
    } else {
        1
    }
}

#[cfg(feature = "png")]
#[test]
fn png_is_the_same_picture() {
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let svg = text(&mut desk, target, "svg");
        let svg = Document::parse(&svg).unwrap();
        let png = picture(&mut desk, target, "png");
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        for (side, length) in [("width", info.width), ("height", info.height)] {
            let wanted = 2.0 * number(svg.root_element(), side);
            assert!(
                (f64::from(length) - wanted).abs() <= 1.0,
                "{name}: {length} {wanted}"
            );
        }
        // Every box covers at least one of these rows.
        let rows = pixels.chunks_exact(3 * info.width as usize).step_by(5);
        let (mut colors, mut white, mut all) = (BTreeSet::new(), 0, 0);
        for pixel in rows.flat_map(|row| row.chunks_exact(3)) {
            all += 1;
            if pixel == [255; 3] {
                white += 1;
            } else {
                colors.insert(pixel);
            }
        }
        let share = f64::from(white) / f64::from(all);
        assert!((0.2..0.97).contains(&share), "{name}: {share} is white");
    }
}

/// The edges that the arrows of a text stand for: from, to, in order.
fn arrows(text: &str, sign: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        // An arrow within a label is not an edge.
        let outside: String = unquoted(line);
        if let Some((from, to)) = outside.split_once(sign) {
            let word = |text: &str| {
                let word: String = text
                    .trim()
                    .chars()
                    .take_while(|c| c.is_alphanumeric())
                    .collect();
                word
            };
            found.push((word(from), word(to)));
        }
    }
    found
}

/// A line without the text between quotation marks.
fn unquoted(line: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut escaped = false;
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

/// Checks that arrows are the edges of a graph, with the operands in order.
fn assert_arrows(name: &str, found: &[(String, String)], graph: &Value) {
    let (_, edges) = known(graph);
    let mut read = BTreeSet::new();
    let mut results = BTreeSet::new();
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for (from, to) in found {
        let id = |word: &str| -> u64 {
            let digits = word.trim_start_matches('n').trim_end_matches("op");
            digits.parse().unwrap_or_else(|_| panic!("{name}: {word}"))
        };
        if from.ends_with("op") {
            assert_eq!(id(from), id(to), "{name}");
            assert!(results.insert(id(to)), "{name}: {to} twice");
        } else {
            assert!(to.ends_with("op"), "{name}: {to}");
            let count = counts.entry(id(to)).or_default();
            read.insert([id(from), id(to), *count]);
            *count += 1;
        }
    }
    assert_eq!(read, edges, "{name}");
    let users: BTreeSet<u64> = edges.iter().map(|edge| edge[1]).collect();
    assert_eq!(results, users, "{name}");
}

#[test]
fn dot_has_the_edges() {
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let dot = text(&mut desk, target, "dot");
        assert_arrows(name, &arrows(&dot, "->"), &graph(&mut desk, target));
    }
    let mut desk = Desk::with(ANCHOR);
    let dot = text(&mut desk, "L", "dot");
    assert!(
        dot.contains("n6 [label=\"a*b + c\\ndata 4\\ngrad -2\""),
        "{dot}"
    );
}

/// Graphviz accepts the file, and all labels survive unchanged.
#[test]
fn graphviz_reads_dot() {
    if Command::new("dot")
        .arg("-V")
        .stderr(Stdio::null())
        .status()
        .is_err()
    {
        assert!(std::env::var_os("CI").is_none(), "graphviz is needed here");
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no `dot` (graphviz) to read the dot files"
        );
        return;
    }
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let dot = text(&mut desk, target, "dot");
        let mut command = Command::new("dot");
        command
            .arg("-Tsvg")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = crate::common::process::feed(command, dot.as_bytes());
        assert_eq!(
            (ran.status, ran.err.as_str()),
            (Some(0), ""),
            "{name}:\n{dot}"
        );
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let theirs = Document::parse_with_options(&ran.out, options).unwrap();
        let drawn: BTreeSet<String> = texts(theirs.root_element())
            .filter_map(|text| text.text())
            .map(|text| text.replace('\u{a0}', " ").trim().to_string())
            .collect();
        // The labels are those of the program's own picture, whose boxes may be narrower.
        for node in graph(&mut desk, target)["nodes"].as_array().unwrap() {
            let whole = node["label"].as_str().unwrap();
            let label = whole.split_whitespace().collect::<Vec<_>>().join(" ");
            if whole.chars().map(cells).sum::<usize>() <= 28 && node["what"] != "constant" {
                let squeezed =
                    |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ") == label;
                assert!(
                    drawn.iter().any(squeezed),
                    "{name}: {label:?} is not in {drawn:?}"
                );
            }
        }
    }
}

#[test]
fn mermaid_has_the_edges() {
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let mermaid = text(&mut desk, target, "mmd");
        let graph = graph(&mut desk, target);
        assert!(mermaid.starts_with("flowchart LR\n"), "{name}");
        let lines = mermaid
            .lines()
            .filter(|line| !line.trim_start().starts_with("%%"));
        let code: String = lines.map(|line| format!("{line}\n")).collect();
        assert_arrows(name, &arrows(&code, "-->"), &graph);
        for node in graph["nodes"].as_array().unwrap() {
            let begin = format!("  n{}[\"", node["id"]);
            let line = code.lines().find(|line| line.starts_with(&begin));
            let line = line.unwrap_or_else(|| panic!("{name}: {begin}"));
            let (label, _) = line[begin.len()..].split_once("\"]:::").unwrap();
            let label = label.split("<br/>").next().unwrap();
            assert!(
                !label.contains([
                    '"', '<', '>', '&', '*', '`', '[', ']', '{', '}', '\\', '|', ':'
                ]),
                "{name}: {label}"
            );
            let wanted = node["label"].as_str().unwrap();
            if wanted.chars().map(cells).sum::<usize>() <= 28 {
                assert_eq!(decoded(label), wanted, "{name}");
            }
        }
    }
}

/// Decodes escapes such as `#42;`, which is a star.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('#') {
        let (code, after) = after.split_once(';').unwrap();
        out.push_str(before);
        out.push(char::from_u32(code.parse().unwrap()).unwrap());
        rest = after;
    }
    out + rest
}

#[test]
fn json_is_what_the_command_answers() {
    for (name, lines, target) in sessions() {
        let mut desk = Desk::with(&lines);
        let file = text(&mut desk, target, "json");
        let read: Value =
            serde_json::from_str(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut said = graph(&mut desk, target);
        let fields = said.as_object_mut().unwrap();
        for field in ["file", "line", "notes"] {
            fields.remove(field);
        }
        assert_eq!(read, said, "{name}");
        let count =
            read["nodes"].as_array().unwrap().len() + read["edges"].as_array().unwrap().len();
        let deep = file.lines().filter(|line| line.starts_with("    "));
        assert_eq!(deep.count(), count, "{name}: one node or edge a line");
    }
}

/// Graphs of the largest size that is drawn: a chain, and a sum with edges between distant nodes.
#[test]
fn large_graphs_are_drawn() {
    let mut wide = String::from("y = a0*a0");
    let mut names: Vec<String> = (0..150).map(|n| format!("a{n} = {n}")).collect();
    for n in 1..150 {
        let _ = write!(wide, " + a{n}*a{}", n * 7 % 150);
    }
    names.push(wide);
    let mut chain = vec!["y = 1".to_string()];
    chain.extend(std::iter::repeat_n("y = tanh(y)".to_string(), 1_000));
    for lines in [names, chain] {
        let mut desk = Desk::with(&lines);
        for ending in ["svg", "dot", "mmd", "json"] {
            let start = Instant::now();
            let drawn = text(&mut desk, "y", ending);
            assert!(drawn.len() > 10_000, "{ending}");
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "{ending}: {:?}",
                start.elapsed()
            );
        }
    }
}

/// A picture with too many pixels is an error that suggests a format without pixels.
#[cfg(feature = "png")]
#[test]
fn a_picture_too_large_for_pixels_is_an_error() {
    let mut lines = vec!["y = 1".to_string()];
    lines.extend(std::iter::repeat_n("y = tanh(y)".to_string(), 1_990));
    lines.push(":grad y;".to_string());
    let mut desk = Desk::with(&lines);
    let picture = desk.picture(":graph y file.png");
    let error = view::picture(&picture, "png", &Style::default());
    let error = error.expect_err("it is too large");
    assert!(
        error.contains("40 million") && error.contains("`.svg`"),
        "{error}"
    );
}

/// A program without the feature `png` says what to type instead, and the session goes on.
#[cfg(not(feature = "png"))]
#[test]
fn without_pixels_a_png_names_the_way_out() {
    let folder = Folder::new();
    let file = folder.0.join("lesson.png").to_string_lossy().into_owned();
    for line in [format!(":graph a {file}"), format!(":plot a {file}")] {
        let ran = crate::common::process::run(&["--keep-going"], format!("a = 2\n{line}\na*3\n"));
        assert_eq!(ran.out, "a = 2\n6\n");
        let error = "error: this program was built without `.png` pictures\n --> -:2:";
        assert!(ran.err.starts_with(error), "{}", ran.err);
        let way_out = file.replace(".png", ".svg");
        assert!(
            ran.err.contains(&format!("name the file `{way_out}`")),
            "{}",
            ran.err
        );
    }
    assert!(!folder.0.join("lesson.png").exists());
}

/// Each file that cannot be written gives a reason, and the session goes on.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_written() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).to_string_lossy().into_owned();
    std::fs::create_dir(folder.0.join("taken.svg")).unwrap();
    for (file, said) in [
        (path("nowhere/x.svg"), "there is no folder"),
        (path("taken.svg"), "is a folder, a file was expected"),
        (
            path("x.pdf"),
            "has no ending that is known here: `.svg`, `.png`, `.dot`",
        ),
    ] {
        let ran = crate::common::process::run(
            &["--keep-going"],
            format!("a = 2\n:graph a {file}\na*3\n"),
        );
        assert!(ran.err.contains(said), "{file}: {}", ran.err);
        assert_eq!(ran.out, "a = 2\n6\n", "{file}");
    }
}

/// Grads of another root are told as such, also where that root does not use the one of the picture; a constant has none.
#[test]
fn a_caption_says_whose_the_grads_are() {
    let mut desk = Desk::with(&["a, b, c = 2, 3, 4", "L = a*b", "Q = a*c", "R = L + c"]);
    let last = |desk: &mut Desk, line: &str| {
        let out = desk.screen(line);
        out.lines().last().unwrap().to_string()
    };
    assert_eq!(last(&mut desk, ":graph 3"), "3");
    desk.line(":grad Q");
    assert_eq!(last(&mut desk, ":graph L"), "grads of Q, not of L");
    assert_eq!(
        last(&mut desk, ":graph b^2"),
        "the last pass, of Q, does not reach this"
    );
    assert_eq!(last(&mut desk, ":graph 3"), "3");
    desk.line(":grad R");
    assert_eq!(last(&mut desk, ":graph L"), "grads of R");
}
