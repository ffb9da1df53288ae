//! Graphs as SVG, read back: everything is there, nothing lies on anything else, and wires run from box to box.
//!
//! Whether they look good was judged by eye.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::builder::{Builder, Chance, network_with, random};
use crate::common::svg::{self, Area};
use crate::common::{Example, examples, graph_file, lecture, odd_labels, with_numbers};
use chainrule_pictures::{graph_element, picture};
use chainrule_report::{Diagram, Flow, Kind, Picture};
use chainrule_style::{Movement, Style};

#[test]
fn svg_holds_the_graph() {
    for Example { name, diagram, svg } in examples() {
        assert!(
            !svg.contains(|c: char| c.is_control() && c != '\n'),
            "{name}"
        );
        let svg = svg::parse(svg);
        let root = svg.root_element();
        assert_eq!(root.attribute("role"), Some("group"), "{name}");
        let whole = svg::whole(&svg);
        let view = format!("0 0 {} {}", whole.right, whole.bottom);
        assert_eq!(root.attribute("viewBox"), Some(&*view), "{name}");
        for tag in ["title", "style"] {
            let said = svg::all(root, tag)[0].text();
            assert!(said.is_some_and(|text| !text.is_empty()), "{name}: {tag}");
        }
        let keys = |class| -> Vec<String> {
            let groups = svg::groups(&svg, class).into_iter();
            let mut keys: Vec<String> = groups.map(|it| svg::key(it).to_string()).collect();
            keys.sort();
            keys
        };
        let id = |place: usize| diagram.vertices[place].id;
        let mut nodes: Vec<String> = diagram
            .vertices
            .iter()
            .map(|it| it.id.to_string())
            .collect();
        let applied = diagram.vertices.iter().filter(|it| it.operation.is_some());
        let mut operations: Vec<String> = applied.map(|it| it.id.to_string()).collect();
        let edges = diagram.edges();
        let mut edges: Vec<String> = edges
            .map(|it| format!("{}-{}-{}", id(it.operand), id(it.user), it.position))
            .chain(operations.iter().cloned())
            .collect();
        for keys in [&mut nodes, &mut operations, &mut edges] {
            keys.sort();
        }
        assert_eq!(keys("node"), nodes, "{name}");
        assert_eq!(keys("operation"), operations, "{name}");
        assert_eq!(keys("edge"), edges, "{name}");
    }
}

/// Every box contains its label (or both ends of it), its numbers, and everything in full in the tip.
#[test]
fn svg_says_what_is_known() {
    let said = |diagram: &Diagram| -> BTreeSet<String> {
        let text = graph_file(diagram);
        let svg = svg::parse(&text);
        let boxes = svg::groups(&svg, "node").into_iter();
        let told = boxes.map(|group| {
            let tip = svg::tip(group).replace('\n', "; ");
            format!("{} | {tip}", svg::words(group).join(" "))
        });
        told.collect()
    };
    let expected = [
        "L data -8 grad 1 | L = (a*b + c)*f; data -8; grad 1",
        "a data 2 grad 6 | a; leaf; data 2; grad 6",
        "a*b + c data 4 grad -2 | a*b + c; data 4; grad -2",
        "a*b data -6 grad -2 | a*b; data -6; grad -2",
        "b data -3 grad -4 | b; leaf; data -3; grad -4",
        "c data 10 grad -2 | c; leaf; data 10; grad -2",
        "f data -2 grad 4 | f; leaf; data -2; grad 4",
    ];
    assert_eq!(said(&lecture()), expected.map(String::from).into());
    let odd = said(&odd_labels());
    for wanted in [
        "a_name_of_forty_…jklmnop 1e300 | a_name_of_forty_letters_abcdefghijklmnop; constant; data 1e300",
        "0.1 | 0.1; constant; data 0.1",
        "ln(z - 1) first NaN data NaN grad NaN | ln(z - 1); first NaN; data NaN; grad NaN",
        "größe frozen data 5e-324 grad -0 | größe; frozen; data 5e-324; grad -0",
    ] {
        assert!(odd.contains(wanted), "{wanted}: {odd:#?}");
    }
    let text = graph_file(&odd_labels());
    assert!(
        text.contains("b-not-finite") && text.contains("class=\"f-not-finite data\""),
        "{text}"
    );
    let text = graph_file(&lecture());
    let svg = svg::parse(&text);
    let parts = svg::all(svg::groups(&svg, "root")[0], "text").into_iter();
    let parts: Vec<_> = parts.filter_map(|text| text.attribute("class")).collect();
    assert_eq!(
        parts,
        ["label", "f-faint", "data", "f-faint", "f-rising grad"]
    );
}

