//! Parts of a whole as horizontal bars, for files.
//!
//! Parts below 0 go to the left. The terminal has bars in the cells of a table instead.

use crate::report::Bars;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{Anchor, Contour, Ink, Scene, SceneShape, SceneText, Stroke};

/// The width of the picture.
const WIDTH: f64 = 800.0;
/// The empty edge around what is drawn.
const EDGE: f64 = 24.0;
/// The heights of letters: of the title, and of the bars.
const LETTERS: (f64, f64) = (18.0, 14.0);
/// How much room a bar takes, and how high it is.
const BAR: (f64, f64) = (30.0, 18.0);
/// The most room of labels.
const LABELS: f64 = 260.0;

/// The picture of bars.
pub(crate) fn scene(bars: &Bars) -> Scene {
    let top = 2.0 * EDGE + LETTERS.0;
    let height = top + BAR.0 * bars.parts.len() as f64 + EDGE;
    let shortened = |text: &str, room: f64, size: f64| {
        let places = letters::places(room, size);
        crate::view::characters::shorten_end(text, places, false).into_owned()
    };
    let labels: Vec<String> = (bars.parts.iter())
        .map(|(label, _)| shortened(label, LABELS, LETTERS.1))
        .collect();
    let said = |part: f64| format!("{} %", (100.0 * part).round() + 0.0);
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.fold(0.0, |most: f64, text| {
            most.max(letters::width(&text, LETTERS.1))
        })
    };
    let left = EDGE + widest(&mut labels.iter().cloned()) + 12.0;
    let right = WIDTH - EDGE - 12.0 - widest(&mut bars.parts.iter().map(|(_, part)| said(*part)));
    let parts = || bars.parts.iter().map(|(_, part)| *part);
    let (least, most) = (parts().fold(0.0, f64::min), parts().fold(0.0, f64::max));
    let scale = (right - left) / (most - least).max(f64::MIN_POSITIVE);
    let zero = left - least * scale;
    let title = shortened(&bars.title, WIDTH - 2.0 * EDGE, LETTERS.0);
    let text = |at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, text: &str| {
        SceneShape::Text(SceneText {
            anchor,
            ..SceneText::new(at, size, ink, text)
        })
    };
    let mut shapes = vec![SceneShape::Text(SceneText {
        bold: true,
        ..SceneText::new(
            (EDGE, EDGE + LETTERS.0 / 2.0 + 4.0),
            LETTERS.0,
            Ink::Words,
            &title,
        )
    })];
    let rows = labels.iter().zip(parts()).enumerate();
    for (row, (label, part)) in rows {
        let middle = top + BAR.0 * (row as f64 + 0.5);
        let (from, to) = (zero.min(zero + part * scale), zero.max(zero + part * scale));
        let baseline = middle + LETTERS.1 * 0.35;
        shapes.push(text(
            (left - 12.0, baseline),
            Anchor::End,
            LETTERS.1,
            Ink::Words,
            label,
        ));
        shapes.push(SceneShape::Figure {
            contour: Contour::Rectangle {
                sides: [from, middle - BAR.1 / 2.0, (to - from).max(1.0), BAR.1],
                radius: 2.0,
            },
            fill: Some(Ink::Curve(u8::from(part < 0.0))),
            line: None,
        });
        let said = said(part);
        shapes.push(text(
            (to + 8.0, baseline),
            Anchor::Start,
            LETTERS.1,
            Ink::Faint,
            &said,
        ));
    }
    let axis = [(zero, top), (zero, height - EDGE)];
    shapes.push(SceneShape::line(
        axis[0],
        axis[1],
        Stroke::solid(Ink::Wire, 1.25),
    ));
    let described = bars
        .parts
        .iter()
        .map(|(label, part)| format!("{label} {}", said(*part)));
    Scene {
        width: WIDTH,
        height,
        title: bars.title.clone(),
        description: described.collect::<Vec<_>>().join(", "),
        shapes,
    }
}
