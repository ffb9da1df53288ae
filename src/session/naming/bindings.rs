//! The present and former values of names, and the indices of names by node. `Names` is built on it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::session::Growth;
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
    /// The number of values that have lost the name as the last one of a node.
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

/// A value that has lost a name as the last one of some of its nodes, which have the former name `name@count` now.
#[derive(Clone, Debug)]
pub(crate) struct NameLoss {
    count: u32,
    /// When that was. Of several former names of a node, the newest counts.
    since: u32,
    value: LostValue,
}

#[derive(Clone, Debug)]
enum LostValue {
    Node(Weak<Node>),
    List(Rc<(Vec<Weak<Node>>, ListShape)>),
}

impl NameLoss {
    pub(super) fn new(count: u32, since: u32, value: &Value) -> NameLoss {
        let value = match value {
            Value::Node(node) => LostValue::Node(Rc::downgrade(node)),
            Value::List(list) => {
                let nodes = list.nodes().iter().map(Rc::downgrade).collect();
                LostValue::List(Rc::new((nodes, list.shape().clone())))
            }
        };
        NameLoss {
            count,
            since,
            value,
        }
    }

    fn nodes(&self) -> &[Weak<Node>] {
        match &self.value {
            LostValue::Node(node) => std::slice::from_ref(node),
            LostValue::List(list) => &list.0,
        }
    }

    fn shape(&self) -> &ListShape {
        match &self.value {
            LostValue::Node(_) => &ListShape::NUMBER,
            LostValue::List(list) => &list.1,
        }
    }

    /// How it calls the node at a place.
    fn node_name(&self, name: NameId, place: u32) -> NodeName<'_> {
        NodeName {
            name,
            count: self.count,
            place: matches!(self.value, LostValue::List(_)).then_some(place),
            shape: self.shape(),
        }
    }

    /// The living nodes, with their places.
    fn living(&self) -> impl Iterator<Item = (Rc<Node>, u32)> {
        let nodes = self.nodes().iter().zip(0..);
        nodes.filter_map(|(node, place)| Some((node.upgrade()?, place)))
    }

    /// What its nodes are found by.
    fn keys(&self, name: NameId) -> impl Iterator<Item = FormerKey> {
        self.living()
            .map(move |(node, place)| (node.id(), self.since, name, self.count, place))
    }
}

/// A node, when it lost the name, the name, the number of the value, and the place of the node in that.
type FormerKey = (NodeId, u32, NameId, u32, u32);

/// The former names of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formers {
    /// The values that have lost a name, in that order.
    by_name: FxHashMap<NameId, Vec<NameLoss>>,
    /// Built when first needed, which may never happen in a long script.
    by_node: OnceCell<BTreeSet<FormerKey>>,
    /// How many nodes there are in them. At `tidy_at` values of which nothing lives are removed.
    size: usize,
    tidy_at: usize,
}

/// Where the first value is whose number is above this.
fn after(losses: &[NameLoss], count: u32) -> usize {
    losses.partition_point(|loss| loss.count <= count)
}

fn node_count(losses: &[NameLoss]) -> usize {
    losses.iter().map(|loss| loss.nodes().len()).sum()
}

impl Formers {
    /// Changes what has lost a name, and returns what takes that back. `count` is how many values have lost it so far.
    pub(in crate::session) fn swap(
        &mut self,
        name: NameId,
        count: u32,
        change: Growth<NameLoss>,
    ) -> Growth<NameLoss> {
        let back = change.swap(count as usize, |keep, add| {
            self.replace(name, keep as u32, add)
        });
        if self.size >= self.tidy_at {
            self.tidy();
        }
        back
    }

    /// Replaces the values that have lost a name after the first `keep` by others, and returns them.
    fn replace(&mut self, name: NameId, keep: u32, add: Vec<NameLoss>) -> Vec<NameLoss> {
        let losses = self.by_name.entry(name).or_default();
        let kept = after(losses, keep);
        let gone: Vec<NameLoss> = losses.splice(kept.., add).collect();
        let new = &losses[kept..];
        self.size = self.size + node_count(new) - node_count(&gone);
        if let Some(by_node) = self.by_node.get_mut() {
            for key in gone.iter().flat_map(|loss| loss.keys(name)) {
                by_node.remove(&key);
            }
            by_node.extend(new.iter().flat_map(|loss| loss.keys(name)));
        }
        gone
    }

    /// Removes the values without living nodes.
    fn tidy(&mut self) {
        self.by_name.retain(|_, losses| {
            losses.retain(|loss| loss.nodes().iter().any(|it| it.strong_count() > 0));
            !losses.is_empty()
        });
        self.by_node = OnceCell::new();
        self.size = self.by_name.values().map(|losses| node_count(losses)).sum();
        self.tidy_at = (self.size * 2).max(64);
    }

    /// Whether a list has lost a name.
    pub(super) fn has_lists(&self) -> bool {
        let mut losses = self.by_name.values().flatten();
        losses.any(|loss| matches!(loss.value, LostValue::List(_)))
    }

    /// How a node is called by its former name.
    pub(super) fn of(&self, node: &Node) -> Option<NodeName<'_>> {
        let by_node = self.by_node.get_or_init(|| {
            let names = self.by_name.iter();
            let all = names.flat_map(|(name, losses)| losses.iter().map(|loss| (*name, loss)));
            all.flat_map(|(name, loss)| loss.keys(name)).collect()
        });
        let id = node.id();
        let keys = by_node.range((id, 0, 0, 0, 0)..=(id, u32::MAX, u32::MAX, u32::MAX, u32::MAX));
        // A node that was dropped may have had this number.
        keys.rev().find_map(|&(_, _, name, count, place)| {
            let loss = self.find(name, count)?;
            let there = loss.nodes().get(place as usize)?;
            std::ptr::eq(there.as_ptr(), node).then(|| loss.node_name(name, place))
        })
    }

    fn find(&self, name: NameId, count: u32) -> Option<&NameLoss> {
        let losses = self.by_name.get(&name)?;
        let loss = losses.get(after(losses, count.checked_sub(1)?))?;
        (loss.count == count).then_some(loss)
    }

    /// The nodes that have the former name `name@count`, by their places, and the shape of the value; none if it is gone.
    pub(super) fn nodes(
        &self,
        name: NameId,
        count: u32,
    ) -> Option<(Vec<Option<Rc<Node>>>, &ListShape)> {
        let loss = self.find(name, count)?;
        let mut nodes = vec![None; loss.nodes().len()];
        for (node, place) in loss.living() {
            nodes[place as usize] = Some(node);
        }
        nodes
            .iter()
            .any(Option::is_some)
            .then(|| (nodes, loss.shape()))
    }

    /// The living nodes that a name has left, each with the number of the value.
    pub(super) fn of_name(&self, name: NameId) -> impl Iterator<Item = (u32, Rc<Node>)> {
        let losses = self.by_name.get(&name).into_iter().flatten();
        losses.flat_map(|loss| loss.living().map(|(node, _)| (loss.count, node)))
    }
}