/// The picture on a page, whose boxes have room for numbers that change.
fn picture_in_page(diagram: &Diagram) -> String {
    let style = Style {
        movement: Movement::Possible,
        ..Style::default()
    };
    graph_element(diagram, &style)
}

#[test]
fn boxes_and_numbers_touch_nothing_and_hold_their_text() {
    let examples = examples();
    let files = examples.iter();
    let files = files.map(|it| (it.name.clone(), it.svg.to_string()));
    let pages = examples.iter().step_by(6);
    let pages = pages.map(|it| (it.name.clone() + " in a page", picture_in_page(&it.diagram)));
    for (name, svg) in files.chain(pages) {
        let svg = svg::parse(&svg);
        let whole = svg::whole(&svg);
        let classes = [
            ("node", 2.0, 4.0),
            ("operation", 2.0, 4.0),
            ("number", 3.0, 2.0),
        ];
        let mut taken: Vec<Area> = Vec::new();
        for (class, edge, gap) in classes {
            for group in svg::groups(&svg, class) {
                let area = svg::outline(group);
                assert!(whole.holds(area), "{name}: {group:?} is not on the picture");
                for other in &taken {
                    assert!(area.is_apart(*other, gap), "{name}: {group:?} on {other:?}");
                }
                taken.push(area);
                for text in svg::all(group, "text") {
                    let words = svg::text_area(text);
                    let inside = words.left >= area.left + edge && words.right <= area.right - edge;
                    let inside = inside && words.top >= area.top && words.bottom <= area.bottom;
                    assert!(inside, "{name}: {:?} leaves its box", text.text());
                }
            }
        }
        for text in svg::all(svg.root(), "text") {
            assert!(whole.holds(svg::text_area(text)), "{name}: {text:?}");
        }
    }
}

/// Wires begin at the box that they come from, run the way the picture does, and end on the outline of their operation
/// or box. None runs through a box.
#[test]
fn wires_run_from_box_to_box() {
    for Example { name, diagram, svg } in examples() {
        let svg = svg::parse(svg);
        let keyed = |class| -> BTreeMap<&str, _> {
            let groups = svg::groups(&svg, class).into_iter();
            groups.map(|group| (svg::key(group), group)).collect()
        };
        let (boxes, ovals) = (keyed("node"), keyed("operation"));
        let far = |point, group| {
            let radius = svg::number(svg::all(group, "rect")[0], "rx");
            svg::outline(group).off_outline(point, radius)
        };
        let lines: Vec<_> = svg::groups(&svg, "edge")
            .into_iter()
            .map(|edge| (svg::key(edge), svg::wire(&svg, edge)))
            .collect();
        let runs = |way: fn(svg::Point) -> f64| {
            let lines = lines.iter();
            let bad = lines.filter(|(_, (line, _))| {
                line.windows(2).any(|two| way(two[1]) < way(two[0]) - 0.01)
            });
            bad.map(|(key, _)| *key).collect::<Vec<_>>()
        };
        let (right, down) = (runs(|it| it.0), runs(|it| it.1));
        match diagram.flow {
            Some(Flow::Right) => assert!(right.is_empty(), "{name}: {right:?} run back"),
            Some(Flow::Down) => assert!(down.is_empty(), "{name}: {down:?} run back"),
            None => assert!(
                right.is_empty() || down.is_empty(),
                "{name}: {right:?} {down:?}"
            ),
        }
        for (key, (line, head)) in &lines {
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
            for shape in boxes
                .values()
                .chain(ovals.values())
                .filter(|it| **it != from && **it != to)
            {
                assert!(
                    !svg::outline(*shape).is_entered_by(line),
                    "{name}: {key} runs through {shape:?}"
                );
            }
        }
    }
}

