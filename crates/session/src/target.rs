//! Keeps the target: the node on which a command works if no node is typed.
//!
//! The target is the computed number that was most recently bound, answered or named in a command. If the number has a
//! name, the session keeps the name: when the name is rebound, its new value becomes the target. Commands that move
//! leaves have a second target, the one of the last pass or search. It stays when the user looks at another node in
//! between.

use std::rc::Rc;

use super::Session;
use super::naming::{NameId, Names};
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
    pub(super) look: Option<Target>,
    /// The target of a command that moves leaves.
    pub(super) moved: Option<Target>,
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
    pub(super) fn keys(&self) -> [Option<TargetKey>; 2] {
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

/// Whether a node can be a target: a pass from a leaf or a constant shows nothing.
fn is_computed(node: &Node) -> bool {
    node.varies() && !node.is_leaf()
}

impl Target {
    /// The target for this node: its first name, or the node itself if it has none.
    pub(super) fn of_node(names: &Names, node: &Rc<Node>) -> Target {
        match names.plain_of(node).next() {
            Some(name) => Target::Name(name.into()),
            None => Target::Node(Rc::clone(node)),
        }
    }

    /// The key of the target.
    pub(super) fn key(&self) -> TargetKey {
        match self {
            Target::Name(name) => TargetKey::Name(Rc::clone(name)),
            Target::Node(node) => TargetKey::Node(node.id()),
        }
    }
}

impl Session {
    /// Both targets.
    pub fn targets(&self) -> &Targets {
        &self.recent.targets
    }

    /// The target of a command that looks.
    pub(crate) fn target(&self) -> Option<&Target> {
        self.recent.targets.look.as_ref()
    }

    /// The node of a target; `None` if its name no longer stands for a computed number.
    pub fn target_node(&self, target: &Target) -> Option<Rc<Node>> {
        match target {
            Target::Name(name) => {
                let node = self.names.find_node(name);
                node.filter(|node| is_computed(node)).cloned()
            }
            Target::Node(node) => Some(Rc::clone(node)),
        }
    }

    /// Makes a computed number the target, by the name that was typed for it. Does nothing for other nodes.
    pub fn aim_at(&mut self, node: &Rc<Node>, typed: &str) {
        let named = self.names.find_node(typed);
        let is_its_name = named.is_some_and(|named| Rc::ptr_eq(named, node));
        match self.names.id(typed).filter(|_| is_its_name) {
            Some(id) => self.aim_at_named(id, node),
            None if is_computed(node) => self.set_target(Target::Node(Rc::clone(node))),
            None => {}
        }
    }

    /// Makes a name that stands for a number the target. Does nothing unless the number is computed.
    pub(super) fn aim_at_named(&mut self, name: NameId, node: &Node) {
        if is_computed(node) {
            self.set_target(Target::Name(self.names.name(name).into()));
        }
    }

    /// Makes the root of a pass the target, by its first name unless the target already stands for it.
    pub(super) fn aim_at_root(&mut self, root: &Rc<Node>) {
        let is_root = |target: &&Target| {
            let node = self.target_node(target);
            node.is_some_and(|node| Rc::ptr_eq(&node, root))
        };
        if is_computed(root) {
            let known = self.target().filter(is_root).cloned();
            self.set_target(known.unwrap_or_else(|| Target::of_node(&self.names, root)));
        }
    }

    /// Sets the target of commands that look. A saved session that repeats the statement does so too.
    fn set_target(&mut self, target: Target) {
        self.keeping().target = Some(target.key());
        self.recent.targets.look = Some(target);
    }

    /// Makes the root of a pass or a search the target of both kinds of commands.
    pub fn aim_moves_at(&mut self, root: &Rc<Node>) {
        self.aim_at_root(root);
        let targets = &mut self.recent.targets;
        targets.moved.clone_from(&targets.look);
    }

    /// Sets the target of commands that move leaves.
    pub fn set_moved_target(&mut self, target: Option<Target>) {
        self.recent.targets.moved = target;
    }
}
