//! What the derivatives of one node by its operands have in common.
//!
//! A node of a thousand operands has a thousand local derivatives. Each of them may need the product of all other
//! operands, or how many are equal: so these are found once for the node, and a derivative by all operands costs no more
//! than a few nodes for each.

use std::rc::Rc;

use super::terms::{Among, Builder};
use crate::graph::Node;
use crate::ops::{Op, algebra};

impl Builder<'_> {
    fn among<T>(
        &mut self,
        node: &Rc<Node>,
        find: impl FnOnce(&mut Builder<'_>, &mut Among) -> T,
    ) -> T {
        let mut among = self.among.remove(&node.id()).unwrap_or_default();
        let found = find(self, &mut among);
        self.among.insert(node.id(), among);
        found
    }

    /// The operation on all operands of the node but one.
    pub(crate) fn rest(&mut self, op: &'static Op, node: &Rc<Node>, position: usize) -> Rc<Node> {
        let operands = node.operands();
        self.among(node, |builder, Among { before, behind, .. }| {
            for next in &operands[before.len()..position.max(before.len())] {
                let joined = match before.last() {
                    Some(last) => {
                        algebra::simplified(builder, op, &[Rc::clone(last), Rc::clone(next)])
                    }
                    None => Rc::clone(next),
                };
                before.push(joined);
            }
            let left = operands.len() - behind.len();
            for next in operands[(position + 1).min(left)..left].iter().rev() {
                let joined = match behind.last() {
                    Some(last) => algebra::joined(builder, op, next, last),
                    None => Rc::clone(next),
                };
                behind.push(joined);
            }
            let before = position.checked_sub(1).map(|at| &before[at]);
            let behind = (operands.len() - position)
                .checked_sub(2)
                .map(|at| &behind[at]);
            match (before, behind) {
                (Some(before), Some(behind)) => algebra::joined(builder, op, before, behind),
                (Some(all), None) | (None, Some(all)) => Rc::clone(all),
                (None, None) => algebra::Terms::constant(builder, op.value(&[])),
            }
        })
    }

    /// How many operands are equal to the node.
    pub(crate) fn ties(&mut self, node: &Rc<Node>) -> Rc<Node> {
        self.among(node, |builder, among| {
            let ties = &mut among.ties;
            Rc::clone(ties.get_or_insert_with(|| algebra::ties(builder, node.operands(), node)))
        })
    }

    /// The number of the local derivative by an operand.
    pub(crate) fn local_number(&mut self, node: &Rc<Node>, position: usize) -> f64 {
        self.among(node, |_, among| {
            if among.locals.is_empty() {
                among.locals = node.locals();
            }
            among.locals[position]
        })
    }
}
