//! Layered graph drawing (Sugiyama's method): every node gets a rank, and every rank an order in which few wires cross.
//!
//! This file chooses the rank of a value, `crossings.rs` its place in the rank, and `lines.rs` its line. A wire that runs
//! past a rank has a bend there (a dummy node). Wires that leave the same value share their bends. The wires of a network
//! look different, so each has bends of its own, unless even shared bends would number more than [`MOST_BENDS`]. The same
//! graph always has the same layers, and nothing recurses.

use std::ops::Range;

use chainrule_report::{Diagram, DiagramEdge};

/// With more bends than this, the wires of a network share them: bends of their own would make the layout slow.
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
    /// The number of points that are values.
    values: usize,
}

/// A value or a bend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Point {
    pub rank: usize,
    /// The points in the rank before from which its wires come, in the order of its operands.
    pub left: Vec<usize>,
    /// The ends of its wires in the next rank.
    pub right: Vec<WireEnd>,
    /// Whether its operands may stand in any order.
    pub is_commutative: bool,
}

/// The end of a wire at a user or a bend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WireEnd {
    pub point: usize,
    /// The position of the operand; 0 if the order of the operands does not matter.
    pub ordered_position: usize,
}

/// The wire from an operand to its user.
pub(crate) struct Wire {
    pub user: usize,
    /// The position of the operand.
    pub position: usize,
    /// The place where it arrives, counted from the first wire to this user.
    pub port: usize,
    /// The points along it: the operand, bends, the user.
    pub way: Vec<usize>,
}

impl Layers {
    /// Ranks the values of a diagram and orders each rank. The neurons of a layer of a network keep their order.
    pub(crate) fn new(diagram: &Diagram) -> Layers {
        let mut layers = Layers::without_order(diagram, &depths(diagram));
        if diagram.network.is_some() {
            layers.order_by_age();
        } else {
            layers.reduce_crossings();
        }
        layers
    }

    /// The points of a diagram. The ranks are still empty.
    fn without_order(diagram: &Diagram, depths: &[usize]) -> Layers {
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut points = vec![Point::default(); depths.len()];
        for (point, depth) in points.iter_mut().zip(depths) {
            point.rank = deepest - depth;
        }
        let has_own_bends = diagram.network.is_some() && bends(diagram, depths) <= MOST_BENDS;
        // The points of the longest wire that leaves each value, from the value on.
        let mut trunks: Vec<Vec<usize>> = (0..points.len()).map(|value| vec![value]).collect();
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            points[user].is_commutative = vertex.is_commutative;
            for (position, &operand) in vertex.operands.iter().enumerate() {
                let trunk = &mut trunks[operand];
                if has_own_bends {
                    trunk.truncate(1);
                }
                let from = extend_trunk(&mut points, trunk, user);
                points[user].left.push(from);
                let is_ordered = !vertex.is_commutative;
                points[from].right.push(WireEnd {
                    point: user,
                    ordered_position: if is_ordered { position } else { 0 },
                });
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

    /// The indices of all bends. Of two bends of a wire, the bend nearer to its operand has the smaller index.
    pub(crate) fn bend_indices(&self) -> Range<usize> {
        self.values..self.points.len()
    }

    /// The places where the wires from the operands of a point arrive, counted from the first.
    pub(crate) fn ports(&self, point: usize) -> Vec<usize> {
        let left = &self.points[point].left;
        let mut positions: Vec<usize> = (0..left.len()).collect();
        if self.points[point].is_commutative {
            positions.sort_by_key(|&position| self.places[left[position]]);
        }
        let mut ports = vec![0; positions.len()];
        for (port, position) in positions.into_iter().enumerate() {
            ports[position] = port;
        }
        ports
    }

    /// All wires, user by user, each user's in the order of its operands.
    pub(crate) fn wires(&self) -> Vec<Wire> {
        let mut wires = Vec::new();
        for user in 0..self.values {
            for (position, port) in self.ports(user).into_iter().enumerate() {
                let mut point = self.points[user].left[position];
                let mut way = vec![user, point];
                while self.is_bend(point) {
                    point = self.points[point].left[0];
                    way.push(point);
                }
                way.reverse();
                wires.push(Wire {
                    user,
                    position,
                    port,
                    way,
                });
            }
        }
        wires
    }
}

/// Adds bends until the trunk of an operand reaches a user. Returns the point before the user on this wire.
fn extend_trunk(points: &mut Vec<Point>, trunk: &mut Vec<usize>, user: usize) -> usize {
    let length = points[user].rank - points[trunk[0]].rank;
    while trunk.len() < length {
        let (before, bend) = (trunk[trunk.len() - 1], points.len());
        points.push(Point {
            rank: points[before].rank + 1,
            left: vec![before],
            ..Point::default()
        });
        points[before].right.push(WireEnd {
            point: bend,
            ordered_position: 0,
        });
        trunk.push(bend);
    }
    trunk[length - 1]
}

/// The depth of each vertex below the root: one more than that of its farthest user. So a leaf stands beside the operation
/// that uses it.
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

/// The number of bends if wires share them: the longest wire of each value has one in each rank that it passes.
pub(crate) fn bends(diagram: &Diagram, depths: &[usize]) -> usize {
    let mut longest = vec![1; depths.len()];
    for DiagramEdge { operand, user, .. } in diagram.edges() {
        longest[operand] = longest[operand].max(depths[operand] - depths[user]);
    }
    longest.into_iter().map(|length| length - 1).sum()
}
