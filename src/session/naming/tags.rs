//! What is known about single nodes besides their names: former names, labels, the calls that made them.
//!
//! References to nodes are weak, so a tag does not keep its node alive. The callers record how to undo each change.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId};
use crate::session::values::ListShape;

/// The tags of some nodes, by id.
#[derive(Clone, Debug)]
pub struct Tags<T> {
    by_node: FxHashMap<NodeId, Tag<T>>,
    /// At this many tags those of dropped nodes are removed.
    tidy_at: usize,
    /// No node with a higher id has a tag.
    newest: NodeId,
    /// How often a tag was set or removed.
    pub(super) changes: u64,
}

/// What is known about a node, and the node, if it is still alive.
#[derive(Clone, Debug)]
pub struct Tag<T> {
    pub(super) what: T,
    node: Weak<Node>,
}

/// A list that has lost its name. It lasts as long as its items do.
#[derive(Clone, Debug)]
pub(super) struct FormerList {
    pub(super) nodes: Box<[Weak<Node>]>,
    pub(super) shape: ListShape,
}

impl<T> Default for Tags<T> {
    fn default() -> Tags<T> {
        Tags {
            by_node: FxHashMap::default(),
            tidy_at: 0,
            newest: 0,
            changes: 0,
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
        let tags = self.by_node.values();
        tags.filter_map(|tag| Some((tag.node.upgrade()?, &tag.what)))
    }

    /// The node with this id and its tag, if it has one and is alive.
    pub(super) fn living_one(&self, id: NodeId) -> Option<(Rc<Node>, &T)> {
        let tag = self.by_node.get(&id)?;
        Some((tag.node.upgrade()?, &tag.what))
    }

    /// How many tags there are.
    pub(super) fn count(&self) -> usize {
        self.by_node.len()
    }

    /// Whether no node has a tag.
    pub fn is_empty(&self) -> bool {
        self.by_node.is_empty()
    }

    /// Whether the node has a tag and has been dropped.
    pub(crate) fn is_dead(&self, node: NodeId) -> bool {
        let tag = self.by_node.get(&node);
        tag.is_some_and(|tag| tag.node.strong_count() == 0)
    }

    /// Tags a node, and returns the tag from before.
    pub(crate) fn set(&mut self, node: &Rc<Node>, what: T) -> Option<Tag<T>> {
        let (id, node) = (node.id(), Rc::downgrade(node));
        self.swap(id, Some(Tag { what, node }))
    }

    /// Puts back a tag, or removes it, and returns the tag from before.
    pub(crate) fn swap(&mut self, node: NodeId, tag: Option<Tag<T>>) -> Option<Tag<T>> {
        self.changes += 1;
        let Some(tag) = tag else {
            return self.by_node.remove(&node);
        };
        if self.by_node.len() >= self.tidy_at {
            self.by_node.retain(|_, tag| tag.node.strong_count() > 0);
            self.tidy_at = (self.by_node.len() * 2).max(1024);
        }
        self.newest = self.newest.max(node);
        self.by_node.insert(node, tag)
    }

    /// Forgets everything about nodes with ids above `made`.
    pub(super) fn rewind(&mut self, made: NodeId) {
        // The typing hint rewinds at every key, and a search through a million entries would be slow.
        if self.newest > made {
            self.newest = made;
            self.by_node.retain(|node, _| *node <= made);
        }
    }
}
