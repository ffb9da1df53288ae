//! A picture in one form, as characters: what stands at each place that the plan of the picture gives, and the wires
//! between.

use super::boxes::Ports;
use super::cells::Sheet;
use super::form::{BoxSize, Form};
use super::occupants;
use super::occupants::Occupant;
use super::weights;
use crate::report::Diagram;
use crate::view::picture::layout::channel::WireRoute;
use crate::view::picture::layout::layers::Layers;
use crate::view::picture::layout::plan::{Measures, PicturePlan, PlanRank};
use crate::view::picture::layout::turns::Spacing;
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// The picture, measured but not drawn.
pub(crate) struct Geometry {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    pub form: Form,
    ascii: bool,
    /// What stands at every point of the layers, and where.
    occupants: Vec<Occupant>,
    plan: PicturePlan,
    /// In a network, what stands on the wires to each vertex.
    weights: Vec<Vec<(String, Role)>>,
}

impl Geometry {
    /// Measures a picture.
    pub(crate) fn new(diagram: &Diagram, layers: &Layers, form: Form, style: &Style) -> Geometry {
        let occupants = occupants::occupants(diagram, layers, form, style);
        let weights = weights::texts(diagram, form, style);
        let roomy = usize::from(form.is_roomy());
        let (gap, link) = match form.downwards {
            false => (0, 1 + roomy),
            true => (1 + roomy, usize::from(form.size == BoxSize::Line)),
        };
        let spacing = |points: &[usize]| {
            Some(Spacing {
                // Two signs side by side would read as one wire where all corners are the same character.
                pitch: if !form.downwards && (style.ascii || form.is_roomy()) {
                    2
                } else {
                    1
                },
                step: if form.downwards { 2 } else { 1 },
                share: match (style.ascii, form.downwards) {
                    (true, true) => None,
                    (false, false) => Some(0),
                    _ => Some(1),
                },
                room: diagram.network.map(|_| room(&weights, form, points)),
            })
        };
        let plan = PicturePlan::new(
            layers,
            Measures {
                seats: occupants.iter().map(|it| it.seat(form)).collect(),
                gap,
                room: [1, if form.downwards { 0 } else { roomy }, link],
                spacing: &spacing,
            },
        );
        let (width, height) = if form.downwards {
            (plan.across, plan.along)
        } else {
            (plan.along, plan.across)
        };
        Geometry {
            width,
            height,
            form,
            ascii: style.ascii,
            occupants,
            plan,
            weights,
        }
    }

    /// Whether operands are marked with their positions.
    pub(crate) fn marked(&self) -> bool {
        let mut wires = self.plan.ranks.iter().flat_map(|rank| &rank.routes.wires);
        self.weights.is_empty() && wires.any(|wire| wire.mark.is_some())
    }

    /// Draws it.
    pub(crate) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(self.width, self.height, self.form.downwards, self.ascii);
        let mut before = 0;
        for rank in &self.plan.ranks {
            for &point in &rank.points {
                self.draw(&mut sheet, rank, point);
            }
            for wire in &rank.routes.wires {
                self.draw_wire(&mut sheet, rank, before, wire);
            }
            // What stands on a wire is not written over by another.
            for wire in &rank.routes.wires {
                self.draw_mark(&mut sheet, rank, wire);
            }
            before = rank.end;
        }
        sheet
    }

    fn draw(&self, sheet: &mut Sheet, rank: &PlanRank, point: usize) {
        let occupant = &self.occupants[point];
        let line = self.plan.lines[point] as usize;
        let Some(face) = &occupant.face else {
            sheet.along(line, rank.operations, rank.end);
            return;
        };
        let down = self.form.downwards;
        let (begin, long) = self.plan.value(rank, point);
        if let Some((sign, role)) = &occupant.operation {
            let from = self.plan.wire_end(rank, point);
            sheet.along(line, from, begin);
            let (x, y) = sheet.place(from, line);
            let before = if down {
                (occupant.operation_width() - 1) / 2
            } else {
                0
            };
            sheet.text((x - before, y), sign, *role);
        }
        let (corner, width) = if down {
            ((line - (face.width - 1) / 2, begin), face.width)
        } else {
            ((begin, line - face.port), long)
        };
        let ports = Ports {
            before: occupant.made,
            behind: point > 0,
            column: down.then(|| line - corner.0),
        };
        sheet.along(line, begin + long - 1, rank.end);
        face.draw(sheet, corner, width, ports);
    }

    /// A wire into a rank; the one before ends in this cell.
    fn draw_wire(&self, sheet: &mut Sheet, rank: &PlanRank, before: usize, wire: &WireRoute) {
        let turns = [wire.fork, wire.bus].map(|track| track.map(|track| rank.tracks + track));
        let mut at = before;
        for (turn, lines) in turns.into_iter().zip(wire.lines.windows(2)) {
            let Some(turn) = turn else { continue };
            sheet.along(lines[0] as usize, at, turn);
            let (low, high) = (lines[0].min(lines[1]), lines[0].max(lines[1]));
            sheet.across(turn, low as usize, high as usize);
            at = turn;
        }
        sheet.along(
            wire.lines[2] as usize,
            at,
            self.plan.wire_end(rank, wire.point),
        );
    }

    /// The position of an operand out of order, or what stands on a wire of a network: on its last piece, if it has several.
    fn draw_mark(&self, sheet: &mut Sheet, rank: &PlanRank, wire: &WireRoute) {
        let Some(track) = wire.mark else { return };
        let main = (rank.tracks + track).saturating_sub(1);
        let place = sheet.place(main, wire.lines[1] as usize);
        if self.weights.is_empty() {
            let marks = if self.ascii {
                "123456789"
            } else {
                "¹²³⁴⁵⁶⁷⁸⁹"
            };
            let mark = marks.chars().nth(wire.position).unwrap_or('?').to_string();
            sheet.text(place, &mark, Role::Operation);
        } else if let Some(weights) = self.weights.get(wire.point)
            && let Some((text, role)) = weights.get(wire.position)
        {
            sheet.text(place, text, *role);
        }
    }
}

/// How many cells what stands on the wires into a rank takes.
fn room(weights: &[Vec<(String, Role)>], form: Form, points: &[usize]) -> usize {
    if form.downwards {
        return 0;
    }
    let texts = points.iter().filter_map(|&point| weights.get(point));
    let widths = texts.flatten().map(|(text, _)| characters::width(text));
    widths.max().map_or(0, |most| most + 1)
}
