//! The parts of a lowered graph: runs of neighbours with one operation, and single nodes.
//!
//! What they are; which neighbours become a run is decided in `cut`, and in what turn single nodes go in `grouped`.

use crate::ops::{Loops, Op, Run, Single, Stride, TABLE, loops_of};

/// A part of the order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlanPart {
    /// So many nodes one by one: the next of the singles.
    Singles(u32),
    /// A run: the next of the operands.
    Run(OpRun),
}

/// A node that is gone through by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleNode {
    pub(crate) single: Single,
    pub(crate) row: u8,
}

impl SingleNode {
    /// Its operation with the loops; only such nodes are gone through by themselves.
    #[inline]
    pub(crate) fn op(&self) -> Option<(&'static Op, &'static Loops)> {
        loops_of(usize::from(self.row))
    }
}

/// A run as it is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpRun {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) arity: u16,
    /// The row of the operation in the table.
    pub(crate) row: u8,
    pub(crate) stride: Stride,
    /// What happens to what is passed on to the first operands, and to the second ones.
    pub(crate) sides: [Side; 2],
    /// The runs from this one on that each pass on to one shared operand, another for each: such sums have to wait for
    /// every addition, but not for each other. 1 if it goes alone.
    pub(crate) together: u8,
}

/// What happens to what is passed on to the operands of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// All operands are constant.
    Nobody,
    /// It is added to the grads.
    Added,
    /// It is the first contribution to each of the grads, and they stand in a row.
    Written,
}

impl OpRun {
    /// How many operands are listed for it.
    pub(crate) fn listed(self) -> usize {
        self.count as usize * usize::from(self.arity)
    }

    pub(crate) fn op(self) -> &'static Op {
        &TABLE[usize::from(self.row)]
    }

    /// So many nodes of it, from the one at `offset`.
    #[inline]
    pub(crate) fn part(self, offset: usize, operands: &[u32], count: usize) -> Run<'_> {
        Run {
            first: self.first as usize + offset,
            count,
            operands,
            stride: self.stride,
            asked: self.sides.map(|side| side != Side::Nobody),
        }
    }
}
