//! Where everything is in the picture of a graph, in units.
//!
//! Ranks follow each other along the picture, and what stands in a rank is spread across it. Which of the two directions
//! is columns is up to those who measure and draw: the terminal, where a unit is a cell, and files.

use super::channel;
use super::channel::{Routes, WireTarget};
use super::layers::Layers;
use super::lines;
use super::lines::Seat;
use super::turns::Spacing;

/// What a plan is made from.
pub(crate) struct Measures<'m> {
    /// What stands at every point of the layers.
    pub seats: Vec<Seat>,
    /// The room between neighbours across the picture.
    pub gap: usize,
    /// The room before the tracks of a channel and behind them, and between an operation and its value.
    pub room: [usize; 3],
    /// How the wires into a rank are spaced; none if they run straight.
    pub spacing: &'m dyn Fn(&[usize]) -> Option<Spacing>,
}

/// Where everything is.
pub(crate) struct PicturePlan {
    pub seats: Vec<Seat>,
    /// The line of every point.
    pub lines: Vec<i64>,
    pub ranks: Vec<PlanRank>,
    /// Units along the picture, and across.
    pub along: usize,
    pub across: usize,
    /// Between an operation and its value.
    link: usize,
}

/// A rank, and the channel of wires before it.
pub(crate) struct PlanRank {
    pub points: Vec<usize>,
    /// The wires into it; the first rank has none.
    pub routes: Routes,
    /// Where the tracks of its channel begin along the picture, its operations, and its values.
    pub tracks: usize,
    pub operations: usize,
    pub values: usize,
    /// Its last unit.
    pub end: usize,
}

impl PicturePlan {
    /// Finds a place for everything.
    pub(crate) fn new(layers: &Layers, measures: Measures) -> PicturePlan {
        let [before, behind, link] = measures.room;
        let lines = lines::lines(layers, &measures.seats, measures.gap);
        let mut plan = PicturePlan {
            seats: measures.seats,
            lines,
            ranks: Vec::new(),
            along: 0,
            across: 0,
            link,
        };
        for (rank, points) in layers.ranks.iter().enumerate() {
            let routes =
                (measures.spacing)(points).map(|spacing| plan.routes(layers, rank, spacing));
            let routes = routes.unwrap_or_default();
            let tracks = plan.along + if rank > 0 { before } else { 0 };
            let operations = tracks + if rank > 0 { routes.width + behind } else { 0 };
            let seats = || points.iter().map(|&point| plan.seats[point]);
            let longest = seats().map(|seat| seat.operation).max().unwrap_or(0);
            let values = operations + if longest > 0 { longest + link } else { 0 };
            let long = seats().filter_map(|seat| seat.value).max();
            plan.along = values + long.unwrap_or(1);
            let rank = PlanRank {
                points: points.clone(),
                routes,
                tracks,
                operations,
                values,
                end: plan.along - 1,
            };
            plan.ranks.push(rank);
        }
        plan.shift();
        plan
    }

    /// The wires into a rank.
    fn routes(&self, layers: &Layers, rank: usize, spacing: Spacing) -> Routes {
        let Some(before) = rank.checked_sub(1) else {
            return Routes::default();
        };
        let sources: Vec<i64> = (layers.ranks[before].iter())
            .map(|&point| self.lines[point])
            .collect();
        let mut targets = Vec::new();
        for &point in &layers.ranks[rank] {
            let operands = layers.points[point].left.iter();
            let operands: Vec<(usize, usize)> = operands
                .map(|&operand| layers.places[operand])
                .zip(0..)
                .collect();
            let any_order = layers.points[point].any_order;
            let target = |line: i64, sources: Vec<(usize, usize)>| WireTarget {
                point,
                line,
                sources,
                any_order,
            };
            if self.seats[point].ports > 0 {
                let mut ends: Vec<_> = operands
                    .into_iter()
                    .zip(self.ports(layers, point))
                    .collect();
                ends.sort_by_key(|(_, line)| *line);
                targets.extend(
                    ends.into_iter()
                        .map(|(operand, line)| target(line, vec![operand])),
                );
            } else if !operands.is_empty() {
                targets.push(target(self.lines[point], operands));
            }
        }
        channel::route(&sources, &targets, spacing)
    }

    /// The lines on which the operands of a point come to it.
    pub(crate) fn ports(&self, layers: &Layers, point: usize) -> Vec<i64> {
        let ports = layers.ports(point);
        let (count, pitch) = (ports.len() as i64, self.seats[point].ports as i64);
        let first = self.lines[point] - (count - 1) * pitch / 2;
        ports
            .into_iter()
            .map(|port| first + port as i64 * pitch)
            .collect()
    }

    /// Moves everything so that the first line is 0, and counts the lines.
    fn shift(&mut self) {
        let reach = self
            .seats
            .iter()
            .zip(&self.lines)
            .flat_map(|(seat, line)| [line - seat.before as i64, line + seat.behind as i64]);
        let wires = self.ranks.iter().flat_map(|rank| &rank.routes.wires);
        let reach = reach.chain(wires.flat_map(|wire| wire.lines));
        let (low, high) = reach.fold((i64::MAX, i64::MIN), |(low, high), line| {
            (low.min(line), high.max(line))
        });
        for line in &mut self.lines {
            *line -= low;
        }
        let wires = self
            .ranks
            .iter_mut()
            .flat_map(|rank| &mut rank.routes.wires);
        for line in wires.flat_map(|wire| &mut wire.lines) {
            *line -= low;
        }
        self.across = (high - low + 1) as usize;
    }

    /// Where the wires to a point of this rank end: where its operation begins, or its value, or the rank if it is a bend.
    pub(crate) fn wire_end(&self, rank: &PlanRank, point: usize) -> usize {
        let seat = &self.seats[point];
        match (seat.value, seat.operation) {
            (None, _) => rank.operations,
            (_, 0) => rank.values,
            (_, operation) => rank.values - self.link - operation,
        }
    }

    /// Where a value begins, and how long it is. A leaf stands near its users.
    pub(crate) fn value(&self, rank: &PlanRank, point: usize) -> (usize, usize) {
        let seat = &self.seats[point];
        let room = rank.end + 1 - rank.values;
        let long = if seat.stretches {
            room
        } else {
            seat.value.unwrap_or(room)
        };
        (
            if seat.made {
                rank.values
            } else {
                rank.end + 1 - long
            },
            long,
        )
    }
}
