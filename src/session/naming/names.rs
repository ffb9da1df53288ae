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
use crate::session::logged::{Keyed, Logged, Only};
use crate::session::values::ListShape;
use crate::session::values::{Comment, List, Value, WeakValue};

/// Former names of dropped nodes are forgotten when there are more than these, and twice as many as of living ones.
const FEW_FORMERS: usize = 1 << 10;

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
    pub(in crate::session) texts: Logged<Interner>,
    pub(in crate::session) bindings: Logged<Bindings>,
    /// How many values have lost each name as their last one; only names that were lost.
    pub(in crate::session) lost: Logged<Lost>,
    /// The lists that have lost their names, by name and count.
    pub(super) former_lists: FxHashMap<(NameId, u32), FormerList>,
    /// How many items they have, and how many were left when those without items were removed. (A weak reference keeps
    /// the memory of its node.)
    pub(super) former_items: usize,
    pub(super) former_items_tidied: usize,
    /// The former names of nodes.
    pub formers: Logged<Formers>,
    /// The calls of the user's own functions that made nodes.
    pub calls: Tags<Call>,
    /// The labels that tables show in place of names: `n.label = 'n'`.
    pub labels: Logged<Tags<Rc<str>>>,
    /// The uncertainties of leaves: `x = 5 ± 0.1`.
    pub uncertain: Logged<Tags<Uncertainty>>,
    /// The comments of bindings, by the numbers of these. Those of bindings that are gone stay, for undo.
    comments: FxHashMap<u32, Comment>,
    /// The heading of the script with which the session began.
    pub(in crate::session) heading: Logged<Only<Option<Heading>>>,
    /// How many bindings there have been.
    count: u32,
}

/// The lines of a heading.
type Heading = Rc<[Box<str>]>;

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// What each name stands for. (Parallel arrays instead of one array of structs avoid padding: there may be a million
    /// names.)
    pub(super) values: Vec<Option<Value>>,
    /// The number of the binding that gave each name its value.
    since: Vec<u32>,
    /// The names of each node. Built when first needed, which may never happen in a long script.
    by_node: OnceCell<NamesByNode>,
    /// Counts the changes of names.
    changes: u64,
}

/// How many values have lost each name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(FxHashMap<NameId, u32>);

