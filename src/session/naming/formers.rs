//! Former names: what a name stood for until it was bound anew, as far as something still uses it.
//!
//! A former name is an entry among the names that refers to its nodes weakly.

use std::rc::{Rc, Weak};

use super::interner::NameId;
use super::names_by_node::{Naming, namings};
use crate::graph::{Node, NodeId};
use crate::session::values::{ListShape, Value};

/// A name, by its number and 0; or a former name, by the number of the name and that of the value that lost it.
pub(crate) type NameKey = (NameId, u32);

/// What is left of a value that has lost its name.
#[derive(Clone, Debug)]
pub(crate) struct FormerItems {
    /// The nodes with their ids; 0 for one that is not called by this former name, because it had another name.
    items: Box<[(Weak<Node>, NodeId)]>,
    pub(crate) shape: ListShape,
    /// The number of the binding. A node is called by the newest of its former names.
    since: u32,
}

impl FormerItems {
    /// A value that loses its name. `called` says which of its nodes are called by the former name.
    pub(super) fn of(value: &Value, since: u32, called: impl Fn(&Node) -> bool) -> FormerItems {
        let id = |node: &Rc<Node>| if called(node) { node.id() } else { 0 };
        let item = |node: &Rc<Node>| (Rc::downgrade(node), id(node));
        FormerItems {
            items: value.nodes().iter().map(item).collect(),
            shape: value.shape().clone(),
            since,
        }
    }

    /// How many items there were.
    pub(super) fn count(&self) -> usize {
        self.items.len()
    }

    /// Whether anything is left.
    pub(super) fn is_alive(&self) -> bool {
        self.items.iter().any(|(node, _)| node.strong_count() > 0)
    }

    /// The items that are left.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Option<Rc<Node>>> {
        self.items.iter().map(|(node, _)| node.upgrade())
    }

    /// Whether a node is the item at a place, counted from 0.
    pub(crate) fn is_at(&self, place: usize, node: &Node) -> bool {
        let item = self.items.get(place);
        item.is_some_and(|(item, _)| std::ptr::eq(item.as_ptr(), node))
    }

    /// What the nodes are called.
    pub(super) fn namings(&self, (name, count): NameKey) -> impl Iterator<Item = (NodeId, Naming)> {
        // The newest comes first, and all of them after the names that a node has.
        let age = u32::MAX - self.since;
        let ids = self.items.iter().map(|(_, id)| *id);
        let namings = namings(
            ids,
            &self.shape,
            Naming {
                age,
                name,
                count,
                place: 0,
            },
        );
        namings.filter(|(id, _)| *id > 0)
    }
}
