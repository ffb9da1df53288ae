//! Keeps the target: the node on which a command works if no node is typed.
//!
//! The target is the computed number that was most recently bound, answered or named in a command: a pass from a leaf or a
//! constant shows nothing. If the number has a
//! name, the session keeps the name: when the name is rebound, its new value becomes the target. Commands that move
//! leaves have a second target, the one of the last pass or search. It stays when the user looks at another node in
//! between.

use std::rc::Rc;

use crate::naming::Names;
use chainrule_engine::graph::{Node, NodeId};

/// The target of commands: a name, or a node without a name.
#[derive(Clone, Debug)]
pub enum Target {
    /// A name, which may be bound to another value later.
    Name(Rc<str>),
    /// A node that had no name.
    Node(Rc<Node>),
}

/// The targets of a session.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The target of a command that looks.
    pub(crate) look: Option<Target>,
    /// The target of a command that moves leaves.
    pub(crate) moved: Option<Target>,
}

impl Targets {
    /// The target of a command that looks.
    pub fn look(&self) -> Option<&Target> {
        self.look.as_ref()
    }

    /// The target of a command that moves leaves: that of the last pass or search, if there was one.
    pub fn moved(&self) -> Option<&Target> {
        self.moved.as_ref().or(self.look.as_ref())
    }

    /// The key of that target; without one, the key of this root.
    pub fn moved_key(&self, root: &Node) -> TargetKey {
        let target = self.moved().map(Target::key);
        target.unwrap_or(TargetKey::Node(root.id()))
    }

    /// The keys of both targets.
    pub(crate) fn keys(&self) -> [Option<TargetKey>; 2] {
        [&self.look, &self.moved].map(|it| it.as_ref().map(Target::key))
    }
}

/// The key of a target, which may outlive its node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TargetKey {
    /// A name.
    Name(Rc<str>),
    /// A node that had no name.
    Node(NodeId),
}

impl Target {
    /// The target for this node: its first name, or the node itself if it has none.
    pub(crate) fn of_node(names: &Names, node: &Rc<Node>) -> Target {
        match names.plain_of(node).next() {
            Some(name) => Target::Name(name.into()),
            None => Target::Node(Rc::clone(node)),
        }
    }

    /// The key of the target.
    pub(crate) fn key(&self) -> TargetKey {
        match self {
            Target::Name(name) => TargetKey::Name(Rc::clone(name)),
            Target::Node(node) => TargetKey::Node(node.id()),
        }
    }
}
