//! Solving equations: leaves at which pairs of nodes are equal.
//!
//! Newton's method on the exact Jacobian. A single leaf is kept between two points where the difference has opposite
//! signs, as soon as there are two. Several leaves go by least squares, which far away from a solution takes shorter
//! steps, and ends at the nearest point if there is none.

use std::rc::Rc;

use super::least_squares::{self, End, Residuals};
use super::linear::{Factors, dependence};
use crate::graph::{Jacobian, Node};

/// The most passes of one search.
pub(crate) const MOST_PASSES: u64 = 100;

/// Two nodes that should be equal.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) left: Rc<Node>,
    pub(crate) right: Rc<Node>,
}

/// Where a search ended.
#[derive(Debug)]
pub(crate) struct Solution {
    /// The data of the leaves.
    pub(crate) point: Vec<f64>,
    /// Left and right side of each equation there.
    pub(crate) sides: Vec<[f64; 2]>,
    pub(crate) passes: u64,
    pub(crate) end: SolutionEnd,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SolutionEnd {
    /// The equations hold.
    Solved,
    /// They do not; the point is the nearest that was found.
    NotFound,
    /// They do not, and not all of the leaves are determined: these, by place, can move together without an effect.
    Undetermined(Vec<usize>),
    /// They do not, and the way on leads to where something is not a finite number.
    Undefined,
    /// The host wanted to stop.
    Stopped,
}

/// Looks for data of the leaves at which the equations hold, beginning at their present data, where both sides are
/// finite. There are as many leaves as equations. `watch` hears of each pass and of how far away it is, and says
/// whether to go on.
pub(crate) fn solve(
    equations: &[Equation],
    leaves: &[Rc<Node>],
    mut watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Solution {
    let watch = &mut watch;
    let mut system = System::of(equations, leaves);
    let sides = equations
        .iter()
        .map(|equation| [equation.left.data(), equation.right.data()]);
    let from = Start {
        point: leaves.iter().map(|leaf| leaf.data()).collect(),
        pairs: sides.collect(),
    };
    match from.point[..] {
        [start] => one(&mut system, &from, start, watch),
        _ => several(&mut system, &from, watch),
    }
}

/// The differences of the sides of all equations.
struct System {
    jacobian: Jacobian,
    /// The sizes of the equations at the start, by which their differences are divided.
    sizes: Vec<f64>,
    /// The last values: all left sides, then all right sides.
    sides: Vec<f64>,
    /// Whether the last values were finite.
    finite: bool,
}

impl System {
    fn of(equations: &[Equation], leaves: &[Rc<Node>]) -> System {
        let left = equations.iter().map(|equation| Rc::clone(&equation.left));
        let right = equations.iter().map(|equation| Rc::clone(&equation.right));
        let roots: Vec<Rc<Node>> = left.chain(right).collect();
        let size = |equation: &Equation| {
            let [left, right] = [&equation.left, &equation.right].map(|side| side.data().abs());
            let larger = left.max(right);
            if larger > 0.0 && equations.len() > 1 {
                larger
            } else {
                1.0
            }
        };
        System {
            jacobian: Jacobian::of(&roots, leaves),
            sizes: equations.iter().map(size).collect(),
            sides: Vec::new(),
            finite: true,
        }
    }

    fn pairs(&self) -> Vec<[f64; 2]> {
        let (left, right) = self.sides.split_at(self.sizes.len());
        left.iter()
            .zip(right)
            .map(|(&left, &right)| [left, right])
            .collect()
    }

    /// Whether the last values solve the equations, as well as can be told with rounded numbers: the sides are equal to
    /// 12 digits, or the step that Newton's method would take next is no change worth mentioning.
    fn is_solved(
        &self,
        from: &Start,
        point: &[f64],
        next: impl FnOnce() -> Option<Vec<f64>>,
    ) -> bool {
        let off = |[left, right]: [f64; 2]| (left - right).abs();
        let equal =
            |&[left, right]: &[f64; 2]| off([left, right]) <= EQUAL * left.abs().max(right.abs());
        if self.pairs().iter().all(equal) {
            return true;
        }
        // Where a leaf becomes 0, no step is small beside it, but the sides have come close.
        let close = |(now, before): (&[f64; 2], &[f64; 2])| off(*now) <= SAME_POINT * off(*before);
        let close = self.pairs().iter().zip(&from.pairs).all(close);
        let negligible = |((step, x), start): ((f64, &f64), &f64)| {
            let way = if close { (x - start).abs() } else { 0.0 };
            step.abs() <= SAME_POINT * x.abs().max(way)
        };
        next().is_some_and(|steps| {
            steps
                .into_iter()
                .zip(point)
                .zip(&from.point)
                .all(negligible)
        })
    }
}

/// Where a search begins.
struct Start {
    point: Vec<f64>,
    pairs: Vec<[f64; 2]>,
}

/// Sides that differ by less than this part are equal.
const EQUAL: f64 = 1e-12;
/// A step of less than this part of the way goes nowhere.
const SAME_POINT: f64 = 1e-8;

impl Residuals for System {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        self.sides = self.jacobian.values(point);
        self.finite = self.sides.iter().all(|side| side.is_finite());
        let pairs = self.pairs().into_iter().zip(&self.sizes);
        pairs
            .map(|([left, right], size)| (left - right) / size)
            .collect()
    }

    fn rows(&mut self) -> Vec<f64> {
        let mut rows = self.jacobian.rows();
        let right = rows.split_off(rows.len() / 2);
        let columns = rows.len() / self.sizes.len();
        for (place, (left, right)) in rows.iter_mut().zip(right).enumerate() {
            *left = (*left - right) / self.sizes[place / columns];
        }
        rows
    }
}

fn several(
    system: &mut System,
    from: &Start,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> Solution {
    let found = least_squares::search(system, &from.point, FIRST_RADIUS, MOST_PASSES, watch);
    let went_out = !system.finite;
    system.values(&found.point);
    let n = from.point.len();
    let units = least_squares::lengths(&found.rows, n);
    let factors = Factors::of(
        &least_squares::divided(&found.rows, &units),
        n,
        &found.residuals,
    );
    let rank = factors.rank(least_squares::NEGLIGIBLE);
    let step = || {
        let parts = factors.solve(n).into_iter().zip(&units);
        (rank == n).then(|| parts.map(|(part, unit)| part / unit).collect())
    };
    let end = if system.is_solved(from, &found.point, step) {
        SolutionEnd::Solved
    } else if found.end == End::Stopped {
        SolutionEnd::Stopped
    } else if rank < n {
        SolutionEnd::Undetermined(dependence(&factors, &units, rank))
    } else if went_out {
        SolutionEnd::Undefined
    } else {
        SolutionEnd::NotFound
    };
    Solution {
        sides: system.pairs(),
        point: found.point,
        passes: found.passes,
        end,
    }
}

/// Newton's step is first taken as it is.
const FIRST_RADIUS: f64 = 100.0;

/// A point of a single leaf, with the difference of the sides there and its slope.
#[derive(Clone, Copy, Debug)]
struct Point {
    x: f64,
    off: f64,
    slope: f64,
}

impl Point {
    fn is_on_other_side_of(&self, other: &Point) -> bool {
        self.off.signum() != other.off.signum()
    }
}

/// A search with one leaf.
struct OneLeaf<'s> {
    system: &'s mut System,
    passes: u64,
    /// The nearest point so far.
    nearest: Point,
    /// Where the next step begins.
    here: Point,
    /// Two points on both sides, if some were found, the nearer one first.
    bracket: Option<[Point; 2]>,
    /// How often the bracket has become smaller by less than half since the last time it did.
    slow: u32,
    /// A step led to where something is not finite.
    went_out: bool,
}

fn one(
    system: &mut System,
    from: &Start,
    start: f64,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> Solution {
    let mut search = OneLeaf::at(system, start);
    let mut looked_around = false;
    let end = loop {
        if search.here.off == 0.0 {
            break SolutionEnd::Solved;
        }
        if !watch(search.passes, search.nearest.off.abs()) {
            break SolutionEnd::Stopped;
        }
        let moves = match search.bracket {
            _ if search.passes >= MOST_PASSES => false,
            Some(bracket) => search.narrow(bracket),
            None => {
                search.descend()
                    || !std::mem::replace(&mut looked_around, true) && search.look_around(start)
            }
        };
        if !moves {
            break search.end(from);
        }
    };
    if end == SolutionEnd::NotFound {
        search.settle(start);
    }
    let (point, passes) = (vec![search.nearest.x], search.passes);
    system.values(&point);
    Solution {
        sides: system.pairs(),
        point,
        passes,
        end,
    }
}

impl<'s> OneLeaf<'s> {
    fn at(system: &'s mut System, start: f64) -> OneLeaf<'s> {
        let off = system.values(&[start])[0];
        let here = Point {
            x: start,
            off,
            slope: system.rows()[0],
        };
        OneLeaf {
            system,
            passes: 1,
            nearest: here,
            here,
            bracket: None,
            slow: 0,
            went_out: false,
        }
    }

    /// The difference at a point, if both sides are finite there.
    fn off(&mut self, x: f64) -> Option<f64> {
        let off = self.system.values(&[x])[0];
        self.went_out |= !self.system.finite;
        self.system.finite.then_some(off)
    }

    /// The point at which `off` was asked for last.
    fn point(&mut self, x: f64, off: f64) -> Point {
        self.passes += 1;
        let point = Point {
            x,
            off,
            slope: self.system.rows()[0],
        };
        if off.abs() < self.nearest.off.abs() {
            self.nearest = point;
        }
        point
    }

    /// Newton's step from here, halved until the difference falls or changes its sign.
    fn descend(&mut self) -> bool {
        let from = self.here;
        let mut step = from.off / from.slope;
        while step.is_finite() && from.x - step != from.x {
            let x = from.x - step;
            if let Some(off) = self.off(x)
                && (off.abs() < from.off.abs() || off.signum() != from.off.signum())
            {
                let to = self.point(x, off);
                self.take(from, to);
                return true;
            }
            step /= 2.0;
        }
        false
    }

    /// Continues from `to`, between it and `from` if they are on both sides.
    fn take(&mut self, from: Point, to: Point) {
        let [near, far] = if to.off.abs() < from.off.abs() {
            [to, from]
        } else {
            [from, to]
        };
        self.here = near;
        self.bracket = to.is_on_other_side_of(&from).then_some([near, far]);
    }

    /// Newton's step within the bracket; its middle if the step leaves it or the bracket shrinks slowly.
    fn narrow(&mut self, [near, far]: [Point; 2]) -> bool {
        let middle = middle(near.x, far.x);
        let newton = near.x - near.off / near.slope;
        let (least, most) = (near.x.min(far.x), near.x.max(far.x));
        let inside = |x: f64| least < x && x < most;
        let x = if inside(newton) && self.slow < 2 {
            newton
        } else {
            middle
        };
        if !inside(x) {
            // The two points are neighbours. At a pole the difference changes its sign without being 0 anywhere.
            return near.off.abs() > self.nearest.off.abs() && {
                (self.here, self.bracket) = (self.nearest, None);
                true
            };
        }
        let Some(off) = self.off(x) else { return false };
        let to = self.point(x, off);
        let other = if to.is_on_other_side_of(&near) {
            near
        } else {
            far
        };
        self.slow = if (to.x - other.x).abs() > (most - least) / 2.0 {
            self.slow + 1
        } else {
            0
        };
        if off == 0.0 {
            self.here = to;
            return true;
        }
        self.take(other, to);
        true
    }

    /// Looks for a point on the other side, or for one that is clearly nearer, at ever larger distances.
    fn look_around(&mut self, start: f64) -> bool {
        let from = self.here;
        let mut distance = 1e-3 * from.x.abs().max(start.abs()).max(1.0);
        let mut ends = [from.x, from.x];
        let mut nearest = None;
        for _ in 0..DISTANCES {
            for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                let x = from.x + sign * distance;
                let Some(off) = self.off(x) else { continue };
                if off.signum() != from.off.signum() {
                    let beyond = self.point(x, off);
                    let Some(off) = self.off(*end) else {
                        return false;
                    };
                    let before = self.point(*end, off);
                    self.take(before, beyond);
                    return true;
                }
                *end = x;
                if off.abs() < 0.9 * nearest.map_or(from.off, |(_, off): (f64, f64)| off).abs() {
                    nearest = Some((x, off));
                }
            }
            distance *= 2.0;
        }
        let Some((x, _)) = nearest else { return false };
        if let Some(off) = self.off(x) {
            self.here = self.point(x, off);
        }
        true
    }

    /// How a search ends that cannot go on.
    fn end(&mut self, from: &Start) -> SolutionEnd {
        let Point { x, off, slope } = self.nearest;
        self.off(x);
        if self
            .system
            .is_solved(from, &[x], || slope.is_finite().then(|| vec![off / slope]))
        {
            SolutionEnd::Solved
        } else if self.went_out && self.bracket.is_none() {
            SolutionEnd::Undefined
        } else {
            SolutionEnd::NotFound
        }
    }

    /// Moves to where the difference is least, if its slope changes sign close to the nearest point.
    fn settle(&mut self, start: f64) {
        let nearest = self.nearest;
        let around = 1e-3 * nearest.x.abs().max(start.abs()).max(1e-3);
        let (mut low, mut high) = (nearest.x - around, nearest.x + around);
        // How the distance of the sides changes to the right.
        let mut rises = |x: f64| {
            let off = self.off(x)?;
            Some(self.system.rows()[0] * off.signum() > 0.0)
        };
        if (rises(low), rises(high)) != (Some(false), Some(true)) {
            return;
        }
        for _ in 0..HALVINGS {
            let middle = low + (high - low) / 2.0;
            match rises(middle) {
                Some(true) => high = middle,
                Some(false) => low = middle,
                None => return,
            }
        }
        let round = if low.abs() < 1e-9 * around { 0.0 } else { low };
        if let Some(off) = self.off(round)
            && off.abs() <= nearest.off.abs()
        {
            self.nearest = self.point(round, off);
        }
    }
}

/// The middle between two numbers. If they are of very different sizes it is the one that has as many doubles on each
/// side.
fn middle(one: f64, other: f64) -> f64 {
    if (one - other).abs() < 1e3 * one.abs().min(other.abs()).max(1.0) {
        return one + (other - one) / 2.0;
    }
    let place = |x: f64| {
        if x < 0.0 {
            -(x.abs().to_bits() as i64)
        } else {
            x.to_bits() as i64
        }
    };
    let middle = i64::midpoint(place(one), place(other));
    let size = f64::from_bits(middle.unsigned_abs());
    if middle < 0 { -size } else { size }
}

/// How often the way to the nearest point is halved: until the numbers have no digits left.
const HALVINGS: u32 = 64;
/// How many distances are tried, each twice the one before.
const DISTANCES: u32 = 40;
