//! The turns of a channel, which are its forks and buses: which must be before which, and which track each takes.
//!
//! Wires on one line must not overlap, and every wire turns at its fork before its bus: that is a partial order of the
//! turns. Of its topological orders, one with few crossings is taken.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::stop;

/// The most rounds in which turns move, and past how many others one does.
const ROUNDS: usize = 20;
const REACH: usize = 300;

/// How wires are spaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// From track to track.
    pub pitch: usize,
    /// From one line that a wire may choose to the next.
    pub step: i64,
    /// How many lines must be between two turns that share a track; none if they never do.
    pub share: Option<i64>,
    /// In a network, how many cells are free between forks and buses, for what is written on wires.
    pub room: Option<usize>,
}

/// A piece along the channel, on a line: the turn it comes from, and the one it goes to, unless that is an end of the
/// channel.
pub(crate) struct TrackRun {
    pub line: i64,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// The lines on which wires come to a turn and leave it.
#[derive(Default)]
pub(crate) struct Ends {
    pub before: Vec<i64>,
    pub behind: Vec<i64>,
}

impl Ends {
    fn all(&self) -> impl Iterator<Item = i64> {
        self.before.iter().chain(&self.behind).copied()
    }

    pub(crate) fn low(&self) -> i64 {
        self.all().min().unwrap_or(0)
    }

    pub(crate) fn high(&self) -> i64 {
        self.all().max().unwrap_or(0)
    }
}

/// The turns by number: forks have the numbers of their sources, buses those of their targets, counted on from there.
#[derive(Default)]
pub(crate) struct TrackTurns {
    pub ends: BTreeMap<usize, Ends>,
    /// Turns that must be before others.
    edges: BTreeSet<(usize, usize)>,
}

impl TrackTurns {
    /// The turns with these ends. A wire goes from its fork to its bus, and two runs on one line must not overlap.
    pub(crate) fn new(ends: BTreeMap<usize, Ends>, runs: &[TrackRun]) -> TrackTurns {
        let mut edges = BTreeSet::new();
        let mut lines: BTreeMap<i64, Vec<&TrackRun>> = BTreeMap::new();
        for run in runs {
            edges.extend(run.from.zip(run.to));
            lines.entry(run.line).or_default().push(run);
        }
        for runs in lines.values() {
            for first in runs {
                for second in runs {
                    let is_stub = first.from.is_none() || second.to.is_none();
                    let turns = first.to.zip(second.from).filter(|_| is_stub);
                    edges.extend(turns.filter(|(before, behind)| before != behind));
                }
            }
        }
        TrackTurns { ends, edges }
    }

