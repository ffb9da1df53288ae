//! A graph as shapes: boxes of label, data and grad from left to right, operations in ovals between them.
//!
//! Ranks and their order come from [`Layers`], heights from [`columns`], what is written from [`labels`]; here are the
//! widths, and what wires look like.

use super::boxes;
use super::columns;
use super::labels;
use super::letters;
use super::scene::{Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke};
use super::sizes::{FORMS, Sizes};
use crate::report::Diagram;
use crate::report::Stage;
use crate::view::picture::layout::layers::{Layers, Wire};
use crate::view::{Style, characters};

/// Around the picture.
const MARGIN: f64 = 16.0;
/// From an operation to the box of its value.
const NEAR: f64 = 30.0;
/// From a box to the next operation, at least and at most.
const WIRES: (f64, f64) = (40.0, 130.0);
/// How much longer wires are on a page, which writes on them.
const WRITTEN_ON: f64 = 36.0;
/// What rises less looks straight.
const LEVEL: f64 = 0.5;
/// The size of a slide or a page: a picture that fits is not made smaller.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// Boxes of another form are taken if they make the picture this many times as large.
const WORTH: f64 = 1.1;
/// The letters of the caption.
const CAPTION: f64 = 12.0;
/// A caption has at least so much room, however small the graph.
const CAPTION_ROOM: f64 = 330.0;

/// The picture. `room` is how many letters every number has at least, for a page that changes them.
pub(crate) fn scene(diagram: &Diagram, room: usize, style: &Style) -> Scene {
    let layers = Layers::new(diagram);
    let plan = fitting(diagram, &layers, room, style);
    let mut shapes = Vec::new();
    let mut wires = layers.wires().peekable();
    for user in 0..diagram.vertices.len() {
        while let Some(wire) = wires.next_if(|wire| wire.user == user) {
            plan.operand(diagram, &wire, &mut shapes);
        }
        if plan.sizes.is_made(user) {
            plan.result(diagram, user, &mut shapes);
        }
    }
    for points in &layers.ranks {
        let vertices = || {
            points
                .iter()
                .copied()
                .filter(|&point| !layers.is_bend(point))
        };
        for vertex in vertices().filter(|&vertex| plan.sizes.is_made(vertex)) {
            let at = (plan.operation(vertex).0, plan.heights[vertex]);
            boxes::operation(diagram, vertex, at, &plan.sizes, &mut shapes);
        }
        for vertex in vertices() {
            let at = (plan.value(vertex).0, plan.heights[vertex]);
            boxes::value(diagram, vertex, at, &plan.sizes, &mut shapes);
        }
    }
    let mut width = plan.width;
    let mut height = plan.height;
    caption(diagram, style, &mut width, &mut height, &mut shapes);
    Scene {
        width,
        height,
        title: labels::title(diagram),
        description: labels::description(diagram, style),
        shapes,
    }
}

/// The form of boxes in which the picture is largest on a slide; where all have room, the first.
fn fitting<'a>(
    diagram: &Diagram,
    layers: &'a Layers,
    room: usize,
    style: &Style,
) -> NetworkPlan<'a> {
    let wires = WIRES.0 + if room > 0 { WRITTEN_ON } else { 0.0 };
    let plan = |form| {
        NetworkPlan::new(
            diagram,
            layers,
            Sizes::new(diagram, layers, form, room, style),
            wires,
        )
    };
    let mut best = plan(FORMS[0]);
    for &form in &FORMS[1..] {
        if best.scale() >= 1.0 {
            break;
        }
        let other = plan(form);
        if other.scale() > best.scale() * WORTH {
            best = other;
        }
    }
    best
}

/// The left edge and the width of something.
type Band = (f64, f64);

/// Where everything is.
struct NetworkPlan<'a> {
    layers: &'a Layers,
    sizes: Sizes,
    /// Where the operations of every rank stand, and where its values do.
    ranks: Vec<[Band; 2]>,
    /// The middle of every point.
    heights: Vec<f64>,
    width: f64,
    height: f64,
}

