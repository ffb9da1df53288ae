//! Finds the places of boxes, ovals and wires in the picture of a graph for a file, in pixels.
//!
//! The places come from a plan, whose unit is half a column and a quarter of a row of letters. `graph.rs` draws the
//! figures.

use std::rc::Rc;

use super::boxes;
use super::labels::{self, Face};
use super::letters;
use super::plan_cache::{Skeleton, plan_of};
use super::scene::half_pixels;
use super::wires::{WirePlace, to_picture};
use crate::layout::channel::PlanWire;
use crate::layout::layers::{Layers, Wire};
use crate::layout::lines::PointSize;
use crate::layout::plan::{Measures, PicturePlan, PlanPlace};
use crate::layout::turns::Spacing;
use chainrule_report::{Diagram, Flow, OnWire, Vertex};
use chainrule_style::{Movement, Style, number};

// Lengths in pixels.

/// The empty edge around the picture.
pub(crate) const MARGIN: f64 = 16.0;
/// The width and the height of a unit.
const UNIT: (f64, f64) = (4.25, 5.25);
/// The room between numbers on wires, and around the head of an arrow.
pub(crate) const NUMBER_GAP: f64 = 3.0;
/// The most room from port to port at a box of a network.
const MAX_PORT_PITCH: f64 = 10.0;
/// The size of a slide or a page. A larger picture is scaled down to fit.
const SLIDE_SIZE: (f64, f64) = (1600.0, 900.0);
/// The room of both round ends of an oval beside its ports.
const OVAL_ENDS: f64 = 10.0;
/// The room between the layers of a network.
const LAYER_GAP: f64 = 240.0;

// Lengths in units.

/// The distance from port to port. It is even, so that the middle of any number of ports is a unit.
const PITCH: usize = 2;
/// The spacing of wires. They are half a row of letters apart, and their corners do not touch.
const SPACING: Spacing = Spacing {
    pitch: PITCH,
    step: 2,
    mark_room: None,
};
/// The room before the tracks of a channel.
const BEFORE_TRACKS: usize = 3;
/// The room after the tracks of a channel: enough for the head of an arrow.
const AFTER_TRACKS: usize = 4;
/// The room between an operation and its value.
const LINK: usize = 5;
/// The room between neighbours across the picture.
const GAP: usize = 3;

/// A graph and the places of its parts.
pub(crate) struct Drawing<'d> {
    pub diagram: &'d Diagram,
    pub layers: &'d Layers,
    pub style: &'d Style,
    pub flow: Flow,
    pub plan: Rc<PicturePlan>,
    pub faces: Vec<Face>,
    /// The size of the oval of each vertex; `None` without an operation.
    pub ovals: Vec<Option<OvalSize>>,
}

/// The size of the oval of an operation, in pixels.
#[derive(Clone, Copy)]
pub(crate) struct OvalSize {
    /// Its size along the picture.
    pub length: f64,
    /// Its size across the picture.
    pub width: f64,
}

