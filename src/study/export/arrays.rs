//! A root written with arrays, for Python and JAX: leaves come in the lists that have names, and lists with names are
//! written first, so that what uses them finds them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::{quote, variable_name};
use super::writer::Writer;
use crate::session::Session;
use crate::session::values::{List, Value};
use chainrule_engine::graph::{Node, Order};
use chainrule_stop as stop;

impl Writer<'_> {
    /// Writes a root, and a last line that begins with this text and ends with its value.
    pub(super) fn with_arrays<'s>(
        session: &'s Session,
        dialect: Dialect,
        root: &Rc<Node>,
        last_line: &str,
    ) -> Result<Writer<'s>, Refusal> {
        let mut writer = Writer::new(session, dialect);
        let order = Order::below([root]);
        let mut leaves: Vec<&Rc<Node>> = order.nodes().iter().filter(|it| it.is_leaf()).collect();
        leaves.sort_by_key(|leaf| leaf.id());
        let mut refused = FxHashSet::default();
        for leaf in stop::with_checks(leaves.into_iter()) {
            writer.add_leaf_array(leaf, &mut refused);
        }
        let is_in_array = |leaf: &Node| writer.array_places.contains_key(&leaf.id());
        writer.moving = Computation::of(root, &[], is_in_array).moving;
        let names = session.names().bound_values();
        let moving = &writer.moving;
        let is_below = |list: &&Value| list.nodes().iter().all(|node| moving.contains(&node.id()));
        let mut lists: Vec<&Value> = names.map(|(_, value)| value).filter(is_below).collect();
        lists.sort_by_key(|list| list.nodes().iter().map(|node| node.id()).max());
        for list in lists {
            if list.node().is_none() && list.shape().lengths().is_some() {
                writer.write_column(0, vec![list.clone()])?;
            }
        }
        let result = writer.node(root)?;
        writer.line(0, &format!("{last_line}{result}"))?;
        Ok(writer)
    }

    /// Adds the array of a leaf: a list with a name that has new leaves of the same kind alone, or itself if it is free.
    /// A single frozen leaf is a number. Lists that are no arrays are `refused`, and none is looked through again.
    fn add_leaf_array(&mut self, leaf: &Rc<Node>, refused: &mut FxHashSet<*const List>) {
        if self.array_places.contains_key(&leaf.id()) {
            return;
        }
        let joins = |node: &Rc<Node>| {
            let is_kind = node.is_leaf() && node.is_free() == leaf.is_free();
            is_kind && !self.array_places.contains_key(&node.id())
        };
        // None stands in a list twice if each is newer than the one before.
        let is_array = |nodes: &[Rc<Node>]| {
            nodes.iter().all(joins) && nodes.is_sorted_by(|one, next| one.id() < next.id())
        };
        let mut lists = self.session.names().lists_of(leaf);
        let found = lists.find_map(|(name, list, _)| {
            if refused.contains(&Rc::as_ptr(list)) {
                return None;
            }
            let shape = list.shape().lengths().filter(|_| is_array(list.nodes()));
            if shape.is_none() {
                refused.insert(Rc::as_ptr(list));
            }
            Some((name.to_string(), shape?, list.nodes().to_vec()))
        });
        let alone = || {
            (
                variable_name(self.session, leaf),
                Vec::new(),
                vec![Rc::clone(leaf)],
            )
        };
        let Some((name, shape, leaves)) = found.or_else(|| leaf.is_free().then(alone)) else {
            return;
        };
        let text = self.identifiers.of(&name);
        self.add_array(text, shape, &leaves.clone(), Some((quote(&name), leaves)));
    }
}
