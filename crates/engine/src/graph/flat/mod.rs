//! A graph in flat arrays: which nodes each node has as operands, and how both passes go over them quickly. It is the
//! one lowering that every engine shares: plans, Jacobians and faulty passes.
//!
//! A slot is a place in the order of a pass; constants stand behind all slots. Neighbours in the order with the same
//! operation, none of which is an operand of another, form a run that one loop of the operation executes (`cut` finds
//! them). This file finds out which shortcuts each loop may take; `run` executes the arrays. They hold no data that
//! changes.

mod cut;
mod parts;
mod run;

use std::ops::Range;
use std::rc::Rc;

use self::cut::{cut_apart, sums_in_step};
use self::parts::{OpRun, PlanPart, SideKind, SumRun};
pub(super) use self::run::ContributionBuffer;
use super::node::Node;
use crate::ops::{MOST_OPERANDS, Single, Stride, TABLE};

/// Up to this many neighbours are executed one by one, because starting a loop would take longer than running it.
const FEW: u32 = 3;

/// How many runs are summed at the same time; see [`OpRun::together`].
const TOGETHER: usize = 4;

/// The operands of all nodes of an order, and what to execute, users first.
#[derive(Debug, Default)]
pub(super) struct FlatGraph {
    /// Where the operands of each slot begin in `operands`; one entry more than there are slots.
    starts: Vec<u32>,
    /// The operands of all nodes, as slots.
    operands: Vec<u32>,
    /// The data behind the last slot.
    constants: Vec<f64>,
    parts: Vec<PlanPart>,
    /// The nodes that are executed one by one.
    singles: Vec<Single>,
    /// The slots whose grads must be 0 when a sweep begins. All others are overwritten by their first contribution.
    cleared: Vec<Range<u32>>,
}

impl FlatGraph {
    /// Lowers the graph of these nodes, users before operands. Each must carry its place among them.
    pub(super) fn of(nodes: &[Rc<Node>]) -> FlatGraph {
        const { assert!(MOST_OPERANDS <= u32::MAX as usize && TABLE.len() <= u8::MAX as usize) };
        let varying = nodes.len();
        let mut flat = FlatGraph::default();
        for node in nodes {
            flat.starts.push(flat.operands.len() as u32);
            for operand in node.operands() {
                if operand.varies() {
                    flat.operands.push(operand.position.get());
                } else {
                    flat.operands.push((varying + flat.constants.len()) as u32);
                    flat.constants.push(operand.data());
                }
            }
        }
        flat.starts.push(flat.operands.len() as u32);
        let mut first = 0;
        for block in nodes.chunk_by(|one, next| alike(one, next)) {
            if let Some(op) = block[0].op() {
                flat.add(OpRun {
                    first,
                    count: block.len() as u32,
                    arity: block[0].operands().len() as u32,
                    row: op.row,
                    stride: Stride::Scattered,
                    sides: [SideKind::Added; 2],
                    together: 1,
                });
            }
            first += block.len() as u32;
        }
        flat.settle();
        flat.operands.shrink_to_fit();
        flat.constants.shrink_to_fit();
        flat.parts.shrink_to_fit();
        flat.singles.shrink_to_fit();
        flat
    }

    /// How many slots there are, without those of constants.
    fn varying(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the operands of a slot stand among those of all.
    pub(super) fn places(&self, slot: usize) -> Range<usize> {
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }

    /// The operands of a slot, as slots: none for a leaf.
    pub(super) fn operands(&self, slot: usize) -> &[u32] {
        &self.operands[self.places(slot)]
    }

    /// How many operands all nodes have together.
    pub(super) fn uses(&self) -> usize {
        self.operands.len()
    }

    /// The data of all slots, which these nodes have, followed by the constants.
    pub(super) fn data(&self, nodes: &[Rc<Node>]) -> Vec<f64> {
        let nodes = nodes.iter().map(|node| node.data());
        nodes.chain(self.constants.iter().copied()).collect()
    }

    /// So many operands from those of a slot on: those of the nodes of a run, node by node.
    fn listed(&self, first: u32, count: usize) -> &[u32] {
        &self.operands[self.starts[first as usize] as usize..][..count]
    }

    /// Appends a block of neighbours with the same operation, cut into runs.
    fn add(&mut self, block: OpRun) {
        let varying = self.varying();
        let mut runs = Vec::new();
        let operands = self.listed(block.first, block.listed());
        cut_apart(block, operands, varying, &mut |run| runs.push(run));
        for run in runs {
            if run.op().adds() {
                self.push_sums(run);
            } else {
                self.push(run);
            }
        }
    }

    /// Puts sums behind the others: those that keep step together, those that have an operand twice one by one.
    fn push_sums(&mut self, mut run: OpRun) {
        run.stride = Stride::Scattered;
        while run.count > 0 {
            let operands = self.listed(run.first, run.listed());
            let in_step = sums_in_step(operands, run.arity as usize, self.varying()) as u32;
            let count = in_step.max(1);
            if in_step == 0 {
                self.push(OpRun { count, ..run });
            } else {
                self.parts.push(PlanPart::Sums(SumRun {
                    first: run.first,
                    count,
                    written: false,
                }));
            }
            run.first += count;
            run.count -= count;
        }
    }

    /// Once all blocks are there: what their loops may take for granted of each other.
    fn settle(&mut self) {
        self.settle_sides();
        self.tie_runs();
    }

    /// Appends a run, or its nodes one by one if they are too few for a loop.
    fn push(&mut self, run: OpRun) {
        let few = run.count <= FEW && run.stride == Stride::Scattered;
        if !few || run.op().loops().is_none() {
            self.parts.push(PlanPart::Run(run));
            return;
        }
        for slot in run.first..run.first + run.count {
            let operands = self.operands(slot as usize);
            let operands = [operands[0], operands[operands.len() - 1]];
            self.singles.push(Single {
                slot,
                operands,
                row: run.row,
            });
        }
        let end = self.singles.len() as u32;
        if let Some(PlanPart::Singles { to, .. }) = self.parts.last_mut() {
            *to = end;
        } else {
            let (from, to) = (end - run.count, end);
            self.parts.push(PlanPart::Singles { from, to });
        }
    }

    /// Determines for each side of each run how its contributions reach the grads, and which slots have to be cleared.
    fn settle_sides(&mut self) {
        let varying = self.varying();
        let mut parts = std::mem::take(&mut self.parts);
        let mut reached = vec![false; varying];
        let reach = |slot: u32, reached: &mut [bool]| {
            if let Some(reached) = reached.get_mut(slot as usize) {
                *reached = true;
            }
        };
        let mut written: Vec<Range<u32>> = Vec::new();
        for part in &mut parts {
            let op_run = match part {
                PlanPart::Run(op_run) => op_run,
                PlanPart::Singles { from, to } => {
                    let these = &self.singles[*from as usize..*to as usize];
                    for slot in these.iter().flat_map(|node| node.operands) {
                        reach(slot, &mut reached);
                    }
                    continue;
                }
                PlanPart::Sums(sums) => {
                    let listed = self.operands(sums.first as usize);
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
            let listed = self.listed(op_run.first, op_run.listed());
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
        self.parts = parts;
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
        let shared = |part: &PlanPart| match part {
            PlanPart::Run(run) => Shared::of(*run, self.operands(run.first as usize)),
            PlanPart::Sums(_) | PlanPart::Singles { .. } => None,
        };
        let shared: Vec<Option<Shared>> = self.parts.iter().map(shared).collect();
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
        (Some(op), Some(other)) => op == other && one.operands().len() == next.operands().len(),
        (None, None) => true,
        _ => false,
    }
}