/// Every number stands on its wire, is short, says what it is, and lies on no other wire.
#[test]
fn numbers_stand_on_their_wires() {
    for Example { name, diagram, svg } in examples() {
        let svg = svg::parse(svg);
        let edges = svg::groups(&svg, "edge").into_iter();
        let wires: BTreeMap<&str, _> = edges
            .map(|it| (svg::key(it), svg::wire(&svg, it).0))
            .collect();
        let id = |place: usize| diagram.vertices[place].id;
        let wanted = diagram.edges().filter_map(|edge| {
            let (user, position) = (edge.user, edge.position);
            let on_wire = diagram.vertices[user].on_wires.get(position)?.as_ref()?;
            let key = format!("{}-{}-{position}", id(edge.operand), id(user));
            Some((key, on_wire))
        });
        let wanted: BTreeMap<String, _> = wanted.collect();
        let numbers = svg::groups(&svg, "number");
        assert_eq!(numbers.len(), wanted.len(), "{name}");
        for group in numbers {
            let (key, area) = (svg::key(group), svg::outline(group));
            let off = svg::distance(area.middle(), &wires[key]);
            assert!(off < 0.6, "{name}: {key} is {off} from its wire");
            for (other, line) in wires.iter().filter(|(other, _)| **other != key) {
                assert!(!area.is_entered_by(line), "{name}: {key} lies on {other}");
            }
            let on_wire = wanted[key];
            let said = svg::all(group, "text")[0];
            let words = said.text().unwrap_or_default();
            assert!(words.trim_start_matches('-').len() <= 6, "{name}: {words}");
            let shown: f64 = words.parse().expect("a number");
            let exact = on_wire.number;
            let is_near = |number: f64, part: f64| {
                (number - exact).abs() <= part * exact.abs()
                    || number == exact
                    || number.is_nan() && exact.is_nan()
            };
            assert!(is_near(shown, 0.06), "{name}: {shown} for {exact}");
            let class = said.attribute("class").unwrap_or_default();
            assert_eq!(
                class.contains("not-finite"),
                !exact.is_finite(),
                "{name}: {key}"
            );
            let parts: Vec<&str> = svg::tip(group).split(" = ").collect();
            let formula = Some(&*on_wire.formula).filter(|formula| !formula.is_empty());
            let said: Vec<&str> = [&*on_wire.name].into_iter().chain(formula).collect();
            let (last, before) = parts.split_last().expect("a tip says something");
            assert_eq!(before, said, "{name}: {key}");
            assert!(
                is_near(last.parse().expect("a number"), 1e-5),
                "{name}: {last}"
            );
        }
    }
}

/// What several wires share is drawn once, so a file grows as the graph does.
#[test]
fn files_of_long_graphs_are_short() {
    let chain = |operations: usize| {
        let mut graph = in_any_order();
        let x = graph.leaf("x", 0.5);
        let mut last = graph.leaf("y0", 1.0);
        for at in 0..operations {
            let sine = graph.apply("", "sin", &[last], 1.0);
            let factor = graph.push(&at.to_string(), Kind::Constant, None, &[], at as f64);
            let factor = graph.apply("", "*", &[x, factor], 1.0);
            last = graph.apply(&format!("y{at}"), "+", &[sine, factor], 1.0);
        }
        let mut diagram = graph.diagram();
        for vertex in &mut diagram.vertices {
            vertex.grad = None;
        }
        graph_file(&diagram)
    };
    let [short, long] = [chain(100), chain(400)];
    assert!(long.len() <= 1_500_000, "{}", long.len());
    assert!(
        long.len() < short.len() * 9 / 2,
        "{} {}",
        short.len(),
        long.len()
    );
    let svg = svg::parse(&short);
    let mut begun = BTreeSet::new();
    for group in ["edge", "trunk"]
        .into_iter()
        .flat_map(|class| svg::groups(&svg, class))
    {
        let path = svg::all(group, "path")[0].attribute("d");
        assert!(begun.insert(path), "{path:?} is drawn twice");
    }
}

