//! Makes leaves of the numbers that a name is bound to.

use std::rc::Rc;

use crate::environment::Environment;
use crate::program::Program;
use crate::values::{Value, is_truth};
use chainrule_engine::graph::{NodeId, Order, Spelling};
use chainrule_report::{Note, say};

/// The binding of a name to a value whose constants become leaves.
pub struct LeafBinding<'n> {
    /// Whether all numbers become frozen leaves.
    pub is_frozen: bool,
    /// The name, as typed.
    pub name: &'n str,
    /// The newest node before the expression of the value.
    pub newest_before: NodeId,
}

impl LeafBinding<'_> {
    /// Makes leaves of the numbers of a value that depend on no leaf.
    pub fn leaves(
        &self,
        session: &mut dyn Environment,
        mut value: Value,
        notes: &mut Vec<Note>,
    ) -> Value {
        let mut varies = value.nodes().iter().any(|node| node.varies());
        if self.is_frozen && varies {
            notes.extend(self.constant_note(session, &value));
            let graph = &mut session.program_mut().graph;
            value = value.map_nodes(|node| graph.constant(node.data(), Spelling::Plain));
            varies = false;
        }
        if value.nodes().iter().all(|node| node.varies()) {
            return value.into_owned();
        }
        let program = session.program_mut();
        if !varies && program.guards.last.is_none() {
            // Nothing holds the nodes of the expression any more. The leaves take over their ids.
            program.rewind(self.newest_before);
        }
        let leaves = program.leaves_of_constants(value, self.is_frozen);
        // The leaves were made of the constants of the last value, and get its guards.
        if let Some(decided) = program.guards.last.take() {
            let new_leaves = leaves.nodes().iter().filter(|node| node.is_leaf());
            program.add_guarded(new_leaves.map(Rc::downgrade).collect(), decided);
        }
        leaves
    }

    /// The note that a `const` takes numbers as they are now, if they may change.
    fn constant_note(&self, session: &dyn Environment, value: &Value) -> Option<Note> {
        let below = Order::below(value.nodes());
        let is_uncertain = below.nodes().iter().any(|node| session.is_uncertain(node));
        let can_change = is_uncertain || below.nodes().iter().any(|node| node.is_free());
        let without = if is_uncertain {
            ", without their ±"
        } else {
            ""
        };
        can_change.then(|| {
            Note::new(say!(
                "the numbers are taken as they are now{}; {:typed} without `const` keeps the expression",
                without,
                format!("{} = …", self.name)
            ))
        })
    }
}

impl Program {
    /// Makes leaves of the numbers of a value that depend on no leaf.
    pub fn leaves_of_constants(&mut self, value: Value, is_frozen: bool) -> Value {
        if value.nodes().iter().all(|node| node.varies()) {
            return value;
        }
        let graph = &mut self.graph;
        value.map_nodes(|node| {
            if node.varies() {
                Rc::clone(node)
            } else {
                graph.leaf_of(node.data(), is_frozen, is_truth(node))
            }
        })
    }
}
