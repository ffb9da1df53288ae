//! Defines the goal of `:minimize`: the target, its constraints and the leaves to move, and the equations that hold at a
//! minimum.
//!
//! `minimize` searches; `penalties` and `second_order` help it.

use std::rc::Rc;

use super::MOST_FIT_DERIVATIVES;
use super::linear::add_multiple;
use crate::session::Session;
use chainrule_engine::graph::{Jacobian, Node};

/// A target to make as small as possible, with its constraints.
pub(crate) struct Goal {
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The target, then the excess of each constraint. The excess of an equation that holds is 0, and the excess of an
    /// inequality that holds is at most 0.
    pub(crate) roots: Vec<Rc<Node>>,
    /// Whether each constraint is an equation.
    pub(crate) equations: Vec<bool>,
}

impl Goal {
    /// Returns the indices of the active constraints: equations, and inequalities with a multiplier.
    pub(super) fn active(&self, multipliers: &[f64]) -> Vec<usize> {
        let is_active = |index: &usize| self.equations[*index] || multipliers[*index] != 0.0;
        (0..self.equations.len()).filter(is_active).collect()
    }
}

/// The equations that hold at a minimum (Karush, Kuhn and Tucker). With the target f, the excess cₖ and the multiplier λₖ
/// of each active constraint, and the Lagrangian L = f + Σ λₖ·cₖ, they are ∂L/∂xᵢ = 0 for each leaf, and cₖ = 0.
pub(super) struct MinimumEquations {
    /// The indices of the active constraints. An inequality without a multiplier is not active, and takes no part.
    pub(super) active: Vec<usize>,
    /// The number of the leaves of the goal.
    leaf_count: usize,
    /// The roots are ∂f/∂x for all leaves, then ∂c₁/∂x, ∂c₂/∂x and so on, and in the end c₁, c₂ and so on.
    jacobian: Jacobian,
}

impl MinimumEquations {
    /// Returns the equations, or `None` if there are too many derivatives. The leaves of the goal come first in `by`.
    pub(super) fn of(
        session: &mut Session,
        goal: &Goal,
        multipliers: &[f64],
        by: &[Rc<Node>],
    ) -> Option<MinimumEquations> {
        let active = goal.active(multipliers);
        let n = goal.leaves.len();
        if (n * (1 + active.len())).saturating_mul(by.len()) > MOST_FIT_DERIVATIVES {
            return None;
        }
        let excesses = active.iter().map(|index| &goal.roots[index + 1]);
        let mut roots = Vec::new();
        for root in std::iter::once(&goal.roots[0]).chain(excesses.clone()) {
            roots.extend(session.derivatives(root, &goal.leaves, false).ok()?);
        }
        roots.extend(excesses.cloned());
        Some(MinimumEquations {
            active,
            leaf_count: n,
            jacobian: Jacobian::of(&roots, by),
        })
    }

    /// Returns the derivatives of each equation at a point: by the leaves x, by the multipliers λ, and by the rest s of
    /// `by`.
    ///
    /// ```text
    /// ∂²L/∂xᵢ∂x   ∂c/∂xᵢ   ∂²L/∂xᵢ∂s     for each leaf xᵢ
    /// ∂cₖ/∂x      0        ∂cₖ/∂s        for each active constraint
    /// ```
    pub(super) fn rows(&mut self, at: &[f64], multipliers: &[f64]) -> Vec<Vec<f64>> {
        let (n, count) = (self.leaf_count, self.active.len());
        self.jacobian.values(at);
        let all_rows = self.jacobian.rows();
        let rows: Vec<&[f64]> = all_rows.chunks(at.len()).collect();
        let (target_rows, constraint_rows) = rows.split_at(n);
        let (curvature_rows, excess_rows) = constraint_rows.split_at(n * count);
        let mut equations = Vec::with_capacity(n + count);
        for (leaf, target_row) in target_rows.iter().enumerate() {
            let mut row = target_row.to_vec();
            for (&index, curvatures) in self.active.iter().zip(curvature_rows.chunks_exact(n)) {
                add_multiple(&mut row, multipliers[index], curvatures[leaf]);
            }
            row.splice(n..n, excess_rows.iter().map(|excess_row| excess_row[leaf]));
            equations.push(row);
        }
        for excess_row in excess_rows {
            let (by_leaves, by_rest) = excess_row.split_at(n);
            equations.push([by_leaves, &vec![0.0; count], by_rest].concat());
        }
        equations
    }
}
