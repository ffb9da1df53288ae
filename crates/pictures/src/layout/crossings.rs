//! Crossing reduction: finds an order of the points in each rank in which few wires cross.
//!
//! Two adjacent points are swapped if that removes crossings. When no swap helps, some points of the best order so far
//! are moved at random and the swaps begin again, many times. Wires into one operation count as crossing if they do not
//! come in the order of its operands.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::layers::{Layers, Point, WireEnd};
use chainrule_stop as stop;

/// The most ends of wires that all attempts together visit. A large graph gets fewer attempts, so the time is limited.
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
    /// The graphs that were ordered last, with their orders. The pictures that follow a slider all show one graph.
    static LAST: RefCell<Vec<(Vec<Point>, RankOrder)>> = RefCell::default();
}

/// The cost of an order: crossings first, then neighbours that are not in the order of a walk from the root.
type Cost = (usize, usize);

/// The best order so far.
struct BestOrder {
    cost: Cost,
    ranks: RankOrder,
}

/// The place of the point at the end of a wire in its rank, and the position of the operand there.
type EndPlace = (usize, usize);

/// The ends of the wires of a point, on the left and on the right, each in order.
type EndPlaces = [Vec<EndPlace>; 2];

impl Layers {
    /// Orders every rank by age, because the neurons of a layer are numbered in this order. A bend is as old as its value.
    pub(super) fn order_by_age(&mut self) {
        self.order_by_walk();
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
        self.update_places();
    }

    /// Orders every rank so that few wires cross.
    pub(super) fn reduce_crossings(&mut self) {
        self.order_by_walk();
        let remembered = LAST.with_borrow(|last| {
            let same = last.iter().find(|(points, _)| *points == self.points);
            same.map(|(_, ranks)| ranks.clone())
        });
        if let Some(ranks) = remembered {
            self.set_order(ranks);
            return;
        }
        let mut best = BestOrder {
            cost: self.cost(),
            ranks: self.ranks.clone(),
        };
        self.swap_neighbours();
        self.keep_if_better(&mut best);
        let end_count: usize = self.points.iter().map(|point| point.left.len() + 1).sum();
        self.kick(&mut best, MAX_KICKS.min(MAX_VISITS / (end_count * ROUNDS)));
        self.set_order(best.ranks);
        LAST.with_borrow_mut(|last| {
            last.insert(0, (self.points.clone(), self.ranks.clone()));
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

    fn update_places(&mut self) {
        for rank in &self.ranks {
            for (place, &point) in rank.iter().enumerate() {
                self.places[point] = place;
            }
        }
    }

    fn cost(&self) -> Cost {
        (self.crossings(), self.disorder())
    }

    fn keep_if_better(&self, best: &mut BestOrder) {
        let cost = self.cost();
        if cost < best.cost {
            *best = BestOrder {
                cost,
                ranks: self.ranks.clone(),
            };
        }
    }

    /// Swaps adjacent points if this removes crossings. In the first rounds a swap need only add none.
    fn swap_neighbours(&mut self) {
        for round in 0..ROUNDS {
            let mut has_improved = false;
            for rank in 0..self.ranks.len() {
                stop::ask_now();
                let points = self.ranks[rank].iter();
                let mut ends: Vec<_> = points.map(|&point| self.end_places(point)).collect();
                for upper in 1..self.ranks[rank].len() {
                    let change = change_by_swap(&ends[upper - 1], &ends[upper]);
                    if change > 0 {
                        continue;
                    }
                    if change < 0 || round < PLATEAU_ROUNDS {
                        self.ranks[rank].swap(upper - 1, upper);
                        ends.swap(upper - 1, upper);
                        self.places[self.ranks[rank][upper - 1]] = upper - 1;
                        self.places[self.ranks[rank][upper]] = upper;
                        has_improved |= change < 0;
                    }
                }
            }
            if !has_improved {
                break;
            }
        }
    }

    /// The ends of the wires of a point.
    fn end_places(&self, point: usize) -> EndPlaces {
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
        let mut counter = EndCounter::default();
        for ranks in self.ranks.windows(2) {
            // The ports of the right rank are numbered from top to bottom.
            let mut first_ports = Vec::with_capacity(ranks[1].len());
            let mut ports = 0;
            for &point in &ranks[1] {
                first_ports.push(ports);
                ports += self.points[point].left.len();
            }
            counter.clear(ports);
            let mut wires_above = 0;
            for &point in &ranks[0] {
                let [_, ends] = self.end_places(point);
                let end_port = |(place, position): &EndPlace| first_ports[*place] + position;
                let end_ports = ends.iter().map(end_port);
                for port in end_ports.clone() {
                    // A wire crosses the wires of upper points that end below it.
                    count += wires_above - counter.up_to(port);
                }
                wires_above += ends.len();
                for port in end_ports {
                    counter.add(port);
                }
            }
        }
        count
    }

    /// The number of neighbours that are not in the order of a walk from the root.
    fn disorder(&self) -> usize {
        let pairs = self.ranks.iter().flat_map(|rank| rank.windows(2));
        pairs
            .filter(|pair| self.walk_places[pair[0]] > self.walk_places[pair[1]])
            .count()
    }
}

/// Counts the wires that end at or above each port: a Fenwick tree, whose places count from 1.
#[derive(Default)]
struct EndCounter {
    tree: Vec<usize>,
}

impl EndCounter {
    /// Forgets all wires and makes room for this many ports.
    fn clear(&mut self, ports: usize) {
        self.tree.clear();
        self.tree.resize(ports + 1, 0);
    }

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

/// The change in the number of crossings when two adjacent points are swapped.
fn change_by_swap(above: &EndPlaces, below: &EndPlaces) -> isize {
    change_on_side(&above[0], &below[0]) + change_on_side(&above[1], &below[1])
}

/// The change on one side of the points, whose ends there are in order.
fn change_on_side(above: &[EndPlace], below: &[EndPlace]) -> isize {
    // A wire of the upper point crosses the wires of the lower point that end above it; after the swap it crosses those
    // that end below it. Wires that end at the same place never cross.
    let mut change = 0;
    for end in above {
        let crossings_now = below.partition_point(|other| other < end);
        let crossings_after = below.len() - below.partition_point(|other| other <= end);
        change += crossings_after as isize - crossings_now as isize;
    }
    change
}
