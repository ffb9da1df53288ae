//! `:graph L changed`: what the boxes tell of before and after is what the same graph told before the change.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use chainrule::view::Style;
use chainrule::view::theme::Theme;
use roxmltree::Document;
use serde_json::Value;

use crate::common::{self, Desk};
use crate::pictures::{ANCHOR, NEURON, graph, groups, text, texts};

fn by_id(graph: &Value) -> BTreeMap<String, Value> {
    let nodes = graph["nodes"].as_array().unwrap().iter();
    nodes
        .map(|node| (node["id"].to_string(), node.clone()))
        .collect()
}

/// The caption of a picture, and the words of each box by the label.
fn boxes(svg: &str) -> (String, BTreeMap<String, (String, bool)>) {
    let svg = Document::parse(svg).unwrap();
    let mut found = BTreeMap::new();
    for group in groups(&svg, "node") {
        let words: Vec<&str> = texts(group).filter_map(|text| text.text()).collect();
        let class = group.attribute("class").unwrap();
        let faded = class.split(' ').any(|word| word == "unchanged");
        found.insert(words[0].to_string(), (words[1..].join(" "), faded));
    }
    let captions = texts(svg.root_element())
        .filter(|text| text.attribute("class").unwrap().contains("caption"))
        .filter_map(|text| text.text());
    (captions.collect::<Vec<_>>().join(" "), found)
}

/// `before` of each node is what the graph said before the statement, for every statement that changes data.
#[test]
fn before_is_what_was_before() {
    let sessions: [(&[&str], &str, &[&str]); 3] = [
        (
            ANCHOR,
            "L",
            &[
                ":set a 3",
                ":set b -3.5, f 1e300",
                ":step 0.01 of L",
                ":step 0.01 7",
                "a.data = 7",
            ],
        ),
        (
            NEURON,
            "o",
            &[
                ":grad o",
                ":set x1 0.1",
                ":step -0.3 of o",
                ":step 0.1 30 of o",
                ":set w2 nan",
            ],
        ),
        (
            &[
                "x = [1, 2, 3]",
                "const k = 2",
                "L = sum(x^k) + max(x[1], 5)",
                ":grad L",
            ],
            "L",
            &[":set x[2] -1", ":set k 3", ":step 0.001 of L"],
        ),
    ];
    for (lines, root, statements) in sessions {
        let mut desk = Desk::with(lines);
        for statement in statements {
            let then = by_id(&graph(&mut desk, root));
            desk.line(statement);
            if statement.starts_with(":grad") {
                continue;
            }
            desk.line(&format!(":grad {root}"));
            let now = graph(&mut desk, &format!("{root} changed"));
            for (id, node) in by_id(&now) {
                for number in ["data", "grad"] {
                    assert_eq!(
                        node["before"][number], then[&id][number],
                        "{statement}: {number} of {}",
                        node["label"]
                    );
                }
            }
        }
    }
}

/// The grads of several passes, or of none, have no former ones.
#[test]
fn unknown_grads_are_not_guessed() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = a*b", ":set a 3"]);
    let before = |desk: &mut Desk| graph(desk, "L changed")["nodes"][0]["before"].clone();
    assert_eq!(before(&mut desk)["grad"], Value::Null);
    desk.line(":grad L; :set b 5; :backward L");
    let passes = desk.session.pass().unwrap().roots().len();
    assert_eq!(before(&mut desk)["grad"].is_null(), passes > 1);
    desk.line(":walk L; :next");
    assert_eq!(before(&mut desk)["grad"], Value::Null);
    assert_eq!(before(&mut desk)["data"], 9);
}

/// Boxes tell both numbers where they differ, the others are faded; the caption names the statement.
#[test]
fn boxes_tell_both_numbers() {
    let mut desk = Desk::with(ANCHOR);
    desk.line(":set a   3");
    desk.line(":grad L");
    for way in ["", " down", " right"] {
        let (caption, said) = boxes(&text(&mut desk, &format!("L changed{way}"), "svg"));
        assert_eq!(caption, "changed by :set a 3");
        let expected = [
            ("L", ("data -8 → -2 grad 1", false)),
            ("a", ("data 2 → 3 grad 6", false)),
            ("a*b", ("data -6 → -9 grad -2", false)),
            ("a*b + c", ("data 4 → 1 grad -2", false)),
            ("b", ("data -3 grad -4 → -6", true)),
            ("c", ("data 10 grad -2", true)),
            ("f", ("data -2 grad 4 → 1", true)),
        ];
        let expected =
            expected.map(|(label, (words, faded))| (label.to_string(), (words.to_string(), faded)));
        assert_eq!(said, expected.into());
    }
    // Faded: an outline of its own and faint words, whose contrasts the palette's tests measure in light and dark.
    let svg = text(&mut desk, "L changed", "svg");
    let svg = Document::parse(&svg).unwrap();
    let faded = groups(&svg, "unchanged");
    assert_eq!(faded.len(), 3);
    for group in faded {
        let rect = group
            .children()
            .find(|child| child.has_tag_name(("http://www.w3.org/2000/svg", "rect")));
        assert_eq!(
            rect.unwrap().attribute("class"),
            Some("f-unchanged-fill s-unchanged")
        );
        for word in texts(group) {
            assert!(word.attribute("class").unwrap().starts_with("f-faint"));
        }
    }
    let wires = groups(&svg, "edge").into_iter().filter(|edge| {
        let mut paths = edge.children();
        paths.any(|path| path.attribute("class") == Some("s-unchanged"))
    });
    assert_eq!(wires.count(), 3, "the wires from b, c and f");
}

