//! The values that names stand for, and the index of names by node. `Names` is built on it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::session::values::{List, ListShape, Value};
use chainrule_engine::graph::{Node, NodeId};

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// What a name stands for.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameEntry {
    pub(super) value: Option<Value>,
    /// The number of the binding. The oldest of a node's names is its label.
    pub(super) since: u32,
    /// How many values have lost the name as the last one of a node.
    pub(super) lost: u32,
}

/// A change of what a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum NameChange {
    /// It stands for something else.
    Entry(NameEntry),
    /// Its list gets these items at its end.
    Longer(Vec<Value>),
    /// Its list keeps this many items.
    Shorter(usize),
}

/// A name of a node: the number of the binding, the name, and the place of the node among the numbers of the list that
/// the name stands for; none if it stands for the node itself.
pub(super) type IndexedName = (u32, NameId, Option<u32>);

/// The names of all nodes.
type NamesByNode = BTreeSet<(NodeId, IndexedName)>;

/// How a node is called by a name or a former name.
#[derive(Clone, Copy, Debug)]
pub struct NodeName<'n> {
    /// The name.
    pub name: NameId,
    /// The number of a former name; 0 of a name.
    pub count: u32,
    /// The place of the node among the numbers of the list that the name stands for; none if it stands for the node
    /// itself.
    pub place: Option<u32>,
    /// The shape of what the name stands for.
    pub shape: &'n ListShape,
}

impl NodeName<'_> {
    /// What the name or former name is found by.
    pub(crate) fn key(&self) -> (NameId, u32) {
        (self.name, self.count)
    }
}

/// What all names stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The texts of all names that were ever bound.
    pub(super) texts: Vec<Rc<str>>,
    /// The names that are found by their texts: those that stand for something, or did. A name of which nothing is left
    /// is a new one when it is bound again.
    pub(super) found: FxHashMap<Rc<str>, NameId>,
    pub(super) named: Vec<NameEntry>,
    /// Built when first needed, which may never happen in a long script.
    by_node: OnceCell<NamesByNode>,
}

impl NameEntry {
    /// Whether the name stands for something, or did.
    pub(super) fn is_known(&self) -> bool {
        self.value.is_some() || self.lost > 0
    }

    /// What the nodes are called.
    fn indexed_names(&self, name: NameId) -> impl Iterator<Item = (NodeId, IndexedName)> {
        let nodes = self.value.as_ref().map_or(&[][..], Value::nodes);
        let is_list = self.value.as_ref().is_some_and(|it| it.node().is_none());
        let named = nodes.iter().zip(0..);
        named.map(move |(node, place)| (node.id(), (self.since, name, is_list.then_some(place))))
    }
}

impl Bindings {
    /// The names of a node, in the order of their bindings.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = IndexedName> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        let all = by_node.range((node, IndexedName::default())..);
        let own = all.take_while(move |(id, _)| *id == node);
        own.map(|(_, name)| *name)
    }

    fn index_by_node(&self) -> NamesByNode {
        let all = self.named.iter().zip(0..);
        all.flat_map(|(entry, name)| entry.indexed_names(name))
            .collect()
    }

    /// Checks that the index of names by node, if it was built, is up to date.
    pub(super) fn audit(&self) -> Result<(), String> {
        match self.by_node.get() {
            Some(by_node) if *by_node != self.index_by_node() => {
                Err("the names of nodes are not those that stand for them".to_string())
            }
            _ => Ok(()),
        }
    }

    /// Changes what a name stands for, and returns what takes that back.
    pub(in crate::session) fn swap(&mut self, name: NameId, change: NameChange) -> NameChange {
        let now = &mut self.named[name as usize];
        let entry = match (change, &mut now.value) {
            (NameChange::Entry(entry), _) => entry,
            (NameChange::Longer(items), Some(Value::List(list))) => {
                let (count, places) = (list.count(), list.shape().size() as u32..);
                Rc::make_mut(list).extend(&items);
                if let Some(by_node) = self.by_node.get_mut() {
                    let named = items.iter().flat_map(Value::nodes).zip(places);
                    by_node
                        .extend(named.map(|(node, at)| (node.id(), (now.since, name, Some(at)))));
                }
                return NameChange::Shorter(count);
            }
            (NameChange::Shorter(count), Some(Value::List(list))) => {
                let list = List::from_items(list.items().take(count).collect());
                NameEntry {
                    value: Some(list.into()),
                    ..*now
                }
            }
            _ => now.clone(),
        };
        let old = std::mem::replace(now, entry);
        match (old.is_known(), now.is_known()) {
            (false, true) => {
                self.found
                    .insert(Rc::clone(&self.texts[name as usize]), name);
            }
            (true, false) => {
                self.found.remove(&self.texts[name as usize]);
            }
            _ => {}
        }
        if let Some(by_node) = self.by_node.get_mut() {
            for gone in old.indexed_names(name) {
                by_node.remove(&gone);
            }
            by_node.extend(now.indexed_names(name));
        }
        NameChange::Entry(old)
    }
}

/// The former name of a node.
#[derive(Clone, Debug)]
pub(crate) struct Former {
    name: NameId,
    /// The number of the value that lost the name.
    count: u32,
    /// For an item of a list: its place among the numbers, and the shape of the list.
    item: Option<Rc<(u32, ListShape)>>,
}

impl Former {
    /// The former names of a value's nodes.
    pub(super) fn each(
        name: NameId,
        count: u32,
        value: &Value,
    ) -> impl Iterator<Item = (Former, &Rc<Node>)> {
        let is_list = value.node().is_none();
        value.nodes().iter().zip(0..).map(move |(node, place)| {
            let item = is_list.then(|| Rc::new((place, value.shape().clone())));
            (Former { name, count, item }, node)
        })
    }

    /// How it calls the node.
    pub(super) fn node_name(&self) -> NodeName<'_> {
        let item = self.item.as_deref();
        NodeName {
            name: self.name,
            count: self.count,
            place: item.map(|(place, _)| *place),
            shape: item.map_or(&ListShape::NUMBER, |(_, shape)| shape),
        }
    }
}
