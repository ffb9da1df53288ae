//! What is known about individual nodes besides their names: former names, labels, uncertainties, the calls that made
//! them.
//!
//! References to nodes are weak, so a tag does not keep its node alive.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::session::logged::{Keyed, Logged};
use chainrule_engine::graph::{Node, NodeId};

/// The tags of some nodes, by id.
#[derive(Clone, Debug)]
pub struct Tags<T> {
    by_node: FxHashMap<NodeId, Tag<T>>,
    /// At this many tags those of dropped nodes are removed.
    tidy_at: usize,
}

/// What is known about a node, and the node, if it is still alive.
#[derive(Clone, Debug)]
pub struct Tag<T> {
    pub(in crate::session) what: T,
    node: Weak<Node>,
}

impl<T> Default for Tags<T> {
    fn default() -> Tags<T> {
        Tags {
            by_node: FxHashMap::default(),
            tidy_at: 0,
        }
    }
}

impl<T> Tags<T> {
    /// A node's tag.
    pub fn of(&self, node: &Node) -> Option<&T> {
        // A tag set by a statement that failed may remain although its node's id was given to another node.
        let tag = self.by_node.get(&node.id())?;
        std::ptr::eq(tag.node.as_ptr(), node).then_some(&tag.what)
    }

    /// The living nodes with tags, in no particular order.
    pub fn living(&self) -> impl Iterator<Item = (Rc<Node>, &T)> {
        self.by_node.values().filter_map(Tag::of_living)
    }

    /// The node with this number and its tag, if it is alive.
    pub(in crate::session) fn numbered(&self, node: NodeId) -> Option<(Rc<Node>, &T)> {
        self.by_node.get(&node).and_then(Tag::of_living)
    }

    /// Whether no node has a tag.
    pub fn is_empty(&self) -> bool {
        self.by_node.is_empty()
    }

    /// Tags a node.
    pub(in crate::session) fn set(&mut self, node: &Rc<Node>, what: T) {
        self.swap(&node.id(), Some(Tag::new(node, what)));
    }
}

impl<T> Tag<T> {
    /// Makes the tag of a node.
    fn new(node: &Rc<Node>, what: T) -> Tag<T> {
        let node = Rc::downgrade(node);
        Tag { what, node }
    }

    fn of_living(&self) -> Option<(Rc<Node>, &T)> {
        Some((self.node.upgrade()?, &self.what))
    }
}

impl<T> Keyed for Tags<T> {
    type Key = NodeId;
    type Value = Option<Tag<T>>;

    fn number(&node: &NodeId, _: &Self::Value) -> Option<u32> {
        Some(node)
    }

    fn swap(&mut self, node: &NodeId, tag: Option<Tag<T>>) -> Option<Tag<T>> {
        let Some(tag) = tag else {
            return self.by_node.remove(node);
        };
        if self.by_node.len() >= self.tidy_at {
            self.by_node.retain(|_, tag| tag.node.strong_count() > 0);
            self.tidy_at = (self.by_node.len() * 2).max(64);
        }
        self.by_node.insert(*node, tag)
    }
}

impl<T> Logged<Tags<T>> {
    /// Tags a node, or takes its tag away.
    pub(crate) fn tag(&mut self, node: &Rc<Node>, what: Option<T>) {
        self.write(node.id(), what.map(|what| Tag::new(node, what)));
    }

    /// Takes all tags away.
    pub(in crate::session) fn clear(&mut self) {
        for node in self.by_node.keys().copied().collect::<Vec<_>>() {
            self.write(node, None);
        }
    }
}
