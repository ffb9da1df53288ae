//! The places of everything in the picture of a graph for a file, in pixels.
//!
//! They come from a plan whose unit is half a column and a quarter of a row of letters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::boxes;
use super::labels::{self, Face};
use super::letters;
use super::scene::half_pixels;
use super::wires::{WirePlace, to_picture};
use crate::layout::channel::PlanWire;
use crate::layout::layers::{Layers, Point, Wire};
use crate::layout::lines::PointSize;
use crate::layout::plan::{Measures, PicturePlan, PlanPlace};
use crate::layout::turns::Spacing;
use chainrule_report::{Diagram, Flow, OnWire, Vertex};
use chainrule_style::{Movement, Style, number};

/// The empty edge around the picture.
pub(crate) const MARGIN: f64 = 16.0;
/// The width and the height of a unit.
const UNIT: (f64, f64) = (4.25, 5.25);
/// The distances from track to track and from port to port, in units.
const PITCH: usize = 2;
/// The room before the tracks of a channel, after them, and between an operation and its value, in units.
const BEFORE_TRACKS: usize = 3;
const AFTER_TRACKS: usize = 4;
const LINK: usize = 5;
/// The room between neighbours across the picture, in units.
const GAP: usize = 3;
/// The room between numbers on wires, and around the head of an arrow.
pub(crate) const NUMBER_GAP: f64 = 3.0;
/// The most pixels from port to port at a box of a network.
const PORT_PITCH: f64 = 10.0;
/// The size of a slide or a page: a picture that fits is not made smaller.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// The room of both round ends of an oval beside its ports, in pixels.
const OVAL_ENDS: f64 = 10.0;
/// The room from a box of a network to the next.
const APART: f64 = 240.0;
/// The number of plans that are remembered. A large picture has one for each flow.
const REMEMBERED: usize = 8;

/// The parts of a graph that stay the same while only its numbers change.
#[derive(PartialEq)]
struct Skeleton {
    flow: Flow,
    points: Vec<Point>,
    labels: Vec<String>,
    /// How many numbers each box has, and its wires.
    counts: Vec<(usize, usize)>,
}

impl Skeleton {
    fn of(diagram: &Diagram, layers: &Layers, faces: &[Face], flow: Flow) -> Skeleton {
        let on_wires = |vertex: &Vertex| vertex.on_wires.iter().flatten().count();
        let vertices = faces.iter().zip(&diagram.vertices);
        let counts = vertices.map(|(face, vertex)| (face.numbers.len(), on_wires(vertex)));
        Skeleton {
            flow,
            points: layers.points.clone(),
            labels: faces.iter().map(|face| face.label.clone()).collect(),
            counts: counts.collect(),
        }
    }
}

thread_local! {
    /// The last plans of graphs whose numbers change.
    static LAST: RefCell<Vec<(Skeleton, Rc<PicturePlan>)>> = RefCell::default();
}

/// The plan of a graph. While its numbers change, it is the last plan of this graph.
fn plan_of(
    skeleton: Skeleton,
    layers: &Layers,
    measures: &Measures,
    style: &Style,
) -> Rc<PicturePlan> {
    let place = LAST.with_borrow(|last| last.iter().position(|(it, _)| *it == skeleton));
    let earlier = place.map(|place| LAST.with_borrow_mut(|last| last.remove(place).1));
    let plan = earlier
        .filter(|_| style.movement == Movement::Going)
        .unwrap_or_else(|| Rc::new(PicturePlan::new(layers, measures)));
    LAST.with_borrow_mut(|last| {
        last.insert(0, (skeleton, Rc::clone(&plan)));
        last.truncate(REMEMBERED);
    });
    plan
}

/// A graph and the places of its parts.
pub(crate) struct Drawing<'d> {
    pub diagram: &'d Diagram,
    pub layers: &'d Layers,
    pub style: &'d Style,
    pub flow: Flow,
    pub plan: Rc<PicturePlan>,
    /// The places of its wires, by the point to which each goes and the position of the operand there.
    pieces: HashMap<(usize, usize), usize>,
    pub faces: Vec<Face>,
    /// The length of the oval of each vertex along the picture, and across it.
    pub ovals: Vec<(f64, f64)>,
}

