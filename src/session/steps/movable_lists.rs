//! Which lists `:step` and `:minimize` may move: the weights of a network, one list, or all that are free beside a
//! frozen one. With two or more free lists nothing says which of them are data, until the user says `all`.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::{Node, Order};
use crate::session::Session;
use crate::session::naming::NameId;

/// What leaves are called by, the oldest leaf first and without repetitions: names, each with the number of a former one.
/// It changes when a leaf is bound anew.
pub(in crate::session) type LeafNames = Rc<[Option<(NameId, u32)>]>;

impl Session {
    /// The lists in an order, in the order of their bindings, if some may be data: two or more free ones that are no
    /// network's, and none that is frozen, unless all below the target may move.
    pub(crate) fn lists_in_doubt(&self, target: &Rc<Node>, order: &Order) -> Vec<String> {
        let (mut known, mut lists) = (FxHashSet::default(), Vec::new());
        for leaf in leaves(order) {
            let Some(list) = self.names.list_of(&leaf) else {
                continue;
            };
            let name = self.names.name(list.name);
            if leaf.is_frozen() {
                return Vec::new();
            }
            if known.insert(list.key()) && !self.functions.is_weight_list(name) {
                lists.push(self.names.name_without_place(list).into_owned());
            }
        }
        let all_move = |names: &LeafNames| *names == self.leaf_names(target);
        if lists.len() < 2 || self.all_moves.of(target).is_some_and(all_move) {
            return Vec::new();
        }
        lists
    }

    /// Lets all lists below a target move, until it or one of its leaves is bound anew. Returns whether that is new.
    pub(crate) fn let_all_move(&mut self, target: &Rc<Node>) -> bool {
        let names = self.leaf_names(target);
        let is_new = self.all_moves.of(target) != Some(&names);
        if is_new {
            self.all_moves.tag(target, Some(names));
        }
        is_new
    }

    fn leaf_names(&self, target: &Rc<Node>) -> LeafNames {
        let leaves = leaves(&Order::below([target]));
        let names = leaves.iter().map(|leaf| self.names.node_name(leaf));
        let mut names: Vec<_> = names.map(|it| it.map(|it| it.key())).collect();
        names.dedup();
        names.into()
    }
}

/// The leaves of an order, oldest first.
fn leaves(order: &Order) -> Vec<Rc<Node>> {
    let mut leaves = order.nodes().to_vec();
    leaves.retain(|node| node.is_leaf());
    leaves.sort_by_key(|leaf| leaf.id());
    leaves
}
