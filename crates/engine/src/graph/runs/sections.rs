//! Defines the sections of a graph, which are groups of neighbours that one loop computes.
//!
//! `mod.rs` decides to which section a node belongs. `execute.rs` executes the sections, and relies on the invariants in
//! the comments here.

use std::ops::Range;

use super::FlatGraph;
use crate::ops::{Op, Run, Stride};

/// The number of runs that are summed in parallel; see [`Section::Parallel`].
pub(super) const PARALLEL_RUNS: usize = 4;

/// A section of the order. [`Section::Run`] and [`Section::Many`] would be enough; the other kinds are shortcuts, and their
/// comments say how much longer the passes of a bench take without them.
#[derive(Clone, Debug)]
pub(super) enum Section {
    /// Nodes of one or two operands, computed one by one: a range of `Sections::singles`. Without this kind, a chain takes
    /// 3.4 times as long.
    Singles(Range<usize>),
    /// Neighbours with an operation of one or two operands.
    Run(OpRun),
    /// Runs of equal length that do not contribute to each other. All nodes of a run share an operand, which differs from
    /// run to run. The additions to one operand have to wait for each other, but those to several can overlap in the
    /// processor. Without this kind, micrograd's demo takes 1.2 times as long.
    Parallel(Box<[OpRun; PARALLEL_RUNS]>),
    /// Neighbours with an operation of more operands.
    Many(OpRun),
    /// Sums of many operands in step: each operand of a sum is one slot after that of the sum before, and no slot is an
    /// operand twice. So the first operands of all sums form a row of slots, the second ones another, and so on, and whole
    /// rows are added. Without this kind, the demo with sums takes twice as long.
    Sums {
        slots: Range<u32>,
        /// How contributions reach the rows.
        rows: RowGrads,
    },
}

/// Neighbours with the same operation. `mod.rs` begins with a whole block, whose nodes may depend on each other, and cuts
/// it into runs: no node of a [`Section::Run`] is an operand of another. The loops take a [`Run`].
#[derive(Clone, Copy, Debug)]
pub(super) struct OpRun {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) arity: u32,
    pub(super) op: &'static Op,
    pub(super) stride: Stride,
    /// How contributions reach the left operands, and how the right ones.
    pub(super) sides: [Side; 2],
}

/// How contributions reach the operands on one side of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// There are no contributions: the operands are constants, or the operation has none on this side.
    Constant,
    /// They are added, node by node, to grads in any slots.
    Anywhere,
    /// They are all added to the grad in this slot.
    Shared(u32),
    /// They reach the grads in consecutive slots, from this slot on.
    Row(u32, RowGrads),
}

/// How contributions reach the grads in consecutive slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowGrads {
    /// They are added.
    Added,
    /// They overwrite the grads, because no other contribution comes before. Without this kind, micrograd's demo takes 1.2
    /// times as long.
    Stored,
}

/// An operand that all nodes of a run share.
#[derive(Clone, Copy)]
pub(super) struct SharedOperand {
    /// 0 if it is the left operand, 1 if it is the right one.
    pub(super) side: usize,
    pub(super) slot: u32,
}

impl OpRun {
    pub(super) fn end(self) -> u32 {
        self.first + self.count
    }

    /// The nodes of this run in the slots from `first` to `end`.
    pub(super) fn between(mut self, first: u32, end: u32) -> OpRun {
        (self.first, self.count) = (first, end - first);
        self
    }

    /// The varying operand that all nodes share, if there is one.
    pub(super) fn shared_operand(self) -> Option<SharedOperand> {
        match self.sides {
            [Side::Shared(slot), _] => Some(SharedOperand { side: 0, slot }),
            [_, Side::Shared(slot)] => Some(SharedOperand { side: 1, slot }),
            _ => None,
        }
    }

    /// Some of the nodes as a run for the loops. `nodes` are their indices in this run.
    #[inline]
    pub(super) fn part(self, graph: &FlatGraph, nodes: Range<usize>) -> Run<'_> {
        let first = self.first + nodes.start as u32;
        Run {
            first: first as usize,
            count: nodes.len(),
            operands: graph.operands_of(first..self.first + nodes.end as u32),
            stride: self.stride,
            needed: self.sides.map(|side| side != Side::Constant),
        }
    }
}
