//! A graph as shapes: boxes of label, data and grad from left to right, operations in ovals between them.
//!
//! Who stands where in which rank is worked out by [`layers`], how high by [`columns`]; here are the sizes, and what
//! every box and wire looks like. What it says is in `sayings.rs`.

use super::boxes;
use super::columns;
use super::labels;
use super::letters;
use super::scene::{Anchor, Ink, PathStep, Scene, SceneGroup, SceneShape, Stroke};
use super::sizes::{FORMS, Sizes};
use crate::report::Diagram;
use crate::report::Stage;
use crate::view::picture::layout::layers;
use crate::view::picture::layout::layers::{Layers, RankItem, Wire};
use crate::view::{Style, characters};

/// Around the picture.
const MARGIN: f64 = 16.0;
/// From an operation to the box of its value.
const NEAR: f64 = 30.0;
/// From a box to the next operation, at least and at most.
const WIRES: (f64, f64) = (40.0, 130.0);
/// So much longer are wires that a page writes on.
const WRITTEN_ON: f64 = 36.0;
/// What rises less looks straight.
const LEVEL: f64 = 0.5;
/// What has room here can be shown on a wall, or put on a page.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// So many times as large a picture must be for boxes of another form.
const WORTH: f64 = 1.1;
/// The letters of the caption.
const CAPTION: f64 = 12.0;
/// A caption has at least so much room, however small the graph.
const CAPTION_ROOM: f64 = 330.0;

