//! Sets the targets of commands.

use std::rc::Rc;

use crate::naming::NameId;
use crate::state::Session;
use crate::target::{Target, Targets};
use chainrule_engine::graph::Node;

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
                node.filter(|node| node.is_computed()).cloned()
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
            None if node.is_computed() => self.set_target(Target::Node(Rc::clone(node))),
            None => {}
        }
    }

    /// Makes a name that stands for a number the target. Does nothing unless the number is computed.
    pub(crate) fn aim_at_named(&mut self, name: NameId, node: &Node) {
        if node.is_computed() {
            self.set_target(Target::Name(self.names.shared_name(name)));
        }
    }

    /// Makes the root of a pass the target, by its first name unless the target already stands for it. A root above
    /// parameters, which belong to an answer or a walk, is no target.
    pub(crate) fn aim_at_root(&mut self, root: &Rc<Node>) {
        let is_root = |target: &&Target| {
            let node = self.target_node(target);
            node.is_some_and(|node| Rc::ptr_eq(&node, root))
        };
        if root.is_computed() && self.parameters_below(root).is_empty() {
            let known = self.target().filter(is_root).cloned();
            self.set_target(known.unwrap_or_else(|| Target::of_node(&self.names, root)));
        }
    }

    /// Sets the target of commands that look. A saved session that repeats the statement does so too.
    pub(crate) fn set_target(&mut self, target: Target) {
        self.keeping().target = self.kept_target(&target);
        self.recent.targets.look = Some(target);
    }

    /// Makes the root of a pass or a search the target of both kinds of commands.
    pub fn aim_moves_at(&mut self, root: &Rc<Node>) {
        self.aim_at_root(root);
        if self.parameters_below(root).is_empty() {
            let targets = &mut self.recent.targets;
            targets.moved.clone_from(&targets.look);
        }
    }

    /// Sets the target of commands that move leaves.
    pub fn set_moved_target(&mut self, target: Option<Target>) {
        self.recent.targets.moved = target;
    }
}
