//! Crossing reduction: finds an order of the points in each rank in which few wires cross.
//!
//! Two adjacent points are swapped if that removes crossings. When no swap helps, some points of the best order so far
//! are moved at random and the swaps begin again, many times. Wires into one operation count as crossing if they do not
//! come in the order of its operands.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::layers::{Layers, Point};
use chainrule_stop as stop;

/// The most ends of wires that all attempts visit together, so a large graph gets fewer attempts.
const MOST_VISITS: usize = 3_000_000;
/// The most rounds of swaps in an attempt.
const ROUNDS: usize = 6;
/// In the first rounds points are swapped even if it makes no difference, because other swaps may help after that.
const PLATEAU_ROUNDS: usize = 2;
/// The most attempts to leave an order that swaps do not improve.
const MOST_KICKS: usize = 1_000;

/// The number of graphs whose order is remembered.
const REMEMBERED: usize = 4;

/// The points of each rank from top to bottom.
type RankOrder = Vec<Vec<usize>>;

thread_local! {
    /// The graphs that were ordered last, with their orders. A picture that follows a slider is of the same graph every
    /// time.
    static LAST: RefCell<Vec<(Vec<Point>, RankOrder)>> = RefCell::default();
}

/// The cost of an order: crossings first, then neighbours that are not in the order of a walk from the root.
type Cost = (usize, usize);

/// The best order so far.
struct BestOrder {
    cost: Cost,
    ranks: RankOrder,
}

/// The end of a wire: the place of a point in its rank, and the position of the operand there.
type WireEnd = (usize, usize);

/// The ends of the wires of a point, on the left and on the right, each in order.
type WireEnds = [Vec<WireEnd>; 2];

impl Layers {
    /// Orders every rank by age, as the neurons of a layer are numbered; a bend is as old as the value it comes from.
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
        let known = LAST.with_borrow(|last| {
            let same = last.iter().find(|(points, _)| *points == self.points);
            same.map(|(_, ranks)| ranks.clone())
        });
        if let Some(ranks) = known {
            self.set_order(ranks);
            return;
        }
        let mut best = BestOrder {
            cost: self.cost(),
            ranks: self.ranks.clone(),
        };
        self.swap_neighbours();
        self.keep_if_better(&mut best);
        let ends: usize = self.points.iter().map(|point| point.left.len() + 1).sum();
        self.kick(&mut best, MOST_KICKS.min(MOST_VISITS / (ends * ROUNDS)));
        self.set_order(best.ranks);
        LAST.with_borrow_mut(|last| {
            last.insert(0, (self.points.clone(), self.ranks.clone()));
            last.truncate(REMEMBERED);
        });
    }

    /// Tries to leave an order that no swap improves: moves some points by chance and swaps again, many times.
    fn kick(&mut self, best: &mut BestOrder, kicks: usize) {
        let wide: Vec<usize> = (0..self.ranks.len())
            .filter(|&rank| self.ranks[rank].len() > 1)
            .collect();
        // The same graph always gets the same order.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random_below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % limit
        };
        for _ in 0..kicks {
            let (crossings, _) = best.cost;
            if wide.is_empty() || crossings == 0 {
                break;
            }
            self.set_order(best.ranks.clone());
            for _ in 0..=random_below(4) {
                let rank = wide[random_below(wide.len())];
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
        let last = self.points.iter().map(|point| point.rank + 1).max();
        self.ranks = vec![Vec::new(); last.unwrap_or(0)];
        let mut waiting: Vec<usize> = Vec::new();
        let mut count = 0;
        for root in 0..self.points.len() {
            waiting.push(root);
            while let Some(at) = waiting.pop() {
                if self.walk_places[at] > 0 {
                    continue;
                }
                count += 1;
                self.walk_places[at] = count;
                let point = &self.points[at];
                self.ranks[point.rank].push(at);
                waiting.extend(point.left.iter().rev());
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

    /// Swaps adjacent points where that removes crossings.
    fn swap_neighbours(&mut self) {
        for round in 0..ROUNDS {
            let mut has_improved = false;
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
    fn ends(&self, point: usize) -> WireEnds {
        let Point { left, right, .. } = &self.points[point];
        let operands = left.iter().map(|&from| (self.places[from], 0));
        let users = right
            .iter()
            .map(|&(to, position)| (self.places[to], position));
        let mut ends = [operands.collect::<Vec<_>>(), users.collect()];
        for side in &mut ends {
            side.sort_unstable();
        }
        ends
    }

    /// The number of pairs of wires that cross between two ranks.
    pub(super) fn crossings(&self) -> usize {
        let mut count = 0;
        let mut counter = EndCounter::default();
        for ranks in self.ranks.windows(2) {
            // The number of wires to the points above each point of the next rank.
            let mut begins = Vec::with_capacity(ranks[1].len());
            let mut wires = 0;
            for &point in &ranks[1] {
                begins.push(wires);
                wires += self.points[point].left.len();
            }
            counter.clear(wires);
            let mut before = 0;
            for &point in &ranks[0] {
                let [_, ends] = self.ends(point);
                let ports = ends
                    .iter()
                    .map(|(place, position)| begins[*place] + position);
                for port in ports.clone() {
                    // A wire crosses those of upper points that end below it.
                    count += before - counter.up_to(port);
                }
                before += ends.len();
                for port in ports {
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
    /// Forgets all wires, and takes this many ports.
    fn clear(&mut self, ports: usize) {
        self.tree.clear();
        self.tree.resize(ports + 1, 0);
    }

    /// Adds a wire that ends at this port.
    fn add(&mut self, port: usize) {
        let mut at = port + 1;
        while at < self.tree.len() {
            self.tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// The number of wires that end at this port or above it.
    fn up_to(&self, port: usize) -> usize {
        let mut at = port + 1;
        let mut count = 0;
        while at > 0 {
            count += self.tree[at];
            at &= at - 1;
        }
        count
    }
}

/// The change of the number of crossings if two adjacent points are swapped.
fn change_by_swap(above: &WireEnds, below: &WireEnds) -> isize {
    change_on_side(&above[0], &below[0]) + change_on_side(&above[1], &below[1])
}

/// The change on one side of the points, whose ends there are in order.
fn change_on_side(above: &[WireEnd], below: &[WireEnd]) -> isize {
    // For the present end of the upper point: how many ends of the lower point are before it, and how many are not behind.
    let (mut before, mut not_behind) = (0, 0);
    let mut change = 0;
    for end in above {
        while below.get(before).is_some_and(|other| other < end) {
            before += 1;
        }
        not_behind = before.max(not_behind);
        while below.get(not_behind).is_some_and(|other| other <= end) {
            not_behind += 1;
        }
        let new_crossings = below.len() - not_behind;
        change += new_crossings as isize - before as isize;
    }
    change
}
