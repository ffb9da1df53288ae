//! Layered graph drawing (Sugiyama's method): every node gets a rank, and every rank an order in which few wires cross.
//!
//! A value stands as near to its users as it can, so that a leaf is beside the operation that uses it. A wire that runs
//! past a rank has a bend there (a dummy node), which all wires that leave the same value share. Lengths are not known
//! here: coordinates come from `coordinates.rs`. The same graph always has the same layers, and nothing recurses.

use crate::report::Diagram;

/// The most bends of a graph whose wires leave values one by one.
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
    /// How many of the points are values.
    values: usize,
}

/// A value or a bend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Point {
    pub rank: usize,
    /// The points in the rank before that its wires come from, in the order of its operands.
    pub left: Vec<usize>,
    /// The points in the next rank that its wires go to, and which operand of that each is.
    pub right: Vec<(usize, usize)>,
}

/// The wire from an operand to its user.
pub(crate) struct Wire {
    pub user: usize,
    /// Which operand it is.
    pub position: usize,
    /// The points on its way: the operand, bends, the user.
    pub way: Vec<usize>,
}

/// How far from the root values stand, and whether the wires of a value share their bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fans {
    /// A value stands next to its first user, and its wires part as late as possible: few lines.
    Late,
    /// The wires of a value part at once, and there is a rank for it.
    AtOnce,
    /// So they do, and values of one level whose wires part stand in one rank, like the neurons of a layer.
    InLayers,
    /// The wires of a value part at once, and there is no rank for it, as in a network.
    Apart,
}

impl Fans {
    /// How far from the root each vertex stands.
    fn depths(self, diagram: &Diagram) -> Vec<usize> {
        match self {
            Fans::Late | Fans::Apart => depths(diagram),
            Fans::AtOnce => depths_with_fans(diagram, false),
            Fans::InLayers => depths_with_fans(diagram, true),
        }
    }
}

impl Layers {
    /// Ranks a diagram and orders the ranks. Wires that leave a value share their bends.
    pub(crate) fn new(diagram: &Diagram) -> Layers {
        let mut layers = Layers::ranked(diagram, Fans::Late);
        layers.reduce_crossings();
        layers
    }

    /// The same, but if wires cross, they may leave a value one by one where fewer cross then. Where the order of the
    /// operands is as good as one that was searched for, it is kept: it draws like parts alike.
    pub(crate) fn with_few_crossings(diagram: &Diagram) -> Layers {
        if diagram.network.is_some() {
            return Layers::of_network(diagram);
        }
        let mut best = Layers::new(diagram);
        let mut least = best.crossings();
        let may_part = |fans: Fans| bends(diagram, &fans.depths(diagram)) <= MOST_BENDS;
        if least > 0 && may_part(Fans::InLayers) {
            let mut alike = Layers::ranked(diagram, Fans::InLayers);
            alike.start(false);
            if alike.crossings() <= least {
                return alike;
            }
        }
        for fans in [Fans::AtOnce, Fans::InLayers] {
            if least > 0 && may_part(fans) {
                let mut other = Layers::ranked(diagram, fans);
                other.reduce_crossings();
                let crossings = other.crossings();
                if crossings < least {
                    (best, least) = (other, crossings);
                }
            }
        }
        best.kick();
        best
    }

    /// The layers of a network, whose wires part at once: leaves and neurons in their order if no more wires cross then.
    fn of_network(diagram: &Diagram) -> Layers {
        let fans = match bends(diagram, &depths(diagram)) {
            0..=MOST_BENDS => Fans::Apart,
            _ => Fans::Late,
        };
        let mut alike = Layers::ranked(diagram, fans);
        alike.start(false);
        let mut best = Layers::ranked(diagram, fans);
        best.reduce_crossings();
        if alike.crossings() <= best.crossings() {
            return alike;
        }
        best.kick();
        best
    }

    /// The ranks, in no order yet.
    fn ranked(diagram: &Diagram, fans: Fans) -> Layers {
        let depths = fans.depths(diagram);
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut points: Vec<Point> = depths
            .iter()
            .map(|depth| Point {
                rank: deepest - depth,
                ..Point::default()
            })
            .collect();
        // The bends of the wires that leave each vertex.
        let mut trunks: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            let rank = points[user].rank;
            for (position, &operand) in vertex.operands.iter().enumerate() {
                let first = points[operand].rank + 1;
                if fans != Fans::Late {
                    trunks[operand].clear();
                }
                while first + trunks[operand].len() < rank {
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
                let from = match rank - first {
                    0 => operand,
                    passed => trunks[operand][passed - 1],
                };
                points[user].left.push(from);
                points[from].right.push((user, position));
            }
        }
        Layers {
            places: vec![0; points.len()],
            ranks: Vec::new(),
            points,
            values: depths.len(),
        }
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

/// How many bends there are if each wire has its own.
fn bends(diagram: &Diagram, depths: &[usize]) -> usize {
    let lengths = diagram
        .edges()
        .map(|(operand, user, _)| depths[operand] - depths[user] - 1);
    lengths.sum()
}

/// How far from the root each vertex stands, with one rank more before the users of a value that has several; such
/// values of one level are equally far from the root if `in_layers`.
fn depths_with_fans(diagram: &Diagram, in_layers: bool) -> Vec<usize> {
    let count = diagram.vertices.len();
    let mut levels = vec![0; count];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (user, vertex) in diagram.vertices.iter().enumerate().rev() {
        for &operand in &vertex.operands {
            levels[user] = levels[user].max(levels[operand] + 1);
            if users[operand].last() != Some(&user) {
                users[operand].push(user);
            }
        }
    }
    // The users of a vertex have higher levels than it.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse(levels[vertex]));
    let mut depths = vec![0; count];
    for level in order.chunk_by(|&one, &other| levels[one] == levels[other]) {
        let mut farthest = 0;
        for &vertex in level {
            let next = users[vertex].iter().map(|&user| depths[user] + 1).max();
            let several = users[vertex].len() > 1;
            depths[vertex] = next.unwrap_or(0) + usize::from(several);
            if several {
                farthest = farthest.max(depths[vertex]);
            }
        }
        if in_layers {
            for &vertex in level.iter().filter(|&&vertex| users[vertex].len() > 1) {
                depths[vertex] = farthest;
            }
        }
    }
    depths
}
