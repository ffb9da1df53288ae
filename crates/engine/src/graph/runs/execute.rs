//! Executes the sections of a graph, forward and backward.
//!
//! The result equals that of the sweep over slots bit for bit, because the order, the functions and the additions are
//! the same. Tests compare the two on both sides of `NEWEST_FIRST`. The loop of an operation only writes the contributions
//! of a run, so the compiler can vectorise it (SIMD). This file adds the contributions to the grads, one side after the
//! other, in the order of the nodes.

use std::ops::Range;

use super::sections::{OpRun, PARALLEL_RUNS, RowGrads, Section, SharedOperand, Side};
use super::{FlatGraph, Sections};
use crate::graph::sweep::{FlatSweep, Sweepable};
use crate::ops::{Contributions, Rule, Run, chain, never_minus_zero};

/// The number of nodes of a run that are processed at a time. The contributions of more nodes would leave the first-level
/// cache (L1) before they are added.
const AT_A_TIME: usize = 128;

/// Divides this many nodes into parts that are processed at a time: 300 nodes into `0..128`, `128..256` and `256..300`.
fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..count).step_by(AT_A_TIME);
    starts.map(move |start| start..count.min(start + AT_A_TIME))
}

impl Sections {
    /// Space for the contributions that a sweep writes before it adds them. Each run of a section has two chunks: one for
    /// the contributions to the left operands, then one for those to the right operands.
    fn buffer(&self) -> Vec<f64> {
        let at_a_time = |count: u32| AT_A_TIME.min(count as usize);
        let needed = self.list.iter().map(|section| match section {
            Section::Singles(_) | Section::Many(_) => 0,
            Section::Run(run) => 2 * at_a_time(run.count),
            Section::Parallel(group) => PARALLEL_RUNS * 2 * at_a_time(group[0].count),
            Section::Sums { slots, .. } => at_a_time(slots.end - slots.start),
        });
        vec![0.0; needed.max().unwrap_or(0)]
    }

