//! Divides an ordered graph into sections for repeated passes. One loop computes each section.
//!
//! Neighbours in the order with the same operation form a run if none of them is an operand of another; `cut` finds the
//! runs. A run of at most [`FEW`] nodes is computed node by node. This file decides to which kind of section (`sections`)
//! each node belongs, and which shortcuts its loop may take. `execute` computes the sections. `Order` makes them at the
//! third pass and stores them.

mod cut;
mod execute;
mod sections;

use std::ops::Range;

use self::cut::{cut_block, sums_in_step};
use self::sections::{OpRun, PARALLEL_RUNS, RowGrads, Section, Side};
use super::flat::FlatGraph;
use crate::ops::{Single, Stride};

/// Up to this number of neighbours are computed one by one, because starting a loop would take longer than the loop saves.
const FEW: u32 = 3;

/// The sections of a graph, users first.
#[derive(Debug, Default)]
pub(super) struct Sections {
    list: Vec<Section>,
    /// The nodes of all [`Section::Singles`].
    singles: Vec<Single>,
    /// The slots whose grads must be 0 when a sweep begins. The first contribution overwrites all other grads.
    cleared: Vec<Range<u32>>,
}

impl Sections {
    /// Divides a graph into sections.
    pub(super) fn of(graph: &FlatGraph) -> Sections {
        let mut division = Division {
            graph,
            sections: Sections::default(),
            has_contributions: vec![false; graph.varying()],
            stored: Vec::new(),
        };
        for block in graph.blocks() {
            division.add_block(block);
        }
        division.finish()
    }
}

/// A division in progress.
struct Division<'g> {
    graph: &'g FlatGraph,
    sections: Sections,
    /// Whether the grad in each slot gets contributions from the sections so far.
    has_contributions: Vec<bool>,
    /// The ranges of grads that are overwritten by their first contributions.
    stored: Vec<Range<u32>>,
}

impl<'g> Division<'g> {
    /// The operands of the nodes of a run, node by node.
    fn operands(&self, run: OpRun) -> &'g [u32] {
        self.graph.operands_of(run.first..run.end())
    }

    /// Appends a block of neighbours with the same operation, cut into runs.
    fn add_block(&mut self, slots: Range<u32>) {
        let first = slots.start as usize;
        let op = self.graph.op(first).expect("blocks leave out leaves");
        let block = OpRun {
            first: slots.start,
            count: slots.end - slots.start,
            arity: self.graph.operands(first).len() as u32,
            op,
            stride: Stride::Scattered,
            sides: [Side::Constant; 2],
        };
        if block.count <= FEW && op.loops().is_some() {
            // These nodes are computed one by one, so they may depend on each other.
            return self.add_run(block);
        }
        let add = if op.is_sum() {
            Division::add_sums
        } else {
            Division::add_run
        };
        cut_block(block, self.graph, &mut |run| add(self, run));
    }

    /// Appends sums. Those in step form one section; each of the others is a section of its own.
    fn add_sums(&mut self, run: OpRun) {
        // Sums of two operands may have a stride, but here they are cut by other rules.
        let stride = Stride::Scattered;
        let mut rest = OpRun { stride, ..run };
        while rest.count > 0 {
            let in_step = sums_in_step(rest, self.graph);
            // A sum with an operand twice is in step with no sum, not even with itself.
            let next = rest.first + in_step.max(1);
            let sums = rest.between(rest.first, next);
            if in_step == 0 {
                self.add_run(sums);
            } else {
                // Their first operands form a row of slots, their second operands another, and so on.
                let starts = self.graph.operands(sums.first as usize).iter();
                let varying = starts.filter(|&&start| (start as usize) < self.graph.varying());
                let all_rows: Vec<_> = varying.map(|&start| start..start + sums.count).collect();
                let (slots, rows) = (sums.first..sums.end(), self.note_rows(&all_rows));
                self.sections.list.push(Section::Sums { slots, rows });
            }
            rest = rest.between(next, run.end());
        }
    }

    /// Appends a run, or its nodes one by one if they are too few for a loop.
    fn add_run(&mut self, mut run: OpRun) {
        let is_short = run.count <= FEW && run.stride == Stride::Scattered;
        let has_loops = run.op.loops().is_some();
        if has_loops && !is_short {
            for side in 0..run.arity as usize {
                run.sides[side] = self.note_side(run, side);
            }
            self.sections.list.push(Section::Run(run));
            return;
        }
        self.note_contributions(self.operands(run).iter().copied());
        if has_loops {
            self.add_singles(run);
        } else {
            self.sections.list.push(Section::Many(run));
        }
    }

    /// Appends the nodes of a run one by one.
    fn add_singles(&mut self, run: OpRun) {
        for slot in run.first..run.end() {
            let operands = self.graph.operands(slot as usize);
            self.sections.singles.push(Single {
                slot,
                operands: [operands[0], operands[operands.len() - 1]],
                row: run.op.row,
            });
        }
        let end = self.sections.singles.len();
        if let Some(Section::Singles(range)) = self.sections.list.last_mut() {
            range.end = end;
        } else {
            let range = end - run.count as usize..end;
            self.sections.list.push(Section::Singles(range));
        }
    }

    /// Notes that the operands on one side of a run get contributions. Returns how the contributions reach them.
    fn note_side(&mut self, run: OpRun, side: usize) -> Side {
        let arity = run.arity as usize;
        let (operands, varying) = (self.operands(run), self.graph.varying());
        let slots = || operands.iter().skip(side).step_by(arity).copied();
        let first = operands[side];
        if slots().all(|slot| slot as usize >= varying) {
            Side::Constant
        } else if run.stride.consecutive_sides()[side] {
            let row = first..first + run.count;
            Side::Row(first, self.note_rows(std::slice::from_ref(&row)))
        } else {
            self.note_contributions(slots());
            match run.stride {
                Stride::Scattered => Side::Anywhere,
                _ => Side::Shared(first),
            }
        }
    }

    /// Notes that these ranges of grads, which do not overlap, get contributions. Returns how the contributions reach them.
    fn note_rows(&mut self, rows: &[Range<u32>]) -> RowGrads {
        let slots = || rows.iter().cloned().flatten();
        let is_reached = slots().any(|slot| self.has_contributions[slot as usize]);
        self.note_contributions(slots());
        if is_reached {
            return RowGrads::Added;
        }
        self.stored.extend(rows.iter().cloned());
        RowGrads::Stored
    }

    /// Notes that these grads get contributions. Constants have none.
    fn note_contributions(&mut self, slots: impl IntoIterator<Item = u32>) {
        for slot in slots {
            if let Some(has_some) = self.has_contributions.get_mut(slot as usize) {
                *has_some = true;
            }
        }
    }

    /// Joins runs that can be summed in parallel, and finds the grads that must be cleared: those between stored ranges.
    fn finish(mut self) -> Sections {
        self.stored.sort_unstable_by_key(|row| row.start);
        let mut stored_end = 0;
        for row in self.stored {
            if stored_end < row.start {
                self.sections.cleared.push(stored_end..row.start);
            }
            stored_end = row.end;
        }
        let end = self.graph.varying() as u32;
        self.sections.cleared.push(stored_end..end);
        self.sections.list = join_parallel(self.sections.list);
        self.sections.singles.shrink_to_fit();
        self.sections
    }
}

