//! A root written with arrays, for Python and JAX: leaves come in the lists that have names, and lists with names are
//! written first, so that what uses them finds them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::names_and_numbers::{bare, quote, variable_name};
use super::writer::{ProgramArray, Writer};
use crate::session::Session;
use crate::session::values::{List, Value};
use chainrule_engine::graph::{Node, NodeId, Order};
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
        let lists = named_lists(session);
        let order = Order::below([root]);
        for mut array in find_arrays(session, &order, &lists) {
            array.text = writer.identifiers.of(&array.text);
            let leaves = array.leaves.clone();
            writer.add_array(array, &leaves);
        }
        let is_in_array = |leaf: &Node| writer.array_places.contains_key(&leaf.id());
        writer.moving = Computation::of(root, &[], is_in_array).moving;
        let moves = |node: &Rc<Node>| writer.moving.contains(&node.id());
        let below = lists.into_iter().map(|(_, list)| list);
        let below = below.filter(|list| list.nodes().iter().all(moves));
        let mut below: Vec<&Rc<List>> = below.collect();
        below.sort_by_cached_key(|list| list.nodes().iter().map(|node| node.id()).max());
        for list in below {
            writer.write_column(0, vec![Value::List(Rc::clone(list))])?;
        }
        let result = writer.node(root)?;
        writer.line(0, &format!("{last_line}{result}"))?;
        Ok(writer)
    }
}

/// The lists with names that can be arrays, in the order of definition; of several names for a list, the first.
fn named_lists(session: &Session) -> Vec<(&str, &Rc<List>)> {
    let mut known = FxHashSet::default();
    let values = session.names().bound_values();
    let lists = values.filter_map(|(name, value)| Some((name, value.list()?)));
    lists
        .filter(|(_, list)| !list.nodes().is_empty() && list.shape().lengths().is_some())
        .filter(|(_, list)| known.insert(Rc::as_ptr(list)))
        .collect()
}

/// The arrays of the leaves in an order, by age, whose texts are their names: the lists of leaves alone, all free or all
/// frozen, that no earlier one shares, and what is free besides. Any other frozen leaf is a number.
fn find_arrays(session: &Session, order: &Order, lists: &[(&str, &Rc<List>)]) -> Vec<ProgramArray> {
    let array = |name: &str, shape: Option<Vec<usize>>, leaves: &[Rc<Node>]| ProgramArray {
        text: name.to_owned(),
        shape: shape.unwrap_or_default(),
        key: quote(name),
        leaves: leaves.to_vec(),
    };
    let mut taken: FxHashSet<NodeId> = FxHashSet::default();
    let mut arrays = Vec::new();
    for (name, list) in stop::with_checks(lists.iter()) {
        let leaves = list.nodes();
        let joins = |node: &Rc<Node>| {
            let is_kind = node.is_leaf() && node.is_free() == leaves[0].is_free();
            is_kind && !taken.contains(&node.id())
        };
        // None stands in a list twice if each is newer than the one before.
        let is_array = leaves.is_sorted_by(|one, next| one.id() < next.id())
            && leaves.iter().all(joins)
            && leaves.iter().any(|leaf| order.slot(leaf).is_some());
        if is_array {
            taken.extend(leaves.iter().map(|leaf| leaf.id()));
            arrays.push(array(name, list.shape().lengths(), leaves));
        }
    }
    let is_alone = |leaf: &&Rc<Node>| leaf.is_free() && !taken.contains(&leaf.id());
    let alone = order.nodes().iter().filter(is_alone);
    arrays.extend(alone.map(|leaf| {
        let name = variable_name(session, leaf);
        array(&name, None, std::slice::from_ref(leaf))
    }));
    arrays.sort_by_key(|array| array.leaves[0].id());
    arrays
}

/// The present numbers of leaves as a list of this shape.
pub(super) fn numbers_text(dialect: Dialect, array: &ProgramArray) -> String {
    let number = |leaf: &Rc<Node>| bare(dialect, leaf.data());
    nested_list(&array.leaves, &array.shape, &|row| match array.shape[..] {
        [] => number(&row[0]),
        _ => list_of(row.iter().map(number)),
    })
}

/// A list of this shape; `row` writes the numbers that stand side by side.
pub(super) fn nested_list(
    leaves: &[Rc<Node>],
    shape: &[usize],
    row: &impl Fn(&[Rc<Node>]) -> String,
) -> String {
    match shape {
        [count, inner @ ..] if !inner.is_empty() => {
            let rows = leaves.chunks((leaves.len() / count).max(1));
            list_of(rows.map(|leaves| nested_list(leaves, inner, row)))
        }
        _ => row(leaves),
    }
}

/// `[a, b]`
pub(super) fn list_of(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}
