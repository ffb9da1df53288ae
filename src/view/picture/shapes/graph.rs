//! A graph as shapes: boxes of label, data and grad, operations in ovals before them, and wires of straight pieces, from
//! left to right or from top to bottom.
//!
//! Where everything is comes from [`Plan`], what is written from [`labels`]. A unit is half a column and a quarter of a row
//! of letters.

use std::collections::{BTreeSet, HashMap};

use super::boxes;
use super::boxes::BoxFace;
use super::labels;
use super::letters;
use super::neurons;
use super::scene::{Contour, Ink, Scene, SceneGroup, SceneShape, SceneText, Stroke};
use super::wires::{self, ARROW, Place, placed};
use crate::report::{Diagram, Flow, Stage, Vertex};
use crate::view::Style;
use crate::view::picture::layout::channel::WireRoute;
use crate::view::picture::layout::layers::{Layers, Wire};
use crate::view::picture::layout::plan::{Measures, Plan, PlanRank, Seat};
use crate::view::picture::layout::turns::Spacing;

/// Around the picture.
pub(crate) const MARGIN: f64 = 16.0;
/// How wide and how high a unit is.
const UNIT: (f64, f64) = (4.25, 5.25);
/// From track to track and from port to port, in units.
const PITCH: usize = 2;
/// In units: before the tracks of a channel and behind them, and between an operation and its value.
const ROOM: [usize; 3] = [3, 4, 5];
/// Between neighbours across the picture, in units.
const GAP: usize = 3;
/// Between numbers on wires, and around the head of an arrow.
const NUMBER_GAP: f64 = 3.0;
/// How much longer wires are on a page, which writes on them: from left to right, and downwards.
const WRITTEN_ON: [f64; 2] = [60.0, 30.0];
/// The dot where a wire forks.
const DOT: f64 = 2.5;
/// The size of a slide or a page: a picture that fits is not made smaller.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// A picture runs downwards if that makes it this many times as large.
const WORTH: f64 = 1.1;
/// The letters of the caption.
const CAPTION: f64 = 12.0;
/// A caption has at least so much room, however small the graph.
const CAPTION_ROOM: f64 = 330.0;

/// The picture for a file: it runs the way in which it is largest on a slide, unless the diagram says which way.
pub(crate) fn scene(diagram: &Diagram, style: &Style) -> Scene {
    let layers = Layers::with_few_crossings(diagram);
    let drawing = |flow| Drawing::new(diagram, &layers, flow, 0, style);
    let right = drawing(diagram.flow.unwrap_or(Flow::Right));
    if diagram.flow.is_none() && right.scale() < 1.0 {
        let down = drawing(Flow::Down);
        if down.scale() > right.scale() * WORTH {
            return down.scene();
        }
    }
    right.scene()
}

/// The picture for a page. `room` is how many letters every number has at least, for the page changes them.
pub(crate) fn of_page(diagram: &Diagram, flow: Flow, room: usize, style: &Style) -> Scene {
    let layers = Layers::with_few_crossings(diagram);
    Drawing::new(diagram, &layers, flow, room, style).scene()
}

/// A graph with a place for everything.
pub(crate) struct Drawing<'d> {
    pub diagram: &'d Diagram,
    pub layers: &'d Layers,
    pub style: &'d Style,
    pub flow: Flow,
    plan: Plan,
    faces: Vec<BoxFace>,
    /// How long the oval of each vertex is along the picture, and across.
    ovals: Vec<(f64, f64)>,
}