    /// The turns in topological order; or those that a cycle keeps out of one.
    pub(crate) fn sorted(&self) -> Result<Vec<usize>, HashSet<usize>> {
        let mut waits: BTreeMap<usize, usize> = self.ends.keys().map(|&turn| (turn, 0)).collect();
        let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
        for &(before, behind) in &self.edges {
            *waits.entry(behind).or_default() += 1;
            next.entry(before).or_default().push(behind);
        }
        let mut ready: BTreeSet<usize> = waits
            .iter()
            .filter(|(_, count)| **count == 0)
            .map(|(&turn, _)| turn)
            .collect();
        let mut order = Vec::new();
        while let Some(turn) = ready.pop_first() {
            order.push(turn);
            waits.remove(&turn);
            for behind in next.get(&turn).into_iter().flatten() {
                if let Some(count) = waits.get_mut(behind) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(*behind);
                    }
                }
            }
        }
        if waits.is_empty() {
            Ok(order)
        } else {
            Err(waits.into_keys().collect())
        }
    }

    /// The track of each turn: turns move while that removes crossings, then forks go to the beginning of the channel and
    /// buses to its end.
    pub(crate) fn tracks(
        &self,
        mut order: Vec<usize>,
        spacing: Spacing,
        forks: usize,
    ) -> HashMap<usize, usize> {
        for _ in 0..ROUNDS {
            let moves = (0..order.len()).filter(|&at| {
                stop::ask_now();
                self.moves(&mut order, at)
            });
            if moves.count() == 0 {
                break;
            }
        }
        let apart = |first: usize, second: usize| {
            if self.edges.contains(&(first, second)) {
                return spacing.pitch.max(2);
            }
            let (first, second) = (&self.ends[&first], &self.ends[&second]);
            let shares = spacing.share.is_some_and(|between| {
                first.high() + between < second.low() || second.high() + between < first.low()
            });
            if shares { 0 } else { spacing.pitch }
        };
        let mut tracks: HashMap<usize, usize> = HashMap::new();
        for (at, &turn) in order.iter().enumerate() {
            stop::ask_now();
            let least = order[..at].iter().filter_map(|&before| {
                let apart = apart(before, turn);
                (apart > 0).then(|| tracks[&before] + apart)
            });
            let track = least.max().unwrap_or(0);
            tracks.insert(turn, track);
        }
        let last = tracks.values().copied().max().unwrap_or(0);
        for at in (0..order.len()).rev() {
            stop::ask_now();
            let turn = order[at];
            if turn < forks {
                continue;
            }
            let most = order[at + 1..].iter().filter_map(|&behind| {
                let apart = apart(turn, behind);
                (apart > 0).then(|| tracks[&behind] - apart)
            });
            let track = most.min().unwrap_or(last);
            tracks.insert(turn, track);
        }
        tracks
    }

    /// The track of each turn where no fork waits for a bus: forks, then buses, each on the first track that is free.
    pub(crate) fn packed(&self, spacing: Spacing, forks: usize) -> HashMap<usize, usize> {
        let mut tracks = HashMap::new();
        let mut first = 0;
        for is_bus in [false, true] {
            let turns = self
                .ends
                .iter()
                .filter(|(turn, _)| (**turn >= forks) == is_bus);
            let mut spans: Vec<(i64, i64, usize)> = turns
                .map(|(&turn, ends)| (ends.low(), ends.high(), turn))
                .collect();
            spans.sort_unstable();
            // The tracks so far by where they are free again.
            let mut free: BTreeSet<(i64, usize)> = BTreeSet::new();
            for (low, high, turn) in spans {
                let reused = free.first().copied().filter(|&(from, _)| from <= low);
                let track = reused.map_or(first + free.len() * spacing.pitch, |(_, track)| track);
                if let Some(reused) = reused {
                    free.remove(&reused);
                }
                let until = spacing.share.map_or(i64::MAX, |between| high + between + 1);
                free.insert((until, track));
                tracks.insert(turn, track);
            }
            first += free.len().saturating_sub(1) * spacing.pitch + spacing.pitch.max(2);
        }
        tracks
    }

    /// Moves one turn past others, to where most crossings go, and says whether it did.
    fn moves(&self, order: &mut Vec<usize>, at: usize) -> bool {
        let turn = order[at];
        let mut best = (0, at);
        let earlier: Vec<usize> = (at.saturating_sub(REACH)..at).rev().collect();
        let later: Vec<usize> = (at + 1..order.len()).take(REACH).collect();
        for places in [earlier, later] {
            let mut change = 0;
            for place in places {
                let other = order[place];
                let pair = if place < at {
                    (other, turn)
                } else {
                    (turn, other)
                };
                if self.edges.contains(&pair) {
                    break;
                }
                change += self.crossings(pair.1, pair.0) as isize;
                change -= self.crossings(pair.0, pair.1) as isize;
                if change < best.0 {
                    best = (change, place);
                }
            }
        }
        order.remove(at);
        order.insert(best.1, turn);
        best.1 != at
    }

    /// How many wires cross one of two turns if the first is before the second.
    fn crossings(&self, first: usize, second: usize) -> usize {
        let (first, second) = (&self.ends[&first], &self.ends[&second]);
        let through = |lines: &[i64], over: &Ends| {
            let (low, high) = (over.low(), over.high());
            lines
                .iter()
                .filter(|line| (low..=high).contains(line))
                .count()
        };
        through(&second.before, first) + through(&first.behind, second)
    }
}
