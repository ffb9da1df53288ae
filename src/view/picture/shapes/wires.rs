//! A wire as shapes: straight pieces with round corners, and the head of its arrow.
//!
//! It is computed along the picture and across it; [`to_picture`] decides which of the two is from left to right.

use super::scene::{self, PathStep, SceneGroup, SceneShape, Stroke};
use crate::report::Flow;

/// The radius of a corner.
pub(crate) const CORNER: f64 = 6.0;
/// The length and the width of an arrow's head.
pub(crate) const ARROW: (f64, f64) = (8.0, 7.0);
/// The thickness of its outline.
const HEAD: f64 = 2.8;

/// A place along the picture and across it.
pub(crate) type WirePlace = (f64, f64);

/// Turns along and across into columns and rows, or the other way round.
pub(crate) fn to_picture(flow: Flow, (along, across): WirePlace) -> (f64, f64) {
    match flow {
        Flow::Right => (along, across),
        Flow::Down => (across, along),
    }
}

/// A wire through these places, to the point of its arrow if it has one.
pub(crate) fn draw(
    flow: Flow,
    places: &[WirePlace],
    has_arrow: bool,
    group: SceneGroup,
    line: Stroke,
    shapes: &mut Vec<SceneShape>,
) {
    let mut places = places.to_vec();
    let tip = places.last().copied().filter(|_| has_arrow);
    if let Some((along, _)) = places.last_mut().filter(|_| has_arrow) {
        *along -= ARROW.0 - 1.0;
    }
    // Two pieces in one direction are one piece.
    let is_straight = |a: WirePlace, b: WirePlace, c: WirePlace| {
        let turn = (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0);
        turn.abs() < 1e-6
    };
    let mut corners: Vec<WirePlace> = Vec::new();
    for place in places {
        if let [.., before, at] = corners[..]
            && is_straight(before, at, place)
        {
            corners.pop();
        }
        if corners.last() != Some(&place) {
            corners.push(place);
        }
    }
    shapes.push(SceneShape::Open(group));
    let corners: Vec<_> = corners.into_iter().map(|at| to_picture(flow, at)).collect();
    shapes.push(SceneShape::path(
        scene::rounded_path(&corners, CORNER),
        line,
    ));
    if let Some(tip) = tip {
        let [point, one, other] = arrow(tip).map(|place| to_picture(flow, place));
        let steps = vec![
            PathStep::Move(point.0, point.1),
            PathStep::Line(one.0, one.1),
            PathStep::Line(other.0, other.1),
            PathStep::Close,
        ];
        shapes.push(SceneShape::path(steps, Stroke::solid(line.ink, HEAD)));
    }
    shapes.push(SceneShape::Close);
}

/// The head of an arrow that points here: a small triangle whose thick outline covers its inside.
fn arrow((along, across): WirePlace) -> [WirePlace; 3] {
    let (long, wide) = ARROW;
    let (point, back) = (along - HEAD / 2.0 - 0.6, along - long + HEAD / 2.0);
    let side = (wide - HEAD) / 2.0;
    [
        (point, across),
        (back, across - side),
        (back, across + side),
    ]
}
