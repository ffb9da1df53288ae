//! The wires of a graph, with their arrows.
//!
//! A wire is made along the picture and across it; which of the two is from left to right is settled at the end.

use super::boxes;
use super::scene::{Ink, PathStep, SceneGroup, SceneShape, Stroke};
use crate::report::{Flow, Stage, Vertex};

/// What rises less looks straight.
const LEVEL: f64 = 0.5;
/// How round a corner is.
const CORNER: f64 = 6.0;
/// How far the handles of a quarter of a circle are from its end, as a share of its radius.
const HANDLE: f64 = 0.448;

/// A wire in the making: its pieces, and where it has come to.
pub(crate) struct WirePath {
    steps: Vec<PathStep>,
    along: f64,
    across: f64,
    tip: Option<(f64, f64)>,
}

impl WirePath {
    pub(crate) fn new(along: f64, across: f64) -> WirePath {
        WirePath {
            steps: vec![PathStep::Move(along, across)],
            along,
            across,
            tip: None,
        }
    }

    /// On along the picture; never back.
    pub(crate) fn straight(&mut self, to: f64) {
        if to > self.along {
            // Level after level is one line.
            if let [
                ..,
                PathStep::Line(_, before) | PathStep::Curve(.., before),
                PathStep::Line(..),
            ] = self.steps[..]
                && before == self.across
            {
                self.steps.pop();
            }
            self.steps.push(PathStep::Line(to, self.across));
            self.along = to;
        }
    }

    /// Leaves and arrives level.
    pub(crate) fn curve(&mut self, to: (f64, f64)) {
        let (along, across) = (self.along, self.across);
        if to.1 == across {
            self.straight(to.0);
        } else if (to.1 - across).abs() < LEVEL {
            self.steps.push(PathStep::Line(to.0, to.1));
        } else {
            let middle = f64::midpoint(along, to.0);
            let curve = PathStep::Curve(middle, across, middle, to.1, to.0, to.1);
            self.steps.push(curve);
        }
        (self.along, self.across) = to;
    }

    /// Around the end of a strip and along the gap behind it into the next strip: on to `out`, over to `gap`, back to
    /// `back`, over to `entry`, and a little on. All corners are round.
    pub(crate) fn around(&mut self, out: f64, gap: f64, back: f64, entry: f64) {
        let corners = [
            (self.along, self.across),
            (out, self.across),
            (out, gap),
            (back, gap),
            (back, entry),
            (back + CORNER, entry),
        ];
        for corner in corners.windows(3) {
            let [before, at, behind] = [corner[0], corner[1], corner[2]];
            let near = |to: (f64, f64), far: f64| {
                let way = (to.0 - at.0, to.1 - at.1);
                let length = way.0.abs() + way.1.abs();
                let share = (far / length).min(0.5);
                (at.0 + way.0 * share, at.1 + way.1 * share)
            };
            // The last corner is followed by no other, so it takes all of its piece.
            let begin = near(before, CORNER);
            let end = if behind == corners[5] {
                behind
            } else {
                near(behind, CORNER)
            };
            let [one, other] = [begin, end].map(|(along, across)| {
                (
                    at.0 + (along - at.0) * HANDLE,
                    at.1 + (across - at.1) * HANDLE,
                )
            });
            self.steps.push(PathStep::Line(begin.0, begin.1));
            let curve = PathStep::Curve(one.0, one.1, other.0, other.1, end.0, end.1);
            self.steps.push(curve);
            (self.along, self.across) = end;
        }
    }

    /// Ends with an arrow. Where operations are narrower than the room of their rank, which begins at `room`, the last
    /// piece is straight.
    pub(crate) fn arrow(&mut self, room: f64, tip: (f64, f64)) {
        self.curve((room - boxes::ARROW.0, tip.1));
        self.straight(tip.0 - boxes::ARROW.0 + 1.0);
        self.tip = Some(tip);
    }

    /// Draws it.
    pub(crate) fn finish(
        self,
        flow: Flow,
        group: SceneGroup,
        user: &Vertex,
        shapes: &mut Vec<SceneShape>,
    ) {
        let (ink, width, dashed) = match user.stage {
            Some(Stage::Current) => (Ink::Current, 2.2, false),
            Some(Stage::Coming) => (Ink::Coming, 1.3, true),
            _ => (Ink::Wire, 1.5, false),
        };
        self.draw(flow, group, Stroke { ink, width, dashed }, shapes);
    }

    /// Draws it with this stroke.
    pub(crate) fn draw(
        self,
        flow: Flow,
        group: SceneGroup,
        line: Stroke,
        shapes: &mut Vec<SceneShape>,
    ) {
        let ink = line.ink;
        let placed = |steps: Vec<PathStep>| match flow {
            Flow::Right => steps,
            Flow::Down => steps.into_iter().map(turned).collect(),
        };
        shapes.push(SceneShape::Open(group));
        shapes.push(SceneShape::path(placed(self.steps), line));
        if let Some(tip) = self.tip {
            let head = placed(boxes::arrow(tip).to_vec());
            shapes.push(SceneShape::path(head, Stroke::solid(ink, boxes::HEAD)));
        }
        shapes.push(SceneShape::Close);
    }
}

/// A piece of a picture that runs from top to bottom.
fn turned(step: PathStep) -> PathStep {
    match step {
        PathStep::Move(along, across) => PathStep::Move(across, along),
        PathStep::Line(along, across) => PathStep::Line(across, along),
        PathStep::Curve(a, b, c, d, along, across) => PathStep::Curve(b, a, d, c, across, along),
        PathStep::Close => PathStep::Close,
    }
}
