//! A reader that knows nothing of how pictures are made: it finds boxes and signs in the text, follows the wires from
//! cell to cell, and must come to the edges of the diagram.

use std::collections::BTreeMap;

use super::cell_drawing::CellDrawing;
use super::{BoxSize, Form, first_that_fits, forms};
use crate::layout::layers::Layers;
use crate::tests::{Builder, network, random};
use chainrule_report::Diagram;
use chainrule_report::{Kind, Stage, characters};
use chainrule_style::Style;

const MARKS: &str = "¹²³⁴⁵⁶⁷⁸⁹";

/// Left, right, up, down.
type Step = (i64, i64);
const LEFT: Step = (-1, 0);
const RIGHT: Step = (1, 0);
const UP: Step = (0, -1);
const DOWN: Step = (0, 1);

/// A picture as text.
struct Reader {
    cells: Vec<Vec<char>>,
    form: Form,
}

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Area {
    fn has(&self, (x, y): (i64, i64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

fn is_corner(cell: char) -> bool {
    "╭╮╰╯┏┓┗┛┌┐└┘".contains(cell)
}

fn is_side(cell: char) -> bool {
    "│┃┆├┤┠┨".contains(cell)
}

impl Reader {
    fn new(diagram: &Diagram, layers: &Layers, form: Form) -> Reader {
        let drawing = CellDrawing::new(diagram, layers, form, &Style::default());
        let mut text = String::new();
        drawing.sheet().write(None, &mut text);
        assert_eq!(text.lines().count(), drawing.height);
        let widest = text.lines().map(characters::width).max();
        assert!(widest <= Some(drawing.width), "{text}");
        for line in text.lines() {
            assert_eq!(line, line.trim_end(), "a blank at the end");
        }
        Reader {
            cells: text.lines().map(|line| line.chars().collect()).collect(),
            form,
        }
    }

    fn text(&self) -> String {
        let lines = self.cells.iter();
        lines
            .map(|line| line.iter().collect::<String>() + "\n")
            .collect()
    }

    fn at(&self, (x, y): (i64, i64)) -> char {
        let row = usize::try_from(y).ok().and_then(|y| self.cells.get(y));
        let cell = usize::try_from(x).ok().and_then(|x| row?.get(x));
        cell.copied().unwrap_or(' ')
    }

    /// Where a text stands, if what is around it is as it should be.
    fn find(&self, text: &str, around: impl Fn(char, char) -> bool) -> Vec<(i64, i64)> {
        let text: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        for (y, row) in self.cells.iter().enumerate() {
            for (x, window) in row.windows(text.len()).enumerate() {
                let (x, y) = (x as i64, y as i64);
                let next = (x + text.len() as i64, y);
                if window == text && around(self.at((x - 1, y)), self.at(next)) {
                    found.push((x, y));
                }
            }
        }
        found
    }

    /// The outline of a vertex.
    fn vertex(&self, diagram: &Diagram, at: usize) -> Area {
        let vertex = &diagram.vertices[at];
        let title = if vertex.kind == Kind::Frozen {
            format!("{} frozen", vertex.label)
        } else {
            vertex.label.clone()
        };
        let found = self.find(&title, |before, behind| {
            !before.is_alphanumeric() && !behind.is_alphanumeric()
        });
        let areas: Vec<Area> = found
            .into_iter()
            .filter_map(|place| self.outline(place, title.chars().count() as i64, vertex.kind))
            .collect();
        assert_eq!(areas.len(), 1, "{title} in\n{}", self.text());
        areas[0]
    }

    fn outline(&self, (x, y): (i64, i64), width: i64, kind: Kind) -> Option<Area> {
        let mut left = x;
        let mut right = x + width - 1;
        if kind == Kind::Constant || self.form.size == BoxSize::Line {
            let bracket = |cell: char| "[┃┆#:]".contains(cell);
            if kind == Kind::Constant {
                // Its wire begins one blank further on.
                right += i64::from(!self.form.is_downwards);
            } else {
                left -= 1;
                assert!(bracket(self.at((left, y))), "{}", self.text());
                while !bracket(self.at((right, y))) {
                    right += 1;
                }
            }
            return Some(Area {
                left,
                top: y,
                right,
                bottom: y,
            });
        }
        let top = if self.form.is_downwards { y - 1 } else { y };
        let row = top + 1;
        while left > 0 && !is_side(self.at((left, row))) {
            left -= 1;
        }
        right = right.max(left + 1);
        while !is_side(self.at((right, row))) {
            right += 1;
            if right > 10_000 {
                return None;
            }
        }
        let bottom = top + if self.form.is_downwards { 4 } else { 3 };
        for corner in [(left, top), (right, top), (left, bottom), (right, bottom)] {
            if !is_corner(self.at(corner)) {
                return None;
            }
        }
        Some(Area {
            left,
            top,
            right,
            bottom,
        })
    }

    fn forward(&self) -> Step {
        if self.form.is_downwards { DOWN } else { RIGHT }
    }

    /// The position that a mark on a wire says.
    fn mark(&self, at: (i64, i64)) -> Option<usize> {
        let cell = self.at(at);
        MARKS.chars().position(|mark| mark == cell)
    }

    /// Which neighbours a wire's cell is joined to.
    fn arms(&self, (x, y): (i64, i64)) -> Vec<Step> {
        match self.at((x, y)) {
            '─' => vec![LEFT, RIGHT],
            '│' => vec![UP, DOWN],
            '╭' => vec![RIGHT, DOWN],
            '╮' => vec![LEFT, DOWN],
            '╰' => vec![RIGHT, UP],
            '╯' => vec![LEFT, UP],
            '├' => vec![RIGHT, UP, DOWN],
            '┤' => vec![LEFT, UP, DOWN],
            '┬' => vec![LEFT, RIGHT, DOWN],
            '┴' => vec![LEFT, RIGHT, UP],
            '┼' => vec![LEFT, RIGHT, UP, DOWN],
            _ => Vec::new(),
        }
    }

    /// Follows what leaves an outline: the sign it comes to, the line it came on, and its mark.
    fn follow(&self, from: Area, signs: &[Area]) -> Vec<(usize, i64, Option<usize>)> {
        let forward = self.forward();
        let back = (-forward.0, -forward.1);
        let line = |(x, y): (i64, i64)| if self.form.is_downwards { x } else { y };
        let starts: Vec<(i64, i64)> = if self.form.is_downwards {
            (from.left..=from.right)
                .map(|x| (x, from.bottom + 1))
                .collect()
        } else {
            (from.top..=from.bottom)
                .map(|y| (from.right + 1, y))
                .collect()
        };
        let starts = starts.into_iter().filter(|&start| {
            let border = self.at((start.0 + back.0, start.1 + back.1));
            let open = "├┠┬┯".contains(border) || from.top == from.bottom;
            let marked = self.mark(start).is_some();
            let begins = marked || self.arms(start).contains(&back);
            open && (begins || signs.iter().any(|sign| sign.has(start)))
        });
        let mut found = Vec::new();
        let mut waiting: Vec<_> = starts
            .map(|start| (start, forward, line(start), None))
            .collect();
        let mut steps = 0;
        while let Some((at, step, entered, mark)) = waiting.pop() {
            steps += 1;
            assert!(steps < 1_000_000, "a ring in\n{}", self.text());
            if let Some(sign) = signs.iter().position(|sign| sign.has(at)) {
                assert_eq!(
                    step,
                    forward,
                    "a sign is met from its side\n{}",
                    self.text()
                );
                found.push((sign, entered, mark));
                continue;
            }
            let next = |step: Step| (at.0 + step.0, at.1 + step.1);
            let cell = self.at(at);
            let place = self.mark(at);
            if let (Some(place), true) = (place, step == forward) {
                waiting.push((next(step), step, entered, Some(place)));
                continue;
            }
            let arms = self.arms(at);
            if !arms.contains(&(-step.0, -step.1)) {
                let over = "│|".contains(cell) && step.1 == 0;
                assert!(
                    over,
                    "lost at {at:?} {cell:?} going {step:?} in\n{}",
                    self.text()
                );
                waiting.push((next(step), step, entered, mark));
                continue;
            }
            if step == forward {
                let turns = arms.iter().any(|&arm| arm != forward && arm != back);
                let (entered, mark) = if turns {
                    (line(at), mark)
                } else {
                    (entered, mark)
                };
                for arm in arms.into_iter().filter(|&arm| arm != back) {
                    waiting.push((next(arm), arm, entered, mark));
                }
            } else {
                for arm in arms
                    .into_iter()
                    .filter(|&arm| arm == step || arm == forward)
                {
                    waiting.push((next(arm), arm, entered, mark));
                }
            }
        }
        found
    }

    /// Reads the whole picture and compares.
    fn check(&self, diagram: &Diagram) {
        let areas: Vec<Area> = (0..diagram.vertices.len())
            .map(|at| self.vertex(diagram, at))
            .collect();
        for (at, a) in areas.iter().enumerate() {
            for b in &areas[..at] {
                let apart =
                    a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
                assert!(apart, "{a:?} lies on {b:?}\n{}", self.text());
            }
        }
        // Signs of operations, each with the vertex after it.
        let mut signs: Vec<Area> = Vec::new();
        let mut makes: Vec<usize> = Vec::new();
        for (y, row) in self.cells.iter().enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, cell)| **cell == '(') {
                let width = row[x..].iter().take_while(|cell| **cell != ')').count();
                let (x, y, right) = (x as i64, y as i64, (x + width) as i64);
                let mut at = if self.form.is_downwards {
                    (i64::midpoint(x, right), y + 1)
                } else {
                    (right + 1, y)
                };
                let forward = self.forward();
                let vertex = loop {
                    if let Some(vertex) = areas.iter().position(|area| area.has(at)) {
                        break vertex;
                    }
                    assert_ne!(self.at(at), ' ', "a sign without a box\n{}", self.text());
                    at = (at.0 + forward.0, at.1 + forward.1);
                };
                signs.push(Area {
                    left: x,
                    top: y,
                    right,
                    bottom: y,
                });
                makes.push(vertex);
            }
        }
        // Every operation's arrivals: line or mark, and the operand.
        let mut arrivals: BTreeMap<usize, Vec<(i64, Option<usize>, usize)>> = BTreeMap::new();
        for (operand, &area) in areas.iter().enumerate() {
            for (sign, line, mark) in self.follow(area, &signs) {
                let here = arrivals.entry(makes[sign]).or_default();
                here.push((line, mark, operand));
            }
        }
        for (at, vertex) in diagram.vertices.iter().enumerate() {
            let mut here = arrivals.remove(&at).unwrap_or_default();
            here.sort_unstable();
            if here.iter().all(|(_, mark, _)| mark.is_some()) {
                here.sort_unstable_by_key(|&(_, mark, _)| mark);
            }
            let operands: Vec<usize> = here.iter().map(|&(.., operand)| operand).collect();
            assert_eq!(
                operands,
                vertex.operands,
                "{} in\n{}",
                vertex.label,
                self.text()
            );
        }
    }
}

