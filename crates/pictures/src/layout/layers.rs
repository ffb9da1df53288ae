//! Layered graph drawing (Sugiyama's method): every node gets a rank, and every rank an order in which few wires cross.
//!
//! `ranks.rs` chooses the rank of a value, `crossings.rs` its place in the rank, and `lines.rs` its line. A wire that runs
//! past a rank has a bend there (a dummy node). Wires that leave the same value share their bends, except in a network.
//! The same graph always has the same layers, and nothing recurses.

use super::ranks::depths;
use chainrule_report::{Diagram, DiagramEdge};

/// In a network with more bends than this, wires share them, too.
const MOST_BENDS: usize = 5_000;

/// Every value and every bend in its rank. An operation has no point of its own: it stands in front of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layers {
    /// The vertices of the diagram in its order, then the bends.
    pub points: Vec<Point>,
    /// The points of each rank from top to bottom, ranks from left to right. The last rank is the root alone.
    pub ranks: Vec<Vec<usize>>,
    /// The place of each point in its rank.
    pub places: Vec<usize>,
    /// The place of each point in a walk from the root, first operand first, counted from 1; 0 before the walk.
    pub(super) walk_places: Vec<usize>,
    /// How many of the points are values.
    values: usize,
}

/// A value or a bend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Point {
    pub rank: usize,
    /// The points in the rank before from which its wires come, in the order of its operands.
    pub left: Vec<usize>,
    /// The points in the next rank to which its wires go, and the position of the operand there. The position is 0 if the
    /// order of the operands does not matter.
    pub right: Vec<(usize, usize)>,
    /// Whether its operands may stand in any order.
    pub is_commutative: bool,
}

/// The wire from an operand to its user.
pub(crate) struct Wire {
    pub user: usize,
    /// The position of the operand.
    pub position: usize,
    /// The place where it arrives, counted from the first wire of this user.
    pub port: usize,
    /// The points on its way: the operand, bends, the user.
    pub way: Vec<usize>,
}

impl Layers {
    /// Ranks a diagram and orders the ranks. The wires to a commutative operation may arrive in any order. A layer of a
    /// network keeps its order.
    pub(crate) fn new(diagram: &Diagram) -> Layers {
        let mut layers = Layers::without_order(diagram, &depths(diagram));
        if diagram.network.is_some() {
            layers.order_by_age();
        } else {
            layers.reduce_crossings();
        }
        layers
    }

    /// The ranks, whose points are not yet ordered.
    fn without_order(diagram: &Diagram, depths: &[usize]) -> Layers {
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut points: Vec<Point> = depths
            .iter()
            .map(|depth| Point {
                rank: deepest - depth,
                ..Point::default()
            })
            .collect();
        // The wires of a network look different, so each has bends of its own.
        let is_separate = diagram.network.is_some() && bends(diagram, depths) <= MOST_BENDS;
        // The bends of the wires that leave each vertex.
        let mut trunks: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            let rank = points[user].rank;
            points[user].is_commutative = vertex.is_commutative;
            for (position, &operand) in vertex.operands.iter().enumerate() {
                let next_rank = points[operand].rank + 1;
                if is_separate {
                    trunks[operand].clear();
                }
                while next_rank + trunks[operand].len() < rank {
                    let before = trunks[operand].last().copied().unwrap_or(operand);
                    let bend = points.len();
                    points.push(Point {
                        rank: points[before].rank + 1,
                        left: vec![before],
                        ..Point::default()
                    });
                    points[before].right.push((bend, 0));
                    trunks[operand].push(bend);
                }
                let from = match rank - next_rank {
                    0 => operand,
                    passed => trunks[operand][passed - 1],
                };
                points[user].left.push(from);
                let port = if points[user].is_commutative {
                    0
                } else {
                    position
                };
                points[from].right.push((user, port));
            }
        }
        Layers {
            places: vec![0; points.len()],
            walk_places: vec![0; points.len()],
            ranks: Vec::new(),
            points,
            values: depths.len(),
        }
    }

    /// Whether a point is a bend; otherwise it is the vertex with this index.
    pub(crate) fn is_bend(&self, point: usize) -> bool {
        point >= self.values
    }

    /// The places where the wires from the operands of a point arrive, counted from the first.
    pub(crate) fn ports(&self, point: usize) -> Vec<usize> {
        let Point {
            left,
            is_commutative,
            ..
        } = &self.points[point];
        let mut positions: Vec<usize> = (0..left.len()).collect();
        if *is_commutative {
            positions.sort_by_key(|&position| self.places[left[position]]);
        }
        let mut ports = vec![0; positions.len()];
        for (port, position) in positions.into_iter().enumerate() {
            ports[position] = port;
        }
        ports
    }

    /// All wires, user by user.
    pub(crate) fn wires(&self) -> impl Iterator<Item = Wire> {
        (0..self.values).flat_map(|user| self.wires_to(user))
    }

    /// The wires to a user, in the order of its operands.
    fn wires_to(&self, user: usize) -> Vec<Wire> {
        let mut wires = Vec::new();
        for (position, port) in self.ports(user).into_iter().enumerate() {
            wires.push(Wire {
                user,
                position,
                port,
                way: self.way(user, position),
            });
        }
        wires
    }

    /// The points from an operand over its bends to a user.
    fn way(&self, user: usize, position: usize) -> Vec<usize> {
        let mut at = self.points[user].left[position];
        let mut way = vec![user, at];
        while self.is_bend(at) {
            at = self.points[at].left[0];
            way.push(at);
        }
        way.reverse();
        way
    }
}

/// The number of bends if wires share them: the longest wire of each value has one in each rank that it passes.
pub(crate) fn bends(diagram: &Diagram, depths: &[usize]) -> usize {
    let mut longest = vec![1; depths.len()];
    for DiagramEdge { operand, user, .. } in diagram.edges() {
        longest[operand] = longest[operand].max(depths[operand] - depths[user]);
    }
    longest.into_iter().map(|length| length - 1).sum()
}
