//! Cuts a block of nodes with the same operation into runs that one loop can execute, and counts the sums that can be
//! added row by row.
//!
//! No node of a run is an operand of another node of the run. Neighbours are in step if the operands on at least one side
//! advance by one slot from node to node, and those on the other side by one slot or not at all. At least [`IN_STEP`] such
//! neighbours form a run of their own with that [`Stride`], so that loops can read the operands as slices.

use std::ops::Range;

use super::sections::OpRun;
use crate::ops::Stride;

/// The least number of neighbours in step that form a run of their own.
const IN_STEP: usize = 6;

/// Cuts a block into pieces in which no node is an operand of another, and the pieces into runs. Passes each run to
/// `add_run`.
pub(super) fn cut_block(
    block: OpRun,
    operands: &[u32],
    varying: usize,
    add_run: &mut impl FnMut(OpRun),
) {
    let arity = block.arity as usize;
    let piece = |from: u32, to: u32| OpRun {
        first: from,
        count: to - from,
        ..block
    };
    let mut first = block.first;
    let mut piece_operands = operands;
    // The lowest slot of an operand of the piece. Operands come after their users, so the loop reaches this slot first. The
    // piece ends before it.
    let mut nearest = u32::MAX;
    for (slot, slots_below) in (block.first..).zip(operands.chunks_exact(arity)) {
        if nearest == slot {
            cut_piece(piece(first, slot), piece_operands, varying, add_run);
            piece_operands = &operands[(slot - block.first) as usize * arity..];
            first = slot;
            nearest = u32::MAX;
        }
        nearest = slots_below
            .iter()
            .fold(nearest, |lowest, &below| lowest.min(below));
    }
    cut_piece(piece(first, block.end()), piece_operands, varying, add_run);
}

/// Cuts a piece into runs: at least [`IN_STEP`] neighbours in step form a run of their own, and the others form scattered
/// runs.
fn cut_piece(piece: OpRun, operands: &[u32], varying: usize, add_run: &mut impl FnMut(OpRun)) {
    let arity = piece.arity as usize;
    let count = piece.count as usize;
    let part = |from: usize, to: usize, stride| OpRun {
        first: piece.first + from as u32,
        count: (to - from) as u32,
        stride,
        ..piece
    };
    // The nodes from `scattered` to `start` are in no run yet.
    let (mut scattered, mut start) = (0, 0);
    // Nodes of more than two operands have no stride, so all of them are scattered.
    let can_have_stride = arity <= 2;
    while can_have_stride && start + IN_STEP <= count {
        let rest = &operands[start * arity..count * arity];
        let (stride, length) = stride_and_length(rest, arity);
        let is_long = length >= IN_STEP;
        let run = part(start, start + length, stride);
        if is_long && sides_are_separate(run, rest, varying) {
            if scattered < start {
                add_run(part(scattered, start, Stride::Scattered));
            }
            add_run(run);
            scattered = start + length;
        }
        // The last node before a change of stride may be in step with the nodes after it, so the search continues there.
        // It continues at least one node later, also if `length` is 1.
        start += if is_long { length } else { length.max(2) - 1 };
    }
    if scattered < count {
        add_run(part(scattered, count, Stride::Scattered));
    }
}

/// Counts the sums, from the first on, that are in step: each operand advances by one slot from sum to sum, its row of
/// slots overlaps with no other row, and the slots of a row are all constant or all varying. Returns 0 if the first sum has
/// an operand twice, because then two rows begin with the same slot.
pub(super) fn sums_in_step(operands: &[u32], arity: usize, varying: usize) -> usize {
    let first = &operands[..arity];
    let mut starts = first.to_vec();
    starts.sort_unstable();
    // A row must end before the next one begins, and before the constants begin.
    let gaps = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
    let all_starts = starts.iter().map(|&start| start as usize);
    let varying_starts = all_starts.filter(|&start| start < varying);
    let gaps_before_constants = varying_starts.map(|start| varying - start);
    let max_count = gaps
        .chain(gaps_before_constants)
        .min()
        .unwrap_or(usize::MAX);
    let is_in_step = |place: usize, slots: &[u32]| {
        let mut pairs = slots.iter().zip(first);
        pairs.all(|(slot, start)| *slot as usize == *start as usize + place)
    };
    let sums = operands.chunks_exact(arity).enumerate().take(max_count);
    let in_step = sums.take_while(|(place, slots)| is_in_step(*place, slots));
    in_step.count()
}

/// The stride of the first two nodes, and the number of nodes from the first on that advance with it.
fn stride_and_length(operands: &[u32], arity: usize) -> (Stride, usize) {
    let (first, second) = (&operands[..arity], &operands[arity..2 * arity]);
    // An operand may be in an earlier slot than that of the node before. The difference then wraps around to a number that
    // is neither 0 nor 1.
    let advance_of = |side: usize| second[side].wrapping_sub(first[side]);
    let stride = match [advance_of(0), advance_of(arity - 1)] {
        [1, 1] => Stride::Both,
        [1, 0] => Stride::Left,
        [0, 1] => Stride::Right,
        _ => return (Stride::Scattered, 1),
    };
    let advances = stride.consecutive_sides().map(u32::from);
    let is_in_step = |place: u32, slots: &[u32]| {
        let mut sides = slots.iter().zip(first).zip(advances);
        sides.all(|((slot, start), advance)| *slot == start + place * advance)
    };
    let nodes = (0..).zip(operands.chunks_exact(arity));
    let in_step = nodes.take_while(|(place, slots)| is_in_step(*place, slots));
    (stride, in_step.count())
}

/// Whether loops can treat each side of a run as a slice or as one slot. Each side must be all constant or all varying. No
/// grad may get contributions from both sides, unless they come from the same node: sides are added one after the other, so
/// the sequence of additions would change. `operands` begins with the operands of the run.
fn sides_are_separate(run: OpRun, operands: &[u32], varying: usize) -> bool {
    let slots = |side: usize, is_slice: bool| {
        let start = operands[side];
        start..start + if is_slice { run.count } else { 1 }
    };
    let [left_advances, right_advances] = run.stride.consecutive_sides();
    let lefts = slots(0, left_advances);
    let rights = slots(run.arity as usize - 1, right_advances);
    let is_uniform =
        |side: &Range<u32>| side.end as usize <= varying || side.start as usize >= varying;
    let are_apart = lefts == rights || lefts.end <= rights.start || rights.end <= lefts.start;
    is_uniform(&lefts) && is_uniform(&rights) && are_apart
}
