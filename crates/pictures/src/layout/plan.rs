//! Plans the picture of a graph: the places of all boxes and wires, in units.
//!
//! Ranks follow each other *along* the picture, and the points of a rank are spread *across* it. The callers, `terminal`
//! and `shapes`, decide which of the two directions is columns.

use super::channel::{self, PlanWire, WireTarget};
use super::layers::Layers;
use super::lines;
use super::lines::Seat;
use super::turns::Spacing;

/// The measures from which a plan is made.
pub(crate) struct Measures {
    /// The size of every point of the layers.
    pub seats: Vec<Seat>,
    /// The room between neighbours across the picture.
    pub gap: usize,
    /// The room before the tracks of a channel and after them, and between an operation and its value.
    pub room: [usize; 3],
    /// The spacing of wires; `None` if they run straight.
    pub spacing: Option<Spacing>,
}

/// The places of everything.
pub(crate) struct PicturePlan {
    /// The place of every point of the layers.
    pub places: Vec<PlanPlace>,
    pub wires: Vec<PlanWire>,
    /// Units along the picture, and across.
    pub along: usize,
    pub across: usize,
}

/// The place of a value with its operation before it, or of a bend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanPlace {
    /// Its line.
    pub line: i64,
    /// The unit along the picture where wires to it end: at its operation, or at its value.
    pub begin: usize,
    /// The begin and the length of its value, which ends where its rank ends.
    pub value: (usize, usize),
    /// The last unit of its rank, where its wires begin.
    pub end: usize,
}

impl PicturePlan {
    /// Finds a place for everything.
    pub(crate) fn new(layers: &Layers, measures: &Measures) -> PicturePlan {
        let [before, after, link] = measures.room;
        let seats = &measures.seats;
        let lines = lines::lines(layers, seats, measures.gap);
        let mut plan = PicturePlan {
            places: vec![PlanPlace::default(); seats.len()],
            wires: Vec::new(),
            along: 0,
            across: 0,
        };
        for (rank, points) in layers.ranks.iter().enumerate() {
            let spacing = measures.spacing.filter(|_| rank > 0);
            let routes = spacing.map(|spacing| {
                let sources = &layers.ranks[rank - 1];
                let sources: Vec<i64> = sources.iter().map(|&point| lines[point]).collect();
                channel::route(&sources, &targets(layers, seats, &lines, points), spacing)
            });
            let routes = routes.unwrap_or_default();
            let start = plan.along;
            let tracks = start + if rank > 0 { before } else { 0 };
            let operations = tracks + if rank > 0 { routes.width + after } else { 0 };
            let longest = points.iter().map(|&point| seats[point].operation).max();
            let values = operations
                + longest
                    .filter(|&long| long > 0)
                    .map_or(0, |long| long + link);
            let long = points.iter().filter_map(|&point| seats[point].value).max();
            plan.along = values + long.unwrap_or(1);
            for &point in points {
                let seat = &seats[point];
                let room = plan.along - values;
                let long = seat.value.filter(|_| !seat.stretches).unwrap_or(room);
                let value = match seat.value {
                    None => (operations, plan.along - operations),
                    Some(_) => (plan.along - long, long),
                };
                plan.places[point] = PlanPlace {
                    line: lines[point],
                    begin: match (seat.value, seat.operation) {
                        (None, _) => operations,
                        (_, 0) => values,
                        (_, operation) => values - link - operation,
                    },
                    value,
                    end: plan.along - 1,
                };
            }
            for mut wire in routes.wires {
                wire.source = layers.ranks[rank - 1][wire.source];
                for (along, _) in &mut wire.way {
                    *along += tracks;
                }
                if let Some((along, _)) = &mut wire.mark {
                    *along = (*along + tracks).saturating_sub(1);
                }
                if let [first, .., last] = &mut wire.way[..] {
                    first.0 = start.saturating_sub(1);
                    last.0 = plan.places[wire.point].begin;
                }
                plan.wires.push(wire);
            }
        }
        plan.shift(seats);
        plan
    }

    /// Moves everything so that the first line is 0, and counts the lines.
    fn shift(&mut self, seats: &[Seat]) {
        let reach = self.places.iter().zip(seats).flat_map(|(place, seat)| {
            [
                place.line - seat.before as i64,
                place.line + seat.after as i64,
            ]
        });
        let ways = self.wires.iter().flat_map(|wire| &wire.way);
        let reach = reach.chain(ways.map(|(_, line)| *line));
        let (low, high) = reach.fold((i64::MAX, i64::MIN), |(low, high), line| {
            (low.min(line), high.max(line))
        });
        for place in &mut self.places {
            place.line -= low;
        }
        for wire in &mut self.wires {
            for (_, line) in wire.way.iter_mut().chain(&mut wire.mark) {
                *line -= low;
            }
        }
        self.across = (high - low + 1) as usize;
    }
}

/// The targets of the wires into a rank: operations, or their ports if they have some.
fn targets(layers: &Layers, seats: &[Seat], lines: &[i64], points: &[usize]) -> Vec<WireTarget> {
    let mut targets = Vec::new();
    for &point in points {
        let operands = layers.points[point].left.iter();
        let sources: Vec<(usize, usize)> = operands
            .map(|&operand| layers.places[operand])
            .zip(0..)
            .collect();
        let is_commutative = layers.points[point].is_commutative;
        let target = |line: i64, sources: Vec<(usize, usize)>| WireTarget {
            point,
            line,
            sources,
            is_commutative,
        };
        let pitch = seats[point].ports as i64;
        if pitch > 0 {
            let first = lines[point] - (sources.len() as i64 - 1) * pitch / 2;
            let mut ends: Vec<_> = sources.into_iter().zip(layers.ports(point)).collect();
            ends.sort_by_key(|(_, port)| *port);
            let line = |port: usize| first + port as i64 * pitch;
            targets.extend(
                ends.into_iter()
                    .map(|(source, port)| target(line(port), vec![source])),
            );
        } else if !sources.is_empty() {
            targets.push(target(lines[point], sources));
        }
    }
    targets
}
