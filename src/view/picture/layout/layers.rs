//! Layered graph drawing (Sugiyama's method): every node gets a rank, and every rank an order in which few wires cross.
//!
//! A value stands as near to its users as it can, so that a leaf is beside the operation that uses it. A wire that runs
//! past a rank has a bend there (a dummy node), which all wires that leave the same value share. Lengths are not known
//! here: coordinates come from `coordinates.rs`. The same graph always has the same layers, and nothing recurses.

use crate::report::Diagram;

/// Every value and every bend in its rank. An operation has no point of its own: it stands in front of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layers {
    /// The vertices of the diagram in its order, then the bends.
    pub points: Vec<Point>,
    /// The points of each rank from top to bottom, ranks from left to right. The last rank is the root alone.
    pub ranks: Vec<Vec<usize>>,
    /// The place of each point in its rank.
    pub places: Vec<usize>,
    /// How many of the points are values.
    values: usize,
}

/// A value or a bend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub rank: usize,
    /// The points in the rank before that its wires come from, in the order of its operands.
    pub left: Vec<usize>,
    /// The points in the next rank that its wires go to.
    pub right: Vec<usize>,
}

/// The wire from an operand to its user.
pub(crate) struct Wire {
    pub user: usize,
    /// Which operand it is.
    pub position: usize,
    /// The points on its way: the operand, bends, the user.
    pub way: Vec<usize>,
}

impl Layers {
    /// Ranks a diagram and orders the ranks.
    pub(crate) fn new(diagram: &Diagram) -> Layers {
        let depths = depths(diagram);
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut points: Vec<Point> = depths
            .iter()
            .map(|depth| Point {
                rank: deepest - depth,
                left: Vec::new(),
                right: Vec::new(),
            })
            .collect();
        // The bends of the wires that leave each vertex.
        let mut trunks: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            let rank = points[user].rank;
            for &operand in &vertex.operands {
                let first = points[operand].rank + 1;
                while first + trunks[operand].len() < rank {
                    let before = trunks[operand].last().copied().unwrap_or(operand);
                    let bend = points.len();
                    points.push(Point {
                        rank: points[before].rank + 1,
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
        let mut layers = Layers {
            places: vec![0; points.len()],
            ranks: Vec::new(),
            points,
            values: depths.len(),
        };
        layers.reduce_crossings();
        layers
    }

    /// Whether a point is a bend; else it is the vertex with this number.
    pub(crate) fn is_bend(&self, point: usize) -> bool {
        point >= self.values
    }

    /// All wires, user by user.
    pub(crate) fn wires(&self) -> impl Iterator<Item = Wire> {
        let operands = |user: usize| (0..self.points[user].left.len()).map(move |at| (user, at));
        let way = |(user, position): (usize, usize)| {
            let mut way = vec![user];
            let mut at = self.points[user].left[position];
            way.push(at);
            while self.is_bend(at) {
                at = self.points[at].left[0];
                way.push(at);
            }
            way.reverse();
            Wire {
                user,
                position,
                way,
            }
        };
        (0..self.values).flat_map(operands).map(way)
    }
}

/// How far from the root each vertex stands: one further than the farthest of its users.
pub(crate) fn depths(diagram: &Diagram) -> Vec<usize> {
    let mut depths = vec![0; diagram.vertices.len()];
    // Users come before their operands, so one pass is enough.
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for &operand in &vertex.operands {
            depths[operand] = depths[operand].max(depths[user] + 1);
        }
    }
    depths
}
