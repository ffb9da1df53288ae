//! Numbers as horizontal bars, for files.
//!
//! Numbers below 0 go to the left. The terminal has bars in the cells of a table instead.

use crate::report::{Bars, Cell};
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{Anchor, Contour, Ink, Scene, SceneShape, SceneText, Stroke};
use crate::view::{Style, number, plain};

/// The width of the picture.
const WIDTH: f64 = 800.0;
/// The empty edge around what is drawn.
const EDGE: f64 = 24.0;
/// The heights of letters: of the title, and of the bars.
const LETTERS: (f64, f64) = (18.0, 14.0);
/// How much room a bar takes, and how high it is.
const BAR: (f64, f64) = (30.0, 18.0);
/// Between a bar and what stands beside it.
const SPACE: f64 = 12.0;
/// The most room of labels.
const LABELS: f64 = 260.0;

/// The picture of bars.
pub(crate) fn scene(bars: &Bars, style: &Style) -> Scene {
    let (title, remark) = (plain(&bars.title, style), plain(&bars.remark, style));
    let top = 2.0 * EDGE + LETTERS.0;
    let bottom = top + BAR.0 * bars.parts.len() as f64;
    let height = bottom + if remark.is_empty() { EDGE } else { 2.0 * EDGE };
    let shortened = |text: &str, room: f64, size: f64| {
        let places = letters::places(room, size);
        crate::view::characters::shorten_end(text, places, false).into_owned()
    };
    let rows: Vec<(String, String)> = (bars.parts.iter())
        .map(|bar| {
            (
                shortened(&bar.label, LABELS, LETTERS.1),
                told(&bar.told, style),
            )
        })
        .collect();
    let width = |text: &String| letters::width(text, LETTERS.1);
    let widest = |text: fn(&(String, String)) -> &String| {
        let widths = rows.iter().map(|row| width(text(row)));
        widths.fold(0.0, f64::max)
    };
    let left = EDGE + widest(|(label, _)| label) + SPACE;
    let right = WIDTH - EDGE - SPACE - widest(|(_, told)| told);
    let lengths = || bars.parts.iter().map(|bar| bar.length);
    let (least, most) = (lengths().fold(0.0, f64::min), lengths().fold(0.0, f64::max));
    let scale = (right - left) / (most - least).max(f64::MIN_POSITIVE);
    let zero = left - least * scale;
    let text =
        |at: (f64, f64), size: f64, ink: Ink, text: &str| SceneText::new(at, size, ink, text);
    let mut shapes = vec![SceneShape::Text(SceneText {
        bold: true,
        ..text(
            (EDGE, EDGE + LETTERS.0 / 2.0 + 4.0),
            LETTERS.0,
            Ink::Words,
            &shortened(&title, WIDTH - 2.0 * EDGE, LETTERS.0),
        )
    })];
    for (row, ((label, told), length)) in rows.iter().zip(lengths()).enumerate() {
        let middle = top + BAR.0 * (row as f64 + 0.5);
        let end = zero + length * scale;
        let (from, to) = (zero.min(end), zero.max(end));
        let baseline = middle + LETTERS.1 * 0.35;
        shapes.push(SceneShape::Text(SceneText {
            anchor: Anchor::End,
            ..text((left - SPACE, baseline), LETTERS.1, Ink::Words, label)
        }));
        shapes.push(SceneShape::Figure {
            contour: Contour::Rectangle {
                sides: [from, middle - BAR.1 / 2.0, (to - from).max(1.0), BAR.1],
                radius: 2.0,
            },
            fill: Some(if length < 0.0 {
                Ink::Falling
            } else {
                Ink::Rising
            }),
            line: None,
        });
        let at = (to + SPACE, baseline);
        shapes.push(SceneShape::Text(text(at, LETTERS.1, Ink::Faint, told)));
    }
    shapes.push(SceneShape::line(
        (zero, top),
        (zero, bottom),
        Stroke::solid(Ink::Wire, 1.25),
    ));
    if !remark.is_empty() {
        let at = (EDGE, bottom + EDGE);
        shapes.push(SceneShape::Text(text(at, LETTERS.1, Ink::Faint, &remark)));
    }
    let described = rows.iter().map(|(label, told)| format!("{label} {told}"));
    Scene {
        width: WIDTH,
        height,
        description: described.collect::<Vec<_>>().join(", "),
        title,
        shapes,
    }
}

/// What stands behind a bar.
fn told(cell: &Cell, style: &Style) -> String {
    match cell {
        Cell::Share(part) => format!("{} %", (100.0 * part).round() + 0.0),
        Cell::Number(number) => number::text(*number, style.table_digits),
        _ => String::new(),
    }
}