#[test]
fn pictures_read_back() {
    for seed in 0..16 {
        let size = 1 + seed as usize % 24;
        let mut diagram = random(seed, 1 + seed as usize % 6, size);
        if seed % 5 == 0 {
            let stages = [Stage::Done, Stage::Current, Stage::Coming];
            for (at, vertex) in diagram.vertices.iter_mut().enumerate() {
                vertex.stage = Some(stages[at % 3]);
            }
        }
        let layers = Layers::new(&diagram);
        for form in forms() {
            Reader::new(&diagram, &layers, form).check(&diagram);
        }
    }
    for shape in [&[3, 4, 1][..], &[3, 4, 4, 1], &[2, 2, 2]] {
        let mut diagram = network(shape);
        for vertex in &mut diagram.vertices {
            vertex.label = format!("n{}", vertex.id);
        }
        let layers = Layers::new(&diagram);
        for form in forms() {
            Reader::new(&diagram, &layers, form).check(&diagram);
        }
    }
}

#[test]
fn widths_are_kept() {
    for seed in 0..12 {
        let mut diagram = random(seed, 1 + seed as usize % 9, 1 + seed as usize);
        diagram.typed = ":graph L all".to_string();
        for vertex in &mut diagram.vertices {
            match vertex.id % 7 {
                0 => vertex.label = "a_name_of_forty_letters_and_some_more_1".to_string(),
                1 => vertex.label = "数数数数数数数数".to_string(),
                2 => vertex.label = "e\u{301}\u{202e}\u{1b}[31mx".to_string(),
                3 => vertex.data = Some(-1.234_567_890_123_456_7e-300),
                4 => vertex.grad = Some(f64::NAN),
                5 => vertex.data = None,
                _ => vertex.grad = None,
            }
        }
        for width in [40, 61, 80, 160] {
            for table_digits in [6, 17] {
                {
                    let style = Style {
                        width: Some(width),
                        table_digits,
                        ..Style::default()
                    };
                    let mut out = String::new();
                    super::graph(&diagram, &style, &mut out);
                    for line in out.lines() {
                        assert!(characters::width(line) <= width, "{width}:\n{out}");
                        assert_eq!(line, line.trim_end());
                        assert!(!line.contains(['\u{1b}', '\u{202e}']));
                    }
                }
            }
        }
    }
}

