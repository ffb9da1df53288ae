//! Channel routing: the wires between two ranks.
//!
//! Wires run *along* the channel, from one rank to the next, on lines, and *across* it on tracks, whichever way the
//! picture runs. A value with several users, or with a user on another line, has a fork; the operands of an operation
//! meet on a bus. Every fork and every bus takes a track. Two wires share a cell only if they leave the same value or
//! end in the same operation; where wires cross, one runs along and the other across.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::turns::{Ends, Spacing, TrackRun, TrackTurns};
use crate::stop;

/// The most wires whose lines are chosen with care.
const MOST_WIRES: usize = 10_000;
/// The most wires and pairs of turns to look at on the way to a good order: other channels get a simple one.
const MOST_LOOKS: usize = 1_000_000;

/// What stands at the end of the channel: an operation, or one of its ports.
#[derive(Clone, Debug)]
pub(crate) struct WireTarget {
    /// The point it belongs to.
    pub point: usize,
    /// Its line.
    pub line: i64,
    /// The sources of its operands in their order, each with its position among those of the point.
    pub sources: Vec<(usize, usize)>,
    /// Whether that order means nothing.
    pub any_order: bool,
}

/// The wires of a channel. Tracks are counted from 0 at its beginning.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// The number of tracks.
    pub width: usize,
    pub wires: Vec<WireRoute>,
}

/// A wire from its source to its target.
#[derive(Clone, Debug)]
pub(crate) struct WireRoute {
    /// Where it comes from, by its place in the rank before, where it goes to, and which of the operands it brings.
    pub source: usize,
    pub point: usize,
    pub position: usize,
    /// The lines it begins and ends on.
    pub ends: [i64; 2],
    /// Where it comes to its fork and leaves it, and the same of its bus, by track and line.
    pub turns: Vec<(usize, i64)>,
    /// The track before which something stands on it, and the line: its position, where operands are out of order; in a
    /// network, its weight.
    pub mark: Option<(usize, i64)>,
}

/// Routes the wires from sources on these lines, which ascend, to the targets.
pub(crate) fn route(sources: &[i64], targets: &[WireTarget], spacing: Spacing) -> Routes {
    let mut board = Board::new(sources, targets, spacing.step);
    let turns = board.careful_turns();
    if turns.is_none() {
        board.spread_lines();
    }
    let marked: HashSet<usize> = match spacing.room {
        Some(_) => (0..board.wires.len()).collect(),
        None => board.marks(),
    };
    let pitch = if marked.is_empty() {
        spacing.pitch
    } else {
        spacing.pitch.max(2)
    };
    let forks = sources.len();
    let spacing = Spacing { pitch, ..spacing };
    let mut tracks = match turns {
        Some((turns, order)) => turns.tracks(order, spacing, forks),
        None => board.turns().packed(spacing, forks),
    };
    let gap = spacing.room.map(|room| open(&mut tracks, forks, room));
    let mut width = tracks.values().max().map_or(0, |most| most + 1);
    if let (Some(room), Some(gap)) = (spacing.room, gap) {
        width = width.max(gap + room.max(1));
    }
    let routed = |(at, wire): (usize, &Wire)| {
        let fork = tracks.get(&wire.source).copied();
        let bus = tracks.get(&(forks + wire.target)).copied();
        let mark = match (gap, spacing.room) {
            (Some(gap), Some(room)) if room > 0 && fork.is_none_or(|fork| fork < gap) => {
                Some(gap + 1)
            }
            (Some(_), _) => Some(bus.unwrap_or(width)),
            (None, _) => bus,
        };
        let target = &targets[wire.target];
        let lines = [sources[wire.source], wire.line, target.line];
        let turn = |(track, lines): (Option<usize>, &[i64])| {
            let track = track?;
            Some([(track, lines[0]), (track, lines[1])])
        };
        let turns = [fork, bus].into_iter().zip(lines.windows(2));
        WireRoute {
            source: wire.source,
            point: target.point,
            position: wire.position,
            ends: [lines[0], lines[2]],
            turns: turns.filter_map(turn).flatten().collect(),
            mark: mark
                .filter(|_| marked.contains(&at))
                .map(|track| (track, wire.line)),
        }
    };
    Routes {
        width,
        wires: board.wires.iter().enumerate().map(routed).collect(),
    }
}

