//! A diagram for a page: with the data and grads of a pass of its own, and all that the page needs to go through it.
//!
//! What `:walk` would show at each stop is put down beforehand; how operations are spelled in the page's script is
//! taken from their rows. The session is looked at and stays as it is.

use std::rc::Rc;

use crate::graph::gradients;
use crate::graph::{Node, Order, Whole};
use crate::ops;
use crate::report::Diagram;
use crate::report::{Local, Operation, Part, Program};
use crate::session::Session;
use crate::session::naming::formulas::fraction;
use crate::session::study::walk::Direction;

impl Session {
    /// Everything at and below a root, and its passes.
    pub fn diagram_with_program(&self, root: &Rc<Node>, whole: &Whole) -> Diagram {
        let mut diagram = self.diagram(root, whole);
        let order = Order::below([root]);
        let grads = gradients(&order, root, |_| {});
        for (vertex, node) in diagram.vertices.iter_mut().zip(&whole.nodes) {
            vertex.data = Some(node.data());
            vertex.grad = order.position(node).map(|place| grads[place]);
            vertex.stage = None;
            // A leaf that is edited may move it: the page finds it by itself.
            vertex.first = false;
        }
        diagram.caption.clear();
        diagram.program = Some(self.program(root, whole));
        diagram
    }

    fn program(&self, root: &Rc<Node>, whole: &Whole) -> Program {
        let mut known: Vec<&'static ops::Op> = Vec::new();
        let name = self.label(root);
        let part = |node: &Rc<Node>| {
            let operation = node.op().map(|op| {
                let found = known.iter().position(|&other| other == op);
                found.unwrap_or_else(|| {
                    known.push(op);
                    known.len() - 1
                })
            });
            let local = |operand| Local {
                formula: self.local_formula(node, operand),
                number: node.local(operand),
            };
            let operands = if node.varies() {
                node.operands().len()
            } else {
                0
            };
            Part {
                operation,
                varies: node.varies(),
                fraction: fraction(&name, &self.label(node)),
                locals: (0..operands).map(local).collect(),
            }
        };
        let parts = whole.nodes.iter().map(part).collect();
        let texts = known.iter().filter_map(|op| op.script).flat_map(|script| {
            let partials = script.partials.iter().copied();
            partials.chain(std::iter::once(script.value))
        });
        let walk = self.walk().filter(|walk| Rc::ptr_eq(walk.root(), root));
        Program {
            library: ops::library(texts),
            operations: known.iter().map(|op| operation(op)).collect(),
            parts,
            forward: walk.is_some_and(|walk| walk.direction() == Direction::Forward),
            made: walk.map_or(0, crate::session::study::walk::Walk::position),
            note: self.other_pass(root),
        }
    }

    /// Why the last pass has other grads than the page, if it has.
    fn other_pass(&self, root: &Rc<Node>) -> String {
        let Some(pass) = self.pass().filter(|pass| pass.grad(root).is_some()) else {
            return String::new();
        };
        let last = if !Rc::ptr_eq(pass.root(), root) {
            format!("the last one was of {}", self.label(pass.root()))
        } else if pass.roots().len() > 1 {
            format!(
                "those of the session are the sum of {} passes",
                pass.roots().len()
            )
        } else if self.is_stale() {
            "those of the session were stale: data had changed since".to_string()
        } else {
            return String::new();
        };
        format!(
            "grads here are of one fresh pass from {}; {last}",
            self.label(root)
        )
    }
}

fn operation(op: &ops::Op) -> Operation {
    Operation {
        name: op.name,
        value: op.script.map(|script| script.value(op)),
        partials: op
            .script
            .map_or_else(Vec::new, |script| script.partials(op)),
    }
}
