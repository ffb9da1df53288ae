//! Measures and draws the boxes and ovals of a graph.
//!
//! Their places come from `drawing.rs`, their texts from `labels.rs`.

use super::labels::{self, Face, FaceNumber};
use super::letters;
use super::scene::{Anchor, Contour, Ink, SceneGroup, SceneText, Sketch, Stroke, half_pixels};
use chainrule_report::{Stage, Vertex, characters};
use chainrule_style::Style;

/// The size of the letters of labels and numbers.
const SIZE: f64 = 14.0;
/// The size of the letters of the words `data` and `grad`, and of the numbers on wires.
const SMALL_SIZE: f64 = 11.0;
/// The room between the words and the edge of a box.
pub(crate) const PAD: f64 = 9.0;
/// The room between the word `data` and its number.
const SPACE: f64 = 5.0;
/// The height of a row.
const ROW: f64 = 21.0;
/// The height of a row of a constant.
const SMALL_ROW: f64 = 18.0;
/// The room above the first row of a box and below the last one, together.
const ROWS_PAD: f64 = 5.0;
/// The least height and width of an operation.
pub(crate) const OVAL: f64 = 26.0;
/// The height of a number on a wire with its outline.
pub(crate) const NUMBER_HIGH: f64 = 15.0;
/// The width of the outline of a box or an oval, and of a box that is emphasized.
const OUTLINE: f64 = 1.5;
const HEAVY_OUTLINE: f64 = 2.2;
/// The radius of the corners of a box.
const CORNER: f64 = 6.0;
/// The room between the text of a number on a wire and its outline.
const NUMBER_PAD: f64 = 4.0;

impl Face {
    /// The size of its letters.
    fn letter_size(&self) -> f64 {
        if self.is_small { SIZE - 2.0 } else { SIZE }
    }

    /// The height of its rows.
    fn row_height(&self) -> f64 {
        if self.is_small { SMALL_ROW } else { ROW }
    }

    /// The number of its rows.
    fn rows(&self) -> f64 {
        (1 + self.numbers.len()) as f64
    }

    /// The width and the height of its box.
    pub(crate) fn sizes(&self) -> (f64, f64) {
        let label_width = letters::width(&self.label, self.letter_size()) + word_room(&self.words);
        let number_width = |number: &FaceNumber| {
            let columns = characters::width(&number.text).max(self.number_room) as f64;
            word_room(number.name) + columns * letters::MONO_ADVANCE * self.letter_size()
        };
        let number_widths = self.numbers.iter().map(number_width);
        let width = number_widths.fold(label_width, f64::max) + 2.0 * PAD;
        (width, self.rows() * self.row_height() + ROWS_PAD)
    }
}

/// Draws the box of a value.
pub(crate) fn draw_value(
    vertex: &Vertex,
    is_root: bool,
    face: &Face,
    sides: [f64; 4],
    style: &Style,
    sketch: &mut Sketch,
) {
    let mut class = format!("node {}", vertex.kind.word());
    if is_root {
        class.push_str(" root");
    }
    if vertex.is_first_not_finite {
        class.push_str(" first");
    }
    let tip = labels::tip(vertex, style);
    let width = match face.ink {
        Ink::Root | Ink::NotFinite | Ink::Current => HEAVY_OUTLINE,
        _ => OUTLINE,
    };
    sketch.group(node_group(vertex, class, tip), |sketch| {
        draw_outline(vertex, sides, CORNER, face.ink, width, sketch);
        draw_texts(vertex, face, sides, sketch);
    });
}

