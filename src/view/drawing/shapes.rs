//! The boxes and ovals of a graph as shapes: how large each is, and what stands in it.
//!
//! Boxes of one rank share the widths of their cells, so that numbers stand below each other like in a table.

use super::layers::{Item, Layers};
use super::letters;
use super::sayings;
use super::scene::{Anchor, Group, Ink, Shape, Step, Stroke};
use crate::report::Diagram;
use crate::report::diagram::{Kind, Stage, Vertex};
use crate::view::{Style, characters, number};

/// How long an arrow's head is, and how wide.
pub const ARROW: (f64, f64) = (8.0, 7.0);

/// The letters of labels and numbers.
const SIZE: f64 = 14.0;
/// The letters of the words `data` and `grad`.
const SMALL: f64 = 11.0;
/// Between the words and the edge of a cell.
const PAD: f64 = 9.0;
/// Between the word `data` and its number.
const SPACE: f64 = 5.0;
/// How high a row is that stands alone; one of several; one of a constant.
const ROW: [f64; 3] = [32.0, 25.0, 24.0];
/// How high an operation is.
const OVAL: f64 = 30.0;
/// Labels with more letters never stand beside their numbers.
const BESIDE: usize = 16;

/// How label, data and grad stand in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Beside each other.
    Row,
    /// The label above the numbers.
    Stack,
    /// Each above the next.
    Tower,
}

/// From the widest and lowest to the narrowest and highest.
pub const FORMS: [Form; 3] = [Form::Row, Form::Stack, Form::Tower];

/// A cell of a box.
#[derive(Clone, Debug)]
struct Cell {
    /// `data`, `grad`; nothing before a label.
    name: &'static str,
    text: String,
    /// With room around it.
    width: f64,
}

/// What stands in a box, and how large it is.
#[derive(Clone, Debug)]
struct Content {
    /// The label first, from left to right and from top to bottom.
    cells: Vec<Cell>,
    form: Form,
    /// Beside the label: `frozen`.
    word: &'static str,
    /// A constant's is smaller.
    small: bool,
}

/// The sizes of everything in a picture.
pub struct Sizes {
    contents: Vec<Content>,
    /// The width of each vertex's operation; 0 where there is none.
    ovals: Vec<f64>,
}

impl Sizes {
    /// Measures what is to be written. Every number has room for so many letters at least.
    pub fn new(
        diagram: &Diagram,
        layers: &Layers,
        form: Form,
        room: usize,
        style: &Style,
    ) -> Sizes {
        let ovals = diagram.vertices.iter().map(|vertex| {
            vertex.operation.map_or(0.0, |(sign, _)| {
                (letters::width(sign, SIZE) + 2.0 * PAD).max(OVAL)
            })
        });
        let contents = diagram.vertices.iter();
        let mut sizes = Sizes {
            ovals: ovals.collect(),
            contents: contents
                .map(|vertex| Content::new(vertex, form, room, style))
                .collect(),
        };
        for items in &layers.ranks {
            sizes.share(items);
        }
        sizes
    }

    /// Width and height.
    pub fn of(&self, item: Item) -> (f64, f64) {
        match item {
            Item::Value(vertex) => self.contents[vertex].sizes(),
            Item::Operation(vertex) => (self.ovals[vertex], OVAL),
            Item::Bend(_) => (0.0, 4.0),
        }
    }

    /// Whether an operation makes it.
    pub fn is_made(&self, vertex: usize) -> bool {
        self.ovals[vertex] > 0.0
    }

    /// Boxes of a rank that look alike are as wide as the widest.
    fn share(&mut self, items: &[Item]) {
        let vertices = items.iter().filter_map(|item| match item {
            Item::Value(vertex) => Some(*vertex),
            _ => None,
        });
        let mut widest: Vec<((bool, Form, usize), Vec<f64>)> = Vec::new();
        let kind = |sizes: &Sizes, vertex: usize| {
            let content = &sizes.contents[vertex];
            (sizes.is_made(vertex), content.form, content.cells.len())
        };
        for vertex in vertices.clone() {
            let kind = kind(self, vertex);
            let cells = self.contents[vertex].cells.iter().map(|cell| cell.width);
            match widest.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, widths)) => {
                    for (most, width) in widths.iter_mut().zip(cells) {
                        *most = most.max(width);
                    }
                }
                None => widest.push((kind, cells.collect())),
            }
        }
        for vertex in vertices {
            let kind = kind(self, vertex);
            if let Some((_, widths)) = widest.iter().find(|(known, _)| *known == kind) {
                for (cell, width) in self.contents[vertex].cells.iter_mut().zip(widths) {
                    cell.width = *width;
                }
            }
        }
    }
}

