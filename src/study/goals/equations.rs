//! Equations between nodes: what is asked of a search, how far a point is from solving them, and what was found.
//!
//! `solve` searches.

use std::rc::Rc;

use super::least_squares::Residuals;
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

/// The differences of the sides of all equations.
pub(super) struct Equations {
    jacobian: Jacobian,
    /// The data of the leaves at first.
    pub(super) start: Vec<f64>,
    /// How large the right sides are there, or the left ones where those are 0: their differences are divided by it.
    sizes: Vec<f64>,
    /// The last values: all left sides, then all right sides.
    sides: Vec<f64>,
}

/// Sides that differ by less than this part are equal.
const EQUAL: f64 = 1e-12;
/// Sides that differ by less than this part are nearly so.
const SIX_DIGITS: f64 = 1e-6;
/// How much larger the first leaf is at a point next to another.
const PERCENT: f64 = 0.03;
/// The first distance at which another value of a single leaf is tried, as a part of the first one, and how often the
/// distance is doubled.
const NEAR: f64 = 1e-3;
const DISTANCES: i32 = 40;
/// How often the way between two values is halved, at most.
const HALVINGS: u32 = 1_100;

impl Equations {
    pub(super) fn of(equations: &[Equation], leaves: &[Rc<Node>]) -> Equations {
        let left = equations.iter().map(|equation| Rc::clone(&equation.left));
        let right = equations.iter().map(|equation| Rc::clone(&equation.right));
        let roots: Vec<Rc<Node>> = left.chain(right).collect();
        let size = |equation: &Equation| {
            let sides = [&equation.right, &equation.left].map(|side| side.data().abs());
            let first = sides.into_iter().find(|side| *side > 0.0);
            first.filter(|_| equations.len() > 1).unwrap_or(1.0)
        };
        Equations {
            jacobian: Jacobian::of(&roots, leaves),
            start: leaves.iter().map(|leaf| leaf.data()).collect(),
            sizes: equations.iter().map(size).collect(),
            sides: Vec::new(),
        }
    }

    pub(super) fn pairs(&self) -> Vec<[f64; 2]> {
        let (left, right) = self.sides.split_at(self.sizes.len());
        left.iter()
            .zip(right)
            .map(|(&left, &right)| [left, right])
            .collect()
    }

    /// A value of a single leaf at which the sides of its equation come together: between two at which they differ to
    /// opposite directions, found at distances from `start` that are doubled. At a pole the sides do not come together.
    pub(super) fn between_sides(
        &mut self,
        start: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<f64> {
        let unit = NEAR * start.abs().max(1.0);
        let first = self.values(&[start])[0];
        let mut last = [(start, first); 2];
        for doubling in 0..DISTANCES {
            for (side, sign) in last.iter_mut().zip([1.0, -1.0]) {
                if !go_on() {
                    return None;
                }
                let x = start + sign * unit * 2_f64.powi(doubling);
                let off = self.values(&[x])[0];
                if off * side.1 < 0.0 {
                    let found = self.halved(*side, (x, off), go_on);
                    if found.is_some() {
                        return found;
                    }
                }
                if off.is_finite() {
                    *side = (x, off);
                }
            }
        }
        None
    }

    /// Where the sides come together between two values.
    fn halved(
        &mut self,
        mut one: (f64, f64),
        mut other: (f64, f64),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<f64> {
        let before = one.1.abs().min(other.1.abs());
        for _ in 0..HALVINGS {
            let x = f64::midpoint(one.0, other.0);
            let off = self.values(&[x])[0];
            if x == one.0 || x == other.0 || off.is_nan() || !go_on() {
                break;
            }
            if off * one.1 > 0.0 {
                one = (x, off);
            } else {
                other = (x, off);
            }
        }
        let nearer = if one.1.abs() < other.1.abs() {
            one
        } else {
            other
        };
        (nearer.1.abs() < before).then_some(nearer.0)
    }

    /// Whether a point solves the equations, as well as can be told with rounded numbers: the sides are equal to 12
    /// digits, or to 6 if they change so fast that more cannot be had. Beside 0 no number is small; there the sides must
    /// differ by less than 1e-12 of what they do where each leaf is some percent larger.
    pub(super) fn is_solved(&mut self, point: &[f64]) -> bool {
        let larger = point
            .iter()
            .zip(1..)
            .map(|(x, k)| x + PERCENT * x * f64::from(k));
        self.values(&larger.collect::<Vec<f64>>());
        let around = self.pairs();
        self.values(point);
        let mut each = self.pairs().into_iter().zip(around);
        each.all(|(now, around)| {
            let is_zero = (0..2).any(|side| now[side] == 0.0 && around[side] == 0.0);
            let is_exact = off(now) <= EQUAL * off(around) && off(around).is_finite();
            let is_equal = |part: f64| off(now) <= part * size(now) && off(now).is_finite();
            is_equal(EQUAL) || is_exact && (is_zero || is_equal(SIX_DIGITS))
        })
    }
}

/// How much two sides differ.
fn off([left, right]: [f64; 2]) -> f64 {
    (left - right).abs()
}

/// How large two sides are.
fn size([left, right]: [f64; 2]) -> f64 {
    left.abs().max(right.abs())
}

impl Residuals for Equations {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        self.sides = self.jacobian.values(point);
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
