//! Whether the number of a leaf decides what is built: as a position, as an end of a range, or read by `.data`. At
//! another number other nodes are built then, which neither a plan nor an exported program shows.
//!
//! A command that builds something once for many numbers of a leaf asks here. The machine notes what it reads.

use std::rc::Rc;

use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};

/// The leaves of which somebody wants to know it, and whether the number of one decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLeaves {
    leaves: Vec<NodeId>,
    /// The newest node before anything is built. Newer leaves may stand for arguments, where a derivative is called.
    newest: NodeId,
    decide: bool,
}

impl Session {
    /// Builds something, and tells whether the number of one of these leaves decided what was built.
    pub fn watch_leaves<T>(
        &mut self,
        leaves: &[&Rc<Node>],
        build: impl FnOnce(&mut Session) -> T,
    ) -> (T, bool) {
        let watched = WatchedLeaves {
            leaves: leaves.iter().map(|leaf| leaf.id()).collect(),
            newest: self.graph.last_id(),
            decide: false,
        };
        let before = std::mem::replace(&mut self.recent.watched, watched);
        let built = build(self);
        let watched = std::mem::replace(&mut self.recent.watched, before);
        (built, watched.decide)
    }

    pub(super) fn watches_leaves(&self) -> bool {
        !self.recent.watched.leaves.is_empty()
    }

    /// Notes whether one of these values, whose numbers were read, depends on a watched leaf.
    pub(super) fn note_deciding(&mut self, values: &[Value]) {
        let watched = &mut self.recent.watched;
        let Some(&oldest) = watched.leaves.iter().min() else {
            return;
        };
        let roots: Vec<Rc<Node>> = values.iter().flat_map(Value::nodes).cloned().collect();
        watched.decide |= reachable(&roots, oldest).iter().any(|node| {
            let is_newer = node.is_leaf() && node.id() > watched.newest;
            is_newer || watched.leaves.contains(&node.id())
        });
    }
}
