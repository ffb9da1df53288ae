//! The graph below a root lowered into flat arrays: what a plan runs on, without any number that changes.
//!
//! A slot is a place in the order of the pass; constants stand behind all slots. Neighbours in the order that share an
//! operation, and of which none is an operand of another, are one run and gone through by one loop of the row. Here it
//! is decided what such a loop may take for granted; `plan` goes through them.

use std::ops::Range;

use super::node::Node;
use super::order::Order;
use crate::ops::{MOST_OPERANDS, Op, Run, Stride, TABLE};

/// Fewer neighbours in step than this are not worth a loop of their own.
const IN_STEP: usize = 6;

/// So many runs are summed up together; see [`Stretch::together`].
pub(super) const TOGETHER: usize = 4;

/// Runs, and where their operands are.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) stretches: Vec<Stretch>,
    /// The operands' slots, run by run, node by node.
    pub(super) operands: Vec<u32>,
    /// What stands behind the slots.
    pub(super) constants: Vec<f64>,
    /// The slots whose grads have to be 0 when a sweep begins. To the others the first contribution is written.
    pub(super) cleared: Vec<Range<u32>>,
}

/// A run as it is kept. Where its operands are listed follows from the runs before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    first: u32,
    pub(super) count: u32,
    pub(super) arity: u16,
    /// The row of the operation in the table.
    row: u8,
    pub(super) stride: Stride,
    /// What happens to what is passed on to the first operands, and to the second ones.
    pub(super) sides: [Side; 2],
    /// The runs from this one on that each pass on to one shared operand, another for each: such sums have to wait for
    /// every addition, but not for each other. 1 if it goes alone.
    pub(super) together: u8,
}

/// What happens to what is passed on to the operands of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// All operands are constant.
    Nobody,
    /// It is added to the grads.
    Added,
    /// It is the first contribution to each of the grads, and they stand in a row.
    Written,
}

impl Stretch {
    /// How many operands are listed for it.
    pub(super) fn listed(self) -> usize {
        self.count as usize * usize::from(self.arity)
    }

    pub(super) fn op(self) -> &'static Op {
        &TABLE[usize::from(self.row)]
    }

    /// So many nodes of it, from the one at `offset`.
    #[inline]
    pub(super) fn part(self, offset: usize, operands: &[u32], count: usize) -> Run<'_> {
        Run {
            first: self.first as usize + offset,
            count,
            operands,
            stride: self.stride,
            asked: self.sides.map(|side| side != Side::Nobody),
        }
    }
}

impl Lowered {
    /// Lowers the graph that an order goes through.
    pub(super) fn of(order: &Order) -> Lowered {
        // A stretch has room for less than it could be asked.
        const { assert!(MOST_OPERANDS <= u16::MAX as usize && TABLE.len() <= u8::MAX as usize) };
        order.lay_out();
        let varying = order.nodes().len();
        let mut lowered = Lowered {
            stretches: Vec::new(),
            operands: Vec::new(),
            constants: Vec::new(),
            cleared: Vec::new(),
        };
        let mut slot = 0;
        for block in order.nodes().chunk_by(|one, next| alike(one, next)) {
            let first = slot;
            slot += block.len();
            let Some(op) = block[0].op() else { continue };
            let start = lowered.operands.len();
            for operand in block.iter().flat_map(|node| node.operands()) {
                if operand.varies() {
                    lowered.operands.push(Order::slot(operand) as u32);
                } else {
                    let place = varying + lowered.constants.len();
                    lowered.operands.push(place as u32);
                    lowered.constants.push(operand.data());
                }
            }
            let block = Stretch {
                first: first as u32,
                count: block.len() as u32,
                arity: block[0].operands().len() as u16,
                row: op.index() as u8,
                stride: Stride::Scattered,
                sides: [Side::Added; 2],
                together: 1,
            };
            let listed = &lowered.operands[start..];
            cut_apart(block, listed, varying, &mut lowered.stretches);
        }
        lowered.operands.shrink_to_fit();
        lowered.constants.shrink_to_fit();
        lowered.settle_sides(varying);
        lowered.stretches.shrink_to_fit();
        lowered.tie();
        lowered
    }

