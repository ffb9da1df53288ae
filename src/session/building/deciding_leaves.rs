//! Whether the number of a leaf decides what is built: as a position, as an end of a range, or read by `.data`. At
//! another number other nodes are built then, which neither a plan nor an exported program shows.
//!
//! A command that builds something once for many numbers of a leaf asks here. The machine notes what it reads.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::values::Value;

/// The leaves of which somebody wants to know it, and the place among them of one whose number decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLeaves {
    leaves: Vec<NodeId>,
    deciding: Option<usize>,
}

/// The nodes whose numbers were read while something was built.
#[derive(Default)]
pub(super) struct ReadNodes {
    nodes: Vec<Rc<Node>>,
    /// The arguments for which placeholders stand.
    arguments: FxHashMap<NodeId, Rc<Node>>,
}

impl ReadNodes {
    pub(super) fn note(&mut self, values: &[Value]) {
        let nodes = values.iter().flat_map(Value::nodes);
        self.nodes
            .extend(nodes.filter(|node| node.varies()).cloned());
    }

    pub(super) fn note_stand_ins(&mut self, stand_ins: &[Value], arguments: &[Value]) {
        let arguments = arguments.iter().flat_map(Value::nodes).cloned();
        let stand_ins = stand_ins.iter().flat_map(Value::nodes).map(|it| it.id());
        self.arguments.extend(stand_ins.zip(arguments));
    }
}

impl Session {
    /// Builds something, and tells the place of a leaf whose number decided what was built.
    pub fn watch_leaves<T>(
        &mut self,
        leaves: &[&Rc<Node>],
        build: impl FnOnce(&mut Session) -> T,
    ) -> (T, Option<usize>) {
        let watched = WatchedLeaves {
            leaves: leaves.iter().map(|leaf| leaf.id()).collect(),
            deciding: None,
        };
        let before = std::mem::replace(&mut self.recent.watched, watched);
        let built = build(self);
        let watched = std::mem::replace(&mut self.recent.watched, before);
        (built, watched.deciding)
    }

    pub(super) fn watches_leaves(&self) -> bool {
        !self.recent.watched.leaves.is_empty()
    }

    /// Notes the first watched leaf on which one of these nodes depends.
    pub(super) fn note_deciding(&mut self, read: ReadNodes) {
        let ReadNodes {
            mut nodes,
            arguments,
        } = read;
        let watched = &mut self.recent.watched;
        let oldest = watched.leaves.iter().min().copied().unwrap_or_default();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(node) = nodes.pop() {
            if node.id() < oldest || !seen.insert(node.id()) {
                continue;
            }
            if let Some(place) = watched.leaves.iter().position(|id| *id == node.id()) {
                watched.deciding = Some(place);
                return;
            }
            nodes.extend(arguments.get(&node.id()).cloned());
            nodes.extend(node.operands().iter().cloned());
        }
    }
}
