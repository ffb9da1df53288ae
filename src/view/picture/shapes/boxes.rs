//! The boxes and ovals of a graph as shapes, and the heads of the arrows between them.
//!
//! Their sizes come from `sizes.rs`, their texts from `labels.rs`.

use super::labels;
use super::letters;
use super::scene::{Anchor, Contour, Ink, PathStep, SceneGroup, SceneShape, SceneText, Stroke};
use super::sizes;
use super::sizes::{BoxCell, Content, Form, OVAL, PAD, SIZE, SMALL, SPACE, Sizes, named};
use crate::report::{Diagram, Flow, Stage, Vertex};

/// How long an arrow's head is, and how wide.
pub(crate) const ARROW: (f64, f64) = (8.0, 7.0);

/// How thick its outline is.
pub(crate) const HEAD: f64 = 2.8;

/// The box of a value, at its left edge and its middle.
pub(crate) fn value(
    diagram: &Diagram,
    place: usize,
    (left, middle): (f64, f64),
    sizes: &Sizes,
    shapes: &mut Vec<SceneShape>,
) {
    let vertex = &diagram.vertices[place];
    let content = sizes.content(place);
    let root = place == 0;
    let ink = labels::ink(vertex, root);
    let (width, height) = content.sizes();
    let top = middle - height / 2.0;
    let mut class = format!("node {}", vertex.kind.word());
    if root {
        class.push_str(" root");
    }
    if vertex.first {
        class.push_str(" first");
    }
    if let Some(stage) = vertex.stage {
        class.push(' ');
        class.push_str(stage.word());
    }
    shapes.push(SceneShape::Open(SceneGroup {
        class,
        key: vertex.id.to_string(),
        tip: labels::tip(vertex, sizes.digits),
    }));
    let heavy = root || vertex.first || vertex.stage == Some(Stage::Current);
    shapes.push(SceneShape::Figure {
        contour: Contour::Rectangle {
            sides: [left, top, width, height],
            radius: 6.0,
        },
        fill: Some(ink),
        line: Some(Stroke {
            ink,
            width: if heavy { 2.2 } else { 1.3 },
            dashed: vertex.stage == Some(Stage::Coming),
        }),
    });
    let rule = |from, to| SceneShape::line(from, to, Stroke::solid(ink, 0.8));
    let rows = content.rows();
    let row = content.row(rows.len());
    let mut y = top;
    let mut first = true;
    for cells in &rows {
        if !first {
            shapes.push(rule((left, y), (left + width, y)));
        }
        let extra = (width - sizes::wide(cells)) / cells.len() as f64;
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
    shapes.push(SceneShape::Close);
}

/// The label, in the middle of its cell.
fn label(
    vertex: &Vertex,
    content: &Content,
    left: f64,
    width: f64,
    line: f64,
    shapes: &mut Vec<SceneShape>,
) {
    let text = &content.cells[0].text;
    let middle = left + (width - named(&content.words)) / 2.0;
    shapes.push(SceneShape::Text(SceneText {
        anchor: Anchor::Middle,
        bold: !content.small,
        part: "label",
        ..SceneText::new((middle, line), content.size(), words(vertex), text)
    }));
    if !content.words.is_empty() {
        let at = middle + letters::width(text, content.size()) / 2.0 + SPACE;
        let ink = if vertex.first {
            Ink::NotFinite
        } else {
            Ink::Frozen
        };
        shapes.push(small((at, line), &content.words, ink));
    }
}

/// A number and the word before it.
fn entry(
    vertex: &Vertex,
    content: &Content,
    cell: &BoxCell,
    left: f64,
    line: f64,
    shapes: &mut Vec<SceneShape>,
) {
    if !cell.name.is_empty() {
        shapes.push(small((left, line), cell.name, Ink::Faint));
    }
    let value = if cell.name == "grad" {
        vertex.grad
    } else {
        vertex.data
    };
    let ink = match (cell.name, value) {
        (_, Some(value)) if !value.is_finite() => Ink::NotFinite,
        ("grad", Some(grad)) if grad > 0.0 => Ink::Rising,
        ("grad", Some(grad)) if grad < 0.0 => Ink::Falling,
        ("grad", None) => Ink::Faint,
        _ => words(vertex),
    };
    let at = (left + named(cell.name), line);
    shapes.push(SceneShape::Text(SceneText {
        part: if cell.name.is_empty() {
            "data"
        } else {
            cell.name
        },
        ..SceneText::new(at, content.size(), ink, &cell.text)
    }));
}

/// The oval of an operation, at its left edge and its middle.
pub(crate) fn operation(
    diagram: &Diagram,
    place: usize,
    (left, middle): (f64, f64),
    sizes: &Sizes,
    shapes: &mut Vec<SceneShape>,
) {
    let vertex = &diagram.vertices[place];
    let Some((sign, name)) = vertex.operation else {
        return;
    };
    let ink = labels::operation_ink(vertex);
    let mut class = "operation".to_string();
    if let Some(stage) = vertex.stage {
        class.push(' ');
        class.push_str(stage.word());
    }
    let (width, height) = sizes.oval(place);
    shapes.push(SceneShape::Open(SceneGroup {
        class,
        key: vertex.id.to_string(),
        tip: name.to_string(),
    }));
    shapes.push(SceneShape::Figure {
        contour: Contour::Rectangle {
            sides: [left, middle - height / 2.0, width, height],
            radius: OVAL / 2.0,
        },
        fill: Some(ink),
        line: Some(Stroke {
            ink,
            width: 1.3,
            dashed: vertex.stage == Some(Stage::Coming),
        }),
    });
    let at = (left + width / 2.0, base(middle, SIZE));
    shapes.push(SceneShape::Text(SceneText {
        anchor: Anchor::Middle,
        ..SceneText::new(at, SIZE, words(vertex), sign)
    }));
    shapes.push(SceneShape::Close);
}

/// How far the outline of an oval is from the side where operands enter, at this distance from the middle of that side.
pub(crate) fn inset((width, height): (f64, f64), flow: Flow, port: f64) -> f64 {
    let side = match flow {
        Flow::Right => height,
        Flow::Down => width,
    };
    let radius = OVAL / 2.0;
    let past = (port.abs() - (side / 2.0 - radius)).clamp(0.0, radius);
    radius - (radius * radius - past * past).sqrt()
}

/// The head of an arrow that points here: a small triangle whose thick outline covers its inside. Along the picture
/// comes first, as in all steps of wires.
pub(crate) fn arrow((along, across): (f64, f64)) -> [PathStep; 4] {
    let (long, wide) = ARROW;
    let (point, back) = (along - HEAD / 2.0 - 0.6, along - long + HEAD / 2.0);
    let side = (wide - HEAD) / 2.0;
    [
        PathStep::Move(point, across),
        PathStep::Line(back, across - side),
        PathStep::Line(back, across + side),
        PathStep::Close,
    ]
}

/// The ink of the words: faint where a walk has not come yet.
fn words(vertex: &Vertex) -> Ink {
    if vertex.stage == Some(Stage::Coming) {
        Ink::Faint
    } else {
        Ink::Words
    }
}

/// The baseline of capital letters with this middle.
fn base(middle: f64, size: f64) -> f64 {
    middle + size * letters::CAPITAL / 2.0
}

fn small(at: (f64, f64), text: &str, ink: Ink) -> SceneShape {
    SceneShape::Text(SceneText::new(at, SMALL, ink, text))
}
