//! Stores the values that have lost their names, [`Formers`], with an index that finds the former names of a node. They
//! do not keep their nodes alive.

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::node_index::{NameId, NameKey, NodeIndex, NodeName};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_program::values::{ListShape, Value};

/// A value that has lost a name. Its nodes without another name now have the former name `name@count`.
#[derive(Clone, Debug)]
pub(crate) struct NameLoss {
    /// How many times the name had been lost with this loss: the 2 of `a@2`.
    pub(crate) count: u32,
    /// The number of the next binding at the time of the loss. It orders the former names of a node, and only the
    /// newest of them is shown.
    pub(crate) since: u32,
    pub(crate) value: LostValue,
}

/// A value that has lost a name. A number, which most are, takes no memory of its own.
#[derive(Clone, Debug)]
pub(crate) enum LostValue {
    Number(Weak<Node>),
    List(Rc<LostList>),
}

/// A list that has lost a name.
#[derive(Debug)]
pub(crate) struct LostList {
    nodes: Vec<Weak<Node>>,
    shape: ListShape,
}

impl LostValue {
    pub(crate) fn of(value: &Value) -> LostValue {
        match value {
            Value::Node(node) => LostValue::Number(Rc::downgrade(node)),
            Value::List(list) => LostValue::List(Rc::new(LostList {
                nodes: list.nodes().iter().map(Rc::downgrade).collect(),
                shape: list.shape().clone(),
            })),
        }
    }

    /// All nodes, in order.
    pub(crate) fn nodes(&self) -> &[Weak<Node>] {
        match self {
            LostValue::Number(node) => std::slice::from_ref(node),
            LostValue::List(list) => &list.nodes,
        }
    }

    /// The value, if all its nodes are alive.
    pub(crate) fn upgrade(&self) -> Option<Value> {
        let nodes: Option<Vec<_>> = self.nodes().iter().map(Weak::upgrade).collect();
        Some(Value::of_shape(nodes?, self.shape()))
    }

    pub(crate) fn shape(&self) -> &ListShape {
        match self {
            LostValue::Number(_) => &ListShape::NUMBER,
            LostValue::List(list) => &list.shape,
        }
    }
}

impl NameLoss {
    /// The living nodes, with their positions.
    pub(super) fn living(&self) -> impl Iterator<Item = (Rc<Node>, u32)> {
        let nodes = self.value.nodes().iter().zip(0..);
        nodes.filter_map(|(node, place)| Some((node.upgrade()?, place)))
    }

    /// The entries of the index by node for the living nodes.
    fn keys(&self, name: NameId) -> impl Iterator<Item = (NodeId, NameKey)> {
        let (since, loss) = (self.since, self.count);
        self.living().map(move |(node, place)| {
            let key = NameKey {
                since,
                name,
                loss,
                place,
            };
            (node.id(), key)
        })
    }
}

/// The former names of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formers {
    /// The values that have lost each name, in the order of the losses.
    by_name: FxHashMap<NameId, Vec<NameLoss>>,
    /// The index by node. It is built when first needed, which may never happen in a long script. It may have keys of
    /// nodes that are gone, whose ids new nodes may have. A reader must compare the node itself.
    by_node: OnceCell<NodeIndex>,
    /// The number of nodes in the values.
    size: usize,
    /// The size at which values without living nodes are removed.
    tidy_at: usize,
}

fn node_count(losses: &[NameLoss]) -> usize {
    losses.iter().map(|loss| loss.value.nodes().len()).sum()
}

impl Formers {
    /// Keeps the first losses of a name, up to the number `first`, replaces the later ones by `add`, and returns them.
    /// The numbers have gaps where [`Formers::tidy`] has removed values.
    pub fn swap(
        &mut self,
        name: NameId,
        first: u32,
        add: impl IntoIterator<Item = NameLoss>,
    ) -> Vec<NameLoss> {
        let losses = self.by_name.entry(name).or_default();
        let kept = losses.partition_point(|loss| loss.count <= first);
        let gone: Vec<NameLoss> = losses.splice(kept.., add).collect();
        let new = &losses[kept..];
        self.size = self.size + node_count(new) - node_count(&gone);
        if let Some(by_node) = self.by_node.get_mut() {
            for key in gone.iter().flat_map(|loss| loss.keys(name)) {
                by_node.remove(key);
            }
            by_node.extend(new.iter().flat_map(|loss| loss.keys(name)));
        }
        if self.size >= self.tidy_at {
            self.tidy();
        }
        gone
    }

    /// Removes the values without living nodes.
    fn tidy(&mut self) {
        self.by_name.retain(|_, losses| {
            losses.retain(|loss| loss.value.nodes().iter().any(|it| it.strong_count() > 0));
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
        losses.any(|loss| !loss.value.shape().is_number())
    }

    /// The newest former name of a node.
    pub(super) fn of(&self, node: &Node) -> Option<NodeName<'_>> {
        let by_node = self.by_node.get_or_init(|| {
            let all = self.by_name.iter();
            all.flat_map(|(name, losses)| losses.iter().flat_map(|loss| loss.keys(*name)))
                .collect()
        });
        by_node.of(node.id()).rev().find_map(|key| {
            let loss = self.find((key.name, key.loss))?;
            let there = loss.value.nodes().get(key.place as usize)?;
            // The key may be of a dropped node that had the same id.
            std::ptr::eq(there.as_ptr(), node).then(|| key.node_name(loss.value.shape()))
        })
    }

    /// The loss `name@count`. [`Formers::tidy`] may have removed it.
    pub(super) fn find(&self, (name, count): (NameId, u32)) -> Option<&NameLoss> {
        let losses = self.by_name.get(&name)?;
        let place = losses.binary_search_by_key(&count, |loss| loss.count);
        Some(&losses[place.ok()?])
    }

    /// The living nodes of the values that have lost a name, each with the number of the loss.
    pub(super) fn of_name(&self, name: NameId) -> impl Iterator<Item = (u32, Rc<Node>)> {
        let losses = self.by_name.get(&name).into_iter().flatten();
        losses.flat_map(|loss| loss.living().map(|(node, _)| (loss.count, node)))
    }
}
