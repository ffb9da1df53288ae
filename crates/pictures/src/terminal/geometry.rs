//! A picture in one form, as characters: measures its boxes, lets the layout plan it, and draws boxes and wires.

use super::boxes::{CellBox, cell_box};
use super::form::{BoxSize, Form};
use super::weights;
use crate::char_sheet::CharSheet;
use crate::layout::channel::PlanWire;
use crate::layout::layers::Layers;
use crate::layout::lines::Seat;
use crate::layout::plan::{Measures, PicturePlan, PlanPlace};
use crate::layout::turns::Spacing;
use crate::shapes::labels;
use chainrule_report::Diagram;
use chainrule_style::Style;
use chainrule_style::theme::Role;

/// The picture, measured but not drawn.
pub(crate) struct Geometry<'d> {
    diagram: &'d Diagram,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    pub form: Form,
    /// The box of every vertex. The other points of the layers are bends.
    boxes: Vec<CellBox>,
    plan: PicturePlan,
}

impl<'d> Geometry<'d> {
    /// Measures a picture.
    pub(crate) fn new(
        diagram: &'d Diagram,
        layers: &Layers,
        form: Form,
        style: &Style,
    ) -> Geometry<'d> {
        let faces = labels::faces(diagram, form.label(), style);
        let boxes = faces.into_iter().enumerate();
        let boxes: Vec<CellBox> = boxes
            .map(|(at, face)| cell_box((diagram, at), face, form))
            .collect();
        let roomy = usize::from(form.is_roomy());
        let (gap, link) = if form.downwards {
            (1 + roomy, usize::from(form.size == BoxSize::Line))
        } else {
            (0, 1 + roomy)
        };
        let spacing = Spacing {
            pitch: if !form.downwards && form.is_roomy() {
                2
            } else {
                1
            },
            step: if form.downwards { 2 } else { 1 },
            share: i64::from(form.downwards),
            room: diagram.network.map(|_| if form.downwards { 1 } else { 4 }),
        };
        let seat = |point: usize| seat(layers, point, boxes.get(point), form);
        let plan = PicturePlan::new(
            layers,
            &Measures {
                seats: (0..layers.points.len()).map(seat).collect(),
                gap,
                room: [1, if form.downwards { 0 } else { roomy }, link],
                spacing: Some(spacing),
            },
        );
        let (width, height) = if form.downwards {
            (plan.across, plan.along)
        } else {
            (plan.along, plan.across)
        };
        Geometry {
            diagram,
            width,
            height,
            form,
            boxes,
            plan,
        }
    }

    /// Whether operands are marked with their positions.
    pub(crate) fn has_marks(&self) -> bool {
        self.diagram.network.is_none() && self.plan.wires.iter().any(|wire| wire.mark.is_some())
    }

    /// Draws it.
    pub(crate) fn sheet(&self) -> CharSheet {
        let mut sheet = CharSheet::new(self.width, self.height, self.form.downwards);
        for (point, place) in self.plan.places.iter().enumerate() {
            match self.boxes.get(point) {
                Some(face) => self.draw(&mut sheet, face, place),
                None => sheet.wire_along(place.line as usize, place.begin, place.end),
            }
        }
        for wire in &self.plan.wires {
            for corners in wire.way.windows(2) {
                let [(from, line), (to, other)] =
                    [0, 1].map(|at| (corners[at].0, corners[at].1 as usize));
                if line == other {
                    sheet.wire_along(line, from, to);
                } else {
                    sheet.wire_across(from, line.min(other), line.max(other));
                }
            }
        }
        // A wire must not be drawn over the mark of another one.
        for wire in &self.plan.wires {
            self.draw_mark(&mut sheet, wire);
        }
        sheet
    }

    fn draw(&self, sheet: &mut CharSheet, face: &CellBox, place: &PlanPlace) {
        let down = self.form.downwards;
        let line = place.line as usize;
        let (begin, long) = place.value;
        if let Some((sign, role)) = &face.sign {
            sheet.wire_along(line, place.begin, begin);
            let (x, y) = sheet.place(place.begin, line);
            let before = if down { (face.sign_width() - 1) / 2 } else { 0 };
            sheet.text((x - before, y), sign, *role);
        }
        let (corner, width) = if down {
            ((line - (face.width - 1) / 2, begin), face.width)
        } else {
            ((begin, line - face.port), long)
        };
        sheet.wire_along(line, begin + long - 1, place.end);
        face.draw(sheet, corner, width);
    }

    /// The mark of a wire: the position of an operand that is out of order, or in a network the sign of the weight.
    fn draw_mark(&self, sheet: &mut CharSheet, wire: &PlanWire) {
        let Some((main, line)) = wire.mark else {
            return;
        };
        let place = sheet.place(main, line as usize);
        if self.diagram.network.is_none() {
            let mark = "¹²³⁴⁵⁶⁷⁸⁹".chars().nth(wire.position);
            let mark = mark.unwrap_or('?').to_string();
            sheet.text(place, &mark, Role::Operation);
        } else if let Some(vertex) = self.diagram.vertices.get(wire.point)
            && let Some(connection) = vertex.connections.wires.get(wire.position)
            && let Some((sign, role)) = weights::sign(connection)
        {
            // A minus beside a horizontal wire would look like a part of it.
            if self.form.downwards {
                sheet.text(place, sign, role);
            } else {
                sheet.text((place.0 - 1, place.1), &format!(" {sign} "), role);
            }
        }
    }
}

/// The cells that a point takes around its line and along the picture.
fn seat(layers: &Layers, point: usize, face: Option<&CellBox>, form: Form) -> Seat {
    let operands = &layers.points[point].left;
    let Some(face) = face else {
        return Seat::default();
    };
    let sign = face.sign_width();
    // An operation on one line with an operand takes less room than one in the middle of its operands.
    let leans = form.downwards && form.size != BoxSize::Full && operands.len() > 1;
    let is_made = |&operand: &usize| !layers.points[operand].left.is_empty();
    let leans = leans.then(|| operands.iter().position(is_made).unwrap_or(0));
    if form.downwards {
        let width = face.width.max(sign);
        return Seat {
            before: (width - 1) / 2,
            after: width / 2,
            operation: sign.min(1),
            value: Some(face.height),
            leans,
            ..Seat::default()
        };
    }
    Seat {
        before: face.port,
        after: face.height - 1 - face.port,
        operation: sign,
        value: Some(face.width),
        stretches: face.is_framed,
        leans,
        ..Seat::default()
    }
}