/// One value that many use, a long chain, a long sum, many operands: all of it is there.
#[test]
fn odd_shapes() {
    let mut star = Builder::default();
    let x = star.leaf("x", 2.0);
    let mut last = x;
    for at in 0..30 {
        last = star.apply(&format!("y{at}"), "-", &[last, x], 1.0);
    }
    let mut chain = Builder::default();
    let mut at = chain.leaf("x", 2.0);
    for step in 0..60 {
        at = chain.apply(&format!("y{step}"), "sin", &[at], 1.0);
    }
    let mut sum = Builder::default();
    let mut last = sum.leaf("x", 2.0);
    for at in 0..30 {
        let term = sum.leaf(&format!("x{at}"), 2.0);
        last = sum.apply(&format!("s{at}"), "+", &[last, term], 1.0);
    }
    let mut many = Builder::default();
    let terms: Vec<usize> = (0..40)
        .map(|at| many.leaf(&format!("x{at}"), 2.0))
        .collect();
    many.apply("y", "max", &terms, 1.0);
    let mut same = Builder::default();
    let x = same.leaf("x", 2.0);
    same.apply("y", "if", &[x, x, x], 1.0);
    for (name, graph) in [
        ("star", star),
        ("chain", chain),
        ("sum", sum),
        ("many", many),
        ("same", same),
    ] {
        let diagram = graph.diagram();
        let layers = Layers::new(&diagram);
        for form in forms() {
            Reader::new(&diagram, &layers, form).check(&diagram);
        }
        if name != "many" {
            let style = Style {
                width: Some(40),
                ..Style::default()
            };
            assert!(first_that_fits(&diagram, &style).is_some(), "{name}");
        }
    }
}
