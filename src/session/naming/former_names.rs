//! Former names: what a node was called by the last name that it has lost.
//!
//! A former name is a tag of its node, so it lasts as long as something else uses the node. A node has at most one: the
//! last one that it got. The nodes of `a@1` are found by an index, which is built when somebody first types such a name.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::rc::Rc;

use super::bindings::{NameId, NodeName};
use crate::graph::{Node, NodeId};
use crate::session::logged::Keyed;
use crate::session::tags::{Tag, Tags};
use crate::session::values::{ListShape, Value};

/// How many former names of dropped nodes the index may have, besides as many as there are tags.
const DROPPED_ALLOWED: usize = 64;

/// The former name of a node.
#[derive(Clone, Debug)]
pub(crate) struct Former {
    name: NameId,
    /// The number of the value that lost the name.
    count: u32,
    /// For an item of a list: its place among the numbers, counted from 1, and the shape of the list.
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
        value.nodes().iter().zip(1..).map(move |(node, place)| {
            let item = is_list.then(|| Rc::new((place, value.shape().clone())));
            (Former { name, count, item }, node)
        })
    }

    /// How it calls the node.
    pub(super) fn node_name(&self) -> NodeName<'_> {
        let item = self.item.as_deref();
        let (place, shape) = item.map_or((0, &ListShape::NUMBER), |(place, shape)| (*place, shape));
        NodeName {
            name: self.name,
            count: self.count,
            place,
            shape,
        }
    }
}

/// The former names of all nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formers {
    by_node: Tags<Former>,
    /// The nodes that got each former name. Built when first needed, which may never happen in a long script.
    by_name: OnceCell<BTreeSet<FormerName>>,
}

/// A name, the number of a value that lost it, and a node of that value.
type FormerName = (NameId, u32, NodeId);

impl Formers {
    /// The nodes with the former name `name@count`, each with what it is called.
    pub(super) fn nodes_called(
        &self,
        name: NameId,
        count: u32,
    ) -> impl Iterator<Item = (Rc<Node>, NodeName<'_>)> {
        let by_name = self.by_name.get_or_init(|| {
            let living = self.by_node.living();
            living
                .map(|(node, former)| former.indexed_name(node.id()))
                .collect()
        });
        let all = by_name.range((name, count, 0)..=(name, count, NodeId::MAX));
        // The number of a node that was dropped may belong to another one now.
        all.filter_map(|(.., node)| self.by_node.numbered(*node))
            .map(|(node, former)| (node, former.node_name()))
            .filter(move |(_, naming)| naming.key() == (name, count))
    }
}

impl Former {
    fn indexed_name(&self, node: NodeId) -> FormerName {
        (self.name, self.count, node)
    }
}

impl Deref for Formers {
    type Target = Tags<Former>;

    fn deref(&self) -> &Tags<Former> {
        &self.by_node
    }
}

impl Keyed for Formers {
    type Key = NodeId;
    type Value = Option<Tag<Former>>;

    fn number(&node: &NodeId) -> Option<u32> {
        Some(node)
    }

    fn swap(&mut self, &node: &NodeId, tag: Option<Tag<Former>>) -> Option<Tag<Former>> {
        let indexed = |tag: &Tag<Former>| tag.what.indexed_name(node);
        let new = tag.as_ref().map(indexed);
        let before = self.by_node.swap(&node, tag);
        if let Some(by_name) = self.by_name.get_mut() {
            if let Some(gone) = before.as_ref().map(indexed) {
                by_name.remove(&gone);
            }
            by_name.extend(new);
            if by_name.len() > 2 * self.by_node.count() + DROPPED_ALLOWED {
                self.by_name.take();
            }
        }
        before
    }
}