impl<'d> Drawing<'d> {
    pub(crate) fn new(
        diagram: &'d Diagram,
        layers: &'d Layers,
        flow: Flow,
        rooms: &[usize],
        style: &'d Style,
    ) -> Drawing<'d> {
        let mut faces = labels::faces(diagram, letters::LONGEST_LABEL, style);
        for (face, &room) in faces.iter_mut().zip(rooms) {
            face.room = room;
        }
        let sizes: Vec<VertexSize> = (diagram.vertices.iter().zip(&faces))
            .map(|(vertex, face)| VertexSize::of(vertex, face, flow))
            .collect();
        let mut point_sizes: Vec<PointSize> = sizes.iter().map(|size| size.point).collect();
        // The other points are bends.
        point_sizes.resize(layers.points.len(), PointSize::default());
        let apart = diagram.network.map(|_| units(APART, unit(flow).0));
        let spacing = Spacing {
            pitch: PITCH,
            step: 2,
            clear_lines: 1,
            mark_room: None,
        };
        let measures = Measures {
            sizes: point_sizes,
            gap: GAP,
            before_tracks: apart.unwrap_or(BEFORE_TRACKS),
            after_tracks: AFTER_TRACKS,
            link: LINK,
            // The wires of a network are straight.
            spacing: apart.is_none().then_some(spacing),
        };
        let plan = if style.movement == Movement::None {
            Rc::new(PicturePlan::new(layers, &measures))
        } else {
            plan_of(
                Skeleton::of(diagram, layers, &faces, flow),
                layers,
                &measures,
                style,
            )
        };
        let wires = plan.wires.iter().zip(0..);
        Drawing {
            pieces: wires
                .map(|(it, place)| ((it.point, it.position), place))
                .collect(),
            diagram,
            layers,
            style,
            flow,
            plan,
            faces,
            ovals: sizes.into_iter().map(|size| size.oval).collect(),
        }
    }

    /// Its width and height.
    pub(crate) fn size(&self) -> (f64, f64) {
        let (columns, rows) =
            to_picture(self.flow, (self.plan.along as f64, self.plan.across as f64));
        (
            columns * UNIT.0 + 2.0 * MARGIN,
            rows * UNIT.1 + 2.0 * MARGIN,
        )
    }

    /// The scale at which it fits a slide, or the width of a narrow page.
    pub(crate) fn scale(&self) -> f64 {
        let (width, height) = self.size();
        let (most_wide, most_high) = match self.style.picture_width {
            Some(pixels) => (pixels as f64, f64::INFINITY),
            None => SLIDE,
        };
        (most_wide / width).min(most_high / height).min(1.0)
    }

    /// The pixel where a unit along the picture begins.
    pub(crate) fn along(&self, units: usize) -> f64 {
        MARGIN + half_pixels(units as f64 * to_picture(self.flow, UNIT).0)
    }

    /// The middle of a unit along the picture.
    pub(crate) fn track(&self, unit: usize) -> f64 {
        MARGIN + half_pixels((unit as f64 + 0.5) * to_picture(self.flow, UNIT).0)
    }

    /// The middle of a line.
    pub(crate) fn across(&self, line: i64) -> f64 {
        MARGIN + half_pixels((line as f64 + 0.5) * to_picture(self.flow, UNIT).1)
    }

    /// The begin and the end of the box of a vertex along the picture.
    pub(crate) fn value(&self, vertex: usize) -> (f64, f64) {
        let (begin, long) = self.plan.places[vertex].value;
        (self.along(begin), self.along(begin + long))
    }

    /// The begin and the end of the oval of its operation.
    pub(crate) fn operation(&self, vertex: usize) -> (f64, f64) {
        let PlanPlace { begin, value, .. } = self.plan.places[vertex];
        let end = match self.ovals[vertex].0 {
            0.0 => self.along(begin),
            _ => self.along(value.0 - LINK),
        };
        (end - self.ovals[vertex].0, end)
    }

    /// The line of a point.
    pub(crate) fn line(&self, point: usize) -> f64 {
        self.across(self.plan.places[point].line)
    }

    /// The left edge, the upper edge, the width and the height of a figure of a vertex, given its place along the picture.
    pub(crate) fn rectangle(&self, vertex: usize, (begin, end): (f64, f64), wide: f64) -> [f64; 4] {
        let across = self.line(vertex) - wide / 2.0;
        let (left, top) = to_picture(self.flow, (begin, across));
        let (width, height) = to_picture(self.flow, (end - begin, wide));
        [left, top, width, height]
    }

    /// The wire from the rank before to an operand's position at a point.
    pub(crate) fn piece(&self, point: usize, position: usize) -> Option<&PlanWire> {
        let place = self.pieces.get(&(point, position))?;
        Some(&self.plan.wires[*place])
    }

    /// The part of a wire from the place where it leaves other wires of its value to an operation or to the bend where it
    /// parts again: the value or the bend from which it comes, and its corners.
    pub(crate) fn wire_part(&self, point: usize, position: usize) -> (usize, Vec<WirePlace>) {
        let points = &self.layers.points;
        let mut from = points[point].left[position];
        let mut ends = vec![(point, position)];
        while self.layers.is_bend(from) && points[from].right.len() == 1 {
            ends.push((from, 0));
            from = points[from].left[0];
        }
        let mut corners: Vec<WirePlace> = Vec::new();
        for (end, operand) in ends.into_iter().rev() {
            if let Some(piece) = self.piece(end, operand) {
                let way = piece.way.iter();
                corners.extend(way.map(|&(along, line)| (self.track(along), self.across(line))));
            }
        }
        if let [first, .., last] = &mut corners[..] {
            if !self.layers.is_bend(from) {
                first.0 = self.value(from).1;
            }
            last.0 = if self.layers.is_bend(point) {
                // It overlaps the next part, which hides the seam.
                self.track(self.plan.places[point].end) + 1.0
            } else {
                self.operation(point).0 + self.inset(point, last.1 - self.line(point))
            };
        }
        (from, corners)
    }

    /// How far the round end of an oval is behind the straight side where operands enter, at the distance `port` from the
    /// middle of that side.
    pub(crate) fn inset(&self, vertex: usize, port: f64) -> f64 {
        let radius = boxes::OVAL / 2.0;
        let straight = self.ovals[vertex].1 / 2.0 - radius;
        let past = (port.abs() - straight).clamp(0.0, radius);
        radius - (radius * radius - past * past).sqrt()
    }

    /// The key of the wire from an operand: `3-7-0`.
    pub(crate) fn key(&self, user: usize, position: usize) -> String {
        let vertices = &self.diagram.vertices;
        let from = vertices[vertices[user].operands[position]].id;
        format!("{from}-{}-{position}", vertices[user].id)
    }

    /// In a network, the corners of a wire from box to box.
    pub(crate) fn direct_path(&self, wire: &Wire) -> Vec<WirePlace> {
        let from = wire.way[0];
        let mut way = vec![(self.value(from).1, self.line(from))];
        let [bends @ .., user] = &wire.way[1..] else {
            return way;
        };
        for &bend in bends {
            let (begin, end) = self.value(bend);
            way.extend([begin, end].map(|along| (along, self.line(bend))));
        }
        let count = self.layers.points[*user].left.len();
        let room = to_picture(self.flow, self.faces[*user].sizes()).1 - 2.0 * boxes::PAD;
        let pitch = (room / count.saturating_sub(1).max(1) as f64).min(PORT_PITCH);
        let port = (wire.port as f64 - (count - 1) as f64 / 2.0) * pitch;
        way.push((self.value(*user).0, self.line(*user) + port));
        way
    }
}

