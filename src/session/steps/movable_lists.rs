//! Which lists `:step` and `:minimize` may move: the weights of a network, one list, or all that are free beside a
//! frozen one. With two or more free lists nothing says which of them are data, until the user says `all`.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::session::tags::TagWrite;
use crate::session::{Session, Write};
use chainrule_engine::graph::Node;

impl Session {
    /// The lists among these leaves below a target, in the order of their bindings, if some may be data: two or more free
    /// ones that are no network's, and none that is frozen. There are none where all may move.
    pub(crate) fn lists_in_doubt(&self, target: &Rc<Node>, leaves: &[Rc<Node>]) -> Vec<String> {
        let (mut known, mut lists) = (FxHashSet::default(), Vec::new());
        for leaf in leaves {
            let Some(list) = self.names.list_of(leaf) else {
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
        // A leaf that was bound anew has a former name.
        let is_former = |leaf: &Rc<Node>| self.names.node_name(leaf).is_some_and(|it| it.count > 0);
        let all_move = self.steps.all_moves.of(target).is_some() && !leaves.iter().any(is_former);
        if lists.len() < 2 || all_move {
            return Vec::new();
        }
        lists
    }

    /// Lets all lists below a target move, until one of its leaves is bound anew.
    pub(crate) fn let_all_move(&mut self, target: &Rc<Node>) {
        self.write(Write::AllMove(TagWrite::new(target, Some(()))));
    }
}