impl Content {
    fn new(vertex: &Vertex, form: Form, room: usize, style: &Style) -> Content {
        let numbers = sayings::numbers(vertex, style);
        let small = vertex.kind == Kind::Constant;
        let label = match vertex.data {
            // A literal is written like every other number.
            Some(value) if small && numbers.is_empty() => number::text(value, style.table_digits),
            _ => {
                let label = characters::clean(&vertex.label, false);
                sayings::short(&label, letters::LONGEST_LABEL).into_owned()
            }
        };
        let form = match form {
            _ if small => Form::Row,
            Form::Row if characters::width(&label) > BESIDE => Form::Stack,
            form => form,
        };
        let word = sayings::word(vertex.kind).unwrap_or_default();
        let size = if small { SIZE - 2.0 } else { SIZE };
        let mut cells = vec![Cell {
            name: "",
            width: letters::width(&label, size) + named(word) + 2.0 * PAD,
            text: label,
        }];
        cells.extend(numbers.into_iter().map(|(name, text)| {
            let places = characters::width(&text).max(room) as f64;
            Cell {
                name,
                text,
                width: places * letters::ADVANCE * size + named(name) + 2.0 * PAD,
            }
        }));
        Content {
            cells,
            form,
            word,
            small,
        }
    }

    /// The cells of each row.
    fn rows(&self) -> Vec<&[Cell]> {
        match self.form {
            Form::Row => vec![&self.cells],
            Form::Stack => vec![&self.cells[..1], &self.cells[1..]],
            Form::Tower => self.cells.chunks(1).collect(),
        }
    }

    fn sizes(&self) -> (f64, f64) {
        let rows = self.rows();
        let width = rows.iter().map(|cells| wide(cells)).fold(0.0, f64::max);
        (width, rows.len() as f64 * self.row(rows.len()))
    }

    /// How high a row is.
    fn row(&self, rows: usize) -> f64 {
        let [alone, several, small] = ROW;
        match rows {
            _ if self.small => small,
            1 => alone,
            _ => several,
        }
    }

    fn size(&self) -> f64 {
        if self.small { SIZE - 2.0 } else { SIZE }
    }
}

fn wide(cells: &[Cell]) -> f64 {
    cells.iter().map(|cell| cell.width).sum()
}

/// The room that a small word and the space beside it take.
fn named(word: &str) -> f64 {
    if word.is_empty() {
        0.0
    } else {
        letters::width(word, SMALL) + SPACE
    }
}

/// The box of a value, at its left edge and its middle.
pub fn value(
    diagram: &Diagram,
    place: usize,
    (left, middle): (f64, f64),
    sizes: &Sizes,
    shapes: &mut Vec<Shape>,
) {
    let vertex = &diagram.vertices[place];
    let content = &sizes.contents[place];
    let root = place == 0;
    let ink = sayings::ink(vertex, root);
    let (width, height) = content.sizes();
    let top = middle - height / 2.0;
    let mut class = format!("node {}", vertex.kind.word());
    if root {
        class.push_str(" root");
    }
    if let Some(stage) = vertex.stage {
        class.push(' ');
        class.push_str(stage.word());
    }
    shapes.push(Shape::Open(Group {
        class,
        key: vertex.id.to_string(),
        tip: sayings::tip(vertex),
    }));
    let heavy = root || vertex.stage == Some(Stage::Current);
    shapes.push(Shape::Rectangle {
        x: left,
        y: top,
        width,
        height,
        radius: 6.0,
        fill: Some(ink),
        line: Some(Stroke {
            ink,
            width: if heavy { 2.2 } else { 1.3 },
            dashed: vertex.stage == Some(Stage::Coming),
        }),
    });
    let rule = |from: (f64, f64), to: (f64, f64)| Shape::Path {
        steps: vec![Step::Move(from.0, from.1), Step::Line(to.0, to.1)],
        line: Some(Stroke::solid(ink, 0.8)),
        fill: None,
    };
    let rows = content.rows();
    let row = content.row(rows.len());
    let mut y = top;
    let mut first = true;
    for cells in &rows {
        if !first {
            shapes.push(rule((left, y), (left + width, y)));
        }
        let extra = (width - wide(cells)) / cells.len() as f64;
        let mut x = left;
        for (count, cell) in cells.iter().enumerate() {
            if count > 0 {
                shapes.push(rule((x, y), (x, y + row)));
            }
            let line = base(y + row / 2.0, content.size());
            if first {
                label(vertex, content, x, cell.width + extra, line, shapes);
            } else {
                let begin = match content.form {
                    Form::Tower => {
                        let most = content.cells[1..].iter().map(|cell| cell.width);
                        x + (width - most.fold(0.0, f64::max)) / 2.0
                    }
                    _ => x,
                };
                entry(vertex, content, cell, begin + PAD, line, shapes);
            }
            first = false;
            x += cell.width + extra;
        }
        y += row;
    }
    shapes.push(Shape::Close);
}

