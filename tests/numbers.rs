//! How numbers are shown everywhere: whole numbers in full, no zero in place of a rounded digit, different numbers
//! distinguishable, and where the first number arose that is not finite.

use crate::common::{self, Desk, Random};
use chainrule::syntax;
use chainrule::view::theme::Theme;
use chainrule::view::{Style, number};

/// The screen for a line in this style, including notes.
fn shown(desk: &mut Desk, text: &str, style: &Style) -> String {
    let answers = desk.try_line(text);
    let failed = answers.iter().find_map(|answer| answer.as_ref().err());
    assert!(failed.is_none(), "{text}: {failed:?}");
    common::shown(text, &answers, style)
}

/// The file that `:graph ROOT` would write.
fn file(desk: &mut Desk, root: &str, ending: &str) -> String {
    let style = desk.style();
    let bytes = desk.drawn(&format!(":graph {root} picture.{ending}"), &style);
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn whole_numbers_are_shown_in_full() {
    let mut desk = Desk::default();
    for (line, expected) in [
        ("2^40", "1099511627776\n"),
        ("123456789012345", "123456789012345\n"),
        ("1e15", "1000000000000000\n"),
        ("2^53", "9007199254740992\n"),
        ("2^53 + 2", "9.00719925474e15\n"),
        ("-(2^53)", "-9007199254740992\n"),
        ("1e15/7", "142857142857143\n"),
        ("1234567.8", "1234567.8\n"),
        ("1e-6", "1e-6\n"),
    ] {
        assert_eq!(desk.screen(line), expected, "{line}");
    }
    desk.line(":config digits 1; :config table-digits 1");
    for (line, expected) in [
        ("2^40", "1099511627776\n"),
        ("1e15/7", "142857142857143\n"),
        ("1234567.8", "1234568\n"),
        ("2/3", "0.7\n"),
    ] {
        assert_eq!(desk.screen(line), expected, "{line}");
    }
}

/// A literal in a label is written like its number beside it.
#[test]
fn a_literal_is_shown_as_its_number_is() {
    let mut random = Random(5);
    let mut numbers = vec![
        1e15,
        2_f64.powi(53),
        2_f64.powi(53) + 2.0,
        1e16,
        1e-5,
        1e-6,
        0.1,
    ];
    numbers.extend((0..2000).map(|_| (random.unit() * 1e17).floor()));
    numbers.extend((0..2000).map(|_| f64::from_bits(random.bits())));
    for x in numbers.into_iter().filter(|x| x.is_finite()) {
        assert_eq!(syntax::literal(x, false), number::shortest(x), "{x:e}");
    }
    let mut desk = Desk::with(&["a = 2", "L = a*1e15"]);
    assert!(desk.screen(":tree L").contains("1000000000000000"));
}

/// None of these numbers ends in 0, and they have more digits than are shown, so a zero at the end of a long number
/// would stand for a digit that was rounded away.
#[test]
fn no_zero_stands_for_a_digit_anywhere() {
    for digits in [1, 3, 6, 12] {
        let mut desk = Desk::default();
        let mut out = String::new();
        for line in [
            &format!(":config digits {digits}; :config table-digits {digits}"),
            "price, big, part = 1234561, 123456789011, 7654321.375",
            "T = price + big*1 + part*1 + 123456789121",
            ":watch T price",
            "T",
            ":grad T",
            ":vars",
            ":graph T",
            ":tree T",
            ":walk T",
            ":next",
            ":next",
            ":walk T forward",
            ":next",
            ":next",
            ":next",
            ":nudge price 2 of T",
            ":explain price of T",
            ":set price 1234563",
            ":undo",
            ":redo",
            ":log",
            ":step -10",
            ":step -10 3 of T",
            ":plot T steps",
            ":check T",
            "ln(-price)",
            "f(x) = x*big",
            "S = f(3)",
        ] {
            let style = Style {
                width: Some(60),
                ..desk.style()
            };
            out.push_str(&shown(&mut desk, line, &style));
        }
        for ending in ["svg", "dot", "mmd"] {
            out.push_str(&file(&mut desk, "T", ending));
        }
        let long = |part: &&str| part.len() >= 7 && !part.contains('.');
        // Axis labels are round numbers on purpose.
        let lines = out.lines().filter(|line| !line.contains('┤'));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let numbers: Vec<&str> = parts
            .filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(long)
            .collect();
        assert!(numbers.len() > 40, "{out}");
        for number in numbers {
            assert!(
                !number.ends_with('0'),
                "{number} with {digits} digits:\n{out}"
            );
        }
    }
}

#[test]
fn two_numbers_with_an_arrow_between_them_differ() {
    let mut desk = Desk::with(&[
        ":config digits 3",
        "price = 1234567.25",
        "x = 0.3",
        "y = x*1",
        "h = 1.00001",
    ]);
    let mut same = |line: &str, expected: &[&str]| {
        let out = desk.screen(line);
        for part in expected {
            let squeezed = out.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                squeezed.contains(part),
                "{line}: {part} is missing in\n{out}"
            );
        }
    };
    same(":set price 1234567.375", &["price 1234567.2 → 1234567.4"]);
    same(":set price 1234568", &["price 1234567 → 1234568"]);
    same(
        ":set x 0.1 + 0.2",
        &["x 0.3 → 0.30000000000000004", "y 0.3 → 0.30000000000000004"],
    );
    same(":set x 0.30000000000000004", &[]);
    same(":nudge x 1e-9 of y", &["y 0.3 → 0.300000001"]);
    same(":step 1e-9 of y", &["0.3 → 0.299999999"]);
    same(":plot y steps", &["y: 0.3 → 0.299999999"]);
    same(":watch x", &[]);
    same(":set x 0.3000000001", &["x 0.299999999 → 0.3 1"]);
    // The two columns in the table of `:step`.
    same(":step 1e-7 of y", &["x 0.3 1 -1e-7 0.2999999 1"]);
    // The sums of a walk.
    let mut desk = Desk::with(&[":config digits 3", "a = 1", "L = 1e-9*a + 1*a"]);
    let mut out = String::new();
    for line in [":walk L", ":next", ":next", ":next"] {
        out.push_str(&desk.screen(line));
    }
    assert!(out.contains("1 → 1.000000001"), "{out}");
}

