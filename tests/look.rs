//! Commands that examine a graph without changing it: nudges and orders, compared with the numbers of the blog posts.

use crate::common::{self, Desk, close, number};
use chainrule::view::Style;
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("cases/worked_examples.json")).expect("the cases are JSON")
}

fn desk(case: &Value) -> Desk {
    let lines: Vec<&str> = case["script"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    Desk::with(&lines)
}

#[test]
fn a_nudge_says_what_the_posts_print() {
    let mut desk = Desk::with(&["x = 3", "y = 3x^2 - 4x + 5"]);
    let nudge = &desk.line(":nudge x 1e-6")[0];
    assert_eq!(
        number(&nudge["slope"]).to_bits(),
        14.000_003_002_223_593_f64.to_bits()
    );
    assert_eq!(
        (number(&nudge["grad"]), nudge["method"].as_str()),
        (14.0, Some("forward"))
    );
    assert_eq!(desk.value("y"), 20.0, "nothing is changed");
    assert!(desk.session.pass().is_none(), "not even the last pass");
    let central = &desk.line(":nudge x central")[0];
    assert!(close(number(&central["slope"]), 14.0, 1e-9, 0.0));
    // An inner node is treated as a leaf, which gives a local derivative.
    let mut desk = Desk::with(&[
        "a, b, c, f = 2, -3, 10, -2",
        "e = a*b",
        "d = e + c",
        "L = d*f",
    ]);
    for (line, slope) in [
        (":nudge d 1e-4 of L", -2.0),
        (":nudge c 1e-4 of d", 1.0),
        (":nudge e", -2.0),
        (":nudge a of c", 0.0),
    ] {
        let nudge = &desk.line(line)[0];
        assert!(
            close(number(&nudge["slope"]), slope, 1e-7, 1e-12),
            "{line}: {nudge}"
        );
        assert_eq!(number(&nudge["grad"]), slope, "{line}");
    }
    for line in [
        ":nudge",
        ":nudge pi",
        ":nudge a 0",
        ":nudge a inf",
        ":nudge q",
    ] {
        desk.error(line);
    }
}

/// The bars of a table of gradients: node, number, and how far the bar reaches to each side of the line.
fn bars(text: &str) -> Vec<(String, f64, [f64; 2])> {
    let length = |side: &str| {
        let half = |c| if c == '█' { 1.0 } else { 0.5 };
        side.chars()
            .filter(|c| "█▌▐".contains(*c))
            .map(half)
            .fold(0.0, |sum: f64, part| sum + part)
    };
    let rows = text.lines().filter_map(|row| row.split_once('│'));
    rows.map(|(row, right)| {
        let words: Vec<&str> = row.split_whitespace().collect();
        let grad = words[2].parse().expect("the third column is the gradient");
        (words[0].to_owned(), grad, [length(row), length(right)])
    })
    .collect()
}

#[test]
fn gradients_are_bars_in_their_order_of_size() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    let found = bars(&desk.screen(":grad L bars wrt a b c f"));
    // dL/da = b*f, dL/db = a*f, dL/dc = f, dL/df = a*b + c.
    let expected = [("a", 6.0), ("b", -4.0), ("f", 4.0), ("c", -2.0)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((node, grad, sides), (name, value)) in found.iter().zip(expected) {
        assert_eq!((node.as_str(), *grad), (name, value));
        let [left, right] = *sides;
        assert!(left == 0.0 || right == 0.0, "{name}: {sides:?}");
        assert!(
            (16.0 * value / 6.0 - (right - left)).abs() <= 0.25,
            "{name}: {sides:?}"
        );
    }
    // All below L, and L is not: its gradient is always 1.
    let text = desk.screen(":grad L bars");
    assert_eq!(
        (text.lines().count(), text.contains(" L ")),
        (1 + 6, false),
        "{text}"
    );
    assert!(!text.contains("logarithmic"), "{text}");
    assert_eq!(desk.screen(":grad L bars;"), "");
    let rows = &desk.line(":grad L bars")[0]["rows"];
    let grads: Vec<f64> = rows
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| number(&row["grad"]))
        .collect();
    assert_eq!(grads, [6.0, 4.0, -4.0, -2.0, -2.0, -2.0]);
}