/// The size of a vertex.
struct VertexSize {
    point: PointSize,
    /// The length of the oval of its operation along the picture, and across it; 0 without an operation.
    oval: (f64, f64),
}

impl VertexSize {
    fn of(vertex: &Vertex, face: &Face, flow: Flow) -> VertexSize {
        let (along, across) = unit(flow);
        let (length, width) = to_picture(flow, face.sizes());
        let mut point = PointSize {
            value: Some(units(length, along)),
            is_stretched: flow == Flow::Right && !face.is_small,
            ..PointSize::default()
        };
        let mut oval = (0.0, 0.0);
        let mut height = width / across;
        if vertex.operation.is_some() {
            let room = PortRoom::of(vertex, flow);
            oval = oval_size(vertex, flow, room.pitch);
            point.ports = room.pitch;
            point.operation = units(room.numbers + oval.0, along);
            height = height.max(oval.1 / across);
            if room.numbers > 0.0 {
                // The numbers on the outer wires are wider than the oval.
                height = height.max((vertex.operands.len() * room.pitch) as f64);
            }
        }
        // The line itself is one unit of the height.
        let half = ((height - 1.0) / 2.0).ceil() as usize;
        (point.before, point.after) = (half, half);
        VertexSize { point, oval }
    }
}

/// The length of the oval of an operation along the picture, and across it. All ports are on its straight side.
fn oval_size(vertex: &Vertex, flow: Flow, pitch: usize) -> (f64, f64) {
    let ports = (vertex.operands.len() - 1) as f64 * pitch as f64 * unit(flow).1;
    let side = ports + OVAL_ENDS;
    match flow {
        Flow::Right => (boxes::oval(vertex), side.max(boxes::OVAL)),
        Flow::Down => (boxes::OVAL, boxes::oval(vertex).max(side)),
    }
}

/// The room that the wires to an operation need.
struct PortRoom {
    /// The units between its ports.
    pitch: usize,
    /// The length of the numbers on its wires along the picture; 0 if there are none.
    numbers: f64,
}

impl PortRoom {
    fn of(vertex: &Vertex, flow: Flow) -> PortRoom {
        let width = |on_wire: &OnWire| boxes::on_wire_width(&number::short(on_wire.number));
        let widths = vertex.on_wires.iter().flatten().map(width);
        let widest = widths.fold(0.0, f64::max);
        if widest == 0.0 {
            return PortRoom {
                pitch: PITCH,
                numbers: 0.0,
            };
        }
        let (length, height) = to_picture(flow, (widest, boxes::NUMBER_HIGH));
        let pairs = ((height + NUMBER_GAP) / unit(flow).1 / 2.0).ceil() as usize;
        PortRoom {
            pitch: 2 * pairs,
            numbers: length + 2.0 * NUMBER_GAP,
        }
    }
}

/// The length of a unit along the picture, and across it.
fn unit(flow: Flow) -> (f64, f64) {
    to_picture(flow, UNIT)
}

/// The number of units that cover a length.
fn units(length: f64, unit: f64) -> usize {
    (length / unit - 1e-9).ceil() as usize
}
