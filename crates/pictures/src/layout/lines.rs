//! Chooses the line of each point in its rank: wires are as straight as the order allows, and no points overlap.
//!
//! Each rank keeps its order. Wires pull like springs. Sweeps over the ranks bring one rank at a time to rest with the
//! pool-adjacent-violators algorithm: a point goes where its springs pull it, and points that would then overlap are
//! pooled and move as one. A pool rests at the weighted median of its pulls. The median minimizes the sum of distances,
//! so most wires are straight. Lines are whole units, so halves are rounded towards 0. The result is the state with the
//! lowest cost after a sweep.

use super::layers::{Layers, Point};
use chainrule_stop as stop;

/// The size of a point: of the box of a value with its operation before it, or of a bend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointSize {
    /// The units across the picture before the point's line.
    pub before: usize,
    /// The units across the picture after the point's line.
    pub after: usize,
    /// The length of the operation along the picture; 0 if there is none.
    pub operation: usize,
    /// The length of the value along the picture; `None` for a bend.
    pub value: Option<usize>,
    /// The distance between the ports of the operands; 0 if all wires end in one port.
    pub ports: usize,
    /// Whether the value becomes as long as the longest value of the rank.
    pub is_stretched: bool,
    /// The position of the operand that has the same line; `None` if the point is in the middle of all operands.
    pub aligned_with: Option<usize>,
}

/// The strength of the spring of a wire that should be straight: a wire through a bend, or from an only operand.
const STIFF_PULL: f64 = 8.0;
/// The strength of the spring of a wire from one of several operands, which should be near their operation.
const SOFT_PULL: f64 = 2.0;
/// The most sweeps over all ranks.
const SWEEPS: usize = 16;

// The cost of a state is a sum of lengths, each times its weight. The weight of the distance between an operation and
// one of its several operands is 1.
/// The fixed cost of a wire from an only operand that is not straight.
const BENT_WIRE_COST: f64 = 2.0;
/// The cost of a unit between the two lines of a wire from an only operand.
const ONLY_OPERAND_COST: f64 = 4.0;
/// The cost of a unit between an operation and the middle of its operands. A picture looks calmer with the operation in the
/// middle than nearer to its user.
const OFF_MIDDLE_COST: f64 = 2.0;
/// The cost of a unit of the picture's extent across.
const EXTENT_COST: f64 = 4.0;

/// Chooses the line of every point. Neighbours are at least `gap` units apart.
pub(crate) fn point_lines(layers: &Layers, sizes: &[PointSize], gap: usize) -> Vec<i64> {
    let springs = springs(layers, sizes);
    // Each line is one unit wide.
    let mut solver = Solver::new(layers, sizes, &springs, (gap + 1) as f64);
    let (mut least_cost, mut best_lines) = (f64::INFINITY, solver.lines.clone());
    for sweep in 0..SWEEPS {
        let is_backward = sweep % 2 == 1;
        // The first half of the sweeps obey the springs of one side only, so that whole trees can move.
        let has_both_sides = sweep >= SWEEPS / 2;
        let moved = solver.sweep(is_backward, has_both_sides);
        if has_both_sides && moved == 0.0 {
            break;
        }
        let new_cost = cost(layers, sizes, &solver.lines);
        if new_cost < least_cost {
            least_cost = new_cost;
            best_lines.clone_from(&solver.lines);
        }
    }
    best_lines.into_iter().map(|line| line as i64).collect()
}