/// The picture that a line writes.
fn in_file(desk: &mut Desk, line: &str) -> String {
    String::from_utf8(desk.drawn(line, &Style::default())).expect("it is text")
}

/// In windows of every width, with names of every length, bars are whole and in proportion.
#[test]
fn bars_are_in_proportion_in_every_window() {
    let names = ["p", "weight_of_item", "a_very_long_name_of_a_parameter_1"];
    for name in names {
        for signs in [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]] {
            let sizes = [16.0, 8.0, 2.0];
            let grads: Vec<f64> = sizes
                .iter()
                .zip(signs)
                .map(|(one, two)| one * two)
                .collect();
            let mut desk = Desk::with(&[
                format!("{name}, q, r = 1234.5678, 2, 3"),
                format!("L = {}*{name} + {}*q + {}*r", grads[0], grads[1], grads[2]),
            ]);
            let line = format!(":grad L bars wrt {name} q r");
            for (columns, ascii) in
                (26..=100).flat_map(|columns| [(columns, false), (columns, true)])
            {
                let style = Style {
                    width: Some(columns),
                    ascii,
                    ..Style::default()
                };
                let text = common::shown(&line, &desk.try_line(&line), &style);
                let line = if ascii { '|' } else { '│' };
                let rows = text.lines().filter_map(|row| row.split_once(line));
                let steps = if ascii { 1.0 } else { 2.0 };
                let length = |side: &str| {
                    let blocks = side.chars().filter(|c| "█#".contains(*c)).count();
                    let halves = side.chars().filter(|c| "▌▐".contains(*c)).count();
                    steps * blocks as f64 + halves as f64
                };
                let found: Vec<f64> = rows
                    .map(|(left, right)| length(right) - length(left))
                    .collect();
                assert_eq!(found.len(), 3, "{columns}: {text}");
                for (found_one, grad) in found.iter().zip(&grads) {
                    let exact = grad / grads[0] * found[0];
                    assert!(
                        (found_one - exact).abs() <= 0.5
                            || exact.abs() < 1.0 && found_one.abs() == 1.0,
                        "{columns}: {found:?}\n{text}"
                    );
                }
                assert!(found[0].abs() >= 2.0, "{columns}: {text}");
                assert!(
                    text.lines().all(|row| row.chars().count() <= columns),
                    "{columns}: {text}"
                );
            }
        }
    }
}

