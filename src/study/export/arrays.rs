//! Gathers leaves in arrays and writes a root with these arrays, for Python and JAX. The arrays are the user's lists.
//! Computed lists that have names are written first, so that later lines refer to them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::writer::{PROGRAM, ProgramArray, Writer};
use super::{Computation, Dialect, Refusal, bare, quote, variable_name};
use crate::session::Session;
use crate::session::values::{List, Value};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_stop as stop;

impl Writer<'_> {
    /// Writes a root, and a last line that begins with this text and ends with the root's value.
    pub(super) fn with_arrays<'s>(
        session: &'s Session,
        dialect: Dialect,
        root: &Rc<Node>,
        last_line: &str,
    ) -> Result<Writer<'s>, Refusal> {
        let mut writer = Writer::new(session, dialect);
        let named_lists = named_lists(session);
        let order = Order::below([root]);
        for mut array in leaf_arrays(session, &order, &named_lists) {
            array.text = writer.identifiers.of(&array.text);
            let leaves = array.leaves.clone();
            writer.add_array(array, &leaves);
        }
        let is_in_array = |leaf: &Node| writer.array_places.contains_key(&leaf.id());
        writer.moving = Computation::of(root, &[], is_in_array).moving;
        let moves = |node: &Rc<Node>| writer.moving.contains(&node.id());
        // Operands before users: a list is as old as its newest item.
        let all_lists = named_lists.into_iter().map(|(_, list)| list);
        let moving = all_lists.filter(|list| list.nodes().iter().all(moves));
        let mut moving_lists: Vec<&Rc<List>> = moving.collect();
        moving_lists.sort_by_cached_key(|list| list.nodes().iter().map(|node| node.id()).max());
        for list in moving_lists {
            writer.write_column(PROGRAM, vec![Value::List(Rc::clone(list))])?;
        }
        let result = writer.write_node(root)?;
        writer.write_line(PROGRAM, &format!("{last_line}{result}"))?;
        Ok(writer)
    }
}

/// Returns the lists with names that can be arrays, in the order of definition. Of several names of a list the first one
/// counts.
fn named_lists(session: &Session) -> Vec<(&str, &Rc<List>)> {
    let mut known = FxHashSet::default();
    let values = session.names().bound_values();
    let lists = values.filter_map(|(name, value)| Some((name, value.list()?)));
    lists
        .filter(|(_, list)| !list.nodes().is_empty() && list.shape().lengths().is_some())
        .filter(|(_, list)| known.insert(Rc::as_ptr(list)))
        .collect()
}

/// Returns the arrays of the leaves in an order, the oldest first: lists that have names and share no leaf, and each free
/// leaf outside of these lists. All other frozen leaves become numbers. The text of each array is its name as the user
/// wrote it.
fn leaf_arrays(
    session: &Session,
    order: &Order,
    named_lists: &[(&str, &Rc<List>)],
) -> Vec<ProgramArray> {
    let mut taken: FxHashSet<NodeId> = FxHashSet::default();
    let mut arrays = Vec::new();
    for (name, list) in stop::with_checks(named_lists.iter()) {
        if is_leaf_array(list, order, &taken) {
            taken.extend(list.nodes().iter().map(|leaf| leaf.id()));
            arrays.push(leaf_array(name, list.shape().lengths(), list.nodes()));
        }
    }
    let is_alone = |leaf: &&Rc<Node>| leaf.is_free() && !taken.contains(&leaf.id());
    for leaf in order.nodes().iter().filter(is_alone) {
        let name = variable_name(session, leaf);
        arrays.push(leaf_array(&name, None, std::slice::from_ref(leaf)));
    }
    arrays.sort_by_key(|array| array.leaves[0].id());
    arrays
}

/// Returns whether a list consists of leaves that are all free or all frozen, none of them in an earlier array, and at
/// least one of them in the order.
fn is_leaf_array(list: &List, order: &Order, taken: &FxHashSet<NodeId>) -> bool {
    let leaves = list.nodes();
    let fits_in = |node: &Rc<Node>| {
        node.is_leaf() && node.is_free() == leaves[0].is_free() && !taken.contains(&node.id())
    };
    // If each leaf is newer than the leaf before, no leaf is in the list twice.
    leaves.is_sorted_by(|one, next| one.id() < next.id())
        && leaves.iter().all(fits_in)
        && leaves.iter().any(|leaf| order.slot(leaf).is_some())
}

/// Returns an array of leaves. A single leaf has no shape.
fn leaf_array(name: &str, shape: Option<Vec<usize>>, leaves: &[Rc<Node>]) -> ProgramArray {
    ProgramArray {
        text: name.to_owned(),
        shape: shape.unwrap_or_default(),
        key: quote(name),
        leaves: leaves.to_vec(),
    }
}

/// Returns the present numbers of an array as a nested list.
pub(super) fn numbers_text(dialect: Dialect, array: &ProgramArray) -> String {
    let number = |leaf: &Rc<Node>| bare(dialect, leaf.data());
    let row = |row: &[Rc<Node>]| list_of(row.iter().map(number));
    nested_list(&array.leaves, &array.shape, &number, &row)
}

/// Returns leaves as a nested list of this shape. `row` writes the innermost lists, and `leaf` a leaf without a shape.
pub(super) fn nested_list(
    leaves: &[Rc<Node>],
    shape: &[usize],
    leaf: &impl Fn(&Rc<Node>) -> String,
    row: &impl Fn(&[Rc<Node>]) -> String,
) -> String {
    match shape {
        [] => leaf(&leaves[0]),
        [count, inner @ ..] if !inner.is_empty() => {
            // `chunks` panics at 0, which is the length of an empty row.
            let rows = leaves.chunks((leaves.len() / count).max(1));
            list_of(rows.map(|of_row| nested_list(of_row, inner, leaf, row)))
        }
        _ => row(leaves),
    }
}

/// Returns a list of these items: `[a, b]`.
pub(super) fn list_of(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}