/// The springs of each point: one to its operands, and one to each user.
fn springs(layers: &Layers, sizes: &[PointSize]) -> Vec<Vec<Spring>> {
    let mut springs = vec![Vec::new(); sizes.len()];
    for (user, (point, size)) in layers.points.iter().zip(sizes).enumerate() {
        let count = point.left.len() as i64;
        let ports = layers.ports(user);
        for (position, (&operand, port)) in point.left.iter().zip(ports).enumerate() {
            let is_aligned = size.aligned_with == Some(position);
            let is_straight = is_aligned || count == 1;
            // The distance of the operand from the middle if all operands were side by side.
            let extent = (sizes[operand].before + sizes[operand].after + 1).max(size.ports);
            let offset = (2 * port as i64 - count + 1) as f64 * extent as f64 / 2.0;
            springs[operand].push(Spring {
                to: [user, user],
                below: if is_aligned { 0.0 } else { offset.trunc() },
                strength: if is_straight { STIFF_PULL } else { SOFT_PULL },
            });
        }
        if let Some(to) = outer_operands(layers, point, size) {
            springs[user].push(Spring {
                to,
                below: 0.0,
                // The spring to two operands pulls as the springs of both together.
                strength: match to {
                    [one, other] if one == other => STIFF_PULL,
                    _ => 2.0 * SOFT_PULL,
                },
            });
        }
    }
    springs
}

/// The two operands in whose middle a point should be: the outermost ones, or twice the operand with the same line.
/// Returns `None` for a leaf.
fn outer_operands(layers: &Layers, point: &Point, size: &PointSize) -> Option<[usize; 2]> {
    if let Some(position) = size.aligned_with {
        return Some([point.left[position]; 2]);
    }
    let place = |operand: &&usize| layers.places[**operand];
    let first = point.left.iter().min_by_key(place)?;
    let last = point.left.iter().max_by_key(place)?;
    Some([*first, *last])
}

/// The cost of a state: wires should be straight, operations in the middle of their operands, and the picture narrow.
fn cost(layers: &Layers, sizes: &[PointSize], lines: &[f64]) -> f64 {
    let mut cost = 0.0;
    let (mut begin, mut end) = (f64::INFINITY, f64::NEG_INFINITY);
    for ((point, size), line) in layers.points.iter().zip(sizes).zip(lines) {
        begin = begin.min(line - size.before as f64);
        end = end.max(line + size.after as f64);
        let distance = |to: f64| (to - line).abs();
        match (&point.left[..], outer_operands(layers, point, size)) {
            (&[operand], _) => {
                let offset = distance(lines[operand]);
                cost += ONLY_OPERAND_COST * offset + BENT_WIRE_COST * offset.min(1.0);
            }
            (operands, Some([first, last])) => {
                for &operand in operands {
                    cost += distance(lines[operand]);
                }
                cost += OFF_MIDDLE_COST * distance(middle(lines[first], lines[last]));
            }
            (_, None) => {}
        }
    }
    cost + EXTENT_COST * (end - begin)
}

/// A spring towards a neighbouring rank.
#[derive(Clone, Copy, Debug)]
struct Spring {
    /// The two points towards whose middle the spring pulls. They may be the same point.
    to: [usize; 2],
    /// The distance from this middle down to the line to which the spring pulls.
    below: f64,
    strength: f64,
}

/// The state of the search for lines.
struct Solver<'a> {
    layers: &'a Layers,
    sizes: &'a [PointSize],
    /// The springs of each point.
    springs: &'a [Vec<Spring>],
    /// The least room between two neighbours.
    gap: f64,
    /// The line of every point, a whole number.
    lines: Vec<f64>,
}

/// Points of a rank that move as one, each at a fixed distance from the first.
struct Pool {
    /// The line on which the first point rests.
    first_line: f64,
    /// The lines to which the springs pull the first point, ascending, each with a strength.
    pulls: Vec<(f64, f64)>,
    /// The number of points.
    count: usize,
}

