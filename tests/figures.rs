//! Twenty figures for print, drawn from statements in `tests/cases/figures.calc` and read back from SVG: every figure has
//! letters, lines and marks of one size, labels with room around them, and no wasted margin. The widths of texts are those
//! of the font.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node, ParsingOptions};
use ttf_parser::Face;

use crate::common::process::{Folder, program};
use crate::common::project::at;

const MILLIMETRE: f64 = 96.0 / 25.4;
const POINT: f64 = 96.0 / 72.0;
/// The size of letters without an attribute.
const LETTERS: f64 = 14.0;

/// A rectangle in the units of a picture.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn overlaps(self, other: Area) -> bool {
        // Both are rounded to hundredths.
        const ROUNDING: f64 = 0.05;
        self.left + ROUNDING < other.right
            && other.left + ROUNDING < self.right
            && self.top + ROUNDING < other.bottom
            && other.top + ROUNDING < self.bottom
    }

    fn union(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// A text with its box.
#[derive(Debug)]
struct Text {
    words: String,
    size: f64,
    /// Where it is anchored.
    x: f64,
    anchor: String,
    is_upright: bool,
    color: String,
    area: Area,
}

/// A figure as its statement asks for it, and as it is.
struct Figure<'d> {
    statement: &'d str,
    svg: &'d Document<'d>,
    /// The pixels of a unit.
    zoom: f64,
    sheet: Area,
    frames: Vec<Area>,
    texts: Vec<Text>,
}

fn number(node: Node, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or("0");
    text.parse()
        .unwrap_or_else(|_| panic!("{name} of {node:?}"))
}

/// The value of an attribute, which an element may have from the one around it.
fn inherited<'d>(node: Node<'d, 'd>, name: &str) -> &'d str {
    let mut around = node.ancestors();
    around.find_map(|it| it.attribute(name)).unwrap_or_default()
}

/// The width of a text in the font of the program, in letters of size 1.
fn width(words: &str, face: &Face) -> f64 {
    let letter = |c| {
        let glyph = face.glyph_index(c).unwrap_or_default();
        f64::from(face.glyph_hor_advance(glyph).unwrap_or_default())
    };
    words.chars().map(letter).sum::<f64>() / f64::from(face.units_per_em())
}

fn text(node: Node, face: &Face) -> Text {
    let words = node.text().unwrap_or_default().to_owned();
    let size: f64 = inherited(node, "font-size").parse().expect("a size");
    let (x, y) = (number(node, "x"), number(node, "y"));
    let long = size * width(&words, face);
    let anchor = inherited(node, "text-anchor").to_owned();
    let before = match &*anchor {
        "start" => 0.0,
        "middle" => long / 2.0,
        _ => long,
    };
    // Above the baseline is a capital, below it the tail of a `y`.
    let (above, below) = (0.73 * size, 0.21 * size);
    let is_upright = node.attribute("transform").is_some();
    let area = if is_upright {
        Area {
            left: x - above,
            top: y - long + before,
            right: x + below,
            bottom: y + before,
        }
    } else {
        Area {
            left: x - before,
            top: y - above,
            right: x - before + long,
            bottom: y + below,
        }
    };
    Text {
        words,
        size,
        x,
        anchor,
        is_upright,
        color: inherited(node, "fill").to_owned(),
        area,
    }
}

/// The texts, with an exponent or an index joined to what it belongs to.
fn joined(parts: impl Iterator<Item = Text>) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    for part in parts {
        match texts.last_mut() {
            Some(text)
                if part.anchor != "middle"
                    && !text.is_upright
                    && (text.area.right - part.area.left).abs() < 0.02 =>
            {
                text.words += &part.words;
                text.area = text.area.union(part.area);
                text.x = f64::midpoint(text.area.left, text.area.right);
            }
            _ => texts.push(part),
        }
    }
    texts
}

