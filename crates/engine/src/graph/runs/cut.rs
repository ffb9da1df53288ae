//! Cuts a block of nodes with the same operation into runs that one loop can execute, and counts the sums that can be
//! added row by row.
//!
//! No node of a run is an operand of another node of the run. Neighbours are in step if the operands on at least one side
//! advance by one slot from node to node, and those on the other side by one slot or not at all. At least [`IN_STEP`] such
//! neighbours form a run of their own with that [`Stride`], so that loops can read the operands as slices.

use std::ops::Range;

use super::FlatGraph;
use super::sections::OpRun;
use crate::ops::Stride;

/// The least number of neighbours in step that form a run of their own.
const IN_STEP: u32 = 6;

/// Cuts a block into pieces in which no node is an operand of another, and the pieces into runs. Passes each run to
/// `add_run`. If the block is in the slots 5 to 9, and 8 is the lowest operand of its nodes, the pieces are `5..8` and
/// `8..10`.
pub(super) fn cut_block(block: OpRun, graph: &FlatGraph, add_run: &mut impl FnMut(OpRun)) {
    let mut first = block.first;
    // The lowest slot of an operand of the piece. Operands come after their users, so the loop reaches this slot first. The
    // piece ends before it.
    let mut nearest = u32::MAX;
    for slot in block.first..block.end() {
        if slot == nearest {
            cut_piece(block.between(first, slot), graph, add_run);
            (first, nearest) = (slot, u32::MAX);
        }
        for below in graph.operands(slot as usize) {
            nearest = nearest.min(*below);
        }
    }
    cut_piece(block.between(first, block.end()), graph, add_run);
}

/// Cuts a piece into runs: at least [`IN_STEP`] neighbours in step form a run of their own, and the others form scattered
/// runs.
fn cut_piece(piece: OpRun, graph: &FlatGraph, add_run: &mut impl FnMut(OpRun)) {
    // Nodes of more than two operands have no stride, so all of them are scattered.
    let can_have_stride = piece.arity <= 2;
    // The nodes from `scattered` to `start` are in no run yet.
    let (mut scattered, mut start) = (piece.first, piece.first);
    while can_have_stride && start + IN_STEP <= piece.end() {
        let run = run_in_step(piece.between(start, piece.end()), graph);
        let is_long = run.count >= IN_STEP;
        if is_long && sides_are_separate(run, graph) {
            if scattered < start {
                add_run(piece.between(scattered, start));
            }
            add_run(run);
            scattered = run.end();
        }
        // The last node before a change of stride may be in step with the nodes after it, so the search continues there.
        // It continues at least one node later, also if the run has only one.
        start += if is_long {
            run.count
        } else {
            run.count.max(2) - 1
        };
    }
    if scattered < piece.end() {
        add_run(piece.between(scattered, piece.end()));
    }
}

/// The nodes of a piece, from the first on, that advance with the stride of the first two. This is the first node alone if
/// these have no stride.
fn run_in_step(piece: OpRun, graph: &FlatGraph) -> OpRun {
    let operands = |slot: u32| graph.operands(slot as usize);
    let (first, second) = (operands(piece.first), operands(piece.first + 1));
    // An operand may be in an earlier slot than that of the node before. The difference then wraps around to a number that
    // is neither 0 nor 1.
    let advance_of = |side: usize| second[side].wrapping_sub(first[side]);
    let stride = match [advance_of(0), advance_of(first.len() - 1)] {
        [1, 1] => Stride::Both,
        [1, 0] => Stride::Left,
        [0, 1] => Stride::Right,
        _ => return piece.between(piece.first, piece.first + 1),
    };
    let advances = stride.consecutive_sides().map(u32::from);
    let is_in_step = |slot: u32| {
        let place = slot - piece.first;
        let mut sides = operands(slot).iter().zip(first).zip(advances);
        sides.all(|((below, start), advance)| *below == start + place * advance)
    };
    let mut slots = piece.first..piece.end();
    let end = slots.find(|&slot| !is_in_step(slot));
    let mut run = piece.between(piece.first, end.unwrap_or(piece.end()));
    run.stride = stride;
    run
}

/// Counts the sums, from the first on, that are in step: each operand advances by one slot from sum to sum, its row of
/// slots overlaps with no other row, and the slots of a row are all constant or all varying. Returns 0 if the first sum has
/// an operand twice, because then two rows begin with the same slot.
pub(super) fn sums_in_step(sums: OpRun, graph: &FlatGraph) -> u32 {
    let varying = graph.varying() as u32;
    let first = graph.operands(sums.first as usize);
    let mut starts = first.to_vec();
    starts.sort_unstable();
    // A row must end before the next one begins, and before the constants begin.
    let gaps = starts.windows(2).map(|pair| pair[1] - pair[0]);
    let varying_starts = starts.iter().filter(|&&start| start < varying);
    let gaps_before_constants = varying_starts.map(|start| varying - start);
    let room = gaps.chain(gaps_before_constants).min();
    let is_in_step = |place: u32| {
        let slots = graph.operands((sums.first + place) as usize);
        let mut pairs = slots.iter().zip(first);
        pairs.all(|(slot, start)| *slot == start + place)
    };
    let most = room.map_or(sums.count, |room| room.min(sums.count));
    (0..most).find(|&place| !is_in_step(place)).unwrap_or(most)
}

/// Whether loops can treat each side of a run as a slice or as one slot. Each side must be all constant or all varying. No
/// grad may get contributions from both sides, unless they come from the same node: sides are added one after the other, so
/// the sequence of additions would change.
fn sides_are_separate(run: OpRun, graph: &FlatGraph) -> bool {
    let operands = graph.operands(run.first as usize);
    let [left_advances, right_advances] = run.stride.consecutive_sides();
    let slots_from =
        |start: u32, advances: bool| start..start + if advances { run.count } else { 1 };
    let lefts = slots_from(operands[0], left_advances);
    let rights = slots_from(operands[operands.len() - 1], right_advances);
    let varying = graph.varying() as u32;
    let is_uniform = |side: &Range<u32>| side.end <= varying || side.start >= varying;
    let are_apart = lefts == rights || lefts.end <= rights.start || rights.end <= lefts.start;
    is_uniform(&lefts) && is_uniform(&rights) && are_apart
}
