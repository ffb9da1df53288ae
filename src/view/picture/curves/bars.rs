//! Numbers as horizontal bars, for files.
//!
//! Numbers below 0 go to the left. The terminal has bars in the cells of a table instead.

use super::shapes::{EDGE, LETTERS, ShapeSheet, shortened};
use crate::report::{Bars, Cell};
use crate::view::picture::shapes::{Anchor, Contour, Ink, Scene, Stroke, letters};
use crate::view::{Style, characters, number, plain};

/// The width of the picture.
const WIDTH: f64 = 800.0;
/// How much room a bar takes, and how high it is.
const BAR: (f64, f64) = (30.0, 18.0);
/// Between a bar and what stands beside it.
const SPACE: f64 = 12.0;
/// The most room of labels.
const LABELS: f64 = 260.0;
/// The shortest bar that is seen.
const LEAST: f64 = 3.0;

/// The picture of bars.
pub(crate) fn scene(bars: &Bars, style: &Style) -> Scene {
    let (title, remark) = (plain(&bars.title, style), plain(&bars.remark, style));
    let size = LETTERS.2;
    let rows = bars.parts.iter().map(|bar| {
        // Names may differ only at their ends.
        let places = letters::places(LABELS, size);
        let label = characters::shorten_middle(&bar.label, places, false);
        (label.into_owned(), told(&bar.told, style))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let widest = |text: fn(&(String, String)) -> &String| {
        let widths = rows.iter().map(|row| letters::width(text(row), size));
        widths.fold(0.0, f64::max)
    };
    let left = EDGE + widest(|(label, _)| label) + SPACE;
    let right = WIDTH - EDGE - SPACE - widest(|(_, told)| told);
    let finite = bars.parts.iter().map(|bar| bar.length.abs());
    let longest = finite
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max);
    let longest = if longest > 0.0 { longest } else { 1.0 };
    // An infinite one is as long as the longest, a NaN has no bar.
    let lengths = bars.parts.iter().map(|bar| bar.length);
    let lengths = lengths.map(|length| if length.is_nan() { 0.0 } else { length });
    let lengths: Vec<f64> = lengths
        .map(|length| length.clamp(-longest, longest))
        .collect();
    let least = lengths.iter().copied().fold(0.0, f64::min);
    let most = lengths.iter().copied().fold(0.0, f64::max);
    let span = if most > least { most - least } else { longest };
    let scale = (right - left) / span;
    let zero = left - least * scale;
    let top = 2.0 * EDGE + LETTERS.0;
    let bottom = top + BAR.0 * rows.len() as f64;
    let mut sheet = ShapeSheet::default();
    sheet.title(&shortened(&title, WIDTH - 2.0 * EDGE, LETTERS.0));
    for (row, ((label, told), length)) in rows.iter().zip(lengths).enumerate() {
        let middle = top + BAR.0 * (row as f64 + 0.5);
        let baseline = middle + size * 0.35;
        sheet.text((left - SPACE, baseline), Anchor::End, size, label);
        let wide = (length * scale).abs().max(LEAST);
        let mut end = zero;
        if length != 0.0 {
            let from = if length < 0.0 { zero - wide } else { zero };
            let ink = if length < 0.0 {
                Ink::Falling
            } else {
                Ink::Rising
            };
            let sides = [from, middle - BAR.1 / 2.0, wide, BAR.1];
            sheet.area(Contour::Rectangle { sides, radius: 2.0 }, ink, None);
            end = from + wide;
        }
        sheet.faint((end + SPACE, baseline), Anchor::Start, told);
    }
    sheet.line((zero, top), (zero, bottom), Stroke::solid(Ink::Wire, 1.25));
    sheet.faint((EDGE, bottom + EDGE), Anchor::Start, &remark);
    let described = rows.iter().map(|(label, told)| format!("{label} {told}"));
    Scene {
        width: WIDTH,
        height: bottom + if remark.is_empty() { EDGE } else { 2.0 * EDGE },
        description: described.collect::<Vec<_>>().join(", "),
        title,
        shapes: sheet.0,
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
