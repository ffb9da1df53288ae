//! Channel routing: the wires between two ranks.
//!
//! Wires run *along* the channel, from one rank to the next, on lines, and *across* it on tracks, whichever way the
//! picture runs. A value with several users, or with a user on another line, has a fork; the operands of an operation
//! meet on a bus. Every fork and every bus takes a track. Two wires share a cell only if they leave the same value or
//! end in the same operation; where wires cross, one runs along and the other across.
//!
//! Most wires run on the line of their source or of their target. If a fork and a bus would then each have to come
//! before the other, the wires of one of them get free lines. Each wire needs that at most once.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::turns::{Spacing, TrackTurn, TrackTurns};
use chainrule_stop as stop;

/// The number of lines around the desired one among which a free line is sought.
const NEAR: usize = 40;
/// The most operands of an operation that are marked where they are out of order.
const MOST_MARKS: usize = 9;

/// A point at the end of the channel to which wires go: an operation, or one of its ports.
#[derive(Clone, Debug)]
pub(crate) struct WireTarget {
    /// The point it belongs to.
    pub point: usize,
    /// Its line.
    pub line: i64,
    /// The sources of its operands in order, each with the position of the operand.
    pub sources: Vec<(usize, usize)>,
    /// Whether that order does not matter.
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
    /// The points from which and to which it goes, and the position of the operand. In a channel the source is an index of
    /// the rank before.
    pub source: usize,
    pub point: usize,
    pub position: usize,
    /// Its two ends and its corners, along the picture and across. A place where it leaves other wires counts as a corner.
    /// In a channel the corners are on tracks.
    pub way: Vec<(usize, i64)>,
    /// The place of its mark: the position, if operands are out of order; in a network, the sign of its weight. In a
    /// channel it has the track after the mark.
    pub mark: Option<(usize, i64)>,
}

/// Routes the wires from sources on these lines, which ascend, to the targets.
pub(crate) fn route(sources: &[i64], targets: &[WireTarget], mut spacing: Spacing) -> Routes {
    let mut board = Board::new(sources, targets, spacing.step);
    board.choose_lines();
    let (turns, order) = loop {
        let turns = board.turns();
        match turns.sort() {
            Ok(order) => break (turns, order),
            Err(stuck) => board.move_aside(&stuck.into_iter().collect()),
        }
    };
    let marked = board.has_marks();
    if marked.contains(&true) {
        spacing.pitch = spacing.pitch.max(2);
    }
    let mut tracks = turns.tracks(&order, spacing);
    let most = order.iter().map(|&turn| tracks[turn] + 1).max();
    let buses = order.iter().filter(|&&turn| turn >= sources.len());
    let first = buses.map(|&bus| tracks[bus]).min();
    let gap = first.or(most).unwrap_or(0);
    let room = spacing.room.unwrap_or(0);
    for track in tracks.iter_mut().filter(|track| **track >= gap) {
        *track += room;
    }
    let width = most.unwrap_or(0) + room;
    let route = |(wire, is_marked): (&Wire, bool)| {
        let lines = board.lines(wire);
        let track = |turn: usize| turns.all[turn].map(|_| tracks[turn]);
        let [fork, bus] = board.ends(wire).map(track);
        let turns = [fork, bus].into_iter().zip(lines.windows(2));
        let corners = |(track, lines): (Option<usize>, &[i64])| {
            let track = track?;
            Some([(track, lines[0]), (track, lines[1])])
        };
        let mark = match spacing.room {
            Some(_) => fork
                .is_none_or(|fork| fork < gap)
                .then_some(gap + room.div_ceil(2)),
            None => bus.filter(|_| is_marked),
        };
        PlanWire {
            source: wire.source,
            point: targets[wire.target].point,
            position: wire.position,
            way: [(0, lines[0])]
                .into_iter()
                .chain(turns.filter_map(corners).flatten())
                .chain([(width, lines[2])])
                .collect(),
            mark: mark.map(|track| (track, wire.line)),
        }
    };
    Routes {
        width,
        wires: board.wires.iter().zip(marked).map(route).collect(),
    }
}

/// A wire through the channel.
struct Wire {
    source: usize,
    target: usize,
    position: usize,
    /// Its line between its fork and its bus.
    line: i64,
}