    /// Recomputes every computed node, operands first. The node in the slot `fixed` keeps its data, as if it were a leaf.
    pub(in crate::graph) fn forward(
        &self,
        graph: &FlatGraph,
        data: &mut [f64],
        fixed: Option<usize>,
    ) {
        for section in self.list.iter().rev() {
            // In most sections no node depends on another, so it is enough to restore the data of the fixed node
            // afterwards. Singles may depend on each other, so the loop over them skips the fixed node.
            let before = fixed.map(|slot| (slot, data[slot]));
            match section {
                Section::Singles(range) => {
                    for node in self.singles[range.clone()].iter().rev() {
                        if fixed != Some(node.slot as usize) {
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
                Section::Sums { slots, .. } => {
                    sums_forward(slots.clone(), graph.operands(slots.start as usize), data);
                }
            }
            if let Some((slot, before)) = before {
                data[slot] = before;
            }
        }
    }

    /// Sweeps once from the root, which is in the first slot.
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

    /// Adds all contributions to `grads`. Grads outside of `cleared` may hold any number: their first contribution
    /// overwrites it.
    fn sweep(&self, graph: &FlatGraph, data: &[f64], grads: &mut [f64]) {
        let mut state = BackwardState {
            graph,
            data,
            grads,
            contributions: &mut self.buffer(),
        };
        for section in &self.list {
            match section {
                Section::Singles(range) => {
                    for node in &self.singles[range.clone()] {
                        node.backward(data, state.grads);
                    }
                }
                Section::Run(run) => state.contribute(&[*run]),
                Section::Parallel(group) => state.contribute(group),
                Section::Many(run) => {
                    let flat = FlatSweep {
                        graph,
                        data,
                        locals: None,
                    };
                    let slots = run.first as usize..run.end() as usize;
                    flat.sweep(slots, state.grads, |grad, it| *grad += it.amount);
                }
                Section::Sums { slots, rows } => {
                    let starts = graph.operands(slots.start as usize);
                    state.contribute_from_sums(slots.clone(), starts, *rows);
                }
            }
        }
    }
}

/// The data and the grads of a sweep in progress.
struct BackwardState<'p> {
    graph: &'p FlatGraph,
    data: &'p [f64],
    grads: &'p mut [f64],
    /// See [`Sections::buffer`].
    contributions: &'p mut [f64],
}

impl BackwardState<'_> {
    /// Adds the contributions of the runs of a group: of a single run, or of several runs whose sums can overlap in the
    /// processor.
    fn contribute<const N: usize>(&mut self, group: &[OpRun; N]) {
        for nodes in parts(group[0].count as usize) {
            for (index, op_run) in group.iter().enumerate() {
                let part = op_run.part(self.graph, nodes.clone());
                self.write_contributions(op_run, part, index);
                if op_run.sides.contains(&Side::Anywhere) {
                    debug_assert_eq!(N, 1, "a scattered run is outside of parallel groups");
                    self.scatter(op_run.sides, part);
                }
            }
            if group[0].shared_operand().is_some() {
                let shared = group.map(|run| run.shared_operand().expect("each run has one"));
                self.add_to_shared(shared, nodes.len());
            }
        }
    }

    /// Computes the contributions of part of a run. `index` is the index of the run in its group. Contributions to
    /// consecutive operands reach the grads at once: they overwrite the grads, or are added. The others stay in the buffer.
    fn write_contributions(&mut self, op_run: &OpRun, part: Run, index: usize) {
        let (count, end) = (part.count, part.first + part.count);
        let (up_to_part, below) = self.grads.split_at_mut(end);
        let own_grads = &up_to_part[part.first..];
        let both = chunk(index, 0, count).start..chunk(index, 1, count).end;
        let (lefts, rights) = self.contributions[both].split_at_mut(count);
        // The range in `below` of consecutive operands on a side.
        let row = |side: usize| {
            let start = part.operands[side] as usize - end;
            start..start + count
        };
        let into = targets(op_run.sides, row, below, [lefts, rights]);
        op_run.op.contributions(part, self.data, own_grads, into);
        for (side, contributions) in [&*lefts, &*rights].into_iter().enumerate() {
            if matches!(op_run.sides[side], Side::Row(_, RowGrads::Added)) {
                for (grad, amount) in below[row(side)].iter_mut().zip(contributions) {
                    *grad += amount;
                }
            }
        }
    }

    /// Adds the contributions of `count` nodes of each of N runs to the operand that the nodes share, the N sums in
    /// parallel.
    fn add_to_shared<const N: usize>(&mut self, shared: [SharedOperand; N], count: usize) {
        let mut sums = shared.map(|operand| self.grads[operand.slot as usize]);
        let contributions: [&[f64]; N] = std::array::from_fn(|index| {
            &self.contributions[chunk(index, shared[index].side, count)]
        });
        for node in 0..count {
            for (sum, amounts) in sums.iter_mut().zip(contributions) {
                *sum += amounts[node];
            }
        }
        for (operand, sum) in shared.into_iter().zip(sums) {
            self.grads[operand.slot as usize] = sum;
        }
    }

    /// Adds contributions to operands in any slots, node by node. Only a run outside of parallel groups can be
    /// scattered, so its contributions start at index 0 of the buffer.
    fn scatter(&mut self, sides: [Side; 2], part: Run) {
        let [lefts, rights] = [0, 1].map(|side| &self.contributions[chunk(0, side, part.count)]);
        if part.operands.len() == part.count {
            for (&x, left) in part.operands.iter().zip(lefts) {
                add(self.grads, x, *left);
            }
            return;
        }
        let pairs = part.operands.as_chunks::<2>().0.iter();
        match sides {
            [Side::Constant, _] => {
                for (&[_, y], right) in pairs.zip(rights) {
                    add(self.grads, y, *right);
                }
            }
            [_, Side::Constant] => {
                for (&[x, _], left) in pairs.zip(lefts) {
                    add(self.grads, x, *left);
                }
            }
            _ => {
                for (&[x, y], (left, right)) in pairs.zip(lefts.iter().zip(rights)) {
                    add(self.grads, x, *left);
                    add(self.grads, y, *right);
                }
            }
        }
    }

    /// Adds the contributions of sums in step: each operand gets the grad of its sum. `starts` are the operands of the
    /// first sum. If they are 20 and 30, those of the next sum are 21 and 31, and so on.
    fn contribute_from_sums(&mut self, sums: Range<u32>, starts: &[u32], rows: RowGrads) {
        for nodes in parts(sums.len()) {
            let contributions = &mut self.contributions[..nodes.len()];
            for (node, amount) in nodes.clone().zip(&mut *contributions) {
                let slot = sums.start as usize + node;
                let operand_slots = || starts.iter().map(|&start| start as usize + node);
                let operand_is_nan = || operand_slots().any(|below| self.data[below].is_nan());
                let contribution = chain(self.grads[slot], 1.0, self.data[slot], operand_is_nan);
                *amount = never_minus_zero(contribution);
            }
            for &start in starts {
                let row = start as usize + nodes.start..start as usize + nodes.end;
                // Constants have no grads.
                let Some(grads) = self.grads.get_mut(row) else {
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

/// The range in the buffer of the contributions of a run of a group to the operands on one side. With parts of 100 nodes,
/// the first run has `0..100` for its left and `100..200` for its right operands, the second run `200..300` and so on.
fn chunk(index: usize, side: usize, count: usize) -> Range<usize> {
    let start = (2 * index + side) * count;
    start..start + count
}

/// Returns the slice for the contributions to each side of a part of a run: the grads themselves if the contributions
/// overwrite them, otherwise the buffer. `row` returns the range in `grads` of consecutive operands.
fn targets<'t>(
    sides: [Side; 2],
    row: impl Fn(usize) -> Range<usize>,
    grads: &'t mut [f64],
    [lefts, rights]: Contributions<'t>,
) -> Contributions<'t> {
    match sides.map(|side| matches!(side, Side::Row(_, RowGrads::Stored))) {
        [false, false] => [lefts, rights],
        [true, false] => [&mut grads[row(0)], rights],
        [false, true] => [lefts, &mut grads[row(1)]],
        [true, true] => grads
            .get_disjoint_mut([row(0), row(1)])
            .expect("no grad has two first contributions"),
    }
}

/// Computes the values of a run.
fn run_forward(run: &OpRun, graph: &FlatGraph, data: &mut [f64]) {
    if matches!(run.op.rule, Rule::Carried) {
        for slot in run.first as usize..run.end() as usize {
            let operands = graph.operands(slot).iter();
            let values: Vec<f64> = operands.map(|below| data[*below as usize]).collect();
            data[slot] = graph
                .rule(slot)
                .map_or(f64::NAN, |rule| rule.value(&values));
        }
        return;
    }
    let whole = run.part(graph, 0..run.count as usize);
    run.op.forward(whole, data);
}

/// Computes the values of sums in step: adds whole rows of operands. `starts` are the operands of the first sum.
fn sums_forward(sums: Range<u32>, starts: &[u32], data: &mut [f64]) {
    let first = sums.start as usize;
    for nodes in parts(sums.len()) {
        let (up_to_sums, below) = data.split_at_mut(first + nodes.end);
        let totals = &mut up_to_sums[first + nodes.start..];
        // The row in `data` begins at `start + nodes.start`, and `below` begins at the end of this part.
        let row_at = |start: &u32| {
            &below[*start as usize + nodes.start - first - nodes.end..][..nodes.len()]
        };
        let mut rows = starts.iter().map(row_at);
        totals.copy_from_slice(rows.next().unwrap_or_default());
        for row in rows {
            for (total, operand) in totals.iter_mut().zip(row) {
                *total += operand;
            }
        }
    }
}

/// Adds to the grad in a slot. A constant has no grad.
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

        fn number(&mut self, has_special_values: bool) -> f64 {
            match self.below(if has_special_values { 400 } else { u64::MAX }) {
                0 => 0.0,
                1 => -0.0,
                2 => f64::INFINITY,
                3 => f64::NAN,
                _ => self.below(2_000) as f64 / 997.0 - 1.0,
            }
        }
    }

    // The slots of the test's graph: at least `OPERATIONS` operations, then leaves, then constants.
    const OPERATIONS: usize = 800;
    const LEAVES: Range<u32> = 1_600..3_000;
    const CONSTANTS: Range<u32> = 3_000..3_400;

    /// Neighbours with the same operation and stride.
    #[derive(Clone, Copy)]
    struct Pattern {
        length: u32,
        /// By how many slots the left and the right operands advance from one node to the next.
        steps: [u32; 2],
    }

    /// Changes the pattern now and then, so that mostly several in a row are the same.
    fn next_pattern(random: &mut Random, pattern: &mut Pattern) -> Pattern {
        if random.below(4) == 0 {
            let steps = [[1, 1], [1, 0], [0, 1], [0, 0]][random.below(4) as usize];
            let length = 4 + random.one_of([9, 60, 200]);
            *pattern = Pattern { length, steps };
        }
        *pattern
    }

    /// Operands of operations that end at the slot `end`. They are drawn from few slots, so that runs that must not be
    /// summed in parallel occur often.
    fn operands(random: &mut Random, end: u32, patterns: &[Pattern]) -> Vec<u32> {
        let mut listed: Vec<u32> = Vec::new();
        for Pattern { length, steps } in patterns {
            let [x, y] = steps.map(|step| match random.below(10) {
                0 | 1 => end + random.below(40) as u32,
                // Some of these rows reach across the border between leaves and constants.
                2 => LEAVES.end - 100 + random.below(110) as u32,
                3 => LEAVES.start + random.below(400) as u32,
                _ if step == 0 => LEAVES.start + 900 + random.below(9) as u32,
                _ => LEAVES.start + 100 * random.below(3) as u32,
            });
            let slots = |node: u32| [x + node * steps[0], y + node * steps[1]];
            listed.extend((0..*length).flat_map(slots));
        }
        listed
    }

    #[test]
    fn runs_give_the_same_bits_as_single_nodes() {
        let signs = ["*", "-", "*", "+"].map(|sign| operator(sign, Shape::Infix));
        let ops = signs.map(|op| op.expect("the operator has a row"));
        let (mut random, mut parallel) = (Random(1), 0);
        for round in 0..400 {
            let has_special_values = round % 4 == 0;
            let (varying, constant_count) = (CONSTANTS.start as usize, CONSTANTS.len());
            let mut nodes: Vec<(&Op, [u32; 2])> = Vec::new();
            let mut pattern = Pattern {
                length: 1,
                steps: [0, 0],
            };
            while nodes.len() < OPERATIONS {
                let patterns: Vec<Pattern> = (0..=random.below(4))
                    .map(|_| next_pattern(&mut random, &mut pattern))
                    .collect();
                let count: u32 = patterns.iter().map(|it| it.length).sum();
                let op = ops[random.below(4) as usize];
                let listed = operands(&mut random, nodes.len() as u32 + count, &patterns);
                nodes.extend(listed.as_chunks::<2>().0.iter().map(|pair| (op, *pair)));
            }
            let mut numbers = |count| -> Vec<f64> {
                let number = |_| random.number(has_special_values);
                (0..count).map(number).collect()
            };
            let graph = FlatGraph::of_pairs(&nodes, varying, numbers(constant_count));
            let sections = Sections::of(&graph);
            let is_parallel = |section: &&Section| matches!(section, Section::Parallel(_));
            parallel += sections.list.iter().filter(is_parallel).count();
            let mut data = numbers(varying + constant_count);
            sections.forward(&graph, &mut data, None);
            for (slot, &(op, pair)) in nodes.iter().enumerate() {
                let value = op.value(&pair.map(|below| data[below as usize]));
                assert!(same_number(data[slot], value));
            }
            // Grads start at arbitrary values, except where the first contribution overwrites them.
            let mut expected = vec![0.0; varying];
            let mut grads = vec![f64::NAN; varying];
            for slot in sections.cleared.iter().cloned().flatten() {
                expected[slot as usize] = random.number(has_special_values);
                grads[slot as usize] = expected[slot as usize];
            }
            sections.sweep(&graph, &data, &mut grads);
            for (slot, &(op, pair)) in nodes.iter().enumerate() {
                let values = pair.map(|below| data[below as usize]);
                let operand_is_nan = || values.iter().any(|value| value.is_nan());
                let (upstream, out) = (expected[slot], data[slot]);
                for (below, local) in pair.into_iter().zip(op.locals(&values, out)) {
                    add(
                        &mut expected,
                        below,
                        chain(upstream, local, out, operand_is_nan),
                    );
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