impl<'d> Drawing<'d> {
    fn new(
        diagram: &'d Diagram,
        layers: &'d Layers,
        flow: Flow,
        room: usize,
        style: &'d Style,
    ) -> Drawing<'d> {
        let grads = diagram.has_grads();
        let face = |vertex| BoxFace::new(vertex, grads, room, style);
        let faces: Vec<BoxFace> = diagram.vertices.iter().map(face).collect();
        let [along, across] = [0, 1].map(|side| sides(flow, UNIT)[side]);
        let units = |length: f64, unit: f64| (length / unit - 1e-9).ceil() as usize;
        let mut ovals = vec![(0.0, 0.0); faces.len()];
        let seat = |point: usize| {
            let made = !layers.points[point].left.is_empty();
            let (Some(vertex), Some(face)) = (diagram.vertices.get(point), faces.get(point)) else {
                return Seat {
                    made,
                    ..Seat::default()
                };
            };
            let [long, wide] = sides(flow, face.sizes());
            let mut seat = Seat {
                value: Some(units(long, along)),
                stretches: flow == Flow::Right && !face.is_small,
                made,
                ..Seat::default()
            };
            let mut half = wide / across;
            if vertex.operation.is_some() {
                let (pitch, before) = numbers(vertex, flow, across);
                let side = (vertex.operands.len() - 1) as f64 * pitch as f64 * across;
                let oval = match flow {
                    Flow::Right => (boxes::oval(vertex), (side + 10.0).max(boxes::OVAL)),
                    Flow::Down => (boxes::OVAL, boxes::oval(vertex).max(side + 10.0)),
                };
                ovals[point] = oval;
                half = half.max(oval.1 / across);
                seat.ports = pitch;
                seat.operation = units(before + oval.0, along);
            }
            let half = ((half - 1.0) / 2.0).ceil() as usize;
            (seat.before, seat.behind) = (half, half);
            seat
        };
        let seats: Vec<Seat> = (0..layers.points.len()).map(seat).collect();
        let written = match flow {
            _ if room == 0 => 0.0,
            Flow::Right => WRITTEN_ON[0],
            Flow::Down => WRITTEN_ON[1],
        };
        let apart = diagram
            .network
            .map(|network| units(neurons::apart(network, layers), along));
        let spacing = |_: &[usize]| {
            apart.is_none().then_some(Spacing {
                pitch: PITCH,
                step: 2,
                share: Some(1),
                room: None,
            })
        };
        let [before, behind, link] = ROOM;
        let measures = Measures {
            seats,
            gap: GAP,
            room: [
                apart.unwrap_or(before),
                behind + units(written, along),
                link,
            ],
            spacing: &spacing,
        };
        Drawing {
            diagram,
            layers,
            style,
            flow,
            plan: Plan::new(layers, measures),
            faces,
            ovals,
        }
    }

    /// Width and height.
    fn size(&self) -> (f64, f64) {
        let [along, across] = sides(self.flow, UNIT);
        let along = self.plan.along as f64 * along;
        let across = self.plan.across as f64 * across;
        let (width, height) = placed(self.flow, (along, across));
        (width + 2.0 * MARGIN, height + 2.0 * MARGIN)
    }

    fn scale(&self) -> f64 {
        let (width, height) = self.size();
        (SLIDE.0 / width).min(SLIDE.1 / height).min(1.0)
    }

    /// Where so many units along the picture are.
    fn along(&self, units: usize) -> f64 {
        MARGIN + units as f64 * sides(self.flow, UNIT)[0]
    }

    /// The middle of a track.
    fn track(&self, rank: &PlanRank, track: usize) -> f64 {
        f64::midpoint(
            self.along(rank.tracks + track),
            self.along(rank.tracks + track + 1),
        )
    }

    /// The middle of a line.
    fn across(&self, line: i64) -> f64 {
        MARGIN + (line as f64 + 0.5) * sides(self.flow, UNIT)[1]
    }

    fn rank(&self, point: usize) -> &PlanRank {
        &self.plan.ranks[self.layers.points[point].rank]
    }

    /// Where the box of a vertex begins along the picture, and where it ends.
    fn value(&self, vertex: usize) -> (f64, f64) {
        let (begin, long) = self.plan.value(self.rank(vertex), vertex);
        (self.along(begin), self.along(begin + long))
    }

    /// The same of its operation.
    fn operation(&self, vertex: usize) -> (f64, f64) {
        let end = self.plan.wire_end(self.rank(vertex), vertex) + self.plan.seats[vertex].operation;
        let end = self.along(end);
        (end - self.ovals[vertex].0, end)
    }

    /// The left and the upper edge, the width and the height of something of a vertex that stands here along the picture.
    fn rectangle(&self, vertex: usize, (begin, end): (f64, f64), wide: f64) -> [f64; 4] {
        let across = self.across(self.plan.lines[vertex]) - wide / 2.0;
        let (left, top) = placed(self.flow, (begin, across));
        let (width, height) = placed(self.flow, (end - begin, wide));
        [left, top, width, height]
    }

    /// Everything at its place.
    fn scene(&self) -> Scene {
        let mut shapes = Vec::new();
        let vertices = &self.diagram.vertices;
        self.wires(&mut shapes);
        for wire in self.layers.wires() {
            self.number(&wire, &mut shapes);
        }
        for (vertex, face) in self.faces.iter().enumerate() {
            let sides = self.rectangle(vertex, self.operation(vertex), self.ovals[vertex].1);
            boxes::operation(&vertices[vertex], sides, &mut shapes);
            let wide = sides_across(self.flow, face.sizes());
            let sides = self.rectangle(vertex, self.value(vertex), wide);
            let digits = self.style.table_digits;
            boxes::value(self.diagram, vertex, (face, sides), digits, &mut shapes);
        }
        let (mut width, mut height) = self.size();
        if let Some(network) = self.diagram.network {
            neurons::weights(self, network, &mut shapes);
            neurons::legend(
                self.diagram,
                network,
                (&mut width, &mut height),
                &mut shapes,
            );
        }
        self.caption(&mut width, &mut height, &mut shapes);
        Scene {
            width,
            height,
            title: labels::title(self.diagram),
            description: labels::description(self.diagram, self.style),
            shapes,
        }
    }

    /// All wires, those that a walk has just gone along on top of the others.
    fn wires(&self, shapes: &mut Vec<SceneShape>) {
        let mut above = Vec::new();
        if let Some(network) = self.diagram.network {
            for wire in self.layers.wires() {
                neurons::wire(self, network, &wire, shapes);
            }
            return;
        }
        let mut routes: HashMap<(usize, usize), &WireRoute> = HashMap::new();
        for wire in self.plan.ranks.iter().flat_map(|rank| &rank.routes.wires) {
            routes.insert((wire.point, wire.position), wire);
        }
        let current = |vertex: &Vertex| vertex.stage == Some(Stage::Current);
        for wire in self.layers.wires() {
            let user = &self.diagram.vertices[wire.user];
            let shapes = if current(user) {
                &mut above
            } else {
                &mut *shapes
            };
            let group = edge("edge", self.key(&wire));
            wires::draw(
                self.flow,
                &self.way(&wire, &routes),
                true,
                group,
                stroke(user),
                shapes,
            );
        }
        for (vertex, at) in self.diagram.vertices.iter().enumerate() {
            if at.operation.is_some() {
                let line = self.across(self.plan.lines[vertex]);
                let way = [
                    (self.operation(vertex).1, line),
                    (self.value(vertex).0, line),
                ];
                let shapes = if current(at) {
                    &mut above
                } else {
                    &mut *shapes
                };
                let group = edge("edge result", at.id.to_string());
                wires::draw(self.flow, &way, true, group, stroke(at), shapes);
            }
        }
        for rank in &self.plan.ranks {
            self.dots(rank, shapes);
        }
        shapes.append(&mut above);
    }

    /// The corners of a wire from a box to an operation.
    fn way(&self, wire: &Wire, routes: &HashMap<(usize, usize), &WireRoute>) -> Vec<Place> {
        let from = wire.way[0];
        let mut line = self.plan.lines[from];
        let mut way = vec![(self.value(from).1, self.across(line))];
        for &point in &wire.way[1..] {
            let position = if point == wire.user { wire.position } else { 0 };
            let Some(route) = routes.get(&(point, position)) else {
                continue;
            };
            let rank = self.rank(point);
            for (turn, to) in [route.fork, route.bus].into_iter().zip(&route.lines[1..]) {
                if let Some(track) = turn {
                    let along = self.track(rank, track);
                    way.extend([(along, self.across(line)), (along, self.across(*to))]);
                }
                line = *to;
            }
        }
        let port = self.across(line);
        let inset = self.inset(wire.user, port - self.across(self.plan.lines[wire.user]));
        way.push((self.operation(wire.user).0 + inset, port));
        way
    }

    /// How far the outline of an oval is from the side where operands enter, at this distance from the middle of that side.
    fn inset(&self, vertex: usize, port: f64) -> f64 {
        let radius = boxes::OVAL / 2.0;
        let past = (port.abs() - (self.ovals[vertex].1 / 2.0 - radius)).clamp(0.0, radius);
        radius - (radius * radius - past * past).sqrt()
    }

    /// A dot wherever wires that leave one value part.
    fn dots(&self, rank: &PlanRank, shapes: &mut Vec<SceneShape>) {
        let mut forks: HashMap<usize, (usize, i64, BTreeSet<i64>)> = HashMap::new();
        for wire in &rank.routes.wires {
            if let Some(fork) = wire.fork {
                let new = || (fork, wire.lines[0], BTreeSet::new());
                forks
                    .entry(wire.source)
                    .or_insert_with(new)
                    .2
                    .insert(wire.lines[1]);
            }
        }
        let mut forks: Vec<_> = forks.into_values().collect();
        forks.sort();
        for (track, from, to) in forks {
            let all: BTreeSet<i64> = to.iter().copied().chain([from]).collect();
            for &line in &all {
                let arms = [
                    line == from,
                    to.contains(&line),
                    all.first() != Some(&line),
                    all.last() != Some(&line),
                ];
                if arms.into_iter().filter(|arm| *arm).count() > 2 {
                    let at = (self.track(rank, track), self.across(line));
                    shapes.push(SceneShape::Figure {
                        contour: Contour::Circle {
                            middle: placed(self.flow, at),
                            radius: DOT,
                        },
                        fill: Some(Ink::Wire),
                        line: None,
                    });
                }
            }
        }
    }

    pub(crate) fn key(&self, wire: &Wire) -> String {
        let [from, to] = [wire.way[0], wire.user].map(|end| self.diagram.vertices[end].id);
        format!("{from}-{to}-{}", wire.position)
    }

    /// The number on the wire from an operand, if there is one: where the wire ends, before its arrow.
    fn number(&self, wire: &Wire, shapes: &mut Vec<SceneShape>) {
        let on_wires = &self.diagram.vertices[wire.user].on_wires;
        let Some(Some(on_wire)) = on_wires.get(wire.position) else {
            return;
        };
        let line = self.plan.ports(self.layers, wire.user)[wire.position];
        let long = sides(
            self.flow,
            (boxes::number_width(on_wire), boxes::NUMBER_HIGH),
        )[0];
        let end = self.operation(wire.user).0 - ARROW.0 - NUMBER_GAP;
        let at = placed(self.flow, (end - long / 2.0, self.across(line)));
        boxes::number(on_wire, self.key(wire), at, self.style.table_digits, shapes);
    }

    /// In a network, the corners of a wire from box to box.
    pub(crate) fn slanted(&self, wire: &Wire) -> Vec<Place> {
        let from = wire.way[0];
        let mut way = vec![(self.value(from).1, self.across(self.plan.lines[from]))];
        let [bends @ .., user] = &wire.way[1..] else {
            return way;
        };
        for &bend in bends {
            let rank = self.rank(bend);
            let line = self.across(self.plan.lines[bend]);
            way.extend([
                (self.along(rank.operations), line),
                (self.along(rank.end + 1), line),
            ]);
        }
        let count = self.layers.points[*user].left.len();
        let room = sides_across(self.flow, self.faces[*user].sizes()) - 2.0 * boxes::PAD;
        let pitch = (room / count.saturating_sub(1).max(1) as f64).min(10.0);
        let port = (wire.port as f64 - (count - 1) as f64 / 2.0) * pitch;
        way.push((
            self.value(*user).0,
            self.across(self.plan.lines[*user]) + port,
        ));
        way
    }

    /// The notes on the whole graph, in as many lines as it takes, below the picture.
    fn caption(&self, width: &mut f64, height: &mut f64, shapes: &mut Vec<SceneShape>) {
        let text = labels::caption(self.diagram, self.style);
        if text.is_empty() {
            return;
        }
        let wanted = letters::width(&text, CAPTION).min(CAPTION_ROOM) + 2.0 * MARGIN;
        *width = width.max(wanted);
        let room = letters::places(*width - 2.0 * MARGIN, CAPTION).max(8);
        let mut y = *height + 4.0;
        for line in letters::wrapped(&text, room) {
            shapes.push(SceneShape::Text(SceneText {
                part: "caption",
                ..SceneText::new((MARGIN, y), CAPTION, Ink::Faint, &line)
            }));
            y += CAPTION * 1.4;
        }
        *height = y - CAPTION * 1.4 + MARGIN;
    }
}

