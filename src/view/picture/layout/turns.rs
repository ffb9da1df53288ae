//! The turns of a channel, which are its forks and buses: their order, and the track of each.
//!
//! This is the left-edge algorithm: turns are put in an order, and each takes the first track that is free behind those
//! before it.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::stop;

/// How wires are spaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// From track to track.
    pub pitch: usize,
    /// From one line that a wire may choose to the next.
    pub step: i64,
    /// How many lines must be between two turns that share a track; none if they never do.
    pub share: Option<i64>,
    /// In a network, how many cells between the forks and the buses are for the marks of wires.
    pub room: Option<usize>,
}

/// The turns by number: forks have the numbers of their sources, buses those of their targets, counted on from there.
pub(crate) struct TrackTurns {
    pub forks: usize,
    /// Not every source has a fork, nor every target a bus.
    pub all: Vec<Option<TrackTurn>>,
    /// For each turn, those that must be behind it.
    pub behind: Vec<Vec<usize>>,
}

/// A fork or a bus.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TrackTurn {
    /// The lines it reaches.
    pub low: i64,
    pub high: i64,
    /// How far its wires come down, all together.
    pub descent: i64,
}

impl TrackTurns {
    /// The turns in topological order, in which few wires cross; or turns, without whose wires there is such an order.
    pub(crate) fn sort(&self) -> Result<Vec<usize>, Vec<usize>> {
        // First the turns whose wires go up, the uppermost before others, then those whose wires come down, the lowest
        // before others: so wires of a kind do not cross.
        let key = |turn: usize| {
            let at = self.all[turn].unwrap_or_default();
            let (middle, is_down) = (at.low + at.high, at.descent > 0);
            (is_down, if is_down { -middle } else { middle }, turn)
        };
        let mut waits = vec![0; self.all.len()];
        for &behind in self.behind.iter().flatten() {
            waits[behind] += 1;
        }
        let turns = (0..self.all.len()).filter(|&turn| self.all[turn].is_some());
        let (mut waiting, free): (BTreeSet<usize>, BTreeSet<usize>) =
            turns.partition(|&turn| waits[turn] > 0);
        let mut ready: BTreeSet<(bool, i64, usize)> = free.into_iter().map(key).collect();
        let (mut order, mut stuck) = (Vec::new(), Vec::new());
        loop {
            stop::ask_now();
            if let Some((.., turn)) = ready.pop_first() {
                order.push(turn);
                for &behind in &self.behind[turn] {
                    waits[behind] -= 1;
                    if waits[behind] == 0 && waiting.remove(&behind) {
                        ready.insert(key(behind));
                    }
                }
            } else if let Some(turn) = waiting.pop_first() {
                stuck.push(turn);
                ready.insert(key(turn));
            } else if stuck.is_empty() {
                return Ok(order);
            } else {
                return Err(stuck);
            }
        }
    }

    /// The track of each turn in this order. Forks go to the beginning of the channel, then buses to its end.
    pub(crate) fn tracks(&self, order: &[usize], spacing: Spacing) -> Vec<usize> {
        let ends = self.all.iter().flatten();
        let mut lines: Vec<i64> = ends.flat_map(|turn| [turn.low, turn.high]).collect();
        lines.sort_unstable();
        lines.dedup();
        // Where no other turn may be on the same track.
        let span = |turn: &Option<TrackTurn>| match (turn, spacing.share) {
            (Some(turn), Some(between)) => {
                let low = lines.partition_point(|&line| line < turn.low);
                low..lines.partition_point(|&line| line <= turn.high + between)
            }
            _ => 0..lines.len(),
        };
        let spans: Vec<Range<usize>> = self.all.iter().map(span).collect();
        // Two turns on one line look like one wire if they are side by side.
        let apart = spacing.pitch.max(2);
        let mut tracks = vec![0; self.all.len()];
        // The first free track on each line.
        let mut free = vec![0; lines.len()];
        for &turn in order {
            stop::ask_now();
            let lines = &mut free[spans[turn].clone()];
            let track = lines.iter().copied().max().unwrap_or(0).max(tracks[turn]);
            lines.fill(track + spacing.pitch);
            tracks[turn] = track;
            for &behind in &self.behind[turn] {
                tracks[behind] = tracks[behind].max(track + apart);
            }
        }
        // From here on, the last one that is taken.
        let last = tracks.iter().copied().max().unwrap_or(0);
        free.fill(last + spacing.pitch);
        for &turn in order.iter().rev() {
            stop::ask_now();
            let lines = &mut free[spans[turn].clone()];
            if turn >= self.forks {
                let behind = self.behind[turn].iter();
                let behind = behind.map(|&behind| tracks[behind] - apart);
                let most = lines.iter().map(|&taken| taken - spacing.pitch);
                tracks[turn] = behind.chain(most).min().unwrap_or(last);
            }
            lines.fill(tracks[turn]);
        }
        tracks
    }
}
