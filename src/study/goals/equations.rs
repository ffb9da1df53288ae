//! Equations between nodes: what is asked of a search, how far a point is from solving them, and what was found.
//!
//! `solve` and `one_leaf` search.

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
    /// The sizes of the equations at the start, by which their differences are divided.
    sizes: Vec<f64>,
    /// The last values: all left sides, then all right sides.
    sides: Vec<f64>,
    /// Whether the last values were finite.
    pub(super) finite: bool,
}

impl Equations {
    pub(super) fn of(equations: &[Equation], leaves: &[Rc<Node>]) -> Equations {
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
        Equations {
            jacobian: Jacobian::of(&roots, leaves),
            sizes: equations.iter().map(size).collect(),
            sides: Vec::new(),
            finite: true,
        }
    }

    pub(super) fn pairs(&self) -> Vec<[f64; 2]> {
        let (left, right) = self.sides.split_at(self.sizes.len());
        left.iter()
            .zip(right)
            .map(|(&left, &right)| [left, right])
            .collect()
    }

    /// Whether the last values solve the equations, as well as can be told with rounded numbers: the sides are equal to
    /// 12 digits, or the step that Newton's method would take next is no change worth mentioning.
    pub(super) fn is_solved(
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
pub(super) struct Start {
    pub(super) point: Vec<f64>,
    pub(super) pairs: Vec<[f64; 2]>,
}

/// Sides that differ by less than this part are equal.
const EQUAL: f64 = 1e-12;
/// A step of less than this part of the way goes nowhere.
const SAME_POINT: f64 = 1e-8;

impl Residuals for Equations {
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
