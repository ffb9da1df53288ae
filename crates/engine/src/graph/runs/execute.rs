//! Executes the sections of a graph, forward and backward.
//!
//! The result equals that of the sweep over slots bit for bit, because the order, the functions and the additions are
//! the same. Tests compare the two on both sides of `NEWEST_FIRST`. The loop of an operation only writes the contributions
//! of a run into a buffer, so the compiler can vectorise it (SIMD). This file adds them up, operand by operand, in the
//! order of the nodes.

use std::ops::Range;

use super::sections::{OpRun, PARALLEL_RUNS, RowGrads, Section, Side};
use super::{FlatGraph, Sections};
use crate::graph::sweep::{FlatSweep, Sweepable};
use crate::ops::{Run, chain, never_minus_zero};

/// The number of nodes of a run that are processed at a time. The contributions of more nodes would leave the first-level
/// cache before they are added.
const AT_A_TIME: usize = 128;

impl Sections {
    /// Space for the contributions that a sweep writes before it adds them: for each run two halves, one for the left
    /// operands and one for the right ones.
    fn buffer(&self) -> Vec<f64> {
        let at_a_time = |count: u32| AT_A_TIME.min(count as usize);
        let needed = self.list.iter().map(|section| match section {
            Section::Singles { .. } | Section::Many(_) => 0,
            Section::Run(run) => 2 * at_a_time(run.count),
            Section::Parallel(group) => PARALLEL_RUNS * 2 * at_a_time(group[0].count),
            Section::Sums { count, .. } => at_a_time(*count),
        });
        vec![0.0; needed.max().unwrap_or(0)]
    }

    /// Recomputes every computed node, operands first. The slot `kept` keeps its data: an inner node that is treated as a
    /// leaf.
    pub(in crate::graph) fn forward(
        &self,
        graph: &FlatGraph,
        data: &mut [f64],
        kept: Option<usize>,
    ) {
        for section in self.list.iter().rev() {
            // No other node of a section depends on the one that is kept, except among single nodes, so restoring it
            // afterwards is enough.
            let before = kept.map(|slot| (slot, data[slot]));
            match section {
                Section::Singles { from, to } => {
                    for node in self.singles[*from as usize..*to as usize].iter().rev() {
                        if kept != Some(node.slot as usize) {
                            node.forward(data);
                        }
                    }
                }
                Section::Run(run) | Section::Many(run) => run_forward(run, graph, data),
                Section::Parallel(group) => {
                    for run in group.iter().rev() {
                        run_forward(run, graph, data);
                    }
                }
                Section::Sums { first, count, .. } => {
                    sums_forward(*first..first + count, graph.operands(*first as usize), data);
                }
            }
            if let Some((slot, before)) = before {
                data[slot] = before;
            }
        }
    }

    /// Sweeps once from the first slot.
    pub(in crate::graph) fn backward(&self, graph: &FlatGraph, data: &[f64], grads: &mut [f64]) {
        for slots in &self.cleared {
            grads[slots.start as usize..slots.end as usize].fill(0.0);
        }
        let Some(root) = grads.first_mut() else {
            return;
        };
        *root = 1.0;
        self.sweep(graph, data, grads);
    }

    /// Adds all contributions to `grads`. The first contribution overwrites a slot outside of `cleared`, whatever number is
    /// there.
    fn sweep(&self, graph: &FlatGraph, data: &[f64], grads: &mut [f64]) {
        let mut state = BackwardState {
            data,
            grads,
            contributions: &mut self.buffer(),
        };
        let operands = |run: &OpRun| graph.operands_of(run.first..run.end());
        for section in &self.list {
            match section {
                Section::Singles { from, to } => {
                    for node in &self.singles[*from as usize..*to as usize] {
                        node.backward(data, state.grads);
                    }
                }
                Section::Run(run) => state.contribute(&[*run], [operands(run)]),
                Section::Parallel(group) => state.contribute(group, group.each_ref().map(operands)),
                Section::Many(run) => {
                    let flat = FlatSweep {
                        graph,
                        data,
                        locals: None,
                    };
                    let slots = run.first as usize..run.end() as usize;
                    flat.sweep(slots, state.grads, |grad, it| *grad += it.amount);
                }
                Section::Sums { first, count, rows } => {
                    let starts = graph.operands(*first as usize);
                    state.contribute_from_sums(*first..first + count, starts, *rows);
                }
            }
        }
    }
}

