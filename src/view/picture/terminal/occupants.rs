//! What stands at each point of the layers: looks, sign, and how far it reaches around its line.
//!
//! Lines come from `places.rs`, columns and rows from `geometry.rs`.

use super::boxes::{Face, face, operation};
use super::form::{BoxSize, Form};
use crate::report::Diagram;
use crate::view::picture::layout::layers::{Layers, Point};
use crate::view::picture::layout::lines::Seat;
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// What stands at a point.
pub(crate) struct Occupant {
    /// The looks of a value; none for a wire that passes.
    pub face: Option<Face>,
    /// The sign of its operation, and what it is.
    pub operation: Option<(String, Role)>,
    /// Whether wires come to it.
    pub made: bool,
    /// The operand it stands in one line with; else it stands in the middle of all.
    pub leans: Option<usize>,
}

impl Occupant {
    /// The cells it takes.
    pub(crate) fn seat(&self, form: Form) -> Seat {
        let made = self.made;
        let Some(face) = &self.face else {
            return Seat {
                made,
                ..Seat::default()
            };
        };
        let sign = self.operation.as_ref().map(|_| self.operation_width());
        let (before, behind) = if form.downwards {
            let width = face.width.max(self.operation_width());
            ((width - 1) / 2, width / 2)
        } else {
            (face.port, face.height - 1 - face.port)
        };
        let (operation, value) = if form.downwards {
            (sign.map(|_| 1), face.height)
        } else {
            (sign, face.width)
        };
        Seat {
            before,
            behind,
            operation: operation.unwrap_or(0),
            value: Some(value),
            leans: self.leans,
            ports: 0,
            stretches: !form.downwards && face.stretches(),
            made,
        }
    }

    /// How wide the sign of its operation is.
    pub(crate) fn operation_width(&self) -> usize {
        (self.operation.as_ref()).map_or(0, |(sign, _)| characters::width(sign))
    }
}

/// The occupant of every point.
pub(crate) fn occupants(
    diagram: &Diagram,
    layers: &Layers,
    form: Form,
    style: &Style,
) -> Vec<Occupant> {
    let grads = diagram.has_grads();
    let is_made = |&operand: &usize| !layers.points[operand].left.is_empty();
    let occupant = |(at, point): (usize, &Point)| {
        let vertex = diagram.vertices.get(at);
        // An operation in one line with an operand takes less room than one in the middle of all.
        let leans = form.downwards && form.size != BoxSize::Full && point.left.len() > 1;
        Occupant {
            face: vertex.map(|_| face(diagram, at, (form, grads), style)),
            operation: vertex.and_then(|vertex| operation(vertex, style)),
            made: !point.left.is_empty(),
            leans: leans.then(|| point.left.iter().position(is_made).unwrap_or(0)),
        }
    };
    let points = layers.points.iter().enumerate();
    let mut occupants: Vec<Occupant> = points.map(occupant).collect();
    if !form.downwards {
        for points in &layers.ranks {
            align(points, &mut occupants);
        }
    }
    occupants
}

/// Aligns the numbers in the boxes of a rank.
fn align(points: &[usize], occupants: &mut [Occupant]) {
    let boxes = || {
        points
            .iter()
            .filter_map(|&point| occupants[point].face.as_ref())
    };
    let boxes = || boxes().filter(|face| face.stretches());
    let before = boxes().map(|face| face.before).max().unwrap_or(0);
    let width = boxes().map(|face| face.width).max().unwrap_or(0);
    for &point in points {
        if let Some(face) = occupants[point]
            .face
            .as_mut()
            .filter(|face| face.stretches())
        {
            face.align(before, width);
        }
    }
}
