//! The sections of a graph, and how a pass goes through each.
//!
//! `mod.rs` decides to which section a node belongs. `execute.rs` executes the sections and relies on the promises here.

use crate::ops::{Op, Run, Stride, TABLE};

/// The number of runs that are summed at the same time; see [`Section::Parallel`].
pub(super) const PARALLEL_RUNS: usize = 4;

/// A section of the order. All kinds but [`Section::Run`] and [`Section::Many`] are shortcuts. Their comments say how much
/// longer the passes of a bench take without them.
#[derive(Clone, Debug)]
pub(super) enum Section {
    /// Nodes of one or two operands one by one: a range of `Sections::singles`. Without it a chain takes 3.4 times as long.
    Singles {
        /// The first single.
        from: u32,
        /// The end, after the last single.
        to: u32,
    },
    /// Neighbours with an operation of one or two operands.
    Run(OpRun),
    /// Runs of equal length that do not contribute to each other. All nodes of a run share an operand, which differs from
    /// run to run. The additions to one operand have to wait for each other, but those to several can overlap in the
    /// processor. Without it micrograd's demo takes 1.2 times as long.
    Parallel(Box<[OpRun; PARALLEL_RUNS]>),
    /// Neighbours with an operation of more operands.
    Many(OpRun),
    /// Sums of many operands that advance in step: each operand of a node is one slot after that of the node before, and no
    /// slot is an operand twice. The first operands of all sums form a row, the second ones another, and so on; rows are
    /// added whole. Without it the demo with sums takes twice as long.
    Sums {
        /// The first sum.
        first: u32,
        /// The number of sums.
        count: u32,
        /// How contributions reach the rows.
        rows: RowGrads,
    },
}

/// Neighbours with one operation. `mod.rs` begins with a whole block, whose nodes may depend on each other, and cuts it: no
/// node of a [`Section::Run`] is an operand of another. [`Run`] is the form that loops take.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpRun {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) arity: u32,
    /// The row of the operation in the table.
    pub(super) row: u8,
    pub(super) stride: Stride,
    /// How contributions reach the left operands, and how the right ones.
    pub(super) sides: [Side; 2],
}

/// How contributions reach the operands on one side of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Not at all: the operands are constants, or there are none.
    Constant,
    /// They are added, node by node, to grads in any slots.
    Anywhere,
    /// They are all added to the grad in this slot.
    Shared(u32),
    /// They reach the row of grads that begins at this slot.
    Row(u32, RowGrads),
}

/// How contributions reach a row of grads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowGrads {
    /// They are added.
    Added,
    /// They overwrite the grads, because no other contribution comes before. Without it micrograd's demo takes 1.2 times as
    /// long.
    Stored,
}

impl OpRun {
    pub(super) fn end(self) -> u32 {
        self.first + self.count
    }

    pub(super) fn op(self) -> &'static Op {
        &TABLE[usize::from(self.row)]
    }

    /// The side on which all nodes share an operand that varies, and the slot of that operand.
    pub(super) fn shared_operand(self) -> Option<(usize, u32)> {
        match self.sides {
            [Side::Shared(slot), _] => Some((0, slot)),
            [_, Side::Shared(slot)] => Some((1, slot)),
            _ => None,
        }
    }

    /// The `count` nodes of the run that begin at `offset`.
    #[inline]
    pub(super) fn part(self, offset: usize, operands: &[u32], count: usize) -> Run<'_> {
        Run {
            first: self.first as usize + offset,
            count,
            operands,
            stride: self.stride,
            needed: self.sides.map(|side| side != Side::Constant),
        }
    }
}
