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

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

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
        let new = widths.iter().map(|(leaf, _)| leaf.id()).collect();
        for (leaf, width) in widths {
            let typed = |it: &Uncertainty| (!it.is_fitted()).then(|| it.width());
            let width = Some(width).filter(|width| typed(width) != Some(0.0));
            let before = self.names.uncertain.of(&leaf);
            if width.as_ref().is_some_and(Uncertainty::is_fitted)
                || before.map(typed) != width.as_ref().map(typed)
            {
                self.names_mut().uncertain.tag(&leaf, width);
            }
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
                self.names_mut().uncertain.tag(leaf, None);
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
