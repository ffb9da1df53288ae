//! Stores the present values of names, [`Bindings`], and the former ones, [`Formers`]. Each has an index that finds the
//! names of a node. `Names` combines them.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::session::Growth;
use crate::session::values::{List, ListShape, Value};
use chainrule_engine::graph::{Node, NodeId};

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
        let entry = match (change, &mut current.value) {
            (NameChange::Entry(entry), _) => entry,
            (NameChange::Longer(items), Some(Value::List(list))) => {
                let (count, size) = (list.count(), list.shape().size());
                Rc::make_mut(list).extend(&items);
                if let Some(by_node) = self.by_node.get_mut() {
                    by_node.extend(current.indexed_names(name, size));
                }
                return NameChange::Shorter(count);
            }
            (NameChange::Shorter(count), Some(Value::List(list))) => {
                let shorter = List::from_items(list.items().take(count).collect());
                NameEntry {
                    value: Some(shorter.into()),
                    ..*current
                }
            }
            // A number does not become longer or shorter.
            (NameChange::Longer(_) | NameChange::Shorter(_), _) => current.clone(),
        };
        let old = std::mem::replace(current, entry);
        match (old.is_known(), current.is_known()) {
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
            for gone in old.indexed_names(name, 0) {
                by_node.remove(&gone);
            }
            by_node.extend(current.indexed_names(name, 0));
        }
        NameChange::Entry(old)
    }
}

/// A value that has lost a name. Its nodes without another name now have the former name `name@count`.
#[derive(Clone, Debug)]
pub(crate) struct NameLoss {
    count: u32,
    /// The number of the next binding at the time of the loss. It orders the former names of a node, and only the
    /// newest of them is shown.
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
        let lost = match value {
            Value::Node(node) => LostValue::Node(Rc::downgrade(node)),
            Value::List(list) => {
                let nodes = list.nodes().iter().map(Rc::downgrade).collect();
                LostValue::List(Rc::new((nodes, list.shape().clone())))
            }
        };
        NameLoss {
            count,
            since,
            value: lost,
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

    /// The former name of the node at a position of the value.
    fn node_name(&self, name: NameId, place: u32) -> NodeName<'_> {
        NodeName {
            name,
            loss: self.count,
            place: matches!(self.value, LostValue::List(_)).then_some(place),
            shape: self.shape(),
        }
    }

    /// The living nodes, with their positions.
    fn living(&self) -> impl Iterator<Item = (Rc<Node>, u32)> {
        let nodes = self.nodes().iter().zip(0..);
        nodes.filter_map(|(node, place)| Some((node.upgrade()?, place)))
    }

    /// The entries of the index by node for the living nodes.
    fn keys(&self, name: NameId) -> impl Iterator<Item = FormerKey> {
        self.living()
            .map(move |(node, place)| self.key(name, node.id(), place))
    }

    fn key(&self, name: NameId, node: NodeId, place: u32) -> FormerKey {
        FormerKey {
            node,
            since: self.since,
            name,
            count: self.count,
            place,
        }
    }
}

/// A former name of a node. Keys are sorted by node, and then by the time of the loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct FormerKey {
    node: NodeId,
    /// When the node lost the name.
    since: u32,
    name: NameId,
    /// The number of the value that lost the name.
    count: u32,
    /// The place of the node in that value.
    place: u32,
}

/// The former names of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formers {
    /// The values that have lost each name, in the order of the losses.
    by_name: FxHashMap<NameId, Vec<NameLoss>>,
    /// The index by node. It is built when first needed, which may never happen in a long script.
    by_node: OnceCell<BTreeSet<FormerKey>>,
    /// The number of nodes in the values.
    size: usize,
    /// The size at which values without living nodes are removed.
    tidy_at: usize,
}

/// The index of the first loss whose number is above `count`.
fn index_after(losses: &[NameLoss], count: u32) -> usize {
    losses.partition_point(|loss| loss.count <= count)
}

fn node_count(losses: &[NameLoss]) -> usize {
    losses.iter().map(|loss| loss.nodes().len()).sum()
}

impl Formers {
    /// Changes the values that have lost a name, and returns the change that undoes this one. So far, the name has been
    /// lost `count` times.
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

    /// Keeps the first `keep` losses of a name, replaces the later ones by `add`, and returns those.
    fn replace(&mut self, name: NameId, keep: u32, add: Vec<NameLoss>) -> Vec<NameLoss> {
        let losses = self.by_name.entry(name).or_default();
        let kept = index_after(losses, keep);
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
        // Tidying at twice the size costs little per node. Below 64 nodes it frees too little to matter.
        self.tidy_at = (self.size * 2).max(64);
    }

    /// Whether a list has lost a name.
    pub(super) fn has_lists(&self) -> bool {
        let mut losses = self.by_name.values().flatten();
        losses.any(|loss| matches!(loss.value, LostValue::List(_)))
    }

    /// The newest former name of a node.
    pub(super) fn of(&self, node: &Node) -> Option<NodeName<'_>> {
        let by_node = self.by_node.get_or_init(|| self.index_by_node());
        let first = FormerKey {
            node: node.id(),
            ..FormerKey::default()
        };
        let keys = by_node.range(first..);
        let own: Vec<&FormerKey> = keys.take_while(|it| it.node == node.id()).collect();
        own.into_iter().rev().find_map(|key| {
            let loss = self.find(key.name, key.count)?;
            let there = loss.nodes().get(key.place as usize)?;
            // A node that was dropped may have had this number.
            std::ptr::eq(there.as_ptr(), node).then(|| loss.node_name(key.name, key.place))
        })
    }

    fn index_by_node(&self) -> BTreeSet<FormerKey> {
        let mut keys = BTreeSet::new();
        for (name, losses) in &self.by_name {
            keys.extend(losses.iter().flat_map(|loss| loss.keys(*name)));
        }
        keys
    }

    fn find(&self, name: NameId, count: u32) -> Option<&NameLoss> {
        let losses = self.by_name.get(&name)?;
        let loss = losses.get(index_after(losses, count.checked_sub(1)?))?;
        (loss.count == count).then_some(loss)
    }

    /// The nodes that have the former name `name@count`, by their places, and the shape of the value. `None` if no node
    /// lives.
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
        let has_living = nodes.iter().any(Option::is_some);
        has_living.then(|| (nodes, loss.shape()))
    }

    /// The living nodes that a name has left, each with the number of the value.
    pub(super) fn of_name(&self, name: NameId) -> impl Iterator<Item = (u32, Rc<Node>)> {
        let losses = self.by_name.get(&name).into_iter().flatten();
        losses.flat_map(|loss| loss.living().map(|(node, _)| (loss.count, node)))
    }
}