impl<'d> Drawing<'d> {
    /// Measures the vertices and plans their places. `rooms` has, for each vertex, the number of letters to which its
    /// numbers may grow; it is empty if they never change.
    pub(crate) fn new(
        diagram: &'d Diagram,
        layers: &'d Layers,
        flow: Flow,
        rooms: &[usize],
        style: &'d Style,
    ) -> Drawing<'d> {
        let mut faces = labels::faces(diagram, letters::LONGEST_LABEL, style);
        for (face, &room) in faces.iter_mut().zip(rooms) {
            face.number_room = room;
        }
        let (mut point_sizes, ovals): (Vec<_>, Vec<_>) = (diagram.vertices.iter().zip(&faces))
            .map(|(vertex, face)| vertex_sizes(vertex, face, flow))
            .unzip();
        // The other points are bends.
        point_sizes.resize(layers.points.len(), PointSize::default());
        let mut measures = Measures {
            sizes: point_sizes,
            gap: GAP,
            before_tracks: BEFORE_TRACKS,
            after_tracks: AFTER_TRACKS,
            link: LINK,
            spacing: Some(SPACING),
        };
        if diagram.network.is_some() {
            // The wires of a network are straight.
            measures.spacing = None;
            measures.before_tracks = units(LAYER_GAP, to_picture(flow, UNIT).0);
        }
        // While a slider moves, the picture keeps the last plan, so that boxes do not jump.
        let plan = if style.movement == Movement::None {
            Rc::new(PicturePlan::new(layers, &measures))
        } else {
            let skeleton = Skeleton::of(diagram, layers, &faces, flow);
            plan_of(skeleton, style.movement, layers, &measures)
        };
        Drawing {
            diagram,
            layers,
            style,
            flow,
            plan,
            faces,
            ovals,
        }
    }

    /// Its width and height in pixels.
    pub(crate) fn size(&self) -> (f64, f64) {
        let units = (self.plan.along as f64, self.plan.across as f64);
        let (columns, rows) = to_picture(self.flow, units);
        let with_margins = |length: f64| length + 2.0 * MARGIN;
        (with_margins(columns * UNIT.0), with_margins(rows * UNIT.1))
    }

    /// The scale at which it fits a slide, or the width of a narrow page.
    pub(crate) fn scale(&self) -> f64 {
        let (width, height) = self.size();
        let narrow_page = |pixels: usize| (pixels as f64, f64::INFINITY);
        let (max_width, max_height) = self.style.picture_width.map_or(SLIDE_SIZE, narrow_page);
        (max_width / width).min(max_height / height).min(1.0)
    }

    /// The pixel where a unit along the picture begins.
    pub(crate) fn along(&self, units: usize) -> f64 {
        MARGIN + half_pixels(units as f64 * to_picture(self.flow, UNIT).0)
    }

    /// The pixel in the middle of a unit along the picture.
    pub(crate) fn track_middle(&self, unit: usize) -> f64 {
        MARGIN + half_pixels((unit as f64 + 0.5) * to_picture(self.flow, UNIT).0)
    }

    /// The pixel in the middle of a line, which runs along the picture and is a unit wide.
    pub(crate) fn line_middle(&self, line: i64) -> f64 {
        MARGIN + half_pixels((line as f64 + 0.5) * to_picture(self.flow, UNIT).1)
    }

    /// The pixels along the picture where the box of a vertex begins and ends.
    pub(crate) fn value_span(&self, vertex: usize) -> (f64, f64) {
        let (begin, length) = self.plan.places[vertex].value;
        (self.along(begin), self.along(begin + length))
    }

    /// The pixels along the picture where the oval of an operation begins and ends. Without an oval, both are the end
    /// of the wires.
    pub(crate) fn operation_span(&self, vertex: usize) -> (f64, f64) {
        let PlanPlace { begin, value, .. } = self.plan.places[vertex];
        match self.ovals[vertex] {
            Some(oval) => {
                let end = self.along(value.0 - LINK);
                (end - oval.length, end)
            }
            None => (self.along(begin), self.along(begin)),
        }
    }

    /// The pixel in the middle of a point across the picture.
    pub(crate) fn point_middle(&self, point: usize) -> f64 {
        self.line_middle(self.plan.places[point].line)
    }

    /// The left edge, the upper edge, the width and the height of a figure of a vertex, given its begin and its end
    /// along the picture and its size across.
    pub(crate) fn rectangle(&self, vertex: usize, (begin, end): (f64, f64), wide: f64) -> [f64; 4] {
        let across = self.point_middle(vertex) - wide / 2.0;
        let (left, top) = to_picture(self.flow, (begin, across));
        let (width, height) = to_picture(self.flow, (end - begin, wide));
        [left, top, width, height]
    }

    /// The wire of the plan that ends at a point and has this operand position. It comes from the rank before.
    pub(crate) fn plan_wire(&self, point: usize, position: usize) -> Option<&PlanWire> {
        let wires = &self.plan.wires;
        let end = |wire: &PlanWire| (wire.point, wire.position);
        let place = wires.binary_search_by_key(&(point, position), end).ok()?;
        Some(&wires[place])
    }

    /// The piece of a wire that ends at a point, back to the last fork before it: the point where it starts, and its
    /// corners.
    pub(crate) fn piece_from_fork(&self, point: usize, position: usize) -> (usize, Vec<WirePlace>) {
        let points = &self.layers.points;
        // The ends of the wires from bend to bend, from the last one back, each with the position of the operand there.
        let mut ends = vec![(point, position)];
        let mut start = points[point].left[position];
        while self.layers.is_bend(start) && points[start].right.len() == 1 {
            ends.push((start, 0));
            start = points[start].left[0];
        }
        let mut corners: Vec<WirePlace> = Vec::new();
        for (end, operand) in ends.into_iter().rev() {
            let wire = self.plan_wire(end, operand);
            for &(unit, line) in wire.iter().flat_map(|wire| &wire.way) {
                corners.push((self.track_middle(unit), self.line_middle(line)));
            }
        }
        if let [first, .., last] = &mut corners[..] {
            if !self.layers.is_bend(start) {
                first.0 = self.value_span(start).1;
            }
            last.0 = self.wire_end(point, last.1);
        }
        (start, corners)
    }

    /// The place along the picture where a wire that comes on this line ends at a point: at its oval, or at its bend.
    fn wire_end(&self, point: usize, line: f64) -> f64 {
        match self.ovals.get(point).copied().flatten() {
            Some(oval) => {
                // From the straight side of the oval to its outline; the ends of the side are round.
                let radius = boxes::OVAL / 2.0;
                let half_side = oval.width / 2.0 - radius;
                let from_middle = (line - self.point_middle(point)).abs();
                let past_side = (from_middle - half_side).clamp(0.0, radius);
                let inset = radius - (radius * radius - past_side * past_side).sqrt();
                self.operation_span(point).0 + inset
            }
            // At a bend the piece overlaps the next piece by a pixel, which hides the seam.
            None => self.track_middle(self.plan.places[point].end) + 1.0,
        }
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
        let mut corners = vec![(self.value_span(from).1, self.point_middle(from))];
        for &bend in &wire.way[1..wire.way.len() - 1] {
            // Between other boxes the wire runs straight along the picture.
            let (begin, end) = self.value_span(bend);
            corners.extend([begin, end].map(|along| (along, self.point_middle(bend))));
        }
        // The ports are spread evenly around the middle of the box.
        let gaps = self.layers.points[wire.user].left.len() - 1;
        let room = to_picture(self.flow, self.faces[wire.user].sizes()).1 - 2.0 * boxes::PAD;
        let pitch = (room / gaps.max(1) as f64).min(MAX_PORT_PITCH);
        let from_middle = (wire.port as f64 - gaps as f64 / 2.0) * pitch;
        let middle = self.point_middle(wire.user);
        corners.push((self.value_span(wire.user).0, middle + from_middle));
        corners
    }
}

