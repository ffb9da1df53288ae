//! Changes of uncertainties: of typed ones, of those that a fit leaves, and of those that go when their leaf moves.
//!
//! `naming::uncertainty` says what an uncertainty is.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::{Node, NodeId};
use crate::report::{Note, join, say};
use crate::session::Session;
use crate::session::naming::Uncertainty;

/// So many leaves are named in the note that their uncertainties are gone.
const NAMED: usize = 4;

/// The new uncertainties of leaves, no leaf twice. A width is finite and not negative; a typed 0 means that the leaf has
/// no uncertainty.
#[derive(Clone, Debug, Default)]
pub struct Widths {
    /// The leaves and their widths.
    pub leaves: Vec<(Rc<Node>, f64)>,
    /// What a fit says about them: the correlation of each leaf with each, row by row (`leaves.len()` squared numbers).
    /// None for typed widths, which stay when a leaf moves and are correlated with nothing.
    pub correlations: Option<Vec<f64>>,
}

impl Widths {
    /// Widths that were typed.
    pub fn typed(leaves: Vec<(Rc<Node>, f64)>) -> Widths {
        Widths {
            leaves,
            correlations: None,
        }
    }
}

impl Session {
    /// The width of a leaf: the standard deviation behind its `±`; none if it has no `±`.
    pub fn uncertainty(&self, leaf: &Node) -> Option<f64> {
        self.names.uncertain.of(leaf).map(Uncertainty::width)
    }

    /// The correlation of two leaves: 1 of a leaf with itself, what a fit has left for two of its leaves whose
    /// uncertainties are both still those of that fit, else 0.
    pub fn correlation(&self, one: &Node, other: &Node) -> f64 {
        self.names.uncertain.correlation(one, other)
    }

    /// Whether the uncertainty of a leaf came from a fit.
    pub(crate) fn is_fitted(&self, leaf: &Node) -> bool {
        (self.names.uncertain.of(leaf)).is_some_and(Uncertainty::is_fitted)
    }

    /// Whether any leaf has an uncertainty; to spare the search for one.
    pub fn has_uncertain(&self) -> bool {
        !self.names.uncertain.is_empty()
    }

    /// Sets uncertainties, and returns the leaves that have new ones. A typed 0 takes an uncertainty away.
    pub(crate) fn widen(&mut self, widths: Widths) -> FxHashSet<NodeId> {
        let Widths {
            leaves,
            correlations,
        } = widths;
        let new = leaves.iter().map(|(leaf, _)| leaf.id()).collect();
        let Some(correlations) = correlations else {
            for (leaf, width) in &leaves {
                let known = self.names.uncertain.of(leaf);
                let same = match known {
                    None => *width == 0.0,
                    Some(it) => !it.is_fitted() && it.width() == *width && *width != 0.0,
                };
                if !same {
                    let typed = (*width != 0.0).then(|| Uncertainty::typed(*width));
                    self.names.uncertain.tag(leaf, typed);
                }
            }
            return new;
        };
        let widths: Vec<f64> = leaves.iter().map(|(_, width)| *width).collect();
        let fitted = Uncertainty::fitted(&widths, correlations);
        for ((leaf, _), uncertainty) in leaves.iter().zip(fitted) {
            self.names.uncertain.tag(leaf, Some(uncertainty));
        }
        new
    }

    /// Takes from leaves that are about to move the uncertainties that a fit left them, unless they have new ones.
    /// Returns a note about it.
    pub(super) fn leave_fit<'n>(
        &mut self,
        moving: impl Iterator<Item = &'n Rc<Node>>,
        new: &FxHashSet<NodeId>,
    ) -> Option<Note> {
        if !self.has_uncertain() {
            return None;
        }
        let mut gone = Vec::new();
        for leaf in moving {
            if self.is_fitted(leaf) && !new.contains(&leaf.id()) {
                self.names.uncertain.tag(leaf, None);
                gone.push(leaf);
            }
        }
        if gone.is_empty() {
            return None;
        }
        let labels = gone.iter().take(NAMED);
        let named = join(labels.map(|leaf| say!("{:name}", self.label(leaf))), ", ");
        let more = if gone.len() > NAMED { ", …" } else { "" };
        Some(Note::new(say!(
            "the ± of {}{} came from a fit and is gone: it holds only where the fit ended",
            named,
            more
        )))
    }
}
