//! Draws the signs that the legend and the frame share: those of dots, and the arrow downhill.

use super::places::closed_path;
use crate::shapes::{Contour, Ink, PathStep, Sketch, Stroke, straight_path};

/// The size of the signs of dots.
pub(super) const MARK: f64 = 4.5;
/// White and black on the shades of a map.
pub(super) const WHITE: Ink = Ink::OnShade(0);
pub(super) const BLACK: Ink = Ink::OnShade(255);
/// The lengths of the barbs of the arrow, back along it and aside.
const BARB: (f64, f64) = (12.0, 6.0);

/// Draws the sign of a series, by which it differs from others without colours.
pub(super) fn draw_sign(series: u8, (x, y): (f64, f64), size: f64, sketch: &mut Sketch) {
    let corners: &[(f64, f64)] = match series % 6 {
        0 => &[],
        1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        2 => &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
        3 => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
        4 => &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)],
        _ => &[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
    };
    let line = Stroke::solid(Ink::Curve(series), 2.0 * size / MARK);
    let place = |(right, down): &(f64, f64)| (x + right * size, y + down * size);
    let outline = match corners {
        [] => Contour::Circle((x, y), size),
        _ => Contour::Path(closed_path(corners.iter().map(place))),
    };
    sketch.figure(outline, Some(Ink::Ground), Some(line));
}

/// Draws the arrow downhill, which is white with a black edge.
pub(super) fn draw_arrow(from: (f64, f64), (x, y): (f64, f64), sketch: &mut Sketch) {
    let length = (x - from.0).hypot(y - from.1);
    let (dx, dy) = ((x - from.0) / length, (y - from.1) / length);
    let barb = |side: f64| {
        let (back, aside) = (BARB.0, BARB.1 * side);
        (x - back * dx - aside * dy, y - back * dy + aside * dx)
    };
    let steps: Vec<PathStep> = straight_path([from, (x, y), barb(1.0), (x, y), barb(-1.0)]);
    for (ink, width) in [(BLACK, 5.0), (WHITE, 2.5)] {
        sketch.path(steps.clone(), Stroke::solid(ink, width));
    }
}
