//! A picture in one form, as characters: measures its boxes, lets the layout plan it, and draws boxes and wires.

use super::boxes::{CellBox, cell_box};
use super::form::{BoxSize, Form};
use super::weights;
use crate::char_sheet::CharSheet;
use crate::layout::channel::PlanWire;
use crate::layout::layers::Layers;
use crate::layout::lines::PointSize;
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
        let faces = labels::faces(diagram, form.label_room(), style);
        let boxes = faces.into_iter().enumerate();
        let boxes: Vec<CellBox> = boxes
            .map(|(vertex, face)| cell_box(diagram, vertex, face, form))
            .collect();
        let roomy = usize::from(form.is_roomy());
        let (gap, link) = if form.is_downwards {
            (1 + roomy, usize::from(form.size == BoxSize::Line))
        } else {
            (0, 1 + roomy)
        };
        let spacing = Spacing {
            pitch: if !form.is_downwards && form.is_roomy() {
                2
            } else {
                1
            },
            step: if form.is_downwards { 2 } else { 1 },
            clear_lines: i64::from(form.is_downwards),
            mark_room: diagram
                .network
                .map(|_| if form.is_downwards { 1 } else { 4 }),
        };
        let points = 0..layers.points.len();
        let sizes = points.map(|point| point_size(layers, point, boxes.get(point), form));
        let measures = Measures {
            sizes: sizes.collect(),
            gap,
            before_tracks: 1,
            after_tracks: if form.is_downwards { 0 } else { roomy },
            link,
            spacing: Some(spacing),
        };
        let plan = PicturePlan::new(layers, &measures);
        let (width, height) = if form.is_downwards {
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
        let mut sheet = CharSheet::new(self.width, self.height, self.form.is_downwards);
        for (point, place) in self.plan.places.iter().enumerate() {
            match self.boxes.get(point) {
                Some(cell_box) => self.draw_box(&mut sheet, cell_box, place),
                None => sheet.wire_along(place.line as usize, place.begin, place.end),
            }
        }
        for wire in &self.plan.wires {
            for corners in wire.way.windows(2) {
                let [(from, line), (to, next_line)] =
                    [0, 1].map(|at| (corners[at].0, corners[at].1 as usize));
                if line == next_line {
                    sheet.wire_along(line, from, to);
                } else {
                    sheet.wire_across(from, line.min(next_line), line.max(next_line));
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
        let (begin, long) = place.value;
        if let Some((sign, role)) = &cell_box.sign {
            sheet.wire_along(line, place.begin, begin);
            let (x, y) = sheet.place(place.begin, line);
            let before = if is_down {
                (cell_box.sign_width() - 1) / 2
            } else {
                0
            };
            sheet.text((x - before, y), sign, *role);
        }
        let (corner, width) = if is_down {
            let left = line - (cell_box.width - 1) / 2;
            ((left, begin), cell_box.width)
        } else {
            ((begin, line - cell_box.port), long)
        };
        sheet.wire_along(line, begin + long - 1, place.end);
        cell_box.draw(sheet, corner, width);
    }

    /// The mark of a wire: the position of an operand that is out of order, or in a network the sign of the weight.
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
            && let Some((sign, role)) = weights::sign(connection)
        {
            // A minus beside a horizontal wire would look like a part of it.
            if self.form.is_downwards {
                sheet.text(place, sign, role);
            } else {
                sheet.text((place.0 - 1, place.1), &format!(" {sign} "), role);
            }
        }
    }
}

/// The cells that a point takes around its line and along the picture.
fn point_size(layers: &Layers, point: usize, cell_box: Option<&CellBox>, form: Form) -> PointSize {
    let operands = &layers.points[point].left;
    let Some(cell_box) = cell_box else {
        return PointSize::default();
    };
    let sign = cell_box.sign_width();
    if form.is_downwards {
        // An operation on one line with an operand takes less room than one in the middle of its operands.
        let is_aligned = form.size != BoxSize::Full && operands.len() > 1;
        let is_computed = |&operand: &usize| !layers.points[operand].left.is_empty();
        let width = cell_box.width.max(sign);
        return PointSize {
            before: (width - 1) / 2,
            after: width / 2,
            operation: sign.min(1),
            value: Some(cell_box.height),
            aligned_with: is_aligned.then(|| operands.iter().position(is_computed).unwrap_or(0)),
            ..PointSize::default()
        };
    }
    PointSize {
        before: cell_box.port,
        after: cell_box.height - 1 - cell_box.port,
        operation: sign,
        value: Some(cell_box.width),
        is_stretched: cell_box.is_framed,
        ..PointSize::default()
    }
}
