//! Computes the differences of pairs of nodes as functions of some leaves, with the bounds within which these leaves stay.
//! `least_squares` makes the differences small.
//!
//! The pairs are the two sides of equations, or a model and its data.

use std::rc::Rc;

use super::least_squares::Residuals;
use chainrule_engine::graph::{Jacobian, Node, Order};

/// Left sides less right sides, each divided by a unit. Right sides and units may depend on the leaves, too.
pub(crate) struct Differences {
    /// The roots are the left sides, then the right sides and the units if they move.
    jacobian: Jacobian,
    /// The number of leaves.
    pub(crate) leaves: usize,
    /// Whether the right sides depend on the leaves, too.
    has_moving_right_sides: bool,
    pub(crate) has_moving_units: bool,
    /// The sides at the last point.
    pub(crate) left: Vec<f64>,
    pub(crate) right: Vec<f64>,
    /// The divisor of each difference.
    pub(crate) units: Vec<f64>,
    /// The least and the greatest number that each leaf may be; empty if none is bounded.
    pub(crate) bounds: Vec<(f64, f64)>,
}

impl Differences {
    /// Returns the differences of two lists of nodes. Units that depend on the leaves are the nodes `moving_units`, one
    /// for each difference; if there are none, the units are the numbers `units`.
    pub(crate) fn of(
        left: &[Rc<Node>],
        right: &[Rc<Node>],
        leaves: &[Rc<Node>],
        units: Vec<f64>,
        moving_units: &[Rc<Node>],
    ) -> Differences {
        let below = Order::below(right);
        let has_moving_right_sides = leaves.iter().any(|leaf| below.slot(leaf).is_some());
        let right_roots = if has_moving_right_sides { right } else { &[] };
        let jacobian = Jacobian::of(&[left, right_roots, moving_units].concat(), leaves);
        let data = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.data()).collect();
        Differences {
            jacobian,
            leaves: leaves.len(),
            has_moving_right_sides,
            has_moving_units: !moving_units.is_empty(),
            left: data(left),
            right: data(right),
            units,
            bounds: Vec::new(),
        }
    }

    /// Returns the differences in their units, at the last point.
    fn in_units(&self) -> impl Iterator<Item = f64> {
        let sides = self.left.iter().zip(&self.right).zip(&self.units);
        sides.map(|((left, right), unit)| (left - right) / unit)
    }
}

impl Residuals for Differences {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        let count = self.left.len();
        self.left = self.jacobian.values(point);
        // The roots are left sides, right sides, units: the last part is split off first.
        if self.has_moving_units {
            self.units = self.left.split_off(self.left.len() - count);
        }
        if self.has_moving_right_sides {
            self.right = self.left.split_off(count);
        }
        self.in_units().collect()
    }

    /// Returns the derivatives of d = (l - r)/u by the quotient rule: d' = (l' - r' - d·u')/u.
    fn rows(&mut self) -> Vec<f64> {
        let mut rows = self.jacobian.rows();
        // The rows of units and of right sides that do not move are missing, and the loops over them do nothing.
        let size = self.left.len() * self.leaves;
        let unit_count = if self.has_moving_units { size } else { 0 };
        let unit_rows = rows.split_off(rows.len() - unit_count);
        let right_rows = rows.split_off(size);
        for (left, right) in rows.iter_mut().zip(right_rows) {
            *left -= right;
        }
        // `chunks_exact_mut` panics at 0; without leaves there are no rows.
        let n = self.leaves.max(1);
        let pairs = rows.chunks_exact_mut(n).zip(unit_rows.chunks_exact(n));
        for ((row, unit_row), difference) in pairs.zip(self.in_units()) {
            for (slope, unit_slope) in row.iter_mut().zip(unit_row) {
                *slope -= difference * unit_slope;
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
