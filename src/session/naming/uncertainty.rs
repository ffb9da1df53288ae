//! How uncertain leaves are: the width behind `±`, and what a fit knows about several leaves together.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until it is typed
//! anew; one that a fit left holds only while the leaf is where the fit ended.

use std::rc::Rc;

use super::tags::Tags;
use crate::graph::Node;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    /// The width: one standard deviation. Finite and not negative.
    width: f64,
    /// The fit that left it, and the place of the leaf in that fit.
    fit: Option<(Rc<Fit>, usize)>,
}

/// The leaves that were fitted together.
#[derive(Debug)]
pub(crate) struct Fit {
    /// Where each leaf ended.
    ends: Vec<f64>,
    /// The correlation of each leaf with each, row by row.
    correlations: Vec<f64>,
}

impl Uncertainty {
    /// One that was typed; 0 takes an uncertainty away.
    pub fn typed(width: f64) -> Uncertainty {
        Uncertainty { width, fit: None }
    }

    /// Those of leaves that were fitted together and ended there. `correlations` are as many rows as leaves, one after the
    /// other.
    pub fn fitted(
        ends: &[f64],
        widths: &[f64],
        correlations: Vec<f64>,
    ) -> impl Iterator<Item = Uncertainty> {
        debug_assert_eq!(
            correlations.len(),
            widths.len() * widths.len(),
            "each leaf is correlated with each"
        );
        let ends = ends.to_vec();
        let fit = Rc::new(Fit { ends, correlations });
        widths
            .iter()
            .enumerate()
            .map(move |(at, &width)| Uncertainty {
                width,
                fit: Some((Rc::clone(&fit), at)),
            })
    }

    /// The width.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Whether a fit left it.
    pub(crate) fn is_fitted(&self) -> bool {
        self.fit.is_some()
    }

    /// The fit that left it.
    pub(crate) fn fit(&self) -> Option<&Rc<Fit>> {
        self.fit.as_ref().map(|(fit, _)| fit)
    }

    /// How the leaves of two uncertainties are correlated: as the fit says that left both.
    fn correlation(&self, other: &Uncertainty) -> Option<f64> {
        let ((fit, row), (same, column)) = (self.fit.as_ref()?, other.fit.as_ref()?);
        let both = Rc::ptr_eq(fit, same).then_some(fit)?;
        (both.correlations.get(row * both.ends.len() + column)).copied()
    }

    /// Whether it holds for a leaf with this data.
    fn holds_at(&self, data: f64) -> bool {
        let at_its_end = |(fit, at): &(Rc<Fit>, usize)| fit.ends[*at].to_bits() == data.to_bits();
        self.fit.as_ref().is_none_or(at_its_end)
    }
}

impl Tags<Uncertainty> {
    /// The uncertainty that a leaf has now.
    pub(crate) fn at(&self, leaf: &Node) -> Option<&Uncertainty> {
        self.of(leaf).filter(|it| it.holds_at(leaf.data()))
    }

    /// The correlation of two leaves: 1 of a leaf with itself, what a fit has left for two of its leaves whose
    /// uncertainties are both still those of that fit, else 0.
    pub fn correlation(&self, one: &Node, other: &Node) -> f64 {
        if std::ptr::eq(one, other) {
            return 1.0;
        }
        let both = self.at(one).zip(self.at(other));
        both.and_then(|(one, other)| one.correlation(other))
            .unwrap_or(0.0)
    }

    /// Checks that what is uncertain is a leaf, and that its width is one.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let wrong = |(node, uncertainty): &(Rc<Node>, &Uncertainty)| {
            !node.is_leaf() || !uncertainty.width.is_finite() || uncertainty.width < 0.0
        };
        match self.living().find(wrong) {
            Some((node, found)) => Err(format!("@{} ± {} cannot be", node.id(), found.width)),
            None => Ok(()),
        }
    }
}
