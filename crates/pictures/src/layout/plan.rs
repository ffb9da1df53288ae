//! Plans the picture of a graph: the places of all boxes and wires, in units.
//!
//! Ranks follow each other *along* the picture, and the points of a rank are spread *across* it. The callers, `terminal`
//! and `shapes`, decide which of the two directions is columns.

use super::channel::{self, PlanWire, Routes, WireTarget};
use super::layers::Layers;
use super::lines::{PointSize, point_lines};
use super::turns::Spacing;

/// The measures from which a plan is made.
pub(crate) struct Measures {
    /// The size of every point of the layers.
    pub sizes: Vec<PointSize>,
    /// The room between neighbours across the picture.
    pub gap: usize,
    /// The room before the tracks of a channel.
    pub before_tracks: usize,
    /// The room after the tracks of a channel.
    pub after_tracks: usize,
    /// The room between an operation and its value.
    pub link: usize,
    /// The spacing of wires; `None` if they run straight.
    pub spacing: Option<Spacing>,
}

/// The places of all boxes and wires.
pub(crate) struct PicturePlan {
    /// The place of every point of the layers.
    pub places: Vec<PlanPlace>,
    /// Sorted by the point where each ends, and by the position of the operand there.
    pub wires: Vec<PlanWire>,
    /// The number of units along the picture.
    pub along: usize,
    /// The number of units across the picture.
    pub across: usize,
}

/// The place of a value with its operation before it, or of a bend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanPlace {
    pub line: i64,
    /// The unit along the picture where the wires to the point end: at the operation, or at the value.
    pub begin: usize,
    /// The begin and the length of the value, which ends at the end of the rank.
    pub value: (usize, usize),
    /// The last unit of the rank, where the wires of the point begin.
    pub end: usize,
}

/// The units along the picture where the parts of a rank begin.
struct RankUnits {
    /// The begin of its channel.
    start: usize,
    /// The first track of the channel.
    tracks: usize,
    /// The begin of its operations.
    operations: usize,
    /// The begin of its values.
    values: usize,
    /// The end of its values.
    end: usize,
}

impl PicturePlan {
    /// Finds a place for each box and each wire.
    pub(crate) fn new(layers: &Layers, measures: &Measures) -> PicturePlan {
        let sizes = &measures.sizes;
        let lines = point_lines(layers, sizes, measures.gap);
        let mut plan = PicturePlan {
            places: vec![PlanPlace::default(); sizes.len()],
            wires: Vec::new(),
            along: 0,
            across: 0,
        };
        for (rank, points) in layers.ranks.iter().enumerate() {
            let routes = match measures.spacing {
                // The first rank has no channel before it.
                Some(spacing) if rank > 0 => {
                    let sources = layers.ranks[rank - 1].iter();
                    let sources: Vec<i64> = sources.map(|&source| lines[source]).collect();
                    let targets = targets(layers, sizes, &lines, points);
                    channel::route(&sources, &targets, spacing)
                }
                _ => Routes::default(),
            };
            let units = measures.units(plan.along, rank, points, routes.width);
            plan.along = units.end;
            for &point in points {
                plan.places[point] = measures.place(point, lines[point], &units);
            }
            for mut wire in routes.wires {
                wire.source = layers.ranks[rank - 1][wire.source];
                plan.add_wire(wire, &units);
            }
        }
        plan.wires.sort_by_key(|wire| (wire.point, wire.position));
        plan.shift(sizes);
        plan
    }

    /// Adds a wire of a channel, whose tracks become units along the picture.
    fn add_wire(&mut self, mut wire: PlanWire, units: &RankUnits) {
        for (along, _) in &mut wire.way {
            *along += units.tracks;
        }
        if let Some((along, _)) = &mut wire.mark {
            // In a channel the place of a mark is on the track after it.
            *along = (*along + units.tracks).saturating_sub(1);
        }
        if let [first, .., last] = &mut wire.way[..] {
            first.0 = units.start.saturating_sub(1);
            last.0 = self.places[wire.point].begin;
        }
        self.wires.push(wire);
    }

    /// Moves everything so that the first line is 0, and counts the lines.
    fn shift(&mut self, sizes: &[PointSize]) {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for (place, size) in self.places.iter().zip(sizes) {
            low = low.min(place.line - size.before as i64);
            high = high.max(place.line + size.after as i64);
        }
        for (_, line) in self.wires.iter().flat_map(|wire| &wire.way) {
            low = low.min(*line);
            high = high.max(*line);
        }
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

impl Measures {
    /// The units of a rank with these points, whose channel begins at `start` and has this many tracks.
    fn units(&self, start: usize, rank: usize, points: &[usize], tracks: usize) -> RankUnits {
        let (begin, operations) = if rank > 0 {
            let begin = start + self.before_tracks;
            (begin, begin + tracks + self.after_tracks)
        } else {
            (start, start)
        };
        let longest = points.iter().map(|&point| self.sizes[point].operation);
        let values = match longest.max() {
            None | Some(0) => operations,
            Some(longest) => operations + longest + self.link,
        };
        let longest_value = points.iter().filter_map(|&point| self.sizes[point].value);
        RankUnits {
            start,
            tracks: begin,
            operations,
            values,
            end: values + longest_value.max().unwrap_or(1),
        }
    }

    /// The place of a point in its rank.
    fn place(&self, point: usize, line: i64, units: &RankUnits) -> PlanPlace {
        let size = &self.sizes[point];
        let begin = match (size.value, size.operation) {
            (None, _) => units.operations,
            (_, 0) => units.values,
            (_, operation) => units.values - self.link - operation,
        };
        let value = match size.value {
            None => (units.operations, units.end - units.operations),
            Some(_) if size.is_stretched => (units.values, units.end - units.values),
            Some(length) => (units.end - length, length),
        };
        PlanPlace {
            line,
            begin,
            value,
            end: units.end - 1,
        }
    }
}

/// The targets of the wires into a rank: operations, or their ports if they have some.
fn targets(
    layers: &Layers,
    sizes: &[PointSize],
    lines: &[i64],
    points: &[usize],
) -> Vec<WireTarget> {
    let mut targets = Vec::new();
    for &point in points {
        let operands = layers.points[point].left.iter();
        let places = operands.map(|&operand| layers.places[operand]);
        let sources: Vec<(usize, usize)> = places.zip(0..).collect();
        let target = |line: i64, ends: Vec<(usize, usize)>| WireTarget {
            point,
            line,
            sources: ends,
            is_commutative: layers.points[point].is_commutative,
        };
        let pitch = sizes[point].ports as i64;
        if pitch > 0 {
            let first = lines[point] - (sources.len() as i64 - 1) * pitch / 2;
            let mut in_order: Vec<_> = sources.into_iter().zip(layers.ports(point)).collect();
            in_order.sort_by_key(|(_, port)| *port);
            for (source, port) in in_order {
                targets.push(target(first + port as i64 * pitch, vec![source]));
            }
        } else if !sources.is_empty() {
            targets.push(target(lines[point], sources));
        }
    }
    targets
}
