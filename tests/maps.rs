//! Maps of `:plot` over two leaves, points on top of pictures, and axes that are asked for: read back from the report,
//! from SVG, and from the text of the terminal.

use std::collections::BTreeSet;

use crate::common::{Desk, Patience, Random, number, wide};
use crate::pictures::{font_size, points as corners};
use chainrule_report::characters;
use chainrule_report::{Curve, Picture, Plot, PlotMap};
use chainrule_view::theme::Theme;
use chainrule_view::{self as view, Style};
use roxmltree::{Document, Node};

fn map(desk: &mut Desk, line: &str) -> PlotMap {
    let found = desk.plot(line).ground;
    *found.unwrap_or_else(|| panic!("{line}: no map"))
}

fn svg(desk: &mut Desk, line: &str) -> String {
    String::from_utf8(desk.drawn(line, &Style::default())).expect("SVG is text")
}

fn attribute(node: &Node, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("no {name}"));
    text.parse().expect("a number")
}

/// A group of a class, or all groups of it.
fn groups<'d>(document: &'d Document, class: &str) -> Vec<Node<'d, 'd>> {
    let all = document.descendants();
    all.filter(|node| node.has_tag_name("g") && node.attribute("class") == Some(class))
        .collect()
}

/// Where a text begins and ends.
fn span(text: &Node) -> (f64, f64) {
    let size = font_size(*text);
    let words = text.text().unwrap_or_default();
    let wide = characters::width(words) as f64 * 1233.0 / 2048.0 * size;
    let x = attribute(text, "x");
    match text.attribute("text-anchor") {
        Some("start") => (x, x + wide),
        Some("end") => (x - wide, x),
        _ => (x - wide / 2.0, x + wide / 2.0),
    }
}

