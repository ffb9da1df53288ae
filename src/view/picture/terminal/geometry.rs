//! A picture in one form: where every box, sign and wire is, in cells.
//!
//! Ranks follow each other along the picture, and what stands in a rank is spread across it. Which of the two
//! directions is columns matters only where boxes are measured and drawn.

use std::collections::HashMap;

use super::boxes::Ports;
use super::cells::Sheet;
use super::channel;
use super::channel::{Routes, WireTarget};
use super::form::{BoxSize, Form};
use super::occupants;
use super::occupants::Occupant;
use super::places;
use super::turns::Spacing;
use super::weights;
use crate::report::Diagram;
use crate::view::picture::layout::layers::Layers;
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
    /// What stands at every point of the layers.
    occupants: Vec<Occupant>,
    ranks: Vec<Rank>,
    /// In a network, what stands on the wires to each vertex.
    weights: Vec<Vec<(String, Role)>>,
}

/// A rank, and the channel of wires before it.
struct Rank {
    points: Vec<usize>,
    /// The wires into it; the first rank has none.
    routes: Routes,
    /// Where the tracks of its channel begin along the picture, its operations, and its values.
    tracks: usize,
    operations: usize,
    values: usize,
    /// Its last cell.
    end: usize,
}

impl Geometry {
    /// Measures a picture.
    pub(crate) fn new(diagram: &Diagram, layers: &Layers, form: Form, style: &Style) -> Geometry {
        let mut occupants = occupants::occupants(diagram, layers, form, style);
        let gap = match (form.downwards, form.roomy) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let lines = places::lines(layers, &occupants, form, gap);
        for (occupant, line) in occupants.iter_mut().zip(&lines) {
            occupant.line = *line;
        }
        let mut geometry = Geometry {
            width: 0,
            height: 0,
            form,
            ascii: style.ascii,
            occupants,
            ranks: Vec::new(),
            weights: weights::texts(diagram, form, style),
        };
        let mut end = 0;
        for (rank, points) in layers.ranks.iter().enumerate() {
            let spacing = geometry.spacing(diagram, points);
            let routes = wires(layers, rank, &lines, spacing);
            let rank = geometry.measured(points.clone(), routes, end);
            end = rank.end + 1;
            geometry.ranks.push(rank);
        }
        let across = geometry.shift();
        (geometry.width, geometry.height) = if form.downwards {
            (across, end)
        } else {
            (end, across)
        };
        geometry
    }

    fn spacing(&self, diagram: &Diagram, points: &[usize]) -> Spacing {
        Spacing {
            // Two signs side by side would read as one wire where all corners are the same character.
            pitch: if !self.form.downwards && (self.ascii || self.form.roomy) {
                2
            } else {
                1
            },
            step: if self.form.downwards { 2 } else { 1 },
            share: match (self.ascii, self.form.downwards) {
                (true, true) => None,
                (false, false) => Some(0),
                _ => Some(1),
            },
            room: diagram.network.map(|_| self.room(points)),
        }
    }

    /// How many cells what stands on the wires into a rank takes.
    fn room(&self, points: &[usize]) -> usize {
        if self.form.downwards {
            return 0;
        }
        let texts = points.iter().filter_map(|&point| self.weights.get(point));
        let widths = texts.flatten().map(|(text, _)| characters::width(text));
        widths.max().map_or(0, |most| most + 1)
    }

    /// Where the parts of a rank are if the last one ended before this cell.
    fn measured(&self, points: Vec<usize>, routes: Routes, begin: usize) -> Rank {
        let form = self.form;
        let (mut tracks, mut operations) = (begin, begin);
        if !self.ranks.is_empty() {
            tracks = begin + 1;
            let behind = usize::from(!form.downwards && form.roomy);
            operations = tracks + routes.width + behind;
        }
        let occupants = || points.iter().map(|&point| &self.occupants[point]);
        let signs = occupants().filter(|occupant| occupant.operation.is_some());
        let signs = signs.map(|occupant| {
            if form.downwards {
                1
            } else {
                occupant.operation_width()
            }
        });
        let values = signs
            .max()
            .map_or(operations, |longest| operations + longest + self.link());
        let faces = occupants().filter_map(|occupant| occupant.face.as_ref());
        let long = faces.map(|face| {
            if form.downwards {
                face.height
            } else {
                face.width
            }
        });
        let end = values + long.max().unwrap_or(1) - 1;
        Rank {
            points,
            routes,
            tracks,
            operations,
            values,
            end,
        }
    }

    /// The cells between an operation and its value.
    fn link(&self) -> usize {
        match (self.form.downwards, self.form.size, self.form.roomy) {
            (true, BoxSize::Full | BoxSize::Short, _) => 0,
            (false, _, true) => 2,
            _ => 1,
        }
    }

