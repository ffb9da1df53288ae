//! The symbol table: names and former names, and the values they stand for.
//!
//! A name stands for a node or a list of nodes; a node may have several names. The names of a list's items, `w[2]`, are
//! made when they are asked for. A node that loses its last name gets the former name `name@k` or `name@k[2]`, where k
//! counts up for each name and is never reused. Former names, calls and labels refer to nodes weakly, so those of dropped
//! nodes can be removed.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::standing::{FormerItems, NameId, NameKey, Naming, Standing};
use super::tags::Tags;
use super::uncertainty::Uncertainty;
use crate::graph::{Node, NodeId};
use crate::session::logged::{Keyed, Logged};
use crate::session::values::ListShape;
use crate::session::values::{List, Value, WeakValue};

/// Former names are tidied when they have more items than this.
const FEW_ITEMS: usize = 1 << 10;

/// The names of a session, which an answer may hold on to while its rows are made. A change copies them then.
pub type SharedNames = Rc<Names>;

/// All names of a session.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(in crate::session) bindings: Logged<Bindings>,
    /// The calls of the user's own functions that made nodes.
    pub calls: Tags<Call>,
    /// The labels that tables show in place of names: `n.label = 'n'`.
    pub labels: Logged<Tags<Rc<str>>>,
    /// The headings of the columns that lists were read from, by their first leaves: `t [s]`. They are never changed.
    pub(in crate::session) headings: Tags<Rc<str>>,
    /// The uncertainties of leaves: `x = 5 ± 0.1`.
    pub uncertain: Logged<Tags<Uncertainty>>,
    /// How many bindings there have been.
    count: u32,
}

/// What names and former names stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The texts of all names that were ever bound.
    texts: Vec<Rc<str>>,
    /// The names that are found by their texts: those that stand for something, or did. A name of which nothing is left
    /// is a new one when it is bound again.
    found: FxHashMap<Rc<str>, NameId>,
    /// What each name stands for.
    named: Vec<Option<Standing>>,
    /// What former names stand for. The last one of a name stays even if nothing is left of it, for the number of the next.
    formers: BTreeMap<NameKey, Standing>,
    /// How many items they have, and at how many those are removed of which nothing is left. (A weak reference keeps
    /// the memory of its node.)
    items: usize,
    tidy_at: usize,
    /// The names of each node. Built when first needed, which may never happen in a long script.
    by_node: OnceCell<BTreeSet<(NodeId, Naming)>>,
}

/// A name that stands for nothing for a while, and what it stood for.
pub(crate) struct HiddenName(Box<str>, Option<(NameKey, Standing)>);

/// The function call that produced a node.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The function.
    pub function: Rc<str>,
    /// Its arguments, if they are still alive.
    pub arguments: Vec<WeakValue>,
}

