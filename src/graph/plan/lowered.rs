//! Lowers the graph below a root to flat arrays, the form in which a plan is executed. They hold no data that changes.
//!
//! A slot is a place in the order of the pass; constants stand behind all slots. Neighbours in the order with the same
//! operation, none of which is an operand of another, form a run that one loop of the operation executes. This file
//! finds out which shortcuts each loop may take; `run` executes the arrays.

use std::ops::Range;

use super::cut::{cut_apart, sums_in_step};
use super::parts::{OpRun, PlanPart, SideKind, SingleNode, SumRun};
use crate::graph::node::Node;
use crate::graph::order::Order;
use crate::ops::{MOST_OPERANDS, Single, Stride, TABLE};

/// Up to this many neighbours are executed one by one, because starting a loop would take longer than running it.
const FEW: u32 = 3;

/// How many runs are summed at the same time; see [`OpRun::together`].
pub(crate) const TOGETHER: usize = 4;

/// What to execute, users first, and where the operands are.
#[derive(Debug, Default)]
pub(crate) struct FlatGraph {
    pub(crate) parts: Vec<PlanPart>,
    /// The nodes that are executed one by one.
    pub(crate) singles: Vec<SingleNode>,
    /// The operands of all runs, as slots: run by run, node by node.
    pub(crate) operands: Vec<u32>,
    /// The data behind the last slot.
    pub(crate) constants: Vec<f64>,
    /// The slots of the leaves.
    pub(crate) leaves: Vec<u32>,
    /// The slots whose grads must be 0 when a sweep begins. All others are overwritten by their first contribution.
    pub(crate) cleared: Vec<Range<u32>>,
}

impl FlatGraph {
    /// Lowers the graph that an order goes through.
    pub(crate) fn of(order: &Order) -> FlatGraph {
        const { assert!(MOST_OPERANDS <= u32::MAX as usize && TABLE.len() <= u8::MAX as usize) };
        order.stamp_positions();
        let varying = order.nodes().len();
        let mut lowered = FlatGraph::default();
        let mut listed = Vec::new();
        let mut slot = 0;
        for block in order.nodes().chunk_by(|one, next| alike(one, next)) {
            let first = slot;
            slot += block.len();
            let Some(op) = block[0].op() else {
                lowered.leaves.extend(first as u32..slot as u32);
                continue;
            };
            listed.clear();
            for operand in block.iter().flat_map(|node| node.operands()) {
                if operand.varies() {
                    listed.push(Order::slot(operand) as u32);
                } else {
                    listed.push((varying + lowered.constants.len()) as u32);
                    lowered.constants.push(operand.data());
                }
            }
            let block = OpRun {
                first: first as u32,
                count: block.len() as u32,
                arity: block[0].operands().len() as u32,
                row: op.index() as u8,
                stride: Stride::Scattered,
                sides: [SideKind::Added; 2],
                together: 1,
            };
            lowered.add(block, &listed, varying);
        }
        lowered.settle(varying);
        lowered.parts.shrink_to_fit();
        lowered.singles.shrink_to_fit();
        lowered.operands.shrink_to_fit();
        lowered.constants.shrink_to_fit();
        lowered
    }

    /// The data of all slots, followed by the constants.
    pub(crate) fn data(&self, order: &Order) -> Vec<f64> {
        let nodes = order.nodes().iter().map(|node| node.data());
        nodes.chain(self.constants.iter().copied()).collect()
    }

    /// Appends a block of neighbours with the same operation, cut into runs.
    pub(crate) fn add(&mut self, block: OpRun, operands: &[u32], varying: usize) {
        let mut left = operands;
        cut_apart(block, operands, varying, &mut |run| {
            let listed;
            (listed, left) = left.split_at(run.listed());
            if run.op().adds() {
                self.push_sums(run, listed, varying);
            } else {
                self.push(run, listed);
            }
        });
    }

    /// Puts sums behind the others: those that keep step together, those that have an operand twice one by one.
    fn push_sums(&mut self, mut run: OpRun, mut operands: &[u32], varying: usize) {
        let arity = run.arity as usize;
        run.stride = Stride::Scattered;
        while run.count > 0 {
            let in_step = sums_in_step(operands, arity, varying) as u32;
            let count = in_step.max(1);
            if in_step == 0 {
                self.push(OpRun { count, ..run }, &operands[..arity]);
            } else {
                self.operands.extend(&operands[..arity]);
                self.parts.push(PlanPart::Sums(SumRun {
                    first: run.first,
                    count,
                    arity: run.arity,
                    written: false,
                }));
            }
            operands = &operands[count as usize * arity..];
            run.first += count;
            run.count -= count;
        }
    }

    /// Once all blocks are there: what their loops may take for granted of each other.
    pub(crate) fn settle(&mut self, varying: usize) {
        self.settle_sides(varying);
        self.tie_runs();
    }

    /// Appends a run, or its nodes one by one if they are too few for a loop.
    fn push(&mut self, run: OpRun, operands: &[u32]) {
        let few = run.count <= FEW && run.stride == Stride::Scattered;
        if !few || run.op().loops().is_none() {
            self.operands.extend(operands);
            self.parts.push(PlanPart::Run(run));
            return;
        }
        let nodes = operands.chunks_exact(run.arity as usize);
        for (slot, operands) in (run.first..).zip(nodes) {
            let operands = [operands[0], operands[operands.len() - 1]];
            self.singles.push(SingleNode {
                single: Single { slot, operands },
                row: run.row,
            });
        }
        if let Some(PlanPart::Singles(count)) = self.parts.last_mut() {
            *count += run.count;
        } else {
            self.parts.push(PlanPart::Singles(run.count));
        }
    }

