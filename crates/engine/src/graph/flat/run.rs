//! Executes a lowered graph: both passes over flat arrays.
//!
//! The result equals that of the sweep over nodes to the bit, because order, functions and additions are the same;
//! tests compare the two on both sides of `NEWEST_FIRST`. The loop of an operation only writes down the contributions
//! of a run, so the compiler can vectorize it (SIMD); they are added up here, operand by operand, in the order of the
//! nodes.

use super::parts::{OpRun, PlanPart, SideKind, SumRun};
use super::{FlatGraph, TOGETHER};
use crate::ops::{Run, Stride, chain};

/// How many nodes of a run are processed at a time: their contributions stay in the first-level cache until they are
/// added.
const AT_A_TIME: usize = 128;

/// Space for the contributions that are written down but not added yet.
#[derive(Debug)]
pub(in crate::graph) struct ContributionBuffer(Box<[f64]>);

impl ContributionBuffer {
    /// As much as a sweep through this graph needs.
    pub(in crate::graph) fn of(graph: &FlatGraph) -> ContributionBuffer {
        let needed = graph.parts.iter().map(|part| match part {
            PlanPart::Singles { .. } => 0,
            PlanPart::Run(run) => 2 * AT_A_TIME.min(run.count as usize) * usize::from(run.together),
            PlanPart::Sums(sums) => AT_A_TIME.min(sums.count as usize),
        });
        ContributionBuffer(vec![0.0; needed.max().unwrap_or(0)].into())
    }
}

impl FlatGraph {
    /// Recomputes every computed node, operands first. The slot `kept` keeps the data it was given: an inner node that
    /// is treated as a leaf.
    pub(in crate::graph) fn forward(&self, data: &mut [f64], kept: Option<usize>) {
        for part in self.parts.iter().rev() {
            // No other node of a run depends on the one that is kept, so restoring it afterwards is enough.
            let before = kept.map(|kept| (kept, data[kept]));
            match part {
                PlanPart::Singles { from, to } => {
                    for node in self.singles[*from as usize..*to as usize].iter().rev() {
                        if kept != Some(node.slot as usize) {
                            node.forward(data);
                        }
                    }
                }
                PlanPart::Run(op_run) => {
                    let listed = self.listed(op_run.first, op_run.listed());
                    let run = op_run.part(0, listed, op_run.count as usize);
                    op_run.op().forward(run, data);
                }
                PlanPart::Sums(sums) => sums.forward(self.operands(sums.first as usize), data),
            }
            if let Some((kept, before)) = before {
                data[kept] = before;
            }
        }
    }

    /// One sweep from the first slot.
    pub(in crate::graph) fn backward(
        &self,
        data: &[f64],
        grads: &mut [f64],
        amounts: &mut ContributionBuffer,
    ) {
        for slots in &self.cleared {
            grads[slots.start as usize..slots.end as usize].fill(0.0);
        }
        let Some(root) = grads.first_mut() else {
            return;
        };
        *root = 1.0;
        self.sweep(data, grads, amounts);
    }

    /// Adds all contributions to `grads`. Slots outside of `cleared` are overwritten by their first contribution,
    /// whatever they hold.
    fn sweep(&self, data: &[f64], grads: &mut [f64], amounts: &mut ContributionBuffer) {
        let mut sums = Sums {
            data,
            grads,
            amounts: &mut amounts.0,
        };
        let mut at = 0;
        while let Some(part) = self.parts.get(at) {
            at += 1;
            match *part {
                PlanPart::Singles { from, to } => {
                    for node in &self.singles[from as usize..to as usize] {
                        node.backward(sums.data, sums.grads);
                    }
                }
                PlanPart::Sums(run) => {
                    sums.pass_on_from_sums(run, self.operands(run.first as usize));
                }
                PlanPart::Run(run) if run.together == 1 => {
                    sums.pass_on(run, self.listed(run.first, run.listed()));
                }
                PlanPart::Run(first) => {
                    let group = &self.parts[at - 1..][..usize::from(first.together)];
                    at += group.len() - 1;
                    let listed = self.listed(first.first, first.listed() * group.len());
                    sums.pass_on_together(group, listed);
                }
            }
        }
    }
}

/// The data and the grads of a sweep in progress.
struct Sums<'p> {
    data: &'p [f64],
    grads: &'p mut [f64],
    amounts: &'p mut [f64],
}

