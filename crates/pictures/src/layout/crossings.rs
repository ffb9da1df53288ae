//! Crossing reduction: finds an order of the points in each rank in which few wires cross.
//!
//! Two adjacent points are swapped if that removes crossings. When no swap helps, some points of the best order so far
//! are moved at random and the swaps begin again, many times. Wires into one operation count as crossing if they do not
//! come in the order of its operands.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::layers::{Layers, Point, WireEnd};
use chainrule_stop as stop;

/// The most visits of all attempts together, to the ends of wires and to points. A large graph gets fewer attempts, so
/// the time is limited.
const MAX_VISITS: usize = 3_000_000;
/// The most rounds of swaps in an attempt.
const ROUNDS: usize = 6;
/// In the first rounds points are swapped even if it makes no difference, because a later swap may then help.
const PLATEAU_ROUNDS: usize = 2;
/// The most attempts to improve an order that no swap improves.
const MAX_KICKS: usize = 1_000;

/// The number of graphs whose order is remembered.
const REMEMBERED_GRAPHS: usize = 4;

/// The points of each rank from top to bottom.
type RankOrder = Vec<Vec<usize>>;

thread_local! {
    /// The graphs that were ordered last. The pictures that follow a slider all show one graph.
    static LAST: RefCell<Vec<Layers>> = RefCell::default();
}

/// The cost of an order: crossings first, then neighbours that are not in the order of a walk from the root.
type Cost = (usize, usize);

/// The best order so far.
struct BestOrder {
    cost: Cost,
    ranks: RankOrder,
}

/// Where a wire ends: the place of the end's point within its rank, and the operand that the wire is there (0 if the
/// order does not matter).
type EndPlace = (usize, usize);

impl Layers {
    /// Orders every rank by age, because the neurons of a layer are numbered in this order. A bend is as old as its value.
    pub(super) fn order_by_age(&mut self) {
        self.order_by_walk();
        let mut ages: Vec<usize> = (0..self.points.len()).collect();
        for &point in self.ranks.iter().flatten() {
            if self.is_bend(point) {
                // The point before it is in the rank before, so its age is right already.
                let point_before = self.points[point].left[0];
                ages[point] = ages[point_before];
            }
        }
        for rank in &mut self.ranks {
            // Newer values have smaller numbers.
            rank.sort_by_key(|&point| Reverse(ages[point]));
        }
        self.update_places();
    }

    /// Orders every rank so that few wires cross.
    pub(super) fn reduce_crossings(&mut self) {
        let is_same = |known: &&Layers| {
            known.points == self.points && known.bend_indices() == self.bend_indices()
        };
        if let Some(known) = LAST.with_borrow(|last| last.iter().find(is_same).cloned()) {
            *self = known;
            return;
        }
        self.order_by_walk();
        let mut best = BestOrder {
            cost: self.cost(),
            ranks: self.ranks.clone(),
        };
        self.swap_neighbours();
        self.keep_if_better(&mut best);
        // A point costs a visit, too, even without wires.
        let visits_of_point = |point: &Point| point.left.len() + 1;
        let visits_of_round: usize = self.points.iter().map(visits_of_point).sum();
        let affordable_kicks = MAX_VISITS / (visits_of_round * ROUNDS);
        self.kick(&mut best, affordable_kicks.min(MAX_KICKS));
        self.set_order(best.ranks);
        LAST.with_borrow_mut(|last| {
            last.insert(0, self.clone());
            last.truncate(REMEMBERED_GRAPHS);
        });
    }

