//! Marks along curves, by which they can be told apart without colours: in a picture and in its legend.
//!
//! Which curve has which mark, and where along it the marks stand.

use std::collections::HashSet;

use super::window::{PlotArea, Window, inside};
use crate::report::Curve;
use crate::view::picture::shapes::{Contour, Ink, PathStep, SceneShape, Stroke};

/// How many marks a curve has, and how large they are.
const MARKS: usize = 6;
pub(super) const MARK: f64 = 4.5;

/// Adds a few marks along a curve: beside those of the other curves, and beside the present point.
pub(crate) fn marks(
    curve: &Curve,
    (number, present): (usize, Option<f64>),
    (window, room): (&Window, &PlotArea),
    shapes: &mut Vec<SceneShape>,
) {
    for at in 0..MARKS {
        let part = (at as f64 + 0.3 + 0.13 * number as f64) / MARKS as f64;
        let near = |point: &&(f64, f64)| (window.right(point.0) - part).abs();
        let nearest = curve
            .points
            .iter()
            .min_by(|one, other| near(one).total_cmp(&near(other)));
        let Some(&(x, y)) = nearest.filter(|(_, y)| y.is_finite()) else {
            continue;
        };
        let place = window.place((x, y));
        let beside = |other: &f64| (other - place.0).abs() > 0.02;
        if (0.0..=1.0).contains(&place.1) && present.is_none_or(|it| beside(&it)) {
            shapes.push(mark(number, room.place(place), MARK));
        }
    }
}

/// Adds a mark for each point. Of those that would cover each other one is drawn.
pub(crate) fn dots(
    curve: &Curve,
    number: usize,
    (window, room): (&Window, &PlotArea),
    shapes: &mut Vec<SceneShape>,
) {
    let size = match curve.points.len() {
        0..=60 => MARK,
        61..=500 => 0.7 * MARK,
        _ => 0.4 * MARK,
    };
    let mut drawn = HashSet::new();
    for &(x, y) in curve.points.iter().filter(|(_, y)| y.is_finite()) {
        let place = window.place((x, y));
        let (right, down) = room.place(place);
        let cell = ((2.0 * right).round() as i64, (2.0 * down).round() as i64);
        if inside(place) && drawn.insert(cell) {
            shapes.push(mark(number, (right, down), size));
        }
    }
}

/// The mark of a curve.
pub(crate) fn mark(number: usize, (x, y): (f64, f64), size: f64) -> SceneShape {
    let corners: &[(f64, f64)] = match number % 6 {
        0 => &[],
        1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        2 => &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
        3 => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
        4 => &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)],
        _ => &[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
    };
    let corner = |(right, down): &(f64, f64)| (x + right * size, y + down * size);
    let corner = corners.iter().map(corner).enumerate();
    let mut steps: Vec<PathStep> = corner
        .map(|(count, (x, y))| match count {
            0 => PathStep::Move(x, y),
            _ => PathStep::Line(x, y),
        })
        .collect();
    steps.push(PathStep::Close);
    SceneShape::Figure {
        contour: if corners.is_empty() {
            Contour::Circle {
                middle: (x, y),
                radius: size,
            }
        } else {
            Contour::Path(steps)
        },
        fill: Some(Ink::Ground),
        line: Some(Stroke::solid(Ink::Curve(number as u8), 2.0 * size / MARK)),
    }
}
