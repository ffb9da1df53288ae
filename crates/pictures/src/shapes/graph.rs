//! A graph as shapes: boxes of label, data and grad, operations in ovals before them, and wires of straight pieces, from
//! left to right or from top to bottom.
//!
//! The places come from [`Drawing`], the words from [`labels`].

use std::collections::{BTreeMap, BTreeSet};

use super::boxes;
use super::drawing::{Drawing, MARGIN, NUMBER_GAP};
use super::labels;
use super::letters;
use super::neurons;
use super::scene::{Contour, Ink, Scene, SceneGroup, SceneText, Sketch, Stroke};
use super::wires::{self, ARROW, DrawnWire, to_picture};
use crate::layout::layers::Layers;
use chainrule_report::{Diagram, DiagramEdge, Flow, Kind, Stage, Vertex};
use chainrule_style::{Movement, Style, number};

/// The radius of the dot where a wire forks.
const DOT: f64 = 2.5;
/// A picture runs downwards if that makes it larger by at least this factor.
const WORTH: f64 = 1.1;
/// The room of a number that a slider changes, in letters: `-1.2345`.
const ROOM: usize = 7;
/// The size of the letters of the caption.
const CAPTION: f64 = 12.0;
/// The least width for a caption, even if the graph is smaller.
const CAPTION_ROOM: f64 = 330.0;

/// The picture for a file. It runs the way in which it is largest on a slide, unless the diagram has a direction.
pub(crate) fn scene(diagram: &Diagram, style: &Style) -> Scene {
    let layers = Layers::new(diagram);
    let room = |vertex: &Vertex| match vertex.kind {
        Kind::Constant => 0,
        _ => ROOM,
    };
    let rooms: Vec<usize> = match style.movement {
        Movement::None => Vec::new(),
        _ => diagram.vertices.iter().map(room).collect(),
    };
    let drawing = |flow| Drawing::new(diagram, &layers, flow, &rooms, style);
    let right = drawing(diagram.flow.unwrap_or(Flow::Right));
    if diagram.flow.is_none() && right.scale() < 1.0 {
        let down = drawing(Flow::Down);
        if down.scale() > right.scale() * WORTH {
            return down.scene();
        }
    }
    right.scene()
}

/// The picture for a page, which changes its numbers. `rooms` has the room of these numbers for each box, in letters.
pub(crate) fn of_page(diagram: &Diagram, flow: Flow, rooms: &[usize], style: &Style) -> Scene {
    let layers = Layers::new(diagram);
    Drawing::new(diagram, &layers, flow, rooms, style).scene()
}

