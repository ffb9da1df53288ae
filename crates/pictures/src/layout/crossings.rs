//! Crossing reduction: finds an order of the points in each rank in which few wires cross.
//!
//! Two adjacent points are swapped if that removes crossings. When no swap helps, some points of the best order so far
//! are moved at random and the swaps begin again, many times. Wires into one operation count as crossing if they do not
//! come in the order of its operands.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::layers::{Layers, Point};
use chainrule_stop as stop;

/// The most ends of wires that are visited, so that large graphs get fewer attempts.
const MOST_LOOKS: usize = 3_000_000;
/// The most rounds of swaps in an attempt.
const ROUNDS: usize = 6;
/// In this many of them points are swapped even if it makes no difference, because other swaps may help after that.
const PLATEAU: usize = 2;
/// The most attempts to leave an order that swaps do not improve.
const KICKS: usize = 1_000;

/// The number of graphs whose order is remembered.
const REMEMBERED: usize = 4;

/// The points of a graph, and their order.
type Ordered = (Vec<Point>, Vec<Vec<usize>>);

thread_local! {
    /// The orders that were found last. A picture that follows a slider is of the same graph every time.
    static LAST: RefCell<Vec<Ordered>> = RefCell::default();
}

/// The cost of an order: its crossings, then the neighbours that a walk from the root meets the other way round.
type Cost = (usize, usize);

/// The end of a wire: the place of a point, and the position of the operand there.
type WireEnd = (usize, usize);

/// The ends of the wires of a point, on the left and on the right, each in order.
type WireEnds = [Vec<WireEnd>; 2];

impl Layers {
    /// Orders every rank by age, as the neurons of a layer are numbered; a bend is as old as the value it comes from.
    pub(super) fn order_by_age(&mut self) {
        self.start();
        let mut ages: Vec<usize> = (0..self.points.len()).collect();
        for &bend in self.ranks.iter().flatten() {
            if self.is_bend(bend) {
                ages[bend] = ages[self.points[bend].left[0]];
            }
        }
        for rank in &mut self.ranks {
            // Newer values have smaller numbers.
            rank.sort_by_key(|&point| Reverse(ages[point]));
        }
        self.number();
    }

    /// Orders every rank so that few wires cross.
    pub(super) fn reduce_crossings(&mut self) {
        self.start();
        let is_this = |last: &&Ordered| last.0 == self.points;
        if let Some(ranks) = LAST.with_borrow(|last| Some(last.iter().find(is_this)?.1.clone())) {
            self.ranks = ranks;
            self.number();
            return;
        }
        let mut best: Option<(Cost, Vec<Vec<usize>>)> = None;
        let ends: usize = self.points.iter().map(|point| point.left.len() + 1).sum();
        self.keep(&mut best);
        self.swaps();
        self.keep(&mut best);
        self.kick(&mut best, KICKS.min(MOST_LOOKS / (ends * ROUNDS)));
        self.take(best);
        LAST.with_borrow_mut(|last| {
            last.insert(0, (self.points.clone(), self.ranks.clone()));
            last.truncate(REMEMBERED);
        });
    }