impl Sums<'_> {
    /// What a run passes on.
    fn pass_on(&mut self, op_run: OpRun, operands: &[u32]) {
        let arity = op_run.arity as usize;
        if arity > 2 {
            return self.pass_on_to_many(op_run, operands);
        }
        for (turn, listed) in operands.chunks(AT_A_TIME * arity).enumerate() {
            let run = op_run.part(turn * AT_A_TIME, listed, listed.len() / arity);
            self.write(op_run, run, 0);
            match (run.stride, op_run.sides) {
                (Stride::Scattered, sides) => self.scatter(sides, run),
                (Stride::Left, [_, SideKind::Added]) => self.sum([run.operands[1]], run.count, [1]),
                (Stride::Right, [SideKind::Added, _]) => {
                    self.sum([run.operands[0]], run.count, [0]);
                }
                _ => {}
            }
        }
    }

    /// Adds the contributions of a group of runs whose sums can overlap; see [`OpRun::together`].
    fn pass_on_together(&mut self, group: &[PlanPart], operands: &[u32]) {
        let [PlanPart::Run(OpRun { count, .. }), ..] = *group else {
            return;
        };
        let listed = count as usize * 2;
        for offset in (0..count as usize).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(count as usize - offset);
            let (mut ones, mut sides) = ([0; TOGETHER], [0; TOGETHER]);
            for (place, part) in group.iter().enumerate() {
                let PlanPart::Run(op_run) = part else {
                    continue;
                };
                let listed = &operands[place * listed..][offset * 2..][..count * 2];
                let run = op_run.part(offset, listed, count);
                self.write(*op_run, run, place);
                let one = usize::from(op_run.stride == Stride::Left);
                ones[place] = run.operands[one];
                sides[place] = 2 * place + one;
            }
            self.sum(ones, count, sides);
        }
    }

    /// Computes the contributions of a part of a run, the one at `place` in its group. Those to operands in a row are
    /// added or stored at once; the others stay in the buffer.
    fn write(&mut self, op_run: OpRun, run: Run, place: usize) {
        let count = run.count;
        let (users, below) = self.grads.split_at_mut(run.first + count);
        let users = &users[run.first..];
        let amounts = &mut self.amounts[2 * place * count..];
        let (lefts, rights) = amounts.split_at_mut(count);
        let row = |side: usize| {
            let start = run.operands[side] as usize - run.first - count;
            start..start + count
        };
        let in_row = run.stride.rows();
        let written = |side: usize| op_run.sides[side] == SideKind::Written;
        // Contributions that are stored go straight to the grads.
        let amounts = match (written(0), written(1)) {
            (false, false) => [&mut lefts[..], &mut rights[..count]],
            (true, false) => [&mut below[row(0)], &mut rights[..count]],
            (false, true) => [&mut lefts[..], &mut below[row(1)]],
            (true, true) => below
                .get_disjoint_mut([row(0), row(1)])
                .expect("no grad has two first contributions"),
        };
        op_run.op().passed(run, self.data, users, amounts);
        let sides = 0..op_run.arity as usize;
        for side in sides.filter(|&side| in_row[side] && op_run.sides[side] == SideKind::Added) {
            let amounts = if side == 0 { &*lefts } else { &*rights };
            for (grad, amount) in below[row(side)].iter_mut().zip(amounts) {
                *grad += amount;
            }
        }
    }

    /// Adds the contributions to one shared operand for each of N runs, the N sums in parallel.
    fn sum<const N: usize>(&mut self, ones: [u32; N], count: usize, sides: [usize; N]) {
        let mut sums = ones.map(|one| self.grads[one as usize]);
        let parts = sides.map(|side| &self.amounts[side * count..][..count]);
        for place in 0..count {
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += part[place];
            }
        }
        for (one, sum) in ones.into_iter().zip(sums) {
            self.grads[one as usize] = sum;
        }
    }

    /// Adds contributions to operands in any slots, node by node.
    fn scatter(&mut self, sides: [SideKind; 2], run: Run) {
        let (lefts, rights) = self.amounts.split_at(run.count);
        let mut add = |slot: u32, amount: f64| add(self.grads, slot, amount);
        if run.operands.len() == run.count {
            return (run.operands.iter().zip(lefts)).for_each(|(&x, left)| add(x, *left));
        }
        let pairs = run.operands.as_chunks::<2>().0.iter();
        match sides {
            [SideKind::Constant, _] => pairs
                .zip(rights)
                .for_each(|(&[_, y], right)| add(y, *right)),
            [_, SideKind::Constant] => pairs.zip(lefts).for_each(|(&[x, _], left)| add(x, *left)),
            _ => {
                for (&[x, y], (left, right)) in pairs.zip(lefts.iter().zip(rights)) {
                    add(x, *left);
                    add(y, *right);
                }
            }
        }
    }

    /// What sums pass on: to each of their operands all of their grad.
    fn pass_on_from_sums(&mut self, sums: SumRun, starts: &[u32]) {
        let first = sums.first as usize;
        for offset in (0..sums.count as usize).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(sums.count as usize - offset);
            let (users, below) = self.grads.split_at_mut(first + offset + count);
            let taken = users.len();
            let (users, outs) = (&users[first + offset..], &self.data[first + offset..]);
            let amounts = &mut self.amounts[..count];
            for (place, amount) in amounts.iter_mut().enumerate() {
                let (up, out) = (users[place], outs[place]);
                let slots = || starts.iter().map(|&start| start as usize + offset + place);
                let broken = || slots().any(|slot| self.data[slot].is_nan());
                let passed = if out.is_nan() {
                    chain(up, 1.0, out, broken)
                } else {
                    up
                };
                *amount = passed + 0.0;
            }
            for &start in starts {
                let Some(grads) = below.get_mut(start as usize + offset - taken..) else {
                    continue;
                };
                let pairs = grads.iter_mut().zip(&*amounts);
                if sums.written {
                    pairs.for_each(|(grad, amount)| *grad = *amount);
                } else {
                    pairs.for_each(|(grad, amount)| *grad += amount);
                }
            }
        }
    }

    /// What a run passes on whose operation takes more than two operands.
    fn pass_on_to_many(&mut self, op_run: OpRun, operands: &[u32]) {
        let run = op_run.part(0, operands, op_run.count as usize);
        let (users, below) = self.grads.split_at_mut(run.first + run.count);
        let (users, taken) = (&users[run.first..], run.first + run.count);
        let arity = op_run.arity as usize;
        let op = op_run.op();
        op.passed_to_each(run, self.data, users, |operand, place, amount| {
            let slot = operands[place * arity + operand] as usize - taken;
            add(below, slot as u32, amount);
        });
    }
}

