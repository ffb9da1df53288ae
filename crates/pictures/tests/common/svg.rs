//! Reads SVG: groups, boxes, texts and lines, in pixels.

use chainrule_report::characters;
use roxmltree::{Document, Node, ParsingOptions};

/// The width of a letter in a font of size 1: that of a digit, the wider one of the two fonts of pictures.
const ADVANCE: f64 = 1303.0 / 2048.0;

/// A point, to the right and down.
pub type Point = (f64, f64);

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn with_size(left: f64, top: f64, width: f64, height: f64) -> Area {
        Area {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    pub fn width(self) -> f64 {
        self.right - self.left
    }

    pub fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub fn middle(self) -> Point {
        (
            f64::midpoint(self.left, self.right),
            f64::midpoint(self.top, self.bottom),
        )
    }

    /// Whether another one is at least this far away, to a side or up or down.
    pub fn is_apart(self, other: Area, gap: f64) -> bool {
        self.right + gap <= other.left
            || other.right + gap <= self.left
            || self.bottom + gap <= other.top
            || other.bottom + gap <= self.top
    }

    pub fn holds(self, other: Area) -> bool {
        other.left >= self.left
            && other.right <= self.right
            && other.top >= self.top
            && other.bottom <= self.bottom
    }

    /// Whether a line comes into it. The lines are so smooth that points a few pixels apart tell.
    pub fn is_entered_by(self, line: &[Point]) -> bool {
        line.windows(2).any(|two| {
            (0..=40).any(|step| {
                let share = f64::from(step) / 40.0;
                let (x, y) = between(two[0], two[1], share);
                x > self.left && x < self.right && y > self.top && y < self.bottom
            })
        })
    }

    /// How far a point is from its outline, whose corners are round: 0 on it.
    pub fn off_outline(self, (x, y): Point, radius: f64) -> f64 {
        let (width, height) = (self.width() / 2.0, self.height() / 2.0);
        let radius = radius.min(width).min(height);
        let along = (x - self.middle().0).abs() - (width - radius);
        let across = (y - self.middle().1).abs() - (height - radius);
        let outside = along.max(0.0).hypot(across.max(0.0));
        (outside + along.max(across).min(0.0) - radius).abs()
    }
}

pub fn between(one: Point, other: Point, share: f64) -> Point {
    (
        one.0 + share * (other.0 - one.0),
        one.1 + share * (other.1 - one.1),
    )
}

/// How far a point is from a line.
pub fn distance(point: Point, line: &[Point]) -> f64 {
    let to_piece = |two: &[Point]| {
        let (along, up) = (two[1].0 - two[0].0, two[1].1 - two[0].1);
        let length = along * along + up * up;
        let share = ((point.0 - two[0].0) * along + (point.1 - two[0].1) * up) / length.max(1e-12);
        let (x, y) = between(two[0], two[1], share.clamp(0.0, 1.0));
        (point.0 - x).hypot(point.1 - y)
    };
    line.windows(2).map(to_piece).fold(f64::INFINITY, f64::min)
}

pub fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All elements of a kind in a part of a picture: `text`, `path`.
pub fn all<'d>(part: Node<'d, 'd>, tag: &str) -> Vec<Node<'d, 'd>> {
    let all = part.descendants();
    all.filter(|node| node.tag_name().name() == tag).collect()
}

/// The groups that have a class.
pub fn groups<'d>(svg: &'d Document, class: &str) -> Vec<Node<'d, 'd>> {
    let mut groups = all(svg.root(), "g");
    groups.retain(|group| {
        let classes = group.attribute("class").unwrap_or_default();
        classes.split(' ').any(|each| each == class)
    });
    groups
}

pub fn key<'d>(group: Node<'d, 'd>) -> &'d str {
    group.attribute("data-key").unwrap_or_default()
}

/// The tip of a group.
pub fn tip<'d>(group: Node<'d, 'd>) -> &'d str {
    let title = group.first_element_child().and_then(|it| it.text());
    title.unwrap_or_else(|| panic!("{group:?} has no tip"))
}

pub fn number(node: Node, name: &str) -> f64 {
    let text = node.attribute(name);
    let number = text.and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| panic!("{name} of {node:?}"))
}

/// The whole picture.
pub fn whole(svg: &Document) -> Area {
    let [width, height] = ["width", "height"].map(|side| number(svg.root_element(), side));
    Area::with_size(0.0, 0.0, width, height)
}

pub fn rectangle(rect: Node) -> Area {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rect, name));
    Area::with_size(x, y, width, height)
}

/// The box that a group draws.
pub fn outline(group: Node) -> Area {
    rectangle(all(group, "rect")[0])
}

/// The frame around a chart.
pub fn frame(svg: &Document) -> Area {
    let mut rects = all(svg.root(), "rect").into_iter();
    let frame = rects.find(|rect| rect.attribute("fill") == Some("none"));
    rectangle(frame.expect("a chart has a frame"))
}

/// The circles of a picture.
pub fn circles(svg: &Document) -> Vec<Area> {
    let circles = all(svg.root(), "circle").into_iter();
    let area = |circle| {
        let [x, y, radius] = ["cx", "cy", "r"].map(|name| number(circle, name));
        Area::with_size(x - radius, y - radius, 2.0 * radius, 2.0 * radius)
    };
    circles.map(area).collect()
}