impl<'d> Figure<'d> {
    fn of(statement: &'d str, svg: &'d Document<'d>, face: &Face) -> Figure<'d> {
        let root = svg.root_element();
        let view_box = root.attribute("viewBox").expect("a view");
        let view: Vec<f64> = view_box
            .split(' ')
            .map(|it| it.parse().expect("a number"))
            .collect();
        let rectangle = |node| Area {
            left: number(node, "x"),
            top: number(node, "y"),
            right: number(node, "x") + number(node, "width"),
            bottom: number(node, "y") + number(node, "height"),
        };
        let wide: f64 = root
            .attribute("width")
            .and_then(|it| it.strip_suffix("cm"))
            .expect("cm")
            .parse()
            .expect("a number");
        let groups = svg
            .descendants()
            .filter(|it| it.attribute("class") == Some("frame"));
        let rects = groups.filter_map(|group| group.children().find(|it| it.has_tag_name("rect")));
        Figure {
            statement,
            svg,
            zoom: wide * 10.0 * MILLIMETRE / view[2],
            sheet: Area {
                left: view[0],
                top: view[1],
                right: view[0] + view[2],
                bottom: view[1] + view[3],
            },
            frames: rects.map(rectangle).collect(),
            texts: joined(elements(svg, "text").map(|it| text(it, face))),
        }
    }

    /// The labels of the vertical axis of a frame, and those of the horizontal axis below it.
    fn labels(&self, frame: Area) -> [Vec<&Text>; 2] {
        let is_label = |text: &&Text| !text.is_upright && text.color == "#58626e";
        let labels = || self.texts.iter().filter(is_label);
        let beside = labels().filter(|it| {
            let middle = f64::midpoint(it.area.top, it.area.bottom);
            it.area.right < frame.left && middle > frame.top - 5.0 && middle < frame.bottom + 5.0
        });
        let below = labels().filter(|it| {
            it.anchor != "end" && it.area.top > frame.bottom && !it.words.starts_with('×')
        });
        [beside.collect(), below.collect()]
    }

    fn check(&self, name: &str) {
        self.check_letters(name);
        self.check_texts(name);
        self.check_labels(name);
        self.check_margins(name);
        self.check_lines(name);
    }

    fn check_letters(&self, name: &str) {
        for text in &self.texts {
            let points = text.size * self.zoom / POINT;
            let is_index = text.size < LETTERS;
            let fits = if is_index {
                points > 5.0
            } else {
                (points - 8.0).abs() < 0.01
            };
            assert!(fits, "{name}: {points} pt: {text:?}");
        }
        let typed = self.typed_millimetres();
        let shown = [
            self.sheet.right - self.sheet.left,
            self.sheet.bottom - self.sheet.top,
        ];
        for (side, wanted) in shown.iter().zip(typed) {
            let millimetres = side * self.zoom / MILLIMETRE;
            assert!(
                (millimetres - wanted).abs() < 0.06,
                "{name}: {millimetres} mm for {wanted}"
            );
        }
    }

    fn typed_millimetres(&self) -> [f64; 2] {
        let after = self.statement.split(" size ").nth(1).expect("a size");
        let size = after.split(' ').next().unwrap_or_default();
        let (bare, unit) = size.split_at(size.len() - 2);
        let unit = BTreeMap::from([("mm", 1.0), ("cm", 10.0), ("in", 25.4)])[unit];
        let (wide, high) = bare.split_once('x').expect("two sides");
        [wide.trim_end_matches(char::is_alphabetic), high]
            .map(|it| unit * it.parse::<f64>().expect("a number"))
    }

    /// No text leaves the sheet, lies on another one, or is hard to read.
    fn check_texts(&self, name: &str) {
        for (at, text) in self.texts.iter().enumerate() {
            let area = text.area;
            let is_inside = area.left >= self.sheet.left
                && area.right <= self.sheet.right
                && area.top >= self.sheet.top
                && area.bottom <= self.sheet.bottom;
            assert!(is_inside, "{name}: {text:?} leaves {:?}", self.sheet);
            for other in &self.texts[..at] {
                assert!(
                    !area.overlaps(other.area),
                    "{name}: {text:?} lies on {other:?}"
                );
            }
            let ratio = contrast(&text.color);
            assert!(ratio >= 4.5, "{name}: {text:?} has a contrast of {ratio}");
        }
    }

    /// From 4 to 7 labels, of which a low axis of residuals has 3, and each at its tick.
    fn check_labels(&self, name: &str) {
        let ticks: Vec<f64> = elements(self.svg, "path")
            .filter_map(|it| {
                it.attribute("d")?
                    .strip_prefix('M')?
                    .split_once('v')?
                    .0
                    .split_once(' ')
            })
            .filter_map(|(x, _)| x.parse().ok())
            .collect();
        for (at, frame) in self.frames.iter().enumerate() {
            let [up, across] = self.labels(*frame);
            let is_below = at > 0;
            let least = if is_below { 3 } else { 4 };
            assert!((least..=7).contains(&up.len()), "{name}: {up:?}");
            assert!((4..=7).contains(&across.len()), "{name}: {across:?}");
            for label in across {
                let is_at_tick = ticks.iter().any(|tick| (tick - label.x).abs() < 0.02);
                assert!(is_at_tick, "{name}: {label:?} {ticks:?}");
            }
            for label in &up {
                assert!(!label.words.contains(['-', 'e']), "{name}: {label:?}");
            }
            if is_below {
                let mut numbers: Vec<f64> = up
                    .iter()
                    .map(|it| it.words.replace('−', "-").parse().expect("a number"))
                    .collect();
                numbers.sort_by(f64::total_cmp);
                let mirrored = numbers.iter().rev().map(|it| 0.0 - it);
                assert!(
                    numbers.contains(&0.0) && mirrored.eq(numbers.iter().copied()),
                    "{name}: {numbers:?}"
                );
            }
        }
    }

    /// All that is drawn fills the sheet up to a margin of a millimetre and a half.
    fn check_margins(&self, name: &str) {
        let areas = self
            .frames
            .iter()
            .copied()
            .chain(self.texts.iter().map(|it| it.area));
        let drawn = areas.reduce(Area::union).expect("something is drawn");
        let margins = [
            drawn.left - self.sheet.left,
            drawn.top - self.sheet.top,
            self.sheet.right - drawn.right,
            self.sheet.bottom - drawn.bottom,
        ];
        for margin in margins.map(|it| it * self.zoom / MILLIMETRE) {
            assert!((0.0..=1.5).contains(&margin), "{name}: margins {margins:?}");
        }
    }

    /// Curves are 0.8 pt wide, marks 4 pt, and both stand out.
    fn check_lines(&self, name: &str) {
        let of_class = |class| {
            self.svg
                .descendants()
                .filter(move |it| it.attribute("class") == Some(class))
        };
        for path in
            of_class("curve").flat_map(|it| it.children().filter(|it| it.has_tag_name("path")))
        {
            if path.attribute("fill") == Some("none") {
                let points = number(path, "stroke-width") * self.zoom / POINT;
                assert!((points - 0.8).abs() < 0.01, "{name}: {points} pt: {path:?}");
                assert!(
                    contrast(path.attribute("stroke").expect("a colour")) >= 3.0,
                    "{name}: {path:?}"
                );
            }
        }
        for circle in
            of_class("dots").flat_map(|it| it.children().filter(|it| it.has_tag_name("circle")))
        {
            let points = 2.0 * number(circle, "r") * self.zoom / POINT;
            assert!(
                (points - 4.0).abs() < 0.02,
                "{name}: {points} pt: {circle:?}"
            );
        }
    }
}

fn elements<'d>(svg: &'d Document<'d>, tag: &'static str) -> impl Iterator<Item = Node<'d, 'd>> {
    svg.descendants()
        .filter(move |it| it.has_tag_name(tag) || it.tag_name().name() == tag)
}