impl Names {
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
        let found = |name: &str| self.bindings.found.get(name).copied();
        // Stored names are composed, so a name that is found needs no composing.
        let known = found(name);
        if known.is_some() || name.is_ascii() || is_nfc(name) {
            return known;
        }
        found(&name.nfc().collect::<String>())
    }

    /// What the name with this id stands for.
    pub fn value(&self, id: NameId) -> Option<&Value> {
        match self.bindings.standing((id, 0))? {
            Standing::Name(value, _) => Some(value),
            Standing::Former(_) => None,
        }
    }

    /// The text of the name with this id.
    pub fn name(&self, id: NameId) -> &str {
        self.text(id)
    }

    /// The same text, to be kept.
    pub(crate) fn text(&self, id: NameId) -> &Rc<str> {
        &self.bindings.texts[id as usize]
    }

    /// The id of a name, assigned now if the name is new (interning). A new name is found once it stands for something.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        let text: Rc<str> = if name.is_ascii() {
            name.into()
        } else {
            name.nfc().collect::<String>().into()
        };
        let id = self.count() as NameId;
        let bindings = &mut *self.bindings;
        bindings.texts.push(text);
        bindings.named.push(None);
        id
    }

    /// The number of the next binding.
    pub(super) fn next(&mut self) -> u32 {
        self.count = self.count.wrapping_add(1);
        self.count
    }

    /// Lets a name stand for nothing, and returns what brings back what it stood for.
    pub(crate) fn hide(&mut self, name: &str) -> HiddenName {
        let key = self.id(name).map(|id| (id, 0));
        let standing = key.and_then(|key| Some((key, self.bindings.standing(key)?.clone())));
        if let Some((key, _)) = &standing {
            self.bindings.write(*key, None);
        }
        HiddenName(name.into(), standing)
    }

    /// Lets a name stand for what it stood for.
    pub(crate) fn show_again(&mut self, HiddenName(name, standing): HiddenName) {
        if let Some(key) = self.id(&name).map(|id| (id, 0))
            && self.bindings.standing(key).is_some()
        {
            self.bindings.write(key, None);
        }
        if let Some((key, standing)) = standing {
            self.bindings.write(key, Some(standing));
        }
    }

    /// Binds a name to a value. Makes no former name.
    pub fn bind(&mut self, id: NameId, value: Value) {
        let since = self.next();
        self.bindings
            .write((id, 0), Some(Standing::Name(value, since)));
    }

    /// Lets a former name stand for a value, without keeping it alive. Its node is called so once it has no name; of a
    /// list, only the items that have none now.
    pub(crate) fn bind_formerly(&mut self, id: NameId, count: u32, value: &Value) {
        let (since, number) = (self.next(), value.shape().is_number());
        let former = FormerItems::of(value, since, |node| number || !self.has_any(node));
        (self.bindings).write((id, count), Some(Standing::Former(former)));
    }

    /// Forgets a name, and returns what it stood for. Makes no former name.
    pub(crate) fn unbind(&mut self, id: NameId) -> Option<Value> {
        let value = self.value(id)?.clone();
        self.bindings.write((id, 0), None);
        Some(value)
    }

    /// Forgets all names and what is known about nodes.
    pub(crate) fn forget_all(&mut self) {
        let all: Vec<NameKey> = self.bindings.all().map(|(key, _)| key).collect();
        for key in all {
            self.bindings.write(key, None);
        }
        for node in self.labels.tagged() {
            self.labels.write(node, None);
        }
        for node in self.uncertain.tagged() {
            self.uncertain.write(node, None);
        }
    }

    /// What a name stands for at a node, in the order of the bindings, without former names.
    pub(in crate::session) fn namings(&self, node: &Node) -> impl Iterator<Item = Naming> {
        let namings = self.by_node(node);
        namings.take_while(|naming| naming.count == 0)
    }

    /// The names of a node, in the order of their bindings: `a`, `w[2]`.
    pub fn of(&self, node: &Node) -> impl Iterator<Item = Cow<'_, str>> {
        self.namings(node).filter_map(|naming| self.text_of(naming))
    }

    /// How a name of a node is written: `a`, `w[2]`, `a@1`, `w@1[2]`.
    pub(super) fn text_of(&self, naming: Naming) -> Option<Cow<'_, str>> {
        let (name, shape) = self.owned_by(naming.key())?;
        Some(match naming.place {
            0 => name,
            place => item_name(&name, shape, place).into(),
        })
    }

    /// The first name of a node, or else its former name.
    pub(super) fn naming(&self, node: &Node) -> Option<Naming> {
        self.by_node(node).next()
    }

    /// The names that stand for a node itself, not for a list with it.
    pub(crate) fn plain_of(&self, node: &Node) -> impl Iterator<Item = &str> {
        let plain = self.namings(node).filter(|naming| naming.place == 0);
        plain.map(|naming| self.name(naming.name))
    }

    /// Whether a node has a name.
    pub fn has_any(&self, node: &Node) -> bool {
        self.namings(node).next().is_some()
    }

    /// The lists with names that a node is an item of, the oldest first, each with the node's place among its numbers.
    pub(crate) fn lists_of(&self, node: &Node) -> impl Iterator<Item = (&str, &Rc<List>, usize)> {
        self.namings(node)
            .filter_map(|naming| match self.value(naming.name)? {
                Value::List(list) => {
                    Some((self.name(naming.name), list, naming.place as usize - 1))
                }
                Value::Node(_) => None,
            })
    }

    /// The names of a node in the order of their bindings, then its former names.
    fn by_node(&self, node: &Node) -> impl Iterator<Item = Naming> {
        let bindings = &self.bindings;
        let by_node = bindings.by_node.get_or_init(|| bindings.index_by_node());
        let all = by_node.range((node.id(), Naming::default())..);
        let own = all.take_while(|(id, _)| *id == node.id());
        own.map(|(_, naming)| *naming)
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

    /// Every name that stands for a value, in the order of definition.
    pub fn bound(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + Clone {
        let ids = 0..self.count() as NameId;
        ids.filter_map(|id| Some((self.name(id), self.value(id)?)))
    }

    /// Every name of a node: `a`, and `w[2]` for the items of lists, in the order of definition.
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

    /// How many values have lost this name as their last one.
    pub fn lost(&self, id: NameId) -> u32 {
        let mut formers = self.bindings.formers.range((id, 0)..=(id, u32::MAX));
        formers.next_back().map_or(0, |(&(_, count), _)| count)
    }

    /// How many names were ever bound.
    pub fn count(&self) -> usize {
        self.bindings.texts.len()
    }

    /// Forgets the names from the `count`th on, which stand for nothing.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.bindings.named.truncate(count);
        self.bindings.texts.truncate(count);
    }
}

impl Names {
    /// The former name of a node that has it now or would have it without its names.
    pub fn former_of(&self, node: &Node) -> Option<Naming> {
        self.by_node(node).find(|naming| naming.count > 0)
    }

