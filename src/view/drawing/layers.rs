//! A graph in ranks from left to right, few wires crossing: where things stand relative to each other, for every kind
//! of picture.
//!
//! Every value stands as near to its users as it can, so that a leaf is beside the operation that uses it. What runs
//! past a rank has a bend there, one for all wires that leave the same value. Ranks are ordered by weighted medians and
//! swaps of neighbours, from the order in which a walk down from the root meets them. No lengths: those are up to the
//! picture. Nothing here depends on chance, and nothing recurses.

use std::collections::HashMap;

use crate::report::Diagram;

/// Everything in its rank, and what is wired to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Left to right, each top to bottom. Values and operations have ranks in turn, beginning and ending with values;
    /// the operation that makes a value is in the rank before it. The last rank is the root alone.
    pub ranks: Vec<Vec<Item>>,
    /// First, vertex by vertex, the wires from its operands to its operation in the order of the operands, then the
    /// one from the operation to its value.
    pub wires: Vec<Wire>,
}

/// What stands in a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A vertex of the diagram.
    Value(usize),
    /// The operation that makes this vertex.
    Operation(usize),
    /// A wire passes, the first of those that share the bend.
    Bend(usize),
}

/// A wire. Places are a rank and a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Where it leaves: a value, or an operation towards its value.
    pub from: (usize, usize),
    /// Where it ends: an operation, or the value of one.
    pub to: (usize, usize),
    /// Which operand it is.
    pub position: usize,
    /// What it passes on the way, from left to right. Wires from one value share their bends as long as they run
    /// together.
    pub bends: Vec<(usize, usize)>,
}

/// The places of a diagram.
pub fn layers(diagram: &Diagram) -> Layers {
    let mut grid = Grid::new(diagram);
    grid.reduce();
    grid.layers(diagram)
}

/// So many sweeps over all ranks.
const SWEEPS: usize = 24;
/// Fewer, when a sweep is long: so many ends of wires are looked at in all.
const MOST_LOOKS: usize = 1_500_000;
/// Neighbours are swapped in so many rounds a sweep.
const ROUNDS: usize = 6;

/// Values and bends in ranks of their own; an operation stands with its value, with which it never changes places.
struct Grid {
    /// Point by point: the vertices, then the bends.
    points: Vec<Point>,
    /// The points of each rank, top to bottom.
    ranks: Vec<Vec<usize>>,
    /// The place of each point in its rank.
    places: Vec<usize>,
}

/// A value or a bend.
struct Point {
    rank: usize,
    /// The vertex itself, or the one whose wires bend here.
    vertex: usize,
    /// Where its wires come from, in the order of its operands.
    left: Vec<usize>,
    /// Where they go to.
    right: Vec<usize>,
}

/// How good an order is: fewer crossings first, then fewer operands that stand below their followers.
type Cost = (usize, usize);

impl Grid {
    fn new(diagram: &Diagram) -> Grid {
        let vertices = &diagram.vertices;
        // Users come before their operands: one pass knows how far from the root each must be.
        let mut depths = vec![0; vertices.len()];
        for (user, vertex) in vertices.iter().enumerate() {
            for &operand in &vertex.operands {
                depths[operand] = depths[operand].max(depths[user] + 1);
            }
        }
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut points: Vec<Point> = depths
            .iter()
            .enumerate()
            .map(|(vertex, depth)| Point {
                rank: deepest - depth,
                vertex,
                left: Vec::new(),
                right: Vec::new(),
            })
            .collect();
        // The last point of the trunk of each vertex.
        let mut trunks: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
        for (user, vertex) in vertices.iter().enumerate() {
            let rank = points[user].rank;
            for &operand in &vertex.operands {
                let first = points[operand].rank + 1;
                while first + trunks[operand].len() < rank {
                    let before = trunks[operand].last().copied().unwrap_or(operand);
                    let bend = points.len();
                    points.push(Point {
                        rank: points[before].rank + 1,
                        vertex: operand,
                        left: vec![before],
                        right: Vec::new(),
                    });
                    points[before].right.push(bend);
                    trunks[operand].push(bend);
                }
                let from = match rank - first {
                    0 => operand,
                    passed => trunks[operand][passed - 1],
                };
                points[user].left.push(from);
                points[from].right.push(user);
            }
        }
        Grid {
            places: vec![0; points.len()],
            ranks: Vec::new(),
            points,
        }
    }

    /// Finds the best order it can.
    fn reduce(&mut self) {
        let mut best: Option<(Cost, Vec<Vec<usize>>)> = None;
        let ends: usize = self.points.iter().map(|point| point.left.len() + 1).sum();
        let sweeps = (MOST_LOOKS / (ends * (ROUNDS + 2) * 2)).clamp(1, SWEEPS);
        for start in [false, true] {
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
            // Who has no neighbour on that side stays where it is, and the others go round it.
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

    /// Neighbours change places where that takes crossings away or puts operands in order; with `even` also where it
    /// changes nothing, to get off a plateau.
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

    /// How many operations would rather see the first of two points above the second, less those that would not.
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
            // How many wires so far end at or above a place, as a Fenwick tree.
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

    /// Operations get ranks of their own, and wires learn their way.
    fn layers(&self, diagram: &Diagram) -> Layers {
        let mut ranks: Vec<Vec<Item>> = Vec::new();
        let mut wires: Vec<Wire> = Vec::new();
        // In the rank of operations, the place of each point that has one.
        let mut passing = vec![0; self.points.len()];
        let mut bends: HashMap<usize, usize> = HashMap::new();
        for (rank, order) in self.ranks.iter().enumerate() {
            let mut count = 0;
            for &point in order {
                if !self.points[point].left.is_empty() {
                    passing[point] = count;
                    count += 1;
                }
            }
            if rank > 0 {
                ranks.push(Vec::new());
            }
            ranks.push(Vec::new());
        }
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            let rank = 2 * self.points[user].rank;
            for (position, &operand) in vertex.operands.iter().enumerate() {
                let mut way = Vec::new();
                let mut at = self.points[user].left[position];
                while at != operand {
                    let rank = 2 * self.points[at].rank;
                    way.push((rank, self.places[at]));
                    way.push((rank - 1, passing[at]));
                    bends.entry(at).or_insert(wires.len());
                    at = self.points[at].left[0];
                }
                way.reverse();
                wires.push(Wire {
                    from: (2 * self.points[operand].rank, self.places[operand]),
                    to: (rank - 1, passing[user]),
                    position,
                    bends: way,
                });
            }
            if !vertex.operands.is_empty() {
                wires.push(Wire {
                    from: (rank - 1, passing[user]),
                    to: (rank, self.places[user]),
                    position: 0,
                    bends: Vec::new(),
                });
            }
        }
        for (rank, order) in self.ranks.iter().enumerate() {
            for &point in order {
                let value = point == self.points[point].vertex;
                let bend = bends.get(&point).copied();
                let item = bend.map_or(Item::Value(point), Item::Bend);
                ranks[2 * rank].push(item);
                if !self.points[point].left.is_empty() {
                    ranks[2 * rank - 1].push(if value { Item::Operation(point) } else { item });
                }
            }
        }
        Layers { ranks, wires }
    }
}

/// How many wires of two neighbours cross, one above the other; each with its sorted neighbours on both sides.
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
