//! The places of everything in the picture of a graph for a file, in pixels.
//!
//! They are computed from the plan, whose unit is half a column and a quarter of a row of letters.

use std::collections::HashMap;

use super::boxes;
use super::labels::{self, Face};
use super::letters;
use super::scene::half_pixels;
use super::wires::{CORNER, WirePlace, to_picture};
use crate::report::{Diagram, Flow, OnWire, Vertex};
use crate::view::picture::layout::layers::{Layers, Wire};
use crate::view::picture::layout::lines::Seat;
use crate::view::picture::layout::plan::{Measures, PicturePlan, PlanPlace, PlanWire};
use crate::view::picture::layout::turns::Spacing;
use crate::view::{Style, number};

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

/// The wires from rank to rank.
pub(crate) struct WirePieces<'p> {
    /// By the point to which a wire goes and the position of the operand there.
    pub to: HashMap<(usize, usize), &'p PlanWire>,
    /// For each point, the track where those wires turn that leave it.
    forks: HashMap<usize, usize>,
}

/// A piece that several wires of a value share, up to where one of them leaves the others.
pub(crate) struct TrunkPiece {
    /// The value.
    pub source: usize,
    /// How many pieces of the same trunk are before it, and the last one of these.
    pub number: usize,
    pub before: Option<usize>,
    pub corners: Vec<WirePlace>,
}

/// A graph and the places of its parts.
pub(crate) struct Drawing<'d> {
    pub diagram: &'d Diagram,
    pub layers: &'d Layers,
    pub style: &'d Style,
    pub flow: Flow,
    pub plan: PicturePlan,
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
        Drawing {
            diagram,
            layers,
            style,
            flow,
            plan: PicturePlan::new(layers, &measures),
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

    pub(crate) fn scale(&self) -> f64 {
        let (width, height) = self.size();
        (SLIDE.0 / width).min(SLIDE.1 / height).min(1.0)
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

    pub(crate) fn pieces(&self) -> WirePieces<'_> {
        let wires = self.plan.wires.iter();
        let turning = wires.clone().filter(|wire| wire.way.len() > 2);
        WirePieces {
            to: wires.map(|it| ((it.point, it.position), it)).collect(),
            forks: turning.map(|it| (it.source, it.way[1].0)).collect(),
        }
    }

    /// The pieces that wires share, those before others first, and for each bend the piece that comes there.
    pub(crate) fn trunks(&self, pieces: &WirePieces) -> (Vec<TrunkPiece>, Vec<usize>) {
        let values = self.diagram.vertices.len();
        let mut trunks: Vec<TrunkPiece> = Vec::new();
        let mut coming: Vec<usize> = Vec::new();
        for bend in values..self.layers.points.len() {
            let from = self.layers.points[bend].left[0];
            let before = from.checked_sub(values).map(|bend| coming[bend]);
            let piece = match before {
                Some(piece) if self.layers.points[from].right.len() == 1 => piece,
                _ => {
                    trunks.push(TrunkPiece {
                        source: before.map_or(from, |piece| trunks[piece].source),
                        number: before.map_or(0, |piece| trunks[piece].number + 1),
                        before,
                        corners: Vec::new(),
                    });
                    trunks.len() - 1
                }
            };
            let mut corners = self.corners((bend, 0), pieces);
            // It overlaps what follows, so that no seam is seen.
            if let Some(last) = corners.last_mut() {
                last.0 = self.parting(bend, pieces) + 1.0;
            }
            trunks[piece].corners.extend(corners);
            coming.push(piece);
        }
        (trunks, coming)
    }

    /// The corners of a wire from the box of its operand, or from the last bend, to an operation.
    pub(crate) fn way(&self, user: usize, position: usize, pieces: &WirePieces) -> Vec<WirePlace> {
        let mut way = self.corners((user, position), pieces);
        if let Some(last) = way.last_mut() {
            let inset = self.inset(user, last.1 - self.line(user));
            last.0 = self.operation(user).0 + inset;
        }
        way
    }

    /// The corners of a wire from rank to rank.
    fn corners(&self, to: (usize, usize), pieces: &WirePieces) -> Vec<WirePlace> {
        let Some(piece) = pieces.to.get(&to) else {
            return Vec::new();
        };
        let corner = |&(along, line): &(usize, i64)| (self.track(along), self.across(line));
        let mut corners: Vec<WirePlace> = piece.way.iter().map(corner).collect();
        corners[0].0 = if self.layers.is_bend(piece.source) {
            self.parting(piece.source, pieces)
        } else {
            self.value(piece.source).1
        };
        corners
    }

    /// The place along the picture where the wires that leave a bend part.
    fn parting(&self, bend: usize, pieces: &WirePieces) -> f64 {
        let end = self.track(self.plan.places[bend].end);
        let fork = pieces.forks.get(&bend);
        fork.map_or(end, |&track| self.track(track) - CORNER)
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
