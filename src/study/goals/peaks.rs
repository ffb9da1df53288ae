//! Sorts the peaks of a fit by their positions, so that the first one in the formula is the first one on the axis.
//!
//! The order of equal terms in a sum does not matter to the fit, and the search may find them in any order.

use super::fit_starts::StartSearch;
use super::least_squares::{NearestPoint, Residuals};
use super::linear::norm;
use chainrule_stop as stop;

/// Two models are the same if their values differ by at most this fraction of the length of the values.
const SAME_MODEL: f64 = 1e-7;

impl StartSearch {
    /// Sorts peaks of one kind by their positions. A peak is a term with curved leaves of its own, and peaks are of one
    /// kind if the model stays the same when their leaves are exchanged.
    pub(super) fn sort_peaks(&mut self, point: &mut Vec<f64>) {
        let factors = self.factors();
        for (index, &one) in factors.iter().enumerate() {
            for &other in &factors[index + 1..] {
                stop::ask_now();
                let exchanged = self.exchange(point, one, other);
                if self.is_same_model(point, &exchanged)
                    && self.peak_position(point, one) > self.peak_position(point, other)
                {
                    *point = exchanged;
                }
            }
        }
    }

    /// Returns a point with the leaves of two terms, which are given by their factors, exchanged.
    fn exchange(&self, point: &[f64], one: usize, other: usize) -> Vec<f64> {
        let mut exchanged = point.to_vec();
        let leaves = self.leaves_of_peak(one, other);
        for (leaf, counterpart) in leaves.zip(self.leaves_of_peak(other, one)) {
            exchanged.swap(leaf, counterpart);
        }
        exchanged
    }

    /// Returns the leaves of one term without those that it shares with another term, and its factor last.
    fn leaves_of_peak(&self, factor: usize, other_factor: usize) -> impl Iterator<Item = usize> {
        let slopes = &self.kept_slopes;
        let is_own =
            move |leaf: &usize| !slopes.keeps(*leaf, factor) && slopes.keeps(*leaf, other_factor);
        (0..slopes.leaf_count()).filter(is_own).chain([factor])
    }

    /// Returns whether the model has the same values at two points.
    fn is_same_model(&mut self, one: &[f64], other: &[f64]) -> bool {
        let other_residuals = self.system.values(other);
        let residuals = self.system.values(one);
        let pairs = residuals.iter().zip(other_residuals);
        let differences = pairs.map(|(residual, other_residual)| residual - other_residual);
        let size = norm(&self.system.left);
        norm(&differences.collect::<Vec<f64>>()) <= SAME_MODEL * size
    }

    /// Returns the position at which a peak is highest, because the derivative by its factor is largest there.
    fn peak_position(&mut self, point: &[f64], factor: usize) -> Option<f64> {
        let rows = NearestPoint::at(&mut self.system, point).rows;
        let slopes = rows.iter().skip(factor).step_by(point.len());
        let heights = slopes.map(|slope| slope.abs()).zip(&self.x);
        let highest = heights.max_by(|one, other| one.0.total_cmp(&other.0));
        highest.map(|(_, x)| *x)
    }
}
