//! Routes the wires between two ranks: chooses the line of each wire, and the tracks where wires turn. This is known as
//! channel routing.
//!
//! Wires run *along* the channel, from one rank to the next, on lines, and *across* it on tracks, in pictures of both
//! directions. A value with several users, or with a user on another line, has a fork; the operands of an operation
//! meet on a bus. Every fork and every bus takes a track. Two wires share a cell only if they leave the same value or
//! end in the same operation. Where wires cross, one runs along and the other across.
//!
//! Most wires run on the line of their source or of their target. If these lines require a fork before a bus and the same
//! bus before the fork, their wires move to free lines. Each wire moves at most once.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::turns::{Spacing, TrackTurn, TrackTurns};
use chainrule_stop as stop;

/// The number of nearby lines to try before ignoring the bounds.
const NEAR: usize = 40;
/// An operation with more operands than this has no marks of their positions, because a mark is a digit from 1 to 9.
const MAX_MARKED_OPERANDS: usize = 9;

/// An end of wires: a point of the rank after the channel, or one of the point's ports.
#[derive(Clone, Debug)]
pub(crate) struct WireTarget {
    /// The point itself, or the point that has the port.
    pub point: usize,
    pub line: i64,
    /// The sources of the operands in order, each with the position of the operand.
    pub sources: Vec<(usize, usize)>,
    /// Whether the order of the operands does not matter.
    pub is_commutative: bool,
}

/// The wires of a channel. Tracks are counted from 0 at its beginning.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// The number of tracks.
    pub width: usize,
    pub wires: Vec<PlanWire>,
}

/// A wire from one rank to the next.
#[derive(Clone, Debug)]
pub(crate) struct PlanWire {
    /// The point where the wire starts. In a channel, its index in the rank before.
    pub source: usize,
    /// The point where the wire ends.
    pub point: usize,
    /// The position of the operand.
    pub position: usize,
    /// The two ends and the corners of the wire, along the picture and across. A place where the wire leaves other wires
    /// counts as a corner. In a channel the corners are on tracks.
    pub way: Vec<(usize, i64)>,
    /// The place of the mark: the operand's position if operands are out of order, or in a network the sign of the weight.
    /// In a channel, the place on the next track, because a mark may be just before the first track.
    pub mark: Option<(usize, i64)>,
}

/// Routes the wires from sources on these lines, which ascend, to the targets.
pub(crate) fn route(sources: &[i64], targets: &[WireTarget], spacing: Spacing) -> Routes {
    let mut channel = Channel::new(sources, targets, spacing.step);
    channel.choose_lines();
    let (turns, order) = channel.resolve_turns();
    let shows_positions = channel.shows_positions();
    let has_positions = shows_positions.contains(&true);
    let tracks = ChannelTracks::new(&turns, &order, spacing, has_positions);
    let marked_wires = channel.wires.iter().zip(shows_positions);
    let wires = marked_wires.map(|(wire, is_marked)| channel.trace(wire, is_marked, &tracks));
    Routes {
        width: tracks.width,
        wires: wires.collect(),
    }
}

/// The tracks of the turns of a channel.
struct ChannelTracks {
    /// The track of each turn; `None` for a source without a fork or a target without a bus.
    of_turn: Vec<Option<usize>>,
    /// The number of tracks.
    width: usize,
    /// In a network, the first track of the room for marks, which is between the forks and the buses.
    marks_begin: usize,
    /// In a network, the number of tracks of that room.
    mark_room: Option<usize>,
}

impl ChannelTracks {
    /// Gives each turn a track. A mark of a position needs the track before its bus, so this must be free.
    fn new(
        turns: &TrackTurns,
        order: &[usize],
        mut spacing: Spacing,
        has_positions: bool,
    ) -> ChannelTracks {
        if has_positions {
            spacing.pitch = spacing.pitch.max(2);
        }
        let mut tracks = turns.tracks(order, spacing);
        let ends = order.iter().map(|&turn| tracks[turn] + 1);
        let end = ends.max().unwrap_or(0);
        let buses = order.iter().filter(|&&turn| turn >= turns.forks);
        let first_bus = buses.map(|&bus| tracks[bus]).min();
        let marks_begin = first_bus.unwrap_or(end);
        let room = spacing.mark_room.unwrap_or(0);
        for track in tracks.iter_mut().filter(|track| **track >= marks_begin) {
            *track += room;
        }
        let turns_and_tracks = turns.all.iter().zip(tracks);
        let tracks_of_turns = turns_and_tracks.map(|(turn, track)| turn.map(|_| track));
        ChannelTracks {
            of_turn: tracks_of_turns.collect(),
            width: end + room,
            marks_begin,
            mark_room: spacing.mark_room,
        }
    }
}