    /// Says of each side what happens to what is passed on to it.
    fn settle_sides(&mut self, varying: usize) {
        let mut reached = vec![false; varying];
        let mut written: Vec<Range<u32>> = Vec::new();
        let mut left = &self.operands[..];
        for stretch in &mut self.stretches {
            let listed;
            (listed, left) = left.split_at(stretch.listed());
            let arity = usize::from(stretch.arity);
            for (side, settled) in stretch.sides.iter_mut().enumerate().take(arity) {
                let slots = listed.iter().skip(side).step_by(arity);
                let slots = slots.map(|&slot| slot as usize);
                let in_row = match stretch.stride {
                    Stride::Scattered => false,
                    Stride::Both => true,
                    Stride::Left => side == 0,
                    Stride::Right => side == 1,
                };
                if slots.clone().all(|slot| slot >= varying) {
                    *settled = Side::Nobody;
                } else if in_row && slots.clone().all(|slot| !reached[slot]) {
                    *settled = Side::Written;
                    written.push(listed[side]..listed[side] + stretch.count);
                }
                for slot in slots.filter(|&slot| slot < varying) {
                    reached[slot] = true;
                }
            }
        }
        written.sort_unstable_by_key(|range| range.start);
        let mut from = 0;
        for range in written {
            if from < range.start {
                self.cleared.push(from..range.start);
            }
            from = range.end;
        }
        self.cleared.push(from..varying as u32);
    }

    /// Finds runs that can be summed up together.
    fn tie(&mut self) {
        let mut starts = Vec::with_capacity(self.stretches.len());
        let mut listed = 0;
        for stretch in &self.stretches {
            starts.push(listed);
            listed += stretch.listed();
        }
        let mut at = 0;
        while at + TOGETHER <= self.stretches.len() {
            let shared = |place: usize| self.shared(self.stretches[place], starts[place]);
            let group: Option<Vec<_>> = (at..at + TOGETHER).map(shared).collect();
            if group.is_some_and(|group| keep_apart(&group)) {
                self.stretches[at].together = TOGETHER as u8;
                at += TOGETHER;
            } else {
                at += 1;
            }
        }
    }

    /// If all nodes of a run pass on to one shared operand: which run it is, its row of other operands, and that one.
    fn shared(&self, stretch: Stretch, start: usize) -> Option<(Stretch, Range<u32>, u32)> {
        let (row, one) = match stretch.stride {
            Stride::Left => (0, 1),
            Stride::Right => (1, 0),
            Stride::Scattered | Stride::Both => return None,
        };
        let row_start = self.operands[start + row];
        let row = row_start..row_start + stretch.count;
        (stretch.sides[one] == Side::Added).then(|| (stretch, row, self.operands[start + one]))
    }
}

/// May they be gone through in turns, as long as each keeps its own order? They are equally long, none passes on to
/// another, and no grad has contributions from two of them but in rows that are the same slot for slot.
fn keep_apart(group: &[(Stretch, Range<u32>, u32)]) -> bool {
    let [(first, ..), .., (last, ..)] = group else {
        return false;
    };
    let end = last.first + last.count;
    group
        .iter()
        .enumerate()
        .all(|(place, (stretch, row, one))| {
            let apart = |(_, others, another): &(Stretch, Range<u32>, u32)| {
                let rows = row == others || row.end <= others.start || others.end <= row.start;
                rows && one != another
            };
            stretch.count == first.count
                && row.start >= end
                && *one >= end
                && group[place + 1..].iter().all(apart)
                && group.iter().all(|(_, others, _)| !others.contains(one))
        })
}

/// Do they belong in one block: the same operation on as many operands?
fn alike(one: &Node, next: &Node) -> bool {
    match (one.op(), next.op()) {
        (Some(op), Some(other)) => {
            std::ptr::eq(op, other) && one.operands().len() == next.operands().len()
        }
        (None, None) => true,
        _ => false,
    }
}

/// Cuts a block into pieces in which no node is an operand of another, and these into runs.
fn cut_apart(block: Stretch, operands: &[u32], varying: usize, runs: &mut Vec<Stretch>) {
    let arity = usize::from(block.arity);
    let end = block.first + block.count;
    let (mut first, mut at) = (block.first, 0);
    let mut nearest = u32::MAX;
    for (slot, listed) in (block.first..).zip(operands.chunks_exact(arity)) {
        if nearest == slot {
            let piece = Stretch {
                first,
                count: slot - first,
                ..block
            };
            cut(piece, &operands[at..], varying, runs);
            at += piece.listed();
            first = slot;
            nearest = u32::MAX;
        }
        // Operands come behind their users, so the nearest one ahead is met first.
        nearest = listed.iter().fold(nearest, |near, &slot| near.min(slot));
    }
    let piece = Stretch {
        first,
        count: end - first,
        ..block
    };
    cut(piece, &operands[at..], varying, runs);
}

/// Cuts a piece into runs: wherever enough neighbours keep step, they are one of their own.
fn cut(piece: Stretch, operands: &[u32], varying: usize, runs: &mut Vec<Stretch>) {
    let arity = usize::from(piece.arity);
    let count = piece.count as usize;
    let mut put = |from: usize, to: usize, stride| {
        if from < to {
            runs.push(Stretch {
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