    /// Determines for each side of each run how its contributions reach the grads, and which slots have to be cleared.
    fn settle_sides(&mut self, varying: usize) {
        let mut reached = vec![false; varying];
        let reach = |slot: u32, reached: &mut [bool]| {
            if let Some(reached) = reached.get_mut(slot as usize) {
                *reached = true;
            }
        };
        let mut written: Vec<Range<u32>> = Vec::new();
        let (mut singles, mut operands) = (&self.singles[..], &self.operands[..]);
        for part in &mut self.parts {
            let op_run = match part {
                PlanPart::Run(op_run) => op_run,
                PlanPart::Singles(count) => {
                    let these;
                    (these, singles) = singles.split_at(*count as usize);
                    for slot in these.iter().flat_map(|node| node.single.operands) {
                        reach(slot, &mut reached);
                    }
                    continue;
                }
                PlanPart::Sums(sums) => {
                    let listed;
                    (listed, operands) = operands.split_at(sums.arity as usize);
                    let rows = listed.iter().map(|&start| start..start + sums.count);
                    let rows = rows.filter(|row| (row.start as usize) < varying);
                    let slots = || rows.clone().flatten();
                    sums.written = slots().all(|slot| !reached[slot as usize]);
                    if sums.written {
                        written.extend(rows.clone());
                    }
                    slots().for_each(|slot| reach(slot, &mut reached));
                    continue;
                }
            };
            let listed;
            (listed, operands) = operands.split_at(op_run.listed());
            let arity = op_run.arity as usize;
            for side in 0..arity {
                let slots = || listed.iter().skip(side).step_by(arity).copied();
                let in_row = || op_run.stride.rows()[side];
                if side > 1 {
                    // Only the first two operands have a shortcut.
                } else if slots().all(|slot| slot as usize >= varying) {
                    op_run.sides[side] = SideKind::Constant;
                } else if in_row() && slots().all(|slot| !reached[slot as usize]) {
                    op_run.sides[side] = SideKind::Written;
                    written.push(listed[side]..listed[side] + op_run.count);
                }
                slots().for_each(|slot| reach(slot, &mut reached));
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

    /// Finds runs that can be summed at the same time.
    fn tie_runs(&mut self) {
        let mut listed = 0;
        let mut shared: Vec<Option<Shared>> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            shared.push(match part {
                PlanPart::Run(op_run) => {
                    let operands = &self.operands[listed..];
                    listed += op_run.listed();
                    Shared::of(*op_run, operands)
                }
                PlanPart::Sums(sums) => {
                    listed += sums.arity as usize;
                    None
                }
                PlanPart::Singles(_) => None,
            });
        }
        let mut at = 0;
        while let Some(group) = shared.get(at..at + TOGETHER) {
            let group: Option<Vec<&Shared>> = group.iter().map(Option::as_ref).collect();
            match &mut self.parts[at] {
                PlanPart::Run(first) if group.is_some_and(|group| independent(&group)) => {
                    first.together = TOGETHER as u8;
                    at += TOGETHER;
                }
                _ => at += 1,
            }
        }
    }
}

/// A run all of whose nodes contribute to the same operand on one side: `row` holds the slots of the other side, `one`
/// the shared slot.
struct Shared {
    op_run: OpRun,
    row: Range<u32>,
    one: u32,
}

impl Shared {
    fn of(op_run: OpRun, operands: &[u32]) -> Option<Shared> {
        let (row, one) = match op_run.stride {
            Stride::Left => (0, 1),
            Stride::Right => (1, 0),
            Stride::Scattered | Stride::Both => return None,
        };
        (op_run.sides[one] == SideKind::Added).then(|| Shared {
            op_run,
            row: operands[row]..operands[row] + op_run.count,
            one: operands[one],
        })
    }
}

/// Whether these runs may be summed at the same time without changing the sequence of additions to any grad. They must
/// be equally long, none may contribute to another, and no grad may get contributions from two of them, except where
/// two rows are identical, slot by slot.
fn independent(group: &[&Shared]) -> bool {
    let [first, .., last] = group else {
        return false;
    };
    let end = last.op_run.first + last.op_run.count;
    group.iter().enumerate().all(|(place, this)| {
        let (row, one) = (&this.row, this.one);
        let apart = |other: &&Shared| {
            let rows =
                *row == other.row || row.end <= other.row.start || other.row.end <= row.start;
            rows && one != other.one
        };
        this.op_run.count == first.op_run.count
            && row.start >= end
            && one >= end
            && group[place + 1..].iter().all(apart)
            && group.iter().all(|other| !other.row.contains(&one))
    })
}

/// Whether two nodes belong in one block: the same operation on the same number of operands.
fn alike(one: &Node, next: &Node) -> bool {
    match (one.op(), next.op()) {
        (Some(op), Some(other)) => {
            std::ptr::eq(op, other) && one.operands().len() == next.operands().len()
        }
        (None, None) => true,
        _ => false,
    }
}