impl<'a> NetworkPlan<'a> {
    fn new(
        diagram: &Diagram,
        layers: &'a Layers,
        sizes: Sizes,
        least_room: f64,
    ) -> NetworkPlan<'a> {
        let mut heights = columns::settled(diagram, layers, &sizes);
        let mut ranks = Vec::with_capacity(layers.ranks.len());
        let mut x = MARGIN;
        for (rank, points) in layers.ranks.iter().enumerate() {
            let rooms = match rank {
                0 => [0.0; 2],
                _ => [room(layers, points, &heights, least_room), NEAR],
            };
            ranks.push([0, 1].map(|side| {
                let widths = points.iter().map(|&point| sizes.widths(point)[side]);
                let span = (x + rooms[side], widths.fold(0.0, f64::max));
                x = end(span);
                span
            }));
        }
        let mut top = f64::INFINITY;
        let mut bottom = f64::NEG_INFINITY;
        for (point, middle) in heights.iter().enumerate() {
            let half = sizes.height(point) / 2.0;
            top = top.min(middle - half);
            bottom = bottom.max(middle + half);
        }
        if top > bottom {
            (top, bottom) = (0.0, 0.0);
        }
        for middle in &mut heights {
            *middle = *middle - top + MARGIN;
        }
        NetworkPlan {
            layers,
            sizes,
            ranks,
            heights,
            width: x + MARGIN,
            height: bottom - top + 2.0 * MARGIN,
        }
    }

    /// How large it is on a slide.
    fn scale(&self) -> f64 {
        (SLIDE.0 / self.width).min(SLIDE.1 / self.height).min(1.0)
    }

    fn rank(&self, point: usize) -> [Band; 2] {
        self.ranks[self.layers.points[point].rank]
    }

    /// An operation stands in the middle of its rank's.
    fn operation(&self, vertex: usize) -> Band {
        let ([(left, room), _], [width, _]) = (self.rank(vertex), self.sizes.widths(vertex));
        (left + (room - width) / 2.0, width)
    }

    /// A leaf stands close to what uses it, another value close to its operation.
    fn value(&self, vertex: usize) -> Band {
        let ([_, (left, room)], [_, width]) = (self.rank(vertex), self.sizes.widths(vertex));
        if self.sizes.is_made(vertex) {
            (left, width)
        } else {
            (left + (room - width), width)
        }
    }

    /// The wire from an operand to an operation.
    fn operand(&self, diagram: &Diagram, wire: &Wire, shapes: &mut Vec<SceneShape>) {
        let operand = wire.way[0];
        let user = &diagram.vertices[wire.user];
        let down = boxes::port(user.operands.len(), wire.position);
        let mut path = WirePath::new(end(self.value(operand)), self.heights[operand]);
        path.straight(end(self.rank(operand)[1]));
        for &bend in &wire.way[1..wire.way.len() - 1] {
            let [operations, values] = self.rank(bend);
            path.curve((operations.0, self.heights[bend]));
            path.straight(end(values));
        }
        let group = SceneGroup {
            class: "edge".to_string(),
            key: format!(
                "{}-{}-{}",
                diagram.vertices[operand].id, user.id, wire.position
            ),
            tip: String::new(),
        };
        let tip = (
            self.operation(wire.user).0 + boxes::inset(down),
            self.heights[wire.user] + down,
        );
        path.finish(self.rank(wire.user)[0].0, tip, (group, user.stage), shapes);
    }

    /// The wire from an operation to its value.
    fn result(&self, diagram: &Diagram, vertex: usize, shapes: &mut Vec<SceneShape>) {
        let height = self.heights[vertex];
        let [operations, values] = self.rank(vertex);
        let mut path = WirePath::new(end(self.operation(vertex)), height);
        path.straight(end(operations));
        let group = SceneGroup {
            class: "edge result".to_string(),
            key: diagram.vertices[vertex].id.to_string(),
            tip: String::new(),
        };
        let tip = (self.value(vertex).0, height);
        let stage = diagram.vertices[vertex].stage;
        path.finish(values.0, tip, (group, stage), shapes);
    }
}

