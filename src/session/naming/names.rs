//! The symbol table: names and the nodes they stand for, and former names of nodes that have lost theirs.
//!
//! A name stands for one node; a node may have several names. A node that loses its last name gets the former name
//! `name@k`, where k counts up for each name and is never reused. References to nodes are weak where they are not
//! bindings, so former names, calls and labels of dropped nodes can be removed. The callers record how to undo each
//! change.

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::interner::Interner;
pub use super::interner::NameId;
use super::names_by_node::NamesByNode;
use super::tags::{Tag, Tags};
use crate::graph::{Node, NodeId};

/// All names of a session.
#[derive(Debug, Default)]
pub struct Names {
    texts: Interner,
    /// The node of each name. (Parallel arrays instead of one array of structs avoid padding: there may be a million
    /// names.)
    nodes: Vec<Option<Rc<Node>>>,
    /// The number of the binding that gave each name its node.
    since: Vec<u32>,
    /// How many nodes have lost each name as their last one; only names that were lost.
    lost: FxHashMap<NameId, u32>,
    /// The names of each node. Built when first needed, which may never happen in a long script.
    by_node: OnceCell<NamesByNode>,
    /// The former names of nodes.
    pub formers: Tags<Former>,
    /// The calls of the user's own functions that made nodes.
    pub calls: Tags<Call>,
    /// The labels that tables show in place of names: `n.label = 'n'`.
    pub labels: Tags<Rc<str>>,
    /// How many bindings there have been.
    bindings: u32,
    /// Counts the changes of names.
    changes: u64,
}

/// The node of a name, and the number of the binding. The oldest of a node's names is its label.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The node.
    pub node: Rc<Node>,
    since: u32,
}

/// The former name of a node.
#[derive(Clone, Debug, Default)]
pub struct Former {
    /// The name it lost.
    pub name: NameId,
    /// Its number: 1 for the first node that lost the name, 2 for the second, and so on.
    pub count: u32,
}

/// The function call that produced a node.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The function.
    pub function: Rc<str>,
    /// Its arguments, if they are still alive.
    pub arguments: Vec<Weak<Node>>,
}

impl Names {
    /// A number that changes whenever some node may be referred to differently.
    pub fn version(&self) -> u64 {
        self.changes + self.formers.changes + self.calls.changes + self.labels.changes
    }

    /// Called when these names replace others, at a `:reset` or its undo: the version must be a new one for both.
    pub(crate) fn follow(&mut self, others: &Names) {
        self.changes = self.version().max(others.version()) + 1;
    }

    /// The node that a name stands for.
    pub fn get(&self, name: &str) -> Option<&Rc<Node>> {
        self.id(name).and_then(|id| self.node(id))
    }

    /// The id of a name that was ever bound. Names are compared in Unicode's composed form (NFC).
    pub fn id(&self, name: &str) -> Option<NameId> {
        let found = self.texts.get(name);
        // Stored names are composed, so a name that is found needs no composing.
        if found.is_some() || name.is_ascii() || is_nfc(name) {
            return found;
        }
        self.texts.get(&name.nfc().collect::<String>())
    }

    /// The node that the name with this id stands for.
    pub fn node(&self, id: NameId) -> Option<&Rc<Node>> {
        self.nodes.get(id as usize)?.as_ref()
    }

    /// The text of the name with this id.
    pub fn name(&self, id: NameId) -> &str {
        self.texts.text(id)
    }