    /// The same as it is written: `a@1`, `w@1[2]`.
    pub fn former(&self, node: &Node) -> Option<String> {
        let text = self.text_of(self.former_of(node)?)?;
        Some(text.into_owned())
    }

    /// The living nodes with former names, in no particular order.
    pub fn formers(&self) -> impl Iterator<Item = (Rc<Node>, Naming)> {
        let each = self
            .bindings
            .formers
            .iter()
            .flat_map(|(key, former)| former.nodes().map(move |node| (*key, node)));
        each.filter_map(|(key, node)| {
            let former = self.former_of(&node)?;
            (former.key() == key).then_some((node, former))
        })
    }

    /// The lists that a node is called an item of by its names, or by its former name if it has none: how each is written,
    /// what it stands for, and the place of the node.
    pub(super) fn listings(
        &self,
        node: &Node,
    ) -> impl Iterator<Item = (Cow<'_, str>, &Standing, usize)> {
        let is_named = self.has_any(node);
        let namings = self
            .by_node(node)
            .take_while(move |naming| !is_named || naming.count == 0);
        namings.filter_map(|naming| {
            let place = (naming.place as usize).checked_sub(1)?;
            let (name, _) = self.owned_by(naming.key())?;
            Some((name, self.bindings.standing(naming.key())?, place))
        })
    }

    /// What is left of the value with the former name `name@count`.
    pub(crate) fn formerly(&self, name: &str, count: u32) -> Option<&FormerItems> {
        match self.bindings.standing((self.id(name)?, count))? {
            Standing::Former(former) if former.is_alive() => Some(former),
            _ => None,
        }
    }
}

impl Bindings {
    /// What a name or a former name stands for.
    pub(super) fn standing(&self, key: NameKey) -> Option<&Standing> {
        match key {
            (id, 0) => self.named.get(id as usize)?.as_ref(),
            _ => self.formers.get(&key),
        }
    }

    /// Everything that names and former names stand for.
    pub(super) fn all(&self) -> impl Iterator<Item = (NameKey, &Standing)> {
        let named = self.named.iter().zip(0..);
        let named = named.filter_map(|(standing, id)| Some(((id, 0), standing.as_ref()?)));
        named.chain(self.formers.iter().map(|(key, standing)| (*key, standing)))
    }

    fn index_by_node(&self) -> BTreeSet<(NodeId, Naming)> {
        let namings = self.all().map(|(key, standing)| standing.namings(key));
        namings.flatten().collect()
    }

    /// Removes former names of which nothing is left.
    fn tidy(&mut self) {
        let by_node = &mut self.by_node;
        let last: FxHashMap<NameId, u32> = self.formers.keys().copied().collect();
        let mut items = 0;
        self.formers.retain(|&key, former| {
            if former.nodes().next().is_some() {
                items += former.shape().size();
                return true;
            }
            if let Some(by_node) = by_node.get_mut() {
                for naming in former.namings(key) {
                    by_node.remove(&naming);
                }
            }
            let is_last = last.get(&key.0) == Some(&key.1);
            *former = Standing::Former(FormerItems::default());
            items += usize::from(is_last);
            is_last
        });
        self.items = items;
        self.tidy_at = (2 * items).max(FEW_ITEMS);
    }
}

impl Keyed for Bindings {
    type Key = NameKey;
    type Value = Option<Standing>;

    fn swap(&mut self, &key: &NameKey, standing: Option<Standing>) -> Option<Standing> {
        if let Some(Standing::Former(former)) = &standing {
            self.items += former.shape.size();
            if self.items > self.tidy_at {
                self.tidy();
            }
        }
        let stands = standing.is_some();
        let old = match (key, standing) {
            ((id, 0), standing) => std::mem::replace(&mut self.named[id as usize], standing),
            (key, Some(standing)) => self.formers.insert(key, standing),
            (key, None) => self.formers.remove(&key),
        };
        let id = key.0;
        let text = &self.texts[id as usize];
        if stands && old.is_none() {
            self.found.insert(Rc::clone(text), id);
        } else if !stands && self.named[id as usize].is_none() {
            let mut formers = self.formers.range((id, 0)..=(id, u32::MAX));
            if formers.next().is_none() {
                self.found.remove(text);
            }
        }
        if let Some(mut by_node) = self.by_node.take() {
            for naming in old.iter().flat_map(|old| old.namings(key)) {
                by_node.remove(&naming);
            }
            let new = self.standing(key).into_iter();
            by_node.extend(new.flat_map(|new| new.namings(key)));
            self.by_node = OnceCell::from(by_node);
        }
        old
    }
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
        let (mut graph, mut names) = (Graph::default(), Names::default());
        let composed = names.intern("é");
        names.bind(composed, graph.leaf(3.0, false).into());
        assert_eq!(names.id("e\u{301}"), Some(composed));
    }
}
