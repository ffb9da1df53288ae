//! Crossing reduction: the order of the points in their ranks that lets few wires cross.
//!
//! Sweeps over the ranks put each in the order of the weighted medians of its neighbours; between sweeps adjacent
//! points change places where that helps. Two starts are tried, and the best order met is kept.

use super::layers::{Layers, Point};

/// The most sweeps over all ranks.
const SWEEPS: usize = 24;
/// The most ends of wires to look at in all sweeps: large graphs get fewer sweeps.
const MOST_LOOKS: usize = 1_500_000;
/// The most rounds of swaps in a sweep.
const ROUNDS: usize = 6;

/// How bad an order is: its crossings, then the operands that stand below the next operand of their user.
type Cost = (usize, usize);

impl Layers {
    /// Orders every rank.
    pub(super) fn reduce_crossings(&mut self) {
        let mut best: Option<(Cost, Vec<Vec<usize>>)> = None;
        let ends: usize = self.points.iter().map(|point| point.left.len() + 1).sum();
        let sweeps = (MOST_LOOKS / (ends * (ROUNDS + 2) * 2)).clamp(1, SWEEPS);
        // A large graph has the time for one start.
        let starts: &[bool] = if sweeps < 4 { &[false] } else { &[false, true] };
        for &start in starts {
            self.start(start);
            self.keep(&mut best);
            for sweep in 0..sweeps {
                self.medians(sweep % 2 == 1);
                self.swaps(sweep % 4 < 2);
                self.keep(&mut best);
            }
        }
        if let Some((_, ranks)) = best {
            self.ranks = ranks;
            self.number();
        }
    }

