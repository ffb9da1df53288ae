//! Numbers as horizontal bars, for files.
//!
//! Numbers below 0 go to the left. The terminal has bars in the cells of a table instead.

use super::shapes::{CELL, EDGE, ShapeSheet};
use crate::report::Bars;
use crate::view::picture::shapes::{Anchor, Contour, Ink, Scene, Stroke};
use crate::view::theme::Role;
use crate::view::{Style, characters, plain};

/// The columns of the picture, and the most of a label.
const COLUMNS: usize = 90;
const LABELS: usize = 33;
/// How much room a bar takes, and how high it is.
const BAR: (f64, f64) = (30.0, 18.0);
/// Between a bar and what stands beside it.
const SPACE: f64 = 12.0;
/// The shortest bar that is seen.
const LEAST: f64 = 3.0;

/// The picture of bars.
pub(crate) fn scene(bars: &Bars, style: &Style) -> Scene {
    let (title, remark) = (plain(&bars.title, style), plain(&bars.remark, style));
    let rows = bars.parts.iter().map(|bar| {
        // Names may differ only at their ends.
        let label = characters::shorten_middle(&bar.label, LABELS, false);
        (label.into_owned(), plain(&bar.told, style))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let widest = |text: fn(&(String, String)) -> &String| {
        let widths = rows.iter().map(|row| characters::width(text(row)));
        widths.max().unwrap_or(0) as f64 * CELL.0
    };
    let width = COLUMNS as f64 * CELL.0;
    let left = EDGE + widest(|(label, _)| label) + SPACE;
    let right = EDGE + width - SPACE - widest(|(_, told)| told);
    // An infinite one is as long as the longest, a NaN has no bar.
    let lengths = bars.parts.iter().map(|bar| bar.length);
    let finite = lengths.clone().filter(|length| length.is_finite());
    let longest = finite.fold(0.0, |longest: f64, length| longest.max(length.abs()));
    let longest = if longest > 0.0 { longest } else { 1.0 };
    let lengths = lengths.map(|length| if length.is_nan() { 0.0 } else { length });
    let lengths = lengths.map(|length| length.clamp(-longest, longest));
    let least = lengths.clone().fold(0.0, f64::min);
    let most = lengths.clone().fold(0.0, f64::max);
    let span = if most > least { most - least } else { longest };
    let scale = (right - left) / span;
    let zero = left - least * scale;
    let top = EDGE + 1.5 * CELL.1;
    let bottom = top + BAR.0 * rows.len() as f64;
    let mut sheet = ShapeSheet::default();
    let heading = characters::shorten_end(&title, COLUMNS, false);
    let at = (EDGE, EDGE + CELL.1 / 2.0);
    sheet.text(at, Anchor::Start, Role::Heading, &heading);
    for (row, ((label, told), length)) in rows.iter().zip(lengths).enumerate() {
        let middle = top + BAR.0 * (row as f64 + 0.5);
        sheet.text((left - SPACE, middle), Anchor::End, Role::Name, label);
        let mut end = zero;
        if length != 0.0 {
            let wide = (length * scale).abs().max(LEAST);
            let (from, ink) = if length < 0.0 {
                (zero - wide, Ink::Falling)
            } else {
                (zero, Ink::Rising)
            };
            let sides = [from, middle - BAR.1 / 2.0, wide, BAR.1];
            sheet.area(Contour::Rectangle { sides, radius: 2.0 }, ink, None);
            end = from + wide;
        }
        sheet.text((end + SPACE, middle), Anchor::Start, Role::Dim, told);
    }
    sheet.line((zero, top), (zero, bottom), Stroke::solid(Ink::Wire, 1.25));
    sheet.text((EDGE, bottom + CELL.1), Anchor::Start, Role::Dim, &remark);
    let described = rows.iter().map(|(label, told)| format!("{label} {told}"));
    Scene {
        width: width + 2.0 * EDGE,
        height: bottom + if remark.is_empty() { EDGE } else { 2.0 * EDGE },
        description: described.collect::<Vec<_>>().join(", "),
        title,
        shapes: sheet.0,
    }
}
