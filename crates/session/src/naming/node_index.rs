//! Finds the names of a node, present or former, by its id.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use chainrule_engine::graph::NodeId;
use chainrule_program::values::ListShape;

/// The number of a name, in the order of definition.
pub type NameId = u32;

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
    pub fn key(&self) -> (NameId, u32) {
        (self.name, self.loss)
    }
}

/// A name or former name of a node, with its place among those of the node: the oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NameKey {
    /// The number of the binding, or that of the next binding at the time of the loss.
    pub(super) since: u32,
    pub(super) name: NameId,
    /// The k of a former name, `name@k`; 0 for a present name.
    pub(super) loss: u32,
    /// The place of the node in the value of the name.
    pub(super) place: u32,
}

impl NameKey {
    /// The name, which stands or stood for a value of this shape.
    pub(super) fn node_name<'n>(&self, shape: &'n ListShape) -> NodeName<'n> {
        NodeName {
            name: self.name,
            loss: self.loss,
            place: (!shape.is_number()).then_some(self.place),
            shape,
        }
    }
}

/// The names of nodes, by node.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeIndex {
    keys: FxHashMap<NodeId, NodeKeys>,
}

/// The names of a node. Most nodes have one, but a node may be all items of a long list.
#[derive(Clone, Debug)]
enum NodeKeys {
    One(NameKey),
    Several(BTreeSet<NameKey>),
}

impl NodeKeys {
    fn insert(&mut self, key: NameKey) {
        match self {
            NodeKeys::One(known) => *self = NodeKeys::Several(BTreeSet::from([*known, key])),
            NodeKeys::Several(keys) => _ = keys.insert(key),
        }
    }
}

impl NodeIndex {
    /// Whether a node has a name that meets a condition.
    pub(super) fn any(&self, node: NodeId, mut is_meant: impl FnMut(&NameKey) -> bool) -> bool {
        match self.keys.get(&node) {
            Some(NodeKeys::One(key)) => is_meant(key),
            Some(NodeKeys::Several(keys)) => keys.iter().any(is_meant),
            None => false,
        }
    }

    /// The names of a node, the oldest first.
    pub(super) fn of(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &NameKey> {
        let (one, several) = match self.keys.get(&node) {
            Some(NodeKeys::One(key)) => (Some(key), None),
            Some(NodeKeys::Several(keys)) => (None, Some(keys)),
            None => (None, None),
        };
        one.into_iter().chain(several.into_iter().flatten())
    }

    pub(super) fn remove(&mut self, (node, key): (NodeId, NameKey)) {
        let Entry::Occupied(mut entry) = self.keys.entry(node) else {
            return;
        };
        let is_last = match entry.get_mut() {
            NodeKeys::One(known) => *known == key,
            NodeKeys::Several(keys) => keys.remove(&key) && keys.is_empty(),
        };
        if is_last {
            entry.remove();
        }
    }
}

impl Extend<(NodeId, NameKey)> for NodeIndex {
    fn extend<I: IntoIterator<Item = (NodeId, NameKey)>>(&mut self, keys: I) {
        for (node, key) in keys {
            match self.keys.entry(node) {
                Entry::Vacant(entry) => _ = entry.insert(NodeKeys::One(key)),
                Entry::Occupied(mut entry) => entry.get_mut().insert(key),
            }
        }
    }
}

impl FromIterator<(NodeId, NameKey)> for NodeIndex {
    fn from_iter<I: IntoIterator<Item = (NodeId, NameKey)>>(keys: I) -> NodeIndex {
        let mut index = NodeIndex::default();
        index.extend(keys);
        index
    }
}
