//! Bindings: of one or several names at once, compound ones such as `+=`, and the notes about what a rebinding breaks.
//!
//! `build` makes the nodes. Here they get their names.

mod data;
mod uncertain;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::notes;
use crate::graph::{Node, NodeId};
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::history::Widths;
use crate::session::naming::{ANSWERS, NameId};
use crate::session::values::{List, Value};
use crate::syntax::{Binding, BindingTarget, Expression, Head, Item, ItemKind, Span};

/// The most nodes visited in the search for a user of a rebound leaf.
const USERS_SEARCHED: usize = 1_024;

/// The values that were bound, one for each name.
pub type Bound = Vec<Value>;

impl Session {
    /// Binds names to expressions, and returns their values. Spans refer to `text`. No note
    /// is made about users whose names `rebound_next` says are rebound by a later line of the same paste.
    pub fn bind(
        &mut self,
        text: &str,
        binding: &Binding,
        rebound_next: impl Fn(&str) -> bool,
    ) -> Result<(Bound, Vec<Note>), Error> {
        let made = self.graph.made();
        let mut notes = Vec::new();
        let mut built = self.values_of(text, binding, &mut notes);
        let mut widths = Vec::new();
        if !binding.widths.is_empty() {
            built = built.and_then(|values| {
                widths = self.bound_widths(text, binding, &values, made, &mut notes)?;
                Ok(values)
            });
        }
        let values = built.inspect_err(|_| self.rewind(made))?;
        for (target, value) in binding.targets.iter().zip(&values) {
            let id = self.names.intern(target.name);
            notes.extend(self.rename(id, value, &rebound_next));
        }
        self.keep_typed(text, binding, &values);
        if !widths.is_empty() {
            self.widen(Widths::typed(widths));
        }
        Ok((values, notes))
    }

    /// Keeps what was typed for lists, and for numbers that are more than arithmetic: an export reads it.
    fn keep_typed(&mut self, text: &str, binding: &Binding, values: &[Value]) {
        if binding.compound.is_some() || binding.values.len() != values.len() {
            return;
        }
        let is_call = |item: &Item| matches!(item.kind, ItemKind::Apply(head, _) if !matches!(head, Head::Operator(_)));
        let pairs = binding.targets.iter().zip(&binding.values);
        for ((target, typed), value) in pairs.zip(values) {
            if typed.items.len() > 1 && (value.node().is_none() || typed.items.iter().any(is_call))
            {
                let id = self.names.intern(target.name);
                self.names.keep_typed(id, typed.span.of(text));
            }
        }
    }

    /// The values to which the names will be bound. A single list on the right is taken apart.
    fn values_of(
        &mut self,
        text: &str,
        binding: &Binding,
        notes: &mut Vec<Note>,
    ) -> Result<Bound, Error> {
        let targets = &binding.targets;
        if let ([_, _, ..], [only]) = (targets.as_slice(), binding.values.as_slice()) {
            let made = self.graph.made();
            let (value, found) = self.evaluate(text, only)?;
            notes.extend(found);
            let items: Vec<Value> = match value {
                Value::List(list) if list.count() == targets.len() => list.items().collect(),
                value => {
                    let (names, shape) = (targets.len(), value.shape());
                    let message = format!("{names} names for {shape}");
                    let help =
                        "as many names as there are items: `a, b = [1, 2]`, or `a, b = 1, 2`";
                    return Err(fail(only.span, message, help));
                }
            };
            // The list itself is gone, so that nodes which only it held do not take up ids.
            return self.items_bound(binding, items, only.span, made);
        }
        let mut values = Vec::with_capacity(targets.len());
        for (target, value) in targets.iter().zip(&binding.values) {
            values.push(self.value_of(text, binding, *target, value, notes)?);
        }
        Ok(values)
    }

    fn items_bound(
        &mut self,
        binding: &Binding,
        items: Vec<Value>,
        span: Span,
        made: NodeId,
    ) -> Result<Bound, Error> {
        let Some(reserved) = (binding.targets.iter()).find(|target| ANSWERS.contains(&target.name))
        else {
            let whole = Value::List(Rc::new(List::from_items(items)));
            let whole = self.bindable(binding.frozen, binding.targets[0], whole, span, made)?;
            let Value::List(list) = whole else {
                unreachable!("a list stays one")
            };
            return Ok(list.items().map(Value::owned).collect());
        };
        Err(error::reserved(reserved.name, reserved.span))
    }

