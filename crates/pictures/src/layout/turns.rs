//! Sorts the turns of a channel, which are its forks and buses, and chooses the track of each. `channel` calls it.
//!
//! This is the left-edge algorithm: each turn, in order, takes the first free track after those of the turns that it
//! must follow. A second pass moves buses to the end of the channel. If turns must follow one another in a cycle,
//! `sort` returns them, and `channel` gives their wires other lines.

use std::collections::BTreeSet;
use std::ops::Range;

use chainrule_stop as stop;

/// The spacing of wires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// The distance from track to track.
    pub pitch: usize,
    /// The distance between the lines that a wire may choose.
    pub step: i64,
    /// The lines that must be between two turns on the same track.
    pub share: i64,
    /// In a network, the cells between the forks and the buses for the marks of wires.
    pub room: Option<usize>,
}

/// The turns by number: first the forks, numbered as their sources, then the buses, numbered as their targets.
pub(crate) struct TrackTurns {
    pub forks: usize,
    /// The turns; `None` for a source without a fork or a target without a bus.
    pub all: Vec<Option<TrackTurn>>,
    /// For each turn, the turns that must be after it.
    pub after: Vec<Vec<usize>>,
}

/// A fork or a bus.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TrackTurn {
    /// The lines from its first to its last wire.
    pub low: i64,
    pub high: i64,
    /// The sum of the distances by which its wires come down.
    pub descent: i64,
}

impl TrackTurns {
    /// The turns in a topological order in which few wires cross. If there is none, the error has turns; when their wires
    /// get other lines, there is one.
    pub(crate) fn sort(&self) -> Result<Vec<usize>, Vec<usize>> {
        // First come the turns whose wires go up, from the uppermost on, then those whose wires come down, from the lowest
        // on. So wires in the same direction do not cross.
        let key = |turn: usize| {
            let at = self.all[turn].unwrap_or_default();
            let (middle, is_down) = (at.low + at.high, at.descent > 0);
            (is_down, if is_down { -middle } else { middle }, turn)
        };
        let mut waits = vec![0; self.all.len()];
        for &after in self.after.iter().flatten() {
            waits[after] += 1;
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
                for &after in &self.after[turn] {
                    waits[after] -= 1;
                    if waits[after] == 0 && waiting.remove(&after) {
                        ready.insert(key(after));
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

    /// The tracks of the turns. Forks are near the beginning of the channel, and buses near its end.
    pub(crate) fn tracks(&self, order: &[usize], spacing: Spacing) -> Vec<usize> {
        let ends = self.all.iter().flatten();
        let mut lines: Vec<i64> = ends.flat_map(|turn| [turn.low, turn.high]).collect();
        lines.sort_unstable();
        lines.dedup();
        // The lines on which no other turn may have the same track.
        let span = |turn: &Option<TrackTurn>| match turn {
            Some(turn) => {
                let low = lines.partition_point(|&line| line < turn.low);
                low..lines.partition_point(|&line| line <= turn.high + spacing.share)
            }
            None => 0..lines.len(),
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
            for &after in &self.after[turn] {
                tracks[after] = tracks[after].max(track + apart);
            }
        }
        // From here on it is the last track in use on each line.
        let last = tracks.iter().copied().max().unwrap_or(0);
        free.fill(last + spacing.pitch);
        for &turn in order.iter().rev() {
            stop::ask_now();
            let lines = &mut free[spans[turn].clone()];
            if turn >= self.forks {
                let after = self.after[turn].iter();
                let after = after.map(|&after| tracks[after] - apart);
                let most = lines.iter().map(|&taken| taken - spacing.pitch);
                tracks[turn] = after.chain(most).min().unwrap_or(last);
            }
            lines.fill(tracks[turn]);
        }
        tracks
    }
}