struct Board<'a> {
    sources: &'a [i64],
    targets: &'a [WireTarget],
    /// The wires, target by target, each from the uppermost source on.
    wires: Vec<Wire>,
    /// The number of wires that leave each source.
    leaving: Vec<usize>,
    /// The wires to each target.
    ending: Vec<Range<usize>>,
    /// The lines of sources and targets, and those that wires have chosen.
    taken: HashSet<i64>,
    step: i64,
}

impl<'a> Board<'a> {
    fn new(sources: &'a [i64], targets: &'a [WireTarget], step: i64) -> Board<'a> {
        let mut wires = Vec::new();
        let mut leaving = vec![0; sources.len()];
        let mut ending = Vec::new();
        for (target, at) in targets.iter().enumerate() {
            let begin = wires.len();
            let mut operands = at.sources.clone();
            operands.sort_unstable();
            for (source, position) in operands {
                leaving[source] += 1;
                wires.push(Wire {
                    source,
                    target,
                    position,
                    line: at.line,
                });
            }
            ending.push(begin..wires.len());
        }
        let lines = targets.iter().map(|target| target.line);
        Board {
            sources,
            targets,
            wires,
            leaving,
            ending,
            taken: sources.iter().copied().chain(lines).collect(),
            step,
        }
    }

    /// The lines of a wire: the line of its source, its own line, and the line of its target.
    fn lines(&self, wire: &Wire) -> [i64; 3] {
        let (begin, end) = (self.sources[wire.source], &self.targets[wire.target]);
        [begin, wire.line, end.line]
    }

    /// The numbers of its fork and of its bus, if it has them.
    fn ends(&self, wire: &Wire) -> [usize; 2] {
        [wire.source, self.sources.len() + wire.target]
    }

    /// Chooses lines for the wires to targets where several meet. A single wire is on the line of its target.
    fn choose_lines(&mut self) {
        // The wire to the nearest user goes straight on, unless this user has the value twice as an operand.
        let mut nearest = vec![None; self.sources.len()];
        for (at, wire) in self.wires.iter().enumerate() {
            let far = (self.targets[wire.target].line - self.sources[wire.source]).abs();
            let ending = self.ending[wire.target].clone();
            let is_twice = [at.wrapping_sub(1), at + 1]
                .into_iter()
                .any(|other| ending.contains(&other) && self.wires[other].source == wire.source);
            let may = far == 0 || ending.len() > 1 && !is_twice;
            let nearest = &mut nearest[wire.source];
            if may && nearest.is_none_or(|(least, _)| far < least) {
                *nearest = Some((far, at));
            }
        }
        let straight: HashSet<usize> = nearest.into_iter().flatten().map(|(_, at)| at).collect();
        for &at in &straight {
            self.wires[at].line = self.sources[self.wires[at].source];
        }
        for (target, ending) in self.ending.clone().into_iter().enumerate() {
            stop::ask_now();
            let line = self.targets[target].line;
            let count = ending.len() as i64;
            if count < 2 {
                continue;
            }
            // One of the wires may have the line of the target itself.
            if self.sources.binary_search(&line).is_err() {
                self.taken.remove(&line);
            }
            let (mut low, mut offset) = (i64::MIN, -count / 2);
            for at in ending.clone() {
                if !straight.contains(&at) {
                    let next = (at..ending.end).find(|wire| straight.contains(wire));
                    let high = next.map_or(i64::MAX, |wire| self.wires[wire].line);
                    let chosen = self.free_line(line + offset * self.step, low..high);
                    self.wires[at].line = chosen;
                    self.taken.insert(chosen);
                }
                low = low.max(self.wires[at].line + 1);
                offset += if count % 2 == 0 && offset == -1 { 2 } else { 1 };
            }
            self.taken.insert(line);
        }
    }

    /// The free line nearest to the desired one. If possible, it is within bounds and at a distance from others.
    fn free_line(&self, wish: i64, bounds: Range<i64>) -> i64 {
        let wish = wish.min(bounds.end.saturating_sub(1)).max(bounds.start);
        let around = (0..).flat_map(|far| [wish - far, wish + far]);
        let is_free = |line: &i64| !self.taken.contains(line);
        let is_apart = |line: &i64| (1 - self.step..self.step).all(|far| is_free(&(line + far)));
        let mut near = around
            .clone()
            .take(NEAR)
            .filter(|line| bounds.contains(line));
        let found = near.clone().find(is_apart).or_else(|| near.find(is_free));
        found
            .or_else(|| around.clone().find(is_free))
            .unwrap_or(wish)
    }

    /// The forks and buses, and which of them must be before which. A source has a fork if its wires part or leave its
    /// line; a target has a bus if wires meet there or come on another line. A wire reaches its fork before its bus. A wire
    /// must leave the line of its source before a wire to another target comes onto this line.
    fn turns(&self) -> TrackTurns {
        let forks = self.leaving.iter().map(|&count| count > 1);
        let buses = self.ending.iter().map(|wires| wires.len() > 1);
        let mut is_turn: Vec<bool> = forks.chain(buses).collect();
        for wire in &self.wires {
            for (turn, lines) in self.ends(wire).into_iter().zip(self.lines(wire).windows(2)) {
                is_turn[turn] |= lines[0] != lines[1];
            }
        }
        let mut all: Vec<Option<TrackTurn>> = vec![None; is_turn.len()];
        let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
        // The lines on which a wire goes straight on from its source.
        let mut straight = vec![None; self.sources.len()];
        for wire in &self.wires {
            let (ends, lines) = (self.ends(wire), self.lines(wire));
            for (turn, lines) in ends.into_iter().zip(lines.windows(2)) {
                let (low, high) = (lines[0].min(lines[1]), lines[0].max(lines[1]));
                let new = TrackTurn {
                    low,
                    high,
                    descent: 0,
                };
                let turn = all[turn].get_or_insert(new);
                turn.low = turn.low.min(low);
                turn.high = turn.high.max(high);
                turn.descent += lines[1] - lines[0];
            }
            edges.insert((ends[0], ends[1]));
            if lines[0] == lines[1] {
                straight[wire.source] = Some(ends[1]);
            }
        }
        for (target, at) in self.targets.iter().enumerate() {
            let wires = &self.wires[self.ending[target].clone()];
            let coming = wires.iter().filter(|wire| wire.line == at.line);
            let Ok(source) = self.sources.binary_search(&at.line) else {
                continue;
            };
            if coming.clone().any(|wire| wire.source == source) {
                continue;
            }
            for before in [Some(source), straight[source]].into_iter().flatten() {
                edges.extend(coming.clone().map(|wire| (before, wire.source)));
                edges.insert((before, self.sources.len() + target));
            }
        }
        let mut after = vec![Vec::new(); all.len()];
        for (before, turn) in edges {
            if is_turn[before] && is_turn[turn] {
                after[before].push(turn);
            }
        }
        let all = all.into_iter().zip(is_turn);
        TrackTurns {
            forks: self.sources.len(),
            all: all
                .map(|(turn, is_turn)| turn.filter(|_| is_turn))
                .collect(),
            after,
        }
    }

    /// Gives free lines to the wires of these turns.
    fn move_aside(&mut self, stuck: &HashSet<usize>) {
        let is_stuck = |wire: &Wire| self.ends(wire).iter().any(|turn| stuck.contains(turn));
        let shares = |wire: &Wire| {
            let [begin, line, end] = self.lines(wire);
            line == begin || line == end
        };
        let wires = self.wires.iter().enumerate();
        let wires = wires.filter(|(_, wire)| is_stuck(wire) && shares(wire));
        let middle = |[begin, _, end]: [i64; 3]| i64::midpoint(begin, end);
        let mut wishes: Vec<(i64, usize)> = wires
            .map(|(at, wire)| (middle(self.lines(wire)), at))
            .collect();
        wishes.sort_unstable();
        let mut next = i64::MIN;
        for (wish, at) in wishes {
            next = next.max(wish);
            while !self.taken.insert(next) {
                next += 1;
            }
            self.wires[at].line = next;
        }
    }

    /// Whether each wire is marked with its position. Those of operations whose operands are out of order are.
    fn has_marks(&self) -> Vec<bool> {
        let mut marked = vec![false; self.wires.len()];
        for (target, ending) in self.targets.iter().zip(&self.ending) {
            let mut wires: Vec<&Wire> = self.wires[ending.clone()].iter().collect();
            wires.sort_by_key(|wire| wire.line);
            let in_order = wires.is_sorted_by_key(|wire| wire.position);
            if !in_order && !target.is_commutative && wires.len() <= MOST_MARKS {
                marked[ending.clone()].fill(true);
            }
        }
        marked
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
        share: 1,
        room: None,
    };

    /// From each of so many sources to each of so many targets, or to a port for each wire.
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
        let by_chance = (0..400).map(random);
        for (sources, targets) in by_chance.chain([all_to_all(30, true), all_to_all(30, false)]) {
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

    /// As many wires as the largest picture has, in one channel.
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