/// The picture. `room` is how many letters every number has at least, for a page that changes them.
pub(crate) fn scene(diagram: &Diagram, room: usize, style: &Style) -> Scene {
    let layers = layers::layers(diagram);
    let plan = fitting(diagram, &layers, room, style);
    let mut shapes = Vec::new();
    for wire in &layers.wires {
        plan.wire(diagram, &layers, wire, &mut shapes);
    }
    for (rank, items) in layers.ranks.iter().enumerate() {
        for (place, item) in items.iter().enumerate() {
            let middle = plan.heights[rank][place];
            match *item {
                RankItem::Value(vertex) => {
                    let left = plan.left(&layers, (rank, place));
                    boxes::value(diagram, vertex, (left, middle), &plan.sizes, &mut shapes);
                }
                RankItem::Operation(vertex) => {
                    let left = plan.left(&layers, (rank, place));
                    boxes::operation(diagram, vertex, (left, middle), &plan.sizes, &mut shapes);
                }
                RankItem::Bend(_) => {}
            }
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
fn fitting(diagram: &Diagram, layers: &Layers, room: usize, style: &Style) -> NetworkPlan {
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

/// Where everything is.
struct NetworkPlan {
    sizes: Sizes,
    /// The left edge and the width of every rank.
    ranks: Vec<(f64, f64)>,
    /// The middle of every item.
    heights: Vec<Vec<f64>>,
    width: f64,
    height: f64,
}

impl NetworkPlan {
    fn new(diagram: &Diagram, layers: &Layers, sizes: Sizes, wires: f64) -> NetworkPlan {
        let heights = columns::settled(diagram, layers, &sizes);
        let mut ranks = Vec::with_capacity(layers.ranks.len());
        let mut x = MARGIN;
        for (items, room) in layers.ranks.iter().zip(rooms(layers, &heights, wires)) {
            x += room;
            let width = items
                .iter()
                .map(|item| sizes.of(*item).0)
                .fold(0.0, f64::max);
            ranks.push((x, width));
            x += width;
        }
        let mut top = f64::INFINITY;
        let mut bottom = f64::NEG_INFINITY;
        for (items, heights) in layers.ranks.iter().zip(&heights) {
            for (item, middle) in items.iter().zip(heights) {
                let half = sizes.of(*item).1 / 2.0;
                top = top.min(middle - half);
                bottom = bottom.max(middle + half);
            }
        }
        let (top, bottom) = if top <= bottom {
            (top, bottom)
        } else {
            (0.0, 0.0)
        };
        let down = |middle: &f64| middle - top + MARGIN;
        NetworkPlan {
            sizes,
            ranks,
            heights: heights
                .iter()
                .map(|rank| rank.iter().map(down).collect())
                .collect(),
            width: x + MARGIN,
            height: bottom - top + 2.0 * MARGIN,
        }
    }

    /// How large it is on a slide.
    fn scale(&self) -> f64 {
        (SLIDE.0 / self.width).min(SLIDE.1 / self.height).min(1.0)
    }

    /// Leaves stand close to what uses them, values close to what makes them, operations in the middle.
    fn left(&self, layers: &Layers, (rank, place): (usize, usize)) -> f64 {
        let (left, width) = self.ranks[rank];
        let item = layers.ranks[rank][place];
        let spare = width - self.sizes.of(item).0;
        match item {
            RankItem::Value(vertex) if self.sizes.is_made(vertex) => left,
            RankItem::Value(_) => left + spare,
            RankItem::Operation(_) | RankItem::Bend(_) => left + spare / 2.0,
        }
    }

    fn wire(&self, diagram: &Diagram, layers: &Layers, wire: &Wire, shapes: &mut Vec<SceneShape>) {
        let at = |(rank, place): (usize, usize)| self.heights[rank][place];
        let edges = |place: (usize, usize)| {
            let left = self.left(layers, place);
            (left, left + self.sizes.of(layers.ranks[place.0][place.1]).0)
        };
        let (group, user, end) = match (
            layers.ranks[wire.from.0][wire.from.1],
            layers.ranks[wire.to.0][wire.to.1],
        ) {
            (RankItem::Value(operand), RankItem::Operation(user)) => {
                let count = diagram.vertices[user].operands.len();
                let down = boxes::port(count, wire.position);
                let inset = boxes::inset(down);
                let group = SceneGroup {
                    class: "edge".to_string(),
                    key: format!(
                        "{}-{}-{}",
                        diagram.vertices[operand].id, diagram.vertices[user].id, wire.position
                    ),
                    tip: String::new(),
                };
                (group, user, (edges(wire.to).0 + inset, at(wire.to) + down))
            }
            (RankItem::Operation(user), RankItem::Value(_)) => {
                let group = SceneGroup {
                    class: "edge result".to_string(),
                    key: diagram.vertices[user].id.to_string(),
                    tip: String::new(),
                };
                (group, user, (edges(wire.to).0, at(wire.to)))
            }
            _ => return,
        };
        let (ink, width, dashed) = match diagram.vertices[user].stage {
            Some(Stage::Current) => (Ink::Current, 2.2, false),
            Some(Stage::Coming) => (Ink::Coming, 1.3, true),
            _ => (Ink::Wire, 1.5, false),
        };
        let mut x = edges(wire.from).1;
        let mut y = at(wire.from);
        let mut steps = vec![PathStep::Move(x, y)];
        let right = self.ranks[wire.from.0].0 + self.ranks[wire.from.0].1;
        straight(&mut steps, &mut x, y, right);
        for &bend in &wire.bends {
            let (left, width) = self.ranks[bend.0];
            curve(&mut steps, &mut x, &mut y, (left, at(bend)));
            straight(&mut steps, &mut x, y, left + width);
        }
        let tip = end.0 - boxes::ARROW.0;
        // Where operations are narrower than their rank, the last piece is straight.
        curve(
            &mut steps,
            &mut x,
            &mut y,
            (self.ranks[wire.to.0].0 - boxes::ARROW.0, end.1),
        );
        straight(&mut steps, &mut x, y, tip + 1.0);
        shapes.push(SceneShape::Open(group));
        shapes.push(SceneShape::Path {
            steps,
            line: Some(Stroke { ink, width, dashed }),
            fill: None,
        });
        shapes.push(boxes::arrow(end, ink));
        shapes.push(SceneShape::Close);
    }
}

/// How much room the wires before each rank have: the steeper, the more.
fn rooms(layers: &Layers, heights: &[Vec<f64>], least: f64) -> Vec<f64> {
    let mut steepest = vec![0.0_f64; layers.ranks.len()];
    for wire in &layers.wires {
        let mut from = wire.from;
        for &to in wire.bends.iter().chain([&wire.to]) {
            let steep = (heights[from.0][from.1] - heights[to.0][to.1]).abs();
            steepest[to.0] = steepest[to.0].max(steep);
            from = to;
        }
    }
    let room = |(rank, steep): (usize, f64)| match rank {
        0 => 0.0,
        rank if rank % 2 == 0 => NEAR,
        _ => (least + steep * 0.16).min(WIRES.1),
    };
    steepest.into_iter().enumerate().map(room).collect()
}

fn straight(steps: &mut Vec<PathStep>, x: &mut f64, y: f64, to: f64) {
    if to > *x {
        // Level after level is one line.
        if let [
            ..,
            PathStep::Line(_, before) | PathStep::Curve(.., before),
            PathStep::Line(..),
        ] = steps[..]
            && before == y
        {
            steps.pop();
        }
        steps.push(PathStep::Line(to, y));
        *x = to;
    }
}

/// Leaves and arrives level.
fn curve(steps: &mut Vec<PathStep>, x: &mut f64, y: &mut f64, to: (f64, f64)) {
    if to.1 == *y {
        straight(steps, x, *y, to.0);
    } else if (to.1 - *y).abs() < LEVEL {
        steps.push(PathStep::Line(to.0, to.1));
    } else {
        let middle = f64::midpoint(*x, to.0);
        steps.push(PathStep::Curve(middle, *y, middle, to.1, to.0, to.1));
    }
    (*x, *y) = to;
}

/// What is to be known of the whole, in as many lines as it takes, below the picture.
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
        shapes.push(SceneShape::Text {
            x: MARGIN,
            y,
            anchor: Anchor::Start,
            size: CAPTION,
            bold: false,
            ink: Ink::Faint,
            part: "caption",
            text: std::mem::take(line),
        });
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
