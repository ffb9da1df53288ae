//! The differences of pairs of nodes as functions of some leaves, and the bounds within which these leaves stay.
//! `least_squares` brings the differences as near to 0 as it can.
//!
//! The pairs are the two sides of equations, or a model and its data.

use std::rc::Rc;

use super::least_squares::Residuals;
use chainrule_engine::graph::{Jacobian, Node, Order};

/// Left sides less right sides, each divided by a unit, which may depend on the leaves, too.
pub(super) struct Differences {
    jacobian: Jacobian,
    pub(super) leaves: usize,
    /// The right sides depend on the leaves too.
    right_moves: bool,
    units_move: bool,
    /// The sides at the last point.
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// What each difference is divided by.
    pub(super) units: Vec<f64>,
    /// Between which numbers each leaf stays, if some are bounded.
    pub(super) bounds: Vec<(f64, f64)>,
}

impl Differences {
    /// The units are nodes for each difference if they depend on the leaves, and else numbers.
    pub(super) fn of(
        left: &[Rc<Node>],
        right: &[Rc<Node>],
        leaves: &[Rc<Node>],
        units: Vec<f64>,
        moving_units: &[Rc<Node>],
    ) -> Differences {
        let below = Order::below(right);
        let right_moves = leaves.iter().any(|leaf| below.slot(leaf).is_some());
        let right_roots = if right_moves { right } else { &[] };
        let jacobian = Jacobian::of(&[left, right_roots, moving_units].concat(), leaves);
        let data = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.data()).collect();
        Differences {
            jacobian,
            leaves: leaves.len(),
            right_moves,
            units_move: !moving_units.is_empty(),
            left: data(left),
            right: data(right),
            units,
            bounds: Vec::new(),
        }
    }
}

impl Residuals for Differences {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        let count = self.left.len();
        self.left = self.jacobian.values(point);
        if self.units_move {
            self.units = self.left.split_off(self.left.len() - count);
        }
        if self.right_moves {
            self.right = self.left.split_off(count);
        }
        let sides = self.left.iter().zip(&self.right).zip(&self.units);
        sides
            .map(|((left, right), unit)| (left - right) / unit)
            .collect()
    }

    fn rows(&mut self) -> Vec<f64> {
        let mut rows = self.jacobian.rows();
        let size = self.left.len() * self.leaves;
        let by_units = self.units_move.then(|| rows.split_off(rows.len() - size));
        if self.right_moves {
            let right = rows.split_off(size);
            for (left, right) in rows.iter_mut().zip(right) {
                *left -= right;
            }
        }
        let n = self.leaves.max(1);
        if let Some(by_units) = by_units {
            let sides = self.left.iter().zip(&self.right).zip(&self.units);
            let residuals = sides.map(|((left, right), unit)| (left - right) / unit);
            let each = rows.chunks_exact_mut(n).zip(by_units.chunks_exact(n));
            for ((row, by_unit), residual) in each.zip(residuals) {
                for (slope, by_unit) in row.iter_mut().zip(by_unit) {
                    *slope -= residual * by_unit;
                }
            }
        }
        for (row, unit) in rows.chunks_exact_mut(n).zip(&self.units) {
            for slope in row {
                *slope /= unit;
            }
        }
        rows
    }

    fn bounds(&self) -> &[(f64, f64)] {
        &self.bounds
    }
}