    /// The value to which one name will be bound.
    fn value_of(
        &mut self,
        text: &str,
        binding: &Binding,
        target: BindingTarget,
        value: &Expression,
        notes: &mut Vec<Note>,
    ) -> Result<Value, Error> {
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
                    },
                )?
            }
        };
        notes.extend(found);
        self.bindable(binding.frozen, target, root, value.span, made)
    }

    /// A value with leaves in place of the numbers that depend on no leaf. `made` is the newest node from before the
    /// expression.
    fn bindable(
        &mut self,
        frozen: bool,
        target: BindingTarget,
        value: Value,
        span: Span,
        made: NodeId,
    ) -> Result<Value, Error> {
        let varying = value.nodes().iter().find(|node| node.varies());
        if let (true, Some(varying)) = (frozen, varying) {
            let leaf = self.first_leaf(varying);
            let message = format!("a `const` holds a number, but this depends on `{leaf}`");
            let help = format!("`{} = …` without `const` keeps the expression", target.name);
            return Err(fail(span, message, help));
        }
        if varying.is_none() {
            // Nothing of the expression stays, and the leaves take the first of its ids.
            self.rewind(made);
            return Ok(value.replaced(|node| self.graph.leaf(node.data(), frozen)));
        }
        if value.nodes().iter().all(|node| node.varies()) {
            return Ok(value.owned());
        }
        let bound = |node: &Rc<Node>| {
            if node.varies() {
                Rc::clone(node)
            } else {
                self.graph.leaf(node.data(), frozen)
            }
        };
        let nodes = value.nodes().iter().map(bound).collect();
        Ok(Value::shaped(nodes, value.shape()))
    }

    /// Binds a name, and returns a note if the name's old leaf is still in use.
    pub(in crate::session::building) fn rename(
        &mut self,
        id: u32,
        value: &Value,
        rebound_next: &dyn Fn(&str) -> bool,
    ) -> Option<Note> {
        let before = self.names.value(id).cloned();
        if before.as_ref().is_some_and(|before| before.is(value)) {
            return None;
        }
        self.names.bind(id, value.clone());
        let before = before?;
        let first = self.retire(id, &before);
        let (Value::Node(leaf), Value::Node(node)) = (&before, value) else {
            return self.list_rebound(id, &before, value, first, rebound_next);
        };
        // One reference stands here and one in the log. If there is no third, the leaf has no user, and a script that rebinds a
        // hundred thousand leaves is spared the searches.
        let held = Rc::strong_count(leaf) > 2;
        let moved = leaf.data().to_bits() != node.data().to_bits();
        if !(first && held && moved && leaf.is_leaf()) || LeafSearch::of(leaf).reached_from(node) {
            return None;
        }
        let user = self.named_user(leaf, rebound_next)?;
        Some(notes::rebound(
            self.names.name(id),
            &self.label(leaf),
            &user,
            node.is_leaf().then(|| node.data()),
        ))
    }

    /// The note if something still uses a leaf of the list that a name stood for.
    fn list_rebound(
        &self,
        id: NameId,
        before: &Value,
        now: &Value,
        first: bool,
        rebound_next: &dyn Fn(&str) -> bool,
    ) -> Option<Note> {
        let held = |node: &&Rc<Node>| node.is_leaf() && Rc::strong_count(node) > 1;
        let leaf = before.nodes().iter().find(held).filter(|_| first)?;
        let mut search = LeafSearch::of(leaf);
        search.left += now.nodes().len();
        if now.nodes().iter().any(|node| search.reached_from(node)) {
            return None;
        }
        let user = self.named_user(leaf, rebound_next)?;
        let name = self.names.name(id);
        Some(notes::rebound(
            name,
            &format!("{name}@{}", self.names.lost(id)),
            &user,
            None,
        ))
    }

    /// Called for a value that lost a name. If that was the last one of a node, the node gets a former name. Returns
    /// whether it is the first value to lose this name.
    pub(crate) fn retire(&mut self, id: NameId, old: &Value) -> bool {
        if old.nodes().iter().all(|node| self.names.has_any(node)) {
            return false;
        }
        let lost = self.names.lost(id);
        self.names.bind_formerly(id, lost + 1, old);
        lost == 0
    }

    fn first_leaf(&self, root: &Rc<Node>) -> String {
        let order = crate::graph::Order::below([root]);
        let leaf = order.nodes().iter().rfind(|node| node.is_leaf());
        leaf.map_or_else(String::new, |leaf| self.label(leaf))
    }

    /// The newest name of a node that depends on `leaf` and that is not about to be rebound.
    fn named_user(&self, leaf: &Node, rebound_next: &dyn Fn(&str) -> bool) -> Option<String> {
        let mut search = LeafSearch::of(leaf);
        for (name, value) in self.names.bound().rev() {
            if search.left == 0 {
                break;
            }
            if value.nodes().iter().any(|node| search.reached_from(node)) {
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
