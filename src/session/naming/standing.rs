//! What names and former names stand for, and what a node is called by them.
//!
//! A former name is what a name stood for until it was bound anew. It refers to its nodes weakly, so it lasts as long as
//! something else uses them.

use std::rc::{Rc, Weak};

use crate::graph::{Node, NodeId};
use crate::session::values::{ListShape, Value};

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// A name, by its number and 0; or a former name, by the number of the name and that of the value that lost it.
pub(crate) type NameKey = (NameId, u32);

/// A name of a node. Those that it has come first, by age, and then former ones, the newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Standing {
    /// A value, and the number of the binding. The oldest of a node's names is its label.
    Name(Value, u32),
    /// A former name: what is left of a value.
    Former(FormerItems),
}

/// What is left of a value that has lost its name.
#[derive(Clone, Debug, Default)]
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
        (0..self.count()).filter_map(node)
    }

    /// How many nodes there are, or were.
    fn count(&self) -> usize {
        match self {
            Standing::Name(value, _) => value.nodes().len(),
            Standing::Former(former) => former.items.len(),
        }
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
        let namings = (0..self.count()).map(move |at| (id(at), naming(at)));
        namings.filter(|(id, _)| *id > 0)
    }
}
