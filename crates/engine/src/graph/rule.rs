//! The rule of a node: its row in the table of operations, or a rule of its own that the node carries.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;

use crate::ops::Op;

/// A rule that nodes carry: an equation that gives their value and their derivatives.
pub trait Carried: Any + Debug {
    /// The value.
    fn value(&self, operands: &[f64]) -> f64;

    /// The local derivatives by all operands, where the value is `out`.
    fn locals(&self, operands: &[f64], out: f64) -> Vec<f64>;
}

/// The operation of a node.
#[derive(Clone, Copy)]
pub(super) struct NodeRule<'n> {
    pub(super) op: &'static Op,
    pub(super) carried: Option<&'n Rc<dyn Carried>>,
}

impl NodeRule<'_> {
    /// The rule of a row of the table.
    pub(super) fn of(op: &'static Op) -> Self {
        let carried = None;
        NodeRule { op, carried }
    }

    /// See [`Op::value`].
    #[inline]
    pub(super) fn value(self, operands: &[f64]) -> f64 {
        match self.carried {
            None => self.op.value(operands),
            Some(carried) => carried.value(operands),
        }
    }

    /// See [`Op::locals`].
    pub(super) fn locals(self, operands: &[f64], out: f64) -> Vec<f64> {
        match self.carried {
            None => self.op.locals(operands, out),
            Some(carried) => carried.locals(operands, out),
        }
    }

    /// See [`Op::each_local`].
    #[inline]
    pub(super) fn each_local<T>(
        self,
        operands: &[T],
        out: f64,
        data: impl Fn(&T) -> f64,
        is_wanted: impl Fn(&T) -> bool,
        mut visit: impl FnMut(usize, &T, f64),
    ) {
        let Some(carried) = self.carried else {
            return self.op.each_local(operands, out, data, is_wanted, visit);
        };
        let locals = carried.locals(&operands.iter().map(data).collect::<Vec<f64>>(), out);
        for (position, (operand, local)) in operands.iter().zip(locals).enumerate() {
            if is_wanted(operand) {
                visit(position, operand, local);
            }
        }
    }
}
