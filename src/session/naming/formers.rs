//! Former names: what a name stood for until it was bound anew, as far as something still uses it.
//!
//! A former name is an entry among the names that refers to its nodes weakly.

use std::rc::{Rc, Weak};

use super::names::{NameKey, Naming};
use crate::graph::{Node, NodeId};
use crate::session::values::{ListShape, Value};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Standing {
    /// A value, and the number of the binding. The oldest of a node's names is its label.
    Name(Value, u32),
    /// A former name: what is left of a value.
    Former(FormerItems),
}

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

    /// Whether anything is left.
    pub(super) fn is_alive(&self) -> bool {
        self.items.iter().any(|(node, _)| node.strong_count() > 0)
    }

    /// The items that are left.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Option<Rc<Node>>> {
        self.items.iter().map(|(node, _)| node.upgrade())
    }
}

impl Standing {
    /// How its numbers belong together.
    pub(crate) fn shape(&self) -> &ListShape {
        match self {
            Standing::Name(value, _) => value.shape(),
            Standing::Former(former) => &former.shape,
        }
    }

    /// Whether it is what a name stands for, not a former name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, Standing::Name(..))
    }

    /// Whether a node is the number at a place, counted from 0.
    pub(super) fn is_at(&self, place: usize, node: &Node) -> bool {
        let there = match self {
            Standing::Name(value, _) => value.nodes().get(place).map(Rc::as_ptr),
            Standing::Former(former) => former.items.get(place).map(|(item, _)| item.as_ptr()),
        };
        there.is_some_and(|there| std::ptr::eq(there, node))
    }

    /// Its nodes; of a former name, those that are left.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Rc<Node>> {
        let node = |at: usize| match self {
            Standing::Name(value, _) => value.nodes().get(at).cloned(),
            Standing::Former(former) => former.items[at].0.upgrade(),
        };
        (0..self.shape().size()).filter_map(node)
    }

    /// What the nodes are called.
    pub(super) fn namings(&self, (name, count): NameKey) -> impl Iterator<Item = (NodeId, Naming)> {
        // The newest former name comes first, and all of them after the names that a node has.
        let age = match self {
            Standing::Name(_, since) => *since,
            Standing::Former(former) => u32::MAX - former.since,
        };
        let id = |at: usize| match self {
            Standing::Name(value, _) => value.nodes()[at].id(),
            Standing::Former(former) => former.items[at].1,
        };
        let first = usize::from(!self.shape().is_number());
        let naming = move |at: usize| Naming {
            age,
            name,
            count,
            place: (first + at) as u32,
        };
        let namings = (0..self.shape().size()).map(move |at| (id(at), naming(at)));
        namings.filter(|(id, _)| *id > 0)
    }
}
