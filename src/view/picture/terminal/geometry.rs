//! A picture in one form: where every box, sign and wire is, in cells.
//!
//! Ranks follow each other along the picture, things in a rank stand across it. Nothing here knows which of the two is
//! a column, until boxes are measured and drawn.

use super::boxes::Ports;
use super::cells::Sheet;
use super::channel;
use super::channel::{Routes, WireTarget};
use super::form::{BoxSize, Form};
use super::places;
use super::ranks;
use super::ranks::RankPlace;
use super::turns::Spacing;
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
    form: Form,
    ascii: bool,
    ranks: Vec<Vec<RankPlace>>,
    /// Where each rank's operations and values begin and where it ends, along the picture.
    spans: Vec<CellSpan>,
    /// The wires into each rank, the first of which has none.
    routes: Vec<Routes>,
    /// Where the tracks of each channel begin.
    tracks: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct CellSpan {
    operations: usize,
    values: usize,
    /// The last cell.
    end: usize,
}

impl Geometry {
    /// Measures a picture.
    pub(crate) fn new(diagram: &Diagram, layers: &Layers, form: Form, style: &Style) -> Geometry {
        let mut ranks = ranks::places(diagram, layers, form, style);
        let things = ranks::things(&ranks, form);
        let gap = match (form.downwards, form.roomy) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        for (rank, lines) in ranks.iter_mut().zip(places::lines(&things, gap)) {
            for (place, line) in rank.iter_mut().zip(lines) {
                place.line = line;
            }
        }
        let mut geometry = Geometry {
            width: 0,
            height: 0,
            form,
            ascii: style.ascii,
            ranks,
            spans: Vec::new(),
            routes: Vec::new(),
            tracks: Vec::new(),
        };
        geometry.find_wires();
        geometry.measure();
        geometry
    }

    fn find_wires(&mut self) {
        let spacing = Spacing {
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
        };
        self.routes.push(Routes::default());
        for ranks in self.ranks.windows(2) {
            let sources: Vec<i64> = ranks[0].iter().map(|place| place.line).collect();
            let targets: Vec<WireTarget> = ranks[1]
                .iter()
                .filter(|place| !place.sources.is_empty())
                .map(|place| WireTarget {
                    line: place.line,
                    sources: place.sources.clone(),
                })
                .collect();
            self.routes
                .push(channel::route(&sources, &targets, spacing));
        }
    }

    /// Where ranks begin and end, and how large all of it is.
    fn measure(&mut self) {
        let form = self.form;
        let mut at = 0;
        for (rank, routes) in self.ranks.iter().zip(&self.routes) {
            let first = self.spans.is_empty();
            let mut tracks = at;
            if !first {
                tracks = at + 1;
                let behind = usize::from(!form.downwards && form.roomy);
                at = tracks + routes.width + behind;
            }
            let along = |place: &RankPlace| {
                let (_, face) = place.value.as_ref()?;
                Some(if form.downwards {
                    face.height
                } else {
                    face.width
                })
            };
            let operations = rank.iter().filter_map(|place| place.operation.as_ref());
            let operations = operations.map(|sign| {
                if form.downwards {
                    1
                } else {
                    characters::width(sign)
                }
            });
            let values = match operations.max() {
                None => at,
                Some(most) => {
                    let link = match (form.downwards, form.size, form.roomy) {
                        (true, BoxSize::Full | BoxSize::Short, _) => 0,
                        (false, _, true) => 2,
                        _ => 1,
                    };
                    at + most + link
                }
            };
            let long = rank.iter().filter_map(along).max().unwrap_or(1);
            self.spans.push(CellSpan {
                operations: at,
                values,
                end: values + long - 1,
            });
            self.tracks.push(tracks);
            at = values + long;
        }
        let form = self.form;
        let mut low = i64::MAX;
        let mut high = i64::MIN;
        for place in self.ranks.iter().flatten() {
            let thing = place.thing(form);
            low = low.min(place.line - thing.before);
            high = high.max(place.line + thing.behind);
        }
        for routes in &self.routes {
            for &(_, from, to) in &routes.across {
                low = low.min(from);
                high = high.max(to);
            }
        }
        for place in self.ranks.iter_mut().flatten() {
            place.line -= low;
        }
        for routes in &mut self.routes {
            for (_, from, to) in &mut routes.across {
                *from -= low;
                *to -= low;
            }
            for (line, ..) in &mut routes.along {
                *line -= low;
            }
            for (line, ..) in &mut routes.marks {
                *line -= low;
            }
        }
        let across = (high - low + 1) as usize;
        (self.width, self.height) = if form.downwards {
            (across, at)
        } else {
            (at, across)
        };
    }

