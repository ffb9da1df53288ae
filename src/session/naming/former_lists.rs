//! Lists that have lost their names, and what a former name refers to.
//!
//! Such a list keeps no node alive: it lasts as long as something uses one of its items.

use std::rc::{Rc, Weak};

use super::names::{Former, NameId, Names};
use super::tags::{FormerList, Tag};
use crate::graph::Node;
use crate::session::values::{List, ListShape, Value};

/// Former lists are tidied when they have more items than this, and twice as many as after the last time.
const FEW_ITEMS: usize = 1 << 16;

/// The value with a former name.
pub(crate) enum FormerValue {
    /// All of it.
    Whole(Value),
    /// A list of which only some items are left: those that are used.
    Parts(Vec<Option<Rc<Node>>>, ListShape),
}

impl FormerValue {
    /// The nodes that are left.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        let (whole, parts) = match self {
            FormerValue::Whole(value) => (value.nodes(), &[][..]),
            FormerValue::Parts(nodes, _) => (&[][..], nodes.as_slice()),
        };
        whole.iter().chain(parts.iter().flatten())
    }
}

impl Names {
    /// The lists that have lost their names: name, number, items and shape, sorted by name and number.
    pub(crate) fn lists_formerly(
        &self,
    ) -> impl Iterator<Item = (NameId, u32, &[Weak<Node>], &ListShape)> {
        let mut lists: Vec<_> = self.former_lists.iter().collect();
        lists.sort_unstable_by_key(|&(&(name, count), _)| (self.name(name), count));
        let lists = lists.into_iter();
        lists.map(|(&(name, count), list)| (name, count, &*list.nodes, &list.shape))
    }

    /// Gives a node a former name.
    pub(crate) fn set_former(&mut self, node: &Rc<Node>, former: Former) {
        self.formers.write(node.id(), Some(Tag::new(node, former)));
    }

    /// The value with the former name `name@count`.
    pub(crate) fn formerly(&self, name: &str, count: u32) -> Option<FormerValue> {
        let id = self.id(name)?;
        let is_it = |former: &Former| former.name == id && former.count == count;
        let left = |list: &FormerList| -> Vec<Option<Rc<Node>>> {
            list.nodes.iter().map(Weak::upgrade).collect()
        };
        let list = self.former_lists.get(&(id, count));
        // A list that an undone statement left behind has no items with this former name.
        let list = list.map(|list| (list, left(list))).filter(|(_, nodes)| {
            let mut formers = nodes.iter().flatten().filter_map(|it| self.formers.of(it));
            formers.any(|former| is_it(former) && former.place > 0)
        });
        let Some((list, nodes)) = list else {
            let place = self.formers.by_name.get(&(id, count))?;
            let (node, former) = self.formers.living_one(*place)?;
            return is_it(former).then(|| FormerValue::Whole(node.into()));
        };
        Some(match nodes.iter().cloned().collect() {
            Some(whole) => FormerValue::Whole(Value::shaped(whole, &list.shape)),
            None => FormerValue::Parts(nodes, list.shape.clone()),
        })
    }

    /// The number and the place of the item `path` (counted from 0) of a list that was called `name@count`, or a higher
    /// number, if that item is this node.
    pub(crate) fn place_formerly(
        &self,
        id: NameId,
        count: u32,
        path: &[usize],
        node: &Rc<Node>,
    ) -> Option<(u32, u32)> {
        let place = |((name, number), list): (&(NameId, u32), &FormerList)| {
            if *name != id || *number < count {
                return None;
            }
            let (mut shape, mut place) = (list.shape.clone(), 0);
            for &at in path {
                let (item, start) = shape.item(at)?;
                (shape, place) = (item, place + start);
            }
            let is_it = shape.is_number() && list.nodes[place].as_ptr() == Rc::as_ptr(node);
            is_it.then_some((*number, place as u32 + 1))
        };
        self.former_lists.iter().filter_map(place).min()
    }

    /// Keeps the shape of a list that loses its name, for the former names of its items. Items that `is_kept` leaves
    /// out are gone.
    pub(crate) fn remember_list(
        &mut self,
        id: NameId,
        count: u32,
        list: &List,
        is_kept: impl Fn(&Rc<Node>) -> bool,
    ) {
        if self.former_items >= FEW_ITEMS.max(2 * self.former_items_tidied) {
            let is_used = |list: &FormerList| list.nodes.iter().any(|node| node.strong_count() > 0);
            self.former_lists.retain(|_, list| is_used(list));
            self.former_items = self
                .former_lists
                .values()
                .map(|list| list.nodes.len())
                .sum();
            self.former_items_tidied = self.former_items;
        }
        self.former_items += list.nodes().len();
        let former = FormerList {
            nodes: (list.nodes().iter())
                .map(|node| {
                    if is_kept(node) {
                        Rc::downgrade(node)
                    } else {
                        Weak::new()
                    }
                })
                .collect(),
            shape: list.shape().clone(),
        };
        self.former_lists.insert((id, count), former);
    }
}