const BROKEN: [&str; 5] = [
    "a, b = -1, 2",
    "n = ln(a)",
    "m = n*b",
    "L = m + 1/(b - 2)",
    ":grad L",
];

#[test]
fn the_origin_of_the_first_nan_is_shown() {
    let mut desk = Desk::with(&BROKEN);
    let graph = desk.screen(":graph L");
    assert_eq!(graph.matches("first NaN").count(), 1, "{graph}");
    assert!(graph.contains("╭ n first NaN"), "{graph}");
    let plain = Style {
        ascii: true,
        width: Some(80),
        ..Style::default()
    };
    assert!(shown(&mut desk, ":graph L", &plain).contains("+ n first NaN"));
    let narrow = Style {
        width: Some(44),
        ..Style::default()
    };
    let drawn = shown(&mut desk, ":graph L", &narrow);
    assert!(drawn.contains("n first NaN"), "{drawn}");
    for line in [":grad L", ":vars", ":tree L"] {
        let table = desk.screen(line);
        let rows: Vec<&str> = table
            .lines()
            .filter(|row| row.contains("first NaN"))
            .collect();
        assert_eq!(rows.len(), 1, "{table}");
        let name = rows[0].trim_start_matches([' ', '│', '├', '└', '─']);
        assert!(name.starts_with("n "), "{table}");
    }
    let json = &desk.line(":graph L")[0];
    let nodes = json["nodes"].as_array().expect("a graph has nodes");
    let first: Vec<&serde_json::Value> =
        nodes.iter().filter(|node| node["first"] == true).collect();
    assert_eq!(first.len(), 1, "{json}");
    assert_eq!(first[0]["label"], "n");
    for ending in ["svg", "dot", "mmd", "json"] {
        let text = file(&mut desk, "L", ending);
        let word = if ending == "json" {
            "\"first\":true"
        } else {
            "first NaN"
        };
        assert!(text.contains(word), "{ending}: {text}");
    }
    // A leaf that was set to NaN is where it arose; in a forward walk a NaN is not known before its turn.
    desk.line(":set a nan");
    assert!(desk.screen(":graph L").contains("╭ a first NaN"));
    desk.line(":set a -1");
    desk.line(":walk L forward");
    assert!(!desk.screen(":graph L").contains("first"));
    desk.line(":next");
    assert!(desk.screen(":graph L").contains("n first NaN"));
}

/// `inf` in a formula is intended; what results from it may not be.
#[test]
fn a_literal_is_not_where_a_nan_arose() {
    let mut desk = Desk::with(&[
        "x, z = 2, 0",
        "L = clamp(x, -inf, 5) + 1/z",
        "M = z*inf",
        ":grad L",
    ]);
    assert!(desk.screen(":tree L").contains("first inf"));
    let row = |table: String| {
        table
            .lines()
            .find(|row| row.contains("first"))
            .map(str::to_string)
    };
    assert!(row(desk.screen(":tree L")).is_some_and(|row| row.contains("1/z")));
    assert!(row(desk.screen(":tree M")).is_some_and(|row| row.contains("M ")));
    let mut desk = Desk::with(&["x = 2", "L = clamp(x, -inf, 5)"]);
    assert!(!desk.screen(":graph L").contains("first"));
}

#[test]
fn what_is_not_finite_has_a_colour_of_its_own() {
    let mut desk = Desk::with(&BROKEN);
    for (theme, code) in [
        (Theme::Terminal, "38;5;163"),
        (Theme::Dark, "38;5;206"),
        (Theme::Light, "38;5;161"),
        (Theme::Plain, "7"),
    ] {
        let style = Style {
            color: Some(theme),
            width: Some(100),
            ..Style::default()
        };
        let marked = |text: &str| format!("\u{1b}[{code}m{text}");
        for (line, text) in [
            ("L", "NaN"),
            (":grad L", "first NaN"),
            (":grad L", "inf"),
            (":vars", "first NaN"),
            (":graph L", "NaN"),
            (":graph L", "╭ n first NaN"),
            (":tree L", "first NaN"),
        ] {
            let out = shown(&mut desk, line, &style);
            assert!(out.contains(&marked(text)), "{theme:?}, {line}: {out:?}");
        }
        let finite = shown(&mut desk, "b", &style);
        assert!(!finite.contains(&marked("2")), "{finite:?}");
    }
    let svg = file(&mut desk, "L", "svg");
    assert!(svg.contains("f-not-finite-fill s-not-finite"), "{svg}");
    assert!(svg.contains("class=\"f-not-finite data\""), "{svg}");
    let page = file(&mut desk, "L", "html");
    assert!(page.contains("class=\"f-not-finite data\""));
    assert!(
        !page.contains("f-not-finite-fill s-not-finite"),
        "the page says it by itself"
    );
}