/// Digits are as many as it takes to tell the two numbers apart, and NaN is marked.
#[test]
fn numbers_are_told_apart_and_marked() {
    let mut desk = Desk::with(&["x = 1", "y = ln(x)", ":set x 1.0000000001"]);
    let (_, said) = boxes(&text(&mut desk, "y changed", "svg"));
    assert_eq!(said["x"].0, "data 1 → 1.0000000001 grad ·");
    desk.line(":set x -1");
    let svg = text(&mut desk, "y changed", "svg");
    let (_, said) = boxes(&svg);
    assert!(
        said["y"]
            .0
            .starts_with("first NaN data 1.00000008274e-10 → NaN")
            || said["y"].0.starts_with("first NaN data 1e-10 → NaN"),
        "{said:?}"
    );
    let svg = Document::parse(&svg).unwrap();
    let data = texts(groups(&svg, "first")[0]).find(|text| text.text().unwrap().contains('→'));
    assert_eq!(data.unwrap().attribute("class"), Some("f-not-finite data"));
}

fn shown(desk: &mut Desk, line: &str, style: &Style) -> String {
    common::shown(line, &desk.try_line(line), style)
}

#[test]
fn the_terminal_tells_both_numbers() {
    let mut desk = Desk::with(&["a, b = 2, -3", "L = a*b", ":set a 3"]);
    let out = shown(&mut desk, ":graph L changed", &Style::default());
    let expected = "\
╭ a ─────────╮
│ data 2 → 3 ├─╮
│ grad ·     │ │      ╭ L ───────────╮
╰────────────╯ ├─(*)──┤ data -6 → -9 │
╭ b ─────────╮ │      │ grad  ·      │
│ data -3    ├─╯      ╰──────────────╯
│ grad  ·    │
╰────────────╯
changed by :set a 3; no gradients yet: :grad
";
    assert_eq!(out, expected);
    for width in [40, 80, 160] {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let mut desk = Desk::with(&[NEURON, &[":step 0.1 of o"]].concat());
        for way in ["", " down"] {
            let out = shown(&mut desk, &format!(":graph o changed{way}"), &style);
            assert!(
                out.lines().all(|line| line.chars().count() <= width),
                "{out}"
            );
        }
    }
    let ascii = Style {
        ascii: true,
        ..Style::default()
    };
    let out = shown(&mut desk, ":graph L changed", &ascii);
    assert!(out.is_ascii() && out.contains("2 -> 3"), "{out}");
    let colored = Style {
        color: Some(Theme::Dark),
        ..Style::default()
    };
    let out = shown(&mut desk, ":graph L changed", &colored);
    let color = |text: &str| {
        let end = out.find(text).unwrap_or_else(|| panic!("{text}: {out}"));
        out[..end]
            .rsplit("\u{1b}[")
            .next()
            .unwrap()
            .split('m')
            .next()
            .unwrap()
            .to_string()
    };
    // A faded label is like the other small words, and a changed one is not.
    assert_eq!(color(" b "), color("data"));
    assert_ne!(color(" a "), color("data"));
}

#[test]
fn other_formats_tell_both_numbers() {
    let mut desk = Desk::with(ANCHOR);
    desk.line(":set a 3");
    let dot = text(&mut desk, "L changed", "dot");
    assert!(dot.contains("label=\"changed by :set a 3"), "{dot}");
    assert!(
        dot.contains("[label=\"{ a | data 2 → 3 | grad 6 }\""),
        "{dot}"
    );
    let faint = |name: &str| {
        let line = dot
            .lines()
            .find(|line| line.contains(&format!("{{ {name} |")));
        line.unwrap().contains("fontcolor")
    };
    assert_eq!(
        ["a", "b", "c", "f", "L"].map(faint),
        [false, true, true, true, false]
    );
    let mermaid = text(&mut desk, "L changed", "mmd");
    assert!(
        mermaid.contains("[\"a<br/>data 2 → 3<br/>grad 6\"]"),
        "{mermaid}"
    );
    let class = mermaid
        .lines()
        .find(|line| line.ends_with(" unchanged"))
        .unwrap();
    assert_eq!(
        class.matches('n').count() - " unchanged".matches('n').count(),
        3,
        "{class}"
    );
    // With the numbers on the wires.
    let both = text(&mut desk, "L changed locals", "dot");
    assert!(
        both.contains("2 → 3") && both.contains("edgetooltip=\"∂"),
        "{both}"
    );
}

