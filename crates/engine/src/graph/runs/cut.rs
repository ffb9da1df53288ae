//! Cuts a block of nodes with the same operation into runs that one loop can execute.
//!
//! No node of a run is an operand of another. Neighbours are in step if the operands on at least one side advance by one
//! slot from node to node, and those on the other side by one or not at all. At least six such neighbours are a run of
//! their own with that [`Stride`], so that loops can read the operands like slices.

use std::ops::Range;

use super::sections::OpRun;
use crate::ops::Stride;

/// The least number of neighbours in step that are worth a run of their own.
const IN_STEP: usize = 6;

/// Cuts a block into pieces in which no node is an operand of another, and the pieces into runs. Calls `put` with each run.
pub(super) fn cut_block(
    block: OpRun,
    operands: &[u32],
    varying: usize,
    put: &mut impl FnMut(OpRun),
) {
    let arity = block.arity as usize;
    let end = block.first + block.count;
    let piece = |from: u32, to: u32| OpRun {
        first: from,
        count: to - from,
        ..block
    };
    let mut first = block.first;
    // The operands of the piece begin here.
    let mut at = 0;
    // The operand in the lowest slot. Operands come after their users, so it is reached first.
    let mut nearest = u32::MAX;
    for (slot, slots_below) in (block.first..).zip(operands.chunks_exact(arity)) {
        if nearest == slot {
            let finished = piece(first, slot);
            cut_piece(finished, &operands[at..], varying, put);
            at += finished.count as usize * arity;
            first = slot;
            nearest = u32::MAX;
        }
        nearest = slots_below
            .iter()
            .fold(nearest, |near, &below| near.min(below));
    }
    cut_piece(piece(first, end), &operands[at..], varying, put);
}

/// Cuts a piece into runs: at least [`IN_STEP`] neighbours in step form a run of their own, and the others form scattered
/// runs.
fn cut_piece(piece: OpRun, operands: &[u32], varying: usize, put: &mut impl FnMut(OpRun)) {
    let arity = piece.arity as usize;
    let count = piece.count as usize;
    let part = |from: usize, to: usize, stride| OpRun {
        first: piece.first + from as u32,
        count: (to - from) as u32,
        stride,
        ..piece
    };
    let (mut at, mut scattered) = (0, 0);
    while arity <= 2 && at + IN_STEP <= count {
        let rest = &operands[at * arity..count * arity];
        let (stride, length) = in_step(rest, arity);
        if length >= IN_STEP && sides_are_separate(rest, arity, stride, varying, length) {
            if scattered < at {
                put(part(scattered, at, Stride::Scattered));
            }
            put(part(at, at + length, stride));
            scattered = at + length;
        }
        // The last node before a change of step may be in step with those after it.
        at += if length >= IN_STEP {
            length
        } else {
            length.max(2) - 1
        };
    }
    if scattered < count {
        put(part(scattered, count, Stride::Scattered));
    }
}

/// The number of sums, from the first on, that are in step: their operands each advance by one slot, overlap with no other
/// operand's row, and are all constant or all varying.
pub(super) fn sums_in_step(operands: &[u32], arity: usize, varying: usize) -> usize {
    let first = &operands[..arity];
    let mut starts = first.to_vec();
    starts.sort_unstable();
    // A row ends where the next one begins, and where constants begin.
    let gaps = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
    let borders = starts.iter().filter_map(|&start| {
        let left = varying.checked_sub(start as usize);
        left.filter(|&left| left > 0)
    });
    let most = gaps.chain(borders).min().unwrap_or(usize::MAX);
    let is_in_step = |place: usize, slots: &[u32]| {
        let mut pairs = slots.iter().zip(first);
        pairs.all(|(slot, start)| *slot as usize == *start as usize + place)
    };
    let sums = operands.chunks_exact(arity).enumerate().take(most);
    sums.take_while(|(place, slots)| is_in_step(*place, slots))
        .count()
}

/// The stride of the first two nodes, and the number of nodes from the first on that advance with it.
fn in_step(operands: &[u32], arity: usize) -> (Stride, usize) {
    let (first, second) = (&operands[..arity], &operands[arity..2 * arity]);
    let advance_of = |side: usize| second[side].wrapping_sub(first[side]);
    let stride = match [advance_of(0), advance_of(arity - 1)] {
        [1, 1] => Stride::Both,
        [1, 0] => Stride::Left,
        [0, 1] => Stride::Right,
        _ => return (Stride::Scattered, 1),
    };
    let advances = stride.rows().map(u32::from);
    let is_in_step = |place: u32, slots: &[u32]| {
        let mut sides = slots.iter().zip(first).zip(advances);
        sides.all(|((slot, start), advance)| *slot == start + place * advance)
    };
    let nodes = (0..).zip(operands.chunks_exact(arity));
    let length = nodes
        .take_while(|(place, slots)| is_in_step(*place, slots))
        .count();
    (stride, length)
}

/// Whether each side can be treated as a slice or as one slot. Each side must be all constant or all varying, and no grad
/// may get contributions from both sides, unless they come from the same node: sides are added one after the other, so the
/// sequence of additions would change.
fn sides_are_separate(
    operands: &[u32],
    arity: usize,
    stride: Stride,
    varying: usize,
    length: usize,
) -> bool {
    let slots = |side: usize, count: usize| {
        let start = operands[side] as usize;
        start..start + count
    };
    let x = slots(0, if stride == Stride::Right { 1 } else { length });
    let y = slots(arity - 1, if stride == Stride::Left { 1 } else { length });
    let is_uniform = |side: &Range<usize>| side.end <= varying || side.start >= varying;
    let are_apart = x == y || x.end <= y.start || y.end <= x.start;
    is_uniform(&x) && is_uniform(&y) && are_apart
}