impl SumRun {
    /// Adds up the operands, place by place; `starts` are those of the first node.
    fn forward(self, starts: &[u32], data: &mut [f64]) {
        let first = self.first as usize;
        for offset in (0..self.count as usize).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(self.count as usize - offset);
            let (users, below) = data.split_at_mut(first + offset + count);
            let taken = users.len();
            let sums = &mut users[first + offset..];
            let row = |start: &u32| &below[*start as usize + offset - taken..][..count];
            let mut rows = starts.iter().map(row);
            sums.copy_from_slice(rows.next().unwrap_or_default());
            for row in rows {
                for (sum, operand) in sums.iter_mut().zip(row) {
                    *sum += operand;
                }
            }
        }
    }
}

/// Constants have no grad.
#[inline]
fn add(grads: &mut [f64], slot: u32, amount: f64) {
    if let Some(grad) = grads.get_mut(slot as usize) {
        *grad += amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Shape, operator};

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

    /// Operands behind `end` that are in step in every possible way. They are drawn from few slots, so that runs that
    /// must not be summed at the same time occur often. Constants begin at 3,000.
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
        let times = operator("*", Shape::Infix).expect("there is a product");
        let (mut random, mut together) = (Random(1), 0);
        for round in 0..400 {
            let (varying, odd) = (3_000_u32, round % 4 == 0);
            let mut lowered = FlatGraph::default();
            let mut nodes: Vec<(u32, [u32; 2])> = Vec::new();
            let mut blocks = Vec::new();
            let (mut first, mut kind) = (0, (1, [0, 0]));
            while first < 800 {
                let kinds: Vec<Kind> = (0..=random.below(4))
                    .map(|_| next_kind(&mut random, &mut kind))
                    .collect();
                let count = kinds.iter().map(|(length, _)| length).sum();
                let listed = operands(&mut random, first + count, &kinds);
                let block = OpRun {
                    first,
                    count,
                    arity: 2,
                    row: times.row,
                    stride: Stride::Scattered,
                    sides: [SideKind::Added; 2],
                    together: 1,
                };
                blocks.push(block);
                lowered.operands.extend(&listed);
                nodes.extend((first..).zip(listed.as_chunks::<2>().0.iter().copied()));
                first += count;
            }
            let end = lowered.operands.len() as u32;
            lowered.starts = (0..=varying).map(|slot| end.min(2 * slot)).collect();
            for block in blocks {
                lowered.add(block);
            }
            lowered.settle();
            let tied = |part: &&PlanPart| matches!(part, PlanPart::Run(run) if run.together > 1);
            together += lowered.parts.iter().filter(tied).count();
            let mut data: Vec<f64> = (0..=varying + 400).map(|_| random.number(odd)).collect();
            lowered.forward(&mut data, None);
            for &(slot, [x, y]) in &nodes {
                let product = data[x as usize] * data[y as usize];
                let made = data[slot as usize];
                assert!(made.to_bits() == product.to_bits() || made.is_nan() && product.is_nan());
            }
            // Grads start at arbitrary values, except where the first contribution overwrites them.
            let mut expected = vec![0.0; varying as usize];
            let mut grads = vec![f64::NAN; varying as usize];
            for slot in lowered.cleared.iter().cloned().flatten() {
                expected[slot as usize] = random.number(odd);
                grads[slot as usize] = expected[slot as usize];
            }
            lowered.sweep(&data, &mut grads, &mut ContributionBuffer::of(&lowered));
            for &(slot, [x, y]) in &nodes {
                let (up, out) = (expected[slot as usize], data[slot as usize]);
                let (left, right) = (data[x as usize], data[y as usize]);
                let broken = || left.is_nan() || right.is_nan();
                for (below, local) in [(x, right), (y, left)] {
                    add(&mut expected, below, chain(up, local, out, broken));
                }
            }
            for (slot, (grad, expected)) in grads.iter().zip(&expected).enumerate() {
                let same =
                    grad.to_bits() == expected.to_bits() || grad.is_nan() && expected.is_nan();
                assert!(same, "{round}: slot {slot}: {grad} {expected}");
            }
        }
        assert!(
            together > 100,
            "only {together} groups were summed up together"
        );
    }
}