fn end((left, width): Band) -> f64 {
    left + width
}

/// How much room the wires before a rank have: the steeper, the more.
fn room(layers: &Layers, points: &[usize], heights: &[f64], least: f64) -> f64 {
    let steep = points.iter().flat_map(|&point| {
        let left = layers.points[point].left.iter();
        left.map(move |&from| (heights[from] - heights[point]).abs())
    });
    (least + steep.fold(0.0, f64::max) * 0.16).min(WIRES.1)
}

/// A wire in the making: its pieces, and where it has come to.
struct WirePath {
    steps: Vec<PathStep>,
    x: f64,
    y: f64,
}

impl WirePath {
    fn new(x: f64, y: f64) -> WirePath {
        WirePath {
            steps: vec![PathStep::Move(x, y)],
            x,
            y,
        }
    }

    fn straight(&mut self, to: f64) {
        if to > self.x {
            // Level after level is one line.
            if let [
                ..,
                PathStep::Line(_, before) | PathStep::Curve(.., before),
                PathStep::Line(..),
            ] = self.steps[..]
                && before == self.y
            {
                self.steps.pop();
            }
            self.steps.push(PathStep::Line(to, self.y));
            self.x = to;
        }
    }

    /// Leaves and arrives level.
    fn curve(&mut self, to: (f64, f64)) {
        let (x, y) = (self.x, self.y);
        if to.1 == y {
            self.straight(to.0);
        } else if (to.1 - y).abs() < LEVEL {
            self.steps.push(PathStep::Line(to.0, to.1));
        } else {
            let middle = f64::midpoint(x, to.0);
            let curve = PathStep::Curve(middle, y, middle, to.1, to.0, to.1);
            self.steps.push(curve);
        }
        (self.x, self.y) = to;
    }

    /// Ends with an arrow, and draws it all. Where operations are narrower than the room of their rank, the last piece
    /// is straight.
    fn finish(
        mut self,
        room: f64,
        tip: (f64, f64),
        (group, stage): (SceneGroup, Option<Stage>),
        shapes: &mut Vec<SceneShape>,
    ) {
        let (ink, width, dashed) = match stage {
            Some(Stage::Current) => (Ink::Current, 2.2, false),
            Some(Stage::Coming) => (Ink::Coming, 1.3, true),
            _ => (Ink::Wire, 1.5, false),
        };
        self.curve((room - boxes::ARROW.0, tip.1));
        self.straight(tip.0 - boxes::ARROW.0 + 1.0);
        shapes.push(SceneShape::Open(group));
        shapes.push(SceneShape::path(self.steps, Stroke { ink, width, dashed }));
        shapes.push(boxes::arrow(tip, ink));
        shapes.push(SceneShape::Close);
    }
}

/// The notes on the whole graph, in as many lines as it takes, below the picture.
fn caption(
    diagram: &Diagram,
    style: &Style,
    width: &mut f64,
    height: &mut f64,
    shapes: &mut Vec<SceneShape>,
) {
    let text = labels::caption(diagram, style);
    if text.is_empty() {
        return;
    }
    let wanted = letters::width(&text, CAPTION).min(CAPTION_ROOM) + 2.0 * MARGIN;
    *width = width.max(wanted);
    let room = letters::places(*width - 2.0 * MARGIN, CAPTION).max(8);
    let mut y = *height + 4.0;
    let mut line = String::new();
    let mut say = |line: &mut String| {
        shapes.push(SceneShape::Text(SceneText {
            part: "caption",
            ..SceneText::new((MARGIN, y), CAPTION, Ink::Faint, line)
        }));
        line.clear();
        y += CAPTION * 1.4;
    };
    for word in text.split(' ') {
        let word = labels::short(word, room);
        let used = characters::width(&line);
        if used > 0 && used + 1 + characters::width(&word) > room {
            say(&mut line);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    say(&mut line);
    *height = y - CAPTION * 1.4 + MARGIN;
}
