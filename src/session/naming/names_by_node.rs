//! The index from a node to its names, in the order of their bindings.
//!
//! Most nodes have at most one name; further names are stored separately. `names` owns the names and keeps this up to
//! date.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::interner::NameId;
use crate::graph::NodeId;

/// A name, by its number and 0; or a former name, by the number of the name and that of the value that lost it.
pub(crate) type NameKey = (NameId, u32);

/// A name of a node. Those that it has come first, by age, and then former ones, the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Naming {
    /// The number of the binding; of a former name counted down from the largest one.
    pub age: u32,
    /// The name that was bound.
    pub name: NameId,
    /// The number of a former name; 0 of a name.
    pub count: u32,
    /// The place of the node among the numbers of the list that the name stands for, counted from 1; 0 if it stands for
    /// the node itself.
    pub place: u32,
}

impl Naming {
    /// What the name or former name is found by.
    pub(crate) fn key(&self) -> NameKey {
        (self.name, self.count)
    }
}

/// The names of all named nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NamesByNode {
    first: FxHashMap<NodeId, Naming>,
    /// The names after the first.
    later: FxHashMap<NodeId, BTreeSet<Naming>>,
}

impl NamesByNode {
    /// Adds names to nodes.
    pub(crate) fn add_all(&mut self, names: impl Iterator<Item = (NodeId, Naming)>) {
        for (node, name) in names {
            self.add(node, name);
        }
    }

    /// Removes names from the nodes that have them.
    pub(crate) fn remove_all(&mut self, names: impl Iterator<Item = (NodeId, Naming)>) {
        for (node, name) in names {
            self.remove(node, name);
        }
    }

    /// Adds a name to a node. A name restored by undo takes its old place in the order.
    fn add(&mut self, node: NodeId, name: Naming) {
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

    /// Removes a name from the node that has it.
    fn remove(&mut self, node: NodeId, name: Naming) {
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

    /// The names of a node, in the order of their bindings.
    pub(crate) fn names(&self, node: NodeId) -> impl Iterator<Item = Naming> {
        let first = self.first.get(&node).into_iter();
        let later = self.later.get(&node).into_iter().flatten();
        first.chain(later).copied()
    }
}
