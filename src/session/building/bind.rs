//! Bindings: of one or several names at once, compound ones such as `+=`, and the notes about what a rebinding breaks.
//!
//! `build` makes the nodes. Here they get their names, and the journal learns how to undo that.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::notes;
use crate::graph::{Node, NodeId};
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::history::Change;
use crate::session::naming::{ANSWERS, Former};
use crate::syntax::{Binding, BindingTarget, Expression, Head, Item, ItemKind};

/// The most nodes visited in the search for a user of a rebound leaf.
const USERS_SEARCHED: usize = 1_024;

/// The nodes that were bound, one for each name.
pub type Bound = Vec<Rc<Node>>;

impl Session {
    /// Binds names to expressions, and returns their nodes. Spans refer to `text`; `:log` will show `statement`. No
    /// note is made about users whose names `rebound_next` says are rebound by a later line of the same paste.
    pub fn bind(
        &mut self,
        text: &str,
        statement: &str,
        binding: &Binding,
        rebound_next: impl Fn(&str) -> bool,
    ) -> Result<(Bound, Vec<Note>), Error> {
        let made = self.graph.made();
        let mut notes = Vec::new();
        let built: Result<Bound, Error> = (binding.targets.iter().zip(&binding.values))
            .map(|(target, value)| self.value_of(text, binding, *target, value, &mut notes))
            .collect();
        let nodes = built.inspect_err(|_| self.graph.rewind(made))?;
        let mut changes = std::mem::take(&mut self.changes);
        for (target, node) in binding.targets.iter().zip(&nodes) {
            let id = self.names.intern(target.name);
            notes.extend(self.rename(id, node, &mut changes, &rebound_next));
        }
        if !changes.is_empty() {
            self.record(statement, &mut changes);
        }
        self.changes = changes;
        Ok((nodes, notes))
    }

    /// The node to which one name will be bound.
    fn value_of(
        &mut self,
        text: &str,
        binding: &Binding,
        target: BindingTarget,
        value: &Expression,
        notes: &mut Vec<Note>,
    ) -> Result<Rc<Node>, Error> {
        if ANSWERS.contains(&target.name) {
            return Err(error::reserved(target.name, target.span));
        }
        let made = self.graph.made();
        let (root, found) = match binding.compound {
            None => self.evaluate(text, value)?,
            Some(operator) => {
                // `c += a*b` means `c = c + (a*b)`: in postfix order the name comes first and the operator last.
                let mut items = Vec::with_capacity(value.items.len() + 2);
                let item = |kind, span| Item { kind, span };
                items.push(item(ItemKind::Name(target.name), target.span));
                items.extend_from_slice(&value.items);
                let head = Head::Operator(operator);
                items.push(item(ItemKind::Apply(head, 2), value.span));
                self.evaluate(
                    text,
                    &Expression {
                        items,
                        span: value.span,
                        vanished: value.vanished.clone(),
                    },
                )?
            }
        };
        notes.extend(found);
        if root.varies() {
            if binding.frozen {
                let leaf = self.first_leaf(&root);
                return Err(error::const_of_variable(target.name, value.span, &leaf));
            }
            return Ok(root);
        }
        // An expression without leaves becomes a leaf. Its nodes are dropped, and the leaf takes the first of their
        // ids.
        let data = root.data();
        drop(root);
        self.graph.rewind(made);
        Ok(self.graph.leaf(data, binding.frozen))
    }

    /// Binds a name, records how to undo this, and returns a note if the name's old leaf is still in use.
    fn rename(
        &mut self,
        id: u32,
        node: &Rc<Node>,
        changes: &mut Vec<Change>,
        rebound_next: &dyn Fn(&str) -> bool,
    ) -> Option<Note> {
        if self.names.node(id).is_some_and(|old| Rc::ptr_eq(old, node)) {
            return None;
        }
        let old = self.names.bind(id, Rc::clone(node));
        let Some(old) = old else {
            changes.push(Change::Name(id, None));
            return None;
        };
        let first = self.retire(id, &old.node, changes);
        let leaf = Rc::clone(&old.node);
        changes.push(Change::Name(id, Some(old)));
        // Two references were made just now. If there is no third, the leaf has no user, and a script that rebinds a
        // hundred thousand leaves is spared the searches.
        let held = Rc::strong_count(&leaf) > 2;
        let moved = leaf.data().to_bits() != node.data().to_bits();
        if !(first && held && moved && leaf.is_leaf()) || LeafSearch::of(&leaf).reached_from(node) {
            return None;
        }
        let user = self.named_user(&leaf, rebound_next)?;
        Some(notes::rebound(
            self.names.name(id),
            &self.label(&leaf),
            &user,
            node.is_leaf().then(|| node.data()),
        ))
    }

    /// Called for a node that lost a name. If it was the last one, the node gets a former name. Returns whether it is
    /// the first node to lose this name.
    pub(crate) fn retire(&mut self, id: u32, old: &Rc<Node>, changes: &mut Vec<Change>) -> bool {
        if self.names.of(old).next().is_some() {
            return false;
        }
        let lost = self.names.lost(id);
        self.give_former(id, lost + 1, old, changes);
        lost == 0
    }

    /// Gives a node the former name `name@count`.
    pub(crate) fn give_former(
        &mut self,
        name: u32,
        count: u32,
        node: &Rc<Node>,
        changes: &mut Vec<Change>,
    ) {
        changes.push(Change::Lost(name, self.names.swap_lost(name, count)));
        let before = self.names.formers.set(node, Former { name, count });
        changes.push(Change::Former(node.id(), before));
    }

    fn first_leaf(&self, root: &Rc<Node>) -> String {
        let order = crate::graph::Order::below([root]);
        let leaf = order.nodes().iter().rfind(|node| node.is_leaf());
        leaf.map_or_else(String::new, |leaf| self.label(leaf))
    }

    /// The newest name of a node that depends on `leaf` and that is not about to be rebound.
    fn named_user(&self, leaf: &Node, rebound_next: &dyn Fn(&str) -> bool) -> Option<String> {
        let mut search = LeafSearch::of(leaf);
        for (name, node) in self.names.bound().rev() {
            if search.left == 0 {
                break;
            }
            if search.reached_from(node) {
                if !rebound_next(name) {
                    return Some(name.to_string());
                }
                // Another name may reach the leaf through the same nodes.
                search.seen.clear();
            }
        }
        None
    }
}

/// A search for a leaf that gives up after [`USERS_SEARCHED`] nodes in all, even if it starts from several roots.
struct LeafSearch<'n> {
    leaf: &'n Node,
    seen: FxHashSet<NodeId>,
    left: usize,
}

impl LeafSearch<'_> {
    fn of(leaf: &Node) -> LeafSearch<'_> {
        LeafSearch {
            leaf,
            seen: FxHashSet::default(),
            left: USERS_SEARCHED,
        }
    }

    /// Whether `root` depends on the leaf. Nodes older than the leaf cannot, so they are skipped.
    fn reached_from(&mut self, root: &Rc<Node>) -> bool {
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop().filter(|_| self.left > 0) {
            self.left -= 1;
            if node.id() == self.leaf.id() {
                return true;
            }
            if node.id() > self.leaf.id() && self.seen.insert(node.id()) {
                waiting.extend(node.operands());
            }
        }
        false
    }
}