/// The data and the grads of a sweep in progress.
struct BackwardState<'p> {
    data: &'p [f64],
    grads: &'p mut [f64],
    contributions: &'p mut [f64],
}

impl BackwardState<'_> {
    /// Adds the contributions of a run, or of several runs whose sums can overlap. `operands` are those of each run.
    fn contribute<const N: usize>(&mut self, group: &[OpRun; N], operands: [&[u32]; N]) {
        let (all, arity) = (group[0].count as usize, group[0].arity as usize);
        for offset in (0..all).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(all - offset);
            for (place, (op_run, slots)) in group.iter().zip(operands).enumerate() {
                let run = op_run.part(offset, &slots[offset * arity..][..count * arity], count);
                self.write_contributions(op_run, run, place);
                if op_run.sides.contains(&Side::Anywhere) {
                    self.scatter(op_run.sides, run);
                }
            }
            if group[0].shared_operand().is_some() {
                let shared = group.map(|run| run.shared_operand().unwrap_or_default());
                let halves = std::array::from_fn(|place| 2 * place + shared[place].0);
                self.sum_parallel(shared.map(|(_, slot)| slot), count, halves);
            }
        }
    }

    /// Computes the contributions of a part of a run, which is the run at `place` in its group. The contributions to
    /// operands in a row are added or stored at once. The others stay in the buffer.
    fn write_contributions(&mut self, op_run: &OpRun, run: Run, place: usize) {
        let count = run.count;
        let (up_to_run, below) = self.grads.split_at_mut(run.first + count);
        let users = &up_to_run[run.first..];
        let (lefts, rights) = self.contributions[2 * place * count..].split_at_mut(count);
        let row = |side: usize| {
            let start = run.operands[side] as usize - run.first - count;
            start..start + count
        };
        let is_row =
            |side: usize, kind| matches!(op_run.sides[side], Side::Row(_, it) if it == kind);
        // Contributions that are stored go straight to the grads.
        let are_stored = [0, 1].map(|side| is_row(side, RowGrads::Stored));
        let into = match are_stored {
            [false, false] => [&mut lefts[..], &mut rights[..count]],
            [true, false] => [&mut below[row(0)], &mut rights[..count]],
            [false, true] => [&mut lefts[..], &mut below[row(1)]],
            [true, true] => below
                .get_disjoint_mut([row(0), row(1)])
                .expect("no grad has two first contributions"),
        };
        op_run.op().contributions(run, self.data, users, into);
        for (side, contributions) in [&*lefts, &*rights].into_iter().enumerate() {
            if is_row(side, RowGrads::Added) {
                for (grad, amount) in below[row(side)].iter_mut().zip(contributions) {
                    *grad += amount;
                }
            }
        }
    }

    /// Adds the contributions to the shared operand of each of N runs, the N sums in parallel. `slots` are those of the
    /// operands. `halves` are the halves of the buffer that have the contributions of each run.
    fn sum_parallel<const N: usize>(&mut self, slots: [u32; N], count: usize, halves: [usize; N]) {
        let mut sums = slots.map(|slot| self.grads[slot as usize]);
        let parts = halves.map(|half| &self.contributions[half * count..][..count]);
        for place in 0..count {
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += part[place];
            }
        }
        for (slot, sum) in slots.into_iter().zip(sums) {
            self.grads[slot as usize] = sum;
        }
    }

    /// Adds contributions to operands in any slots, node by node. The run is alone, since parallel runs have a stride.
    fn scatter(&mut self, sides: [Side; 2], run: Run) {
        let (lefts, rights) = self.contributions.split_at(run.count);
        let mut add = |slot: u32, amount: f64| add(self.grads, slot, amount);
        if run.operands.len() == run.count {
            for (&x, left) in run.operands.iter().zip(lefts) {
                add(x, *left);
            }
            return;
        }
        let pairs = run.operands.as_chunks::<2>().0.iter();
        match sides {
            [Side::Constant, _] => {
                for (&[_, y], right) in pairs.zip(rights) {
                    add(y, *right);
                }
            }
            [_, Side::Constant] => {
                for (&[x, _], left) in pairs.zip(lefts) {
                    add(x, *left);
                }
            }
            _ => {
                for (&[x, y], (left, right)) in pairs.zip(lefts.iter().zip(rights)) {
                    add(x, *left);
                    add(y, *right);
                }
            }
        }
    }

    /// Adds the contributions of sums. All operands of a sum get its grad. `starts` are the operands of the first sum.
    fn contribute_from_sums(&mut self, sums: Range<u32>, starts: &[u32], rows: RowGrads) {
        let (first, all) = (sums.start as usize, sums.len());
        for offset in (0..all).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(all - offset);
            let end = first + offset + count;
            let (up_to_sums, below) = self.grads.split_at_mut(end);
            let (users, outs) = (&up_to_sums[first + offset..], &self.data[first + offset..]);
            let contributions = &mut self.contributions[..count];
            for (place, amount) in contributions.iter_mut().enumerate() {
                let (up, out) = (users[place], outs[place]);
                let slots = || starts.iter().map(|&start| start as usize + offset + place);
                let operand_is_nan = || slots().any(|slot| self.data[slot].is_nan());
                let contribution = if out.is_nan() {
                    chain(up, 1.0, out, operand_is_nan)
                } else {
                    up
                };
                *amount = never_minus_zero(contribution);
            }
            for &start in starts {
                // Constants have no grads.
                let Some(grads) = below.get_mut(start as usize + offset - end..) else {
                    continue;
                };
                let pairs = grads.iter_mut().zip(&*contributions);
                match rows {
                    RowGrads::Stored => pairs.for_each(|(grad, amount)| *grad = *amount),
                    RowGrads::Added => pairs.for_each(|(grad, amount)| *grad += amount),
                }
            }
        }
    }
}

