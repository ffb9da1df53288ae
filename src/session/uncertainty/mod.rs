//! The uncertainties of leaves: the width after `±`, and the correlations of leaves that were fitted together.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one
//! is typed; one that a fit or a search has produced holds only while the leaf has the value at which the search ended.

mod typed_widths;
mod uncertainty_sources;

pub(crate) use self::uncertainty_sources::{deviation, unit};

use std::rc::Rc;

use super::tags::{TagWrite, Tags};
use crate::session::{Session, Write};
use chainrule_engine::graph::Node;

/// Leaves, and the derivatives of something by them.
type Slopes = Rc<[(Rc<Node>, f64)]>;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    /// The width of its own: one standard deviation. Finite and not negative; 0 without a fit means none.
    width: f64,
    /// The fit that left that width, and the place of the leaf in that fit.
    fit: Option<(Rc<Fit>, usize)>,
    /// Where a search has left the leaf, and its derivatives by its sources. While the leaf is there, they count
    /// instead of the width.
    search: Option<(f64, Slopes)>,
}

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

/// The leaves that were fitted together.
#[derive(Debug)]
pub(crate) struct Fit {
    /// Where each leaf ended.
    ends: Vec<f64>,
    /// The correlation of each leaf with each, row by row.
    correlations: Vec<f64>,
}

impl Uncertainty {
    /// A typed uncertainty; 0 takes an uncertainty away.
    pub fn of_typed(width: f64) -> Uncertainty {
        Uncertainty {
            width,
            fit: None,
            search: None,
        }
    }

    /// The uncertainty of a leaf that a search has moved to `end`, with the leaf's derivatives by its sources. Its own
    /// width stays, because other found leaves may have it as a source.
    pub(crate) fn of_search(before: Option<&Uncertainty>, end: f64, slopes: Slopes) -> Uncertainty {
        Uncertainty {
            search: Some((end, slopes)),
            ..before
                .cloned()
                .unwrap_or_else(|| Uncertainty::of_typed(0.0))
        }
    }

    /// The uncertainties of leaves that were fitted together and ended at `ends`. `correlations` are as many rows as
    /// leaves, one after the other.
    pub fn of_fit(
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
                search: None,
            })
    }

    /// The width of its own.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Whether it was typed.
    pub(crate) fn is_typed(&self) -> bool {
        self.fit.is_none() && self.search.is_none()
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

    /// Whether a leaf with this data has a width of its own.
    fn is_own_at(&self, data: f64) -> bool {
        match &self.fit {
            Some((fit, at)) => fit.ends[*at].to_bits() == data.to_bits(),
            None => self.width > 0.0,
        }
    }
}

impl Tags<Uncertainty> {
    /// The uncertainty of its own that a leaf has now.
    pub(crate) fn own(&self, leaf: &Node) -> Option<&Uncertainty> {
        self.of(leaf).filter(|it| it.is_own_at(leaf.data()))
    }

    /// The sources of a leaf, with its derivatives by them, if it is where a search has left it.
    pub(crate) fn search_sources(&self, leaf: &Node) -> Option<&[(Rc<Node>, f64)]> {
        let (end, slopes) = self.of(leaf)?.search.as_ref()?;
        (end.to_bits() == leaf.data().to_bits()).then_some(slopes)
    }

    /// Whether the width of a leaf stands as it was typed.
    pub(crate) fn is_typed(&self, leaf: &Node) -> bool {
        let is_fitted = |it: &Uncertainty| it.fit.is_some();
        self.search_sources(leaf).is_none() && !self.own(leaf).is_some_and(is_fitted)
    }

    /// The correlation of two leaves: 1 of a leaf with itself, what a fit has left for two of its leaves whose
    /// uncertainties are both still those of that fit, else 0.
    pub fn correlation(&self, one: &Node, other: &Node) -> f64 {
        if std::ptr::eq(one, other) {
            return 1.0;
        }
        let both = self.own(one).zip(self.own(other));
        both.and_then(|(one, other)| one.correlation(other))
            .unwrap_or(0.0)
    }

    /// Checks that only leaves are uncertain, and that their widths are finite and not negative.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let wrong = |(node, uncertainty): &(Rc<Node>, &Uncertainty)| {
            !node.is_leaf() || !uncertainty.width.is_finite() || uncertainty.width < 0.0
        };
        match self.living().find(wrong) {
            Some((node, uncertainty)) => {
                Err(format!("@{} ± {} cannot be", node.id(), uncertainty.width))
            }
            None => Ok(()),
        }
    }
}

impl Session {
    /// The width of a leaf: the standard deviation after its `±`; none if it has no `±`.
    pub fn uncertainty(&self, leaf: &Node) -> Option<f64> {
        self.names.uncertain.width(leaf)
    }

    /// Whether any leaf has an uncertainty; to spare the search for one.
    pub(crate) fn has_uncertain(&self) -> bool {
        !self.names.uncertain.is_empty()
    }

    /// Sets uncertainties. A typed 0 takes an uncertainty away.
    pub(crate) fn widen(&mut self, widths: Widths) {
        for (leaf, width) in widths {
            let typed = |it: &Uncertainty| it.is_typed().then(|| it.width());
            let width = Some(width).filter(|width| typed(width) != Some(0.0));
            let before = self.names.uncertain.of(&leaf);
            if width.as_ref().is_some_and(|width| !width.is_typed())
                || before.map(typed) != width.as_ref().map(typed)
            {
                let width = Box::new(TagWrite::new(&leaf, width));
                self.write(Write::Uncertainty(width));
            }
        }
    }
}
