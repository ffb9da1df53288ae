//! The standard deviations of nodes to first order, which make the bands around curves.

use crate::command::prelude::*;
use chainrule_engine::graph::Jacobian;
use chainrule_session::uncertainty::Sources;

/// If one deviation in this many is not known, a curve has no band, because a band with gaps misleads.
const POINTS_PER_GAP: usize = 10;

/// The deviations of roots that follow from uncertain leaves.
pub(crate) struct Band<'r> {
    roots: &'r [Rc<Node>],
    uncertain: Vec<Rc<Node>>,
    sources: Sources,
}

impl Band<'_> {
    pub(crate) fn of<'r>(
        session: &Session,
        roots: &'r [Rc<Node>],
        uncertain: Vec<Rc<Node>>,
    ) -> Band<'r> {
        Band {
            sources: session.names().uncertain.sources(&uncertain),
            roots,
            uncertain,
        }
    }

    /// The deviations of a root while the leaf `mover`, which is exact, takes the x of each of these points of a curve. None
    /// are known where the curve has no value.
    pub(crate) fn along(&self, root: usize, mover: &Rc<Node>, curve: &[(f64, f64)]) -> Vec<f64> {
        let leaves = [&self.uncertain[..], std::slice::from_ref(mover)].concat();
        let mut jacobian = Jacobian::of(&self.roots[root..=root], &leaves);
        let mut data = values(&leaves);
        let (mut deviations, mut gaps) = (Vec::new(), 0);
        for (x, y) in stop::with_checks(curve.iter()) {
            data[self.uncertain.len()] = *x;
            jacobian.values(&data);
            // The last derivative is that by the mover.
            let sigma = self.sources.deviation(&jacobian.rows());
            gaps += usize::from(y.is_finite() && !sigma.is_finite());
            deviations.push(if y.is_finite() { sigma } else { f64::NAN });
        }
        if gaps * POINTS_PER_GAP > curve.len() {
            deviations.clear();
        }
        deviations
    }

    /// The deviations of these roots; none if one of them is not known.
    pub(crate) fn at_roots(&self, roots: &[usize]) -> Vec<f64> {
        let data = values(&self.uncertain);
        let mut jacobian = Jacobian::of(self.roots, &self.uncertain);
        jacobian.values(&data);
        let rows = jacobian.rows();
        let row = |at: &usize| &rows[at * data.len()..][..data.len()];
        let checked_roots = stop::with_checks(roots.iter());
        let mut deviations: Vec<f64> = checked_roots
            .map(|at| self.sources.deviation(row(at)))
            .collect();
        if !deviations.iter().all(|sigma| sigma.is_finite()) {
            deviations.clear();
        }
        deviations
    }
}
