//! Which names each node has, first bound first: the way back from a node to what it is called.
//!
//! Most nodes have one name at most; those that have more are kept beside. What a name is and which binding made it
//! stand where, `names` knows.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::interner::NameId;
use crate::graph::NodeId;

/// A name, and before it the binding that gave it to the node: they sort by age.
type Since = (u32, NameId);

/// The names of nodes.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Called {
    first: FxHashMap<NodeId, Since>,
    /// Names beside the first.
    later: FxHashMap<NodeId, BTreeSet<Since>>,
}

impl Called {
    /// What these nodes are called.
    pub(crate) fn of(names: impl Iterator<Item = (NodeId, Since)>) -> Called {
        let mut called = Called::default();
        for (node, name) in names {
            called.add(node, name);
        }
        called
    }

    /// Gives a node a name. One that comes back after an undo stands where it stood.
    pub(crate) fn add(&mut self, node: NodeId, name: Since) {
        match self.first.entry(node) {
            Entry::Vacant(first) => {
                first.insert(name);
            }
            Entry::Occupied(mut first) => {
                let oldest = name.min(*first.get());
                let later = name.max(first.insert(oldest));
                self.later.entry(node).or_default().insert(later);
            }
        }
    }

    /// Takes a name that the node has.
    pub(crate) fn remove(&mut self, node: NodeId, name: Since) {
        let Entry::Occupied(mut first) = self.first.entry(node) else {
            return;
        };
        let Some(later) = self.later.get_mut(&node) else {
            first.remove();
            return;
        };
        if *first.get() != name {
            later.remove(&name);
        } else if let Some(next) = later.pop_first() {
            first.insert(next);
        }
        if later.is_empty() {
            self.later.remove(&node);
        }
    }

    /// The names of a node, first bound first.
    pub(crate) fn names(&self, node: NodeId) -> impl Iterator<Item = NameId> {
        let first = self.first.get(&node).into_iter();
        let later = self.later.get(&node).into_iter().flatten();
        first.chain(later).map(|&(_, name)| name)
    }
}