/// Makes room before the first bus, and says where.
fn open(tracks: &mut HashMap<usize, usize>, forks: usize, room: usize) -> usize {
    let buses = tracks.iter().filter(|&(&turn, _)| turn >= forks);
    let first = buses.map(|(_, &track)| track).min();
    let first = first.unwrap_or_else(|| tracks.values().max().map_or(0, |last| last + 1));
    for track in tracks.values_mut().filter(|track| **track >= first) {
        *track += room;
    }
    first
}

/// A wire through the channel.
struct Wire {
    source: usize,
    target: usize,
    position: usize,
    /// The line it takes between its fork and its bus.
    line: i64,
}

struct Board<'a> {
    sources: &'a [i64],
    targets: &'a [WireTarget],
    wires: Vec<Wire>,
    /// The wires of each source, and of each target from its uppermost source on.
    leaving: Vec<Vec<usize>>,
    ending: Vec<Vec<usize>>,
    /// How many sources and targets stand on a line.
    pins: HashMap<i64, usize>,
    /// Lines that wires took where nothing stands.
    taken: HashSet<i64>,
    /// Wires that had to leave the lines of their ends.
    moved: HashSet<usize>,
    step: i64,
}

impl<'a> Board<'a> {
    fn new(sources: &'a [i64], targets: &'a [WireTarget], step: i64) -> Board<'a> {
        let mut wires = Vec::new();
        let mut leaving = vec![Vec::new(); sources.len()];
        let mut ending = Vec::new();
        for (target, at) in targets.iter().enumerate() {
            let mut operands = at.sources.clone();
            operands.sort_unstable();
            let mut here = Vec::new();
            for (source, position) in operands {
                leaving[source].push(wires.len());
                here.push(wires.len());
                wires.push(Wire {
                    source,
                    target,
                    position,
                    line: at.line,
                });
            }
            ending.push(here);
        }
        let mut pins = HashMap::new();
        let lines = targets.iter().map(|target| target.line);
        for line in sources.iter().copied().chain(lines) {
            *pins.entry(line).or_default() += 1;
        }
        Board {
            sources,
            targets,
            wires,
            leaving,
            ending,
            pins,
            taken: HashSet::new(),
            moved: HashSet::new(),
            step,
        }
    }

    /// The forks and buses with lines for all wires, and a topological order of them; none if that would take too long.
    fn careful_turns(&mut self) -> Option<(TrackTurns, Vec<usize>)> {
        if self.wires.len() > MOST_WIRES {
            return None;
        }
        self.choose_lines();
        for round in 1.. {
            stop::ask_now();
            let turns = self.turns();
            if round * self.wires.len() + turns.ends.len().pow(2) > MOST_LOOKS {
                break;
            }
            match turns.sorted() {
                Ok(order) => return Some((turns, order)),
                Err(stuck) => {
                    if !self.detour(&stuck) {
                        break;
                    }
                }
            }
        }
        None
    }

    /// The simple way: every wire has a line of its own, at its target or below it, where nothing stands. Then no fork
    /// waits for a bus.
    fn spread_lines(&mut self) {
        let mut next = i64::MIN;
        for (target, ending) in self.targets.iter().zip(&self.ending) {
            next = next.max(target.line - ending.len() as i64 / 2);
            for &wire in ending {
                while self.pins.contains_key(&next) {
                    next += 1;
                }
                self.wires[wire].line = next;
                self.moved.insert(wire);
                next += 1;
            }
        }
    }

    fn choose_lines(&mut self) {
        // A wire to the only user goes straight on. So does one wire of a fork, the one to the nearest user, unless a
        // user stands right opposite.
        let mut straight = vec![false; self.wires.len()];
        for (source, leaving) in self.leaving.iter().enumerate() {
            let line = self.sources[source];
            let meets = |&&wire: &&usize| self.ending[self.wires[wire].target].len() > 1;
            let opposite = leaving
                .iter()
                .any(|wire| !meets(&wire) && self.targets[self.wires[*wire].target].line == line);
            let once = |&&wire: &&usize| {
                let target = self.wires[wire].target;
                let same = leaving
                    .iter()
                    .filter(|&&at| self.wires[at].target == target);
                same.count() == 1
            };
            let nearest = leaving
                .iter()
                .filter(meets)
                .filter(once)
                .min_by_key(|&&wire| (self.targets[self.wires[wire].target].line - line).abs());
            if let (false, Some(&wire)) = (opposite, nearest) {
                straight[wire] = true;
                self.wires[wire].line = line;
                self.taken.insert(line);
            }
        }
        for target in 0..self.targets.len() {
            let ending = self.ending[target].clone();
            let count = ending.len() as i64;
            if count < 2 {
                continue;
            }
            let mut low = i64::MIN;
            for (place, &wire) in ending.iter().enumerate() {
                if !straight[wire] {
                    let later = ending[place..].iter().filter(|&&wire| straight[wire]);
                    let high = later.map(|&wire| self.wires[wire].line).min();
                    let mut offset = place as i64 - count / 2;
                    if count % 2 == 0 && offset >= 0 {
                        offset += 1;
                    }
                    let wish = self.targets[target].line + offset * self.step;
                    let line = self.free_line(wire, wish, low, high.unwrap_or(i64::MAX));
                    self.wires[wire].line = line;
                    self.taken.insert(line);
                }
                low = low.max(self.wires[wire].line);
            }
        }
    }

    /// The free line nearest to the desired one, if possible between two given lines, and at a distance from other lines.
    /// A wire's own ends do not occupy a line.
    fn free_line(&self, wire: usize, wish: i64, low: i64, high: i64) -> i64 {
        let wire = &self.wires[wire];
        let ends = [self.sources[wire.source], self.targets[wire.target].line];
        let free = |line: i64| {
            let own = ends.iter().filter(|&&end| end == line).count();
            self.pins.get(&line).copied().unwrap_or(0) <= own && !self.taken.contains(&line)
        };
        let reach = self.pins.len() + self.wires.len() + 4;
        let wish = wish.min(high.saturating_sub(1)).max(low.saturating_add(1));
        let near = || {
            around(wish)
                .take(4 * reach)
                .filter(|&line| low < line && line < high)
        };
        let apart = |line: &i64| (1 - self.step..self.step).all(|far| free(line + far));
        near()
            .find(apart)
            .or_else(|| near().find(|&line| free(line)))
            .or_else(|| around(wish).find(|&line| free(line)))
            .unwrap_or(wish)
    }

    /// The forks and buses that these lines need, and the runs between them.
    fn turns(&self) -> TrackTurns {
        let mut ends: BTreeMap<usize, Ends> = BTreeMap::new();
        let mut runs = Vec::new();
        let mut run = |line, from, to| runs.push(TrackRun { line, from, to });
        for (source, &line) in self.sources.iter().enumerate() {
            if let Some(fork) = self.fork(source) {
                ends.entry(fork).or_default().before.push(line);
                run(line, None, Some(fork));
            }
        }
        for wire in &self.wires {
            let (from, to) = (self.fork(wire.source), self.bus(wire.target));
            run(wire.line, from, to);
            if let Some(from) = from {
                ends.entry(from).or_default().behind.push(wire.line);
            }
            if let Some(to) = to {
                ends.entry(to).or_default().before.push(wire.line);
            }
        }
        for (target, at) in self.targets.iter().enumerate() {
            if let Some(bus) = self.bus(target) {
                ends.entry(bus).or_default().behind.push(at.line);
                run(at.line, Some(bus), None);
            }
        }
        TrackTurns::new(ends, &runs)
    }

    /// The fork of a source, if its wires part or leave its line.
    fn fork(&self, source: usize) -> Option<usize> {
        let leaving = &self.leaving[source];
        let leaves = |&wire: &usize| self.wires[wire].line != self.sources[source];
        (leaving.len() > 1 || leaving.iter().any(leaves)).then_some(source)
    }

    /// The bus of a target, if wires meet there or come on another line.
    fn bus(&self, target: usize) -> Option<usize> {
        let ending = &self.ending[target];
        let meets = ending.len() > 1 || ending.iter().any(|wire| self.moved.contains(wire));
        meets.then_some(self.sources.len() + target)
    }

    /// Breaks a cycle of turns that must each be before the next: one of their wires gets a line of its own. False if
    /// all of them have one.
    fn detour(&mut self, stuck: &HashSet<usize>) -> bool {
        let is_stuck = |at: &usize| {
            let wire = &self.wires[*at];
            let turns = [self.fork(wire.source), self.bus(wire.target)];
            turns.iter().flatten().any(|turn| stuck.contains(turn)) && !self.moved.contains(at)
        };
        let Some(at) = (0..self.wires.len()).find(is_stuck) else {
            return false;
        };
        let Wire { source, target, .. } = self.wires[at];
        let wish = i64::midpoint(self.sources[source], self.targets[target].line);
        // Not the lines of its ends: those are what it must leave.
        let free = |line: &i64| !self.pins.contains_key(line) && !self.taken.contains(line);
        let line = around(wish).find(free).unwrap_or(wish);
        self.wires[at].line = line;
        self.taken.insert(line);
        self.moved.insert(at);
        true
    }

    /// The wires whose positions are marked: those of operations whose operands are out of order.
    fn marks(&self) -> HashSet<usize> {
        let mut marks = HashSet::new();
        for (target, ending) in self.targets.iter().zip(&self.ending) {
            if target.any_order {
                continue;
            }
            let mut ending = ending.clone();
            ending.sort_by_key(|&wire| self.wires[wire].line);
            let positions = ending.iter().map(|&wire| self.wires[wire].position);
            if ending.len() <= 9 && !positions.is_sorted() {
                marks.extend(ending);
            }
        }
        marks
    }
}

