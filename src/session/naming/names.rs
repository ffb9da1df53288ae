//! The symbol table: names and the values they stand for, and former names of nodes that have lost theirs.
//!
//! A name stands for a node or a list of nodes; a node may have several names. The names of a list's items, `w[2]`, are
//! made when they are asked for. A node that loses its last name gets the former name `name@k` or `name@k[2]`, where k
//! counts up for each name and is never reused. References to nodes are weak where they are not bindings, so former
//! names, calls and labels of dropped nodes can be removed. The callers record how to undo each change.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::interner::Interner;
pub use super::interner::NameId;
use super::names_by_node::{NamesByNode, Naming};
use super::tags::{FormerList, Tag, Tags};
use super::uncertainty::Uncertainty;
use crate::graph::{Node, NodeId};
use crate::session::values::ListShape;
use crate::session::values::{Comment, Comments, List, Value, WeakValue};

/// The names of a session, which an answer may hold on to while its rows are made. A change copies them then.
#[derive(Clone, Debug, Default)]
pub struct SharedNames(Rc<Names>);

impl Deref for SharedNames {
    type Target = Names;

    fn deref(&self) -> &Names {
        &self.0
    }
}

impl DerefMut for SharedNames {
    fn deref_mut(&mut self) -> &mut Names {
        Rc::make_mut(&mut self.0)
    }
}

/// All names of a session.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Interner,
    /// What each name stands for. (Parallel arrays instead of one array of structs avoid padding: there may be a million
    /// names.)
    pub(super) values: Vec<Option<Value>>,
    /// The number of the binding that gave each name its value.
    since: Vec<u32>,
    /// How many values have lost each name as their last one; only names that were lost.
    lost: FxHashMap<NameId, u32>,
    /// The lists that have lost their names, by name and count.
    pub(super) former_lists: FxHashMap<(NameId, u32), FormerList>,
    /// How many items they have, and how many were left when those without items were removed. (A weak reference keeps
    /// the memory of its node.)
    pub(super) former_items: usize,
    pub(super) former_items_tidied: usize,
    /// The names of each node. Built when first needed, which may never happen in a long script.
    pub(super) by_node: OnceCell<NamesByNode>,
    /// The former names of nodes.
    pub formers: Tags<Former>,
    /// The node that was the last to get each former name. It may have lost the name since, or be dropped.
    pub(super) formers_by_name: FxHashMap<(NameId, u32), NodeId>,
    /// The calls of the user's own functions that made nodes.
    pub calls: Tags<Call>,
    /// The labels that tables show in place of names: `n.label = 'n'`.
    pub labels: Tags<Rc<str>>,
    /// The uncertainties of leaves: `x = 5 ± 0.1`.
    pub uncertain: Tags<Uncertainty>,
    /// The comments of bindings.
    pub(crate) comments: Comments,
    /// What was typed for lists and calls, by the numbers of the bindings. Those of bindings that are gone stay, for undo.
    typed: FxHashMap<u32, Rc<str>>,
    /// How many bindings there have been.
    bindings: u32,
    /// Counts the changes of names.
    changes: u64,
}

/// The value of a name, and the number of the binding. The oldest of a node's names is its label.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The value.
    pub value: Value,
    since: u32,
}

/// The former name of a node.
#[derive(Clone, Debug, Default)]
pub struct Former {
    /// The name it lost.
    pub name: NameId,
    /// Its number: 1 for the first value that lost the name, 2 for the second, and so on.
    pub count: u32,
    /// The place of the node in a list that lost the name, counted from 1; 0 if the node itself lost it.
    pub place: u32,
}