/// A width and a height along the picture and across it.
fn sides(flow: Flow, (width, height): (f64, f64)) -> [f64; 2] {
    match flow {
        Flow::Right => [width, height],
        Flow::Down => [height, width],
    }
}

fn sides_across(flow: Flow, sizes: (f64, f64)) -> f64 {
    sides(flow, sizes)[1]
}

/// How many units are between the ports of an operation, and how long the numbers on its wires are along the picture.
fn numbers(vertex: &Vertex, flow: Flow, across: f64) -> (usize, f64) {
    let widths = vertex.on_wires.iter().flatten().map(boxes::number_width);
    let widest = widths.fold(0.0, f64::max);
    if widest == 0.0 {
        return (PITCH, 0.0);
    }
    let [long, wide] = sides(flow, (widest, boxes::NUMBER_HIGH));
    let pairs = ((wide + NUMBER_GAP) / across / 2.0).ceil() as usize;
    (2 * pairs, long + 2.0 * NUMBER_GAP)
}

fn edge(class: &str, key: String) -> SceneGroup {
    SceneGroup {
        class: class.to_string(),
        key,
        tip: String::new(),
    }
}

fn stroke(user: &Vertex) -> Stroke {
    let (ink, width, dashed) = match user.stage {
        Some(Stage::Current) => (Ink::Current, 2.2, false),
        Some(Stage::Coming) => (Ink::Coming, 1.3, true),
        _ => (Ink::Wire, 1.5, false),
    };
    Stroke { ink, width, dashed }
}
