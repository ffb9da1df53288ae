//! Finds the nodes in a table or a picture that are items of one long list and are shown together.
//!
//! A table of 337 weights or a picture of them says less than `W1   16 × 2   -0.98 … 0.97`. Nodes belong together if
//! their names are items of one list. Nodes without names belong together if they were made in the same way from items
//! of such lists: `1 - y*score`. The time is linear in the number of nodes and their operands.

use std::hash::BuildHasher as _;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::items::{FEW_ITEMS, name};
use super::texts::label;
use crate::naming::{NameId, Names, NodeName};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_stop as stop;

/// Items of one list that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The list, `W1` or `w@1`, or the expression of its items, `1 - y*score`.
    pub label: String,
    /// Whether the label is the name or the former name of a list.
    pub has_name: bool,
    /// The shape of the list, and the number of its items if some are missing: `16 × 2`, `20 of 16 × 2`.
    pub shape: String,
    /// The indices of the items among the nodes, in ascending order.
    pub places: Vec<usize>,
}

/// The long lists among these nodes, each node in at most one, ordered by their first nodes.
pub fn folds(names: &Names, nodes: &[Rc<Node>]) -> Vec<Fold> {
    folds_above(FEW_ITEMS, names, nodes)
}

/// The lists of more than `few` items among these nodes, likewise.
pub fn folds_above(few: usize, names: &Names, nodes: &[Rc<Node>]) -> Vec<Fold> {
    // Most large graphs have no lists. Then nothing is computed for their nodes.
    if nodes.len() <= few || !names.has_lists() {
        return Vec::new();
    }
    let recipes = recipes(few, names, nodes);
    let mut alike: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (place, node) in stop::with_checks(nodes.iter().enumerate()) {
        let recipe = recipes[&node.id()];
        if recipe.has_list && names.labels.of(node).is_none() {
            alike.entry(recipe.hash).or_default().push(place);
        }
    }
    alike.retain(|_, places| places.len() > few);
    let all = alike.into_values();
    let mut folds: Vec<Fold> = all.map(|places| fold(few, names, nodes, places)).collect();
    folds.sort_unstable_by_key(|it| it.places[0]);
    folds
}

/// Folds the nodes at these places.
fn fold(few: usize, names: &Names, nodes: &[Rc<Node>], places: Vec<usize>) -> Fold {
    let (count, first) = (places.len(), &nodes[places[0]]);
    let list = long_list(few, names, first);
    let (label, shape) = match list {
        None => (without_indices(&label(names, first)), count.to_string()),
        Some(list) => {
            let whole = list.shape.to_short();
            let part = (count != list.shape.size()).then(|| format!("{count} of {whole}"));
            let name = names.name_without_place(list);
            (name.into_owned(), part.unwrap_or(whole))
        }
    };
    Fold {
        label,
        has_name: list.is_some(),
        shape,
        places,
    }
}

/// A label in which lists stand for their items: `W*x` for `W[1][2]*x[3]`.
fn without_indices(label: &str) -> String {
    let mut shorter = String::new();
    let mut is_index = false;
    for sign in label.chars() {
        // The bracket of a list that is written out, `[a, b]`, follows no name.
        is_index |= sign == '[' && shorter.ends_with(|before: char| before.is_alphanumeric());
        if !is_index {
            shorter.push(sign);
        }
        is_index &= sign != ']';
    }
    shorter
}

/// The way in which a node is made.
#[derive(Hash)]
enum Recipe {
    /// An item of a long list. All items count as the same.
    Item(NameId, u32),
    /// An operation, with the hashes of the recipes of its operands.
    Operation(&'static str, Vec<u64>),
    /// The bits of a literal. Each `1 - y[k]` has a node of its own for the 1.
    Literal(u64),
    /// Any other node. It is like no other.
    Other(NodeId),
}

/// The hash of a recipe. If two hashes ever coincide, rows of a table are shown as one.
#[derive(Clone, Copy)]
struct HashedRecipe {
    hash: u64,
    /// Whether items of a long list are part of it.
    has_list: bool,
}

/// The recipes of these nodes and of all nodes below them.
fn recipes(few: usize, names: &Names, nodes: &[Rc<Node>]) -> FxHashMap<NodeId, HashedRecipe> {
    let mut known: FxHashMap<NodeId, HashedRecipe> = FxHashMap::default();
    for node in stop::with_checks(reachable(nodes, 0).iter()) {
        let operands = node.operands().iter().map(|it| known[&it.id()]);
        let mut has_list = false;
        let recipe = match (long_list(few, names, node), node.op()) {
            (Some(list), _) => {
                has_list = true;
                Recipe::Item(list.name, list.loss)
            }
            (None, Some(op)) if name(names, node).is_none() => {
                has_list = operands.clone().any(|it| it.has_list);
                Recipe::Operation(op.name, operands.map(|it| it.hash).collect())
            }
            _ if node.spelling().is_some() => Recipe::Literal(node.data().to_bits()),
            _ => Recipe::Other(node.id()),
        };
        let hash = FxBuildHasher.hash_one(recipe);
        known.insert(node.id(), HashedRecipe { hash, has_list });
    }
    known
}

/// The name of a node that is an item of a long list.
fn long_list<'n>(few: usize, names: &'n Names, node: &Node) -> Option<NodeName<'n>> {
    let naming = names.list_name_of(node)?;
    (naming.shape.size() > few).then_some(naming)
}

impl Names {
    /// Whether any name stands for a list, or has stood for one.
    fn has_lists(&self) -> bool {
        let is_named = self.bound_values().any(|(_, value)| value.node().is_none());
        is_named || self.formers.has_lists()
    }
}
