//! Names and the nodes they stand for, in order of definition; former names of nodes that lost theirs.
//!
//! A name stands for one node, a node may have several names. A node that loses its last name is from then on
//! `name@k`; k counts up per name and is never used twice. What former names cost goes when their nodes go.
//! Nothing here decides what a change means; `undo` takes each change back.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::graph::{Node, NodeId};

/// The place of a name in the order of definition.
pub type NameId = u32;

const NONE: NameId = NameId::MAX;

/// All names of a session.
#[derive(Debug, Default)]
pub struct Names {
    index: FxHashMap<Rc<str>, NameId>,
    entries: Vec<Entry>,
    /// The first name of each named node; further ones follow by `Entry::next`.
    first: FxHashMap<NodeId, NameId>,
    formers: FxHashMap<NodeId, Former>,
    /// How many formers there may be before those of dead nodes are cleared away.
    tidy_at: usize,
}

#[derive(Debug)]
struct Entry {
    name: Rc<str>,
    node: Option<Rc<Node>>,
    /// The next name of the same node.
    next: NameId,
    /// How many nodes lost this name as their last one.
    lost: u32,
}

/// What a node was called.
#[derive(Clone, Debug)]
pub struct Former {
    /// The name it lost.
    pub name: NameId,
    /// The how-manieth node that lost it.
    pub count: u32,
    /// The node, as long as something else keeps it.
    pub node: Weak<Node>,
}

impl Names {
    /// The node a name stands for.
    pub fn get(&self, name: &str) -> Option<&Rc<Node>> {
        self.id(name).and_then(|id| self.node(id))
    }

    /// The place of a name that was ever bound. Names are compared in Unicode's composed form.
    pub fn id(&self, name: &str) -> Option<NameId> {
        if name.is_ascii() || is_nfc(name) {
            return self.index.get(name).copied();
        }
        self.index
            .get(name.nfc().collect::<String>().as_str())
            .copied()
    }

    /// The node at a place.
    pub fn node(&self, id: NameId) -> Option<&Rc<Node>> {
        self.entries.get(id as usize)?.node.as_ref()
    }

    /// The name at a place.
    pub fn name(&self, id: NameId) -> &Rc<str> {
        &self.entries[id as usize].name
    }

    /// The place of a name, made if it is new. A new place stands for nothing until [`Names::swap`].
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        let name: Rc<str> = if name.is_ascii() {
            name.into()
        } else {
            name.nfc().collect::<String>().into()
        };
        let id = self.entries.len() as NameId;
        self.entries.push(Entry {
            name: Rc::clone(&name),
            node: None,
            next: NONE,
            lost: 0,
        });
        self.index.insert(name, id);
        id
    }

    /// Makes a name stand for another node, or for none; returns what it stood for. No former name is made here.
    pub fn swap(&mut self, id: NameId, node: Option<Rc<Node>>) -> Option<Rc<Node>> {
        if let Some(old) = self.entries[id as usize].node.take() {
            self.unlink(old.id(), id);
            if let Some(node) = node {
                self.link(node, id);
            }
            return Some(old);
        }
        if let Some(node) = node {
            self.link(node, id);
        }
        None
    }

    fn link(&mut self, node: Rc<Node>, id: NameId) {
        let mut last = *self.first.entry(node.id()).or_insert(id);
        while last != id {
            let next = self.entries[last as usize].next;
            if next == NONE {
                self.entries[last as usize].next = id;
                break;
            }
            last = next;
        }
        self.entries[id as usize].node = Some(node);
    }

    fn unlink(&mut self, node: NodeId, id: NameId) {
        let next = std::mem::replace(&mut self.entries[id as usize].next, NONE);
        let Some(first) = self.first.get_mut(&node) else {
            return;
        };
        if *first == id {
            if next == NONE {
                self.first.remove(&node);
            } else {
                *first = next;
            }
            return;
        }
        let mut at = *first;
        while at != NONE {
            if self.entries[at as usize].next == id {
                self.entries[at as usize].next = next;
                return;
            }
            at = self.entries[at as usize].next;
        }
    }

    /// The names of a node, first bound first.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = &Rc<str>> {
        let mut at = self.first.get(&node.id()).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(&entry.name)
        })
    }

    /// Every name that stands for a node, in order of definition.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&Rc<str>, &Rc<Node>)> {
        self.entries
            .iter()
            .filter_map(|entry| entry.node.as_ref().map(|node| (&entry.name, node)))
    }

    /// What an unnamed node was called when it had a name.
    pub fn former(&self, node: &Node) -> Option<&Former> {
        self.formers.get(&node.id())
    }

    /// The node that was the `count`th to lose a name. A search: it is asked for what people type.
    pub fn formerly(&self, name: &str, count: u32) -> Option<Rc<Node>> {
        let id = self.id(name)?;
        let found = self
            .formers
            .values()
            .find(|former| former.name == id && former.count == count)?;
        found.node.upgrade()
    }

    /// Nodes that are formerly named and still alive.
    pub fn formers(&self) -> impl Iterator<Item = Rc<Node>> {
        self.formers
            .values()
            .filter_map(|former| former.node.upgrade())
    }

    /// How many nodes lost a name as their last one.
    pub fn lost(&self, id: NameId) -> u32 {
        self.entries[id as usize].lost
    }

    /// Sets that count: up when a node loses the name, down again when this is undone.
    pub fn set_lost(&mut self, id: NameId, lost: u32) {
        self.entries[id as usize].lost = lost;
    }

    /// Gives or takes a former name; returns the one there was.
    pub fn swap_former(&mut self, node: NodeId, former: Option<Former>) -> Option<Former> {
        let Some(former) = former else {
            return self.formers.remove(&node);
        };
        if self.formers.len() >= self.tidy_at {
            self.formers
                .retain(|_, former| former.node.strong_count() > 0);
            self.tidy_at = (self.formers.len() * 2).max(1024);
        }
        self.formers.insert(node, former)
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
            names.swap(id, Some(Rc::clone(&x)));
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
        names.swap(y, Some(Rc::clone(&other)));
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("x z", "y")
        );
        let first = names.intern("x");
        names.swap(first, None);
        assert_eq!(listed(&names, &x), "z");
        names.swap(y, Some(Rc::clone(&x)));
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("z y", "")
        );
    }

    #[test]
    fn names_are_compared_composed() {
        let mut names = Names::default();
        let composed = names.intern("é");
        assert_eq!(names.id("e\u{301}"), Some(composed));
    }
}