    /// Tries to leave an order that no swap improves: moves some points by chance and swaps again, many times.
    fn kick(&mut self, best: &mut Option<(Cost, Vec<Vec<usize>>)>, kicks: usize) {
        let wide: Vec<usize> = (0..self.ranks.len())
            .filter(|&rank| self.ranks[rank].len() > 1)
            .collect();
        // The same graph always gets the same order.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % limit
        };
        for _ in 0..kicks {
            let crossings = best.as_ref().map_or(0, |(cost, _)| cost.0);
            if wide.is_empty() || crossings == 0 {
                break;
            }
            self.take(best.clone());
            for _ in 0..=below(4) {
                let rank = wide[below(wide.len())];
                let count = self.ranks[rank].len();
                let (from, to) = (below(count), below(count));
                let point = self.ranks[rank].remove(from);
                self.ranks[rank].insert(to, point);
            }
            self.number();
            self.swaps();
            self.keep(best);
        }
    }

    fn take(&mut self, order: Option<(Cost, Vec<Vec<usize>>)>) {
        if let Some((_, ranks)) = order {
            self.ranks = ranks;
            self.number();
        }
    }

    /// The order in which a walk from the root meets the points, first operand first.
    fn start(&mut self) {
        let count = self.points.iter().map(|point| point.rank + 1).max();
        self.ranks = vec![Vec::new(); count.unwrap_or(0)];
        let mut waiting: Vec<usize> = Vec::new();
        let mut count = 0;
        for root in 0..self.points.len() {
            waiting.push(root);
            while let Some(at) = waiting.pop() {
                if self.met[at] > 0 {
                    continue;
                }
                count += 1;
                self.met[at] = count;
                let point = &self.points[at];
                self.ranks[point.rank].push(at);
                waiting.extend(point.left.iter().rev());
            }
        }
        self.number();
    }

    fn number(&mut self) {
        for rank in &self.ranks {
            for (place, &point) in rank.iter().enumerate() {
                self.places[point] = place;
            }
        }
    }

    fn keep(&self, best: &mut Option<(Cost, Vec<Vec<usize>>)>) {
        let cost = (self.crossings(), self.disorder());
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            *best = Some((cost, self.ranks.clone()));
        }
    }

    /// Swaps adjacent points where that removes crossings.
    fn swaps(&mut self) {
        for round in 0..ROUNDS {
            let mut moved = false;
            for rank in 0..self.ranks.len() {
                stop::ask_now();
                let mut ends: Vec<WireEnds> = self.ranks[rank]
                    .iter()
                    .map(|&point| self.ends(point))
                    .collect();
                for upper in 1..self.ranks[rank].len() {
                    let change = change_by_swap(&ends[upper - 1], &ends[upper]);
                    if change > 0 {
                        continue;
                    }
                    if change < 0 || round < PLATEAU {
                        self.ranks[rank].swap(upper - 1, upper);
                        ends.swap(upper - 1, upper);
                        self.places[self.ranks[rank][upper - 1]] = upper - 1;
                        self.places[self.ranks[rank][upper]] = upper;
                        moved |= change < 0;
                    }
                }
            }
            if !moved {
                break;
            }
        }
    }

    /// The ends of the wires of a point.
    fn ends(&self, point: usize) -> WireEnds {
        let point = &self.points[point];
        let operands = point.left.iter().map(|&from| (self.places[from], 0));
        let users = point.right.iter();
        let users = users.map(|&(to, position)| (self.places[to], position));
        let mut ends = [operands.collect::<Vec<_>>(), users.collect()];
        for side in &mut ends {
            side.sort_unstable();
        }
        ends
    }

    /// The number of pairs of wires that cross between two ranks.
    pub(super) fn crossings(&self) -> usize {
        let mut count = 0;
        let mut tree: Vec<usize> = Vec::new();
        for ranks in self.ranks.windows(2) {
            // Where the operands of each point of the next rank begin.
            let mut wires = 0;
            let begins: Vec<usize> = (ranks[1].iter())
                .map(|&point| {
                    let begin = wires;
                    wires += self.points[point].left.len();
                    begin
                })
                .collect();
            // A Fenwick tree of how many wires so far end at or above each place.
            tree.clear();
            tree.resize(wires + 1, 0);
            let mut before = 0;
            for &point in &ranks[0] {
                let [_, ends] = self.ends(point);
                for &(place, position) in &ends {
                    let mut at = begins[place] + position + 1;
                    let mut above = 0;
                    while at > 0 {
                        above += tree[at];
                        at &= at - 1;
                    }
                    count += before - above;
                }
                before += ends.len();
                for &(place, position) in &ends {
                    let mut at = begins[place] + position + 1;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
            }
        }
        count
    }

    /// Neighbours that a walk from the root meets the other way round. It goes to operands in their order.
    fn disorder(&self) -> usize {
        let wrong = |rank: &Vec<usize>| {
            let pairs = rank.windows(2);
            pairs
                .filter(|pair| self.met[pair[0]] > self.met[pair[1]])
                .count()
        };
        self.ranks.iter().map(wrong).sum()
    }
}

/// How many crossings more the wires of two adjacent points have when the points change places.
fn change_by_swap(above: &WireEnds, below: &WireEnds) -> isize {
    let side = |above: &[WireEnd], below: &[WireEnd]| {
        // The number of ends of the lower point that are before the present end of the upper one, and of those not after it.
        let (mut before, mut not_behind) = (0, 0);
        let mut change = 0;
        for end in above {
            while below.get(before).is_some_and(|below| below < end) {
                before += 1;
            }
            not_behind = before.max(not_behind);
            while below.get(not_behind).is_some_and(|below| below <= end) {
                not_behind += 1;
            }
            change += (below.len() - not_behind) as isize - before as isize;
        }
        change
    };
    side(&above[0], &below[0]) + side(&above[1], &below[1])
}