/// Numbers that have no ordinary bar: none at all, only zeros, infinite ones, those far below the others.
#[test]
fn odd_gradients_have_bars_in_a_file() {
    let mut desk = Desk::with(&[
        "a, b, c, d, x, y = 1, 0, 0, 0, 0, 0",
        "zeros = 0*a + 0*c",
        "nans = nan*a",
        "odd = sqrt(x) - sqrt(y) + a + 1e-40*c + 0*d",
    ]);
    let parts = |svg: &str| {
        let svg = roxmltree::Document::parse(svg).expect("it is XML");
        let number = |node: &roxmltree::Node, key: &str| -> f64 {
            let value = node.attribute(key).and_then(|value| value.parse().ok());
            value.unwrap_or_else(|| panic!("{key} of {node:?}"))
        };
        let named = |name: &'static str| {
            svg.descendants()
                .filter(move |node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
        };
        let texts: Vec<(String, f64)> = named("text")
            .map(|node| {
                (
                    node.text().unwrap_or_default().to_owned(),
                    number(&node, "x"),
                )
            })
            .collect();
        let bars: Vec<f64> = named("rect")
            .filter(|rect| number(rect, "height") < 100.0)
            .map(|rect| number(&rect, "width"))
            .collect();
        let heads = named("path")
            .filter(|path| {
                path.attribute("d")
                    .is_some_and(|d| d.matches(['L', 'Z', 'z']).count() >= 4)
            })
            .count();
        (texts, bars, heads)
    };
    for (line, told) in [
        (":grad zeros wrt a c t.svg", "0"),
        (":grad nans wrt a t.svg", "NaN"),
    ] {
        let (texts, bars, heads) = parts(&in_file(&mut desk, line));
        assert_eq!((bars.len(), heads), (0, 0), "{line}");
        // The number stands behind the name.
        let at = |text: &str| texts.iter().find(|(one, _)| one == text).map(|(_, x)| *x);
        assert!(at(told) > at("a") && at("a") > Some(0.0), "{texts:?}");
    }
    let (texts, bars, heads) = parts(&in_file(&mut desk, ":grad odd wrt x y a c d t.svg"));
    let told: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(
        &told[1..11],
        ["x", "inf", "y", "-inf", "a", "1", "c", "1e-40", "d", "0"]
    );
    assert_eq!(heads, 0);
    // The infinite ones are as long as that of 1.
    assert_eq!(bars.len(), 4, "{bars:?}");
    assert!(bars[2] > 100.0 && bars[..2] == [bars[2]; 2], "{bars:?}");
    assert!((1.0..4.0).contains(&bars[3]), "{bars:?}");
    // Names that differ at their ends are told apart.
    desk.line(
        "a_name_that_is_longer_than_its_room_1, a_name_that_is_longer_than_its_room_2 = 1, 2",
    );
    let svg = in_file(
        &mut desk,
        ":grad a_name_that_is_longer_than_its_room_1 * a_name_that_is_longer_than_its_room_2 t.svg",
    );
    assert!(
        svg.contains("_room_1<") && svg.contains("_room_2<"),
        "{svg}"
    );
}

/// A leaf alone has a bar, and a note says why there is only one.
#[test]
fn a_leaf_alone_has_a_bar() {
    let mut desk = Desk::with(&["a = 2", "const k = 3"]);
    for leaf in ["a", "k"] {
        let plain = desk.screen(&format!(":grad {leaf}"));
        let note = plain.lines().find(|line| line.starts_with("note:"));
        let text = desk.screen(&format!(":grad {leaf} bars"));
        assert!(text.contains("1   │█████"), "{text}");
        assert_eq!(text.lines().find(|line| line.starts_with("note:")), note);
        assert!(note.is_some());
        let svg = in_file(&mut desk, &format!(":grad {leaf} t.svg"));
        assert!(svg.contains(&format!("<desc>{leaf} 1</desc>")), "{svg}");
    }
}

#[test]
fn gradients_are_bars_in_a_file() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    let svg = in_file(&mut desk, ":grad L bars.svg wrt a b c");
    let svg = roxmltree::Document::parse(&svg).expect("it is XML");
    let named = |name: &'static str| {
        svg.descendants()
            .filter(move |node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
    };
    let said = |name| {
        named(name)
            .find_map(|node| node.text())
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(said("title"), "gradients of L");
    assert_eq!(said("desc"), "a 6, b -4, c -2");
    let texts: Vec<&str> = named("text").filter_map(|node| node.text()).collect();
    assert_eq!(texts, ["gradients of L", "a", "6", "b", "-4", "c", "-2"]);
    let at = |node: roxmltree::Node, key| -> f64 {
        let value = node.attribute(key).and_then(|value| value.parse().ok());
        value.expect("it is a number")
    };
    let bars: Vec<(f64, f64, &str)> = named("rect")
        .filter(|rect| at(*rect, "height") < 100.0)
        .map(|rect| {
            (
                at(rect, "x"),
                at(rect, "width"),
                rect.attribute("class").unwrap_or_default(),
            )
        })
        .collect();
    let [
        (line, six, rising),
        (four_from, four, falling),
        (two_from, two, _),
    ] = bars[..]
    else {
        panic!("there are three bars: {bars:?}");
    };
    assert!(
        (six / four - 1.5).abs() < 1e-2 && (four / two - 2.0).abs() < 1e-2,
        "{bars:?}"
    );
    assert!(
        (four_from + four - line).abs() < 0.1 && (two_from + two - line).abs() < 0.1,
        "{bars:?}"
    );
    assert_ne!(rising, falling);
}

