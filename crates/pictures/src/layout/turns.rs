//! Sorts the turns of a channel, which are its forks and buses, and chooses the track of each.
//!
//! This is the left-edge algorithm: each turn, in order, takes the first free track after the tracks of the turns that it
//! must follow. A second pass moves buses to the end of the channel. If turns must follow each other in a cycle, `sort`
//! returns an error, and `channel` gives their wires other lines.

use std::collections::BTreeSet;
use std::ops::Range;

use chainrule_stop as stop;

/// The spacing of wires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// The distance from track to track.
    pub pitch: usize,
    /// The distance between the lines that a wire may choose, and between two turns on the same track.
    pub step: i64,
    /// In a network, the cells between the forks and the buses for the marks of wires.
    pub mark_room: Option<usize>,
}

/// The turns of a channel. The first indices are for the forks, in the order of their sources, and the others for the
/// buses, in the order of their targets.
pub(crate) struct TrackTurns {
    /// The number of indices for forks.
    pub forks: usize,
    /// The turns; `None` for a source without a fork or a target without a bus.
    pub all: Vec<Option<TrackTurn>>,
    /// For each turn, the turns that must be after it.
    pub after: Vec<Vec<usize>>,
}

/// A fork or a bus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackTurn {
    /// The lines of its first and its last wire.
    pub low: i64,
    pub high: i64,
    /// The sum of the distances by which its wires go down, less the distances by which they go up.
    pub descent: i64,
}

impl TrackTurn {
    /// The key by which turns are sorted unless one must come before the other: whether its wires come down, and twice its
    /// middle line, negative if they do. The turns whose wires go up come first, from the uppermost on, then the turns
    /// whose wires come down, from the lowest on. So wires in the same direction do not cross.
    fn key(&self) -> (bool, i64) {
        let is_down = self.descent > 0;
        let twice_middle = self.low + self.high;
        (is_down, if is_down { -twice_middle } else { twice_middle })
    }
}

impl TrackTurns {
    /// Sorts the turns topologically, so that few wires cross. If there are cycles, the error is a set of turns without
    /// which no cycle is left.
    pub(crate) fn sort(&self) -> Result<Vec<usize>, Vec<usize>> {
        let key = |turn: usize| (self.all[turn].as_ref().map(TrackTurn::key), turn);
        // The number of turns that must still come before each turn.
        let mut waits_for = vec![0; self.all.len()];
        for &after in self.after.iter().flatten() {
            waits_for[after] += 1;
        }
        let turns = (0..self.all.len()).filter(|&turn| self.all[turn].is_some());
        let (mut waiting, free): (BTreeSet<usize>, BTreeSet<usize>) =
            turns.partition(|&turn| waits_for[turn] > 0);
        let mut ready: BTreeSet<_> = free.into_iter().map(key).collect();
        let (mut order, mut stuck) = (Vec::new(), Vec::new());
        loop {
            stop::ask_now();
            if let Some((_, turn)) = ready.pop_first() {
                order.push(turn);
                for &after in &self.after[turn] {
                    waits_for[after] -= 1;
                    if waits_for[after] == 0 && waiting.remove(&after) {
                        ready.insert(key(after));
                    }
                }
            } else if let Some(turn) = waiting.pop_first() {
                // Only turns after a cycle or in one are left. This turn is sorted anyway, so that the others can follow.
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
        let place = |line: i64| lines.partition_point(|&other| other < line);
        // The lines on which no other turn may have the same track, as indices of `lines`.
        let span = |turn: TrackTurn| place(turn.low)..place(turn.high + spacing.step);
        let of_turn = |turn: &Option<TrackTurn>| turn.map(span).unwrap_or_default();
        let spans: Vec<Range<usize>> = self.all.iter().map(of_turn).collect();
        // Two turns on one line look like one wire if they are side by side.
        let apart = spacing.pitch.max(2);
        let mut tracks = vec![0; self.all.len()];
        // The first free track on each line.
        let mut free = vec![0; lines.len()];
        for &turn in order {
            stop::ask_now();
            let on_lines = &mut free[spans[turn].clone()];
            let first_free = on_lines.iter().copied().max().unwrap_or(0);
            let track = first_free.max(tracks[turn]);
            on_lines.fill(track + spacing.pitch);
            tracks[turn] = track;
            for &after in &self.after[turn] {
                tracks[after] = tracks[after].max(track + apart);
            }
        }
        self.move_buses(order, &spans, spacing, &mut tracks);
        tracks
    }

    /// Moves each bus to the last track on which it is still before the turns that must follow it.
    fn move_buses(
        &self,
        order: &[usize],
        spans: &[Range<usize>],
        spacing: Spacing,
        tracks: &mut [usize],
    ) {
        let apart = spacing.pitch.max(2);
        let last = tracks.iter().copied().max().unwrap_or(0);
        // On each line, the first track of the turns that have been moved.
        let line_count = spans.iter().map(|span| span.end).max().unwrap_or(0);
        let mut taken = vec![last + spacing.pitch; line_count];
        for &turn in order.iter().rev() {
            stop::ask_now();
            let on_lines = &mut taken[spans[turn].clone()];
            if turn >= self.forks {
                let before_turns = self.after[turn].iter().map(|&after| tracks[after] - apart);
                let free = on_lines.iter().map(|&track| track - spacing.pitch);
                tracks[turn] = before_turns.chain(free).min().unwrap_or(last);
            }
            on_lines.fill(tracks[turn]);
        }
    }
}
