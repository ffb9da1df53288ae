//! The places of everything in the picture of a graph for a file, in pixels.
//!
//! They are computed from the plan, whose unit is half a column and a quarter of a row of letters.

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
use crate::layout::lines::Seat;
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
/// The room before the tracks of a channel and after them, and between an operation and its value, in units.
const ROOM: [usize; 3] = [3, 4, 5];
/// The room between neighbours across the picture, in units.
const GAP: usize = 3;
/// The room between numbers on wires, and around the head of an arrow.
pub(crate) const NUMBER_GAP: f64 = 3.0;
/// The size of a slide or a page: a picture that fits is not made smaller.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// The room from a box of a network to the next.
const APART: f64 = 240.0;
/// The number of plans that are remembered. A large picture has one for each flow.
const REMEMBERED: usize = 8;

/// What is the same of a graph as long as only its numbers change.
#[derive(PartialEq)]
struct Skeleton {
    flow: Flow,
    points: Vec<Point>,
    labels: Vec<String>,
    /// How many numbers each box has, and its wires.
    counts: Vec<(usize, usize)>,
}

thread_local! {
    /// The last plans of graphs whose numbers change.
    static LAST: RefCell<Vec<(Skeleton, Rc<PicturePlan>)>> = RefCell::default();
}

/// The plan of a graph, which is the last one of it if it is to stay still.
fn plan_of(
    skeleton: Skeleton,
    layers: &Layers,
    measures: &Measures,
    style: &Style,
) -> Rc<PicturePlan> {
    let place = LAST.with_borrow(|last| last.iter().position(|(it, _)| *it == skeleton));
    let earlier = place.map(|place| LAST.with_borrow_mut(|last| last.remove(place).1));
    let plan = earlier.filter(|_| style.movement == Movement::Going);
    let plan = plan.unwrap_or_else(|| Rc::new(PicturePlan::new(layers, measures)));
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
        let (along, across) = to_picture(flow, UNIT);
        let units = |length: f64, unit: f64| (length / unit - 1e-9).ceil() as usize;
        let mut ovals = vec![(0.0, 0.0); faces.len()];
        let seat = |point: usize| {
            let (Some(vertex), Some(face)) = (diagram.vertices.get(point), faces.get(point)) else {
                return Seat::default();
            };
            let (long, wide) = to_picture(flow, face.sizes());
            let mut seat = Seat {
                value: Some(units(long, along)),
                stretches: flow == Flow::Right && !face.is_small,
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
                // The numbers on the outer wires are wider than the oval.
                let numbers = if before > 0.0 {
                    vertex.operands.len() * pitch
                } else {
                    0
                };
                half = half.max(oval.1 / across).max(numbers as f64);
                seat.ports = pitch;
                seat.operation = units(before + oval.0, along);
            }
            let half = ((half - 1.0) / 2.0).ceil() as usize;
            (seat.before, seat.after) = (half, half);
            seat
        };
        let seats: Vec<Seat> = (0..layers.points.len()).map(seat).collect();
        let apart = diagram.network.map(|_| units(APART, along));
        let spacing = Spacing {
            pitch: PITCH,
            step: 2,
            share: 1,
            room: None,
        };
        let [before, after, link] = ROOM;
        let measures = Measures {
            seats,
            gap: GAP,
            room: [apart.unwrap_or(before), after, link],
            spacing: apart.is_none().then_some(spacing),
        };
        let plan = if style.movement == Movement::None {
            Rc::new(PicturePlan::new(layers, &measures))
        } else {
            let on_wires = |vertex: &Vertex| vertex.on_wires.iter().flatten().count();
            let all = faces.iter().zip(&diagram.vertices);
            let skeleton = Skeleton {
                flow,
                points: layers.points.clone(),
                labels: faces.iter().map(|face| face.label.clone()).collect(),
                counts: all
                    .map(|(face, vertex)| (face.numbers.len(), on_wires(vertex)))
                    .collect(),
            };
            plan_of(skeleton, layers, &measures, style)
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
            ovals,
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
        let page = self.style.picture_width;
        let room = page.map_or(SLIDE, |pixels| (pixels as f64, f64::INFINITY));
        (room.0 / width).min(room.1 / height).min(1.0)
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
            _ => self.along(value.0 - ROOM[2]),
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

    /// A wire to an operation from where it leaves other wires of its value, or what wires share up to a bend where one leaves
    /// the others: the value or the bend from which it comes, and its corners.
    pub(crate) fn wire_part(&self, point: usize, position: usize) -> (usize, Vec<WirePlace>) {
        let points = &self.layers.points;
        let mut from = points[point].left[position];
        let mut ways = vec![(point, position)];
        while self.layers.is_bend(from) && points[from].right.len() == 1 {
            ways.push((from, 0));
            from = points[from].left[0];
        }
        let corner = |&(along, line): &(usize, i64)| (self.track(along), self.across(line));
        let pieces =
            (ways.iter().rev()).filter_map(|&(point, position)| self.piece(point, position));
        let mut corners: Vec<WirePlace> = pieces.flat_map(|it| it.way.iter().map(corner)).collect();
        if let [first, .., last] = &mut corners[..] {
            if !self.layers.is_bend(from) {
                first.0 = self.value(from).1;
            }
            last.0 = if self.layers.is_bend(point) {
                // It overlaps what follows, so that no seam is seen.
                self.track(self.plan.places[point].end) + 1.0
            } else {
                self.operation(point).0 + self.inset(point, last.1 - self.line(point))
            };
        }
        (from, corners)
    }

    /// The distance of the outline of an oval from the side where operands enter, at this distance from the middle of that
    /// side.
    pub(crate) fn inset(&self, vertex: usize, port: f64) -> f64 {
        let radius = boxes::OVAL / 2.0;
        let past = (port.abs() - (self.ovals[vertex].1 / 2.0 - radius)).clamp(0.0, radius);
        radius - (radius * radius - past * past).sqrt()
    }

    pub(crate) fn key(&self, user: usize, position: usize) -> String {
        let user = &self.diagram.vertices[user];
        let from = self.diagram.vertices[user.operands[position]].id;
        format!("{from}-{}-{position}", user.id)
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
        let pitch = (room / count.saturating_sub(1).max(1) as f64).min(10.0);
        let port = (wire.port as f64 - (count - 1) as f64 / 2.0) * pitch;
        way.push((self.value(*user).0, self.line(*user) + port));
        way
    }
}

/// The units between the ports of an operation, and the length of the numbers on its wires along the picture.
fn numbers(vertex: &Vertex, flow: Flow, across: f64) -> (usize, f64) {
    let width = |on_wire: &OnWire| boxes::on_wire_width(&number::short(on_wire.number));
    let widths = vertex.on_wires.iter().flatten().map(width);
    let widest = widths.fold(0.0, f64::max);
    if widest == 0.0 {
        return (PITCH, 0.0);
    }
    let (long, wide) = to_picture(flow, (widest, boxes::NUMBER_HIGH));
    let pairs = ((wide + NUMBER_GAP) / across / 2.0).ceil() as usize;
    (2 * pairs, long + 2.0 * NUMBER_GAP)
}
