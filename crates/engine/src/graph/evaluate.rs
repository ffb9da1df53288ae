//! Evaluates a single node: its value and its local derivatives, from the data of its operands.
//!
//! Each small number of operands has its own match arm, which avoids collecting the operands' data in a list.

use std::rc::Rc;

use super::node::Node;
use crate::ops::Op;

impl Node {
    /// The local derivatives by all operands, left to right. Parts that they share are computed once.
    pub fn locals(&self) -> Vec<f64> {
        let locals = |op: &Op| op.locals(&values(self.operands()), self.data());
        self.op().map_or_else(Vec::new, locals)
    }

    /// Visits each operand that varies, left to right, with its position and the local derivative by it.
    #[inline]
    pub fn each_local(&self, visit: impl FnMut(usize, &Rc<Node>, f64)) {
        if let Some(op) = self.op() {
            let (data, varies) = (|it: &Rc<Node>| it.data(), |it: &Rc<Node>| it.varies());
            op.each_local(self.operands(), self.data(), data, varies, visit);
        }
    }

    /// The node's value from the current data of its operands. Leaves and constants without operands keep their data.
    pub(super) fn compute(&self) -> f64 {
        let value = |op: &Op| value(op, self.operands());
        self.op().map_or_else(|| self.data(), value)
    }
}

/// The data of some nodes.
pub fn values(nodes: &[Rc<Node>]) -> Vec<f64> {
    nodes.iter().map(|node| node.data()).collect()
}

/// The value of an operation on these nodes.
#[inline]
pub(super) fn value(op: &Op, operands: &[Rc<Node>]) -> f64 {
    match operands {
        [x] => op.value(&[x.data()]),
        [x, y] => op.value(&[x.data(), y.data()]),
        [x, y, z] => op.value(&[x.data(), y.data(), z.data()]),
        _ => op.value(&values(operands)),
    }
}