/// The words of a part of a picture, text by text.
pub fn words<'d>(part: Node<'d, 'd>) -> Vec<&'d str> {
    let texts = all(part, "text").into_iter();
    texts.filter_map(|text| text.text()).collect()
}

/// The room that a text takes. Letters reach a little below their line.
pub fn text_area(text: Node) -> Area {
    let size = text.ancestors().find_map(|it| it.attribute("font-size"));
    let size: f64 = size.and_then(|size| size.parse().ok()).expect("a size");
    let words = text.text().unwrap_or_default();
    // A text of more than a few letters says how long it is; the digits of others are the widest that they have many of.
    let told = text.attribute("textLength").and_then(|it| it.parse().ok());
    // A point is half as wide as a digit.
    let columns = characters::width(words) as f64 - 0.5 * words.matches('.').count() as f64;
    let wide = told.unwrap_or(columns * ADVANCE * size);
    let (x, y) = (number(text, "x"), number(text, "y"));
    let before = match text.attribute("text-anchor") {
        Some("start") => 0.0,
        Some("end") => wide,
        _ => wide / 2.0,
    };
    let (above, below) = (0.73 * size, 0.2 * size);
    if text.has_attribute("transform") {
        // It runs upwards.
        Area {
            left: x - above,
            top: y - (wide - before),
            right: x + below,
            bottom: y + before,
        }
    } else {
        Area::with_size(x - before, y - above, wide, above + below)
    }
}

/// The line that a path draws; a curve becomes many short pieces.
pub fn line(path: Node) -> Vec<Point> {
    points(path.attribute("d").expect("a path has points"))
}

/// The first line of the first group of a class.
pub fn first_line(svg: &Document, class: &str) -> Vec<Point> {
    line(all(groups(svg, class)[0], "path")[0])
}

/// The lines that a path draws, if it begins anew several times.
pub fn lines(path: Node) -> Vec<Vec<Point>> {
    let text = path.attribute("d").expect("a path has points");
    let parts = text.split('M').skip(1);
    parts.map(|part| points(&format!("M{part}"))).collect()
}

fn points(path: &str) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    let letters = path.char_indices().filter(|(_, c)| c.is_ascii_alphabetic());
    let commands: Vec<(usize, char)> = letters.collect();
    // Lengths have hundredths of a pixel, and their sums have no more.
    let sum = |a: f64, b: f64| ((a + b) * 100.0).round() / 100.0;
    for (place, &(at, command)) in commands.iter().enumerate() {
        let end = commands.get(place + 1).map_or(path.len(), |next| next.0);
        let text = path[at + 1..end].replace('-', " -").replace(',', " ");
        let numbers = text.split_whitespace().map(str::parse);
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        let numbers = numbers.unwrap_or_else(|error| panic!("{error}: {path}"));
        let (x, y) = found.last().copied().unwrap_or_default();
        match (command, &numbers[..]) {
            ('M', &[x, y]) => found.push((x, y)),
            ('l', &[along, down]) => found.push((sum(x, along), sum(y, down))),
            ('h', &[along]) => found.push((sum(x, along), y)),
            ('v', &[down]) => found.push((x, sum(y, down))),
            ('q', &[turn_x, turn_y, end_x, end_y]) => {
                let bend = |begin: f64, turn: f64, end: f64, t: f64| {
                    begin + 2.0 * t * (1.0 - t) * turn + t * t * end
                };
                found.extend((1..=16).map(|step| {
                    let t = f64::from(step) / 16.0;
                    (bend(x, turn_x, end_x, t), bend(y, turn_y, end_y, t))
                }));
            }
            ('z', []) => {}
            _ => panic!("{path}"),
        }
    }
    found
}

/// The points of a head, after which the pen is at its tip.
const HEAD: usize = 3;

/// The line of a wire, with the pieces before it that several wires share, and the head of its arrow, which ends at its
/// tip.
pub fn wire(svg: &Document, group: Node) -> (Vec<Point>, Vec<Point>) {
    let drawn = |group: Node| -> Vec<Point> {
        let paths = group.children().filter(|it| it.tag_name().name() == "path");
        paths.flat_map(line).collect()
    };
    let part = |group: Node| -> Option<usize> {
        let part = group.attribute("data-part");
        part.map(|part| part.parse().expect("a place"))
    };
    let key = group.attribute("data-key").unwrap_or_default();
    let from = key.split('-').next().unwrap_or_default();
    let last = part(group);
    let mut shared = groups(svg, "trunk");
    shared.retain(|piece| piece.attribute("data-key") == Some(from) && part(*piece) <= last);
    shared.sort_by_key(|piece| part(*piece));
    let mut line = Vec::new();
    for piece in shared {
        line.extend(drawn(piece));
        // A piece ends a pixel after the next one begins.
        line.pop();
    }
    line.extend(drawn(group));
    // The pen comes back to the tip.
    let has_head = line.len() > HEAD && line[line.len() - 1 - HEAD] == line[line.len() - 1];
    let head = line.split_off(line.len() - if has_head { HEAD } else { 0 });
    (line, head)
}