impl Drawing<'_> {
    /// The shapes of the whole picture.
    fn scene(&self) -> Scene {
        let mut sketch = Sketch::default();
        let vertices = &self.diagram.vertices;
        self.wires(&mut sketch);
        for DiagramEdge { user, position, .. } in self.diagram.edges() {
            self.number(user, position, &mut sketch);
        }
        for (vertex, face) in self.faces.iter().enumerate() {
            let oval = self.rectangle(vertex, self.operation(vertex), self.ovals[vertex].1);
            boxes::operation(&vertices[vertex], face, oval, &mut sketch);
            let wide = to_picture(self.flow, face.sizes()).1;
            let sides = self.rectangle(vertex, self.value(vertex), wide);
            boxes::value(self.diagram, vertex, (face, sides), self.style, &mut sketch);
        }
        let (mut width, mut height) = self.size();
        if let Some(network) = self.diagram.network {
            neurons::weights(self, network, &mut sketch);
            let size = (&mut width, &mut height);
            neurons::legend(self.diagram, network, size, &mut sketch);
        }
        self.caption(&mut width, &mut height, &mut sketch);
        Scene {
            width,
            height,
            title: labels::title(self.diagram),
            shapes: sketch.shapes,
            ..Scene::default()
        }
    }

    /// Adds all wires. A part that several wires of a value share is drawn once, as the most visible one of them. The wires
    /// of the last stop of a walk lie on top of the others.
    fn wires(&self, sketch: &mut Sketch) {
        if let Some(network) = self.diagram.network {
            for wire in self.layers.wires() {
                neurons::wire(self, network, &wire, sketch);
            }
            return;
        }
        // The most visible stroke of the wires that leave each point.
        let mut strokes = vec![Stroke::solid(Ink::Wire, 0.0); self.layers.points.len()];
        let mut wires = self.edge_wires(&mut strokes);
        wires.extend(self.value_wires());
        wires.extend(self.trunks(&mut strokes));
        self.forks(sketch);
        wires.sort_by(|one, other| one.line.width.total_cmp(&other.line.width));
        for wire in wires {
            wires::draw(self.flow, wire, sketch);
        }
    }

    /// The wires from operands to operations, each from the place where it leaves the others.
    fn edge_wires(&self, strokes: &mut [Stroke]) -> Vec<DrawnWire> {
        let mut wires = Vec::new();
        for DiagramEdge { user, position, .. } in self.diagram.edges() {
            let line = stroke(&self.diagram.vertices[user]);
            let (from, corners) = self.wire_part(user, position);
            strokes[from] = wider(strokes[from], line);
            wires.push(DrawnWire {
                group: self.wire_group("edge", self.key(user, position), from),
                corners,
                has_arrow: true,
                line,
            });
        }
        wires
    }

    /// The wires from operations to their values.
    fn value_wires(&self) -> Vec<DrawnWire> {
        let mut wires = Vec::new();
        for (place, vertex) in self.diagram.vertices.iter().enumerate() {
            if vertex.operation.is_some() {
                let line = self.line(place);
                wires.push(DrawnWire {
                    group: self.wire_group("edge", vertex.id.to_string(), place),
                    corners: vec![(self.operation(place).1, line), (self.value(place).0, line)],
                    has_arrow: true,
                    line: stroke(vertex),
                });
            }
        }
        wires
    }

    /// The parts that several wires of a value share, each up to the bend where they part.
    fn trunks(&self, strokes: &mut [Stroke]) -> Vec<DrawnWire> {
        let vertices = &self.diagram.vertices;
        let points = &self.layers.points;
        // The value from which each point comes.
        let mut sources: Vec<usize> = (0..vertices.len()).collect();
        for point in &points[vertices.len()..] {
            sources.push(sources[point.left[0]]);
        }
        let mut wires = Vec::new();
        for bend in (vertices.len()..points.len()).rev() {
            if points[bend].right.len() > 1 {
                let (from, corners) = self.wire_part(bend, 0);
                strokes[from] = wider(strokes[from], strokes[bend]);
                let id = vertices[sources[bend]].id;
                wires.push(DrawnWire {
                    group: self.wire_group("trunk", id.to_string(), bend),
                    corners,
                    has_arrow: false,
                    line: strokes[bend],
                });
            }
        }
        wires
    }

    fn wire_group(&self, class: &str, key: String, point: usize) -> SceneGroup {
        SceneGroup {
            part: self.layers.is_bend(point).then_some(point),
            ..SceneGroup::new(class, key, String::new())
        }
    }

    /// Adds a dot wherever wires of one value part.
    fn forks(&self, sketch: &mut Sketch) {
        let mut forks: BTreeMap<usize, WireFork> = BTreeMap::new();
        for wire in &self.plan.wires {
            if let [_, (track, from), (_, to), ..] = wire.way[..] {
                let fork = forks.entry(wire.source).or_insert_with(|| WireFork {
                    track,
                    from,
                    to: BTreeSet::new(),
                });
                fork.to.insert(to);
            }
        }
        for fork in forks.into_values() {
            for line in fork.dots() {
                let at = (self.track(fork.track), self.across(line));
                let dot = Contour::Circle {
                    middle: to_picture(self.flow, at),
                    radius: DOT,
                };
                sketch.area(dot, Ink::Wire);
            }
        }
    }

    /// Adds the number on the wire from an operand, if there is one. It stands at the end of the wire, before the arrow.
    fn number(&self, user: usize, position: usize, sketch: &mut Sketch) {
        let on_wires = &self.diagram.vertices[user].on_wires;
        let Some(Some(on_wire)) = on_wires.get(position) else {
            return;
        };
        let piece = self.piece(user, position);
        let Some(&(_, line)) = piece.and_then(|piece| piece.way.last()) else {
            return;
        };
        let text = number::short(on_wire.number);
        let (long, _) = to_picture(self.flow, (boxes::on_wire_width(&text), boxes::NUMBER_HIGH));
        let end = self.operation(user).0 - ARROW - NUMBER_GAP;
        let at = to_picture(self.flow, (end - long / 2.0, self.across(line)));
        let tip = labels::on_wire(on_wire, self.style.table_digits);
        let group = SceneGroup::new("number", self.key(user, position), tip);
        sketch.group(group, |sketch| {
            boxes::on_wire(&text, at, (labels::on_wire_ink(on_wire), ""), sketch);
        });
    }

    /// Adds the notes on the whole graph below the picture, in as many lines as they need.
    fn caption(&self, width: &mut f64, height: &mut f64, sketch: &mut Sketch) {
        let text = labels::caption(self.diagram, self.style);
        if text.is_empty() {
            return;
        }
        let wanted = letters::width(&text, CAPTION).min(CAPTION_ROOM) + 2.0 * MARGIN;
        *width = width.max(wanted);
        let room = letters::places(*width - 2.0 * MARGIN, CAPTION).max(8);
        let mut y = *height + 4.0;
        for line in letters::wrap(&text, room) {
            sketch.text(SceneText {
                part: "caption",
                ..SceneText::new((MARGIN, y), CAPTION, Ink::Faint, &line)
            });
            y += CAPTION * 1.4;
        }
        *height = y - CAPTION * 1.4 + MARGIN;
    }
}

/// The place where wires of one value turn.
struct WireFork {
    track: usize,
    /// The line on which they come.
    from: i64,
    /// The lines on which they leave.
    to: BTreeSet<i64>,
}

impl WireFork {
    /// The lines with a dot, where at least three arms meet.
    fn dots(&self) -> Vec<i64> {
        let mut lines = self.to.clone();
        lines.insert(self.from);
        let (first, last) = (lines.first().copied(), lines.last().copied());
        let mut dots = Vec::new();
        for line in lines {
            let has_arms = [
                Some(line) > first,
                Some(line) < last,
                line == self.from,
                self.to.contains(&line),
            ];
            if has_arms.into_iter().filter(|has_arm| *has_arm).count() > 2 {
                dots.push(line);
            }
        }
        dots
    }
}

fn wider(one: Stroke, other: Stroke) -> Stroke {
    if other.width > one.width { other } else { one }
}

fn stroke(user: &Vertex) -> Stroke {
    let (ink, width, is_dashed) = match user.stage {
        Some(Stage::Current) => (Ink::Current, 2.2, false),
        Some(Stage::Coming) => (Ink::Coming, 1.3, true),
        _ => (Ink::Wire, 1.5, false),
    };
    Stroke::of(ink, width, is_dashed)
}
