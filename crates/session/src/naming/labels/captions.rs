//! Makes the labels of the rows of a table, which are distinct, and gives nodes labels for tables.

use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::items::name;
use super::texts::{expression, label};
use crate::naming::Names;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_stop as stop;

/// The label and the expression in one row of a table.
#[derive(Clone, Debug)]
pub struct Caption {
    /// The label of the node. If two rows would have the same label, the newer node gets its id: `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// Whether the expression differs from the label, which is then a name, a former name or a call.
    pub has_expression: bool,
}

/// Makes the labels of one table distinct.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    /// The nodes whose label an older node already has.
    later: FxHashSet<NodeId>,
}

impl Captions {
    /// The captions of a table of these nodes.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Captions {
        let has_given_labels = !names.labels.is_empty() || names.parameters.has_living();
        let mut shown: Vec<ShownLabel> = Vec::new();
        for node in stop::with_checks(nodes) {
            let has_name = names.first_name_or_former(node).is_some();
            // No two nodes have one name, but a given label or a parameter may equal the name of another node.
            let is_unique = has_name && names.labels.of(node).is_none();
            if has_given_labels || !is_unique {
                shown.push(ShownLabel {
                    hash: FxBuildHasher.hash_one(caption(names, node).label),
                    can_have_id: !is_unique,
                    node: node.id(),
                });
            }
        }
        shown.sort_unstable();
        shown.dedup();
        let mut later = FxHashSet::default();
        for same in shown.chunk_by(|one, next| one.hash == next.hash) {
            let newer = same[1..].iter().filter(|it| it.can_have_id);
            later.extend(newer.map(|it| it.node));
        }
        Captions { later }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        self.tell_apart(node, &mut caption.label);
        caption
    }

    /// Adds the id of a node to its label, if an older node has the same label.
    pub(crate) fn tell_apart(&self, node: &Node, label: &mut String) {
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(label, " @{}", node.id());
        }
    }
}

/// The label of a row. The order of the fields is the order of sorting: among equal labels, names come first, because
/// they never get an id, and then older nodes.
///
/// A hash takes less memory than the text. If two labels ever have the same hash, one of them gets a needless id.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ShownLabel {
    hash: u64,
    can_have_id: bool,
    node: NodeId,
}

/// The caption of a node, which may equal that of another node.
fn caption(names: &Names, node: &Rc<Node>) -> Caption {
    let expression = expression(names, node);
    let given = names.labels.of(node).map(ToString::to_string);
    let label = match given.or_else(|| name(names, node)) {
        Some(text) => text,
        // Without a name and a call, the label is the expression that is written already.
        None if !expression.is_empty() && names.calls.of(node).is_none() => expression.clone(),
        None => label(names, node),
    };
    Caption {
        has_expression: label != expression,
        label,
        expression,
    }
}

/// The captions of all rows of one table.
pub fn captions<'n>(
    names: &Names,
    nodes: impl Iterator<Item = &'n Rc<Node>> + Clone,
) -> Vec<Caption> {
    let captions = Captions::of(names, nodes.clone());
    let each = stop::with_checks(nodes).map(|node| captions.caption(names, node));
    each.collect()
}