/// The value of a name, and the number of the binding. The oldest of a node's names is its label.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
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
        self.bindings.changes + self.formers.changes() + self.calls.changes + self.labels.changes
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
        self.bindings.values.get(id as usize)?.as_ref()
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
        let id = if name.is_ascii() {
            self.texts.add(name)
        } else {
            self.texts.add(&name.nfc().collect::<String>())
        };
        self.bindings.values.push(None);
        self.bindings.since.push(0);
        self.texts.write(id, true);
        id
    }

    /// Binds a name to a value. Makes no former name.
    pub fn bind(&mut self, id: NameId, value: Value) {
        self.count = self.count.wrapping_add(1);
        let since = self.count;
        self.bindings.write(id, Some(Standing { value, since }));
    }

    /// Forgets a name, and returns what it stood for. Makes no former name.
    pub(crate) fn unbind(&mut self, id: NameId) -> Option<Value> {
        let value = self.value(id)?.clone();
        self.bindings.write(id, None);
        Some(value)
    }

    /// Forgets all names and what is known about nodes. None of the names is found any more.
    pub(crate) fn forget_all(&mut self) {
        for id in 0..self.count() as NameId {
            self.unbind(id);
            self.set_lost(id, 0);
            if self.texts.knows(id) {
                self.texts.write(id, false);
            }
        }
        for node in self.formers.tagged() {
            self.formers.write(node, None);
        }
        for node in self.labels.tagged() {
            self.labels.write(node, None);
        }
        for node in self.uncertain.tagged() {
            self.uncertain.write(node, None);
        }
        if self.heading.is_some() {
            self.heading.write((), None);
        }
    }

    /// Keeps the comments of the present binding of a name.
    pub(crate) fn keep_comment(&mut self, id: NameId, comment: Comment) {
        let since = self.bindings.since[id as usize];
        self.comments.insert(since, comment);
    }

    /// The comments of the present binding of a name.
    pub(crate) fn comment(&self, id: NameId) -> Option<&Comment> {
        self.value(id)?;
        self.comments.get(&self.bindings.since[id as usize])
    }

    /// The names of a node, in the order of their bindings: `a`, `w[2]`.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = Cow<'_, str>> {
        self.by_node().names(node.id()).map(|naming| {
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
        let plain = self
            .by_node()
            .names(node.id())
            .filter(|naming| naming.place == 0);
        plain.map(|naming| self.name(naming.name))
    }

    /// Whether a node has a name.
    pub fn has_any(&self, node: &Node) -> bool {
        self.by_node().names(node.id()).next().is_some()
    }

    /// The lists with names that a node is an item of, the oldest first, each with the node's place among its numbers.
    pub(crate) fn lists_of(&self, node: &Node) -> impl Iterator<Item = (&str, &Rc<List>, usize)> {
        self.by_node().names(node.id()).filter_map(|naming| {
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

    /// The names of each node.
    pub(super) fn by_node(&self) -> &NamesByNode {
        let bindings = &self.bindings;
        bindings.by_node.get_or_init(|| bindings.index_by_node())
    }

    /// Checks that the index of names by node, if it was built, is up to date, and the uncertainties.
    pub(crate) fn audit(&self) -> Result<(), String> {
        match self.bindings.by_node.get() {
            Some(by_node) if *by_node != self.bindings.index_by_node() => {
                Err("the names of nodes are not those that stand for them".to_string())
            }
            _ => self.uncertain.audit(),
        }
    }

    /// Every name that stands for a value, in the order of their first definitions.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + Clone {
        (self.bindings.values.iter().enumerate())
            .filter_map(|(id, value)| Some((self.name(id as NameId), value.as_ref()?)))
    }

    /// The ids of all names that stand for a value, and the values, in the order of the bindings.
    pub(crate) fn by_age(&self) -> impl Iterator<Item = (NameId, &Value)> {
        let ids = 0..self.count() as NameId;
        let mut bound: Vec<NameId> = ids.filter(|id| self.value(*id).is_some()).collect();
        bound.sort_by_key(|id| self.bindings.since[*id as usize]);
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
    pub fn remember_call(&mut self, node: &Rc<Node>, function: &Rc<str>, arguments: &[Value]) {
        let call = Call {
            function: Rc::clone(function),
            arguments: arguments.iter().map(Value::downgrade).collect(),
        };
        self.calls.set(node, call);
    }

    /// How many nodes have lost this name as their last one.
    pub fn lost(&self, id: NameId) -> u32 {
        self.lost.0.get(&id).copied().unwrap_or(0)
    }

    /// Sets that count.
    pub(crate) fn set_lost(&mut self, id: NameId, lost: u32) {
        if self.lost(id) != lost {
            self.lost.write(id, lost);
        }
    }

    /// Every name that was ever bound, in order of definition, each with how many nodes have lost it.
    pub fn every(&self) -> impl Iterator<Item = (NameId, u32)> {
        let ids = (0..self.count() as NameId).filter(|id| self.texts.knows(*id));
        ids.map(|id| (id, self.lost(id)))
    }

    /// How many names were ever bound.
    pub fn count(&self) -> usize {
        self.texts.count()
    }

    /// Forgets the texts of the names from the `count`th on, none of which is found any more.
    pub(crate) fn truncate(&mut self, count: usize) {
        if count < self.count() {
            self.bindings.values.truncate(count);
            self.bindings.since.truncate(count);
            (self.former_lists).retain(|(name, _), _| (*name as usize) < count);
            self.formers.forget_names(count);
            self.texts.truncate(count);
        }
    }
}

impl Bindings {
    fn index_by_node(&self) -> NamesByNode {
        let bound = (self.values.iter().zip(&self.since).zip(0..))
            .filter_map(|((value, &since), id)| Some(namings(value.as_ref()?, since, id)));
        NamesByNode::of(bound.flatten())
    }
}

impl Keyed for Bindings {
    type Key = NameId;
    type Value = Option<Standing>;

    fn swap(&mut self, &id: &NameId, standing: Option<Standing>) -> Option<Standing> {
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
}

impl Keyed for Lost {
    type Key = NameId;
    type Value = u32;

    fn swap(&mut self, id: &NameId, lost: u32) -> u32 {
        let before = match lost {
            0 => self.0.remove(id),
            _ => self.0.insert(*id, lost),
        };
        before.unwrap_or(0)
    }
}

/// The former names of nodes.
#[derive(Clone, Debug, Default)]
pub struct Formers {
    tags: Tags<Former>,
    /// The node that was the last to get each former name. It may have lost the name since, or be dropped.
    pub(super) by_name: FxHashMap<(NameId, u32), NodeId>,
}

impl Formers {
    /// How often one was given or taken.
    pub(super) fn changes(&self) -> u64 {
        self.tags.changes
    }

    /// Forgets the former names that belong to names from the `count`th on.
    pub(super) fn forget_names(&mut self, count: usize) {
        (self.by_name).retain(|(name, _), _| (*name as usize) < count);
    }
}

impl Deref for Formers {
    type Target = Tags<Former>;

    fn deref(&self) -> &Tags<Former> {
        &self.tags
    }
}

impl Keyed for Formers {
    type Key = NodeId;
    type Value = Option<Tag<Former>>;

    fn swap(&mut self, node: &NodeId, former: Option<Tag<Former>>) -> Option<Tag<Former>> {
        if let Some(Tag { what, .. }) = &former {
            // From now on the former name is looked for at this node.
            if self.by_name.len() > FEW_FORMERS.max(2 * self.tags.count()) {
                let tags = &self.tags;
                self.by_name
                    .retain(|_, node| tags.living_one(*node).is_some());
            }
            self.by_name.insert((what.name, what.count), *node);
        }
        self.tags.swap(node, former)
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
    use crate::session::logged::Log;

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
        let (y, mark) = (names.intern("y"), names.bindings.mark());
        names.bind(y, Rc::clone(&other).into());
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("x z", "y")
        );
        let first = names.intern("x");
        names.unbind(first);
        assert_eq!(listed(&names, &x), "z");
        names.bind(y, Rc::clone(&x).into());
        assert_eq!(
            (listed(&names, &x).as_str(), listed(&names, &other).as_str()),
            ("z y", "")
        );
        // A binding that is restored takes its old place in the order.
        names.bindings.take_back(mark);
        assert_eq!(listed(&names, &x), "x y z");
    }

    #[test]
    fn names_are_compared_composed() {
        let mut names = Names::default();
        let composed = names.intern("é");
        assert_eq!(names.id("e\u{301}"), Some(composed));
    }
}
