//! Former names: what a name stood for until it was bound anew, as far as something still uses it.
//!
//! A former name is an entry among the names that refers to its nodes weakly.

use std::rc::{Rc, Weak};

use super::interner::NameId;
use super::names_by_node::Naming;
use crate::graph::{Node, NodeId};
use crate::session::values::{ListShape, Value};

/// A name, by its number and 0; or a former name, by the number of the name and that of the value that lost it.
pub(crate) type NameKey = (NameId, u32);

/// What is left of a value that has lost its name.
#[derive(Clone, Debug)]
pub(crate) struct FormerItems {
    items: Box<[FormerItem]>,
    pub(crate) shape: ListShape,
}

#[derive(Clone, Debug)]
struct FormerItem {
    node: Weak<Node>,
    /// Its id; 0 if the node is not called by this former name, because it had another name.
    id: NodeId,
    /// The number of the binding. A node is called by the newest of its former names.
    since: u32,
}

/// The former name of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Former {
    /// The name it lost.
    pub name: NameId,
    /// Its number: 1 for the first value that lost the name, 2 for the second, and so on.
    pub count: u32,
    /// The place of the node in a list that lost the name, counted from 1; 0 if the node itself lost it.
    pub place: u32,
}

/// The value with a former name.
pub(crate) enum FormerValue {
    /// All of it.
    Whole(Value),
    /// A list of which only some items are left: those that are used.
    Parts(Vec<Option<Rc<Node>>>, ListShape),
}

impl FormerItems {
    /// A value that loses its name. `called` says which of its nodes are called by the former name.
    pub(super) fn of(value: &Value, since: u32, called: impl Fn(&Node) -> bool) -> FormerItems {
        let item = |node: &Rc<Node>| FormerItem {
            node: Rc::downgrade(node),
            id: if called(node) { node.id() } else { 0 },
            since,
        };
        FormerItems {
            items: value.nodes().iter().map(item).collect(),
            shape: value.shape().clone(),
        }
    }

    /// How many items there were.
    pub(super) fn count(&self) -> usize {
        self.items.len()
    }

    /// Whether anything is left.
    pub(super) fn is_alive(&self) -> bool {
        self.items.iter().any(|item| item.node.strong_count() > 0)
    }

    /// The items that are left.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Option<Rc<Node>>> {
        self.items.iter().map(|item| item.node.upgrade())
    }

    /// Whether a node is the item at a place, counted from 0.
    pub(super) fn is_at(&self, place: usize, node: &Node) -> bool {
        std::ptr::eq(self.items[place].node.as_ptr(), node)
    }

    /// Whether these nodes are the items from a place on, counted from 0.
    pub(crate) fn has_at(&self, place: usize, nodes: &[Rc<Node>]) -> bool {
        let there = self.items.get(place..place + nodes.len());
        let same = |(item, node): (&FormerItem, &Rc<Node>)| item.node.as_ptr() == Rc::as_ptr(node);
        there.is_some_and(|there| there.iter().zip(nodes).all(same))
    }

    /// What the nodes are called.
    pub(super) fn namings(&self, (name, count): NameKey) -> impl Iterator<Item = (NodeId, Naming)> {
        let first = u32::from(!self.shape.is_number());
        let items = self.items.iter().zip(first..);
        items
            .filter(|(item, _)| item.id > 0)
            .map(move |(item, place)| {
                // The newest comes first, and all of them after the names that a node has.
                let age = u32::MAX - item.since;
                let naming = Naming {
                    age,
                    name,
                    count,
                    place,
                };
                (item.id, naming)
            })
    }
}