    /// Whether operands are marked with their positions.
    pub(crate) fn marked(&self) -> bool {
        self.routes.iter().any(|routes| !routes.marks.is_empty())
    }

    /// Draws it.
    pub(crate) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(self.width, self.height, self.form.downwards, self.ascii);
        for rank in 0..self.ranks.len() {
            for place in &self.ranks[rank] {
                self.draw_place(&mut sheet, rank, place);
            }
            if rank > 0 {
                self.draw_wires(&mut sheet, rank);
            }
        }
        sheet
    }

    fn draw_place(&self, sheet: &mut Sheet, rank: usize, place: &RankPlace) {
        let span = self.spans[rank];
        let line = place.line as usize;
        let Some((vertex, face)) = &place.value else {
            sheet.along(line, span.operations, span.end);
            return;
        };
        let down = self.form.downwards;
        let (begin, long, wide) = self.lies(rank, place);
        if let Some(sign) = &place.operation {
            let width = characters::width(sign);
            if down {
                sheet.along(line, span.operations, begin);
                sheet.text(
                    line - (width - 1) / 2,
                    span.operations,
                    sign,
                    Role::Operation,
                );
            } else {
                let from = self.operation_begins(rank, place);
                sheet.along(line, from, begin);
                sheet.text(from, line, sign, Role::Operation);
            }
        }
        let first = if down {
            line - (face.width - 1) / 2
        } else {
            line - face.port
        };
        let corner = if down { (first, begin) } else { (begin, first) };
        let ports = Ports {
            before: place.operation.is_some(),
            behind: *vertex > 0,
            column: down.then_some(line - first),
        };
        sheet.along(line, begin + long - 1, span.end);
        face.draw(sheet, corner, if down { face.width } else { wide }, ports);
    }

    /// Where a value begins along the picture, how long it is there, and its width if that is the same.
    fn lies(&self, rank: usize, place: &RankPlace) -> (usize, usize, usize) {
        let span = self.spans[rank];
        let Some((_, face)) = &place.value else {
            return (span.values, span.end + 1 - span.values, 0);
        };
        let whole = span.end + 1 - span.values;
        let long = if self.form.downwards {
            face.height
        } else if face.stretches() {
            whole
        } else {
            face.width
        };
        // What has no operands stands near its users.
        let begin = if place.operation.is_some() {
            span.values
        } else {
            span.end + 1 - long
        };
        (begin, long, long)
    }

    fn operation_begins(&self, rank: usize, place: &RankPlace) -> usize {
        let span = self.spans[rank];
        if self.form.downwards {
            return span.operations;
        }
        let width = place.operation.as_deref().map_or(0, characters::width);
        let link = if self.form.roomy { 2 } else { 1 };
        span.values - link - width
    }

    fn draw_wires(&self, sheet: &mut Sheet, rank: usize) {
        let routes = &self.routes[rank];
        let tracks = self.tracks[rank];
        for &(track, from, to) in &routes.across {
            sheet.across(tracks + track, from as usize, to as usize);
        }
        for &(line, from, to) in &routes.along {
            let begin = from.map_or(self.spans[rank - 1].end, |track| tracks + track);
            let end = to.map_or_else(
                || {
                    let ends = |place: &&RankPlace| place.line == line && !place.sources.is_empty();
                    let place = self.ranks[rank].iter().find(ends);
                    place.map_or(self.spans[rank].operations, |place| {
                        if place.value.is_some() {
                            self.operation_begins(rank, place)
                        } else {
                            self.spans[rank].operations
                        }
                    })
                },
                |track| tracks + track,
            );
            sheet.along(line as usize, begin, end);
        }
        for &(line, track, position) in &routes.marks {
            let marks = if self.ascii {
                "123456789"
            } else {
                "¹²³⁴⁵⁶⁷⁸⁹"
            };
            let mark = marks.chars().nth(position).unwrap_or('?').to_string();
            let (main, line) = ((tracks + track).saturating_sub(1), line as usize);
            let (x, y) = if self.form.downwards {
                (line, main)
            } else {
                (main, line)
            };
            sheet.text(x, y, &mark, Role::Operation);
        }
    }
}
