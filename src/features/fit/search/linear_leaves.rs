//! Finds the leaves in which a model is linear, and the terms of the model, from derivatives at some of its points.

use super::FitModel;
use crate::search::differences::Differences;
use crate::search::least_squares::Residuals;
use chainrule_stop as stop;

/// The most points of the data at which derivatives are computed.
const MOST_POINTS: usize = 200;
/// A slope has changed if it differs by more than this fraction of itself: beyond rounding.
const CHANGED_SLOPE: f64 = 1e-9;

/// A term of a model. Leaves are given by their indices.
pub(super) struct ModelTerm {
    /// The leaf in which the term is linear, if there is one.
    pub(super) factor: Option<usize>,
    /// The leaves on which the derivative by the factor depends, without those of earlier terms.
    pub(super) curved: Vec<usize>,
}

/// The derivatives of a model that stay the same when a leaf moves.
pub(super) struct KeptSlopes {
    /// For each moved leaf, whether the derivatives by each leaf stay the same.
    when_moved: Vec<Vec<bool>>,
}

impl KeptSlopes {
    /// Moves each leaf from each of these points, and compares the derivatives.
    pub(super) fn of(system: &mut Differences, bases: &[Vec<f64>]) -> KeptSlopes {
        let leaf_count = system.leaves;
        // The derivatives at a point of the leaves: for each point of the data, one by each leaf.
        let mut rows = |point: &[f64]| {
            system.values(point);
            system.rows()
        };
        let rows_at_bases: Vec<Vec<f64>> = bases.iter().map(|base| rows(base)).collect();
        let mut when_moved = vec![vec![true; leaf_count]; leaf_count];
        for (leaf, keeps) in when_moved.iter_mut().enumerate() {
            stop::ask_now();
            for (base, rows_before) in bases.iter().zip(&rows_at_bases) {
                let mut point = base.clone();
                // Another number, even if the base is 0, and far enough away for a curve to show. It moves away from zero
                // on both sides: `1.5*base + 0.5` for all bases would be -1 again at -1.
                point[leaf] = 1.5 * base[leaf] + 0.5_f64.copysign(base[leaf]);
                // The rows have a derivative by each leaf, one row after another.
                for (index, (before, after)) in rows_before.iter().zip(rows(&point)).enumerate() {
                    keeps[index % leaf_count] &= !has_changed(*before, after);
                }
            }
        }
        KeptSlopes { when_moved }
    }

    /// Returns whether the derivatives by a leaf stay the same when another leaf moves.
    pub(super) fn keeps(&self, moved: usize, leaf: usize) -> bool {
        self.when_moved[moved][leaf]
    }

    pub(super) fn leaf_count(&self) -> usize {
        self.when_moved.len()
    }

    /// Returns the indices of leaves in which the model is linear together: when one of them moves, the derivatives by
    /// all of them stay the same.
    pub(super) fn linear_leaves(&self) -> Vec<usize> {
        let mut linear: Vec<usize> = Vec::new();
        for leaf in 0..self.leaf_count() {
            let fits_in = |other: usize| self.keeps(leaf, other) && self.keeps(other, leaf);
            if fits_in(leaf) && linear.iter().all(|&other| fits_in(other)) {
                linear.push(leaf);
            }
        }
        linear
    }

    /// Returns the terms of the model. Each linear leaf is the factor of a term if the derivative by it depends on
    /// curved leaves. All curved leaves that change no derivative by a linear leaf are one more term, without a factor.
    pub(super) fn terms(&self, linear: &[usize]) -> Vec<ModelTerm> {
        let all = 0..self.leaf_count();
        let mut rest: Vec<usize> = all.filter(|leaf| !linear.contains(leaf)).collect();
        let mut terms = Vec::new();
        for &linear_leaf in linear {
            let depends = |leaf: &mut usize| !self.keeps(*leaf, linear_leaf);
            let (factor, curved) = (Some(linear_leaf), rest.extract_if(.., depends).collect());
            terms.push(ModelTerm { factor, curved });
        }
        let (factor, curved) = (None, rest);
        terms.push(ModelTerm { factor, curved });
        terms.retain(|term| !term.curved.is_empty());
        terms
    }
}

/// Returns whether two derivatives differ by more than rounding. A derivative that is not finite shows no change.
fn has_changed(before: f64, after: f64) -> bool {
    before.is_finite()
        && after.is_finite()
        && (before - after).abs() > CHANGED_SLOPE * (before.abs() + after.abs())
}

/// Returns the indices of the leaves in which the model is not linear, as derivatives at these points show.
pub(crate) fn curved_leaves(model: &impl FitModel, points: &[Vec<f64>]) -> Vec<usize> {
    let mut leaves: Vec<usize> = (0..points[0].len()).collect();
    let linear = KeptSlopes::of(&mut model.some_residuals(&leaves), points).linear_leaves();
    leaves.retain(|leaf| !linear.contains(leaf));
    leaves
}

/// Returns every n-th item of a list with an item for each point, so that there are at most [`MOST_POINTS`].
pub(crate) fn every_nth<T: Clone>(all: &[T]) -> Vec<T> {
    // A step of 0, for an empty list, would panic.
    let step = all.len().div_ceil(MOST_POINTS).max(1);
    all.iter().step_by(step).cloned().collect()
}