/// Directions are obeyed; without one a picture runs the way in which it is larger on a slide.
#[test]
fn pictures_run_the_way_they_are_told() {
    for ways in examples().chunks(6) {
        let name = &ways[1].name;
        let [free, right, down] = [1, 3, 5].map(|at| svg::whole(&svg::parse(ways[at].svg)));
        let is_long = ["chain", "lecture", "network"]
            .iter()
            .any(|it| name.starts_with(it));
        let is_turned = down.right < right.right && down.bottom > right.bottom;
        assert!(is_turned || !is_long, "{name}: {right:?} {down:?}");
        let scale = |area: Area| (1600.0 / area.right).min(900.0 / area.bottom).min(1.0);
        assert!(scale(free) * 1.2 >= scale(right).max(scale(down)), "{name}");
    }
}

/// A wire: what it leaves, and its points.
type SeenWire = (String, Vec<svg::Point>);

/// The wires of a picture.
fn wires(text: &str) -> Vec<SeenWire> {
    let svg = svg::parse(text);
    let edges = svg::groups(&svg, "edge").into_iter();
    let wire = |edge| {
        let from = match svg::key(edge).split_once('-') {
            Some((from, _)) => from.to_string(),
            None => format!("op{}", svg::key(edge)),
        };
        (from, svg::wire(&svg, edge).0)
    };
    edges.map(wire).collect()
}

/// How many crossings can be seen: points where a wire crosses one that leaves another box. Where wires of one box run
/// together, they are seen as one.
fn crossings(wires: &[SeenWire]) -> usize {
    let mut pieces: Vec<(&str, [svg::Point; 2])> = Vec::new();
    for (from, points) in wires {
        for two in points.windows(2) {
            let mut ends = [two[0], two[1]];
            ends.sort_by(|a, b| a.0.total_cmp(&b.0));
            pieces.push((from, ends));
        }
    }
    pieces.sort_by(|a, b| a.1[0].0.total_cmp(&b.1[0].0));
    let mut found: BTreeMap<(&str, &str), Vec<svg::Point>> = BTreeMap::new();
    let mut open: Vec<(&str, [svg::Point; 2])> = Vec::new();
    for &(from, [p, q]) in &pieces {
        open.retain(|(_, ends)| ends[1].0 >= p.0);
        for &(other, [r, s]) in open.iter().filter(|(other, _)| *other != from) {
            let ahead = (q.0 - p.0, q.1 - p.1);
            let theirs = (s.0 - r.0, s.1 - r.1);
            let apart = (r.0 - p.0, r.1 - p.1);
            let cross = |a: svg::Point, b: svg::Point| a.0 * b.1 - a.1 * b.0;
            let turn = cross(ahead, theirs);
            let (at, there) = (cross(apart, theirs) / turn, cross(apart, ahead) / turn);
            if (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&there) {
                let point = svg::between(p, q, at);
                let known = found.entry((from.min(other), from.max(other))).or_default();
                let is_near = |known: &svg::Point| {
                    (known.0 - point.0).abs() + (known.1 - point.1).abs() < 4.0
                };
                if !known.iter().any(is_near) {
                    known.push(point);
                }
            }
        }
        open.push((from, [p, q]));
    }
    found.values().map(Vec::len).sum()
}

/// A graph in layers by chance: most operands are in the layer before, some further back.
fn layered_diagram(seed: u64) -> Diagram {
    let mut chance = Chance::new(seed + 1);
    let mut graph = in_any_order();
    let (mut all, mut before): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for layer in 0..chance.below(5) + 4 {
        let mut made = Vec::new();
        for at in 0..chance.below(7) + 2 {
            let name = format!("n{layer}_{at}");
            let (sign, count) =
                [("+", 2), ("*", 2), ("max", 3), ("tanh", 1), ("tanh", 1)][chance.below(5)];
            let mut operands = Vec::new();
            for _ in 0..count {
                let from = if chance.below(4) > 0 { &before } else { &all };
                if !from.is_empty() {
                    operands.push(from[chance.below(from.len())]);
                }
            }
            made.push(if operands.len() == count {
                graph.apply(&name, sign, &operands, 1.0)
            } else {
                graph.leaf(&name, 1.0)
            });
        }
        all.extend(&made);
        before = made;
    }
    graph.apply("r", "max", &before, 1.0);
    graph.diagram()
}

