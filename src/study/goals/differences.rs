//! The differences of pairs of nodes as functions of some leaves, and the bounds within which these leaves stay.
//! `least_squares` brings the differences as near to 0 as it can.
//!
//! The pairs are the two sides of equations, or a model and its data.

use std::rc::Rc;

use super::least_squares::Residuals;
use chainrule_engine::graph::{Jacobian, Node, Order};

/// Left sides less right sides, each divided by a unit.
pub(super) struct Differences {
    jacobian: Jacobian,
    pub(super) leaves: usize,
    /// The right sides depend on the leaves too.
    right_moves: bool,
    /// The sides at the last point.
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// What each difference is divided by.
    pub(super) units: Vec<f64>,
    /// Between which numbers each leaf stays, if some are bounded.
    pub(super) bounds: Vec<(f64, f64)>,
}

impl Differences {
    pub(super) fn of(
        left: &[Rc<Node>],
        right: &[Rc<Node>],
        leaves: &[Rc<Node>],
        units: Vec<f64>,
    ) -> Differences {
        let below = Order::below(right);
        let right_moves = leaves.iter().any(|leaf| below.slot(leaf).is_some());
        let jacobian = if right_moves {
            Jacobian::of(&[left, right].concat(), leaves)
        } else {
            Jacobian::of(left, leaves)
        };
        let data = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.data()).collect();
        Differences {
            jacobian,
            leaves: leaves.len(),
            right_moves,
            left: data(left),
            right: data(right),
            units,
            bounds: Vec::new(),
        }
    }
}

/// The derivatives of nodes by leaves with these data, a row for each node.
pub(super) fn derivatives(nodes: &[Rc<Node>], by: &[Rc<Node>], at: &[f64]) -> Vec<Vec<f64>> {
    let mut jacobian = Jacobian::of(nodes, by);
    jacobian.values(at);
    let rows = jacobian.rows();
    rows.chunks(by.len()).map(<[f64]>::to_vec).collect()
}

impl Residuals for Differences {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        self.left = self.jacobian.values(point);
        if self.right_moves {
            self.right = self.left.split_off(self.units.len());
        }
        let sides = self.left.iter().zip(&self.right).zip(&self.units);
        sides
            .map(|((left, right), unit)| (left - right) / unit)
            .collect()
    }

    fn rows(&mut self) -> Vec<f64> {
        let mut rows = self.jacobian.rows();
        if self.right_moves {
            let right = rows.split_off(rows.len() / 2);
            for (left, right) in rows.iter_mut().zip(right) {
                *left -= right;
            }
        }
        for (row, unit) in rows.chunks_exact_mut(self.leaves.max(1)).zip(&self.units) {
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
