//! Long lists among nodes: which of the nodes are items of one list and are shown together.
//!
//! A table of 337 weights or a picture of them says less than `W1   16 × 2   -0.98 … 0.97`. Nodes belong together if
//! their names say so, or if they have no names and were made item by item from such lists: `1 - y*score`. All of this
//! is linear in the number of nodes and their operands.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::list_labels::made_by_item;
use super::names::{Names, Owner};
use crate::graph::{Node, NodeId};
use crate::ops::Rule;
use crate::stop;

/// A list of at most so many items is shown item by item.
pub const FEW_ITEMS: usize = 8;

/// Items of one list that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The list: `W1`, `w@1`, or what its items are made of, `1 - y*score`.
    pub label: String,
    /// Whether the label is the name or the former name of a list.
    pub named: bool,
    /// How the list is built, and how many of its items there are if not all: `16 × 2`, `20 of 16 × 2`.
    pub shape: String,
    /// The indices of the items among the nodes, in ascending order; there are more than [`FEW_ITEMS`].
    pub places: Vec<usize>,
}

/// The long lists among these nodes, each node in at most one, ordered by their first nodes.
pub fn folds(names: &Names, nodes: &[Rc<Node>]) -> Vec<Fold> {
    let mut owned: FxHashMap<Owner, Vec<usize>> = FxHashMap::default();
    for (place, node) in stop::asking(nodes.iter().enumerate()) {
        if let Some(owner) = names.owner(node)
            && names.labels.of(node).is_none()
        {
            owned.entry(owner).or_default().push(place);
        }
    }
    let long = owned.into_iter().filter(|(_, places)| places.len() > FEW_ITEMS);
    let mut folds: Vec<Fold> = long
        .filter_map(|(owner, places)| {
            let (label, shape) = names.owned_by(owner)?;
            let (whole, here) = (shape.to_short(), places.len());
            let shape = if here == shape.size() {
                whole
            } else {
                format!("{here} of {whole}")
            };
            Some(Fold {
                label,
                named: true,
                shape,
                places,
            })
        })
        .collect();
    folds.sort_unstable_by_key(|fold| fold.places[0]);
    unnamed(names, nodes, &mut folds);
    folds.sort_unstable_by_key(|fold| fold.places[0]);
    folds
}

/// Adds the nodes without names that were made item by item: the operands of a `sum`, and what long lists are made of.
fn unnamed(names: &Names, nodes: &[Rc<Node>], folds: &mut Vec<Fold>) {
    let is_long = |node: &&Rc<Node>| {
        let many = node.op().is_some_and(|op| matches!(op.rule, Rule::Many { .. }));
        many && node.operands().len() > FEW_ITEMS
    };
    let mut columns: Vec<Vec<Rc<Node>>> = nodes
        .iter()
        .filter(is_long)
        .map(|node| node.operands().to_vec())
        .collect();
    for fold in folds.iter() {
        let items: Vec<&Rc<Node>> = fold.places.iter().map(|&place| &nodes[place]).collect();
        let count = items[0].operands().len();
        let alike = |node: &&Rc<Node>| {
            node.operands().len() == count && node.op().map(|op| op.name) == items[0].op().map(|op| op.name)
        };
        if count <= FEW_ITEMS && items.iter().all(alike) {
            let column = |at| items.iter().map(|node| Rc::clone(&node.operands()[at])).collect();
            columns.extend((0..count).map(column));
        }
    }
    if columns.is_empty() {
        return;
    }
    let ids = nodes.iter().zip(0..);
    let places: FxHashMap<NodeId, usize> = ids.map(|(node, place)| (node.id(), place)).collect();
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    taken.extend(folds.iter().flat_map(|fold| &fold.places));
    for column in stop::asking(columns.iter()) {
        for (label, items) in made_by_item(names, column) {
            let place = |node: &Rc<Node>| places.get(&node.id()).copied();
            let mut places: Vec<usize> = items.iter().filter_map(place).collect();
            places.sort_unstable();
            places.dedup();
            places.retain(|place| !taken.contains(place));
            if places.len() > FEW_ITEMS {
                taken.extend(&places);
                folds.push(Fold {
                    label,
                    named: false,
                    shape: places.len().to_string(),
                    places,
                });
            }
        }
    }
}
