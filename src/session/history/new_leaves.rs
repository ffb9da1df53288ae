//! Names that get leaves while something is tried.
//!
//! They are unbound again, or kept as changes of the statement.

use std::rc::Rc;

use super::journal::Change;
use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::naming::NameId;

/// Names that had no value, bound to new leaves.
#[derive(Debug)]
pub struct NewLeaves {
    /// The leaves, in the order of the names.
    pub leaves: Vec<Rc<Node>>,
    names: Vec<NameId>,
    /// How many names and nodes there were before.
    before: (usize, NodeId),
}

impl Session {
    /// Binds those of the names that have no value to new leaves. Nothing is recorded until they are kept.
    pub(crate) fn add_leaves(&mut self, names: &[&str], data: f64) -> NewLeaves {
        let before = (self.names.count(), self.made());
        let mut new = NewLeaves {
            leaves: Vec::new(),
            names: Vec::new(),
            before,
        };
        for name in names {
            // Two spellings may be one name.
            if self.names.find(name).is_some() {
                continue;
            }
            let leaf = self.graph.leaf(data, false);
            let id = self.names.intern(name);
            self.names.bind(id, Rc::clone(&leaf).into());
            new.names.push(id);
            new.leaves.push(leaf);
        }
        new
    }

    /// Takes the names back. The ids of the leaves are free as soon as the nodes above them are gone.
    pub(crate) fn take_leaves_back(&mut self, new: NewLeaves) {
        for id in new.names {
            self.names.swap(id, None);
        }
        self.names.rewind(new.before.0, new.before.1);
    }
}

impl NewLeaves {
    /// The changes that take the names back.
    pub(in crate::session) fn changes(&self) -> impl Iterator<Item = Change> {
        self.names.iter().map(|&id| Change::Name(id, None))
    }
}