/// The label, in the middle of its cell.
fn label(
    vertex: &Vertex,
    content: &Content,
    left: f64,
    width: f64,
    line: f64,
    shapes: &mut Vec<Shape>,
) {
    let text = &content.cells[0].text;
    let long = letters::width(text, content.size());
    let begin = left + (width - long - named(content.word)) / 2.0;
    shapes.push(Shape::Text {
        x: begin,
        y: line,
        anchor: Anchor::Start,
        size: content.size(),
        bold: !content.small,
        ink: words(vertex),
        part: "label",
        text: text.clone(),
    });
    if !content.word.is_empty() {
        let at = begin + long + SPACE;
        shapes.push(small(at, line, content.word, Ink::Frozen));
    }
}

/// A number and the word before it.
fn entry(
    vertex: &Vertex,
    content: &Content,
    cell: &Cell,
    left: f64,
    line: f64,
    shapes: &mut Vec<Shape>,
) {
    if !cell.name.is_empty() {
        shapes.push(small(left, line, cell.name, Ink::Faint));
    }
    let ink = match (cell.name, vertex.grad) {
        ("grad", Some(grad)) if grad > 0.0 => Ink::Rising,
        ("grad", Some(grad)) if grad < 0.0 => Ink::Falling,
        ("grad", None) => Ink::Faint,
        _ => words(vertex),
    };
    shapes.push(Shape::Text {
        x: left + named(cell.name),
        y: line,
        anchor: Anchor::Start,
        size: content.size(),
        bold: false,
        ink,
        part: if cell.name.is_empty() {
            "data"
        } else {
            cell.name
        },
        text: cell.text.clone(),
    });
}

/// The oval of an operation, at its left edge and its middle.
pub fn operation(
    diagram: &Diagram,
    place: usize,
    (left, middle): (f64, f64),
    sizes: &Sizes,
    shapes: &mut Vec<Shape>,
) {
    let vertex = &diagram.vertices[place];
    let Some((sign, name)) = vertex.operation else {
        return;
    };
    let (class, ink) = match vertex.stage {
        Some(Stage::Current) => ("operation current", Ink::Current),
        Some(Stage::Coming) => ("operation coming", Ink::Coming),
        Some(Stage::Done) => ("operation done", Ink::Operation),
        None => ("operation", Ink::Operation),
    };
    let width = sizes.ovals[place];
    shapes.push(Shape::Open(Group {
        class: class.to_string(),
        key: vertex.id.to_string(),
        tip: name.to_string(),
    }));
    shapes.push(Shape::Rectangle {
        x: left,
        y: middle - OVAL / 2.0,
        width,
        height: OVAL,
        radius: OVAL / 2.0,
        fill: Some(ink),
        line: Some(Stroke {
            ink,
            width: 1.3,
            dashed: vertex.stage == Some(Stage::Coming),
        }),
    });
    shapes.push(Shape::Text {
        x: left + width / 2.0,
        y: base(middle, SIZE),
        anchor: Anchor::Middle,
        size: SIZE,
        bold: false,
        ink: words(vertex),
        part: "",
        text: sign.to_string(),
    });
    shapes.push(Shape::Close);
}

/// How far from the left edge of an oval its outline is, so far above or below the middle.
pub fn inset(down: f64) -> f64 {
    let radius = OVAL / 2.0;
    radius - (radius * radius - down * down).max(0.0).sqrt()
}

/// The head of an arrow whose point is here: a small triangle in so thick a line that nothing of its inside is left.
pub fn arrow((x, y): (f64, f64), ink: Ink) -> Shape {
    const LINE: f64 = 2.8;
    let (long, wide) = ARROW;
    let (point, back) = (x - LINE / 2.0 - 0.6, x - long + LINE / 2.0);
    let side = (wide - LINE) / 2.0;
    Shape::Path {
        steps: vec![
            Step::Move(point, y),
            Step::Line(back, y - side),
            Step::Line(back, y + side),
            Step::Close,
        ],
        line: Some(Stroke::solid(ink, LINE)),
        fill: None,
    }
}

/// What a walk has not come to is faint.
fn words(vertex: &Vertex) -> Ink {
    if vertex.stage == Some(Stage::Coming) {
        Ink::Faint
    } else {
        Ink::Words
    }
}

/// The baseline of letters whose middle is here.
fn base(middle: f64, size: f64) -> f64 {
    middle + size * letters::CAPITAL / 2.0
}

fn small(x: f64, y: f64, text: &str, ink: Ink) -> Shape {
    Shape::Text {
        x,
        y,
        anchor: Anchor::Start,
        size: SMALL,
        bold: false,
        ink,
        part: "",
        text: text.to_string(),
    }
}