/// Computes the values of a run.
fn run_forward(run: &OpRun, graph: &FlatGraph, data: &mut [f64]) {
    let operands = graph.operands_of(run.first..run.end());
    let whole = run.part(0, operands, run.count as usize);
    run.op().forward(whole, data);
}

/// Adds up the operands of sums, place by place. `starts` are the operands of the first sum.
fn sums_forward(sums: Range<u32>, starts: &[u32], data: &mut [f64]) {
    let (first, all) = (sums.start as usize, sums.len());
    for offset in (0..all).step_by(AT_A_TIME) {
        let count = AT_A_TIME.min(all - offset);
        let end = first + offset + count;
        let (up_to_sums, below) = data.split_at_mut(end);
        let totals = &mut up_to_sums[first + offset..];
        let row_at = |start: &u32| &below[*start as usize + offset - end..][..count];
        let mut rows = starts.iter().map(row_at);
        totals.copy_from_slice(rows.next().unwrap_or_default());
        for row in rows {
            for (total, operand) in totals.iter_mut().zip(row) {
                *total += operand;
            }
        }
    }
}

/// Adds to the grad in a slot, unless it is that of a constant.
#[inline]
fn add(grads: &mut [f64], slot: u32, amount: f64) {
    if let Some(grad) = grads.get_mut(slot as usize) {
        *grad += amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Op, Shape, operator, same_number};

    /// Seeded random numbers (splitmix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) % end
        }

        fn one_of<const N: usize>(&mut self, ends: [u64; N]) -> u32 {
            let end = ends[self.below(N as u64) as usize];
            self.below(end) as u32
        }

        fn number(&mut self, odd: bool) -> f64 {
            match self.below(if odd { 400 } else { u64::MAX }) {
                0 => 0.0,
                1 => -0.0,
                2 => f64::INFINITY,
                3 => f64::NAN,
                _ => self.below(2_000) as f64 / 997.0 - 1.0,
            }
        }
    }

    /// A number of neighbours, and by how many slots their left and right operands advance from one to the next.
    type Kind = (u32, [u32; 2]);

    /// Changes the kind now and then, so that mostly several neighbours in a row have the same.
    fn next_kind(random: &mut Random, kind: &mut Kind) -> Kind {
        if random.below(4) == 0 {
            let by = [[1, 1], [1, 0], [0, 1], [0, 0]][random.below(4) as usize];
            *kind = (4 + random.one_of([9, 60, 200]), by);
        }
        *kind
    }

    /// Operands after `end` that are in step in every possible way. They are drawn from few slots, so that runs that
    /// must not be summed in parallel occur often. Constants begin at 3,000.
    fn operands(random: &mut Random, end: u32, kinds: &[Kind]) -> Vec<u32> {
        let mut listed: Vec<u32> = Vec::new();
        for &(length, by) in kinds {
            let [x, y] = by.map(|by| match random.below(10) {
                0 | 1 => end + random.below(40) as u32,
                2 => 2_900 + random.below(110) as u32,
                3 => 1_600 + random.below(400) as u32,
                _ if by == 0 => 2_500 + random.below(9) as u32,
                _ => 1_600 + 100 * random.below(3) as u32,
            });
            let slots = |place: u32| [x + place * by[0], y + place * by[1]];
            listed.extend((0..length).flat_map(slots));
        }
        listed
    }

    #[test]
    fn runs_give_the_same_bits_as_single_nodes() {
        let signs = ["*", "-", "*", "+"].map(|sign| operator(sign, Shape::Infix));
        let ops = signs.map(|op| op.expect("the operator has a row"));
        let (mut random, mut parallel) = (Random(1), 0);
        for round in 0..400 {
            let (varying, odd) = (3_000_u32, round % 4 == 0);
            let mut nodes: Vec<(&Op, [u32; 2])> = Vec::new();
            let mut kind = (1, [0, 0]);
            while nodes.len() < 800 {
                let kinds: Vec<Kind> = (0..=random.below(4))
                    .map(|_| next_kind(&mut random, &mut kind))
                    .collect();
                let count: u32 = kinds.iter().map(|(length, _)| length).sum();
                let op = ops[random.below(4) as usize];
                let listed = operands(&mut random, nodes.len() as u32 + count, &kinds);
                nodes.extend(listed.as_chunks::<2>().0.iter().map(|pair| (op, *pair)));
            }
            let constants = (0..400).map(|_| random.number(odd)).collect();
            let graph = FlatGraph::of_pairs(&nodes, varying as usize, constants);
            let sections = Sections::of(&graph);
            let is_parallel = |section: &&Section| matches!(section, Section::Parallel(_));
            parallel += sections.list.iter().filter(is_parallel).count();
            let mut data: Vec<f64> = (0..varying + 400).map(|_| random.number(odd)).collect();
            sections.forward(&graph, &mut data, None);
            for (slot, &(op, pair)) in nodes.iter().enumerate() {
                let value = op.value(&pair.map(|below| data[below as usize]));
                let made = data[slot];
                assert!(same_number(made, value));
            }
            // Grads start at arbitrary values, except where the first contribution overwrites them.
            let mut expected = vec![0.0; varying as usize];
            let mut grads = vec![f64::NAN; varying as usize];
            for slot in sections.cleared.iter().cloned().flatten() {
                expected[slot as usize] = random.number(odd);
                grads[slot as usize] = expected[slot as usize];
            }
            sections.sweep(&graph, &data, &mut grads);
            for (slot, &(op, pair)) in nodes.iter().enumerate() {
                let values = pair.map(|below| data[below as usize]);
                let operand_is_nan = || values.iter().any(|value| value.is_nan());
                let (up, out) = (expected[slot], data[slot]);
                for (below, local) in pair.into_iter().zip(op.locals(&values, out)) {
                    add(&mut expected, below, chain(up, local, out, operand_is_nan));
                }
            }
            for (slot, (grad, expected)) in grads.iter().zip(&expected).enumerate() {
                let same = same_number(*grad, *expected);
                assert!(same, "{round}: slot {slot}: {grad} {expected}");
            }
        }
        assert!(
            parallel > 100,
            "only {parallel} groups were summed in parallel"
        );
    }
}
