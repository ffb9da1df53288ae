//! Stores the values that have lost their names, [`Formers`], with an index that finds the former names of a node. They
//! do not keep their nodes alive.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::bindings::{NameId, NodeName};
use crate::session::Growth;
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::{Node, NodeId};

/// A value that has lost a name. Its nodes without another name now have the former name `name@count`.
#[derive(Clone, Debug)]
pub(crate) struct NameLoss {
    /// How many times the name had been lost with this loss: the 2 of `a@2`.
    count: u32,
    /// The number of the next binding at the time of the loss. It orders the former names of a node, and only the
    /// newest of them is shown.
    since: u32,
    value: LostValue,
}

#[derive(Clone, Debug)]
enum LostValue {
    Node(Weak<Node>),
    List(Rc<LostList>),
}

#[derive(Debug)]
struct LostList {
    nodes: Vec<Weak<Node>>,
    shape: ListShape,
}

impl NameLoss {
    pub(super) fn new(count: u32, since: u32, value: &Value) -> NameLoss {
        let lost = match value {
            Value::Node(node) => LostValue::Node(Rc::downgrade(node)),
            Value::List(list) => {
                let nodes = list.nodes().iter().map(Rc::downgrade).collect();
                let shape = list.shape().clone();
                LostValue::List(Rc::new(LostList { nodes, shape }))
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
            LostValue::List(list) => &list.nodes,
        }
    }

    fn shape(&self) -> &ListShape {
        match &self.value {
            LostValue::Node(_) => &ListShape::NUMBER,
            LostValue::List(list) => &list.shape,
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

/// A former name of a node. Keys are sorted by node, and then by the time of the loss, from the oldest to the newest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct FormerKey {
    node: NodeId,
    since: u32,
    name: NameId,
    count: u32,
    /// The place of the node in the value that lost the name.
    place: u32,
}

/// A value that has lost a name, as far as it still lives.
pub(crate) struct FormerValue<'n> {
    /// The nodes by their places. A node that is gone is `None`.
    pub(crate) nodes: Vec<Option<Rc<Node>>>,
    pub(crate) shape: &'n ListShape,
}

/// The former names of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formers {
    /// The values that have lost each name, in the order of the losses.
    by_name: FxHashMap<NameId, Vec<NameLoss>>,
    /// The index by node. It is built when first needed, which may never happen in a long script. It may have keys of
    /// nodes that are gone, whose ids new nodes may have. A reader must compare the node itself.
    by_node: OnceCell<BTreeSet<FormerKey>>,
    /// The number of nodes in the values.
    size: usize,
    /// The size at which values without living nodes are removed.
    tidy_at: usize,
}

fn node_count(losses: &[NameLoss]) -> usize {
    losses.iter().map(|loss| loss.nodes().len()).sum()
}

impl Formers {
    /// Changes the values that have lost a name, and returns the opposite change, for undo. So far, the name has been
    /// lost `count` times. It has fewer values here if [`Formers::tidy`] has removed some.
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

    /// Keeps the losses of a name up to the number `keep`, replaces the later ones by `add`, and returns them. The
    /// numbers have gaps where [`Formers::tidy`] has removed values.
    fn replace(&mut self, name: NameId, keep: u32, add: Vec<NameLoss>) -> Vec<NameLoss> {
        let losses = self.by_name.entry(name).or_default();
        let kept = losses.partition_point(|loss| loss.count <= keep);
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
        // Keys are sorted by node, and no key of a node is less than this one.
        let least_key_of = |id| FormerKey {
            node: id,
            ..FormerKey::default()
        };
        let keys = by_node.range(least_key_of(node.id())..least_key_of(node.id() + 1));
        keys.rev().find_map(|key| {
            let loss = self.find(key.name, key.count)?;
            let there = loss.nodes().get(key.place as usize)?;
            // The key may be of a dropped node that had the same id.
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
        let place = losses.binary_search_by_key(&count, |loss| loss.count);
        Some(&losses[place.ok()?])
    }

    /// The value that has the former name `name@count`. `None` if no node of it lives.
    pub(super) fn value(&self, name: NameId, count: u32) -> Option<FormerValue<'_>> {
        let loss = self.find(name, count)?;
        let nodes: Vec<Option<Rc<Node>>> = loss.nodes().iter().map(Weak::upgrade).collect();
        let shape = loss.shape();
        let has_living = nodes.iter().any(Option::is_some);
        has_living.then_some(FormerValue { nodes, shape })
    }

    /// The living nodes of the values that have lost a name, each with the number of the loss.
    pub(super) fn of_name(&self, name: NameId) -> impl Iterator<Item = (u32, Rc<Node>)> {
        let losses = self.by_name.get(&name).into_iter().flatten();
        losses.flat_map(|loss| loss.living().map(|(node, _)| (loss.count, node)))
    }
}
