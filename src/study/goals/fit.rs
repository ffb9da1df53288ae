//! Fits a model to data: moves leaves to where the sum of the squared residuals is least, and finds out how well the
//! data determine the leaves.
//!
//! The matrix of the derivatives of all points with respect to all leaves, at the end of the search, says how the
//! residuals move with the leaves. The inverse of its normal matrix is the covariance of the leaves in units of the
//! variance of the data.

use std::rc::Rc;

use super::differences::Differences;
use super::goal::SearchWatch;
use super::least_squares::{self, NearestPoint, Residuals, SearchEnd, Tangents};
use super::linear::norm;
use chainrule_engine::graph::{Node, Order};

/// The most passes of all searches.
pub(crate) const MOST_PASSES: u64 = 4_000;

/// The most leaves of a fit. Its time grows with their square.
pub const MOST_FITTED: usize = 500;
/// The most derivatives, points times leaves, that a pass of a fit may compute.
pub const MOST_FIT_DERIVATIVES: usize = 20_000_000;

/// What is to be fitted: as many nodes of the model as of the data, and at least as many as leaves.
#[derive(Debug)]
pub(crate) struct FitProblem {
    /// The order of what is below the model.
    pub(crate) order: Order,
    /// What the model gives at each point.
    pub(crate) model: Vec<Rc<Node>>,
    /// What it should give.
    pub(crate) data: Vec<Rc<Node>>,
    /// The standard deviation of the data at each point, if it is known; all are positive.
    pub(crate) deviations: Option<Vec<f64>>,
    /// The leaves to move.
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The leaves that stay, and whose uncertainties count in those of the leaves that move, if they have any.
    pub(crate) constants: Vec<Rc<Node>>,
    /// The leaves below a single point, if the deviations are theirs.
    pub(crate) weighting: Vec<Rc<Node>>,
    /// Between which numbers each leaf stays, if some are bounded.
    pub(crate) bounds: Vec<(f64, f64)>,
}

/// What a fit has found.
#[derive(Debug)]
pub(crate) struct FoundFit {
    /// Where the leaves are.
    pub(crate) nearest: NearestPoint,
    /// The points less the leaves that are not held.
    pub(crate) freedom: usize,
    /// The sum of the squares of data minus model.
    pub(crate) sum_of_squares: f64,
    /// The root of the mean square that is left of the data.
    pub(crate) rms: f64,
    /// The part of the variance of the data that the model explains; none if the data do not vary. With deviations each
    /// point counts by 1 over the square of its own.
    pub(crate) r2: Option<f64>,
    /// The sum of squares in units of the deviations.
    pub(crate) chi2: Option<f64>,
    /// How sure the leaves are; none if the data do not determine them.
    pub(crate) certainty: Option<Certainty>,
}

/// How sure fitted leaves are.
#[derive(Debug)]
pub(crate) struct Certainty {
    /// The standard deviation of each leaf; none if there are as many points as leaves and no deviations of the data.
    pub(crate) deviations: Option<Vec<f64>>,
    /// The correlation of each leaf with each, row by row.
    pub(crate) correlations: Vec<f64>,
}

/// Fits the model. At the present data of the leaves all points must be finite. `watch` is called for each pass with
/// the root of the mean square there, and says whether to go on.
pub(crate) fn fit(problem: &FitProblem, watch: SearchWatch) -> FoundFit {
    let mut start: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let n = start.len();
    let deviations = problem.deviations.clone();
    let deviations = deviations.unwrap_or_else(|| vec![1.0; problem.model.len()]);
    let mut system = Differences::of(&problem.model, &problem.data, &problem.leaves, deviations);
    system.bounds.clone_from(&problem.bounds);
    system.clamp(&mut start);
    let start = NearestPoint::at(&mut system, &start);
    let undefined = start.rows.iter().position(|number| !number.is_finite());
    let mut nearest = if undefined.is_some() {
        start
    } else {
        let root = (start.residuals.len() as f64).sqrt();
        let watch = &mut |pass, length: f64, point: &[f64]| watch(pass, length / root, point);
        least_squares::least(&mut system, &start, watch)
    };
    // Where a fit is stopped, this may take too long to find out.
    let is_stopped = nearest.end == SearchEnd::Stopped;
    let undetermined = (!is_stopped).then(|| nearest.undetermined_unknowns());
    let is_determined = undetermined == Some(None);
    if let Some(at) = undefined {
        let (point, leaf) = (at / n, at % n);
        nearest.end = SearchEnd::Undefined { point, leaf };
    } else if let Some(Some(leaves)) = undetermined {
        nearest.end = SearchEnd::Undetermined(leaves);
    }
    let residuals = &nearest.residuals;
    let freedom = residuals.len() + nearest.held.len() - n;
    let scatter = match &problem.deviations {
        Some(_) => Some(1.0),
        None => (freedom > 0).then(|| norm(residuals) / (freedom as f64).sqrt()),
    };
    system.values(&nearest.point);
    let (deviations, data) = (&system.units, &system.right);
    let plain: Vec<f64> = (residuals.iter().zip(deviations))
        .map(|(residual, deviation)| residual * deviation)
        .collect();
    let weights = deviations.iter().map(|deviation| deviation.powi(-2));
    let total: f64 = weights.clone().sum();
    let mean = weights.zip(data).map(|(weight, data)| weight * data);
    let mean = mean.sum::<f64>() / total;
    let around = (data.iter().zip(deviations)).map(|(data, deviation)| (data - mean) / deviation);
    let around = norm(&around.collect::<Vec<f64>>());
    let r2 = 1.0 - (norm(residuals) / around).powi(2);
    let length = norm(&plain);
    FoundFit {
        sum_of_squares: length * length,
        rms: length / (residuals.len() as f64).sqrt(),
        r2: (around > 0.0 && r2.is_finite() && freedom > 0).then_some(r2),
        chi2: (problem.deviations.as_ref()).map(|_| norm(residuals).powi(2)),
        certainty: is_determined.then(|| certainty(nearest.tangents(), scatter)),
        freedom,
        nearest,
    }
}

/// The deviations of the leaves and their correlations. `scatter` is the deviation of a residual.
fn certainty(Tangents { units, factors, .. }: &Tangents, scatter: Option<f64>) -> Certainty {
    let (lengths, correlations) = correlations(&factors.inverse_of_normal(), units.len());
    let deviations = scatter.map(|scatter| {
        let each = lengths.iter().zip(units);
        each.map(|(length, unit)| scatter * length / unit).collect()
    });
    Certainty {
        deviations: deviations.filter(|all: &Vec<f64>| all.iter().all(|one| one.is_finite())),
        correlations,
    }
}

/// The standard deviations that a matrix of covariances has, and the correlations, row by row.
pub(super) fn correlations(covariance: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let lengths: Vec<f64> = (0..n).map(|at| covariance[at * n + at].sqrt()).collect();
    let correlation = |at: usize| {
        let (row, column) = (at / n, at % n);
        if row == column {
            return 1.0;
        }
        // Half of the entries are used, so that rounding leaves the matrix symmetric.
        match covariance[row.min(column) * n + row.max(column)] {
            0.0 => 0.0,
            entry => (entry / (lengths[row] * lengths[column])).clamp(-1.0, 1.0),
        }
    };
    let correlations = (0..n * n).map(correlation).collect();
    (lengths, correlations)
}
