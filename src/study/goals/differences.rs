//! What least squares bring as near to 0 as they can: the differences of pairs of nodes, as functions of some leaves.
//!
//! They are the two sides of equations, or a model and its data.

use std::rc::Rc;

use crate::graph::{Jacobian, Node};

/// Left sides less right sides, each divided by a unit.
pub(super) struct Differences {
    /// Of all left sides, then all right sides.
    jacobian: Jacobian,
    /// The sides at the last point.
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    /// What each difference is divided by.
    pub(super) units: Vec<f64>,
}

impl Differences {
    pub(super) fn of(
        left: &[Rc<Node>],
        right: &[Rc<Node>],
        leaves: &[Rc<Node>],
        units: Vec<f64>,
    ) -> Differences {
        let data = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.data()).collect();
        Differences {
            jacobian: Jacobian::of(&[left, right].concat(), leaves),
            left: data(left),
            right: data(right),
            units,
        }
    }

    /// The differences at a point.
    pub(super) fn values(&mut self, point: &[f64]) -> Vec<f64> {
        self.left = self.jacobian.values(point);
        self.right = self.left.split_off(self.units.len());
        let sides = self.left.iter().zip(&self.right).zip(&self.units);
        sides
            .map(|((left, right), unit)| (left - right) / unit)
            .collect()
    }

    /// Their derivatives at the point of the last call of `values`, row by row.
    pub(super) fn rows(&mut self) -> Vec<f64> {
        let mut rows = self.jacobian.rows();
        let right = rows.split_off(rows.len() / 2);
        let leaves = rows.len() / self.units.len().max(1);
        for (at, (left, right)) in rows.iter_mut().zip(right).enumerate() {
            *left = (*left - right) / self.units[at / leaves];
        }
        rows
    }

    /// The two sides at the last point.
    pub(super) fn sides(&self) -> Vec<[f64; 2]> {
        let sides = self.left.iter().zip(&self.right);
        sides.map(|(&left, &right)| [left, right]).collect()
    }
}