/// Joins each group of runs that can be summed in parallel into one section.
fn join_parallel(sections: Vec<Section>) -> Vec<Section> {
    let mut all = Vec::with_capacity(sections.len());
    let mut group: Vec<OpRun> = Vec::new();
    for section in sections {
        match section {
            Section::Run(run) if run.shared_operand().is_some() => group.push(run),
            _ => group.clear(),
        }
        all.push(section);
        if let Some(last) = group.last_chunk::<PARALLEL_RUNS>()
            && are_independent(last)
        {
            all.truncate(all.len() - PARALLEL_RUNS);
            all.push(Section::Parallel(Box::new(*last)));
            group.clear();
        }
    }
    all.shrink_to_fit();
    all
}

/// Whether these runs, which have a shared operand each, may be summed in parallel without changing the sequence of
/// additions to any grad. The runs must be equally long, and no run may contribute to another. No grad may get
/// contributions from two runs, unless their rows are identical: then the runs add to each slot one after the other.
fn are_independent(group: &[OpRun; PARALLEL_RUNS]) -> bool {
    let [first, .., last] = group;
    let end = last.end();
    let reached = group.map(|run| reached_slots(run, end));
    for (place, (row, shared)) in reached.iter().enumerate() {
        let is_outside = row.start >= end && *shared >= end;
        let is_in_row = reached.iter().any(|(other, _)| other.contains(shared));
        let mut later = reached[place + 1..].iter();
        let is_apart = later.all(|(other, other_shared)| {
            let are_rows_apart = row == other || row.end <= other.start || other.end <= row.start;
            are_rows_apart && shared != other_shared
        });
        if group[place].count != first.count || !is_outside || is_in_row || !is_apart {
            return false;
        }
    }
    true
}

/// The slots of the grads to which a run of a group contributes: those of the row, which is empty if the operands there are
/// constants, and that of the shared operand. The group ends before the slot `end`.
fn reached_slots(run: OpRun, end: u32) -> (Range<u32>, u32) {
    let shared = run.shared_operand().expect("only such runs form groups");
    let row = match run.sides[1 - shared.side] {
        Side::Row(start, _) => start..start + run.count,
        _ => end..end,
    };
    (row, shared.slot)
}