#[test]
fn a_map_has_the_value_of_each_place() {
    let mut desk = Desk::with(&["a, b = 3, 1", "L = (a - 2)^2 + 3*(b + 1)^2 + a*b/2"]);
    let nodes = chainrule_engine::graph::live_nodes();
    let plot = desk.plot(":plot L a=-2..6 b=-4..3");
    assert_eq!((plot.across.as_str(), plot.upwards.as_str()), ("a", "b"));
    assert_eq!((plot.range, plot.up), ((-2.0, 6.0), Some((-4.0, 3.0))));
    let map = plot.ground.expect("it is a map");
    let (wide, high) = (map.columns.len(), map.rows.len());
    assert_eq!((wide, high, map.values.len()), (101, 101, 101 * 101));
    // The places are the decimals that a person would write.
    assert!(map.columns.contains(&0.24));
    for (row, b) in map.rows.iter().enumerate() {
        for (column, a) in map.columns.iter().enumerate() {
            let expected = (a - 2.0) * (a - 2.0) + 3.0 * ((b + 1.0) * (b + 1.0)) + a * b / 2.0;
            let found = map.value(column, row);
            assert!(
                (found - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                "{a} {b}"
            );
        }
    }
    let present = map.present.expect("both leaves have values");
    assert_eq!((present.at, present.value), ((3.0, 1.0), 14.5));
    desk.line(":grad L;");
    assert_eq!(present.grad, (desk.grad("a"), desk.grad("b")));
    // Nothing changes.
    assert_eq!(chainrule_engine::graph::live_nodes(), nodes);
    assert_eq!((desk.value("a"), desk.value("L")), (3.0, 14.5));
    let answer = &desk.line(":plot L a=-2..6 b=-4..3")[0];
    assert_eq!(
        (&answer["kind"], &answer["upwards"]),
        (&"plot".into(), &"b".into())
    );
    let answer = &answer["map"];
    assert_eq!(answer["label"], "L");
    assert_eq!(number(&answer["values"][0][0]), map.value(0, 0));
    assert_eq!(number(&answer["values"][100][3]), map.value(3, 100));
    let csv = desk.drawn(":plot L a=-2..6 b=-4..3 map.csv", &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!((lines[0], lines.len()), ("a,b,L", 2 + 101 * 101));
    let numbers = lines[1 + 101]
        .split(',')
        .map(|it| it.parse::<f64>().expect("a number"));
    assert_eq!(
        numbers.collect::<Vec<f64>>(),
        [-2.0, -3.93, map.value(0, 1)]
    );
}

#[test]
fn names_functions_and_points_move() {
    let mut desk = Desk::with(&[
        "w, c = [2, -1], 0.5",
        "net(p) = tanh(dot(w, p)) + c",
        "score(u, v) = u^2 - v",
        "y = 4",
    ]);
    let value = |desk: &mut Desk, line: &str| map(desk, line).value(100, 0);
    assert_eq!(value(&mut desk, ":plot score u=0..2 v=-1..1"), 5.0);
    assert_eq!(value(&mut desk, ":plot score(p, q)*2 p=0..2 q=-1..1"), 10.0);
    let found = value(&mut desk, ":plot net s=0..1 t=0..3");
    assert_eq!(found, 2_f64.tanh() + 0.5);
    // `y` is a leaf or a name that moves, `up` the vertical axis.
    assert_eq!(value(&mut desk, ":plot x*y x=0..2 y=-1..1"), -2.0);
    assert_eq!(value(&mut desk, ":plot score x=0..2 y=-1..1"), 5.0);
    let curve = desk.plot(":plot x^2 x=0..2 up=-1..1");
    assert_eq!((curve.range, curve.up), ((0.0, 2.0), Some((-1.0, 1.0))));
    let curve = desk.plot(":plot x^2 up=-1..1");
    assert_eq!((curve.across.as_str(), curve.up), ("x", Some((-1.0, 1.0))));
    let curve = desk.plot(":plot y^2 y=-1..1");
    assert_eq!((curve.across.as_str(), curve.up), ("y", None));
    let curve = desk.plot(":plot [1, 2] over [3, 4] up=0..9");
    assert_eq!(curve.up, Some((0.0, 9.0)));
    desk.line("x = 2; z = x^3");
    desk.line("y = x^2");
    let curve = desk.plot(":plot y up=0..10 x=-5..5");
    assert_eq!((curve.range, curve.up), ((-5.0, 5.0), Some((0.0, 10.0))));
}

#[test]
fn the_path_is_where_the_leaves_have_been() {
    let mut desk = Desk::with(&["a, b = 3, 1", "L = a^2 + 3*b^2"]);
    let mut expected = vec![(3.0, 1.0)];
    for _ in 0..4 {
        let (a, b) = expected[expected.len() - 1];
        expected.push((a - 0.1 * (2.0 * a), b - 0.1 * (6.0 * b)));
    }
    desk.line(":step 0.1 of L;");
    desk.line(":step 0.1 3;");
    let line = ":plot L a=-2..4 b=-2..2 steps";
    let close = |path: &[(f64, f64)]| {
        assert_eq!(path.len(), expected.len());
        for (found, wanted) in path.iter().zip(&expected) {
            let off = (found.0 - wanted.0).abs().max((found.1 - wanted.1).abs());
            assert!(off < 1e-12, "{found:?} {wanted:?}");
        }
    };
    close(&map(&mut desk, line).path);
    close(&map(&mut desk, ":plot L steps a=-2..4 b=-2..2").path);
    // Undone steps are no part of it.
    desk.line(":undo");
    assert_eq!(map(&mut desk, line).path.len(), 2);
    desk.line(":redo");
    close(&map(&mut desk, line).path);
    let text = svg(&mut desk, ":plot L a=-2..4 b=-2..2 steps path.svg");
    let document = Document::parse(&text).expect("it is XML");
    let path = groups(&document, "path");
    let drawn = path[0]
        .descendants()
        .filter(|node| node.has_tag_name("path"));
    let drawn: Vec<Node> = drawn.collect();
    let places = corners(drawn[0].attribute("d").expect("a path has corners"));
    assert_eq!(places.len(), expected.len());
    let frame = frame(&document);
    for ((x, y), (a, b)) in places.iter().zip(&expected) {
        assert!((x - (frame[0] + (a + 2.0) / 6.0 * frame[2])).abs() < 0.02);
        assert!((y - (frame[1] + (2.0 - b) / 4.0 * frame[3])).abs() < 0.02);
    }
    // The arrow leads against the gradient as the picture shows it.
    let present = groups(&document, "present");
    let shaft = present[0]
        .descendants()
        .find(|node| node.has_tag_name("path"));
    let shaft = corners(
        shaft
            .expect("there is an arrow")
            .attribute("d")
            .expect("corners"),
    );
    let (dx, dy) = (shaft[1].0 - shaft[0].0, shaft[1].1 - shaft[0].1);
    let (a, b) = expected[4];
    let (ex, ey) = (-2.0 * a / 6.0 * frame[2], 6.0 * b / 4.0 * frame[3]);
    assert!(
        (dx * ey - dy * ex).abs() < 0.01 * dx.hypot(dy) * ex.hypot(ey),
        "{dx} {dy}"
    );
    assert!(dx * ex + dy * ey > 0.0);
    // Of very many leaves the path is not kept.
    desk.line("w = [1 for k in 1..20]; M = sum(w^2)");
    desk.line(":step 0.1 3 of M;");
    let notes = desk.line(":plot M w[1]=-2..2 w[2]=-2..2 steps")[0]["notes"].to_string();
    assert!(notes.contains("up to 16"), "{notes}");
}

/// The sides of the frame around a map: left, top, width, height.
fn frame(document: &Document) -> [f64; 4] {
    let all = document.descendants();
    let frame = all
        .filter(|node| node.has_tag_name("rect"))
        .find(|node| node.attribute("fill") == Some("none"))
        .expect("a map has a frame");
    ["x", "y", "width", "height"].map(|name| attribute(&frame, name))
}

#[test]
fn contour_lines_lie_where_the_map_has_their_level() {
    let mut desk = Desk::default();
    let text = svg(&mut desk, ":plot x^2 + y^2 x=-3..3 y=-3..3 round.svg");
    let document = Document::parse(&text).expect("it is XML");
    let [left, top, width, height] = frame(&document);
    let mut levels = BTreeSet::new();
    for group in groups(&document, "contour") {
        let key = group.attribute("data-key").expect("a line has a level");
        let level: f64 = key.parse().expect("a level is a number");
        levels.insert(level as i64);
        for path in group.descendants().filter(|node| node.has_tag_name("path")) {
            for (x, y) in corners(path.attribute("d").expect("corners")) {
                let (x, y) = (
                    (x - left) / width * 6.0 - 3.0,
                    3.0 - (y - top) / height * 6.0,
                );
                assert!((x * x + y * y - level).abs() < 0.01, "{level}: {x} {y}");
            }
        }
    }
    assert_eq!(levels, BTreeSet::from([2, 4, 6, 8, 10, 12, 14, 16]));
    let title = document
        .descendants()
        .find(|node| node.has_tag_name("title"));
    let title = title.and_then(|node| node.text().map(str::to_string));
    assert_eq!(title.as_deref(), Some("x^2 + y^2 over x and y"));
    let words = document
        .descendants()
        .find(|node| node.has_tag_name("desc"));
    let words = words
        .and_then(|node| node.text().map(str::to_string))
        .unwrap_or_default();
    assert!(
        words.contains("x goes from -3 to 3. y goes from -3 to 3."),
        "{words}"
    );
    // Levels as factors.
    let text = svg(
        &mut desk,
        ":plot exp(x + y) x=-3..3 y=-3..3 logz factors.svg",
    );
    let document = Document::parse(&text).expect("it is XML");
    let keys = groups(&document, "contour");
    let keys: Vec<&str> = keys
        .iter()
        .filter_map(|group| group.attribute("data-key"))
        .collect();
    assert_eq!(keys, ["0.01", "0.1", "1", "10", "100"]);
}

#[test]
fn what_is_no_number_is_empty_and_told() {
    let mut desk = Desk::default();
    let notes = desk.line(":plot sqrt(x - y) x=0..1 y=0..1")[0]["notes"].to_string();
    assert!(
        notes.contains("not drawn at 5050 of 10201 points"),
        "{notes}"
    );
    let text = desk.told(":plot sqrt(x - y) x=0..1 y=0..1", &wide(80));
    let rows: Vec<&str> = text.lines().collect();
    assert!(
        rows[2].contains("┤       ") && rows[17].contains("┤  ."),
        "{text}"
    );
    let error = desk.error(":plot ln(-x^2 - y^2) x=1..2 z=0..1");
    assert!(
        error.message.contains("unknown name `y`"),
        "{}",
        error.message
    );
    let error = desk.error(":plot ln(-x^2 - y^2) x=1..2 y=1..2");
    assert!(
        error.message.contains("has nothing to draw here"),
        "{}",
        error.message
    );
    let error = desk.error(":plot -x^2 - y^2 x=1..2 y=1..2 logz");
    assert!(error.help.unwrap_or_default().contains("above 0"));
}

const MOONS: &str = "const p1, p2, k = [0, 1, 2, 3, 9], [0, 1, 0, 1, 9], [-1, 1, -1, 1, 1]";

#[test]
fn classes_have_marks_and_a_boundary() {
    let mut desk = Desk::with(&[MOONS, "score(u, v) = 2v - 1 + 0*u"]);
    let line = ":plot score u=-1..4 v=-1..2 with p1, p2, k";
    assert_eq!(map(&mut desk, line).boundary, Some(0.0));
    let found = desk.plot(line);
    let labels: Vec<&str> = found
        .curves
        .iter()
        .map(|series| series.label.as_str())
        .collect();
    assert_eq!(labels, ["k = -1", "k = 1"]);
    assert_eq!(found.curves[0].points, [(0.0, 0.0), (2.0, 0.0)]);
    assert_eq!(
        desk.plot(":plot score u=-1..4 v=-1..2 with p1, p2, k")
            .curves
            .len(),
        2
    );
    let notes = desk.line(line)[0]["notes"].to_string();
    assert!(notes.contains("is not drawn at 1 of "), "{notes}");
    let text = svg(&mut desk, &format!("{line} classes.svg"));
    let document = Document::parse(&text).expect("it is XML");
    let [_, top, _, height] = frame(&document);
    let boundary = groups(&document, "boundary");
    let paths: Vec<Node> = boundary[0]
        .descendants()
        .filter(|node| node.has_tag_name("path"))
        .collect();
    let widest = paths
        .iter()
        .map(|path| attribute(path, "stroke-width"))
        .fold(0.0, f64::max);
    assert!(widest > 3.0 && paths.len() == 2);
    for (_, y) in corners(paths[0].attribute("d").expect("corners")) {
        assert!((y - (top + height / 2.0)).abs() < 0.1, "{y}");
    }
    // A circle for one class, on top of squares for the other; the point outside is not drawn.
    let dots = groups(&document, "dots");
    let count = |at: usize, tag: &str| {
        dots[at]
            .descendants()
            .filter(|node| node.has_tag_name(tag))
            .count()
    };
    assert_eq!((count(1, "circle"), count(0, "path")), (2, 2));
    let plain = desk.told(line, &wide(80));
    assert!(plain.contains("• k = -1   ◦ k = 1"), "{plain}");
    assert!(plain.contains("score(u, v) = 0"), "{plain}");
    // Probabilities are told apart at a half.
    let halves = map(
        &mut desk,
        ":plot sigmoid(u + v) u=-1..4 v=-1..2 with p1, p2, k",
    );
    assert_eq!(halves.boundary, Some(0.5));
    assert_eq!(
        map(&mut desk, ":plot u + v u=-1..4 v=-1..2 with p1, p2").boundary,
        None
    );
}

#[test]
fn a_map_on_the_terminal_has_two_values_to_a_character() {
    let mut desk = Desk::with(&["a, b = 1, 1", "L = a^2 + b^2", ":step 0.05 5 of L;"]);
    let line = ":plot L a=-2..2 b=-2..2 steps";
    for theme in [Theme::Terminal, Theme::Dark, Theme::Light] {
        let colored = Style {
            color: Some(theme),
            ..wide(80)
        };
        let text = desk.told(line, &colored);
        assert!(text.contains('▀') && text.contains("48;5;"), "{text}");
        // From the middle outwards, each shade differs from the one before: the screen as a terminal shows it.
        let [rows, columns] = [40, 80].map(|size| std::num::NonZeroU16::new(size).expect("not 0"));
        let mut terminal = vt100::Parser::new(rows, columns, 0);
        terminal.process(text.replace('\n', "\r\n").as_bytes());
        let shown = terminal.screen();
        let colors: BTreeSet<String> = (0..80)
            .filter_map(|column| shown.cell(3, column))
            .filter(|cell| cell.contents() == "▀")
            .map(|cell| format!("{:?}", cell.fgcolor()))
            .collect();
        assert!(colors.len() >= 3, "{colors:?}");
        assert!(shown.contents().contains('●'), "{}", shown.contents());
    }
    for width in [24, 40, 80, 160] {
        let text = desk.told(line, &wide(width));
        for row in text.lines().filter(|row| !row.starts_with("at ")) {
            assert!(
                characters::width(row) <= width.min(100),
                "{width}: {row}\n{text}"
            );
        }
        assert!(text.contains('●') && text.contains("path of 5 "), "{text}");
        // The bar beside it explains the shades.
        let is_level = |row: &str| row.ends_with(".. 2") || row.ends_with(":: 2");
        assert!(text.lines().any(is_level), "{text}");
    }
}

#[test]
fn logarithmic_axes_make_powers_straight() {
    let mut desk = Desk::with(&["x = 10", "y = x^3"]);
    let found = desk.plot(":plot y x=0.01..1000 log");
    let points = &found.curves[0].points;
    assert_eq!((points[0].0, points[points.len() - 1].0), (0.01, 1000.0));
    assert!(
        points
            .iter()
            .all(|(x, y)| (y - x * x * x).abs() <= 1e-15 * y)
    );
    // As many places in each power of ten, where no bend needs more.
    let even = desk.plot(":plot ln(t) t=0.01..1000 logx");
    let places = &even.curves[0].points;
    let below = places.iter().filter(|(x, _)| *x < 0.1).count() as f64;
    assert!((below / places.len() as f64 - 0.2).abs() < 0.02);
    let text = svg(&mut desk, ":plot y x=0.01..1000 log power.svg");
    let document = Document::parse(&text).expect("it is XML");
    let curve = groups(&document, "curve");
    let path = curve[0]
        .descendants()
        .find(|node| node.has_tag_name("path"));
    let corners = corners(path.and_then(|node| node.attribute("d")).expect("corners"));
    let (first, last) = (corners[0], corners[corners.len() - 1]);
    for (x, y) in &corners {
        let straight = first.1 + (x - first.0) / (last.0 - first.0) * (last.1 - first.1);
        assert!((y - straight).abs() < 0.05, "{x} {y}");
    }
    // The tangent is the curve itself, and the present point lies on it.
    let circle = document
        .descendants()
        .find(|node| node.has_tag_name("circle"));
    let circle = circle.expect("the present point is marked");
    let part = (attribute(&circle, "cx") - first.0) / (last.0 - first.0);
    assert!((part - 0.6).abs() < 1e-3, "{part}");
    let labels: Vec<String> = texts(&document);
    for label in ["0.01", "0.1", "1", "10", "100", "1000"] {
        assert!(
            labels.iter().any(|text| text == label),
            "{label}: {labels:?}"
        );
    }
    let both = desk.told(":plot y x=0.01..1000 log", &wide(80));
    assert!(
        both.contains("(log)\n") && both.contains(" x (log)\n") && both.contains("1000"),
        "{both}"
    );
    assert!(desk.plot(":plot y x=1..2 logy").logarithmic);
    assert!(desk.plot(":plot y logx x=1..2").logarithmic_across);
    assert_eq!(desk.plot(":plot y logx").range, (0.1, 1000.0));
    // `log` is the function where an operand is expected.
    let functions = desk.plot(":plot log, ln x=1..10");
    assert_eq!((functions.curves.len(), functions.logarithmic), (2, false));
    assert!(desk.plot(":plot log logx x=1..10").logarithmic_across);
    let notes = desk.line(":plot sin(t) t=0.1..9 log")[0]["notes"].to_string();
    assert!(notes.contains("is not drawn at"), "{notes}");
    desk.line(":step 1e-4 5 of y;");
    assert_eq!(desk.plot(":plot y steps logx").range, (1.0, 5.0));
    assert_eq!(
        desk.plot(":plot [1, 2, 3] over [0, 1, 2] logx").range,
        (1.0, 2.0)
    );
}

fn texts(document: &Document) -> Vec<String> {
    let all = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    all.filter_map(|node| node.text().map(str::to_string))
        .collect()
}

#[test]
fn no_label_of_an_axis_leaves_the_picture() {
    let mut desk = Desk::default();
    for line in [
        ":plot t t=1e6..1000010 a.svg",
        ":plot t t=-1e6..1e6 a.svg",
        ":plot t t=0..1e9 a.svg size 300x200",
        ":plot t t=0..123456789 a.svg",
        ":plot t t=1e-7..1e7 log a.svg",
        ":plot t*s t=1e6..1000010 s=1e6..1000010 a.svg",
    ] {
        let text = svg(&mut desk, line);
        let document = Document::parse(&text).expect("it is XML");
        let view = document.root_element().attribute("viewBox");
        let width = view.and_then(|view| view.split(' ').nth(2)?.parse::<f64>().ok());
        let width = width.expect("it has a view");
        let mut rows: Vec<(f64, f64, f64)> = Vec::new();
        for text in document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
        {
            let (from, to) = span(&text);
            assert!(
                from >= 0.0 && to <= width,
                "{line}: {:?} {from} {to}",
                text.text()
            );
            if text.attribute("text-anchor").is_none() {
                rows.push((attribute(&text, "y"), from, to));
            }
        }
        rows.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        let numbers = rows.windows(2).filter(|two| two[0].0 == two[1].0);
        for two in numbers {
            assert!(two[0].2 < two[1].1, "{line}: {two:?}");
        }
    }
}

#[test]
fn a_picture_is_as_large_as_asked() {
    let mut desk = Desk::with(&["x = 3", "y = x^2"]);
    for line in [
        ":plot y x=-5..5 y.svg size=640x300",
        ":plot y size 640x300 x=-5..5 y.svg",
    ] {
        let text = svg(&mut desk, line);
        let document = Document::parse(&text).expect("it is XML");
        let root = document.root_element();
        assert_eq!(
            (attribute(&root, "width"), attribute(&root, "height")),
            (640.0, 300.0),
            "{line}"
        );
    }
    let text = desk.told(":plot y x=-5..5 size=50x9", &wide(80));
    let rows: Vec<&str> = text.lines().collect();
    // The title, nine rows, the axis, its labels, the present point.
    assert_eq!(rows.len(), 1 + 9 + 2 + 1, "{text}");
    assert_eq!(
        rows.iter().map(|row| characters::width(row)).max(),
        Some(50),
        "{text}"
    );
    // Where `size` moves, it is a name.
    desk.line("size = 2");
    assert_eq!(desk.plot(":plot size^2 size=0..4").across, "size");
    let map = desk.told(":plot x*size x=0..1 size=0..1 size 40x6", &wide(80));
    assert_eq!(
        map.lines()
            .filter(|row| row.contains('│') || row.contains('┤'))
            .count(),
        6,
        "{map}"
    );
}

#[test]
fn a_point_outside_is_not_told_as_if_it_were_there() {
    let mut desk = Desk::with(&["x, z = 3, 7", "y = x^2"]);
    for (line, told) in [
        (
            ":plot y x=-2..2 o.svg",
            "at x = 3 (outside): y = 9, slope 6",
        ),
        (
            ":plot y x=-5..5 up=0..4 o.svg",
            "at x = 3 (outside): y = 9, slope 6",
        ),
        (":plot y x=-5..5 o.svg", "at x = 3: y = 9, slope 6"),
        (
            ":plot y*z x=-2..2 z=0..1 o.svg",
            "at x = 3, z = 7 (outside): y*z = 63, grad 42, 9",
        ),
    ] {
        let text = svg(&mut desk, line);
        let document = Document::parse(&text).expect("it is XML");
        assert!(
            texts(&document).iter().any(|text| text == told),
            "{line}: {:?}",
            texts(&document)
        );
        let drawn = groups(&document, "present");
        assert_eq!(drawn.is_empty(), told.contains("outside"), "{line}");
        assert!(
            text.contains(&format!("{told}.")),
            "{line}: the description"
        );
    }
}

#[test]
fn the_first_curve_lies_on_top() {
    let mut desk = Desk::default();
    let colored = Style {
        color: Some(Theme::Dark),
        ..wide(80)
    };
    // Right of 0 both have the same values.
    let text = desk.told(":plot relu(t), t t=-3..3", &colored);
    let rows: Vec<&str> = text.lines().collect();
    let color = |sample: &str| sample.split('m').next().unwrap_or_default().to_owned();
    let samples: Vec<&str> = rows[0]
        .split("\u{1b}[")
        .filter(|it| it.contains('⠤'))
        .collect();
    let [first, second] = [0, 1].map(|at| color(samples[at]));
    assert_ne!(first, second, "{text}");
    let (above, below) = rows[1..].split_at(8);
    let count = |rows: &[&str], color: &str| rows.join("\n").matches(&format!("[{color}m")).count();
    assert!(
        count(above, &first) > 6 && count(above, &second) <= 1,
        "{text}"
    );
    assert!(count(below, &second) > 6, "{text}");
    // So do the dots of the first list.
    let line = ":plot [1, 2, 3], [3, 2, 1] over [1, 2, 3]";
    let text = desk.told(line, &wide(80));
    assert!(text.starts_with("• [1, 2, 3]   ◦ [3, 2, 1]\n"), "{text}");
    assert_eq!(text.matches('•').count(), 1 + 3, "{text}");
    assert_eq!(text.matches('◦').count(), 1 + 2, "{text}");
}

#[test]
fn series_have_their_own_places_and_points_lie_on_curves() {
    let mut desk =
        Desk::with(&["const px, py, qx, qy = [1, 2, 3, 4], [2, 4, 6, 8], [1.5, 9], [3, 4]"]);
    let pairs = desk.plot(":plot py over px with qx, qy");
    assert_eq!((pairs.across.as_str(), pairs.range), ("px", (1.0, 4.0)));
    assert_eq!(pairs.curves[1].points, [(1.5, 3.0), (9.0, 4.0)]);
    let both = desk.plot(":plot 2t, t^2 with px, py");
    // Without a range, it is that of the points.
    assert_eq!(both.range, (1.0, 4.0));
    let kinds: Vec<(bool, &str)> = (both.curves.iter())
        .map(|curve| (curve.dots, curve.label.as_str()))
        .collect();
    assert_eq!(kinds, [(false, "2t"), (false, "t^2"), (true, "py over px")]);
    let text = svg(&mut desk, ":plot 2t with px, py both.svg");
    let document = Document::parse(&text).expect("it is XML");
    let curve = groups(&document, "curve");
    let path = curve[0]
        .descendants()
        .find(|node| node.has_tag_name("path"));
    let line = corners(path.and_then(|node| node.attribute("d")).expect("corners"));
    let (first, last) = (line[0], line[line.len() - 1]);
    let dots = groups(&document, "dots");
    let marks: Vec<Node> = dots[0]
        .children()
        .filter(|node| node.has_tag_name("path"))
        .collect();
    assert_eq!(marks.len(), 4);
    for mark in marks {
        let corners = corners(mark.attribute("d").expect("corners"));
        let middle = |pick: fn(&(f64, f64)) -> f64| {
            corners.iter().map(pick).sum::<f64>() / corners.len() as f64
        };
        let (x, y) = (middle(|it| it.0), middle(|it| it.1));
        let straight = first.1 + (x - first.0) / (last.0 - first.0) * (last.1 - first.1);
        assert!((y - straight).abs() < 0.2, "{x} {y}");
    }
    let classes = desk.plot(":plot 2t t=0..9 with px, py, [0, 1, 0, 1]");
    assert_eq!(classes.curves.len(), 3);
    let csv = desk.drawn(":plot 2t with px, py both.csv", &Style::default());
    assert!(
        String::from_utf8(csv)
            .expect("text")
            .starts_with("t,2t,py over px\r\n")
    );
}

#[test]
fn a_map_can_be_stopped() {
    let mut desk = Desk::with(&["x, z, y = 0.5, 1, 0"]);
    desk.line(&format!("L = x*z{}", " + x*0.001".repeat(2_000)));
    let before = (desk.session.newest_id(), desk.session.names().count());
    desk.session.set_host(Patience::of(5));
    assert!(desk.error(":plot L x=-1..1 z=0..1").interrupted);
    assert_eq!(
        (desk.session.newest_id(), desk.session.names().count()),
        before
    );
}

#[cfg(feature = "png")]
#[test]
fn pixels_have_the_ground_of_the_theme() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = a*b"]);
    for (dark, ground) in [(false, [255, 255, 255]), (true, [0x14, 0x17, 0x1c])] {
        let style = Style {
            dark,
            ..Style::default()
        };
        for line in [
            ":plot L a=-2..2 x.png",
            ":plot L a=-2..2 b=0..1 x.png",
            ":graph L x.png",
        ] {
            let bytes = desk.drawn(line, &style);
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
                .read_info()
                .expect("it can be read");
            let mut pixels = vec![0; reader.output_buffer_size().expect("it has room")];
            reader.next_frame(&mut pixels).expect("it has pixels");
            assert_eq!(pixels[..3], ground, "{line}");
        }
    }
}

#[test]
fn the_levels_of_a_constant_map_lie_around_its_value() {
    let mut desk = Desk::with(&["x, y = 0.5, 0.5", "C = 3.25 + 0*x*y"]);
    let text = svg(&mut desk, ":plot C x=-2..2 y=-1..3 same.svg");
    let document = Document::parse(&text).expect("it is XML");
    let said = |words: &str| {
        document
            .descendants()
            .any(|node| node.text() == Some(words))
    };
    assert!(said("3.2") && said("3.4"));
    for group in groups(&document, "contour") {
        assert!(!group.descendants().any(|node| node.has_tag_name("path")));
    }
}

#[test]
fn a_file_says_what_the_line_between_classes_is() {
    let mut desk = Desk::with(&["u, v = 0.3, 0.2", "score = 2u - v"]);
    let points = "with [1, 2, -1], [1, -1, 1], [1, 1, -1]";
    let text = svg(
        &mut desk,
        &format!(":plot score u=-3..3 v=-3..3 {points} two.svg"),
    );
    let document = Document::parse(&text).expect("it is XML");
    let entry = document
        .descendants()
        .find(|node| node.has_tag_name("text") && node.text() == Some("score = 0"));
    let [_, top, ..] = frame(&document);
    assert!(attribute(&entry.expect("an entry of the legend"), "y") < top);
    assert!(text.contains("<title>The heavy line is where score = 0</title>"));
}

/// The box around a text: left, top, right, bottom. Letters reach a little below their line.
fn around(text: &Node) -> [f64; 4] {
    let (from, to) = span(text);
    let (x, y) = (attribute(text, "x"), attribute(text, "y"));
    let size = font_size(*text);
    let (above, below) = (0.73 * size, 0.2 * size);
    match text.attribute("transform") {
        None => [from, y - above, to, y + below],
        // It runs upwards.
        Some(_) => [x - above, y - (to - x), x + below, y - (from - x)],
    }
}

#[test]
fn texts_are_off_each_other_and_off_what_is_drawn() {
    let mut desk = Desk::with(&[
        "p, q = 2, 1.5",
        "L = (p - 1)^2 + 4*(q - 0.5)^2 + p*q",
        ":step 0.05 20 of L",
        "const a_rather_long_name_of_a_list = [0, 1, 2, 3, 4, 5, 6, 7]",
        "const y = [3.02, 2.11, 1.44, 1.06, 0.71, 0.52, 0.36, 0.19]",
    ]);
    for (line, names) in [
        (":plot t^3*1000 t=-5..5 a.svg", &["t"][..]),
        (":plot L p=-1..3 a.svg", &["p", "tangent"]),
        (
            ":plot L p=-1..3 q=-1..3 steps a.svg",
            &["p", "q", "the path of 20 steps", "downhill"],
        ),
        (
            ":plot L p=-1..3 q=-1..3 steps a.svg size 250x200",
            &["p", "q", "downhill"],
        ),
        (
            ":plot u*v u=0..1e6 v=0..1e6 with [0, 1e6, 0], [0, 0, 1e6] a.svg",
            &["u", "v"],
        ),
        (
            ":plot y over a_rather_long_name_of_a_list a.svg size 200x150",
            &["a_rather_long_name_of_a_list"],
        ),
        (
            ":plot y over a_rather_long_name_of_a_list up=0.19..3.02 logy a.svg",
            &["a_rather_long_name_of_a_list", "(log)"],
        ),
        (
            ":fit y ~ A*exp(-k*a_rather_long_name_of_a_list) + c a.svg title \"t.svg\"",
            &["a_rather_long_name_of_a_list", "residuals", "t.svg", "±1σ"],
        ),
        (
            ":fit y ~ A*exp(-k*a_rather_long_name_of_a_list) + c a.svg size 300x250 logy",
            &["(log)"],
        ),
    ] {
        let text = svg(&mut desk, line);
        let document = Document::parse(&text).expect("it is XML");
        let view = document
            .root_element()
            .attribute("viewBox")
            .expect("it has a view");
        let view: Vec<f64> = view
            .split(' ')
            .map(|it| it.parse().expect("a number"))
            .collect();
        let all = document.descendants();
        let all: Vec<Node> = all.filter(|node| node.has_tag_name("text")).collect();
        for name in names {
            assert!(
                all.iter().any(|text| text.text() == Some(name)),
                "{line}: {name}"
            );
        }
        let dots = document
            .descendants()
            .filter(|node| node.has_tag_name("circle"));
        let dots = dots.map(|dot| {
            let [x, y, radius] = ["cx", "cy", "r"].map(|name| attribute(&dot, name));
            [x - radius, y - radius, x + radius, y + radius]
        });
        let mut boxes: Vec<[f64; 4]> = all.iter().map(around).collect();
        for text in &boxes {
            assert!(text[0] >= 0.0 && text[1] >= 0.0, "{line}: {text:?}");
            assert!(text[2] <= view[2] && text[3] <= view[3], "{line}: {text:?}");
        }
        let texts = boxes.len();
        boxes.extend(dots);
        for (at, one) in boxes[..texts].iter().enumerate() {
            for other in &boxes[at + 1..] {
                let apart = one[2] <= other[0]
                    || other[2] <= one[0]
                    || one[3] <= other[1]
                    || other[3] <= one[1];
                assert!(apart, "{line}: {:?} {one:?} {other:?}", all[at].text());
            }
        }
    }
}

#[test]
fn contours_go_through_saddles_and_close() {
    let mut desk = Desk::default();
    // 0 on lines of the grid, across its squares, and between its lines.
    for (line, centre) in [
        (":plot x*y x=-2..2 y=-2..2 s.svg", (0.5, 0.5)),
        (":plot x^2 - y^2 x=-2..2 y=-2..2 s.svg", (0.5, 0.5)),
        (
            ":plot x*y x=-2.01..2 y=-2.007..2 s.svg",
            (2.01 / 4.01, 2.0 / 4.007),
        ),
    ] {
        let text = svg(&mut desk, line);
        let document = Document::parse(&text).expect("it is XML");
        let [left, top, width, height] = frame(&document);
        let centre = (left + centre.0 * width, top + centre.1 * height);
        let zero = groups(&document, "contour");
        let zero = zero.iter().find(|it| it.attribute("data-key") == Some("0"));
        let path = zero.and_then(|zero| zero.descendants().find(|it| it.has_tag_name("path")));
        let path = path.and_then(|path| path.attribute("d")).expect("a line");
        let lines: Vec<_> = path
            .split('M')
            .skip(1)
            .map(|it| corners(&format!("M{it}")))
            .collect();
        assert_eq!(lines.len(), 2, "{line}");
        for through in lines {
            let off = through
                .iter()
                .map(|at| (at.0 - centre.0).hypot(at.1 - centre.1));
            assert!(off.fold(f64::MAX, f64::min) < 0.02, "{line}");
        }
    }
    let text = svg(&mut desk, ":plot sin(x)*sin(y) x=-6..6 y=-6..6 s.svg");
    let document = Document::parse(&text).expect("it is XML");
    let high = groups(&document, "contour");
    let high = high
        .iter()
        .find(|it| it.attribute("data-key") == Some("0.6"));
    let path = high.and_then(|high| high.descendants().find(|it| it.has_tag_name("path")));
    let path = path.and_then(|path| path.attribute("d")).expect("a line");
    let rings: Vec<_> = path
        .split('M')
        .skip(1)
        .map(|it| corners(&format!("M{it}")))
        .collect();
    assert_eq!(rings.len(), 8);
    assert!(rings.iter().all(|ring| ring.first() == ring.last()));
}

/// A million bytes for any number of points, and none of them is lost.
#[test]
fn crowds_are_drawn_in_cells() {
    let mut random = Random(5);
    let mut points = |count: usize| -> Vec<(f64, f64)> {
        (0..count).map(|_| (random.unit(), random.unit())).collect()
    };
    let drawn = |plot: Plot| {
        let svg = view::picture(&Picture::Plot(plot), "svg", &Style::default());
        String::from_utf8(svg.expect("a picture")).expect("SVG is text")
    };
    let series = |points, dots| Curve {
        label: "y".to_string(),
        points,
        dots,
        ..Curve::default()
    };
    let mut cloud = points(100_000);
    cloud.push((0.5, 3.0));
    let deviations = cloud.iter().map(|point| point.0 / 10.0).collect();
    let with_bars = Curve {
        deviations,
        ..series(cloud.clone(), true)
    };
    let mut in_order = cloud.clone();
    in_order.sort_by(|one, other| one.0.total_cmp(&other.0));
    for curves in [
        vec![series(cloud.clone(), true)],
        vec![with_bars],
        (0..6).map(|_| series(points(16_000), true)).collect(),
        vec![series(in_order, false)],
        vec![series(cloud, false)],
    ] {
        let has_dots = curves[0].dots;
        let is_alone = curves.len() == 1;
        let text = drawn(Plot {
            range: (0.0, 1.0),
            curves,
            ..Plot::default()
        });
        assert!(text.len() <= 1_000_000, "{} bytes", text.len());
        let document = Document::parse(&text).expect("it is XML");
        let [left, top, width, height] = frame(&document);
        let group = groups(&document, if has_dots { "dots" } else { "curve" });
        let path = group[0]
            .descendants()
            .find(|node| node.has_tag_name("path"));
        let places = corners(path.and_then(|path| path.attribute("d")).expect("corners"));
        if is_alone {
            // The outlier stands alone in the upper half.
            let above: Vec<_> = places
                .iter()
                .filter(|it| it.1 < top + height / 2.0)
                .collect();
            assert!((1..=2).contains(&above.len()), "{above:?}");
            let off = above[0].0 - left - width / 2.0;
            assert!(off.abs() < 4.0, "{above:?}");
        }
    }
    let mut desk = Desk::default();
    let text = svg(
        &mut desk,
        ":plot sin(100*a)*sin(77*b) a=-2..2 b=-2..2 noise.svg",
    );
    assert!(text.len() <= 1_000_000, "{} bytes", text.len());
}