/// Draws the label in a box and the numbers below it.
fn draw_texts(vertex: &Vertex, face: &Face, sides: [f64; 4], sketch: &mut Sketch) {
    let [left, top, width, height] = sides;
    let size = face.letter_size();
    let mut middle = top + (height - (face.rows() - 1.0) * face.row_height()) / 2.0;
    let label_x = left + (width - word_room(&face.words)) / 2.0;
    let label_y = baseline(middle, size);
    sketch.text(SceneText {
        anchor: Anchor::Middle,
        is_bold: !face.is_small,
        class: "label",
        ..SceneText::new((label_x, label_y), size, word_ink(vertex), &face.label)
    });
    if !face.words.is_empty() {
        let x = label_x + letters::width(&face.label, size) / 2.0 + SPACE;
        let ink = if vertex.is_first_not_finite {
            Ink::NotFinite
        } else {
            Ink::Frozen
        };
        sketch.text(SceneText::new((x, label_y), SMALL_SIZE, ink, &face.words));
    }
    for FaceNumber { name, text, ink } in &face.numbers {
        middle += face.row_height();
        let y = baseline(middle, size);
        let mut x = left + PAD;
        if !name.is_empty() {
            sketch.text(SceneText::new((x, y), SMALL_SIZE, Ink::Faint, name));
        }
        x += word_room(name);
        let ink = match ink {
            Ink::Number => word_ink(vertex),
            ink => *ink,
        };
        sketch.text(SceneText {
            class: if name.is_empty() { "data" } else { name },
            ..SceneText::new((x, y), size, ink, text)
        });
    }
}

/// The width of the oval of an operation with this sign, without the room for its operands.
pub(crate) fn oval_width(sign: &str) -> f64 {
    (letters::width(sign, SIZE) + 2.0 * PAD).ceil().max(OVAL)
}

/// Draws the oval of an operation.
pub(crate) fn draw_operation(vertex: &Vertex, face: &Face, sides: [f64; 4], sketch: &mut Sketch) {
    let (Some((_, name)), Some((sign, ink))) = (vertex.operation, face.operation) else {
        return;
    };
    let [left, top, width, height] = sides;
    let at = (left + width / 2.0, baseline(top + height / 2.0, SIZE));
    let text = SceneText {
        anchor: Anchor::Middle,
        ..SceneText::new(at, SIZE, word_ink(vertex), sign)
    };
    let group = node_group(vertex, "operation".to_string(), name.to_string());
    sketch.group(group, |sketch| {
        draw_outline(vertex, sides, OVAL / 2.0, ink, OUTLINE, sketch);
        sketch.text(text);
    });
}

/// The width of a text on a wire with its outline.
pub(crate) fn on_wire_width(text: &str) -> f64 {
    letters::width(text, SMALL_SIZE) + 2.0 * NUMBER_PAD
}

/// Draws a text on a wire, with its middle at this place.
pub(crate) fn draw_on_wire(
    text: &str,
    (x, y): (f64, f64),
    ink: Ink,
    class: &'static str,
    sketch: &mut Sketch,
) {
    let width = on_wire_width(text);
    let capsule = Contour::Rectangle {
        sides: [x - width / 2.0, y - NUMBER_HIGH / 2.0, width, NUMBER_HIGH],
        radius: NUMBER_HIGH / 2.0,
    };
    let outline = Stroke::solid(Ink::Wire, 0.8);
    sketch.figure(capsule, Some(Ink::Ground), Some(outline));
    sketch.text(SceneText {
        anchor: Anchor::Middle,
        class,
        ..SceneText::new((x, baseline(y, SMALL_SIZE)), SMALL_SIZE, ink, text)
    });
}

/// The group of the figures of a node.
fn node_group(vertex: &Vertex, mut class: String, tip: String) -> SceneGroup {
    if let Some(stage) = vertex.stage {
        class.extend([" ", stage.word()]);
    }
    SceneGroup::new(&class, vertex.id.to_string(), tip)
}

/// Draws the area and the outline of a box or an oval. The outline of a node that a walk has not reached is dashed.
fn draw_outline(
    vertex: &Vertex,
    sides: [f64; 4],
    radius: f64,
    ink: Ink,
    width: f64,
    sketch: &mut Sketch,
) {
    let line = Stroke::of(ink, width, vertex.stage == Some(Stage::Coming));
    sketch.figure(Contour::Rectangle { sides, radius }, Some(ink), Some(line));
}

/// The ink of the words. It is faint for nodes that the walk has not reached yet.
fn word_ink(vertex: &Vertex) -> Ink {
    if vertex.stage == Some(Stage::Coming) {
        Ink::Faint
    } else {
        Ink::Words
    }
}

/// The baseline of capital letters with this middle.
fn baseline(middle: f64, size: f64) -> f64 {
    half_pixels(middle + size * letters::CAPITAL / 2.0)
}

/// The width of a small word and the space beside it.
fn word_room(word: &str) -> f64 {
    if word.is_empty() {
        0.0
    } else {
        (letters::width(word, SMALL_SIZE) + SPACE).ceil()
    }
}
