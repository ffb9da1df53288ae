//! Evaluates a single node: computes its value and its local derivatives from the data of its operands.

use std::rc::Rc;

use super::node::Node;
use crate::ops::Op;

impl Node {
    /// The local derivatives by all operands, left to right. A leaf or literal has none.
    pub fn locals(&self) -> Vec<f64> {
        match self.op() {
            Some(op) => op.locals(&values(self.operands()), self.data()),
            None => Vec::new(),
        }
    }

    /// Visits each operand that varies, left to right, with its position and the local derivative by it.
    #[inline]
    pub fn each_local(&self, visit: impl FnMut(usize, &Rc<Node>, f64)) {
        if let Some(op) = self.op() {
            let data_of = |operand: &Rc<Node>| operand.data();
            let varies = |operand: &Rc<Node>| operand.varies();
            op.each_local(self.operands(), self.data(), data_of, varies, visit);
        }
    }

    /// The node's value from the current data of its operands. Leaves and constants without operands keep their data.
    pub(super) fn compute(&self) -> f64 {
        match self.op() {
            Some(op) => value(op, self.operands()),
            None => self.data(),
        }
    }
}

/// The data of some nodes.
pub fn values(nodes: &[Rc<Node>]) -> Vec<f64> {
    nodes.iter().map(|node| node.data()).collect()
}

/// The value of an operation on these nodes. The arms for few operands avoid collecting the data in a list.
#[inline]
pub(super) fn value(op: &Op, operands: &[Rc<Node>]) -> f64 {
    match operands {
        [x] => op.value(&[x.data()]),
        [x, y] => op.value(&[x.data(), y.data()]),
        [x, y, z] => op.value(&[x.data(), y.data(), z.data()]),
        _ => op.value(&values(operands)),
    }
}
