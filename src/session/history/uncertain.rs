//! Changes of uncertainties: of typed ones, and of those that a fit or a search leaves.
//!
//! `naming::uncertainty` says what an uncertainty is.

use std::rc::Rc;

use crate::graph::Node;
use crate::session::Session;
use crate::session::naming::Uncertainty;

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

impl Session {
    /// The width of a leaf: the standard deviation behind its `±`; none if it has no `±`.
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
                self.names_mut().uncertain.tag(&leaf, width);
            }
        }
    }
}
