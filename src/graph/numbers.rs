//! Evaluates a single node: its value and its local derivatives, from the data of its operands.
//!
//! Small numbers of operands have an arm each, which avoids collecting the operands' data in a list.

use std::rc::Rc;

use super::node::{Node, Origin};
use crate::ops::{Op, Rule};

impl Node {
    /// The local derivative with respect to the operand at `position`, at the current data.
    pub fn local(&self, position: usize) -> f64 {
        let Some(op) = self.op() else { return 0.0 };
        let out = self.data();
        match self.operands() {
            [x] => op.local(&[x.data()], position, out),
            [x, y] => op.local(&[x.data(), y.data()], position, out),
            [x, y, z] => op.local(&[x.data(), y.data(), z.data()], position, out),
            operands => op.local(&values(operands), position, out),
        }
    }

    /// The local derivatives by all operands, left to right. What they share is computed once.
    pub fn locals(&self) -> Vec<f64> {
        let locals = |op: &Op| op.locals(&values(self.operands()), self.data());
        self.op().map_or_else(Vec::new, locals)
    }

    /// Tells the local derivative by each operand that varies, left to right, with its position.
    #[inline]
    pub(crate) fn each_local(&self, mut tell: impl FnMut(usize, &Rc<Node>, f64)) {
        let out = self.data();
        match &self.origin {
            Origin::Leaf { .. } | Origin::Literal { .. } | Origin::Named(_) => {}
            Origin::Unary { op, operands, .. } if matches!(op.rule, Rule::Unary { .. }) => {
                let [x] = operands;
                if let Rule::Unary { dx, .. } = &op.rule {
                    tell(0, x, (dx.number)(x.data(), out));
                }
            }
            Origin::Binary { op, operands, .. } if matches!(op.rule, Rule::Binary { .. }) => {
                let [x, y] = operands;
                let at = (x.data(), y.data());
                if let Rule::Binary { dx, dy, .. } = &op.rule {
                    if x.varies() {
                        tell(0, x, (dx.number)(at.0, at.1, out));
                    }
                    if y.varies() {
                        tell(1, y, (dy.number)(at.0, at.1, out));
                    }
                }
            }
            Origin::Many { op, operands, .. } if op.adds() => {
                let varying = operands.iter().enumerate().filter(|(_, it)| it.varies());
                varying.for_each(|(position, operand)| tell(position, operand, 1.0));
            }
            _ => {
                let locals = self.locals();
                let operands = self.operands().iter().zip(locals).enumerate();
                for (position, (operand, local)) in
                    operands.filter(|(_, (below, _))| below.varies())
                {
                    tell(position, operand, local);
                }
            }
        }
    }

    /// The node's value from the current data of its operands; leaves and constants without operands keep theirs.
    pub(super) fn compute(&self) -> f64 {
        match &self.origin {
            Origin::Leaf { .. } | Origin::Literal { .. } | Origin::Named(_) => self.data(),
            Origin::Unary {
                op, operands: [x], ..
            } => apply_1(op, x.data()),
            Origin::Binary {
                op,
                operands: [x, y],
                ..
            } => apply_2(op, x.data(), y.data()),
            Origin::Many { op, operands, .. } => apply_many(op, operands),
        }
    }
}

/// The data of some nodes.
pub fn values(nodes: &[Rc<Node>]) -> Vec<f64> {
    nodes.iter().map(|node| node.data()).collect()
}

pub(super) fn apply_1(op: &Op, x: f64) -> f64 {
    if let Rule::Unary { value, .. } = op.rule {
        value(x)
    } else {
        op.value(&[x])
    }
}

pub(super) fn apply_2(op: &Op, x: f64, y: f64) -> f64 {
    if let Rule::Binary { value, .. } = op.rule {
        value(x, y)
    } else {
        op.value(&[x, y])
    }
}

pub(super) fn apply_many(op: &Op, operands: &[Rc<Node>]) -> f64 {
    if let [x, y, z] = operands {
        return op.value(&[x.data(), y.data(), z.data()]);
    }
    op.value(&values(operands))
}