    /// The order in which a walk from the root meets the points, first operand first or last.
    fn start(&mut self, backwards: bool) {
        let count = self.points.iter().map(|point| point.rank + 1).max();
        self.ranks = vec![Vec::new(); count.unwrap_or(0)];
        let mut met = vec![false; self.points.len()];
        let mut waiting: Vec<usize> = Vec::new();
        for root in 0..self.points.len() {
            waiting.push(root);
            while let Some(at) = waiting.pop() {
                if std::mem::replace(&mut met[at], true) {
                    continue;
                }
                let point = &self.points[at];
                self.ranks[point.rank].push(at);
                if backwards {
                    waiting.extend(&point.left);
                } else {
                    waiting.extend(point.left.iter().rev());
                }
            }
        }
        if backwards {
            for rank in &mut self.ranks {
                rank.reverse();
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

    /// One sweep: each rank in the order of the medians of the rank before it, or behind it.
    fn medians(&mut self, from_right: bool) {
        let count = self.ranks.len();
        for step in 1..count {
            let rank = if from_right { count - 1 - step } else { step };
            let order = &self.ranks[rank];
            let mut moving: Vec<(f64, usize)> = Vec::with_capacity(order.len());
            // A point without neighbours on that side keeps its place, and the others are sorted around it.
            let mut slots = Vec::with_capacity(order.len());
            for (slot, &point) in order.iter().enumerate() {
                let point_of = &self.points[point];
                let neighbours = if from_right {
                    &point_of.right
                } else {
                    &point_of.left
                };
                if let Some(median) = self.median(neighbours) {
                    moving.push((median, point));
                    slots.push(slot);
                }
            }
            moving.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (slot, (_, point)) in slots.into_iter().zip(moving) {
                self.ranks[rank][slot] = point;
                self.places[point] = slot;
            }
        }
    }

    /// The weighted median of the places of some neighbours.
    fn median(&self, neighbours: &[usize]) -> Option<f64> {
        let mut places: Vec<usize> = neighbours.iter().map(|&point| self.places[point]).collect();
        places.sort_unstable();
        let middle = places.len() / 2;
        let at = |place: usize| places[place] as f64;
        match places.len() {
            0 => None,
            count if count % 2 == 1 => Some(at(middle)),
            2 => Some(f64::midpoint(at(0), at(1))),
            count => {
                let left = at(middle - 1) - at(0);
                let right = at(count - 1) - at(middle);
                let both = left + right;
                if both == 0.0 {
                    return Some(f64::midpoint(at(middle - 1), at(middle)));
                }
                Some((at(middle - 1) * right + at(middle) * left) / both)
            }
        }
    }

    /// Adjacent points change places where that removes crossings or puts operands in order; with `even` also where it
    /// makes no difference, to leave a plateau.
    fn swaps(&mut self, even: bool) {
        for round in 0..ROUNDS {
            let mut moved = false;
            for rank in 0..self.ranks.len() {
                let mut sides: Vec<[Vec<usize>; 2]> = self.ranks[rank]
                    .iter()
                    .map(|&point| self.sides(point))
                    .collect();
                for upper in 1..self.ranks[rank].len() {
                    let (above, below) = (&sides[upper - 1], &sides[upper]);
                    let now = crossed(above, below);
                    let then = crossed(below, above);
                    if then > now {
                        continue;
                    }
                    let better = then < now || {
                        let order = &self.ranks[rank];
                        let gain = self.preference(order[upper], order[upper - 1]);
                        gain > 0 || gain == 0 && even && round == 0
                    };
                    if better {
                        self.ranks[rank].swap(upper - 1, upper);
                        sides.swap(upper - 1, upper);
                        self.places[self.ranks[rank][upper - 1]] = upper - 1;
                        self.places[self.ranks[rank][upper]] = upper;
                        moved |= then < now;
                    }
                }
            }
            if !moved {
                break;
            }
        }
    }

    /// The places of a point's neighbours on both sides, in order.
    fn sides(&self, point: usize) -> [Vec<usize>; 2] {
        let point = &self.points[point];
        [&point.left, &point.right].map(|neighbours| {
            let mut places: Vec<usize> =
                neighbours.iter().map(|&point| self.places[point]).collect();
            places.sort_unstable();
            places
        })
    }

    /// How many operations have the first of two points as an earlier operand than the second, less those that have it
    /// as a later one.
    fn preference(&self, first: usize, second: usize) -> isize {
        let mut users: Vec<usize> = self.points[first].right.clone();
        users.dedup();
        let wishes = users.into_iter().map(|user| {
            let operands = &self.points[user].left;
            let at = |point| operands.iter().position(|&operand| operand == point);
            match (at(first), at(second)) {
                (Some(first), Some(second)) if first < second => 1,
                (Some(_), Some(_)) => -1,
                _ => 0,
            }
        });
        wishes.sum()
    }

    /// Pairs of wires that cross between two ranks.
    fn crossings(&self) -> usize {
        let mut count = 0;
        let mut tree: Vec<usize> = Vec::new();
        for ranks in self.ranks.windows(2) {
            // A Fenwick tree of how many wires so far end at or above each place.
            tree.clear();
            tree.resize(ranks[1].len() + 1, 0);
            let mut before = 0;
            for &point in &ranks[0] {
                let [_, ends] = self.sides(point);
                for &end in &ends {
                    let mut at = end + 1;
                    let mut above = 0;
                    while at > 0 {
                        above += tree[at];
                        at &= at - 1;
                    }
                    count += before - above;
                }
                before += ends.len();
                for end in ends {
                    let mut at = end + 1;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
            }
        }
        count
    }

    /// Operands that stand below the next operand of the same operation.
    fn disorder(&self) -> usize {
        let wrong = |point: &Point| {
            let pairs = point.left.windows(2);
            pairs
                .filter(|pair| self.places[pair[0]] > self.places[pair[1]])
                .count()
        };
        self.points.iter().map(wrong).sum()
    }
}

/// How many wires of two adjacent points cross, given the sorted places of their neighbours on both sides.
fn crossed(above: &[Vec<usize>; 2], below: &[Vec<usize>; 2]) -> usize {
    let side = |above: &[usize], below: &[usize]| {
        let mut passed = 0;
        let mut count = 0;
        for place in above {
            while below.get(passed).is_some_and(|below| below < place) {
                passed += 1;
            }
            count += passed;
        }
        count
    };
    side(&above[0], &below[0]) + side(&above[1], &below[1])
}
