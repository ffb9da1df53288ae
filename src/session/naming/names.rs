//! Names and the nodes they stand for, in order of definition; former names of nodes that lost theirs.
//!
//! A name stands for one node, a node may have several names. A node that loses its last name is from then on
//! `name@k`; k counts up per name and is never used twice. What former names cost goes when their nodes go.
//! Nothing here decides what a change means; `undo` takes each change back.

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::interner::Interner;
pub use super::interner::NameId;
use super::names_by_node::Called;
use crate::graph::{Node, NodeId};

/// All names of a session.
#[derive(Debug, Default)]
pub struct Names {
    texts: Interner,
    /// What each name stands for. (Lists beside one another have no gaps: there are as many names as lines in a script.)
    nodes: Vec<Option<Rc<Node>>>,
    /// The binding that made each name stand for its node.
    since: Vec<u32>,
    /// How many nodes lost a name as their last one, where any did.
    lost: FxHashMap<NameId, u32>,
    /// The names of each node: made when they are first asked for, which a long script may never do.
    called: OnceCell<Called>,
    formers: FxHashMap<NodeId, Former>,
    /// Nodes that are the value of a call of the user's own functions.
    calls: FxHashMap<NodeId, Call>,
    /// What nodes are shown as in tables, where that is not their name.
    labels: FxHashMap<NodeId, Label>,
    /// No node after this one has a former name, a call or a label.
    newest: NodeId,
    /// How many labels there may be before those of dead nodes are cleared away.
    tidy_labels_at: usize,
    /// How many calls there may be before those of dead nodes are cleared away.
    tidy_calls_at: usize,
    /// How many bindings there were.
    bindings: u32,
    /// How many formers there may be before those of dead nodes are cleared away.
    tidy_at: usize,
    /// Counts what may change how nodes are called.
    version: u64,
}

/// What a name stands for, and since which binding: of a node's names the oldest one is its label.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The node.
    pub node: Rc<Node>,
    since: u32,
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

/// What a node is shown as in tables: `n.label = 'n'`.
#[derive(Clone, Debug)]
pub struct Label {
    /// The text.
    pub text: Rc<str>,
    /// The node, as long as something else keeps it.
    pub node: Weak<Node>,
}

/// The call that made a node.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub function: Rc<str>,
    /// Its arguments, as long as something else keeps them.
    pub arguments: Vec<Weak<Node>>,
    node: Weak<Node>,
}

impl Names {
    /// Another number whenever a node may be called otherwise than before.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The names of before or after a `:reset` come into this place: they are another version, too.
    pub(crate) fn follow(&mut self, others: &Names) {
        self.version = self.version.max(others.version) + 1;
    }

    /// The node a name stands for.
    pub fn get(&self, name: &str) -> Option<&Rc<Node>> {
        self.id(name).and_then(|id| self.node(id))
    }

    /// The place of a name that was ever bound. Names are compared in Unicode's composed form.
    pub fn id(&self, name: &str) -> Option<NameId> {
        let found = self.texts.get(name);
        // What is kept is composed, so what is found needs no composing.
        if found.is_some() || name.is_ascii() || is_nfc(name) {
            return found;
        }
        self.texts.get(&name.nfc().collect::<String>())
    }

    /// The node at a place.
    pub fn node(&self, id: NameId) -> Option<&Rc<Node>> {
        self.nodes.get(id as usize)?.as_ref()
    }

    /// The name at a place.
    pub fn name(&self, id: NameId) -> &str {
        self.texts.text(id)
    }

    /// The place of a name, made if it is new. A new place stands for nothing until [`Names::swap`].
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

    /// Makes a name stand for another node; returns what it stood for. No former name is made here.
    pub fn bind(&mut self, id: NameId, node: Rc<Node>) -> Option<Standing> {
        self.bindings = self.bindings.wrapping_add(1);
        let since = self.bindings;
        self.swap(id, Some(Standing { node, since }))
    }

    /// Makes a name stand for nothing, or for what it stood for once; returns what it stood for.
    pub fn swap(&mut self, id: NameId, standing: Option<Standing>) -> Option<Standing> {
        self.version += 1;
        let (place, was) = (&mut self.nodes[id as usize], &mut self.since[id as usize]);
        let since = *was;
        let old = place.take().map(|node| Standing { node, since });
        let mut called = self.called.get_mut();
        if let (Some(called), Some(old)) = (&mut called, &old) {
            called.remove(old.node.id(), (old.since, id));
        }
        if let Some(Standing { node, since }) = standing {
            if let Some(called) = called {
                called.add(node.id(), (since, id));
            }
            (*place, *was) = (Some(node), since);
        }
        old
    }

