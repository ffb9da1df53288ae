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
pub(crate) struct Layers {
    /// Left to right, each top to bottom. Values and operations have ranks in turn, beginning and ending with values;
    /// the operation that makes a value is in the rank before it. The last rank is the root alone.
    pub ranks: Vec<Vec<RankItem>>,
    /// First, vertex by vertex, the wires from its operands to its operation in the order of the operands, then the
    /// one from the operation to its value.
    pub wires: Vec<Wire>,
}

/// What stands in a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RankItem {
    /// A vertex of the diagram.
    Value(usize),
    /// The operation that makes this vertex.
    Operation(usize),
    /// A wire passes, the first of those that share the bend.
    Bend(usize),
}

/// A wire. Places are a rank and a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wire {
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
pub(crate) fn layers(diagram: &Diagram) -> Layers {
    let mut grid = Grid::new(diagram);
    grid.reduce();
    grid.layers(diagram)
}

/// Values and bends in ranks of their own; an operation stands with its value, with which it never changes places.
pub(crate) struct Grid {
    /// Point by point: the vertices, then the bends.
    pub(crate) points: Vec<Point>,
    /// The points of each rank, top to bottom.
    pub(crate) ranks: Vec<Vec<usize>>,
    /// The place of each point in its rank.
    pub(crate) places: Vec<usize>,
}

/// A value or a bend.
pub(crate) struct Point {
    pub(crate) rank: usize,
    /// The vertex itself, or the one whose wires bend here.
    vertex: usize,
    /// Where its wires come from, in the order of its operands.
    pub(crate) left: Vec<usize>,
    /// Where they go to.
    pub(crate) right: Vec<usize>,
}

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

    /// Operations get ranks of their own, and wires learn their way.
    fn layers(&self, diagram: &Diagram) -> Layers {
        let mut ranks: Vec<Vec<RankItem>> = Vec::new();
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
                let item = bend.map_or(RankItem::Value(point), RankItem::Bend);
                ranks[2 * rank].push(item);
                if !self.points[point].left.is_empty() {
                    ranks[2 * rank - 1].push(if value {
                        RankItem::Operation(point)
                    } else {
                        item
                    });
                }
            }
        }
        Layers { ranks, wires }
    }
}