/// All lines, the nearest first.
fn around(wish: i64) -> impl Iterator<Item = i64> {
    (0..i64::MAX / 4).flat_map(move |far| [wish - far, wish + far])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{Stopped, interruptible};

    const SPACING: Spacing = Spacing {
        pitch: 2,
        step: 2,
        share: Some(1),
        room: None,
    };

    /// From each of so many sources to each of so many targets, or to a port for each wire.
    fn all_to_all(count: usize, has_ports: bool) -> (Vec<i64>, Vec<WireTarget>) {
        let target = |point: usize, line: usize, sources: Vec<(usize, usize)>| WireTarget {
            point,
            line: line as i64,
            sources,
            any_order: false,
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

    /// Do two of these spans overlap that belong to different owners? Those of one owner are one span.
    fn overlap(spans: &[(usize, i64, i64)]) -> bool {
        let mut whole: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        for &(owner, one, other) in spans {
            let span = whole.entry(owner).or_insert((i64::MAX, i64::MIN));
            *span = (span.0.min(one).min(other), span.1.max(one).max(other));
        }
        let mut whole: Vec<(i64, i64)> = whole.into_values().collect();
        whole.sort_unstable();
        whole.windows(2).any(|two| two[1].0 <= two[0].1)
    }

    #[test]
    fn wires_of_dense_channels_do_not_run_into_each_other() {
        for (count, has_ports) in [(110, true), (110, false)] {
            let (sources, targets) = all_to_all(count, has_ports);
            let routes = route(&sources, &targets, SPACING);
            assert_eq!(routes.wires.len(), count * count);
            // The pieces on each track, and those on each line. The ends of a track belong to a source or to a target.
            let mut across: BTreeMap<usize, Vec<(usize, i64, i64)>> = BTreeMap::new();
            let mut along: BTreeMap<i64, Vec<(usize, i64, i64)>> = BTreeMap::new();
            for (at, wire) in routes.wires.iter().enumerate() {
                let [(fork, from), (_, to), (bus, line), (_, end)] = &wire.turns[..] else {
                    panic!("{wire:?}");
                };
                let bus_of = if has_ports { at } else { wire.point };
                assert!(fork < bus && to == line && [*from, *end] == wire.ends);
                across
                    .entry(*fork)
                    .or_default()
                    .push((wire.source, *from, *to));
                along
                    .entry(*from)
                    .or_default()
                    .push((wire.source, 0, *fork as i64));
                across
                    .entry(*bus)
                    .or_default()
                    .push((count + bus_of, *line, *end));
                along.entry(*line).or_default().push((
                    count + count * count + at,
                    *fork as i64 + 1,
                    *bus as i64 - 1,
                ));
                let width = routes.width as i64;
                along
                    .entry(*end)
                    .or_default()
                    .push((count + bus_of, *bus as i64, width));
            }
            assert!(across.values().all(|spans| !overlap(spans)), "{has_ports}");
            assert!(along.values().all(|spans| !overlap(spans)), "{has_ports}");
        }
    }

    #[test]
    fn a_dense_channel_can_be_stopped() {
        let (sources, targets) = all_to_all(40, true);
        let stopped = interruptible(|| true, || route(&sources, &targets, SPACING).width);
        assert_eq!(stopped, Err(Stopped));
    }
}