impl<'a> Solver<'a> {
    /// The state in which the points of each rank are as close to each other as they may be.
    fn new(
        layers: &'a Layers,
        sizes: &'a [PointSize],
        springs: &'a [Vec<Spring>],
        gap: f64,
    ) -> Solver<'a> {
        let mut solver = Solver {
            layers,
            sizes,
            springs,
            gap,
            lines: vec![0.0; sizes.len()],
        };
        for points in &layers.ranks {
            for (&point, line) in points.iter().zip(solver.packed_lines(points)) {
                solver.lines[point] = line;
            }
        }
        solver
    }

    /// Brings one rank after the other to rest, and returns the longest distance that a point moved. Springs towards the
    /// ranks that come later in the sweep pull only if `has_both_sides` is set.
    fn sweep(&mut self, is_backward: bool, has_both_sides: bool) -> f64 {
        let count = self.layers.ranks.len();
        let mut moved: f64 = 0.0;
        for step in 0..count {
            let rank = if is_backward { count - 1 - step } else { step };
            let obeys = |neighbour: usize| has_both_sides || (neighbour > rank) == is_backward;
            moved = moved.max(self.settle(rank, obeys));
        }
        moved
    }

    /// The lines of a rank whose points are as close to each other as they may be, with the first unit at 0.
    fn packed_lines(&self, points: &[usize]) -> Vec<f64> {
        let mut lines = Vec::with_capacity(points.len());
        let mut end = 0.0;
        for &point in points {
            let size = &self.sizes[point];
            let line = end + size.before as f64;
            lines.push(line);
            end = line + size.after as f64 + self.gap;
        }
        lines
    }

    /// Brings a rank to rest, and returns the longest distance that a point moved. The lines minus the packed lines must
    /// not decrease from one point to the next (isotonic regression), so neighbours that violate this are pooled.
    /// `obeys` says whether springs towards a rank pull.
    fn settle(&mut self, rank: usize, obeys: impl Fn(usize) -> bool) -> f64 {
        let points = &self.layers.ranks[rank];
        let offsets = self.packed_lines(points);
        let mut pools: Vec<Pool> = Vec::with_capacity(points.len());
        for (&point, offset) in points.iter().zip(&offsets) {
            let mut pool = self.pool(point, &obeys, *offset);
            stop::ask_now();
            while let Some(above) = pools.pop_if(|above| above.first_line > pool.first_line) {
                pool = above.join(pool);
            }
            pools.push(pool);
        }
        let repeat = |pool: &Pool| std::iter::repeat_n(pool.first_line, pool.count);
        let settled = pools.iter().flat_map(repeat);
        let mut moved: f64 = 0.0;
        for ((&point, first_line), offset) in points.iter().zip(settled).zip(offsets) {
            let line = &mut self.lines[point];
            moved = moved.max((*line - first_line - offset).abs());
            *line = first_line + offset;
        }
        moved
    }

    /// The pool of one point, whose packed line is `offset`.
    fn pool(&self, point: usize, obeys: impl Fn(usize) -> bool, offset: f64) -> Pool {
        // A weak pull towards its present place, so that a point without springs stays.
        let mut pulls = vec![(self.lines[point] - offset, 1.0)];
        for spring in &self.springs[point] {
            if obeys(self.layers.points[spring.to[0]].rank) {
                let [first, last] = spring.to.map(|end| self.lines[end]);
                let target = middle(first, last) + spring.below;
                pulls.push((target - offset, spring.strength));
            }
        }
        Pool::new(pulls, 1)
    }
}

/// The line in the middle between two lines.
fn middle(first: f64, last: f64) -> f64 {
    f64::midpoint(first, last).trunc()
}

impl Pool {
    /// A pool of `count` points with these pulls.
    fn new(mut pulls: Vec<(f64, f64)>, count: usize) -> Pool {
        Pool {
            first_line: weighted_median(&mut pulls),
            pulls,
            count,
        }
    }

    /// Merges two pools that would overlap. Both have sorted pulls, which the sort in [`weighted_median`] merges in linear
    /// time.
    fn join(mut self, below: Pool) -> Pool {
        self.pulls.extend(below.pulls);
        Pool::new(self.pulls, self.count + below.count)
    }
}