/// The contrast of a colour with white, as the Web Content Accessibility Guidelines define it.
fn contrast(color: &str) -> f64 {
    let part = |at: usize| {
        let part = u8::from_str_radix(&color[at..at + 2], 16).unwrap_or_else(|_| panic!("{color}"));
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    let luminance = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
    1.05 / (luminance + 0.05)
}

#[test]
fn twenty_figures_are_fit_for_print() {
    let face = Face::parse(dejavu::sans::regular(), 0).expect("a font");
    let script = fs::read_to_string(at("tests/cases/figures.calc")).expect("the figures");
    let folder = Folder::new();
    folder.put("figures.calc", &script);
    let ran = program(&["figures.calc"])
        .current_dir(&folder.0)
        .output()
        .expect("it runs");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let statements = script
        .lines()
        .filter_map(|line| Some((line, line.split(' ').find(|it| it.contains(".svg"))?)));
    let mut count = 0;
    for (statement, name) in statements {
        let text = folder.text(name);
        let options = ParsingOptions::default();
        let svg = Document::parse_with_options(&text, options).expect("it is well-formed");
        Figure::of(statement, &svg, &face).check(name);
        count += 1;
    }
    assert_eq!(count, 20);
}

/// The error names a size in which the figure has room.
#[test]
fn a_size_without_room_is_refused_with_one_that_has() {
    let data = "const x, y = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]\n";
    for statement in [
        ":plot y over x size 20x40mm a.svg",
        ":plot y over x size 85x12mm a.svg",
        ":plot u*v u=0..1 v=0..1 size 3x3cm a.svg",
        ":fit y ± 0.1 ~ a + b*x size 1.5x1.5in a.svg",
    ] {
        let folder = Folder::new();
        let ran = folder.run(&[], &format!("{data}{statement}\n"));
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let words = ran
            .err
            .split("`size ")
            .nth(1)
            .and_then(|it| it.split('`').next());
        let size = words.unwrap_or_else(|| panic!("{}", ran.err));
        let (before, typed) = statement.split_once(" size ").expect("a size");
        let (_, behind) = typed.split_once(' ').expect("a file");
        let again = folder.run(&[], &format!("{data}{before} size {size} {behind}\n"));
        assert_eq!(again.status, Some(0), "{size}: {again:?}");
    }
}

/// The labels of a spectrum run down from left to right, and its curve with them.
#[test]
fn an_axis_may_run_down() {
    let folder = Folder::new();
    let script = ":plot exp(-(u - 1000)^2/1e4) u=4000..400 up=2..0 size 85x60mm a.svg\n";
    let ran = folder.run(&[], script);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let text = folder.text("a.svg");
    let svg = Document::parse(&text).expect("it is well-formed");
    let face = Face::parse(dejavu::sans::regular(), 0).expect("a font");
    let figure = Figure::of(script, &svg, &face);
    let frame = figure.frames[0];
    let [up, across] = figure.labels(frame);
    let place = |label: &Text| (label.x - frame.left) / (frame.right - frame.left);
    for label in across {
        let wanted = (4000.0 - label.words.parse::<f64>().expect("a number")) / 3600.0;
        assert!((place(label) - wanted).abs() < 0.002, "{label:?}");
    }
    let height = |label: &Text| f64::midpoint(label.area.top, label.area.bottom);
    let highest = up
        .iter()
        .min_by(|one, other| height(one).total_cmp(&height(other)));
    assert_eq!(highest.map(|it| &*it.words), Some("0"));
    // The peak at 1000 is the lowest place of the curve.
    let curve = elements(&svg, "g").find(|it| it.attribute("class") == Some("curve"));
    let path = curve.and_then(|it| it.children().find(|it| it.has_tag_name("path")));
    let steps = path.and_then(|it| it.attribute("d")).expect("a curve");
    let places = places(steps);
    let lowest = places.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    let (x, _) = lowest.expect("it has places");
    let part = (x - frame.left) / (frame.right - frame.left);
    assert!((part - 3000.0 / 3600.0).abs() < 0.01, "{part}");
}

/// The places of a path of straight pieces.
fn places(path: &str) -> Vec<(f64, f64)> {
    let mut at = (0.0, 0.0);
    let mut places = Vec::new();
    let spaced = path.replace('-', " -");
    let begins: Vec<usize> = spaced
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic())
        .map(|(at, _)| at)
        .collect();
    for (number, begin) in begins.iter().enumerate() {
        let end = begins.get(number + 1).copied().unwrap_or(spaced.len());
        let (letter, words) = spaced[*begin..end].split_at(1);
        let numbers: Vec<f64> = words
            .split_whitespace()
            .map(|it| it.parse().expect("a number"))
            .collect();
        at = match (letter, &numbers[..]) {
            ("M", [x, y]) => (*x, *y),
            ("l", [x, y]) => (at.0 + x, at.1 + y),
            ("h", [x]) => (at.0 + x, at.1),
            ("v", [y]) => (at.0, at.1 + y),
            _ => panic!("{path}"),
        };
        places.push(at);
    }
    places
}

#[test]
fn a_text_without_room_is_told_and_keeps_its_unit() {
    let folder = Folder::new();
    let name = "the name of the horizontal axis ".repeat(4) + "(arb. units)";
    let ran = folder.run(
        &[],
        &format!(":plot x^2 x=0..1 xlabel \"{name}\" size 60x50mm a.svg\n"),
    );
    assert!(
        ran.err.contains("note: ") && ran.err.contains(&name),
        "{}",
        ran.err
    );
    let file = folder.text("a.svg");
    assert!(file.contains("… (arb. units)<"), "{file}");
    // Nothing is told if nothing is cut.
    let ran = folder.run(
        &[],
        ":plot x^2 x=0..1 xlabel \"t (s)\" title \"\" size 60x50mm a.svg\n",
    );
    assert_eq!(ran.err, "");
    assert!(!folder.text("a.svg").contains("font-weight"));
}
