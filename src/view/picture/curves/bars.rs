//! Numbers as horizontal bars, for files.
//!
//! Numbers below 0 go to the left. The terminal has bars in the cells of a table instead.

use crate::report::{Bar, Bars, Cell};
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneShape, SceneText, Stroke,
};
use crate::view::{Style, characters, number, plain};

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
/// The shortest bar that is seen, and how long the arrowhead of an infinite one is.
const LEAST: f64 = 3.0;
const HEAD: f64 = 14.0;

/// The picture of bars.
pub(crate) fn scene(bars: &Bars, style: &Style) -> Scene {
    let (title, remark) = (plain(&bars.title, style), plain(&bars.remark, style));
    let top = 2.0 * EDGE + LETTERS.0;
    let bottom = top + BAR.0 * bars.parts.len() as f64;
    let height = bottom + if remark.is_empty() { EDGE } else { 2.0 * EDGE };
    let places = letters::places;
    let rows: Vec<(String, String)> = (bars.parts.iter())
        .map(|bar| {
            // Names may differ only at their ends.
            let label = characters::shorten_middle(&bar.label, places(LABELS, LETTERS.1), false);
            (label.into_owned(), told(&bar.told, style))
        })
        .collect();
    let width = |text: &String| letters::width(text, LETTERS.1);
    let widest = |text: fn(&(String, String)) -> &String| {
        let widths = rows.iter().map(|row| width(text(row)));
        widths.fold(0.0, f64::max)
    };
    let left = EDGE + widest(|(label, _)| label) + SPACE;
    let right = WIDTH - EDGE - SPACE - widest(|(_, told)| told);
    let finite = bars.parts.iter().map(|bar| bar.length);
    let longest = (finite.filter(|length| length.is_finite()))
        .fold(0.0, |most: f64, length| most.max(length.abs()));
    let longest = if longest > 0.0 { longest } else { 1.0 };
    // `max` and `min` skip a NaN.
    let shown = |bar: &Bar| bar.length.clamp(-longest, longest);
    let (least, most) = (bars.parts.iter().map(shown))
        .fold((0.0_f64, 0.0_f64), |(least, most), length| {
            (least.min(length), most.max(length))
        });
    let span = if most > least { most - least } else { longest };
    let scale = (right - left) / span;
    let zero = left - least * scale;
    let text =
        |at: (f64, f64), size: f64, ink: Ink, text: &str| SceneText::new(at, size, ink, text);
    let mut shapes = vec![SceneShape::Text(SceneText {
        bold: true,
        ..text(
            (EDGE, EDGE + LETTERS.0 / 2.0 + 4.0),
            LETTERS.0,
            Ink::Words,
            &characters::shorten_end(&title, places(WIDTH - 2.0 * EDGE, LETTERS.0), false),
        )
    })];
    for (row, ((label, told), bar)) in rows.iter().zip(&bars.parts).enumerate() {
        let middle = top + BAR.0 * (row as f64 + 0.5);
        let baseline = middle + LETTERS.1 * 0.35;
        shapes.push(SceneShape::Text(SceneText {
            anchor: Anchor::End,
            ..text((left - SPACE, baseline), LETTERS.1, Ink::Words, label)
        }));
        let length = shown(bar) * scale;
        let end = if bar.length > 0.0 {
            zero + length.max(LEAST)
        } else if bar.length < 0.0 {
            zero + length.min(-LEAST)
        } else {
            zero
        };
        if end != zero {
            shapes.push(SceneShape::Figure {
                contour: contour((zero, end), middle, bar.length.is_infinite()),
                fill: Some(if end < zero {
                    Ink::Falling
                } else {
                    Ink::Rising
                }),
                line: None,
            });
        }
        let to = zero.max(end);
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

/// A bar from the line to its end; an infinite one ends in an arrowhead.
fn contour((zero, end): (f64, f64), middle: f64, is_infinite: bool) -> Contour {
    let (up, down) = (middle - BAR.1 / 2.0, middle + BAR.1 / 2.0);
    if !is_infinite {
        return Contour::Rectangle {
            sides: [zero.min(end), up, (end - zero).abs(), BAR.1],
            radius: 2.0,
        };
    }
    let neck = end - HEAD.copysign(end - zero);
    Contour::Path(vec![
        PathStep::Move(zero, up),
        PathStep::Line(neck, up),
        PathStep::Line(end, middle),
        PathStep::Line(neck, down),
        PathStep::Line(zero, down),
        PathStep::Close,
    ])
}

/// What stands behind a bar.
fn told(cell: &Cell, style: &Style) -> String {
    match cell {
        Cell::Share(part) => format!("{} %", (100.0 * part).round() + 0.0),
        Cell::Number(number) => number::text(*number, style.table_digits),
        _ => String::new(),
    }
}
