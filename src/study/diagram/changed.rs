//! Before and after the last change of data: what each node of a diagram was.
//!
//! The journal of changes has the former data of the leaves; what is above them is computed from it on a plan, so the
//! session stays as it is.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::on_wires::prepend;
use crate::graph::{FullGraph, Node, NodeId, Plan};
use crate::report::{Diagram, NumbersBefore, same, say};
use crate::session::Session;
use crate::session::history::Change;
use crate::session::naming::NameId;
use crate::session::values::Value;
use crate::stop;

/// The last statement that changed data in a graph, and what its leaves were before.
pub struct LastChange {
    statement: String,
    leaves: FxHashMap<NodeId, f64>,
    /// Whether no other data has changed since, so that former grads belong to it alone.
    latest: bool,
}

/// The last change of data at or below the root of a graph; none if no such change is on record, or if the root was made
/// after it.
pub fn last_change(session: &Session, root: &Rc<Node>, whole: &FullGraph) -> Option<LastChange> {
    let is_root = |value: &Value| value.nodes().iter().any(|node| Rc::ptr_eq(node, root));
    let bound = session.names().by_age();
    let mut names: FxHashSet<NameId> = bound
        .filter(|(_, value)| is_root(value))
        .map(|(name, _)| name)
        .collect();
    let is_named = !names.is_empty();
    let mut latest = true;
    for entry in session.journal().done().rev() {
        let mut leaves = FxHashMap::default();
        for change in &entry.changes {
            if let Change::Data(leaf, data) = change
                && whole.place(leaf).is_some()
            {
                // Of several changes of one leaf the first has its data before the statement.
                leaves.entry(leaf.id()).or_insert((leaf.data(), *data));
            }
        }
        leaves.retain(|_, (now, before)| !same(*now, *before));
        if !leaves.is_empty() {
            // What has a name now and had none then was made since.
            let is_older = !is_named || !names.is_empty();
            let before = |(leaf, (_, before))| (leaf, before);
            return is_older.then(|| LastChange {
                statement: entry.text.split_whitespace().collect::<Vec<_>>().join(" "),
                leaves: leaves.into_iter().map(before).collect(),
                latest,
            });
        }
        for change in entry.changes.iter().rev() {
            match change {
                Change::Data(..) => latest = false,
                Change::Name(name, Some(old)) if is_root(&old.value) => {
                    names.insert(*name);
                }
                Change::Name(name, _) => {
                    names.remove(name);
                }
                _ => {}
            }
        }
    }
    None
}

/// Enters what each node was before a change.
pub(crate) fn put_before(
    session: &Session,
    root: &Rc<Node>,
    whole: &FullGraph,
    change: &LastChange,
    diagram: &mut Diagram,
) {
    let data = plan_before(root, change);
    let passed = passed(session, root).filter(|_| change.latest);
    let grads = passed.map(|root| {
        let mut plan = plan_before(root, change);
        plan.backward();
        plan
    });
    for (vertex, node) in stop::asking(diagram.vertices.iter_mut().zip(&whole.nodes)) {
        let slot = |plan: &Plan| plan.order().position(node);
        let grad = |plan: &Plan| slot(plan).map(|slot| plan.grads()[slot]);
        vertex.before = vertex.data.map(|now| NumbersBefore {
            data: slot(&data).map_or(now, |slot| data.data()[slot]),
            grad: grads.as_ref().and_then(grad),
        });
    }
    prepend(say!("changed by {:typed}", &change.statement), diagram);
}

/// The graph below a root with its data before a change.
fn plan_before(root: &Rc<Node>, change: &LastChange) -> Plan {
    let mut plan = Plan::of(root);
    let known = |node: &Rc<Node>| change.leaves.get(&node.id()).copied();
    let leaves: Vec<Option<f64>> = plan.order().nodes().iter().map(known).collect();
    for (slot, data) in leaves.into_iter().enumerate() {
        if let Some(data) = data {
            plan.set(slot, data);
        }
    }
    plan.forward();
    plan
}

/// The root of the last pass, if the grads of the picture are all of that one pass and at the present data.
fn passed<'s>(session: &'s Session, root: &Rc<Node>) -> Option<&'s Rc<Node>> {
    let walks = session
        .walk()
        .is_some_and(|walk| Rc::ptr_eq(walk.root(), root));
    let pass = session.pass().filter(|pass| pass.roots().len() == 1)?;
    (!walks && !session.is_stale()).then(|| pass.root())
}