/// A list is one box: faded if no item has changed, else it tells how many have.
#[test]
fn a_list_tells_how_many_items_changed() {
    let items = ["1"; 12].join(", ");
    let mut desk = Desk::with(&[
        &format!("x = [{items}]"),
        "a = 2",
        "L = a*sum(x)",
        ":set x[3] 5, x[4] 6",
    ]);
    let (_, said) = boxes(&text(&mut desk, "L changed", "svg"));
    assert_eq!(
        said["x"],
        (
            "12, 2 data changed data 1 → 1 … 6 grad ·".to_string(),
            false
        )
    );
    desk.line(":set a 3");
    let (_, said) = boxes(&text(&mut desk, "L changed", "svg"));
    assert_eq!(said["x"], ("12 data 1 … 6 grad ·".to_string(), true));
    // Grads have a range before the change, too, and are counted.
    desk.line(":grad L");
    desk.line(":set a 5, x[1] 0");
    let (_, said) = boxes(&text(&mut desk, "L changed", "svg"));
    assert_eq!(
        said["x"].0,
        "12, 1 data, 12 grads changed data 1 … 6 → 0 … 6 grad 3 → 5"
    );
    let on_terminal = shown(&mut desk, ":graph L changed", &Style::default());
    assert!(on_terminal.contains("1 … 6 → 0 … 6"), "{on_terminal}");
    // What was made later was not changed, whatever its names are, and what got another name was.
    desk.line("M = x[2]*a; N = L");
    let error = desk.error(":graph M changed");
    assert_eq!(error.message, "no change of data in `M` is known");
    let (caption, _) = boxes(&text(&mut desk, "N changed", "svg"));
    assert!(caption.contains(":set a 5"), "{caption}");
}

/// Only statements that changed data of this graph count, and those that were undone do not.
#[test]
fn the_last_change_of_this_graph_is_shown() {
    let mut desk = Desk::with(&["a, b, z = 2, 3, 4", "L = a*b", "M = z + 1"]);
    let error = desk.error(":graph L changed");
    assert_eq!(error.message, "no change of data in `L` is known");
    assert_eq!(error.span.map(|span| span.start..span.end), Some(9..16));
    let typed = error.help.unwrap().split('`').nth(1).unwrap().to_string();
    assert_eq!(typed, ":set a 3");
    desk.line(&typed);
    let caption = |desk: &mut Desk, target: &str| boxes(&text(desk, target, "svg")).0;
    desk.line(":set z 9; c = 7");
    let first = caption(&mut desk, "L changed");
    assert!(first.starts_with("changed by :set a 3;"), "{first}");
    assert!(caption(&mut desk, "M changed").starts_with("changed by :set z 9;"));
    desk.line(":set b 1");
    assert!(caption(&mut desk, "L changed").starts_with("changed by :set b 1;"));
    desk.line(":undo");
    assert!(caption(&mut desk, "L changed").starts_with("changed by :set a 3;"));
    desk.line(":undo 3");
    desk.error(":graph L changed");
    desk.line(":redo");
    assert!(caption(&mut desk, "L changed").starts_with("changed by :set a 3;"));
}

#[test]
fn the_page_has_no_former_data() {
    let mut desk = Desk::with(&["a = 2", "L = a*a", ":set a 3"]);
    let error = desk.error(":graph L lesson.html changed");
    assert_eq!(error.message, "the page shows no former data");
    assert_eq!(error.span.map(|span| span.start..span.end), Some(21..28));
    let help = error.help.unwrap();
    assert!(
        desk.try_line(help.split('`').nth(3).unwrap())
            .pop()
            .unwrap()
            .is_ok(),
        "{help}"
    );
}

/// Grads that another change has moved since are not told as the work of this one.
#[test]
fn former_grads_belong_to_the_last_change_of_all() {
    let lines = ["a, b = 3, 1", "L = a*b^2 + a", "M = 2*b", ":grad L"];
    let mut desk = Desk::with(&lines);
    let mut former = |line: &str| {
        desk.line(line);
        let graph = graph(&mut desk, "M changed");
        let b = by_id(&graph)
            .into_values()
            .find(|node| node["label"] == "b");
        b.unwrap()["before"].clone()
    };
    assert_eq!(
        former(":set b 2"),
        serde_json::json!({"data": 1, "grad": 6})
    );
    assert_eq!(
        former(":set a 9"),
        serde_json::json!({"data": 1, "grad": null})
    );
}
