//! The standard deviations of nodes to first order, which make the bands around curves.

use crate::command::prelude::*;
use chainrule_engine::graph::Jacobian;
use chainrule_session::uncertainty::Sources;

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

    /// The deviations of a root while the leaf `mover`, which is exact, takes the x of each of these points of a curve. Those
    /// that are not known are NaN, and leave gaps.
    pub(crate) fn along(&self, root: usize, mover: &Rc<Node>, curve: &[(f64, f64)]) -> Vec<f64> {
        let leaves = [&self.uncertain[..], std::slice::from_ref(mover)].concat();
        let mut jacobian = Jacobian::of(&self.roots[root..=root], &leaves);
        let mut data = values(&leaves);
        let deviation = |(x, _): &(f64, f64)| {
            data[self.uncertain.len()] = *x;
            jacobian.values(&data);
            // The last derivative is that by the mover.
            self.sources.deviation(&jacobian.rows())
        };
        stop::with_checks(curve.iter()).map(deviation).collect()
    }

    /// The deviations of these roots.
    pub(crate) fn at_roots(&self, roots: &[usize]) -> Vec<f64> {
        let data = values(&self.uncertain);
        let mut jacobian = Jacobian::of(self.roots, &self.uncertain);
        jacobian.values(&data);
        let rows = jacobian.rows();
        let row = |at: &usize| &rows[at * data.len()..][..data.len()];
        let checked_roots = stop::with_checks(roots.iter());
        let deviation = |at| self.sources.deviation(row(at));
        checked_roots.map(deviation).collect()
    }
}