#[test]
fn bars_of_very_different_sizes_are_logarithmic() {
    let mut desk = Desk::with(&[
        "a, b, c, d = 1, 1, 1, 1",
        "y = a - 1e-3*b + 1e-6*c + 1e-40*d",
    ]);
    let text = desk.screen(":grad y bars wrt a b c d");
    assert!(
        text.ends_with("the bars are logarithmic: from 1e-12 to 1\n"),
        "{text}"
    );
    // The last one is below all of them, and has the shortest bar that is seen.
    let shortest = 0.5 / 16.0;
    for ((name, grad, [left, right]), expected) in
        bars(&text).iter().zip([1.0, -0.75, 0.5, shortest])
    {
        assert!(
            (16.0 * expected - (right - left)).abs() <= 0.25,
            "{name} {grad}: {left} {right}"
        );
    }
    // The smallest is seen where there is room for it.
    let text = desk.screen(":grad y bars wrt a b c");
    assert!(text.ends_with("from 1e-7 to 1\n"), "{text}");
    // NaN comes first and has no bar, an infinite one is as long as the longest and has an arrowhead.
    let mut desk = Desk::with(&["a, b, c = 0, 1, 2", "y = sqrt(a) + 3c"]);
    let text = desk.screen(":grad y bars wrt a b c");
    assert_eq!(text.matches("███►").count(), 1, "{text}");
    let found = bars(&text.replace('►', "█"));
    let expected = [
        ("a", f64::INFINITY, [0.0, 16.0]),
        ("c", 3.0, [0.0, 16.0]),
        ("b", 0.0, [0.0, 0.0]),
    ];
    assert_eq!(
        found,
        expected.map(|(name, grad, sides)| (name.to_owned(), grad, sides))
    );
    desk.line("z = nan*a + c");
    let found = bars(&desk.screen(":grad z bars wrt c a"));
    assert!(found[0].1.is_nan() && found[0].2 == [0.0, 0.0], "{found:?}");
}

#[test]
fn finite_differences_of_the_cases_come_out() {
    let mut tried = 0;
    for case in cases()
        .iter()
        .filter(|case| case["finite_difference"].is_object())
    {
        let target = case["target"].as_str().expect("a case has a target");
        let difference = &case["finite_difference"];
        for (name, slope) in difference["forward"].as_object().into_iter().flatten() {
            let line = format!(":nudge {name} {} of {target}", difference["h"]);
            let nudge = &desk(case).line(&line)[0];
            assert!(
                close(number(&nudge["slope"]), number(slope), 1e-15, 0.0),
                "{line}: {nudge}"
            );
            tried += 1;
        }
    }
    assert!(tried > 0);
}

#[test]
fn levels_and_orders_are_those_of_the_cases() {
    let mut tried = 0;
    for case in cases().iter().filter(|case| case["levels"].is_object()) {
        let target = case["target"].as_str().expect("a case has a target");
        let topo = &desk(case).line(&format!(":topo {target}"))[0];
        let order: Vec<&str> = topo["order"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, level) in case["levels"].as_object().into_iter().flatten() {
            let place = order.iter().position(|node| node == name);
            let place = place.unwrap_or_else(|| panic!("{name} is not in {order:?}"));
            assert_eq!(&topo["levels"][place], level, "{name}");
        }
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn a_chain_has_only_one_order() {
    for (line, orders) in [
        ("a = 2; L = a + a", json!(1)),
        ("a = 2; L = -(a*a)*a", json!(1)),
        ("a, b = 2, 3; L = a + b", Value::Null),
        ("a = 2; b = -a; c = 3a; L = b*c", Value::Null),
    ] {
        let mut desk = Desk::with(&[line]);
        assert_eq!(desk.line(":topo L")[0]["orders"], orders, "{line}");
    }
}