/// The function call that produced a node.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The function.
    pub function: Rc<str>,
    /// Its arguments, if they are still alive.
    pub arguments: Vec<WeakValue>,
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

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.id(name).and_then(|id| self.value(id))
    }

    /// The node that a name stands for; none if it stands for a list.
    pub fn get(&self, name: &str) -> Option<&Rc<Node>> {
        self.find(name).and_then(Value::node)
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

    /// What the name with this id stands for.
    pub fn value(&self, id: NameId) -> Option<&Value> {
        self.values.get(id as usize)?.as_ref()
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
        self.values.push(None);
        self.since.push(0);
        if name.is_ascii() {
            self.texts.add(name)
        } else {
            self.texts.add(&name.nfc().collect::<String>())
        }
    }

    /// Binds a name to a value, and returns what it stood for. Makes no former name.
    pub fn bind(&mut self, id: NameId, value: Value) -> Option<Standing> {
        self.bindings = self.bindings.wrapping_add(1);
        let since = self.bindings;
        self.swap(id, Some(Standing { value, since }))
    }

    /// Keeps what was typed for the present value of a name.
    pub(crate) fn keep_typed(&mut self, id: NameId, typed: &str) {
        self.typed.insert(self.since[id as usize], Rc::from(typed));
    }

    /// What was typed for the present value of a name, if that was kept.
    pub(crate) fn typed(&self, name: &str) -> Option<Rc<str>> {
        let id = self.id(name)?;
        self.value(id)?;
        self.typed.get(&self.since[id as usize]).cloned()
    }

    /// Keeps the comments of the present binding of a name.
    pub(crate) fn keep_comment(&mut self, id: NameId, comment: Comment) {
        self.comments.kept.insert(self.since[id as usize], comment);
    }

    /// The comments of the present binding of a name.
    pub(crate) fn comment(&self, id: NameId) -> Option<&Comment> {
        self.value(id)?;
        self.comments.kept.get(&self.since[id as usize])
    }

    /// Binds a name to what it stood for once, or to nothing, and returns what it stood for until now.
    pub fn swap(&mut self, id: NameId, standing: Option<Standing>) -> Option<Standing> {
        self.changes += 1;
        let (place, was) = (&mut self.values[id as usize], &mut self.since[id as usize]);
        let since = *was;
        let old = place.take().map(|value| Standing { value, since });
        let mut by_node = self.by_node.get_mut();
        if let (Some(by_node), Some(old)) = (&mut by_node, &old) {
            for (node, naming) in namings(&old.value, old.since, id) {
                by_node.remove(node, naming);
            }
        }
        if let Some(Standing { value, since }) = standing {
            if let Some(by_node) = by_node {
                for (node, naming) in namings(&value, since, id) {
                    by_node.add(node, naming);
                }
            }
            (*place, *was) = (Some(value), since);
        }
        old
    }

    /// The names of a node, in the order of their bindings: `a`, `w[2]`.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = Cow<'_, str>> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        by_node.names(node.id()).map(|naming| {
            let name = self.name(naming.name);
            match (naming.place, self.value(naming.name)) {
                (place @ 1.., Some(Value::List(list))) => {
                    item_name(name, list.shape(), place).into()
                }
                _ => name.into(),
            }
        })
    }

    /// The names that stand for a node itself, not for a list with it.
    pub(crate) fn plain_of(&self, node: &Node) -> impl Iterator<Item = &str> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        let plain = by_node.names(node.id()).filter(|naming| naming.place == 0);
        plain.map(|naming| self.name(naming.name))
    }

    /// Whether a node has a name.
    pub fn has_any(&self, node: &Node) -> bool {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        by_node.names(node.id()).next().is_some()
    }

    /// The lists with names that a node is an item of, the oldest first, each with the node's place among its numbers.
    pub(crate) fn lists_of(&self, node: &Node) -> impl Iterator<Item = (&str, &Rc<List>, usize)> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        by_node.names(node.id()).filter_map(|naming| {
            let place = (naming.place as usize).checked_sub(1)?;
            match self.value(naming.name)? {
                Value::List(list) => Some((self.name(naming.name), list, place)),
                Value::Node(_) => None,
            }
        })
    }

    /// The former name of a node: `a@1`, `w@1[2]`.
    pub fn former(&self, node: &Node) -> Option<String> {
        let former = self.formers.of(node)?;
        let name = format!("{}@{}", self.name(former.name), former.count);
        let list = self.former_lists.get(&(former.name, former.count));
        Some(match list.filter(|_| former.place > 0) {
            Some(list) => item_name(&name, &list.shape, former.place),
            None => name,
        })
    }

    pub(super) fn index_by_node(&self) -> NamesByNode {
        let bound = (self.values.iter().zip(&self.since).zip(0..))
            .filter_map(|((value, &since), id)| Some(namings(value.as_ref()?, since, id)));
        NamesByNode::of(bound.flatten())
    }

    /// Checks that the index of names by node, if it was built, is up to date, and the uncertainties.
    pub(crate) fn audit(&self) -> Result<(), String> {
        match self.by_node.get() {
            Some(by_node) if *by_node != self.index_by_node() => {
                Err("the names of nodes are not those that stand for them".to_string())
            }
            _ => self.uncertain.audit(),
        }
    }

    /// Every name that stands for a value, in the order of their first definitions.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + Clone {
        (self.values.iter().enumerate())
            .filter_map(|(id, value)| Some((self.name(id as NameId), value.as_ref()?)))
    }

    /// The ids of all names that stand for a value, and the values, in the order of the bindings.
    pub(crate) fn by_age(&self) -> impl Iterator<Item = (NameId, &Value)> {
        let ids = 0..self.values.len() as NameId;
        let mut bound: Vec<NameId> = ids.filter(|id| self.value(*id).is_some()).collect();
        bound.sort_by_key(|id| self.since[*id as usize]);
        let value = |id| Some((id, self.value(id)?));
        bound.into_iter().filter_map(value)
    }

    /// Every name of a node: `a`, and `w[2]` for the items of lists, in the order of first definitions.
    pub fn nodes(&self) -> impl Iterator<Item = (Cow<'_, str>, &Rc<Node>)> {
        self.bound().flat_map(|(name, value)| {
            let nodes = value.nodes().iter().zip(1..);
            nodes.map(move |(node, place)| match value {
                Value::Node(_) => (name.into(), node),
                Value::List(list) => (item_name(name, list.shape(), place).into(), node),
            })
        })
    }

    /// Records the call that produced a node. Nested calls end inside out, so the outermost one remains.
    pub fn remember_call(
        &mut self,
        node: &Rc<Node>,
        function: &Rc<str>,
        arguments: &[Value],
    ) -> Option<Tag<Call>> {
        let call = Call {
            function: Rc::clone(function),
            arguments: arguments.iter().map(Value::downgrade).collect(),
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
        self.values.truncate(count);
        self.since.truncate(count);
        for id in count..self.count() {
            self.lost.remove(&(id as NameId));
        }
        (self.former_lists).retain(|(name, _), _| (*name as usize) < count);
        if count < self.count() {
            (self.formers_by_name).retain(|(name, _), _| (*name as usize) < count);
        }
        self.texts.truncate(count);
        self.formers.rewind(made);
        self.calls.rewind(made);
        self.labels.rewind(made);
        self.uncertain.rewind(made);
    }
}

/// The names that a value's nodes have when the name with this id stands for the value.
fn namings(value: &Value, since: u32, name: NameId) -> impl Iterator<Item = (NodeId, Naming)> {
    let first = u32::from(!value.shape().is_number());
    let nodes = value.nodes().iter().zip(first..);
    nodes.map(move |(node, place)| (node.id(), Naming { since, name, place }))
}

/// `w[2][1]`, for the number at `place`, counted from 1, of a list of this shape.
pub fn item_name(list: &str, shape: &ListShape, place: u32) -> String {
    let mut name = list.to_string();
    for at in shape.path(place as usize - 1) {
        // Writing into a string cannot fail.
        let _ = write!(name, "[{}]", at + 1);
    }
    name
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
            names.bind(id, Rc::clone(&x).into());
        }
        let listed = |names: &Names, node: &Node| names.of(node).collect::<Vec<_>>().join(" ");
        assert_eq!(listed(&names, &x), "x y z");
        let y = names.intern("y");
        let was = names.bind(y, Rc::clone(&other).into());
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("x z", "y")
        );
        let first = names.intern("x");
        let first_was = names.swap(first, None);
        assert_eq!(listed(&names, &x), "z");
        names.bind(y, Rc::clone(&x).into());
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
