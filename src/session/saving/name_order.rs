//! When the names of a saved session are bound, and which lists there are.
//!
//! A node is shown by its oldest name, so the names of a node are bound in their old order. A name of a single node is
//! bound where the node is made, a list right after its newest item, unless an older name of one of its nodes comes
//! later. Former lists, `w@1`, are bound to helper names until the end of the script.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::naming::NameId;
use crate::session::values::{ListShape, Value};

/// The place of names that are bound at the end of the script.
pub(crate) const AT_END: usize = usize::MAX;

/// A list of a script.
pub(crate) struct SavedList {
    /// Its name.
    pub name: NameId,
    /// The number of its former name; 0 if it has the name now.
    pub former: u32,
    /// Its items as indices of nodes; none for an item of a former list that is gone.
    pub items: Vec<Option<usize>>,
    /// How they belong together.
    pub shape: ListShape,
    /// It is bound after the node with this index, or at [`AT_END`].
    pub slot: usize,
}

/// A name that is bound after a node is made.
#[derive(Clone, Copy)]
pub(crate) enum Naming {
    /// The name of a node, given by its index.
    Node(usize, NameId),
    /// A list, by its number.
    List(usize),
}

/// The order of the names of a script.
#[derive(Default)]
pub(crate) struct NameOrder {
    /// All lists.
    pub lists: Vec<SavedList>,
    /// The names with which nodes are made, by the index of the node.
    pub first: FxHashMap<usize, NameId>,
    /// The names that are bound after the node with this index was made.
    pub after: FxHashMap<usize, Vec<Naming>>,
    /// The names that are bound at the end.
    pub late: Vec<Naming>,
    /// The list and the place in it where a node may be written: that is the first list with this node, and the node has
    /// no older name of its own.
    pub homes: FxHashMap<usize, (usize, usize)>,
    /// The nodes that are items of lists.
    pub items: FxHashSet<usize>,
}

impl Session {
    /// Decides on the order of names. `constants` are the predefined constants that statements use: names that hide
    /// them are bound at the end. `index` has the place of each node in `made`.
    pub(crate) fn name_order(
        &self,
        made: &[&Rc<Node>],
        index: &FxHashMap<NodeId, usize>,
        constants: &FxHashSet<&str>,
    ) -> NameOrder {
        let index = |node: &Node| index.get(&node.id()).copied();
        let mut order = NameOrder::default();
        // Where each node got its last name so far, if that is not where the node is made.
        let mut moved: FxHashMap<usize, usize> = FxHashMap::default();
        let mut named: FxHashSet<usize> = FxHashSet::default();
        for (id, value) in self.names.by_age() {
            let late = constants.contains(self.names.name(id));
            match value {
                Value::Node(node) => {
                    let Some(at) = index(node) else { continue };
                    let slot = moved.get(&at).copied().unwrap_or(at);
                    let slot = if late { AT_END } else { slot };
                    if slot == at && named.insert(at) {
                        order.first.insert(at, id);
                    } else {
                        named.insert(at);
                        order.put(slot, Naming::Node(at, id));
                    }
                    if slot > at {
                        moved.insert(at, slot);
                    }
                }
                Value::List(list) => {
                    let items: Vec<Option<usize>> =
                        list.nodes().iter().map(|node| index(node)).collect();
                    let list = SavedList {
                        name: id,
                        former: 0,
                        items,
                        shape: list.shape().clone(),
                        slot: if late { AT_END } else { 0 },
                    };
                    order.add(list, &mut moved, &mut named, |_| true);
                }
            }
        }
        for (name, former, list) in self.names.lists_formerly() {
            let items: Vec<Option<usize>> = (list.nodes()).map(|node| index(&*node?)).collect();
            let has_tag = |at: usize| {
                let tag = self.names.former_of(made[at]);
                tag.is_some_and(|tag| tag.name == name && tag.count == former && tag.place > 0)
            };
            if !items.iter().flatten().any(|&at| has_tag(at)) {
                continue;
            }
            let list = SavedList {
                name,
                former,
                items,
                shape: list.shape.clone(),
                slot: 0,
            };
            order.add(list, &mut moved, &mut named, has_tag);
        }
        order
    }
}

impl NameOrder {
    /// The name that is bound, if it is no helper name.
    pub(crate) fn name(&self, naming: Naming) -> Option<NameId> {
        match naming {
            Naming::Node(_, name) => Some(name),
            Naming::List(list) => {
                let list = &self.lists[list];
                (list.former == 0).then_some(list.name)
            }
        }
    }

    fn put(&mut self, slot: usize, naming: Naming) {
        if slot == AT_END {
            self.late.push(naming);
        } else {
            self.after.entry(slot).or_default().push(naming);
        }
    }

    /// Adds a list after the newest of its nodes, and after the names that these have already. A former list is bound to
    /// a helper name, which no node is shown by in the end, so it need not wait for names. `may_hold` tells which nodes
    /// may be written in it.
    fn add(
        &mut self,
        mut list: SavedList,
        moved: &mut FxHashMap<usize, usize>,
        named: &mut FxHashSet<usize>,
        may_hold: impl Fn(usize) -> bool,
    ) {
        let number = self.lists.len();
        let made = |at: &usize| {
            self.homes
                .get(at)
                .map_or(*at, |(home, _)| self.lists[*home].slot)
        };
        let named_last = |at: &usize| moved.get(at).copied().unwrap_or(*at);
        let after = |at: &usize| {
            if list.former > 0 {
                made(at)
            } else {
                named_last(at)
            }
        };
        let last = list.items.iter().flatten().map(after).max();
        list.slot = list.slot.max(last.unwrap_or(0));
        let mut twice: Vec<usize> = Vec::new();
        for (place, &at) in list.items.iter().enumerate() {
            let Some(at) = at else { continue };
            self.items.insert(at);
            if named.insert(at) {
                if list.slot != AT_END && may_hold(at) {
                    self.homes.insert(at, (number, place));
                }
            } else if self.homes.get(&at).is_some_and(|(home, _)| *home == number) {
                twice.push(at);
            }
            if list.slot > at {
                moved.insert(at, list.slot);
            }
        }
        for at in twice {
            self.homes.remove(&at);
        }
        self.put(list.slot, Naming::List(number));
        self.lists.push(list);
    }
}
