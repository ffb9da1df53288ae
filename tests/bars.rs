//! `:grad … bars`: bars are in proportion in every window, and in files. Examples stand in `tests/screens/bars.txt`.

use crate::common::{self, Desk};
use chainrule::view::Style;

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
                let length = |side: &str| side.chars().filter(|c| "■#".contains(*c)).count() as f64;
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