fn in_any_order() -> Builder {
    Builder::with_any_order(&["+", "*", "max"])
}

/// In networks few wires cross, in graphs by chance not many. The numbers on record say when the layout changes.
#[test]
fn few_wires_cross() {
    for (shape, most) in [(&[3, 4, 1][..], [8, 13]), (&[3, 4, 4, 1], [25, 34])] {
        for (bias_first, most) in [true, false].into_iter().zip(most) {
            let diagram = network_with(shape, bias_first, in_any_order());
            let crossed = crossings(&wires(&graph_file(&diagram)));
            assert_eq!(crossed, most, "{shape:?}");
        }
    }
    let all = (0..100).map(|seed| crossings(&wires(&graph_file(&layered_diagram(seed)))));
    let all: usize = all.sum();
    assert!(all <= 1450, "{all}");
}

/// A picture has the colours of a ground that is fixed, and no others.
#[test]
fn a_fixed_ground_is_the_only_one() {
    for (is_dark, ground) in [(false, "#ffffff"), (true, "#14171c")] {
        let style = Style {
            is_always_dark: Some(is_dark),
            ..Style::default()
        };
        for Example { name, diagram, .. } in examples().into_iter().step_by(12) {
            let (text, _) = picture(&Picture::Graph(diagram), &style).expect("it can be drawn");
            assert!(!text.contains("@media") && !text.contains("light dark"));
            let svg = svg::parse(&text);
            let colors = svg.root_element().attribute("style").unwrap_or_default();
            assert!(colors.contains(&format!("--ground:{ground};")), "{name}");
            for group in svg::groups(&svg, "node") {
                let fill = svg::all(group, "rect")[0].attribute("fill");
                let fill = fill.unwrap_or_default();
                assert!(colors.contains(&format!(":{fill};")), "{name}: {fill}");
            }
        }
    }
}

/// Graphs of the largest size that is drawn.
#[test]
fn large_graphs_are_drawn() {
    for diagram in [random(3, 40, 1_900), with_numbers(random(4, 5, 600))] {
        assert!(graph_file(&diagram).len() > 10_000);
    }
}

/// While a slider moves, all stays where it was, however long the numbers become, and the picture after that is as if no
/// other one had been drawn.
#[test]
fn a_graph_stays_still_while_its_numbers_change() {
    let drawn = |diagram: &Diagram, movement: Movement| {
        let style = Style {
            movement,
            ..Style::default()
        };
        graph_element(diagram, &style)
    };
    let (possible, going) = (Movement::Possible, Movement::Going);
    let wires = |text: &str| -> Vec<String> {
        let svg = svg::parse(text);
        let paths = svg::all(svg.root_element(), "path").into_iter();
        paths
            .filter_map(|path| path.attribute("d").map(String::from))
            .collect()
    };
    let short = with_numbers(lecture());
    let long = || {
        let mut diagram = with_numbers(lecture());
        for vertex in &mut diagram.vertices {
            vertex.data = Some(-1.234_567e-7);
        }
        diagram
    };
    let first = drawn(&short, possible);
    let still = drawn(&long(), going);
    assert_eq!(wires(&still), wires(&first));
    assert!(still.contains(">-1.23457e-7<"), "{still}");
    // One with other labels is another graph.
    let mut other = long();
    other.vertices[0].label = "a_longer_label".to_owned();
    assert_ne!(wires(&drawn(&other, going)), wires(&first));
    let last = drawn(&long(), possible);
    assert_ne!(wires(&last), wires(&first));
    let fresh = std::thread::spawn(move || drawn(&long(), possible)).join();
    assert_eq!(fresh.expect("a picture"), last);
}