/// The size of a vertex with its operation, in units, and the size of the oval alone, in pixels.
fn vertex_sizes(vertex: &Vertex, face: &Face, flow: Flow) -> (PointSize, Option<OvalSize>) {
    // The size of a unit.
    let (pixels_along, pixels_across) = to_picture(flow, UNIT);
    let (box_length, box_width) = to_picture(flow, face.sizes());
    let mut point = PointSize {
        value: Some(units(box_length, pixels_along)),
        is_stretched: flow == Flow::Right && !face.is_small,
        ..PointSize::default()
    };
    let mut oval = None;
    let mut units_across = box_width / pixels_across;
    if let Some((sign, _)) = vertex.operation {
        let operands = vertex.operands.len();
        let mut numbers_length = 0.0;
        point.ports = PITCH;
        if let Some((length, width)) = on_wire_room(vertex, flow) {
            numbers_length = length;
            // Even, as `PITCH` is.
            point.ports = 2 * (width / pixels_across / 2.0).ceil() as usize;
            // The numbers on the outer wires reach beyond the oval.
            units_across = units_across.max((operands * point.ports) as f64);
        }
        let units_between_ports = (operands - 1) as f64 * point.ports as f64;
        let size = oval_size(sign, units_between_ports * pixels_across, flow);
        point.operation = units(numbers_length + size.length, pixels_along);
        units_across = units_across.max(size.width / pixels_across);
        oval = Some(size);
    }
    // The line itself is one unit.
    let half = ((units_across - 1.0) / 2.0).ceil() as usize;
    (point.before, point.after) = (half, half);
    (point, oval)
}

/// The room in pixels that each number on the wires to a vertex needs along the picture and across it. `None` if there
/// are no numbers.
fn on_wire_room(vertex: &Vertex, flow: Flow) -> Option<(f64, f64)> {
    let on_wire_width = |on_wire: &OnWire| boxes::on_wire_width(&number::short(on_wire.number));
    let widths = vertex.on_wires.iter().flatten().map(on_wire_width);
    let widest = widths.fold(0.0, f64::max);
    let (length, width) = to_picture(flow, (widest, boxes::NUMBER_HIGH));
    (widest > 0.0).then_some((length + 2.0 * NUMBER_GAP, width + NUMBER_GAP))
}

/// The size of an oval with this sign, whose first and last port are so many pixels apart.
fn oval_size(sign: &str, between_ports: f64, flow: Flow) -> OvalSize {
    // All ports are on the straight side of the oval.
    let side = between_ports + OVAL_ENDS;
    let sign_width = boxes::oval_width(sign);
    let (length, width) = match flow {
        Flow::Right => (sign_width, side.max(boxes::OVAL)),
        Flow::Down => (boxes::OVAL, sign_width.max(side)),
    };
    OvalSize { length, width }
}

/// The number of units of this many pixels that cover a length in pixels.
fn units(length: f64, pixels: f64) -> usize {
    // A rounding error must not cost a unit.
    (length / pixels - 1e-9).ceil() as usize
}
