//! Cuts a block of nodes with the same operation into runs that one loop can execute.
//!
//! No node of a run is an operand of another. Where at least six neighbours are in step (the operands on at least one
//! side advance by one slot, those on the other by one or not at all), they are a run of their own with that
//! [`Stride`], so that loops can read the operands like slices.

use std::ops::Range;

use super::sections::OpRun;
use crate::ops::Stride;

/// The least number of neighbours in step that is worth a run of its own.
const IN_STEP: usize = 6;

/// Cuts a block into pieces in which no node is an operand of another, and the pieces into runs.
pub(super) fn cut_block(
    block: OpRun,
    operands: &[u32],
    varying: usize,
    put: &mut impl FnMut(OpRun),
) {
    let arity = block.arity as usize;
    let end = block.first + block.count;
    let piece = |first: u32, end: u32| OpRun {
        first,
        count: end - first,
        ..block
    };
    let (mut first, mut at) = (block.first, 0);
    let mut nearest = u32::MAX;
    for (slot, listed) in (block.first..).zip(operands.chunks_exact(arity)) {
        if nearest == slot {
            let piece = piece(first, slot);
            cut_piece(piece, &operands[at..], varying, put);
            at += piece.count as usize * arity;
            first = slot;
            nearest = u32::MAX;
        }
        // Operands come after their users, so the operand in the lowest slot is reached first.
        nearest = listed.iter().fold(nearest, |near, &slot| near.min(slot));
    }
    cut_piece(piece(first, end), &operands[at..], varying, put);
}

/// Cuts a piece into runs: enough neighbours in step form a run of their own; the others form scattered runs.
fn cut_piece(piece: OpRun, operands: &[u32], varying: usize, put: &mut impl FnMut(OpRun)) {
    let arity = piece.arity as usize;
    let count = piece.count as usize;
    let mut put = |from: usize, to: usize, stride| {
        if from < to {
            put(OpRun {
                first: piece.first + from as u32,
                count: (to - from) as u32,
                stride,
                ..piece
            });
        }
    };
    let (mut at, mut scattered) = (0, 0);
    while arity <= 2 && at + IN_STEP <= count {
        let rest = &operands[at * arity..count * arity];
        let (stride, length) = in_step(rest, arity);
        if length >= IN_STEP && sides_are_separate(rest, arity, stride, varying, length) {
            put(scattered, at, Stride::Scattered);
            put(at, at + length, stride);
            scattered = at + length;
        }
        // The last node before a change of step may be in step with those after it.
        at += if length >= IN_STEP {
            length
        } else {
            length.max(2) - 1
        };
    }
    put(scattered, count, Stride::Scattered);
}

/// How many of the first sums are in step: their operands each advance by one slot, overlap with no other operand's row,
/// and are all constant or all varying.
pub(super) fn sums_in_step(operands: &[u32], arity: usize, varying: usize) -> usize {
    let first = &operands[..arity];
    let mut starts = first.to_vec();
    starts.sort_unstable();
    let gaps = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
    let borders = starts
        .iter()
        .map(|&start| match varying.checked_sub(start as usize) {
            Some(left) if left > 0 => left,
            _ => usize::MAX,
        });
    let most = gaps.chain(borders).min().unwrap_or(usize::MAX);
    let in_step = |(place, listed): &(usize, &[u32])| {
        let pairs = listed.iter().zip(first);
        *place < most
            && pairs
                .clone()
                .all(|(slot, first)| *slot as usize == *first as usize + place)
    };
    let nodes = operands.chunks_exact(arity).enumerate();
    nodes.take_while(in_step).count()
}

/// How many nodes from the first one on advance in step, and with which stride.
fn in_step(operands: &[u32], arity: usize) -> (Stride, usize) {
    let (first, second) = (&operands[..arity], &operands[arity..2 * arity]);
    let by = |side: usize| second[side].wrapping_sub(first[side]);
    let stride = match [by(0), by(arity - 1)] {
        [1, 1] => Stride::Both,
        [1, 0] => Stride::Left,
        [0, 1] => Stride::Right,
        _ => return (Stride::Scattered, 1),
    };
    let by = stride.rows().map(u32::from);
    let kept = |(place, listed): &(u32, &[u32])| {
        let mut sides = listed.iter().zip(first).zip(by);
        sides.all(|((slot, first), by)| *slot == first + place * by)
    };
    let nodes = (0..).zip(operands.chunks_exact(arity));
    (stride, nodes.take_while(kept).count())
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
    let range = |side: usize, steps: bool| {
        let start = operands[side] as usize;
        start..start + if steps { length } else { 1 }
    };
    let x = range(0, stride != Stride::Right);
    let y = range(arity - 1, stride != Stride::Left);
    let whole = |side: &Range<usize>| side.end <= varying || side.start >= varying;
    whole(&x) && whole(&y) && (x == y || x.end <= y.start || y.end <= x.start)
}
