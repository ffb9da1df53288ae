//! The graph below a root lowered into flat arrays: what a plan runs on, without any number that changes.
//!
//! A slot is a place in the order of the pass; constants stand behind all slots. Neighbours in the order that share an
//! operation, and of which none is an operand of another, are one run and gone through by one loop of the row. Here it
//! is decided what such a loop may take for granted; `flat` goes through them.

use std::ops::Range;

use super::cut::cut_apart;
use super::grouped::group;
use super::parts::{OpRun, PlanPart, Side, SingleNode};
use crate::graph::node::Node;
use crate::graph::order::{NEWEST_FIRST, Order};
use crate::ops::{MOST_OPERANDS, Single, Stride, TABLE};

/// So few neighbours are gone through one by one: a loop would take longer to begin than to run.
const FEW: u32 = 3;

/// So many runs are summed up together; see [`OpRun::together`].
pub(crate) const TOGETHER: usize = 4;

/// What is gone through, users first, and where the operands are.
#[derive(Debug, Default)]
pub(crate) struct FlatGraph {
    pub(crate) parts: Vec<PlanPart>,
    /// Nodes that are gone through one by one.
    pub(crate) singles: Vec<SingleNode>,
    /// The slots of the operands of runs, run by run, node by node.
    pub(crate) operands: Vec<u32>,
    /// What stands behind the slots.
    pub(crate) constants: Vec<f64>,
    /// The slots of the leaves.
    pub(crate) leaves: Vec<u32>,
    /// The slots whose grads have to be 0 when a sweep begins. To the others the first contribution is written.
    pub(crate) cleared: Vec<Range<u32>>,
}

impl FlatGraph {
    /// Lowers the graph that an order goes through.
    pub(crate) fn of(order: &Order) -> FlatGraph {
        // A stretch has room for less than it could be asked.
        const { assert!(MOST_OPERANDS <= u16::MAX as usize && TABLE.len() <= u8::MAX as usize) };
        order.lay_out();
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
                arity: block[0].operands().len() as u16,
                row: op.index() as u8,
                stride: Stride::Scattered,
                sides: [Side::Added; 2],
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

    /// The data of all slots and of the constants behind them.
    pub(crate) fn data(&self, order: &Order) -> Vec<f64> {
        let nodes = order.nodes().iter().map(|node| node.data());
        nodes.chain(self.constants.iter().copied()).collect()
    }

    /// Puts a block behind the others.
    pub(crate) fn add(&mut self, block: OpRun, operands: &[u32], varying: usize) {
        let mut left = operands;
        cut_apart(block, operands, varying, &mut |run| {
            let listed;
            (listed, left) = left.split_at(run.listed());
            self.push(run, listed);
        });
    }

    /// Once all blocks are there: what their loops may take for granted of each other.
    pub(crate) fn settle(&mut self, varying: usize) {
        self.settle_sides(varying);
        self.tie();
        if varying <= NEWEST_FIRST {
            self.group_singles(varying);
        }
    }

    /// Above [`NEWEST_FIRST`] equal operations stand together anyway.
    fn group_singles(&mut self, varying: usize) {
        let mut start = 0;
        for part in &self.parts {
            let PlanPart::Singles(count) = part else {
                continue;
            };
            let singles = &mut self.singles[start..][..*count as usize];
            start += singles.len();
            let grouped = group(singles, varying);
            singles.copy_from_slice(&grouped);
        }
    }

    /// Puts a run behind the others, as such or node by node.
    fn push(&mut self, run: OpRun, operands: &[u32]) {
        let few = run.count <= FEW && run.stride == Stride::Scattered;
        if !few || run.op().loops().is_none() {
            self.operands.extend(operands);
            self.parts.push(PlanPart::Run(run));
            return;
        }
        let nodes = operands.chunks_exact(usize::from(run.arity));
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

    /// Says of each side of a run what happens to what is passed on to it.
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
            let stretch = match part {
                PlanPart::Run(stretch) => stretch,
                PlanPart::Singles(count) => {
                    let these;
                    (these, singles) = singles.split_at(*count as usize);
                    for slot in these.iter().flat_map(|alone| alone.single.operands) {
                        reach(slot, &mut reached);
                    }
                    continue;
                }
            };
            let listed;
            (listed, operands) = operands.split_at(stretch.listed());
            let arity = usize::from(stretch.arity);
            for side in 0..arity {
                let slots = || listed.iter().skip(side).step_by(arity).copied();
                let in_row = || stretch.stride.rows()[side];
                if side > 1 {
                    // Only of the first two there is anything to say.
                } else if slots().all(|slot| slot as usize >= varying) {
                    stretch.sides[side] = Side::Nobody;
                } else if in_row() && slots().all(|slot| !reached[slot as usize]) {
                    stretch.sides[side] = Side::Written;
                    written.push(listed[side]..listed[side] + stretch.count);
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

    /// Finds runs that can be summed up together.
    fn tie(&mut self) {
        let mut listed = 0;
        let mut shared: Vec<Option<Shared>> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            shared.push(match part {
                PlanPart::Run(stretch) => {
                    let operands = &self.operands[listed..];
                    listed += stretch.listed();
                    Shared::of(*stretch, operands)
                }
                PlanPart::Singles(_) => None,
            });
        }
        let mut at = 0;
        while let Some(group) = shared.get(at..at + TOGETHER) {
            let group: Option<Vec<&Shared>> = group.iter().map(Option::as_ref).collect();
            match &mut self.parts[at] {
                PlanPart::Run(first) if group.is_some_and(|group| keep_apart(&group)) => {
                    first.together = TOGETHER as u8;
                    at += TOGETHER;
                }
                _ => at += 1,
            }
        }
    }
}

/// A run whose nodes all pass on to one operand: what else they pass on to, and that one.
struct Shared {
    stretch: OpRun,
    row: Range<u32>,
    one: u32,
}

impl Shared {
    fn of(stretch: OpRun, operands: &[u32]) -> Option<Shared> {
        let (row, one) = match stretch.stride {
            Stride::Left => (0, 1),
            Stride::Right => (1, 0),
            Stride::Scattered | Stride::Both => return None,
        };
        (stretch.sides[one] == Side::Added).then(|| Shared {
            stretch,
            row: operands[row]..operands[row] + stretch.count,
            one: operands[one],
        })
    }
}

/// May they be gone through in turns, as long as each keeps its own order? They are equally long, none passes on to
/// another, and no grad has contributions from two of them but in rows that are the same slot for slot.
fn keep_apart(group: &[&Shared]) -> bool {
    let [first, .., last] = group else {
        return false;
    };
    let end = last.stretch.first + last.stretch.count;
    group.iter().enumerate().all(|(place, this)| {
        let (row, one) = (&this.row, this.one);
        let apart = |other: &&Shared| {
            let rows =
                *row == other.row || row.end <= other.row.start || other.row.end <= row.start;
            rows && one != other.one
        };
        this.stretch.count == first.stretch.count
            && row.start >= end
            && one >= end
            && group[place + 1..].iter().all(apart)
            && group.iter().all(|other| !other.row.contains(&one))
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