    /// The id of a name, assigned now if the name is new (interning). A new name stands for nothing.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        self.nodes.push(None);
        self.since.push(0);
        if name.is_ascii() {
            self.texts.add(name)
        } else {
            self.texts.add(&name.nfc().collect::<String>())
        }
    }

    /// Binds a name to a node, and returns what it stood for. Makes no former name.
    pub fn bind(&mut self, id: NameId, node: Rc<Node>) -> Option<Standing> {
        self.bindings = self.bindings.wrapping_add(1);
        let since = self.bindings;
        self.swap(id, Some(Standing { node, since }))
    }

    /// Binds a name to what it stood for once, or to nothing, and returns what it stood for until now.
    pub fn swap(&mut self, id: NameId, standing: Option<Standing>) -> Option<Standing> {
        self.changes += 1;
        let (place, was) = (&mut self.nodes[id as usize], &mut self.since[id as usize]);
        let since = *was;
        let old = place.take().map(|node| Standing { node, since });
        let mut by_node = self.by_node.get_mut();
        if let (Some(by_node), Some(old)) = (&mut by_node, &old) {
            by_node.remove(old.node.id(), (old.since, id));
        }
        if let Some(Standing { node, since }) = standing {
            if let Some(by_node) = by_node {
                by_node.add(node.id(), (since, id));
            }
            (*place, *was) = (Some(node), since);
        }
        old
    }

    /// The names of a node, in the order of their bindings.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = &str> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        by_node.names(node.id()).map(|id| self.name(id))
    }

    fn index_by_node(&self) -> NamesByNode {
        let bound = (self.nodes.iter().zip(&self.since).zip(0..))
            .filter_map(|((node, &since), id)| Some((node.as_ref()?.id(), (since, id))));
        NamesByNode::of(bound)
    }

    /// Checks that the index of names by node, if it was built, is up to date.
    pub(crate) fn audit(&self) -> Result<(), String> {
        match self.by_node.get() {
            Some(by_node) if *by_node != self.index_by_node() => {
                Err("the names of nodes are not those that stand for them".to_string())
            }
            _ => Ok(()),
        }
    }

    /// Every name that stands for a node, in the order of their first definitions.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&str, &Rc<Node>)> {
        (self.nodes.iter().enumerate())
            .filter_map(|(id, node)| Some((self.name(id as NameId), node.as_ref()?)))
    }

    /// The node with the former name `name@count`. A linear search, used only for names that a user types.
    pub fn formerly(&self, name: &str, count: u32) -> Option<Rc<Node>> {
        let id = self.id(name)?;
        let is_it = |former: &Former| former.name == id && former.count == count;
        let found = self.formers.living().find(|(_, former)| is_it(former));
        found.map(|(node, _)| node)
    }

    /// Records the call that produced a node. Nested calls end inside out, so the outermost one remains.
    pub fn remember_call(
        &mut self,
        node: &Rc<Node>,
        function: &Rc<str>,
        arguments: &[Rc<Node>],
    ) -> Option<Tag<Call>> {
        let call = Call {
            function: Rc::clone(function),
            arguments: arguments.iter().map(Rc::downgrade).collect(),
        };
        self.calls.set(node, call)
    }

    /// How many nodes have lost this name as their last one.
    pub fn lost(&self, id: NameId) -> u32 {
        self.lost.get(&id).copied().unwrap_or(0)
    }

    /// Sets that count, and returns the one before: higher when a node loses the name, back when this is undone.
    pub fn swap_lost(&mut self, id: NameId, lost: u32) -> u32 {
        let before = match lost {
            0 => self.lost.remove(&id),
            _ => self.lost.insert(id, lost),
        };
        before.unwrap_or(0)
    }

    /// Every name that was ever bound, in order of definition, each with how many nodes have lost it.
    pub fn every(&self) -> impl Iterator<Item = (&str, u32)> {
        (0..self.count() as NameId).map(|id| (self.name(id), self.lost(id)))
    }

    /// How many names were ever bound.
    pub fn count(&self) -> usize {
        self.texts.count()
    }

    /// Forgets the names from the `count`th on, none of which is bound, and everything about nodes with ids above
    /// `made`.
    pub fn rewind(&mut self, count: usize, made: NodeId) {
        self.nodes.truncate(count);
        self.since.truncate(count);
        for id in count..self.count() {
            self.lost.remove(&(id as NameId));
        }
        self.texts.truncate(count);
        self.formers.rewind(made);
        self.calls.rewind(made);
        self.labels.rewind(made);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn a_node_keeps_its_names_in_order() {
        let mut graph = Graph::default();
        let mut names = Names::default();
        let (x, other) = (graph.leaf(3.0, false), graph.leaf(4.0, false));
        for name in ["x", "y", "z"] {
            let id = names.intern(name);
            names.bind(id, Rc::clone(&x));
        }
        let listed = |names: &Names, node: &Node| {
            names
                .of(node)
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(listed(&names, &x), "x y z");
        let y = names.intern("y");
        let was = names.bind(y, Rc::clone(&other));
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("x z", "y")
        );
        let first = names.intern("x");
        let first_was = names.swap(first, None);
        assert_eq!(listed(&names, &x), "z");
        names.bind(y, Rc::clone(&x));
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("z y", "")
        );
        // A binding that is restored takes its old place in the order.
        names.swap(y, was);
        names.swap(first, first_was);
        assert_eq!(listed(&names, &x), "x y z");
    }

    #[test]
    fn names_are_compared_composed() {
        let mut names = Names::default();
        let composed = names.intern("é");
        assert_eq!(names.id("e\u{301}"), Some(composed));
    }
}
