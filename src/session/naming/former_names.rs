//! Former names: what a node was called by the last name that it has lost.
//!
//! A former name is a tag of its node, so it lasts as long as something else uses the node. A node has at most one: the
//! last one that it got.

use std::rc::Rc;

use super::bindings::{NameId, NodeName};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;

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
