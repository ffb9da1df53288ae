//! The problem of a fit: a model, its data, and the leaves that the fit moves. `fit` solves it, and `fit_starts` and
//! `linear_leaves` study it first.

use std::rc::Rc;

use crate::search::differences::Differences;
use chainrule_engine::graph::{Node, Order};

/// A model and its data: as many nodes of the model as of the data, and at least as many as leaves.
#[derive(Default)]
pub(crate) struct FitProblem {
    /// The order of the nodes below the model.
    pub(crate) order: Order,
    /// The values of the model at each point.
    pub(crate) model: Vec<Rc<Node>>,
    /// The values that the model should have.
    pub(crate) data: Vec<Rc<Node>>,
    /// The standard deviation of the data at each point, if it is known; all are positive.
    pub(crate) deviations: Option<Vec<f64>>,
    /// These deviations with the uncertainties of the model's own data, which the model passes on through its slopes, so
    /// they move with the leaves. Empty if the model's data have no uncertainties.
    pub(crate) moving_deviations: Vec<Rc<Node>>,
    /// The leaves that are the model's own data and have such uncertainties.
    pub(crate) uncertain_predictors: Vec<Rc<Node>>,
    /// The leaves that the fit moves, oldest first.
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The leaves that stay, and whose uncertainties add to those of the moved leaves.
    pub(crate) constants: Vec<Rc<Node>>,
    /// The leaves below a single point, if the deviations of the data follow from their uncertainties. They give the points
    /// their weights, and must not count a second time.
    pub(crate) weighting: Vec<Rc<Node>>,
    /// The least and the greatest number that each leaf may be; empty if none is bounded.
    pub(crate) bounds: Vec<(f64, f64)>,
    /// Whether new leaves were moved to starts that the data suggest.
    pub(crate) has_own_starts: bool,
}

impl FitProblem {
    /// Returns the standard deviation of each point at the present data of the leaves, if it is known.
    pub(crate) fn deviations_now(&self) -> Option<Vec<f64>> {
        if self.moving_deviations.is_empty() {
            return self.deviations.clone();
        }
        let nodes = self.moving_deviations.iter();
        Some(nodes.map(|node| node.data()).collect())
    }

    /// Returns the residuals. Their units are these nodes, or else the deviations of the data.
    pub(super) fn residuals(&self, moving_units: &[Rc<Node>]) -> Differences {
        let (model, data, leaves) = (&self.model, &self.data, &self.leaves);
        let deviations = self.deviations.clone();
        let units = deviations.unwrap_or_else(|| vec![1.0; model.len()]);
        let mut system = Differences::of(model, data, leaves, units, moving_units);
        system.bounds.clone_from(&self.bounds);
        system
    }
}
