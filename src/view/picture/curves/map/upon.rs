//! What stands on a map in a picture for files: the boundary between classes, the path of the steps, the present point
//! with an arrow downhill.
//!
//! All of it is black and white, whatever the ground.

use super::ContourField;
use super::drawing::{MapDrawing, steps_of};
use crate::view::Style;
use crate::view::picture::curves::window::{clipped, inside};
use crate::view::picture::curves::words::{boundary_said, map_said};
use crate::view::picture::shapes::{Contour, Ink, PathStep, SceneGroup, SceneShape, Stroke};

/// A path of at most so many steps has a dot for each.
const DOTTED: usize = 60;
/// Black and white on a map, whatever the ground.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);

/// The line between two classes, from the lower stroke to the upper one.
const BOUNDARY: [(Ink, f64); 2] = [(WHITE, 6.0), (BLACK, 3.0)];

/// A sample of the line between two classes.
pub(super) fn boundary_line(line: &[(f64, f64)], shapes: &mut Vec<SceneShape>) {
    for (ink, width) in BOUNDARY {
        shapes.push(SceneShape::path(steps_of(line), Stroke::solid(ink, width)));
    }
}

impl MapDrawing<'_> {
    /// The line between two classes.
    pub(super) fn boundary(&self, shapes: &mut Vec<SceneShape>) {
        let Some(level) = self.map.boundary else {
            return;
        };
        shapes.push(SceneShape::Open(SceneGroup {
            class: "boundary".to_string(),
            key: String::new(),
            tip: boundary_said(self.map).unwrap_or_default(),
        }));
        let lines = ContourField::open_lines(&self.field.lines(level));
        let place = |line: &Vec<(f64, f64)>| line.iter().map(|it| self.room.place(*it)).collect();
        let lines: Vec<Vec<(f64, f64)>> = lines.iter().map(place).collect();
        for (ink, width) in BOUNDARY {
            for line in &lines {
                shapes.push(SceneShape::path(steps_of(line), Stroke::solid(ink, width)));
            }
        }
        shapes.push(SceneShape::Close);
    }

    /// The path of the steps, and a dot for each if they are few.
    pub(super) fn path(&self, shapes: &mut Vec<SceneShape>) {
        let places = self.window.places(&self.on_axes(&self.map.path));
        if places.is_empty() {
            return;
        }
        let mut steps = Vec::new();
        let mut end = None;
        for pair in places.windows(2) {
            let Some([from, to]) = clipped(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            if end != Some(from) {
                let (x, y) = self.room.place(from);
                steps.push(PathStep::Move(x, y));
            }
            let (x, y) = self.room.place(to);
            steps.push(PathStep::Line(x, y));
            end = Some(to);
        }
        shapes.push(SceneShape::Open(SceneGroup {
            class: "path".to_string(),
            key: String::new(),
            tip: format!("{} steps", places.len() - 1),
        }));
        for (ink, width) in [(BLACK, 4.0), (WHITE, 2.0)] {
            shapes.push(SceneShape::path(steps.clone(), Stroke::solid(ink, width)));
        }
        let is_few = places.len() <= DOTTED + 1;
        for place in places.iter().filter(|place| is_few && inside(**place)) {
            shapes.push(dot(self.room.place(*place), 3.0, WHITE, (BLACK, 1.0)));
        }
        shapes.push(SceneShape::Close);
    }

    pub(super) fn present(&self, style: &Style, shapes: &mut Vec<SceneShape>) {
        let Some((_, at)) = self.present_place() else {
            return;
        };
        shapes.push(SceneShape::Open(SceneGroup {
            class: "present".to_string(),
            key: String::new(),
            tip: map_said(self.map, style).unwrap_or_default(),
        }));
        if let Some([from, to]) = self.arrow() {
            let long = (to.0 - from.0).hypot(to.1 - from.1);
            let (dx, dy) = ((to.0 - from.0) / long, (to.1 - from.1) / long);
            let corner = |back: f64, aside: f64| {
                (to.0 - back * dx - aside * dy, to.1 - back * dy + aside * dx)
            };
            let (one, other, end) = (corner(12.0, 6.0), corner(12.0, -6.0), corner(9.0, 0.0));
            let head = vec![
                PathStep::Move(to.0, to.1),
                PathStep::Line(one.0, one.1),
                PathStep::Line(other.0, other.1),
                PathStep::Close,
            ];
            for (ink, more) in [(BLACK, 2.5), (WHITE, 0.0)] {
                shapes.push(SceneShape::line(from, end, Stroke::solid(ink, 2.5 + more)));
                shapes.push(SceneShape::Figure {
                    contour: Contour::Path(head.clone()),
                    fill: Some(ink),
                    line: (more > 0.0).then(|| Stroke::solid(ink, more)),
                });
            }
        }
        shapes.push(dot(at, 6.0, WHITE, (BLACK, 2.0)));
        shapes.push(SceneShape::Close);
    }
}

fn dot(middle: (f64, f64), radius: f64, fill: Ink, (ink, width): (Ink, f64)) -> SceneShape {
    SceneShape::Figure {
        contour: Contour::Circle { middle, radius },
        fill: Some(fill),
        line: Some(Stroke::solid(ink, width)),
    }
}