    /// The names of a node, first bound first.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = &str> {
        let called = self.called.get_or_init(|| self.called_anew());
        called.names(node.id()).map(|id| self.name(id))
    }

    fn called_anew(&self) -> Called {
        let bound = (self.nodes.iter().zip(&self.since).zip(0..))
            .filter_map(|((node, &since), id)| Some((node.as_ref()?.id(), (since, id))));
        Called::of(bound)
    }

    /// Are the names of each node, where they are listed, those that stand for it? Says if not.
    pub(crate) fn audit(&self) -> Result<(), String> {
        match self.called.get() {
            Some(called) if *called != self.called_anew() => {
                Err("the names of nodes are not those that stand for them".to_string())
            }
            _ => Ok(()),
        }
    }

    /// Every name that stands for a node, in order of definition.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&str, &Rc<Node>)> {
        (self.nodes.iter().enumerate())
            .filter_map(|(id, node)| Some((self.name(id as NameId), node.as_ref()?)))
    }

    /// What an unnamed node was called when it had a name.
    pub fn former(&self, node: &Node) -> Option<&Former> {
        self.formers.get(&node.id())
    }

    /// Has the node of a former name gone?
    pub fn former_is_dead(&self, node: NodeId) -> bool {
        let former = self.formers.get(&node);
        former.is_some_and(|former| former.node.strong_count() == 0)
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

    /// The call that made a node, if it was one.
    pub fn call_of(&self, node: &Node) -> Option<&Call> {
        // Of a statement that failed the call is still here, but its number has gone to another node.
        let call = self.calls.get(&node.id())?;
        std::ptr::eq(call.node.as_ptr(), node).then_some(call)
    }

    /// Gives or takes the call that a node is shown as; returns the one there was.
    pub fn swap_call(&mut self, node: NodeId, call: Option<Call>) -> Option<Call> {
        self.version += 1;
        self.newest = self.newest.max(node);
        match call {
            Some(call) => self.calls.insert(node, call),
            None => self.calls.remove(&node),
        }
    }

    /// Remembers the call that made a node; of calls within calls the outermost.
    pub fn remember_call(
        &mut self,
        node: &Rc<Node>,
        function: &Rc<str>,
        arguments: &[Rc<Node>],
    ) -> Option<Call> {
        if self.calls.len() >= self.tidy_calls_at {
            self.calls.retain(|_, call| call.node.strong_count() > 0);
            self.tidy_calls_at = (self.calls.len() * 2).max(1024);
        }
        let call = Call {
            function: Rc::clone(function),
            arguments: arguments.iter().map(Rc::downgrade).collect(),
            node: Rc::downgrade(node),
        };
        self.version += 1;
        self.newest = self.newest.max(node.id());
        self.calls.insert(node.id(), call)
    }

    /// What a node is shown as in tables, if that was set.
    pub fn label(&self, node: &Node) -> Option<&Rc<str>> {
        self.labels.get(&node.id()).map(|label| &label.text)
    }

    /// Nodes with a label of their own that are still alive, oldest first.
    pub fn labels(&self) -> Vec<(Rc<Node>, Rc<str>)> {
        let mut labels: Vec<(Rc<Node>, Rc<str>)> = self
            .labels
            .values()
            .filter_map(|label| Some((label.node.upgrade()?, Rc::clone(&label.text))))
            .collect();
        labels.sort_by_key(|(node, _)| node.id());
        labels
    }

    /// Has any node a label of its own?
    pub fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Gives or takes a label; returns the one there was.
    pub fn swap_label(&mut self, node: NodeId, label: Option<Label>) -> Option<Label> {
        let Some(label) = label else {
            return self.labels.remove(&node);
        };
        if self.labels.len() >= self.tidy_labels_at {
            self.labels.retain(|_, label| label.node.strong_count() > 0);
            self.tidy_labels_at = (self.labels.len() * 2).max(1024);
        }
        self.newest = self.newest.max(node);
        self.labels.insert(node, label)
    }

    /// How many nodes lost a name as their last one.
    pub fn lost(&self, id: NameId) -> u32 {
        self.lost.get(&id).copied().unwrap_or(0)
    }

    /// Sets that count: up when a node loses the name, down again when this is undone.
    pub fn set_lost(&mut self, id: NameId, lost: u32) {
        if lost > 0 {
            self.lost.insert(id, lost);
        } else {
            self.lost.remove(&id);
        }
    }

    /// Every name that was ever bound, in order of definition, with how many nodes lost it.
    pub fn every(&self) -> impl Iterator<Item = (&str, u32)> {
        (0..self.count() as NameId).map(|id| (self.name(id), self.lost(id)))
    }

    /// How many names were ever bound.
    pub fn count(&self) -> usize {
        self.texts.count()
    }

    /// Forgets what was said of names and nodes that are taken back: names from the `count`th on, none of which
    /// stands for anything, and nodes after `made`.
    pub fn rewind(&mut self, count: usize, made: NodeId) {
        self.nodes.truncate(count);
        self.since.truncate(count);
        for id in count..self.count() {
            self.lost.remove(&(id as NameId));
        }
        self.texts.truncate(count);
        // A hint takes back with every key, and there may be a million of them.
        if self.newest > made {
            self.newest = made;
            self.formers.retain(|node, _| *node <= made);
            self.calls.retain(|node, _| *node <= made);
            self.labels.retain(|node, _| *node <= made);
        }
    }

    /// Gives or takes a former name; returns the one there was.
    pub fn swap_former(&mut self, node: NodeId, former: Option<Former>) -> Option<Former> {
        self.version += 1;
        let Some(former) = former else {
            return self.formers.remove(&node);
        };
        if self.formers.len() >= self.tidy_at {
            self.formers
                .retain(|_, former| former.node.strong_count() > 0);
            self.tidy_at = (self.formers.len() * 2).max(1024);
        }
        self.newest = self.newest.max(node);
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
        // What is taken back stands where it stood.
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