/// A wire through the channel. Its source and its target are indices in [`Channel::sources`] and [`Channel::targets`].
struct ChannelWire {
    source: usize,
    target: usize,
    /// The position of the operand.
    position: usize,
    /// Its line between its fork and its bus.
    line: i64,
}

/// The wires of a channel while their lines are chosen.
struct Channel<'a> {
    sources: &'a [i64],
    targets: &'a [WireTarget],
    /// The wires, target by target, each from the uppermost source on.
    wires: Vec<ChannelWire>,
    /// The wires to each target.
    arriving: Vec<Range<usize>>,
    /// The lines of sources and targets, and those that wires have chosen.
    taken: HashSet<i64>,
    /// The least distance between two lines that wires choose, if there is room.
    step: i64,
}

impl<'a> Channel<'a> {
    fn new(sources: &'a [i64], targets: &'a [WireTarget], step: i64) -> Channel<'a> {
        let mut wires = Vec::new();
        let mut arriving = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            let begin = wires.len();
            let mut operands = target.sources.clone();
            operands.sort_unstable();
            for (source, position) in operands {
                wires.push(ChannelWire {
                    source,
                    target: index,
                    position,
                    line: target.line,
                });
            }
            arriving.push(begin..wires.len());
        }
        let lines = targets.iter().map(|target| target.line);
        Channel {
            sources,
            targets,
            wires,
            arriving,
            taken: sources.iter().copied().chain(lines).collect(),
            step,
        }
    }

    /// The lines of a wire: the line of its source, its own line, and the line of its target.
    fn lines(&self, wire: &ChannelWire) -> [i64; 3] {
        let source_line = self.sources[wire.source];
        [source_line, wire.line, self.targets[wire.target].line]
    }

    /// The indices of the fork and the bus of a wire in [`TrackTurns`].
    fn turn_indices(&self, wire: &ChannelWire) -> [usize; 2] {
        [wire.source, self.sources.len() + wire.target]
    }

    /// Chooses lines for the wires to targets where several meet. A single wire stays on the line of its target.
    fn choose_lines(&mut self) {
        let straight = self.straight_wires();
        for &wire in &straight {
            self.wires[wire].line = self.sources[self.wires[wire].source];
        }
        for target in 0..self.targets.len() {
            stop::ask_now();
            if self.arriving[target].len() > 1 {
                self.spread_wires(target, &straight);
            }
        }
    }

    /// The wires that stay on the lines of their sources. Each source has at most one: the wire to its nearest target,
    /// unless this target has the source twice.
    fn straight_wires(&self) -> HashSet<usize> {
        // The least distance to a target, with its wire.
        let mut nearest: Vec<Option<(i64, usize)>> = vec![None; self.sources.len()];
        for (index, wire) in self.wires.iter().enumerate() {
            let distance = (self.targets[wire.target].line - self.sources[wire.source]).abs();
            let meets_others = self.arriving[wire.target].len() > 1;
            let can_be_straight = distance == 0 || meets_others && !self.has_twin(index);
            let nearest_so_far = &mut nearest[wire.source];
            if can_be_straight && nearest_so_far.is_none_or(|(least, _)| distance < least) {
                *nearest_so_far = Some((distance, index));
            }
        }
        let found = nearest.into_iter().flatten();
        found.map(|(_, wire)| wire).collect()
    }

    /// Whether another wire has the same source and the same target. Such a wire is a neighbour, because the wires to a
    /// target are sorted by source.
    fn has_twin(&self, index: usize) -> bool {
        let wire = &self.wires[index];
        let arriving = &self.arriving[wire.target];
        // The first wire has no neighbour before it: its index wraps, and no range contains the result.
        let neighbours = [index.wrapping_sub(1), index + 1];
        neighbours
            .into_iter()
            .any(|other| arriving.contains(&other) && self.wires[other].source == wire.source)
    }

    /// Chooses lines around a target for the wires that meet there, except for the straight ones. The wires keep their
    /// order.
    fn spread_wires(&mut self, target: usize, straight: &HashSet<usize>) {
        let line = self.targets[target].line;
        // One of the wires may have the line of the target itself.
        if self.sources.binary_search(&line).is_err() {
            self.taken.remove(&line);
        }
        let arriving = self.arriving[target].clone();
        let count = arriving.len() as i64;
        let mut low = i64::MIN;
        let mut offset = -count / 2;
        for index in arriving.clone() {
            if !straight.contains(&index) {
                let next_straight = (index..arriving.end).find(|next| straight.contains(next));
                let high = next_straight.map_or(i64::MAX, |next| self.wires[next].line);
                let chosen = self.free_line(line + offset * self.step, low..high);
                self.wires[index].line = chosen;
                self.taken.insert(chosen);
            }
            low = low.max(self.wires[index].line + 1);
            // An even number of wires leaves the middle free.
            offset += if count % 2 == 0 && offset == -1 { 2 } else { 1 };
        }
        self.taken.insert(line);
    }

    /// The free line nearest to the desired one. If possible, it is within bounds and at a distance from others.
    fn free_line(&self, desired: i64, bounds: Range<i64>) -> i64 {
        let inside = desired.min(bounds.end.saturating_sub(1)).max(bounds.start);
        let mut around = (0..).flat_map(|distance| [inside - distance, inside + distance]);
        let nearest = around.clone().take(NEAR);
        let near = nearest.filter(|line| bounds.contains(line));
        let is_free = |line: &i64| !self.taken.contains(line);
        let is_apart = |line: &i64| (1 - self.step..self.step).all(|by| is_free(&(line + by)));
        near.clone()
            .find(is_apart)
            .or_else(|| near.clone().find(is_free))
            .or_else(|| around.find(is_free))
            .expect("finitely many lines are taken")
    }

    /// Orders the turns of all wires. If turns would have to come before each other, their wires get lines of their own,
    /// on which no other turn can be in the way. So every round leaves fewer wires to move, and the loop ends.
    fn resolve_turns(&mut self) -> (TrackTurns, Vec<usize>) {
        loop {
            let turns = self.turns();
            match turns.sort() {
                Ok(order) => return (turns, order),
                Err(stuck) => self.move_aside(&stuck.into_iter().collect()),
            }
        }
    }

    /// The forks and buses, and the order in which some of them must come.
    fn turns(&self) -> TrackTurns {
        let all = self.turn_spans();
        let mut after = vec![Vec::new(); all.len()];
        for (first, second) in self.precedences() {
            if all[first].is_some() && all[second].is_some() {
                after[first].push(second);
            }
        }
        TrackTurns {
            forks: self.sources.len(),
            all,
            after,
        }
    }

    /// The fork of each source and the bus of each target, if it has one. A source has a fork if its wires part or leave its
    /// line; a target has a bus if wires meet there or come on another line.
    fn turn_spans(&self) -> Vec<Option<TrackTurn>> {
        let mut spans: Vec<Option<TrackTurn>> = vec![None; self.sources.len() + self.targets.len()];
        let mut counts = vec![0; spans.len()];
        for wire in &self.wires {
            let turns = self.turn_indices(wire).into_iter();
            for (turn, lines) in turns.zip(self.lines(wire).windows(2)) {
                let (low, high) = (lines[0].min(lines[1]), lines[0].max(lines[1]));
                let span = spans[turn].get_or_insert(TrackTurn {
                    low,
                    high,
                    descent: 0,
                });
                span.low = span.low.min(low);
                span.high = span.high.max(high);
                span.descent += lines[1] - lines[0];
                counts[turn] += 1;
            }
        }
        for (span, count) in spans.iter_mut().zip(counts) {
            span.take_if(|span| count == 1 && span.low == span.high);
        }
        spans
    }

    /// Pairs of turns: the first of a pair must come before the second. The fork of a wire comes before its bus. If the
    /// line of a target is also the line of a source, the wires of the source must have left the line before a wire to the
    /// target comes onto it.
    fn precedences(&self) -> BTreeSet<(usize, usize)> {
        let mut pairs = BTreeSet::new();
        // The bus of the wire that stays on the line of each source.
        let mut straight_buses = vec![None; self.sources.len()];
        for wire in &self.wires {
            let [fork, bus] = self.turn_indices(wire);
            pairs.insert((fork, bus));
            if self.sources[wire.source] == wire.line {
                straight_buses[wire.source] = Some(bus);
            }
        }
        for (target, WireTarget { line, .. }) in self.targets.iter().enumerate() {
            let Ok(source) = self.sources.binary_search(line) else {
                continue;
            };
            let arriving = &self.wires[self.arriving[target].clone()];
            let on_line = arriving.iter().filter(|wire| wire.line == *line);
            // Wires come onto the line at their fork, or at the bus of the target.
            let mut entries: Vec<usize> = on_line.map(|wire| wire.source).collect();
            // A wire of the source may stay on the line up to the target.
            if entries.contains(&source) {
                continue;
            }
            entries.push(self.sources.len() + target);
            // The source's wires leave the line at their fork, or at the bus of the straight one.
            for exit in [Some(source), straight_buses[source]].into_iter().flatten() {
                pairs.extend(entries.iter().map(|&entry| (exit, entry)));
            }
        }
        pairs
    }

    /// Gives free lines to the wires of these turns that run on the line of their source or target. A wire that moved
    /// before runs on neither, so it stays.
    fn move_aside(&mut self, stuck: &HashSet<usize>) {
        // The wires to move, each after the line in the middle between its source and its target.
        let mut desired: Vec<(i64, usize)> = Vec::new();
        for (index, wire) in self.wires.iter().enumerate() {
            let mut turns = self.turn_indices(wire).into_iter();
            let is_stuck = turns.any(|turn| stuck.contains(&turn));
            let [begin, line, end] = self.lines(wire);
            if is_stuck && (line == begin || line == end) {
                desired.push((i64::midpoint(begin, end), index));
            }
        }
        desired.sort_unstable();
        // The lines ascend, so the wires keep their order and no line is tried twice.
        let mut next = i64::MIN;
        for (line, wire) in desired {
            next = next.max(line);
            while !self.taken.insert(next) {
                next += 1;
            }
            self.wires[wire].line = next;
        }
    }

    /// Whether each wire is marked with its position, because the operands of its operation are out of order.
    fn shows_positions(&self) -> Vec<bool> {
        let mut shows_position = vec![false; self.wires.len()];
        for (target, arriving) in self.targets.iter().zip(&self.arriving) {
            let mut wires: Vec<_> = self.wires[arriving.clone()].iter().collect();
            wires.sort_by_key(|wire| wire.line);
            let is_in_order = wires.is_sorted_by_key(|wire| wire.position);
            if !is_in_order && !target.is_commutative && wires.len() <= MAX_MARKED_OPERANDS {
                shows_position[arriving.clone()].fill(true);
            }
        }
        shows_position
    }

    /// The way of a wire on these tracks.
    fn trace(&self, wire: &ChannelWire, shows_position: bool, tracks: &ChannelTracks) -> PlanWire {
        let [begin, middle, end] = self.lines(wire);
        let [fork, bus] = self.turn_indices(wire).map(|turn| tracks.of_turn[turn]);
        let mut way = vec![(0, begin)];
        if let Some(track) = fork {
            way.extend([(track, begin), (track, middle)]);
        }
        if let Some(track) = bus {
            way.extend([(track, middle), (track, end)]);
        }
        way.push((tracks.width, end));
        // In a network the mark is the sign of the weight, otherwise the position of the operand.
        let track_after_mark = match tracks.mark_room {
            Some(room) => {
                let has_room = fork.is_none_or(|fork| fork < tracks.marks_begin);
                has_room.then_some(tracks.marks_begin + room.div_ceil(2))
            }
            None => bus.filter(|_| shows_position),
        };
        PlanWire {
            source: wire.source,
            point: self.targets[wire.target].point,
            position: wire.position,
            way,
            mark: track_after_mark.map(|track| (track, wire.line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::{Duration, Instant};

    use super::*;
    use chainrule_stop::{Stopped, run_until_stopped};

    const SPACING: Spacing = Spacing {
        pitch: 2,
        step: 2,
        mark_room: None,
    };

    /// Wires from each of `count` sources to each of `count` targets, or to a port of their own.
    fn all_to_all(count: usize, has_ports: bool) -> (Vec<i64>, Vec<WireTarget>) {
        let target = |point: usize, line: usize, sources: Vec<(usize, usize)>| WireTarget {
            point,
            line: line as i64,
            sources,
            is_commutative: false,
        };
        let wires = (0..count).flat_map(|point| (0..count).map(move |source| (point, source)));
        let targets = if has_ports {
            wires
                .map(|(point, source)| {
                    target(point, 2 * (point * count + source), vec![(source, source)])
                })
                .collect()
        } else {
            (0..count)
                .map(|point| target(point, 8 * point, (0..count).map(|it| (it, it)).collect()))
                .collect()
        };
        (
            (0..count as i64).map(|source| 8 * source).collect(),
            targets,
        )
    }

    /// A random channel: some lines and some targets, each with a few sources.
    fn random(seed: u64) -> (Vec<i64>, Vec<WireTarget>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % limit
        };
        let mut lines = |count: usize| -> Vec<i64> {
            let mut line = 0;
            let mut next = || {
                line += 1 + below(4) as i64;
                line
            };
            (0..count).map(|_| next()).collect()
        };
        let (sources, ends) = (lines(1 + seed as usize % 9), lines(1 + seed as usize % 7));
        let targets = ends
            .into_iter()
            .enumerate()
            .map(|(point, line)| WireTarget {
                point,
                line,
                sources: (0..=below(4))
                    .map(|at| (below(sources.len()), at))
                    .collect(),
                is_commutative: false,
            });
        let targets = targets.collect();
        (sources, targets)
    }

    /// The pieces of a wire in each cell: along the channel or across it.
    fn pieces(wire: &PlanWire) -> BTreeSet<(bool, usize, i64)> {
        let mut pieces = BTreeSet::new();
        for two in wire.way.windows(2) {
            let [(from, line), (to, other)] = [two[0], two[1]];
            assert!(from <= to && (from == to || line == other), "{wire:?}");
            if line == other {
                pieces.extend((from..=to).map(|track| (true, track, line)));
            } else {
                let lines = line.min(other)..=line.max(other);
                pieces.extend(lines.map(|line| (false, from, line)));
            }
        }
        pieces
    }

    /// Two wires share a piece only if they leave the same value or end in the same operation.
    #[test]
    fn wires_do_not_run_into_each_other() {
        let random_channels = (0..100).map(random);
        for (sources, targets) in
            random_channels.chain([all_to_all(30, true), all_to_all(30, false)])
        {
            let routes = route(&sources, &targets, SPACING);
            let operands: usize = targets.iter().map(|target| target.sources.len()).sum();
            assert_eq!(routes.wires.len(), operands);
            let mut cells: HashMap<(bool, usize, i64), Vec<(usize, i64)>> = HashMap::new();
            for wire in &routes.wires {
                for piece in pieces(wire) {
                    let here = cells.entry(piece).or_default();
                    let (_, end) = wire.way[wire.way.len() - 1];
                    here.push((wire.source, end));
                }
            }
            for (piece, wires) in cells {
                for (at, one) in wires.iter().enumerate() {
                    let same = |two: &&(usize, i64)| one.0 == two.0 || one.1 == two.1;
                    let other = wires[..at].iter().find(|two| !same(two));
                    assert_eq!(other, None, "{one:?} {piece:?} {sources:?} {targets:?}");
                }
            }
        }
    }

    /// The wires of the largest picture, all in one channel.
    #[test]
    fn dense_channels_are_fast() {
        for has_ports in [true, false] {
            let (sources, targets) = all_to_all(141, has_ports);
            let start = Instant::now();
            assert_eq!(route(&sources, &targets, SPACING).wires.len(), 141 * 141);
            assert!(start.elapsed() < Duration::from_secs(20), "{has_ports}");
        }
    }

    #[test]
    fn a_dense_channel_can_be_stopped() {
        let (sources, targets) = all_to_all(40, true);
        let stopped = run_until_stopped(|| true, || route(&sources, &targets, SPACING).width);
        assert_eq!(stopped, Err(Stopped));
    }
}
