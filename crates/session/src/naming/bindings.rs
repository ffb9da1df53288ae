//! Stores the present values of names, [`Bindings`], with an index that finds the names of a node. `formers` stores the
//! values that have lost their names.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::node_index::{NameId, NameKey, NodeIndex};
use chainrule_engine::graph::NodeId;
use chainrule_program::values::{List, Value};

/// The value of a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameEntry {
    pub(crate) value: Option<Value>,
    /// The number of the binding. The oldest binding of a node is its label.
    pub(crate) since: u32,
    /// The number of losses of the name. A loss counts if a node has no other name.
    pub(crate) lost: u32,
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

/// The values of all names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The texts of all names that were ever bound.
    pub(crate) texts: Vec<Rc<str>>,
    /// The names that have a value or have lost one, by their texts. Any other name is new when it is bound.
    pub(crate) found: FxHashMap<Rc<str>, NameId>,
    pub(crate) named: Vec<NameEntry>,
    /// The index by node. It is built when first needed, which may never happen in a long script.
    by_node: OnceCell<NodeIndex>,
}

impl NameEntry {
    /// Whether the name has a value, or has had one.
    pub(super) fn is_known(&self) -> bool {
        self.value.is_some() || self.lost > 0
    }

    /// The entries of the index by node for the nodes of the value, from position `first` on.
    fn keys(&self, name: NameId, first: usize) -> impl Iterator<Item = (NodeId, NameKey)> {
        let nodes = self.value.as_ref().map_or(&[][..], Value::nodes);
        let since = self.since;
        let with_places = nodes[first..].iter().zip(first as u32..);
        with_places.map(move |(node, place)| {
            let key = NameKey {
                since,
                name,
                loss: 0,
                place,
            };
            (node.id(), key)
        })
    }
}

impl Bindings {
    /// The names of a node, in the order of their bindings.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = &NameKey> {
        self.by_node().of(node)
    }

    /// Whether a node has a name that meets a condition.
    pub(super) fn has_name(&self, node: NodeId, is_meant: impl Fn(NameId) -> bool) -> bool {
        self.by_node().any(node, |key| is_meant(key.name))
    }

    fn by_node(&self) -> &NodeIndex {
        let all = self.named.iter().zip(0..);
        let keys = || all.flat_map(|(entry, name)| entry.keys(name, 0)).collect();
        self.by_node.get_or_init(keys)
    }

    /// Changes the value of a name, and turns the change into the one that undoes this.
    pub(crate) fn swap(&mut self, name: NameId, change: &mut NameChange) {
        let current = &mut self.named[name as usize];
        match (&mut *change, &mut current.value) {
            (NameChange::Entry(entry), _) => self.exchange(name, entry),
            (NameChange::Longer(items), Some(Value::List(list))) => {
                // An item may itself be a list, so the index by node goes on at the size and not at the count.
                let (count, size) = (list.count(), list.shape().size());
                Rc::make_mut(list).extend(items);
                if let Some(by_node) = self.by_node.get_mut() {
                    by_node.extend(current.keys(name, size));
                }
                *change = NameChange::Shorter(count);
            }
            (NameChange::Shorter(count), Some(Value::List(list))) => {
                let shorter = List::from_items(list.items().take(*count).collect());
                let mut entry = NameEntry {
                    value: Some(shorter.into()),
                    ..*current
                };
                self.exchange(name, &mut entry);
                *change = NameChange::Entry(entry);
            }
            // The name need not stand for a list here: `Log::clean_up` may have dropped the write that bound it to a
            // number. An older write, which is undone next, restores the right value, so this one changes nothing.
            (NameChange::Longer(_) | NameChange::Shorter(_), _) => {
                *change = NameChange::Entry(current.clone());
            }
        }
    }

    /// Exchanges the value of a name.
    fn exchange(&mut self, name: NameId, entry: &mut NameEntry) {
        let is_known = entry.is_known();
        std::mem::swap(&mut self.named[name as usize], entry);
        let old = &*entry;
        if old.is_known() != is_known {
            let text = &self.texts[name as usize];
            if is_known {
                self.found.insert(Rc::clone(text), name);
            } else {
                self.found.remove(text);
            }
        }
        if let Some(by_node) = self.by_node.get_mut() {
            for gone in old.keys(name, 0) {
                by_node.remove(gone);
            }
            by_node.extend(self.named[name as usize].keys(name, 0));
        }
    }
}