    /// Tries to leave an order that no swap improves: moves some points at random and swaps again, many times.
    fn kick(&mut self, best: &mut BestOrder, kicks: usize) {
        let can_change = |rank: &usize| self.ranks[*rank].len() > 1;
        let wide_ranks: Vec<usize> = (0..self.ranks.len()).filter(can_change).collect();
        // Xorshift with a fixed seed, so that the same graph always gets the same order.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random_below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % limit
        };
        for _ in 0..kicks {
            let (crossings, _) = best.cost;
            if wide_ranks.is_empty() || crossings == 0 {
                break;
            }
            self.set_order(best.ranks.clone());
            // Moves one to four points.
            for _ in 0..=random_below(4) {
                let rank = wide_ranks[random_below(wide_ranks.len())];
                let count = self.ranks[rank].len();
                let (from, to) = (random_below(count), random_below(count));
                let point = self.ranks[rank].remove(from);
                self.ranks[rank].insert(to, point);
            }
            self.update_places();
            self.swap_neighbours();
            self.keep_if_better(best);
        }
    }

    fn set_order(&mut self, ranks: RankOrder) {
        self.ranks = ranks;
        self.update_places();
    }

    /// Orders every rank as a walk from the root meets its points, first operand first.
    fn order_by_walk(&mut self) {
        let rank_count = self.points.iter().map(|point| point.rank + 1).max();
        self.ranks = vec![Vec::new(); rank_count.unwrap_or(0)];
        let mut waiting: Vec<usize> = Vec::new();
        let mut visited = 0;
        for root in 0..self.points.len() {
            waiting.push(root);
            while let Some(point) = waiting.pop() {
                if self.walk_places[point] > 0 {
                    continue;
                }
                visited += 1;
                self.walk_places[point] = visited;
                let Point { rank, left, .. } = &self.points[point];
                self.ranks[*rank].push(point);
                waiting.extend(left.iter().rev());
            }
        }
        self.update_places();
    }

    fn keep_if_better(&self, best: &mut BestOrder) {
        let cost = self.cost();
        if cost < best.cost {
            best.cost = cost;
            best.ranks.clone_from(&self.ranks);
        }
    }

    fn update_places(&mut self) {
        for rank in &self.ranks {
            for (place, &point) in rank.iter().enumerate() {
                self.places[point] = place;
            }
        }
    }

    fn cost(&self) -> Cost {
        let pairs = self.ranks.iter().flat_map(|rank| rank.windows(2));
        let is_swapped = |pair: &&[usize]| self.walk_places[pair[0]] > self.walk_places[pair[1]];
        (self.crossings(), pairs.filter(is_swapped).count())
    }

    /// Swaps adjacent points if this removes crossings. In the first rounds, a swap that adds none is enough.
    fn swap_neighbours(&mut self) {
        for round in 0..ROUNDS {
            let mut has_improved = false;
            for rank in 0..self.ranks.len() {
                stop::ask_now();
                let points = self.ranks[rank].iter();
                // The ends are in other ranks, so they stay right while this rank changes.
                let mut ends: Vec<_> = points.map(|&point| self.end_places(point)).collect();
                for lower in 1..self.ranks[rank].len() {
                    let upper = lower - 1;
                    let sides = ends[upper].iter().zip(&ends[lower]);
                    let changes = sides.map(|(above, below)| change_on_side(above, below));
                    let change: isize = changes.sum();
                    let is_allowed = change == 0 && round < PLATEAU_ROUNDS;
                    if change < 0 || is_allowed {
                        self.ranks[rank].swap(upper, lower);
                        ends.swap(upper, lower);
                        self.places[self.ranks[rank][upper]] = upper;
                        self.places[self.ranks[rank][lower]] = lower;
                        has_improved |= change < 0;
                    }
                }
            }
            if !has_improved {
                break;
            }
        }
    }

    /// The ends of the wires of a point, at its operands on the left and at its users on the right, each sorted.
    fn end_places(&self, point: usize) -> [Vec<EndPlace>; 2] {
        let Point { left, right, .. } = &self.points[point];
        let operand_place = |&operand: &usize| (self.places[operand], 0);
        let user_place = |end: &WireEnd| (self.places[end.point], end.ordered_position);
        let mut operands: Vec<EndPlace> = left.iter().map(operand_place).collect();
        let mut users: Vec<EndPlace> = right.iter().map(user_place).collect();
        operands.sort_unstable();
        users.sort_unstable();
        [operands, users]
    }

    /// The number of pairs of wires that cross.
    pub(super) fn crossings(&self) -> usize {
        let mut count = 0;
        for ranks in self.ranks.windows(2) {
            let (left_rank, right_rank) = (&ranks[0], &ranks[1]);
            // The ports of the right rank, where its wires arrive, are numbered from top to bottom.
            let mut first_ports = Vec::with_capacity(right_rank.len());
            let mut ports = 0;
            for &point in right_rank {
                first_ports.push(ports);
                ports += self.points[point].left.len();
            }
            let mut counter = EndCounter {
                tree: vec![0; ports + 1],
            };
            let mut wires_above = 0;
            for &point in left_rank {
                let [_, ends] = self.end_places(point);
                let end_port = |(place, position): &EndPlace| first_ports[*place] + position;
                let end_ports = ends.iter().map(end_port);
                for port in end_ports.clone() {
                    // A wire crosses the wires of upper points that end below it.
                    count += wires_above - counter.up_to(port);
                }
                // Wires of one point do not cross, so they are added after all of them are compared.
                wires_above += ends.len();
                for port in end_ports {
                    counter.add(port);
                }
            }
        }
        count
    }
}

/// Counts the wires that end at or above each port: a Fenwick tree. Its places count from 1; the entry at a place
/// counts as many ports up to it as the lowest bit of the place says.
struct EndCounter {
    tree: Vec<usize>,
}

impl EndCounter {
    /// Adds a wire that ends at this port.
    fn add(&mut self, port: usize) {
        let mut at = port + 1;
        while at < self.tree.len() {
            self.tree[at] += 1;
            // Add the lowest bit: the next entry that includes this one.
            at += at & at.wrapping_neg();
        }
    }

    /// The number of wires that end at this port or above it.
    fn up_to(&self, port: usize) -> usize {
        let mut at = port + 1;
        let mut count = 0;
        while at > 0 {
            count += self.tree[at];
            // Clear the lowest bit: the entry of the ports before.
            at &= at - 1;
        }
        count
    }
}

/// The change in the number of crossings on one side of two adjacent points when they are swapped. The ends there are
/// sorted.
fn change_on_side(above: &[EndPlace], below: &[EndPlace]) -> isize {
    // Now a wire of the upper point crosses the wires of the lower point that end above its own end; after the swap it
    // crosses those that end below. Wires that end at the same place never cross.
    let mut change = 0;
    for end in above {
        let ends_above_it = below.partition_point(|other| other < end);
        let ends_below_it = below.len() - below.partition_point(|other| other <= end);
        change += ends_below_it as isize - ends_above_it as isize;
    }
    change
}