    /// Moves everything so that the first line is 0, and says how many lines there are.
    fn shift(&mut self) -> usize {
        let mut low = i64::MAX;
        let mut high = i64::MIN;
        for occupant in &self.occupants {
            let (before, behind) = occupant.reach(self.form);
            low = low.min(occupant.line - before as i64);
            high = high.max(occupant.line + behind as i64);
        }
        let routes = self.ranks.iter_mut().map(|rank| &mut rank.routes);
        let routes: Vec<&mut Routes> = routes.collect();
        for (_, from, to) in routes.iter().flat_map(|routes| &routes.across) {
            low = low.min(*from);
            high = high.max(*to);
        }
        for occupant in &mut self.occupants {
            occupant.line -= low;
        }
        for routes in routes {
            let across = routes.across.iter_mut();
            let lines = across.flat_map(|(_, from, to)| [from, to]);
            let lines = lines.chain(routes.along.iter_mut().map(|(line, ..)| line));
            for line in lines.chain(routes.marks.iter_mut().map(|mark| &mut mark.line)) {
                *line -= low;
            }
        }
        (high - low + 1) as usize
    }

    /// Whether operands are marked with their positions.
    pub(crate) fn marked(&self) -> bool {
        self.weights.is_empty() && self.ranks.iter().any(|rank| !rank.routes.marks.is_empty())
    }

    /// Draws it.
    pub(crate) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(self.width, self.height, self.form.downwards, self.ascii);
        for (at, rank) in self.ranks.iter().enumerate() {
            for &point in &rank.points {
                self.draw(&mut sheet, rank, point);
            }
            if at > 0 {
                self.draw_wires(&mut sheet, rank, self.ranks[at - 1].end);
            }
        }
        sheet
    }

    fn draw(&self, sheet: &mut Sheet, rank: &Rank, point: usize) {
        let occupant = &self.occupants[point];
        let line = occupant.line as usize;
        let Some(face) = &occupant.face else {
            sheet.along(line, rank.operations, rank.end);
            return;
        };
        let down = self.form.downwards;
        let long = match (down, face.stretches()) {
            (true, _) => face.height,
            (false, true) => rank.end + 1 - rank.values,
            (false, false) => face.width,
        };
        // A leaf stands near its users.
        let begin = if occupant.is_leaf() {
            rank.end + 1 - long
        } else {
            rank.values
        };
        if let Some((sign, role)) = &occupant.operation {
            let from = self.wire_ends(rank, occupant);
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

    /// Where the wires to an occupant end: where its operation begins, or the rank if it is a bend.
    fn wire_ends(&self, rank: &Rank, occupant: &Occupant) -> usize {
        if self.form.downwards || occupant.face.is_none() {
            rank.operations
        } else if occupant.operation.is_none() {
            rank.values
        } else {
            rank.values - self.link() - occupant.operation_width()
        }
    }

    /// What stands on a wire of a network: on its last piece, if it has several.
    fn weight(&self, point: usize, position: usize) -> Option<&(String, Role)> {
        self.weights.get(point)?.get(position)
    }

    /// The wires into a rank; the one before ends in this cell.
    fn draw_wires(&self, sheet: &mut Sheet, rank: &Rank, before: usize) {
        let tracks = rank.tracks;
        for &(track, from, to) in &rank.routes.across {
            sheet.across(tracks + track, from as usize, to as usize);
        }
        let mut ends = HashMap::new();
        for &point in &rank.points {
            let occupant = &self.occupants[point];
            if !occupant.is_leaf() {
                ends.insert(occupant.line, self.wire_ends(rank, occupant));
            }
        }
        for &(line, from, to) in &rank.routes.along {
            let begin = from.map_or(before, |track| tracks + track);
            let end = to.map(|track| tracks + track);
            let end = end.or_else(|| ends.get(&line).copied());
            sheet.along(line as usize, begin, end.unwrap_or(rank.operations));
        }
        let marks = if self.ascii {
            "123456789"
        } else {
            "¹²³⁴⁵⁶⁷⁸⁹"
        };
        let targets = rank.points.iter().copied();
        let targets: Vec<usize> = targets
            .filter(|&at| !self.occupants[at].is_leaf())
            .collect();
        for mark in &rank.routes.marks {
            let main = (tracks + mark.track).saturating_sub(1);
            let place = sheet.place(main, mark.line as usize);
            if self.weights.is_empty() {
                let mark = marks.chars().nth(mark.position).unwrap_or('?').to_string();
                sheet.text(place, &mark, Role::Operation);
            } else if let Some((text, role)) = self.weight(targets[mark.target], mark.position) {
                sheet.text(place, text, *role);
            }
        }
    }
}

/// The wires into a rank.
fn wires(layers: &Layers, rank: usize, lines: &[i64], spacing: Spacing) -> Routes {
    let Some(before) = rank.checked_sub(1) else {
        return Routes::default();
    };
    let sources = layers.ranks[before].iter().map(|&point| lines[point]);
    let target = |&point: &usize| {
        let left = layers.points[point].left.iter();
        WireTarget {
            line: lines[point],
            sources: left.map(|&point| layers.places[point]).collect(),
            any_order: layers.points[point].any_order,
        }
    };
    let targets = layers.ranks[rank].iter().map(target);
    let targets = targets.filter(|target| !target.sources.is_empty());
    channel::route(
        &sources.collect::<Vec<_>>(),
        &targets.collect::<Vec<_>>(),
        spacing,
    )
}
