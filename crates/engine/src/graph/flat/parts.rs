//! The data structures of a lowered graph: runs of neighbours with one operation, and single nodes.
//!
//! `cut` decides which neighbours become a run.

use crate::ops::{Op, Run, Stride, TABLE};

/// A section of the order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlanPart {
    /// A range of [`FlatGraph::singles`](super::FlatGraph).
    Singles {
        /// Where it begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// A run.
    Run(OpRun),
    /// Sums of many operands that keep step.
    Sums(SumRun),
}

/// Neighbours that add up their operands. Each operand of a node stands one slot behind that of the node before, and no
/// slot is an operand twice: so they are added up place by place, each place a row, and what a grad gets from them is
/// one contribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumRun {
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// It is the first contribution to each of the grads.
    pub(crate) written: bool,
}

/// A run as it is stored; [`Run`] is the form that the loops of an operation take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpRun {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) arity: u32,
    /// The row of the operation in the table.
    pub(crate) row: u8,
    pub(crate) stride: Stride,
    /// How contributions reach the left operands, and how the right ones.
    pub(crate) sides: [SideKind; 2],
    /// How many runs, from this one on, are summed at the same time. Each of them contributes to one shared operand, a
    /// different one for each run: the additions of one such sum have to wait for each other, but those of several sums
    /// can overlap in the processor. 1 for a run that is summed by itself.
    pub(crate) together: u8,
}

/// How contributions reach the operands on one side of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SideKind {
    /// Not at all: the operands are constants.
    Constant,
    /// They are added to the grads.
    Added,
    /// They are stored: they are the first contributions to these grads, which stand in a row.
    Written,
}

impl OpRun {
    /// How many operands its nodes have.
    pub(crate) fn listed(self) -> usize {
        self.count as usize * self.arity as usize
    }

    pub(crate) fn op(self) -> &'static Op {
        &TABLE[usize::from(self.row)]
    }

    /// The `count` nodes of the run that begin at `offset`.
    #[inline]
    pub(crate) fn part(self, offset: usize, operands: &[u32], count: usize) -> Run<'_> {
        Run {
            first: self.first as usize + offset,
            count,
            operands,
            stride: self.stride,
            asked: self.sides.map(|side| side != SideKind::Constant),
        }
    }
}
