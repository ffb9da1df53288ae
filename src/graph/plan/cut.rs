//! Cutting a block of nodes with the same operation into runs that one loop can go through.
//!
//! No node of a run is an operand of another, and where the operands of neighbours keep step, the run knows. Only slots
//! are looked at here, no nodes.

use std::ops::Range;

use super::parts::OpRun;
use crate::ops::Stride;

/// Fewer neighbours in step than this are not worth a loop of their own.
const IN_STEP: usize = 6;

/// Cuts a block into pieces in which no node is an operand of another, and these into runs.
pub(crate) fn cut_apart(
    block: OpRun,
    operands: &[u32],
    varying: usize,
    put: &mut impl FnMut(OpRun),
) {
    let arity = usize::from(block.arity);
    let end = block.first + block.count;
    let (mut first, mut at) = (block.first, 0);
    let mut nearest = u32::MAX;
    for (slot, listed) in (block.first..).zip(operands.chunks_exact(arity)) {
        if nearest == slot {
            let piece = OpRun {
                first,
                count: slot - first,
                ..block
            };
            cut(piece, &operands[at..], varying, put);
            at += piece.listed();
            first = slot;
            nearest = u32::MAX;
        }
        // Operands come behind their users, so the nearest one ahead is met first.
        nearest = listed.iter().fold(nearest, |near, &slot| near.min(slot));
    }
    let piece = OpRun {
        first,
        count: end - first,
        ..block
    };
    cut(piece, &operands[at..], varying, put);
}

/// Cuts a piece into runs: wherever enough neighbours keep step, they are one of their own.
fn cut(piece: OpRun, operands: &[u32], varying: usize, put: &mut impl FnMut(OpRun)) {
    let arity = usize::from(piece.arity);
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
        let (stride, length) = match arity {
            1 => unary_in_step(rest),
            _ => binary_in_step(rest),
        };
        if length >= IN_STEP && keeps_row(rest, arity, stride, varying, length) {
            put(scattered, at, Stride::Scattered);
            put(at, at + length, stride);
            scattered = at + length;
        }
        // The last one may keep step with what follows.
        at += if length >= IN_STEP {
            length
        } else {
            length.max(2) - 1
        };
    }
    put(scattered, count, Stride::Scattered);
}

/// How many nodes from the first one on keep step.
fn unary_in_step(operands: &[u32]) -> (Stride, usize) {
    let follows = |pair: &&[u32]| pair[0] + 1 == pair[1];
    let length = 1 + operands.windows(2).take_while(follows).count();
    (Stride::Both, length)
}

/// The same for two operands, and in which way they do.
fn binary_in_step(operands: &[u32]) -> (Stride, usize) {
    let pairs = operands.as_chunks::<2>().0;
    let [x, y] = pairs[0];
    let (stride, by) = match pairs.get(1) {
        Some(&[left, right]) if left == x + 1 && right == y + 1 => (Stride::Both, [1, 1]),
        Some(&[left, right]) if left == x + 1 && right == y => (Stride::Left, [1, 0]),
        Some(&[left, right]) if left == x && right == y + 1 => (Stride::Right, [0, 1]),
        _ => return (Stride::Scattered, 1),
    };
    let kept = |(place, [left, right]): &(u32, &[u32; 2])| {
        *left == x + place * by[0] && *right == y + place * by[1]
    };
    let length = (0..).zip(pairs).take_while(kept).count();
    (stride, length)
}

/// Can each side be taken as a row or one slot? It is all constant or not at all, and no grad has contributions from
/// left and right operands but from the same node: a side goes as a whole, so their order would change.
fn keeps_row(
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
