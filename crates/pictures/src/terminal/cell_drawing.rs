//! Measures the boxes of a terminal picture in one form, has `layout` place them, and draws the boxes and wires.

use super::boxes::{CellBox, cell_box};
use super::{BoxSize, Form};
use crate::char_sheet::CharSheet;
use crate::layout::channel::PlanWire;
use crate::layout::layers::Layers;
use crate::layout::lines::PointSize;
use crate::layout::plan::{Measures, PicturePlan, PlanPlace};
use crate::layout::turns::Spacing;
use crate::shapes::letters::LONGEST_LABEL;
use crate::shapes::{Ink, connections, labels};
use chainrule_report::Diagram;
use chainrule_style::Style;
use chainrule_style::theme::Role;

/// The picture, measured but not drawn.
pub(super) struct CellDrawing<'d> {
    diagram: &'d Diagram,
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    form: Form,
    /// The box of every vertex. The other points of the layers are bends.
    boxes: Vec<CellBox>,
    plan: PicturePlan,
}

impl<'d> CellDrawing<'d> {
    /// Measures a picture.
    pub(crate) fn new(
        diagram: &'d Diagram,
        layers: &Layers,
        form: Form,
        style: &Style,
    ) -> CellDrawing<'d> {
        let label_room = match form.size {
            BoxSize::Full => LONGEST_LABEL,
            // These sizes are for narrow windows, and a long label would take the columns that they save.
            BoxSize::Short | BoxSize::Line => LONGEST_LABEL / 2,
        };
        let faces = labels::faces(diagram, label_room, style);
        let numbered_faces = faces.into_iter().enumerate();
        let boxes: Vec<CellBox> = numbered_faces
            .map(|(vertex, face)| cell_box(diagram, vertex, face, form))
            .collect();
        let points = 0..layers.points.len();
        let sizes = points.map(|point| point_size(layers, point, boxes.get(point), form));
        let measures = measures(sizes.collect(), form, diagram.network.is_some());
        let plan = PicturePlan::new(layers, &measures);
        let (width, height) = if form.is_downwards {
            (plan.across, plan.along)
        } else {
            (plan.along, plan.across)
        };
        CellDrawing {
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

    /// Draws all boxes, wires and marks.
    pub(crate) fn sheet(&self) -> CharSheet {
        let mut sheet = CharSheet::new(self.width, self.height, self.form.is_downwards);
        for (point, place) in self.plan.places.iter().enumerate() {
            match self.boxes.get(point) {
                Some(cell_box) => self.draw_box(&mut sheet, cell_box, place),
                None => sheet.wire_along(place.line as usize, place.begin, place.end),
            }
        }
        for wire in &self.plan.wires {
            for corners in wire.way.windows(2) {
                let ((begin, from), (end, to)) = (corners[0], corners[1]);
                if from == to {
                    sheet.wire_along(from as usize, begin, end);
                } else {
                    sheet.wire_across(begin, from.min(to) as usize, from.max(to) as usize);
                }
            }
        }
        // A wire must not be drawn over the mark of another one.
        for wire in &self.plan.wires {
            self.draw_mark(&mut sheet, wire);
        }
        sheet
    }

    /// Draws a box, the sign of its operation, and the wires directly before and after it.
    fn draw_box(&self, sheet: &mut CharSheet, cell_box: &CellBox, place: &PlanPlace) {
        let is_down = self.form.is_downwards;
        let line = place.line as usize;
        let (begin, length) = place.value;
        if let Some((sign, role)) = &cell_box.sign {
            sheet.wire_along(line, place.begin, begin);
            let (x, y) = sheet.place(place.begin, line);
            // A wire that runs downwards enters the middle of the sign.
            let columns_before = if is_down {
                (cell_box.sign_width() - 1) / 2
            } else {
                0
            };
            sheet.text((x - columns_before, y), sign, *role);
        }
        let (corner, width) = if is_down {
            let width = cell_box.width();
            ((line - (width - 1) / 2, begin), width)
        } else {
            ((begin, line - cell_box.port()), length)
        };
        sheet.wire_along(line, begin + length - 1, place.end);
        cell_box.draw(sheet, corner, width);
    }

    /// Draws the mark of a wire: the position of an operand that is out of order, or in a network the sign of the weight.
    fn draw_mark(&self, sheet: &mut CharSheet, wire: &PlanWire) {
        let Some((main, line)) = wire.mark else {
            return;
        };
        let place = sheet.place(main, line as usize);
        if self.diagram.network.is_none() {
            let mark = "¹²³⁴⁵⁶⁷⁸⁹".chars().nth(wire.position).unwrap_or('?');
            sheet.text(place, &mark.to_string(), Role::Operation);
        } else if let Some(vertex) = self.diagram.vertices.get(wire.point)
            && let Some(connection) = vertex.connections.wires.get(wire.position)
        {
            // Not every terminal has colours. A wire without a weight, or with weights of both signs, has no sign.
            let role = connections::ink(connection);
            let sign = match role {
                Ink::Rising => "+",
                Ink::Falling => "-",
                Ink::NotFinite => "?",
                _ => return,
            };
            // Without blanks a minus would look like a part of a horizontal wire.
            if self.form.is_downwards {
                sheet.text(place, sign, role);
            } else {
                sheet.text((place.0 - 1, place.1), &format!(" {sign} "), role);
            }
        }
    }
}

/// The measures of a picture, in cells: the spacing that its form has around boxes of these sizes.
fn measures(sizes: Vec<PointSize>, form: Form, is_network: bool) -> Measures {
    let room = if form.size == BoxSize::Full { 2 } else { 1 };
    if form.is_downwards {
        return Measures {
            sizes,
            gap: room,
            before_tracks: 1,
            // The sign of an operation is in the row after the tracks.
            after_tracks: 0,
            // Only a box of one row has no edge that a wire from the sign can enter.
            link: usize::from(form.size == BoxSize::Line),
            spacing: Some(Spacing {
                pitch: 1,
                // Wires in neighbouring columns would look like one thick wire.
                step: 2,
                mark_room: is_network.then_some(1),
            }),
        };
    }
    Measures {
        sizes,
        // A row is so high that neighbours need no empty row between them.
        gap: 0,
        before_tracks: 1,
        after_tracks: room - 1,
        link: room,
        spacing: Some(Spacing {
            pitch: room,
            step: 1,
            // A sign between blanks, and a piece of the wire before the next track.
            mark_room: is_network.then_some(4),
        }),
    }
}

/// The cells that a point takes around its line and along the picture.
fn point_size(layers: &Layers, point: usize, cell_box: Option<&CellBox>, form: Form) -> PointSize {
    let Some(cell_box) = cell_box else {
        return PointSize::default();
    };
    let sign_width = cell_box.sign_width();
    if form.is_downwards {
        // Compact forms align an operation with one of its operands; centring it under all of them would take more room.
        let operands = &layers.points[point].left;
        let is_aligned = form.size != BoxSize::Full && operands.len() > 1;
        let is_computed = |&operand: &usize| !layers.points[operand].left.is_empty();
        let width = cell_box.width().max(sign_width);
        return PointSize {
            before: (width - 1) / 2,
            after: width / 2,
            // A row, if there is a sign.
            operation: sign_width.min(1),
            value: Some(cell_box.height()),
            aligned_with: is_aligned.then(|| operands.iter().position(is_computed).unwrap_or(0)),
            ..PointSize::default()
        };
    }
    PointSize {
        before: cell_box.port(),
        after: cell_box.height() - 1 - cell_box.port(),
        operation: sign_width,
        value: Some(cell_box.width()),
        is_stretched: cell_box.is_framed(),
        ..PointSize::default()
    }
}
