//! A root as a program of JAX: a list is an array, and a loop over a list is a function that `jax.vmap` maps.
//!
//! JAX computes the gradient itself, so only values are written. Leaves are the arrays of two dictionaries: `params`,
//! and `data` for lists of frozen ones.

use std::rc::Rc;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::{bare, file, fill_frame, join_items, quote, variable_name};
use super::inline::inline;
use super::user_function::wrapper;
use super::writer::{JaxArray, Writer};
use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::graph::{Node, Order};
use chainrule_stop as stop;

/// The program for a root.
pub fn jax(session: &Session, whole: &Computation) -> Result<String, Refusal> {
    let root = &whole.root;
    let mut writer = Writer::new(session, Dialect::Jax);
    let order = Order::below([root]);
    let mut leaves: Vec<&Rc<Node>> = order.nodes().iter().filter(|it| it.is_leaf()).collect();
    leaves.sort_by_key(|leaf| leaf.id());
    for leaf in stop::with_checks(leaves.into_iter()) {
        writer.take(leaf);
    }
    let straight = Computation::of(root, &[], |leaf| writer.homes.contains_key(&leaf.id()));
    writer.moving = straight.moving;
    // Lists with names come first, so that what uses them finds them.
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
    writer.line(0, &format!("return {result}"))?;
    Ok(writer.file(whole))
}

impl Writer<'_> {
    /// Takes a leaf from a dictionary, with the others of a list that has leaves of the same kind alone.
    fn take(&mut self, leaf: &Rc<Node>) {
        if self.homes.contains_key(&leaf.id()) {
            return;
        }
        let joins = |node: &Rc<Node>| {
            let is_kind = node.is_leaf() && node.is_free() == leaf.is_free();
            is_kind && !self.homes.contains_key(&node.id())
        };
        // None stands in a list twice if each is newer than the one before.
        let is_array = |nodes: &[Rc<Node>]| {
            nodes.iter().all(joins) && nodes.is_sorted_by(|one, next| one.id() < next.id())
        };
        let mut lists = self.session.names().lists_of(leaf);
        let found = lists.find_map(|(name, list, _)| {
            let shape = list.shape().lengths().filter(|_| is_array(list.nodes()))?;
            Some((name.to_string(), shape, list.nodes().to_vec()))
        });
        let alone = || {
            (
                variable_name(self.session, leaf),
                Vec::new(),
                vec![Rc::clone(leaf)],
            )
        };
        let Some((name, shape, leaves)) = found.or_else(|| leaf.is_free().then(alone)) else {
            // A single frozen leaf is a number.
            return;
        };
        let text = self.identifiers.of(&name);
        self.store(text, shape, &leaves.clone(), Some((quote(&name), leaves)));
    }

    fn file(&self, whole: &Computation) -> String {
        let arrays = self
            .arrays
            .iter()
            .filter_map(|array| Some((array, array.leaves.as_ref()?)));
        let (data, params): (Vec<_>, Vec<_>) =
            arrays.partition(|(_, (_, leaves))| leaves[0].is_frozen());
        let mut arguments = "params";
        let (mut tables, mut code) = (Vec::new(), Vec::new());
        for (dictionary, arrays) in [("params", params), ("data", data.clone())] {
            if arrays.is_empty() {
                continue;
            }
            let entry = |(array, (key, leaves)): &(&JaxArray, &(String, Vec<Rc<Node>>))| {
                format!("    {key}: {},\n", numbers(leaves, &array.shape))
            };
            let entries: String = arrays.iter().map(entry).collect();
            let taken = arrays.iter().map(|(array, (key, _))| (&array.text, key));
            code.extend(taken.map(|(text, key)| format!("    {text} = {dictionary}[{key}]")));
            tables.push(format!("{dictionary} = {{\n{entries}}}\n\n"));
        }
        if !data.is_empty() {
            arguments = "params, data";
            // The batch is the longest lists of data.
            let longest = data.iter().map(|(array, _)| array.shape[0]).max();
            let batch = data
                .iter()
                .filter(|(array, _)| Some(array.shape[0]) == longest);
            let keys: Vec<&str> = batch.map(|(_, (key, _))| &**key).collect();
            let keys = [("keys", &*keys.join(", "))];
            tables.push(fill_frame(include_str!("sharding.jax.py"), &keys));
        }
        code.extend(inline(self.statements().to_vec()));
        let (name, function) = wrapper(
            self.session,
            whole,
            Dialect::Jax,
            &[],
            &arguments["params".len()..],
        );
        let parts = [
            ("arguments", arguments),
            ("tables", &tables.concat()),
            ("name", name),
            ("function", &function),
        ];
        file(
            self.session,
            &whole.root,
            Dialect::Jax,
            &code.join("\n"),
            &parts,
        )
    }
}

/// The present numbers of leaves.
fn numbers(leaves: &[Rc<Node>], shape: &[usize]) -> String {
    let numbers: Vec<String> = leaves
        .iter()
        .map(|leaf| bare(Dialect::Jax, leaf.data()))
        .collect();
    let list = join_items(&numbers);
    match shape {
        [] => format!("jnp.array({list})"),
        [_] => format!("jnp.array([{list}])"),
        shape => format!("jnp.array([{list}]).reshape({shape:?})"),
    }
}