/// Sorts the pulls and finds their weighted median, which has half of the strength on either side. If all lines between two
/// pulls have this property, the median is their middle.
fn weighted_median(pulls: &mut [(f64, f64)]) -> f64 {
    let whole: f64 = pulls.iter().map(|(_, strength)| strength).sum();
    pulls.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut twice_so_far = 0.0;
    for (index, &(line, strength)) in pulls.iter().enumerate() {
        twice_so_far += 2.0 * strength;
        if twice_so_far >= whole {
            let next = pulls.get(index + 1).filter(|_| twice_so_far == whole);
            return next.map_or(line, |&(next_line, _)| middle(line, next_line));
        }
    }
    // There are no pulls.
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Builder, random};

    /// Points of height 10.
    fn sizes(layers: &Layers) -> Vec<PointSize> {
        let size = PointSize {
            before: 5,
            after: 5,
            ..PointSize::default()
        };
        vec![size; layers.points.len()]
    }

    /// A spring for every wire.
    fn wire_springs(layers: &Layers) -> Vec<Vec<Spring>> {
        let spring = |&to: &usize| Spring {
            to: [to; 2],
            below: 0.0,
            strength: 1.0,
        };
        let points = layers.points.iter();
        points
            .map(|point| {
                let users = point.right.iter().map(|end| &end.point);
                point.left.iter().chain(users).map(spring).collect()
            })
            .collect()
    }

    fn settle_all(solver: &mut Solver) {
        solver.sweep(false, false);
        solver.sweep(true, false);
        for round in 0..60 {
            solver.sweep(round % 2 == 0, true);
        }
    }

    #[test]
    fn one_between_two() {
        let mut graph = Builder::default();
        let [a, b] = ["a", "b"].map(|name| graph.leaf(name, 1.0));
        let sum = graph.apply("a + b", "+", &[a, b], 1.0);
        graph.apply("y", "sin", &[sum], 1.0);
        let layers = Layers::new(&graph.diagram());
        let (sizes, springs) = (sizes(&layers), wire_springs(&layers));
        let mut solver = Solver::new(&layers, &sizes, &springs, 6.0);
        settle_all(&mut solver);
        // The order is newest first, as in a diagram.
        let [y, sum, b, a] = solver.lines[..] else {
            panic!("there are four");
        };
        assert!(((b - a).abs() - 16.0).abs() < 1e-9, "{a} {b}");
        // Every place between the two has the same total distance.
        assert!((a.min(b)..=a.max(b)).contains(&sum), "{sum} {a} {b}");
        assert!((a.min(b)..=a.max(b)).contains(&y), "{y} {a} {b}");
    }

    #[test]
    fn neighbours_never_touch() {
        // Thirty leaves pull on one node, and it pulls on all of them.
        let mut star = Builder::default();
        let leaves: Vec<usize> = (0..30).map(|_| star.leaf("x", 1.0)).collect();
        star.apply("y", "max", &leaves, 1.0);
        let random_diagrams = (0..20).map(|seed| random(seed, 5, 30));
        for diagram in random_diagrams.chain([star.diagram()]) {
            let layers = Layers::new(&diagram);
            let (sizes, springs) = (sizes(&layers), wire_springs(&layers));
            let mut solver = Solver::new(&layers, &sizes, &springs, 4.0);
            settle_all(&mut solver);
            let at = &solver.lines;
            for points in &layers.ranks {
                for pair in points.windows(2) {
                    assert!(at[pair[1]] - at[pair[0]] >= 14.0, "{at:?}");
                }
            }
            assert!(at.iter().all(|at| at.fract() == 0.0), "{at:?}");
        }
    }

    /// Compares the place where a pool rests with many other places.
    #[test]
    fn a_pool_rests_where_the_cost_is_least() {
        let pulls = [(3.0, 2.0), (-7.0, 1.0), (12.0, 2.0), (4.0, 1.0), (4.0, 3.0)];
        for count in 1..=pulls.len() {
            let cost = |at: f64| -> f64 {
                let pulls = pulls[..count].iter();
                pulls.map(|(to, strength)| strength * (to - at).abs()).sum()
            };
            let pools = pulls[..count].iter().map(|pull| Pool::new(vec![*pull], 1));
            let pool = pools.reduce(Pool::join);
            let rest = pool.map_or(f64::NAN, |pool| pool.first_line);
            let least = cost(rest);
            for unit in -100..=200 {
                let other = cost(f64::from(unit) / 10.0);
                assert!(least <= other + 1e-9, "{count}: {rest}");
            }
        }
    }
}
