//! Stores the present values of names, [`Bindings`], with an index that finds the names of a node. `formers` stores the
//! values that have lost their names.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::session::values::{List, ListShape, Value};
use chainrule_engine::graph::NodeId;

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// The value of a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameEntry {
    pub(super) value: Option<Value>,
    /// The number of the binding. The oldest binding of a node is its label.
    pub(super) since: u32,
    /// The number of losses of the name. A loss counts if a node has no other name.
    pub(super) lost: u32,
}

/// A change of the value of a name.
#[derive(Clone, Debug)]
pub(crate) enum NameChange {
    /// Replaces the value.
    Entry(NameEntry),
    /// Appends these items to the list.
    Longer(Vec<Value>),
    /// Keeps this many items of the list. Undoes `Longer`.
    Shorter(usize),
}

/// A name of a node. Names are sorted by node, and then by binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct IndexedName {
    node: NodeId,
    /// The number of the binding.
    since: u32,
    pub(super) name: NameId,
    /// The position of the node among the numbers of the list; `None` if the name stands for the node itself.
    pub(super) place: Option<u32>,
}

/// A name or former name of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeName<'n> {
    /// The name.
    pub name: NameId,
    /// The k of a former name, `name@k`; 0 for a present name.
    pub loss: u32,
    /// The position of the node among the numbers of the list; `None` if the name stands for the node itself.
    pub place: Option<u32>,
    /// The shape of the value of the name.
    pub shape: &'n ListShape,
}

impl NodeName<'_> {
    /// The name or former name of the whole value.
    pub(crate) fn key(&self) -> (NameId, u32) {
        (self.name, self.loss)
    }
}

/// The values of all names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The texts of all names that were ever bound.
    pub(super) texts: Vec<Rc<str>>,
    /// The names that have a value or have lost one, by their texts. Any other name is new when it is bound.
    pub(super) found: FxHashMap<Rc<str>, NameId>,
    pub(super) named: Vec<NameEntry>,
    /// The index by node. It is built when first needed, which may never happen in a long script.
    by_node: OnceCell<BTreeSet<IndexedName>>,
}

impl NameEntry {
    /// Whether the name has a value, or has had one.
    pub(super) fn is_known(&self) -> bool {
        self.value.is_some() || self.lost > 0
    }

    /// The entries of the index by node for the nodes of the value, from position `first` on.
    fn indexed_names(&self, name: NameId, first: usize) -> impl Iterator<Item = IndexedName> {
        let nodes = self.value.as_ref().map_or(&[][..], Value::nodes);
        let is_list = self.value.as_ref().is_some_and(|it| it.node().is_none());
        let with_places = nodes[first..].iter().zip(first as u32..);
        with_places.map(move |(node, place)| IndexedName {
            node: node.id(),
            since: self.since,
            name,
            place: is_list.then_some(place),
        })
    }
}

impl Bindings {
    /// The names of a node, in the order of their bindings.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = IndexedName> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        let first = IndexedName {
            node,
            ..IndexedName::default()
        };
        let names = by_node.range(first..).copied();
        names.take_while(move |it| it.node == node)
    }

    fn index_by_node(&self) -> BTreeSet<IndexedName> {
        let all = self.named.iter().zip(0..);
        all.flat_map(|(entry, name)| entry.indexed_names(name, 0))
            .collect()
    }

    /// Changes the value of a name, and returns the change that undoes this one.
    pub(in crate::session) fn swap(&mut self, name: NameId, change: NameChange) -> NameChange {
        let current = &mut self.named[name as usize];
        match (change, &mut current.value) {
            (NameChange::Entry(entry), _) => self.replace(name, entry),
            (NameChange::Longer(items), Some(Value::List(list))) => {
                let (count, size) = (list.count(), list.shape().size());
                Rc::make_mut(list).extend(&items);
                if let Some(by_node) = self.by_node.get_mut() {
                    by_node.extend(current.indexed_names(name, size));
                }
                NameChange::Shorter(count)
            }
            (NameChange::Shorter(count), Some(Value::List(list))) => {
                let shorter = List::from_items(list.items().take(count).collect());
                let entry = NameEntry {
                    value: Some(shorter.into()),
                    ..*current
                };
                self.replace(name, entry)
            }
            // If a loop makes a list longer and then binds its name to a number, `Log::clean_up` drops the write of the
            // number. Taking back the longer list finds the number then, which an older write replaces.
            (NameChange::Longer(_) | NameChange::Shorter(_), _) => {
                let unchanged = current.clone();
                self.replace(name, unchanged)
            }
        }
    }

    /// Replaces the value of a name, and returns the change that undoes this.
    fn replace(&mut self, name: NameId, entry: NameEntry) -> NameChange {
        let is_known = entry.is_known();
        let old = std::mem::replace(&mut self.named[name as usize], entry);
        if old.is_known() != is_known {
            let text = &self.texts[name as usize];
            if is_known {
                self.found.insert(Rc::clone(text), name);
            } else {
                self.found.remove(text);
            }
        }
        if let Some(by_node) = self.by_node.get_mut() {
            for gone in old.indexed_names(name, 0) {
                by_node.remove(&gone);
            }
            by_node.extend(self.named[name as usize].indexed_names(name, 0));
        }
        NameChange::Entry(old)
    }
}
